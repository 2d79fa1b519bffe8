"""A list of URLs in CSV, for `sitemap write`: a heading that names the columns, or bare URLs without one."""

import csv
import io
from collections.abc import Iterator
from typing import NoReturn

from waypost.cli.console import fail, read_input, say
from waypost.cli.sitemap_load import shown_name
from waypost.cli.sitemap_rows import FORMULA_STARTS
from waypost.urls import is_absolute

__all__ = ["UrlList"]

_FIELDS = ("loc", "lastmod", "changefreq", "priority")
_OTHER_NAMES = {"url": "loc", "last_modified": "lastmod"}
_PASSED_OVER = frozenset({"line", ""})
"""What `sitemap read --format csv` prints and a sitemap does not say."""
_DELIMITERS = ",;\t"


class UrlList:
    """The rows of a list, and the line each of them came from."""

    def __init__(self, name: str) -> None:
        self._name = shown_name(name)
        self._lines: list[int] = []
        self._text = self._decoded(read_input(name))

    def line(self, number: int) -> int:
        """The line of the row of that number, from 1."""
        return self._lines[number - 1]

    def rows(self) -> Iterator[tuple[str | None, ...]]:
        """A row for each line that is not blank: loc, lastmod, changefreq, priority."""
        first_line = self._text.split("\n", 1)[0]
        delimiter = max(_DELIMITERS, key=first_line.count)
        reader = csv.reader(io.StringIO(self._text, newline=""), delimiter=delimiter, strict=True)
        places: list[int | None] | None = None
        try:
            for cells in reader:
                if not any(map(str.strip, cells)):
                    continue
                if places is None:
                    heading = [cell.strip() for cell in cells]
                    places = self._places(heading)
                    if not is_absolute(heading[0]):
                        continue
                self._lines.append(reader.line_num)
                yield tuple(_cell(cells, place) for place in places)
        except csv.Error as error:
            fail(f"{self._name}, line {reader.line_num}: {error}")

    def _places(self, heading: list[str]) -> list[int | None]:
        """Where each field stands, by a heading or, where the first line is a row already, by order."""
        if is_absolute(heading[0]):
            return [place if place < len(heading) else None for place in range(len(_FIELDS))]
        names = [_OTHER_NAMES.get(name.lower(), name.lower()) for name in heading]
        if "loc" not in names:
            fail(f"{self._name} has no column loc: its first line must name the columns, {', '.join(_FIELDS)}")
        unknown = [name for name in names if name not in _FIELDS and name not in _PASSED_OVER]
        if unknown:
            say(f"waypost: left out, for a sitemap has no such field: {', '.join(unknown)}")
        return [names.index(field) if field in names else None for field in _FIELDS]

    def _decoded(self, data: bytes) -> str:
        if b"\0" in data:
            fail(f"{self._name} is a binary file, not a CSV list")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self._not_text(data.count(b"\n", 0, error.start) + 1)

    def _not_text(self, line: int) -> NoReturn:
        fail(f"{self._name}, line {line}: not UTF-8 text")


def _cell(cells: list[str], place: int | None) -> str | None:
    text = cells[place].strip() if place is not None and place < len(cells) else ""
    # A spreadsheet's guard against formulas, as `sitemap read` puts it there.
    return (text[1:] if text[:1] == "'" and text[1:].startswith(FORMULA_STARTS) else text) or None
