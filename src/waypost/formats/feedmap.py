"""A feed read as a sitemap: its items' pages are the entries. There is one feed reader; this only turns its answer."""

import dataclasses

from waypost.formats import sitemapnotes as kinds
from waypost.formats.bounds import Bounds
from waypost.formats.document import Columns, Kind, PlaceArrays, Reading
from waypost.formats.feedmodel import Feed, FeedKind
from waypost.formats.feeds import FEED_BOUNDS, FeedReader
from waypost.formats.notes import Notes
from waypost.formats.signature import Format
from waypost.formats.xmlnotes import XML_NOTES

__all__ = ["FeedMapReader"]

_KINDS = {FeedKind.RSS: (Kind.RSS, Format.RSS), FeedKind.ATOM: (Kind.ATOM, Format.ATOM)}


class FeedMapReader:
    """Reads RSS and Atom, fed in any chunks."""

    def __init__(self, notes: Notes, bounds: Bounds, url: str | None) -> None:
        self._notes = notes
        self._bounds = bounds
        longest = max(bounds.value_chars_max, FEED_BOUNDS.value_chars_max)
        self._reader = FeedReader(url=url, limits=dataclasses.replace(bounds, value_chars_max=longest))

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self._reader.feed(data)

    def close(self, *, whole: bool) -> Reading:
        """The end of the bytes."""
        feed = self._reader.close(broken_off=not whole)
        kind, seen = _KINDS.get(feed.kind, (Kind.NONE, Format.XML))
        self._take_notes(feed)
        if kind is Kind.NONE and feed.root:
            self._notes.add(kinds.NOT_A_SITEMAP, 0, feed.root)
        columns = self._columns(feed) if kind is not Kind.NONE else Columns()
        count = len(columns.locs) + feed.entry_count - len(feed.entries)
        if count > self._bounds.urls_max:
            self._notes.add(kinds.OVER_ENTRIES, 0, f"more than {self._bounds.urls_max:,} entries")
        seen = Format.RDF if feed.root.endswith("RDF") else seen
        complete = feed.complete and kind is not Kind.NONE
        return Reading(kind, seen, columns, complete, feed.encoding, count, feed.xml, feed)

    def _take_notes(self, feed: Feed) -> None:
        """What is true of the document; what is true of it as a feed stays with `Document.feed`."""
        self._notes.kept.extend(note for note in feed.notes if note.kind in XML_NOTES)
        for kind in XML_NOTES.keys() & (feed.counts or {}).keys():
            self._notes.counts[kind] = self._notes.counts.get(kind, 0) + (feed.counts or {})[kind]

    def _columns(self, feed: Feed) -> Columns:
        """Items with a page are entries; their dates are no lastmod."""
        places = PlaceArrays()
        columns = Columns(places=places)
        for entry in feed.entries:
            if not entry.link:
                self._notes.add(kinds.LOC_MISSING, entry.line, entry.title or "", entry.column)
                continue
            columns.locs.append(entry.link)
            places.lines.append(entry.line)
            places.columns.append(max(0, entry.column - 1))
        nothing: list[str | None] = [None] * len(columns.locs)
        columns.lastmods = columns.changefreqs = columns.priorities = nothing
        return columns
