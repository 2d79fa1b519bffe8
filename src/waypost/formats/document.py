"""What a sitemap says: entries, held in columns, and the facts around them."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol, overload

from waypost.formats.extensions import Record
from waypost.formats.feedmodel import Feed
from waypost.formats.notes import Note
from waypost.formats.signature import Format
from waypost.formats.xmlsource import XmlOutcome

__all__ = ["Columns", "Document", "Entries", "Entry", "Kind", "PlaceArrays", "Places", "Reading"]


class Kind(StrEnum):
    """The kinds of sitemap; NONE is anything that is not one."""

    URLSET = "urlset"
    INDEX = "index"
    TEXT = "text"
    RSS = "rss"
    ATOM = "atom"
    NONE = "none"


class Entry(NamedTuple):
    """One URL of a sitemap, or one child of an index, as written: None is absent, "" is empty."""

    loc: str
    lastmod: str | None
    changefreq: str | None
    priority: str | None
    line: int
    extensions: tuple[Record, ...] = ()


class Places(Protocol):
    """Where entries start: line and column by index. May be worked out only when first asked for."""

    def __getitem__(self, index: int) -> tuple[int, int]: ...


class PlaceArrays:
    """Lines and columns of entries."""

    __slots__ = ("columns", "lines")

    def __init__(self) -> None:
        self.lines = array("I")
        self.columns = array("I")

    def __getitem__(self, index: int) -> tuple[int, int]:
        return self.lines[index], self.columns[index] + 1


@dataclass(slots=True)
class Columns:
    """The entries by column. A column of a field that no entry has may be shared and all None."""

    locs: list[str] = field(default_factory=list)
    lastmods: list[str | None] = field(default_factory=list)
    changefreqs: list[str | None] = field(default_factory=list)
    priorities: list[str | None] = field(default_factory=list)
    records: dict[int, tuple[Record, ...]] = field(default_factory=dict)
    places: Places = field(default_factory=list, compare=False)


class Entries(Sequence[Entry]):
    """The entries of a document, made one by one from its columns when asked for."""

    __slots__ = ("_columns",)

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns.locs)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        if isinstance(index, slice):
            return [self._make(each) for each in range(*index.indices(len(self)))]
        return self._make(range(len(self))[index])

    def __iter__(self) -> Iterator[Entry]:
        return map(self._make, range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} entries>"

    def _make(self, at: int) -> Entry:
        own = self._columns
        line = own.places[at][0]
        records = own.records.get(at, ())
        return Entry(own.locs[at], own.lastmods[at], own.changefreqs[at], own.priorities[at], line, records)


class Reading(NamedTuple):
    """What one of the readers behind `read_sitemap` found."""

    kind: Kind
    format: Format
    columns: Columns
    complete: bool
    encoding: str
    entry_count: int
    xml: XmlOutcome | None = None
    feed: Feed | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One sitemap as it was read. Nothing in it is judged."""

    kind: Kind
    format: Format
    """What the bytes are; says more than `kind` where that is NONE."""
    columns: Columns
    notes: tuple[Note, ...]
    """The first notes of each kind, in the order of the document; `formats.sitemapnotes` lists the kinds."""
    counts: Mapping[str, int]
    """How many notes of each kind there were."""
    complete: bool
    """Whether it was read to its end: not broken, not cut at a limit."""
    encoding: str
    bytes: int
    """Bytes of the document itself, unpacked; up to two more than the limit where a packed one is larger."""
    packed_bytes: int
    """Bytes as they came."""
    gzip_layers: int
    entry_count: int
    """All entries, also those that were too many to keep."""
    url: str | None = None
    root: str = ""
    """The root element, "namespace name"; empty where there is none."""
    xml: XmlOutcome | None = None
    """What was known of the XML: version, DOCTYPE, stylesheet, the root and its attributes."""
    feed: Feed | None = None
    """Everything the feed says, where it is one."""

    def __repr__(self) -> str:
        state = "complete" if self.complete else "broken"
        return f"<Document {self.kind}, {self.entry_count:,} entries, {sum(self.counts.values()):,} notes, {state}>"

    @property
    def entries(self) -> Entries:
        """The entries, in order."""
        return Entries(self.columns)

    @property
    def locs(self) -> list[str]:
        """The URLs, as written but for white space around them."""
        return self.columns.locs

    @property
    def lastmods(self) -> list[str | None]:
        """The dates of change, as written."""
        return self.columns.lastmods

    @property
    def changefreqs(self) -> list[str | None]:
        """The change frequencies, as written."""
        return self.columns.changefreqs

    @property
    def priorities(self) -> list[str | None]:
        """The priorities, as written."""
        return self.columns.priorities

    @property
    def records(self) -> Mapping[int, tuple[Record, ...]]:
        """The extension records by the index of their entry (from 0); entries without any are absent."""
        return self.columns.records

    def place(self, index: int) -> tuple[int, int]:
        """Line and column where the entry of that index (from 0) starts."""
        return self.columns.places[index]

    @property
    def schema_location(self) -> str:
        """The root's `xsi:schemaLocation`; nothing is ever fetched from there."""
        attributes = self.xml.root_attributes if self.xml else ()
        pairs = dict(zip(attributes[::2], attributes[1::2], strict=True))
        return pairs.get("http://www.w3.org/2001/XMLSchema-instance schemaLocation", "")
