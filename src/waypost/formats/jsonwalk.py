"""The top of a JSON document walked by hand: members and list items one by one, with their places.

The standard library's scanner reads each value, so a document that breaks off keeps what came before, and only one item
is in memory at a time.
"""

import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Any

from waypost.limits import JSON_VALUES_MAX

__all__ = ["BrokenJsonError", "JsonWalk", "too_many_values"]

_BLANK = re.compile(r"[ \t\r\n]*")


def _whole_number(text: str) -> int | float:
    """The number; where it has more digits than are made an int, what a number with an exponent would be."""
    try:
        return int(text)
    except ValueError:
        return float(text)


_DECODER = JSONDecoder(parse_int=_whole_number)


class BrokenJsonError(Exception):
    """The document breaks here; it never leaves the reader."""

    def __init__(self, at: int, why: str) -> None:
        super().__init__(why)
        self.at = at
        self.why = why


def too_many_values(data: bytes) -> bool:
    """Whether a document may hold more values than are safe to make: each one costs many times its bytes."""
    return data.count(b",") + data.count(b"[") + data.count(b"{") > JSON_VALUES_MAX


class JsonWalk:
    """One pass over a text that should be a JSON object."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._counted = (0, 1, 0)
        self._skip()

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of an offset; cheap where offsets grow."""
        seen, line, line_start = self._counted if at >= self._counted[0] else (0, 1, 0)
        line += self.text.count("\n", seen, at)
        line_start = max(line_start, self.text.rfind("\n", seen, at) + 1)
        self._counted = (at, line, line_start)
        return line, at - line_start + 1

    def peek(self) -> str:
        """The next character that is no blank; "" at the end."""
        return self.text[self.at : self.at + 1]

    def value(self) -> Any:
        """Read the value that stands here, and go past it."""
        try:
            value, self.at = _DECODER.raw_decode(self.text, self.at)
        except RecursionError:
            raise BrokenJsonError(self.at, "nested too deep") from None
        except JSONDecodeError as error:
            raise BrokenJsonError(error.pos, error.msg) from None
        self._skip()
        return value

    def members(self) -> Iterator[str]:
        """The keys of the object that starts here; whoever asks for the next has read the value."""
        for at in self._elements("{", "}"):
            key = self.value()
            if not isinstance(key, str):
                raise BrokenJsonError(at, "a key must be a string")
            self._expect(":")
            yield key

    def items(self) -> Iterator[int]:
        """The offsets of the items of the list that starts here; whoever asks for the next has read the item."""
        return self._elements("[", "]")

    def end(self) -> None:
        """Nothing may follow."""
        if self.peek():
            raise BrokenJsonError(self.at, "something follows the end")

    def _elements(self, first: str, last: str) -> Iterator[int]:
        self._expect(first)
        if self.peek() != last:
            yield self.at
            while self.peek() == ",":
                self._expect(",")
                yield self.at
        self._expect(last)

    def _expect(self, character: str) -> None:
        if self.peek() != character:
            raise BrokenJsonError(self.at, f"expected {character}")
        self.at += 1
        self._skip()

    def _skip(self) -> None:
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
