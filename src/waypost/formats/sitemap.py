"""Sitemaps read: urlset, sitemapindex, text, RSS and Atom, each plain or gzipped. Nothing is judged and nothing raises.

`read_sitemap` takes the whole document, `SitemapReader` takes it in chunks; both give the same `Document`. What was
good in a broken document is kept, and `complete` is false.
"""

from typing import Protocol

from waypost.formats import sitemapnotes as kinds
from waypost.formats.bounds import DEFAULT, Bounds
from waypost.formats.document import Columns, Document, Entries, Entry, Kind, Reading
from waypost.formats.feedmap import FeedMapReader
from waypost.formats.inflate import Unpacker
from waypost.formats.notes import Notes
from waypost.formats.octets import Octets, octets
from waypost.formats.signature import Format, look
from waypost.formats.sitemapfast import read_fast
from waypost.formats.sitemapxml import XmlReader
from waypost.formats.textmap import TextReader
from waypost.formats.xmlnotes import EMPTY, OVER_BYTES
from waypost.limits import PROLOG_BYTES_MAX

__all__ = ["Document", "Entries", "Entry", "Kind", "SitemapReader", "read_sitemap"]

_XML = {Format.URLSET, Format.INDEX, Format.XML, Format.OPML, Format.XMLMAP}
_FEEDS = {Format.RSS, Format.ATOM, Format.RDF}
_LINES = {Format.TEXT, Format.PROSE, Format.MARKDOWN, Format.CSV}


class _Reader(Protocol):
    """Reads one format; `whole` is false where the bytes broke off for a reason that is noted already."""

    def feed(self, data: bytes) -> None: ...
    def close(self, *, whole: bool) -> Reading: ...


class _NoReader:
    """Reads past what is no sitemap."""

    def __init__(self, notes: Notes, seen_as: Format) -> None:
        self._seen_as = seen_as
        if seen_as is Format.EMPTY and not notes.counts:
            notes.add(EMPTY, 0, "nothing, or nothing but white space")
        elif seen_as is not Format.EMPTY:
            notes.add(kinds.NOT_A_SITEMAP, 0, seen_as.value)

    def feed(self, data: bytes) -> None:
        """Let the next bytes go."""

    def close(self, *, whole: bool) -> Reading:  # noqa: ARG002 - as the other readers
        """What it is, and no entries."""
        return Reading(Kind.NONE, self._seen_as, Columns(), complete=False, encoding="", entry_count=0)


class SitemapReader:
    """The streaming form of `read_sitemap`: feed it the document in any chunks, then close it."""

    def __init__(self, *, url: str | None = None, limits: Bounds = DEFAULT) -> None:
        self._url = url
        self._bounds = limits
        self._notes = Notes()
        self._unpacker = Unpacker(self._notes, limits.bytes_max)
        self._packed = self._bytes = 0
        self._head = b""
        self._reader: _Reader | None = None

    def feed(self, data: Octets) -> None:
        """Take the next bytes, any number of them, packed or not."""
        data = octets(data)
        self._packed += len(data)
        for piece in self._unpacker.feed(data):
            self._take(piece)

    def close(self) -> Document:
        """The end of the bytes: the document as far as it could be read."""
        for piece in self._unpacker.close():
            self._take(piece)
        reader = self._reader or self._choose(self._head)
        whole = self._unpacker.complete and self._bytes <= self._bounds.bytes_max + 1
        found = reader.close(whole=whole)
        if self._bytes > self._bounds.bytes_max and not self._notes.counts.get(OVER_BYTES):
            self._notes.add(OVER_BYTES, 0, f"more than {self._bounds.bytes_max:,} bytes")
        return Document(
            kind=found.kind,
            format=found.format,
            columns=found.columns,
            notes=self._notes.freeze(),
            counts=self._notes.counts,
            complete=found.complete,
            encoding=found.encoding,
            bytes=self._bytes,
            packed_bytes=self._packed,
            gzip_layers=self._unpacker.layers,
            entry_count=found.entry_count,
            url=self._url,
            root=found.xml.root if found.xml else "",
            xml=found.xml,
            feed=found.feed,
        )

    def _take(self, piece: bytes) -> None:
        """Plain bytes go to the reader of their format, up to the limit and two more that show it was passed."""
        room = max(0, self._bounds.bytes_max + 2 - self._bytes)
        self._bytes += len(piece)
        if len(piece) > room:
            piece = piece[:room]
        if self._reader is not None:
            self._reader.feed(piece)
        elif len(self._head) + len(piece) < PROLOG_BYTES_MAX:
            self._head += piece
        else:
            self._choose(self._head + piece if self._head else piece)

    def _choose(self, head: bytes) -> _Reader:
        """The reader for what starts like this; it has read the head when this returns."""
        seen = look(head[:PROLOG_BYTES_MAX])
        if seen in _XML:
            self._reader = XmlReader(self._notes, self._bounds, seen)
        elif seen in _FEEDS:
            self._reader = FeedMapReader(self._notes, self._bounds, self._url)
        elif seen in _LINES:
            self._reader = TextReader(self._notes, self._bounds, seen)
        else:
            self._reader = _NoReader(self._notes, seen)
        self._reader.feed(head)
        return self._reader


def read_sitemap(data: Octets, *, url: str | None = None, limits: Bounds = DEFAULT, exact: bool = False) -> Document:
    """Read a whole sitemap of any format, plain or gzipped.

    Where the fast path can prove its answer it is used, and says exactly the same; `exact` forces the other way.

    >>> found = read_sitemap(
    ...     b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
    ...     b"<url><loc>https://example.com/a</loc><priority>0.5</priority></url></urlset>"
    ... )
    >>> found.kind, found.complete, found.entries[0].loc, found.entries[0].lastmod, found.entries[0].priority
    (<Kind.URLSET: 'urlset'>, True, 'https://example.com/a', None, '0.5')
    """

    def read_exactly(whole: bytes) -> Document:
        reader = SitemapReader(url=url, limits=limits)
        reader.feed(whole)
        return reader.close()

    data = octets(data)
    fast = None if exact else read_fast(data, limits, read_exactly)
    return read_exactly(data) if fast is None else fast
