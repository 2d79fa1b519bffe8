"""OPML 2.0 (and 1.x): lists of feeds, read and written, outlines nested as deep as they come.

An outline is known as soon as its start tag is: one that the end of the document leaves open is kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from waypost.dates import DateForm, read_rfc822
from waypost.errors import WriteError
from waypost.formats.bounds import DEFAULT, Bounds
from waypost.formats.feeddates import rfc822_text
from waypost.formats.notes import Note, Notes
from waypost.formats.octets import Octets, octets
from waypost.formats.urlproof import require_url
from waypost.formats.xmlread import XmlFeeder
from waypost.formats.xmlsource import StopReading, XmlOutcome
from waypost.formats.xmltree import TOO_MANY_ELEMENTS
from waypost.formats.xmlwrite import XmlWriter, shown
from waypost.limits import ENTRY_PARTS_MAX, FEED_PARTS_MAX, OUTLINE_DEPTH_MAX, OUTLINES_MAX, TREE_ELEMENTS_MAX
from waypost.urls import is_absolute

__all__ = ["OPML_NOTES", "Opml", "OpmlReader", "Outline", "read_opml", "write_opml"]

ROOT_UNKNOWN = "root-unknown"
VERSION_UNKNOWN = "version-unknown"
FIELD_MISSING = "field-missing"
FIELD_REPEATED = "field-repeated"
DATE_INVALID = "date-invalid"
OUTLINE_OUTSIDE = "outline-outside"
OUTLINE_WITHOUT_URL = "outline-without-url"
OUTLINE_WITHOUT_TEXT = "outline-without-text"
OUTLINE_URL_RELATIVE = "outline-url-relative"
ATTRIBUTE_CASE = "attribute-case"
TOO_MANY_OUTLINES = "too-many-outlines"

OPML_NOTES: dict[str, str] = {
    ROOT_UNKNOWN: "the root element is not opml",
    VERSION_UNKNOWN: "the version is none of 1.0, 1.1, 2.0; the text is what it says",
    FIELD_MISSING: "the document has no body",
    FIELD_REPEATED: "a field of the head stands twice; the first counts",
    DATE_INVALID: "a date is not as RFC 822 has it; the text is the field, the date and why",
    OUTLINE_OUTSIDE: "an outline stands outside the body; it was passed over",
    OUTLINE_WITHOUT_URL: "an outline of the type rss has no xmlUrl, or an empty one",
    OUTLINE_WITHOUT_TEXT: "an outline has no text; the title is not the same thing",
    OUTLINE_URL_RELATIVE: "an xmlUrl, htmlUrl or url is no absolute http(s) URL",
    ATTRIBUTE_CASE: "an attribute is spelled in another case than OPML's",
    TOO_MANY_ELEMENTS: "more elements than are read; reading ended there",
    TOO_MANY_OUTLINES: "more outlines than are kept; the rest were counted only",
}
"""Every kind of note the reader makes beside those on the XML as such, with its meaning in a line."""

_HEAD = {
    "title": "title",
    "dateCreated": "date_created",
    "dateModified": "date_modified",
    "ownerName": "owner_name",
    "ownerEmail": "owner_email",
    "ownerId": "owner_id",
    "docs": "docs",
}
_OUTLINE = {
    "text": "text",
    "type": "type",
    "title": "title",
    "xmlUrl": "xml_url",
    "htmlUrl": "html_url",
    "url": "url",
    "description": "description",
    "language": "language",
    "version": "version",
    "category": "category",
    "created": "created",
}
_CANONICAL = {name.lower(): name for name in _OUTLINE}
_URLS = ("xmlUrl", "htmlUrl", "url")
_VERSIONS = frozenset({"1.0", "1.1", "2.0"})
_AROUND_OUTLINES = 2


@dataclass(frozen=True, slots=True)
class Outline:
    """One line of the list, and what is nested in it; None is absent, "" is empty."""

    text: str | None = None
    type: str | None = None
    title: str | None = None
    xml_url: str | None = None
    html_url: str | None = None
    url: str | None = None
    description: str | None = None
    language: str | None = None
    version: str | None = None
    category: str | None = None
    created: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    """All other attributes that have no namespace."""
    outlines: tuple["Outline", ...] = ()
    line: int = 0
    column: int = 0

    def walk(self) -> Iterator["Outline"]:
        """This outline and every one inside it, in order."""
        yield self
        for inner in self.outlines:
            yield from inner.walk()


@dataclass(frozen=True, slots=True)
class Opml:
    """One list as it was read, or as it is to be written. Nothing in it is judged."""

    title: str | None = None
    outlines: tuple[Outline, ...] = ()
    date_created: str | None = None
    date_modified: str | None = None
    owner_name: str | None = None
    owner_email: str | None = None
    owner_id: str | None = None
    docs: str | None = None
    version: str = "2.0"
    notes: tuple[Note, ...] = ()
    counts: Mapping[str, int] | None = None
    complete: bool = True
    outline_count: int = 0
    """All outlines, also those that were too many to keep."""
    encoding: str = "utf-8"
    bytes: int = 0
    url: str | None = None
    root: str = ""
    xml: XmlOutcome | None = None

    def walk(self) -> Iterator[Outline]:
        """Every outline, nested ones too, in order."""
        for outline in self.outlines:
            yield from outline.walk()

    def feeds(self) -> Iterator[Outline]:
        """The outlines that name a feed."""
        return (outline for outline in self.walk() if outline.xml_url)


@dataclass(slots=True)
class _Open:
    """An outline that has started."""

    values: dict[str, str]
    others: tuple[tuple[str, str], ...]
    line: int
    column: int
    inside: list[Outline] = field(default_factory=list)

    def close(self) -> Outline:
        """The outline with everything inside it."""
        known = {_OUTLINE[name]: value for name, value in self.values.items()}
        inside = tuple(self.inside)
        return Outline(**known, attributes=self.others, outlines=inside, line=self.line, column=self.column)


class _In(Enum):
    """What an open element is."""

    DOCUMENT = "document"
    OPML = "opml"
    HEAD = "head"
    FIELD = "field"
    BODY = "body"
    OUTLINE = "outline"
    OTHER = "other"


_INSIDE = {
    (_In.DOCUMENT, "opml"): _In.OPML,
    (_In.OPML, "head"): _In.HEAD,
    (_In.OPML, "body"): _In.BODY,
    (_In.BODY, "outline"): _In.OUTLINE,
    (_In.OUTLINE, "outline"): _In.OUTLINE,
    **{(_In.HEAD, name): _In.FIELD for name in _HEAD},
}


class OpmlReader:
    """The streaming reader: bytes in any chunks, an `Opml` at the end."""

    def __init__(self, *, url: str | None = None, limits: Bounds = DEFAULT) -> None:
        self._notes = Notes()
        self._url = url
        self._path: list[_In] = [_In.DOCUMENT]
        self._head: dict[str, str] = {}
        self._text: list[str] = []
        self._place = (0, 0)
        self._top: list[Outline] = []
        self._open: list[_Open | None] = []
        self._count = self._elements = 0
        self._room = FEED_PARTS_MAX
        self._version = ""
        self._has_body = False
        depth_max = min(limits.depth_max, OUTLINE_DEPTH_MAX + _AROUND_OUTLINES)
        self._feeder = XmlFeeder(self, notes=self._notes, bounds=replace(limits, depth_max=depth_max))

    def feed(self, data: bytes) -> None:
        """Take the next bytes, any number of them."""
        self._feeder.feed(data)

    def close(self) -> Opml:
        """The end of the bytes: the list as far as it could be read."""
        outcome = self._feeder.close()
        complete = outcome.complete and not outcome.cut
        while self._open:
            self._close_outline()
        if complete and outcome.root.rpartition(" ")[2] == "opml" and not self._has_body:
            self._notes.add(FIELD_MISSING, outcome.root_line, "body")
        fields = {_HEAD[name]: text for name, text in self._head.items()}
        return Opml(
            **fields,
            outlines=tuple(self._top),
            version=self._version,
            notes=self._notes.freeze(),
            counts=dict(self._notes.counts),
            complete=complete,
            outline_count=self._count,
            encoding=outcome.encoding,
            bytes=outcome.bytes,
            url=self._url,
            root=outcome.root,
            xml=outcome,
        )

    def start(self, name: str, attributes: Sequence[str], line: int, column: int) -> None:
        """An element starts: for the XML reader."""
        self._elements += 1
        if self._elements > TREE_ELEMENTS_MAX:
            raise StopReading(TOO_MANY_ELEMENTS, f"more than {TREE_ELEMENTS_MAX:,} elements")
        local = name.rpartition(" ")[2]
        outer = self._path[-1]
        inner = _INSIDE.get((outer, local), _In.OTHER)
        self._path.append(inner)
        if outer is _In.DOCUMENT:
            self._root(inner, name, attributes, line, column)
        elif inner is _In.BODY:
            self._has_body = True
        elif inner is _In.FIELD:
            self._text, self._place = [], (line, column)
        elif inner is _In.OUTLINE:
            self._open_outline(attributes, line, column)
        elif local == "outline" and self._path[1] is _In.OPML:
            self._notes.add(OUTLINE_OUTSIDE, line, "outline", column)

    def end(self, name: str) -> None:
        """An element ends: for the XML reader."""
        ended = self._path.pop()
        if ended is _In.OUTLINE:
            self._close_outline()
        elif ended is _In.FIELD:
            self._field(name.rpartition(" ")[2], "".join(self._text).strip())

    def text(self, data: str) -> None:
        """Some text: for the XML reader."""
        if self._path[-1] is _In.FIELD and len(self._text) < ENTRY_PARTS_MAX:
            self._text.append(data)

    def _root(self, inner: _In, name: str, attributes: Sequence[str], line: int, column: int) -> None:
        if inner is not _In.OPML:
            self._notes.add(ROOT_UNKNOWN, line, name, column)
            return
        self._version = dict(_pairs(attributes)).get("version", "").strip()
        if self._version not in _VERSIONS:
            self._notes.add(VERSION_UNKNOWN, line, self._version, column)

    def _field(self, name: str, text: str) -> None:
        if name in self._head:
            self._notes.add(FIELD_REPEATED, self._place[0], name, self._place[1])
            return
        self._head[name] = text
        if name.startswith("date"):
            self._date(name, text, self._place)

    def _date(self, name: str, text: str, place: tuple[int, int], entry: int = 0) -> None:
        reading = read_rfc822(text)
        if reading.form is DateForm.INVALID:
            self._notes.add(DATE_INVALID, place[0], f"{name} {text}: {reading.why}", place[1], entry)

    def _open_outline(self, attributes: Sequence[str], line: int, column: int) -> None:
        self._count += 1
        if self._count > OUTLINES_MAX:
            self._open.append(None)
            if self._count == OUTLINES_MAX + 1:
                self._notes.add(TOO_MANY_OUTLINES, line, f"more than {OUTLINES_MAX:,} outlines", column)
            return
        values: dict[str, str] = {}
        others: list[tuple[str, str]] = []
        for name, value in _pairs(attributes):
            known = name if name in _OUTLINE else _CANONICAL.get(name.lower())
            if known is None:
                others.append((name, value))
            elif known == name or known not in values:
                values[known] = value.strip()
            if known not in (None, name):
                self._notes.add(ATTRIBUTE_CASE, line, name, column, self._count)
        kept = tuple(others[: min(ENTRY_PARTS_MAX, self._room)])
        self._room -= len(kept)
        self._open.append(_Open(values, kept, line, column))
        self._look_at(values, line, column)

    def _look_at(self, values: Mapping[str, str], line: int, column: int) -> None:
        at = self._count
        if not values.get("text"):
            self._notes.add(OUTLINE_WITHOUT_TEXT, line, values.get("title", "no text"), column, at)
        if values.get("type", "").lower() == "rss" and not values.get("xmlUrl"):
            self._notes.add(OUTLINE_WITHOUT_URL, line, values.get("text", "no xmlUrl"), column, at)
        for name in _URLS:
            if values.get(name) and not is_absolute(values[name]):
                self._notes.add(OUTLINE_URL_RELATIVE, line, f"{name} {values[name]}", column, at)
        if "created" in values:
            self._date("created", values["created"], (line, column), at)

    def _close_outline(self) -> None:
        ended = self._open.pop()
        if ended is not None:
            outer = self._open[-1] if self._open else None
            (self._top if outer is None else outer.inside).append(ended.close())


def _pairs(attributes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The attributes that have no namespace."""
    pairs = zip(attributes[::2], attributes[1::2], strict=True)
    return ((name, value) for name, value in pairs if " " not in name)


def read_opml(data: Octets, *, url: str | None = None, limits: Bounds = DEFAULT) -> Opml:
    """Read an OPML list from bytes of any kind; what is wrong with them is noted, never raised.

    >>> found = read_opml(b'<opml version="2.0"><body><outline text="A" xmlUrl="https://example.com/f"/></body></opml>')
    >>> [outline.xml_url for outline in found.feeds()]
    ['https://example.com/f']
    """
    reader = OpmlReader(url=url, limits=limits)
    reader.feed(octets(data))
    return reader.close()


def write_opml(opml: Opml) -> bytes:
    """An OPML 2.0 document; an outline needs a text, or a title to take for one."""
    out = XmlWriter()
    out.open("opml", [("version", "2.0")])
    out.open("head")
    for name, key in _HEAD.items():
        value = getattr(opml, key)
        if value is not None:
            out.leaf(name, rfc822_text(value, name) if name.startswith("date") else value)
    out.close()
    out.open("body")
    for outline in opml.outlines:
        _write_outline(out, outline, 1)
    out.close()
    out.close()
    return out.document()


def _write_outline(out: XmlWriter, outline: Outline, depth: int) -> None:
    text = outline.text or outline.title
    if not text:
        raise WriteError(f"an outline needs a text: the one for {outline.xml_url or outline.html_url} has none")
    of = f"of the outline {shown(text)}"
    if depth > OUTLINE_DEPTH_MAX:
        raise WriteError(f"outlines nest {OUTLINE_DEPTH_MAX} deep at most: look {of}")
    if (outline.type or "").lower() == "rss" and not outline.xml_url:
        raise WriteError(f"xmlUrl {of} is missing: the type rss needs it")
    values = {name: getattr(outline, key) for name, key in _OUTLINE.items()} | {"text": text}
    for name in _URLS:
        if values[name]:
            require_url(values[name], f"{name} {of}")
    if values["created"] is not None:
        values["created"] = rfc822_text(values["created"], f"created {of}")
    pairs = [*((name, value) for name, value in values.items() if value is not None), *outline.attributes]
    if not outline.outlines:
        out.leaf("outline", attrs=pairs)
        return
    out.open("outline", pairs)
    for inner in outline.outlines:
        _write_outline(out, inner, depth + 1)
    out.close()
