"""Rows of a sitemap to its markup: every value checked and escaped, each URL once.

Two ways lead to the same bytes. The plain way proves with a few searches over all the URLs at once that there is
nothing to refuse and little to escape, and joins. What it cannot prove is written row by row, where an error names
the row.
"""

import re
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from waypost.errors import WriteError
from waypost.formats.extensions import Extension, Record
from waypost.formats.extensionwrite import record_markup
from waypost.formats.lastmod import Lastmod, date_text
from waypost.formats.urlproof import are_plain, is_plain, require_url
from waypost.formats.xmlwrite import escape_legal, shown

__all__ = ["CHANGEFREQS", "Row", "RowMarkup", "row_fields"]

Row = str | Sequence[object]
"""A URL, or `loc, lastmod, changefreq, priority, line, extensions`, which may end early: a reader's entry is one."""

CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")

_MORE_FIELDS = (2, 3, 5)
"""Where changefreq, priority and extensions stand in a row: with one of them a row is not plain."""
_BARE = (None, None, None)
_NOTHING = frozenset({None, "", ()})
_COMMON_DATE = re.compile(
    r"(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|[+-]0\d:00))?",
    re.ASCII,
)
_PRIORITY = re.compile(r"0(?:\.\d+)?|1(?:\.0+)?", re.ASCII)


class RowFields(NamedTuple):
    """A row with every field in its place."""

    loc: str
    lastmod: Lastmod = None
    changefreq: str | None = None
    priority: str | float | None = None
    line: int = 0
    extensions: Sequence[object] = ()


def row_fields(row: Row, number: int) -> RowFields:
    """The fields of a row; a `WriteError` says which row is none."""
    values = (row,) if isinstance(row, str) else tuple(row) if isinstance(row, Sequence) else ()
    if not 0 < len(values) <= len(RowFields._fields) or not isinstance(values[0], str):
        raise WriteError(f"entry {number} is {type(row).__name__}, not a URL or a row that starts with one")
    return RowFields(*values)  # type: ignore[arg-type]  # each field is checked where it is written


class RowMarkup:
    r"""Writes rows as `<url>` (or `<sitemap>`) elements, one a line; a URL it has written before is left out.

    >>> RowMarkup().lines(["https://example.com/?a&b", ("https://example.com/", "2026-01-20")])[1]
    '<url><loc>https://example.com/</loc><lastmod>2026-01-20</lastmod></url>\n'
    """

    __slots__ = ("_rows", "_seen", "_tag", "extensions")

    def __init__(self, tag: str = "url") -> None:
        self.extensions: set[Extension] = set()
        """The extensions that have been written."""
        self._tag = tag
        self._seen: set[str] = set()
        self._rows = 0

    @property
    def written(self) -> int:
        """How many URLs have been written."""
        return len(self._seen)

    def lines(self, rows: Sequence[Row]) -> list[str]:
        """The markup of some more rows, a line for each URL not seen before."""
        out: list[str] = []
        for number, row in enumerate(rows, self._rows + 1):
            fields = row_fields(row, number)
            if fields.loc not in self._seen:
                out.append(self._element(fields, number))
                self._seen.add(fields.loc)
        self._rows += len(rows)
        return out

    def text(self, rows: Sequence[Row]) -> str:
        """The same lines as one text, by the plain way where nothing stands against it."""
        plain = self._plain(rows)
        if plain is None:
            return "".join(self.lines(rows))
        self._rows += len(rows)
        return plain

    def _element(self, row: RowFields, number: int) -> str:
        if not is_plain(row.loc):
            require_url(row.loc, f"loc of entry {number}")
        is_bare = row[1:4] == _BARE and not row.extensions
        more = "" if is_bare else self._fields(row, f"of entry {number}")
        return f"<{self._tag}><loc>{escape_legal(row.loc)}</loc>{more}</{self._tag}>\n"

    def _fields(self, row: RowFields, of: str) -> str:
        if self._tag != "url" and (row.changefreq or _given(row.priority) or row.extensions):
            raise WriteError(f"a field {of} cannot be written: the children of an index have loc and lastmod only")
        out = [f"<lastmod>{_date(row.lastmod, f'lastmod {of}')}</lastmod>"] if _given(row.lastmod) else []
        if row.changefreq:
            out.append(f"<changefreq>{_changefreq(row.changefreq, of)}</changefreq>")
        if _given(row.priority):
            out.append(f"<priority>{_priority(row.priority, of)}</priority>")
        out += [self._record(record, of) for record in row.extensions or ()]
        return "".join(out)

    def _record(self, record: object, of: str) -> str:
        if not isinstance(record, Record):
            raise WriteError(f"an extension {of} is {type(record).__name__}, not a Record")
        self.extensions.add(record.extension)
        return record_markup(record, of)

    def _plain(self, rows: Sequence[Row]) -> str | None:
        locs, lastmods = _columns(rows)
        new = set(locs)
        ends = self._ends(lastmods)
        if ends is None or len(new) != len(rows) or not self._seen.isdisjoint(new) or not are_plain(locs):
            return None
        self._seen |= new
        body = self._join(locs, lastmods, ends)
        # Neither character is in our own markup, so the joined text can be escaped at once.
        for character, entity in (("&", "&amp;"), ("'", "&apos;")):
            if character in body:
                body = body.replace(character, entity)
        return body

    def _ends(self, lastmods: Sequence[object]) -> dict[object, str] | None:
        """What stands between a URL and the next, for each date among these; None where one is not good."""
        ends: dict[object, str] = {}
        try:
            for value in set(lastmods):
                date_part = f"<lastmod>{_date(value, '')}</lastmod>" if _given(value) else ""
                ends[value] = f"</loc>{date_part}</{self._tag}>\n<{self._tag}><loc>"
        except (WriteError, TypeError):
            return None
        return ends

    def _join(self, locs: Sequence[str], lastmods: Sequence[object], ends: dict[object, str]) -> str:
        head = f"<{self._tag}><loc>"
        if len(ends) == 1:
            (end,) = ends.values()
            return "".join((head, end.join(locs), end.removesuffix(head)))
        pieces = [head] * (2 * len(locs) + 1)
        pieces[1::2] = locs
        pieces[2::2] = map(ends.__getitem__, lastmods)
        pieces[-1] = pieces[-1].removesuffix(head)
        return "".join(pieces)


def _columns(rows: Sequence[Row]) -> tuple[Sequence[str], Sequence[object]]:
    """The URLs and dates of rows that hold nothing else; nothing where there is something else."""
    kinds = set(map(type, rows))
    if kinds == {str}:
        return rows, (None,)  # type: ignore[return-value]  # the line above is the proof
    if not all(issubclass(kind, tuple | list) for kind in kinds):
        return (), ()
    locs, lastmods = _pairs(rows) or _first_two(rows)
    return (locs, lastmods) if set(map(type, locs)) == {str} else ((), ())


def _pairs(rows: Sequence[Row]) -> tuple[list[str], list[object]] | None:
    """The columns of rows that are all pairs, as most are."""
    try:
        return [loc for loc, _ in rows], [lastmod for _, lastmod in rows]  # type: ignore[str-unpack,misc]  # the caller looks
    except ValueError:
        return None


def _first_two(rows: Sequence[Row]) -> tuple[list[str], Sequence[object]]:
    """The same of rows of another length, the same for all, where no later field says anything."""
    length = len(rows[0])
    if not length or set(map(len, rows)) != {length}:
        return [], ()
    if any(_is_given(map(itemgetter(field), rows)) for field in _MORE_FIELDS if field < length):
        return [], ()
    lastmods = list(map(itemgetter(1), rows)) if length > 1 else (None,)
    return list(map(itemgetter(0), rows)), lastmods


def _is_given(column: Iterable[object]) -> bool:
    try:
        return not _NOTHING.issuperset(column)
    except TypeError:  # a list of extensions has no hash, and an empty one is not worth a second way
        return True


def _given(value: object) -> bool:
    return value is not None and value != ""


def _date(value: object, where: str) -> str:
    if isinstance(value, str) and _COMMON_DATE.fullmatch(value):
        return value
    return date_text(value, where)


def _changefreq(value: object, of: str) -> str:
    if value not in CHANGEFREQS:
        raise WriteError(f"changefreq {of} is {shown(str(value))}, not one of {', '.join(CHANGEFREQS)}")
    return str(value)


def _priority(value: object, of: str) -> str:
    text = str(value)
    if not _PRIORITY.fullmatch(text):
        raise WriteError(f"priority {of} is {shown(text)}, not a number from 0.0 to 1.0")
    return text
