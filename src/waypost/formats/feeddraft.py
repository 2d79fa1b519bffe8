"""A feed while it is being read: what the readers of all formats share. It notes; it does not know any format."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from waypost.dates import DateForm, DateReading
from waypost.formats import feednotes as kinds
from waypost.formats.feedmodel import Enclosure, Feed, FeedEntry, FeedKind, Link, is_byte_count
from waypost.formats.markup import active_parts, relative_references, tags
from waypost.formats.notes import Notes
from waypost.formats.xmltree import Element
from waypost.limits import ENTRY_PARTS_MAX, FEED_CONTENT_CHARS_MAX, FEED_PARTS_MAX
from waypost.urls import is_absolute

__all__ = ["Children", "FeedDraft", "Place", "read_link"]

_T = TypeVar("_T")

Place = tuple[int, int]
"""Line and column."""


class FeedDraft:
    """Collects the fields, entries and notes of one feed."""

    def __init__(self, notes: Notes, url: str | None, entries_max: int) -> None:
        self.notes = notes
        self.url = url
        self.kind = FeedKind.NONE
        self.version = ""
        self.title: str | None = None
        self.link: str | None = None
        self.id: str | None = None
        self.updated: str | None = None
        self.description: str | None = None
        self.language: str | None = None
        self.authors: list[str] = []
        self.links: list[Link] = []
        self.entry_count = 0
        self.place: Place = (1, 1)
        self._entries: list[FeedEntry] = []
        self._entries_max = entries_max
        self._ids: set[str] = set()
        self._content_room = FEED_CONTENT_CHARS_MAX
        self._parts_room = FEED_PARTS_MAX

    @property
    def at(self) -> int:
        """The number of the entry that is being read."""
        return self.entry_count + 1

    def note(self, kind: str, place: Place, text: str, entry: int = 0) -> None:
        """Note a fact about the feed, or about one entry."""
        self.notes.add(kind, place[0], text, place[1], entry)

    def has_room(self, place: Place) -> bool:
        """Whether one more entry is kept; one that is not is counted, and need not be looked at."""
        if self.entry_count < self._entries_max:
            return True
        self.entry_count += 1
        if self.entry_count == self._entries_max + 1:
            self.note(kinds.TOO_MANY_ENTRIES, place, f"more than {self._entries_max:,} entries")
        return False

    def add(self, entry: FeedEntry) -> None:
        """Take an entry, and judge nothing but whether its id was there before."""
        if entry.id and entry.id in self._ids:
            self.note(kinds.ID_REPEATED, (entry.line, entry.column), entry.id, self.at)
        elif entry.id:
            self._ids.add(entry.id)
        self.entry_count += 1
        self._entries.append(entry)

    def date(self, name: str, text: str, place: Place, read: Callable[[str], DateReading], entry: int = 0) -> str:
        """The date as written; what is not exact about it is noted."""
        reading = read(text)
        if reading.form is not DateForm.EXACT:
            kind = kinds.DATE_INVALID if reading.form is DateForm.INVALID else kinds.DATE_TOLERATED
            self.note(kind, place, f"{name} {text}".rstrip() + f": {reading.why}", entry)
        return text

    def note_base(self, element: Element, entry: int = 0) -> None:
        """Note an `xml:base` that stands on this element."""
        if element.own_base is not None:
            self.note(kinds.BASE_USED, element.place, element.own_base, entry)

    def content(self, html: str, place: Place, *, has_base: bool = False) -> str | None:
        """The HTML of an entry, looked at; None where there has been too much of it already."""
        self._content_room -= len(html)
        if self._content_room < 0:
            if not self.notes.counts.get(kinds.CONTENT_DROPPED):
                limit = f"more than {FEED_CONTENT_CHARS_MAX:,} characters of content"
                self.note(kinds.CONTENT_DROPPED, place, limit, self.at)
            return None
        for tag in tags(html):
            if not has_base:
                for reference in relative_references(tag):
                    self.note(kinds.CONTENT_RELATIVE, place, reference, self.at)
            for part in active_parts(tag):
                self.note(kinds.CONTENT_ACTIVE, place, part, self.at)
        return html

    def good_link(self, url: str, place: Place, entry: int = 0) -> str:
        """A link; one that is not absolute is noted."""
        if not is_absolute(url):
            self.note(kinds.LINK_RELATIVE, place, url, entry)
        return url

    def enclosure(self, found: Enclosure, required: Iterable[str]) -> Enclosure:
        """An enclosure; what it lacks is noted."""
        lacking = [name for name in required if not getattr(found, name)]
        if found.length and not is_byte_count(found.length):
            lacking.append(f"length as a number, not {found.length}")
        if lacking:
            self.note(kinds.ENCLOSURE_INCOMPLETE, (found.line, found.column), ", ".join(lacking), self.at)
        return found

    def some(self, parts: Iterable[_T], place: Place, entry: int = 0) -> tuple[_T, ...]:
        """As many links, authors or categories as are kept of one entry."""
        kept = tuple(islice(parts, min(ENTRY_PARTS_MAX, self._parts_room) + 1))
        if len(kept) > ENTRY_PARTS_MAX or len(kept) > self._parts_room:
            kept = kept[:-1]
            self.note(kinds.TOO_MANY_PARTS, place, f"more than {len(kept):,} links, authors or categories", entry)
        self._parts_room -= len(kept)
        return kept

    def require(self, names: Iterable[str], place: Place, fields: object, kind: str, entry: int = 0) -> None:
        """Note each of these fields that is absent or empty."""
        for name in names:
            if not getattr(fields, name):
                self.note(kind, place, name, entry)

    def finish(self, required: Iterable[str], *, complete: bool) -> None:
        """Note what the feed as a whole does not say; of one that broke off nobody knows."""
        if not complete:
            return
        self.require(required, self.place, self, kinds.FIELD_MISSING)
        relations = {relation for link in self.links for relation in link.rel.split()}
        if "self" not in relations:
            self.note(kinds.SELF_LINK_MISSING, self.place, "no link of the relation self")
            for hub in (link for link in self.links if "hub" in link.rel.split()):
                self.note(kinds.HUB_WITHOUT_SELF, (hub.line, hub.column), hub.href)

    def freeze(self, *, complete: bool) -> Feed:
        """The feed as it is known now."""
        return Feed(
            kind=self.kind,
            title=self.title,
            link=self.link,
            id=self.id,
            updated=self.updated,
            entries=tuple(self._entries),
            description=self.description,
            language=self.language,
            authors=tuple(self.authors),
            links=tuple(self.links),
            version=self.version,
            notes=self.notes.freeze(),
            counts=dict(self.notes.counts),
            complete=complete,
            entry_count=self.entry_count,
            url=self.url,
        )


class Children:
    """The elements inside an entry or a feed by their key; of what stands once, a second one is noted."""

    def __init__(self, draft: FeedDraft, key: Callable[[Element], str], once: frozenset[str]) -> None:
        self._draft = draft
        self._key = key
        self._once = once
        self._groups: dict[str, list[Element]] = {}
        self._repeated: set[str] = set()

    def add(self, child: Element, entry: int = 0) -> None:
        """Take one more child."""
        name = self._key(child)
        group = self._groups.setdefault(name, [])
        if not group or name not in self._once:
            if name and len(group) <= ENTRY_PARTS_MAX:
                group.append(child)
        elif name not in self._repeated:
            self._repeated.add(name)
            self._draft.note(kinds.FIELD_REPEATED, (child.line, child.column), name, entry)

    def first(self, *names: str) -> Element | None:
        """The first element of the first of these names that there is."""
        return next((group[0] for name in names if (group := self._groups.get(name))), None)

    def text(self, *names: str) -> str | None:
        """The text of that element."""
        found = self.first(*names)
        return None if found is None else found.text

    def every(self, *names: str) -> Iterator[Element]:
        """All elements of these names."""
        return (element for name in names for element in self._groups.get(name, ()))


def read_link(element: Element) -> Link | None:
    """An Atom link, in an Atom feed or in another one; None without an address."""
    href = element.get("href")
    if href is None:
        return None
    return Link(
        href=element.resolve(href),
        rel=element.get("rel") or "alternate",
        type=element.get("type") or "",
        hreflang=element.get("hreflang") or "",
        title=element.get("title") or "",
        line=element.line,
        column=element.column,
    )
