"""Reads a text sitemap: one URL a line. White space around it, blank lines and any line break are fine.

A file is a text sitemap when at least half of its lines that are not blank are absolute http(s) URLs and it is no
table; the other lines are noted.
"""

import re

from waypost.formats import sitemapnotes as kinds
from waypost.formats.bounds import Bounds
from waypost.formats.document import Columns, Kind, PlaceArrays, Reading
from waypost.formats.entryruns import BLANKS
from waypost.formats.notes import Notes
from waypost.formats.signature import Format, is_table
from waypost.formats.xmlencoding import Transcoder, decide_encoding
from waypost.formats.xmlnotes import BYTE_ORDER_MARK, INVALID_BYTES, NOT_UTF_8, VALUE_TOO_LONG
from waypost.urls import is_absolute

__all__ = ["TextReader"]

_LINE_BREAK = re.compile(rb"\r\n|\r|\n")
_TABLE_LINES = 50


class TextReader:
    """Reads lines, fed in any chunks; the first chunk must hold the first characters."""

    def __init__(self, notes: Notes, bounds: Bounds, seen_as: Format) -> None:
        self._notes = notes
        self._bounds = bounds
        self._seen_as = seen_as
        self._places = PlaceArrays()
        self._columns = Columns(places=self._places)
        self._odd: list[tuple[int, str]] = []
        self._first_lines: list[str] = []
        self._urls = self._others = self._line = 0
        self._encoding = ""
        self._transcoder: Transcoder | None = None
        self._parts: list[bytes] = []
        self._broken = False

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        if self._broken:
            return
        if not self._encoding:
            data = self._open(data)
        self._take(data, final=False)

    def close(self, *, whole: bool) -> Reading:
        """The end of the bytes; where they are not the whole, the last line is cut and no URL."""
        if not self._broken:
            self._take(b"", final=whole)
        whole = whole and not self._broken
        rest = b"".join(self._parts)
        self._read(rest if whole else rest[: rest.rfind(b"\r") + 1])
        is_table_like = bool(self._first_lines) and is_table(self._first_lines)
        if self._urls < max(1, self._others) or is_table_like:
            seen = Format.CSV if is_table_like else self._seen_as
            self._notes.add(kinds.NOT_A_SITEMAP, 0, seen.value + self._share(seen))
            return Reading(Kind.NONE, seen, Columns(), complete=False, encoding=self._encoding, entry_count=0)
        for line, text in self._odd:
            self._notes.add(kinds.LINE_NO_URL, line, text, 1)
        if self._others:
            self._notes.counts[kinds.LINE_NO_URL] = self._others
        return Reading(Kind.TEXT, Format.TEXT, self._columns, whole, self._encoding, self._urls)

    def _share(self, seen: Format) -> str:
        """How much of a list of URLs is none."""
        total = self._urls + self._others
        return (
            f", and {self._others:,} of its {total:,} lines are no URLs"
            if self._urls and seen is not Format.CSV
            else ""
        )

    def _open(self, data: bytes) -> bytes:
        found = decide_encoding(data)
        self._encoding = found.name
        if found.mark_bytes:
            self._notes.add(BYTE_ORDER_MARK, 1, found.name, 1)
        if found.codec and found.codec != "utf-8":
            self._notes.add(NOT_UTF_8, 1, found.name, 1)
            self._transcoder = Transcoder(found.codec)
        return data[found.mark_bytes :]

    def _take(self, data: bytes, *, final: bool) -> None:
        """Read the lines that end here, and hold the rest; behind bytes that cannot be decoded nothing is read."""
        fault = ""
        if self._transcoder:
            data, fault = self._transcoder.take(data, final=final)
        end = data.rfind(b"\n") + 1
        if end:
            self._read(b"".join((*self._parts, data[:end])))
            self._parts = []
        self._parts.append(data[end:])
        if fault:
            self._broken = True
            line = self._line + sum(part.count(b"\r") for part in self._parts) + 1
            self._notes.add(INVALID_BYTES, line, fault)

    def _read(self, data: bytes) -> None:
        """Read whole lines; only the very last may lack its break."""
        start = 0
        for found in _LINE_BREAK.finditer(data):
            self._read_line(data[start : found.start()])
            start = found.end()
        if start < len(data):
            self._read_line(data[start:])

    def _read_line(self, raw: bytes) -> None:
        self._line += 1
        if not raw or raw.isspace():
            return
        text = self._decode(raw)
        url = text.strip(BLANKS)
        if len(self._first_lines) < _TABLE_LINES:
            self._first_lines.append(url)
        if is_absolute(url):
            self._add(url, 1 + text.index(url[0]))
            return
        self._others += 1
        if len(self._odd) < self._notes.kept_per_kind:
            self._odd.append((self._line, url))

    def _decode(self, raw: bytes) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            self._notes.add(NOT_UTF_8, self._line, "bytes that are no UTF-8, read as ISO-8859-1", error.start + 1)
            self._encoding = "iso-8859-1"
            return raw.decode("latin-1")

    def _add(self, url: str, column: int) -> None:
        self._urls += 1
        if self._urls == self._bounds.urls_max + 1:
            limit = f"more than {self._bounds.urls_max:,} URLs"
            self._notes.add(kinds.OVER_ENTRIES, self._line, limit, column, self._urls)
        if self._urls > self._bounds.entries_kept_max:
            return
        if len(url) > self._bounds.value_chars_max:
            self._notes.add(VALUE_TOO_LONG, self._line, "loc", column, self._urls)
            url = url[: self._bounds.value_chars_max]
        columns = self._columns
        columns.locs.append(url)
        columns.lastmods.append(None)
        columns.changefreqs.append(None)
        columns.priorities.append(None)
        self._places.lines.append(self._line)
        self._places.columns.append(column - 1)
