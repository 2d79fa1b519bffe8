"""The one XML reader: elements of any document to a `Handler`, in one streaming pass. It never raises.

Nothing a document names is ever fetched, and no entity is expanded except the five of XML. How the bytes were chunked
never changes an answer. The guards are in `xmlsource`; the kinds of notes in `xmlnotes`.
"""

from collections.abc import Iterable, Sequence
from pyexpat import XMLParserType
from typing import Protocol

from waypost.formats import xmlnotes as kinds
from waypost.formats.bounds import DEFAULT, Bounds
from waypost.formats.notes import Notes
from waypost.formats.xmlshort import spell
from waypost.formats.xmlsource import StopReading, XmlOutcome, XmlSource

__all__ = ["Handler", "XmlFeeder", "XmlOutcome", "read_xml"]


class Handler(Protocol):
    """What a reader does with the elements; a name is "namespace local", or "local" where it has no namespace."""

    def start(self, name: str, attributes: Sequence[str], line: int, column: int) -> None:
        """An element starts; attributes are flat: name, value, name, value."""

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, data: str) -> None:
        """A stretch of character data; one text may come in several."""


class XmlFeeder:
    """The streaming reader: elements of any document to a `Handler`, depth and values held within bounds."""

    def __init__(self, handler: Handler, *, notes: Notes, bounds: Bounds = DEFAULT) -> None:
        self._handler = handler
        self._notes = notes
        self._bounds = bounds
        self._depth = 0
        self._room = bounds.value_chars_max
        self._source = XmlSource(self._bind, notes, bounds)

    def feed(self, data: bytes) -> None:
        """Take the next bytes, any number of them."""
        self._source.feed(data)

    def close(self, *, broken_off: bool = False) -> XmlOutcome:
        """The end of the bytes; where they are `broken_off` the reason is noted already."""
        return self._source.close(broken_off=broken_off)

    def _bind(self, parser: XMLParserType, name: str, attributes: list[str]) -> None:
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        self._start(name, attributes)

    def _start(self, name: str, attributes: list[str]) -> None:
        self._depth += 1
        self._room = self._bounds.value_chars_max
        parser = self._source.parser
        if self._depth > self._bounds.depth_max:
            self._too_deep()
            return
        if attributes:
            attributes = [self._short(spell(text)) for text in attributes]
        line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        self._handler.start(spell(name), attributes, line, column)

    def _too_deep(self) -> None:
        if self._depth > self._bounds.open_max:
            raise StopReading(kinds.TOO_DEEP, f"more than {self._bounds.open_max:,} elements in each other")
        if not self._notes.counts.get(kinds.TOO_DEEP):
            line = self._source.parser.CurrentLineNumber
            self._notes.add(kinds.TOO_DEEP, line, f"more than {self._bounds.depth_max:,} elements in each other")

    def _end(self, name: str) -> None:
        self._room = self._bounds.value_chars_max
        if self._depth <= self._bounds.depth_max:
            self._handler.end(spell(name))
        self._depth -= 1

    def _text(self, data: str) -> None:
        if self._depth <= self._bounds.depth_max and self._room >= 0:
            short = self._short(data, self._room)
            self._room -= len(data)
            if short:
                self._handler.text(short)

    def _short(self, text: str, room: int | None = None) -> str:
        """The text within bounds; what was longer is noted."""
        room = self._bounds.value_chars_max if room is None else room
        if len(text) > room:
            parser = self._source.parser
            limit = f"more than {self._bounds.value_chars_max:,} characters"
            self._notes.add(kinds.VALUE_TOO_LONG, parser.CurrentLineNumber, limit, parser.CurrentColumnNumber + 1)
        return text[:room]


def read_xml(chunks: Iterable[bytes], handler: Handler, *, notes: Notes, bounds: Bounds = DEFAULT) -> XmlOutcome:
    """Read a whole document, given in any chunks, to a handler.

    >>> class Names:
    ...     def start(self, name, attributes, line, column): print(name, attributes, line, column)
    ...     def end(self, name): pass
    ...     def text(self, data): pass
    >>> read_xml([b"<a xmlns='urn:x'>", b"<b c='d'/></a>"], Names(), notes=Notes()).complete
    urn:x a [] 1 1
    urn:x b ['c', 'd'] 1 18
    True
    """
    feeder = XmlFeeder(handler, notes=notes, bounds=bounds)
    for chunk in chunks:
        feeder.feed(chunk)
    return feeder.close()
