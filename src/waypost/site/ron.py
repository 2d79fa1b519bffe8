"""A reader for RON, the notation of the sidecars in NoPressure roots.

    value   = struct | map | list | string | raw string | char | number | true | false | identifier
    struct  = [identifier] "(" [name ":" value {"," name ":" value}] [","] ")"
    tuple   = [identifier] "(" [value {"," value}] [","] ")"
    map     = "{" [value ":" value {"," …}] "}"        list = "[" [value {"," …}] "]"

`Some(x)` is x, `None` is None, `()` an empty struct, any other bare identifier its own name. Comments are `//` to
the end of the line and nested `/* */`. `#![enable(…)]` lines in front are allowed and change nothing for us.
"""

import re
from typing import NoReturn

from waypost.limits import SIDECAR_DEPTH_MAX

__all__ = ["RonError", "RonReader", "read_ron"]


_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<char>'(?:[^'\\]|\\[^u]|\\u\{[0-9A-Fa-f]{1,6}\})')
    |(?P<number>[+-]?(?:0x[0-9A-Fa-f_]++|0o[0-7_]++|0b[01_]++
        |(?:\d[\d_]*+(?:\.(?:\d[\d_]*+)?)?+|\.\d[\d_]*+)(?:[eE][+-]?\d++)?))(?![\w])
    |(?P<raw>r(?P<hashes>\#*)".*?"(?P=hashes))
    |(?P<name>(?:r\#)?[A-Za-z_]\w*)
    |(?P<mark>[()\[\]{}:,])""",
    re.VERBOSE | re.DOTALL,
)
_BLANK = re.compile(r"(?:\s+|//[^\n]*)+")
_ATTRIBUTE = re.compile(r"#!\[\s*enable\s*\([\w\s,]*\)\s*\]")
_ESCAPE = re.compile(r"\\(u\{[0-9A-Fa-f]{1,6}\}|x[0-9A-Fa-f]{2}|\n\s*|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "\\": "\\", '"': '"', "'": "'"}
_WORDS: dict[str, object] = {"true": True, "false": False, "None": None}


class RonError(ValueError):
    """The text is not RON; `line` says where."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


def read_ron(text: str) -> object:
    """The value a RON document holds: dict, list, str, int, float, bool or None."""
    reader = RonReader(text)
    reader.skip_attributes()
    value = reader.value(0)
    reader.skip_blanks()
    if reader.at < len(text):
        reader.fail("something follows the value")
    return value


class RonReader:
    """Where a text is read, token by token and value by value."""

    __slots__ = ("at", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, reason: str) -> NoReturn:
        """Raise RonError, naming the line."""
        raise RonError(reason, self.text.count("\n", 0, self.at) + 1)

    def skip_blanks(self) -> None:
        """Go past blanks and comments."""
        while True:
            if blank := _BLANK.match(self.text, self.at):
                self.at = blank.end()
            elif self.text.startswith("/*", self.at):
                self._skip_comment()
            else:
                return

    def _skip_comment(self) -> None:
        depth, at = 1, self.at + 2
        while depth:
            opens, closes = self.text.find("/*", at), self.text.find("*/", at)
            if closes < 0:
                self.fail("a comment does not end")
            inner = 0 <= opens < closes
            depth += 1 if inner else -1
            at = (opens if inner else closes) + 2
        self.at = at

    def skip_attributes(self) -> None:
        """Go past `#![enable(…)]` lines."""
        self.skip_blanks()
        while attribute := _ATTRIBUTE.match(self.text, self.at):
            self.at = attribute.end()
            self.skip_blanks()

    def token(self) -> tuple[str, str]:
        """The kind and the text of the next token."""
        self.skip_blanks()
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            self.fail("the text ends too soon" if self.at >= len(self.text) else "this is not RON")
        self.at = found.end()
        return found.lastgroup if found["raw"] is None else "raw", found.group()  # type: ignore[return-value]

    def peek(self) -> str:
        """The next character that is not blank."""
        self.skip_blanks()
        return self.text[self.at : self.at + 1]

    def expect(self, mark: str) -> None:
        """Go past a mark, or fail."""
        if self.peek() != mark:
            self.fail(f"{mark!r} is missing here")
        self.at += 1

    def value(self, depth: int) -> object:
        """The next value."""
        if depth > SIDECAR_DEPTH_MAX:
            self.fail("values are nested too deep")
        kind, text = self.token()
        if kind == "string":
            return self._unescaped(text[1:-1])
        if kind == "raw":
            return text[text.index('"') + 1 : text.rindex('"')]
        if kind == "number":
            return self._number(text)
        if kind == "char":
            return self._unescaped(text[1:-1])
        if kind == "name":
            return self._named(text.removeprefix("r#"), depth)
        return self._group(text, depth)

    def _named(self, name: str, depth: int) -> object:
        if self.peek() != "(":
            return _WORDS.get(name, name)
        self.at += 1
        if name != "Some":
            return self._struct(depth)
        inner = self.value(depth + 1)
        if self.peek() == ",":
            self.at += 1
        self.expect(")")
        return inner

    def _group(self, mark: str, depth: int) -> object:
        if mark == "(":
            return self._struct(depth)
        if mark == "[":
            return self._list("]", depth)
        if mark == "{":
            return self._map(depth)
        return self.fail(f"{mark!r} is not expected here")

    def _struct(self, depth: int) -> object:
        start = self.at
        self.skip_blanks()
        if self.peek() == ")":
            self.at += 1
            return {}
        kind, _ = self.token()
        is_struct = kind == "name" and self.peek() == ":"
        self.at = start
        return self._fields(depth) if is_struct else self._list(")", depth)

    def _fields(self, depth: int) -> dict[str, object]:
        fields: dict[str, object] = {}
        while self.peek() != ")":
            kind, name = self.token()
            if kind != "name":
                self.fail("a field's name is missing here")
            name = name.removeprefix("r#")
            if name in fields:
                self.fail(f"the field {name} stands twice")
            self.expect(":")
            fields[name] = self.value(depth + 1)
            if self.peek() != ")":
                self.expect(",")
        self.at += 1
        return fields

    def _list(self, end: str, depth: int) -> list[object]:
        items: list[object] = []
        while self.peek() != end:
            items.append(self.value(depth + 1))
            if self.peek() != end:
                self.expect(",")
        self.at += 1
        return items

    def _map(self, depth: int) -> dict[str, object]:
        pairs: dict[str, object] = {}
        while self.peek() != "}":
            key = self.value(depth + 1)
            if not isinstance(key, str | int | float | bool):
                self.fail("a map's key is not a plain value")
            self.expect(":")
            pairs[str(key)] = self.value(depth + 1)
            if self.peek() != "}":
                self.expect(",")
        self.at += 1
        return pairs

    def _number(self, text: str) -> int | float:
        plain = text.replace("_", "")
        try:
            return int(plain, 0) if plain.lstrip("+-")[:2].lower() in {"0x", "0o", "0b"} else int(plain)
        except ValueError:
            return self._float(plain)

    def _float(self, plain: str) -> float:
        try:
            return float(plain)
        except ValueError:
            self.fail("this is not a number")

    def _unescaped(self, text: str) -> str:
        return _ESCAPE.sub(self._escape, text) if "\\" in text else text

    def _escape(self, found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "ux" and len(code) > 1:
            number = int(code.strip("ux{}"), 16)
            if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
                self.fail("an escape names no character")
            return chr(number)
        if code[0] == "\n":
            return ""
        if code not in _ESCAPES:
            self.fail(f"the escape \\{code} is not known")
        return _ESCAPES[code]
