"""The fast path for whole documents: one pattern takes the entries; what it cannot prove goes the exact way.

What is proved, so that no answer can differ from the exact reader's:

1. The prolog and the root's start tag are matched by grammar, and the body ends at the last end tag. The document
   without its body is read by the exact reader, expat and all, and must be complete and without entries. So expat is
   between two children of the root where the body begins, and every fact of the prolog is the exact reader's own.
2. The body is nothing but entries, white space and comments. Tags are literal, without attributes, in the root's own
   prefix, and a value has no `<`. So expat is between two children again where the body ends.
3. Values hold no character XML forbids, no `]]>`, no reference but the five, no white space at their edges, and are
   short enough; comments are checked as strictly. Line ends are normalised first, as XML says.
4. There are not more bytes, entries or names than are read or kept without a note.

Where an entry stands is worked out only when it is asked for.
"""

import dataclasses
import re
from collections.abc import Callable
from typing import NamedTuple, cast

from waypost.formats.bounds import Bounds
from waypost.formats.document import Columns, Document, PlaceArrays
from waypost.formats.entryruns import BLANKS
from waypost.formats.inflate import GZIP_MAGIC, Unpacker
from waypost.formats.notes import Notes
from waypost.formats.xmlencoding import decide_encoding

__all__ = ["read_fast"]

_FIELDS = {"urlset": ("loc", "lastmod", "changefreq", "priority"), "sitemapindex": ("loc", "lastmod")}
_COLUMN = {"loc": "locs", "lastmod": "lastmods", "changefreq": "changefreqs", "priority": "priorities"}
_ENTRY = {"urlset": "url", "sitemapindex": "sitemap"}
_GAP = "[ \\t\\n]*"
_PROLOG = re.compile(r"(?:[ \t\n]++|<!--.*?-->|<\?.*?\?>)*+", re.DOTALL)
_ATTRIBUTE = r"""[ \t\n]+[^ \t\n=<>"'/]+[ \t\n]*=[ \t\n]*(?:"[^"<]*"|'[^'<]*')"""
_ROOT = re.compile(rf"<((?:[A-Za-z_][\w.-]*:)?)(urlset|sitemapindex)(?:{_ATTRIBUTE})*+[ \t\n]*>", re.ASCII)
_SPACED = re.compile(">[ \\t\\n]+<")
_COMMENTS = re.compile(rf"{_GAP}(?:<!--(?:[^-]++|-[^-])*+-->{_GAP})*+")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_FORBIDDEN_ASCII = bytes(set(range(32)) - set(b"\t\n"))
_REFERENCES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))
_MARK = b"\xef\xbb\xbf"
_PROLOG_CHARS_MAX = 16_000
_NAME_CHARS_MIN = 5


class _Frame(NamedTuple):
    """A document around its body, and how its elements are spelled."""

    text: str
    start: int
    end: int
    prefix: str
    root: str


class _Shape(NamedTuple):
    """How an entry is written: its fields in order, whether blanks stand between them, and which may be missing."""

    names: list[str]
    gap: str
    optional: frozenset[str]


class LazyPlaces:
    """Lines and columns of the entries of a body, worked out at the first question."""

    __slots__ = ("_data", "_pattern", "_places")

    def __init__(self, data: bytes, pattern: re.Pattern[str]) -> None:
        self._data = data
        self._pattern = pattern
        self._places: PlaceArrays | None = None

    def __getitem__(self, index: int) -> tuple[int, int]:
        if self._places is None:
            self._places = self._find()
        return self._places[index]

    def _find(self) -> PlaceArrays:
        places = PlaceArrays()
        frame = _find_frame(self._data)
        if frame is None:
            raise AssertionError("the document was taken apart before")
        line, seen, line_start = 1, 0, 0
        for found in self._pattern.finditer(frame.text, frame.start, frame.end):
            at = found.start()
            line += frame.text.count("\n", seen, at)
            # Looked for no further back than the last entry: a sitemap may be one long line.
            line_start = frame.text.rfind("\n", seen, at) + 1 or line_start
            seen = at
            places.lines.append(line)
            places.columns.append(at - line_start)
        return places


def read_fast(data: bytes, limits: Bounds, read_exactly: Callable[[bytes], Document]) -> Document | None:
    """The document, where the fast path can prove it; None where the exact reader must be asked."""
    plain, layers = _unpack(data, limits)
    frame = _find_frame(plain) if plain and len(plain) <= limits.bytes_max else None
    if frame is None or frame.start > min(_PROLOG_CHARS_MAX, _NAME_CHARS_MIN * (limits.names_max - 10)):
        return None
    shape = _find_shape(frame)
    taken = shape and (_take(frame, shape, limits) or _take(frame, _loosen(frame, shape), limits))
    if not taken:
        return None
    columns, pattern = taken
    mark = _MARK if plain.startswith(_MARK) else b""
    around = read_exactly(mark + (frame.text[: frame.start] + frame.text[frame.end :]).encode())
    if not around.complete or around.xml is None or around.entry_count:
        return None
    columns.places = LazyPlaces(plain, pattern)
    return dataclasses.replace(
        around,
        columns=columns,
        bytes=len(plain),
        packed_bytes=len(data),
        gzip_layers=layers,
        entry_count=len(columns.locs),
        xml=dataclasses.replace(around.xml, bytes=len(plain)),
    )


def _unpack(data: bytes, limits: Bounds) -> tuple[bytes, int]:
    """The plain bytes and how many layers were around them; nothing where there is anything to note about that."""
    if not data.startswith(GZIP_MAGIC):
        return data, 0
    notes = Notes()
    unpacker = Unpacker(notes, limits.bytes_max)
    plain = b"".join((*unpacker.feed(data), *unpacker.close()))
    return (b"", 0) if notes.counts else (plain, unpacker.layers)


def _find_frame(plain: bytes) -> _Frame | None:
    if decide_encoding(plain).codec != "utf-8":
        return None
    try:
        text = plain.removeprefix(_MARK).decode()
    except UnicodeDecodeError:
        return None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    prolog = _PROLOG.match(text)
    root = _ROOT.match(text, prolog.end() if prolog else 0)
    end = text.rfind("</")
    return _Frame(text, root.end(), end, root[1], root[2]) if root and end >= root.end() else None


def _find_shape(frame: _Frame) -> _Shape | None:
    """How the first entry is written; None where it is no plain one."""
    text, start, end, prefix, root = frame
    first = text.find(f"<{prefix}{_ENTRY[root]}>", start, end)
    last = text.find(f"</{prefix}{_ENTRY[root]}>", first, end) if first >= 0 else -1
    sample = text[first : max(first, last)]
    names: list[str] = re.findall(rf"<{re.escape(prefix)}(\w+)>", sample)[1:]
    if len(set(names)) < len(names) or "loc" not in names or not set(names) <= set(_FIELDS[root]):
        return None
    is_plain = sample.count("<") == 1 + 2 * len(names)
    return _Shape(names, _GAP if _SPACED.search(sample) else "", frozenset()) if is_plain else None


def _loosen(frame: _Frame, shape: _Shape) -> _Shape | None:
    """The shape with fields that not all entries have, where there are such; None where it was tried already."""
    text, start, end, prefix, root = frame
    entries = text.count(f"<{prefix}{_ENTRY[root]}>", start, end)
    counts = {name: text.count(f"<{prefix}{name}>", start, end) for name in _FIELDS[root]}
    optional = frozenset(name for name in _FIELDS[root][1:] if 0 < counts[name] < entries)
    names = shape.names + [name for name in _FIELDS[root] if name in optional and name not in shape.names]
    spaced = _GAP if _SPACED.search(text, start, end) else ""
    looser = _Shape(names, spaced, optional)
    return looser if looser != shape and counts["loc"] == entries else None


def _take(frame: _Frame, shape: _Shape | None, limits: Bounds) -> tuple[Columns, re.Pattern[str]] | None:
    """The columns of all entries, and their pattern, where the body is nothing but plain entries of this shape."""
    if shape is None:
        return None
    entry = re.escape(frame.prefix) + _ENTRY[frame.root]
    fields = "".join(_field(re.escape(frame.prefix) + name, name in shape.optional, shape.gap) for name in shape.names)
    pattern = re.compile(f"<{entry}>{shape.gap}{fields}</{entry}>")
    parts = pattern.split(frame.text[frame.start : frame.end])
    step = len(shape.names) + 1
    if not _are_gaps(set(parts[::step])) or len(parts) // step > min(limits.urls_max, limits.entries_kept_max):
        return None
    columns = Columns()
    absent: list[str | None] = [None] * (len(parts) // step)
    columns.lastmods = columns.changefreqs = columns.priorities = absent
    for at, name in enumerate(shape.names, 1):
        values = _plain_values(parts[at::step], limits.value_chars_max)
        if values is None:
            return None
        setattr(columns, _COLUMN[name], values)
    return columns, pattern


def _field(tag: str, is_optional: bool, gap: str) -> str:  # noqa: FBT001
    field = f"<{tag}>([^<]*)</{tag}>{gap}"
    return f"(?:{field})?" if is_optional else field


def _are_gaps(gaps: set[str]) -> bool:
    """Whether there is nothing but white space and good comments between entries."""
    return all(not gap.strip(BLANKS) or (_COMMENTS.fullmatch(gap) and not _FORBIDDEN.search(gap)) for gap in gaps)


def _plain_values(column: list[str | None], value_chars_max: int) -> list[str | None] | None:
    """The column with its references resolved; None where the exact reader might have anything to say about a value."""
    values = [value for value in column if value] if None in column else cast("list[str]", column)
    together = "".join(values)
    if "]]>" in together or _holds_forbidden(together) or max(map(len, values), default=0) > value_chars_max:
        return None
    if any(blank in together for blank in BLANKS) and any(value != value.strip(BLANKS) for value in values):
        return None
    if "&" not in together:
        return column
    referring = "\n".join(value for value in values if "&" in value)
    if referring.count("&") != sum(referring.count(reference) for reference, _ in _REFERENCES):
        return None
    return [_resolve(value) if value and "&" in value else value for value in column]


def _holds_forbidden(text: str) -> bool:
    if text.isascii():
        return len(text.encode().translate(None, _FORBIDDEN_ASCII)) != len(text)
    return _FORBIDDEN.search(text) is not None


def _resolve(value: str) -> str:
    for reference, character in _REFERENCES:
        value = value.replace(reference, character)
    return value
