"""Reads a sitemap written in XML: what the root element is decides, and everything else about it is a fact to keep."""

import re
from collections.abc import Callable
from pyexpat import XMLParserType

from waypost.formats import sitemapnotes as kinds
from waypost.formats.bounds import Bounds
from waypost.formats.document import Columns, Kind, Reading
from waypost.formats.entries import EntryReader, note_namespace
from waypost.formats.notes import Notes
from waypost.formats.signature import Format
from waypost.formats.xmlnotes import TEXT_BEFORE_DECLARATION
from waypost.formats.xmlshort import spell
from waypost.formats.xmlsource import StopReading, XmlSource

__all__ = ["XmlReader"]

_KINDS = {"urlset": Kind.URLSET, "sitemapindex": Kind.INDEX}
_LATE_DECLARATION = re.compile(rb"(?:\xef\xbb\xbf)?+(?!<\?xml\s).+?<\?xml\s+version", re.DOTALL)
_HEAD_BYTES = 16_384
_FORMATS = {Kind.URLSET: Format.URLSET, Kind.INDEX: Format.INDEX}


class XmlReader:
    """Reads a urlset or a sitemapindex fed in any chunks; at any other root it stops."""

    def __init__(self, notes: Notes, bounds: Bounds, seen_as: Format) -> None:
        self._notes = notes
        self._bounds = bounds
        self._seen_as = seen_as
        self._kind = Kind.NONE
        self._head = b""
        self._entries: EntryReader | None = None
        self._source = XmlSource(self._bind, notes, bounds, short=True)

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self._head += bytes(data[: _HEAD_BYTES - len(self._head)])
        self._source.feed(data)

    def close(self, *, whole: bool) -> Reading:
        """The end of the bytes."""
        xml = self._source.close(broken_off=not whole)
        columns, count = Columns(), 0
        if self._entries is not None:
            self._entries.finish(complete=xml.complete)
            columns, count = self._entries.columns, self._entries.count
        seen = _FORMATS.get(self._kind, self._seen_as)
        return Reading(self._kind, seen, columns, xml.complete, xml.encoding, count, xml)

    def _bind(self, parser: XMLParserType, name: str, attributes: list[str]) -> Callable[[], None]:
        namespace, _, local = spell(name).rpartition(" ")
        self._kind = _KINDS.get(local, Kind.NONE)
        place = (parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        if self._kind is Kind.NONE and _LATE_DECLARATION.match(self._head):
            # What a program printed by mistake, a warning say, is no root: the document begins behind it.
            raise StopReading(TEXT_BEFORE_DECLARATION, f"<{spell(name)}> stands before the XML declaration", place)
        if self._kind is Kind.NONE:
            raise StopReading(kinds.NOT_A_SITEMAP, spell(name), place)
        note_namespace(namespace, self._notes, place)
        self._entries = EntryReader(self._kind, self._notes, self._bounds, self._source_names_over)
        return self._entries.bind(parser, name, attributes)

    def _source_names_over(self) -> bool:
        return self._source.names_over
