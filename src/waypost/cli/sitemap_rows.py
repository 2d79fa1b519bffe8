"""The entries of a sitemap as lines: a table for people, CSV for spreadsheets, JSON lines for programs."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum

from waypost.cli.console import printable
from waypost.cli.emit import is_terminal
from waypost.formats.document import Document, Entry
from waypost.formats.extensions import Extension, Record

__all__ = ["CSV_COLUMNS", "FORMULA_STARTS", "RowFormat", "rows"]

CSV_COLUMNS = ("loc", "lastmod", "changefreq", "priority", "line")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet computes when a cell starts with it."""
_NAMES = {Extension.IMAGE: "image", Extension.VIDEO: "video", Extension.NEWS: "news", Extension.ALTERNATE: "alternate"}


class RowFormat(StrEnum):
    """How `sitemap read` prints."""

    TABLE = "table"
    CSV = "csv"
    JSONL = "jsonl"


def rows(document: Document, form: RowFormat) -> Iterator[str]:
    """The lines of every entry, with a heading where the format has one."""
    writers: dict[RowFormat, Callable[[Document], Iterator[str]]] = {
        RowFormat.TABLE: _table,
        RowFormat.CSV: _csv,
        RowFormat.JSONL: _jsonl,
    }
    return writers[form](document)


def _table(document: Document) -> Iterator[str]:
    """Aligned columns; the URL is the last one, so that a long one is never cut."""
    cells: list[tuple[str, Iterable[str]]] = [("LINE", (f"{entry.line:,}" for entry in document.entries))]
    fields = (("LASTMOD", document.lastmods), ("CHANGEFREQ", document.changefreqs), ("PRIORITY", document.priorities))
    cells += [(name, ("" if v is None else printable(v) for v in column)) for name, column in fields if any(column)]
    if document.records:
        cells.append(("WITH", (_counted(document.records.get(at, ())) for at in range(len(document.locs)))))
    columns = [[name, *values] for name, values in cells]
    widths = [max(map(len, column)) for column in columns]
    urls = ["LOC", *map(printable, document.locs)]
    for *values, url in zip(*columns, urls, strict=True):
        padded = [value.ljust(width) for value, width in zip(values, widths, strict=True)]
        yield "  ".join([values[0].rjust(widths[0]), *padded[1:], url]).rstrip()


def _counted(records: Iterable[Record]) -> str:
    counts = Counter(_NAMES[record.extension] for record in records)
    return " ".join(name if count == 1 else f"{name}×{count}" for name, count in counts.items())


def _csv(document: Document) -> Iterator[str]:
    shown = printable if is_terminal() else str
    sink = io.StringIO(newline="")
    writer = csv.writer(sink, lineterminator="\n")
    for row in (CSV_COLUMNS, *(entry[:5] for entry in document.entries)):
        writer.writerow([_cell(shown(str(value))) if value is not None else "" for value in row])
        yield sink.getvalue()[:-1]
        sink.seek(0)
        sink.truncate()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _jsonl(document: Document) -> Iterator[str]:
    return (json.dumps(_entry(entry)) for entry in document.entries)


def _entry(entry: Entry) -> dict[str, object]:
    members: dict[str, object] = dict(zip(CSV_COLUMNS, entry[:5], strict=True))
    for record in entry.extensions:
        listed = members.setdefault(_NAMES[record.extension], [])
        assert isinstance(listed, list)
        listed.append(_record(record))
    return members


def _record(record: Record) -> dict[str, object]:
    values: dict[str, object] = dict(zip(record.attributes[::2], record.attributes[1::2], strict=False))
    for part in record.parts:
        before = values.get(part.name)
        if before is None:
            values[part.name] = part.value
        else:
            values[part.name] = [*(before if isinstance(before, list) else [before]), part.value]
    return values
