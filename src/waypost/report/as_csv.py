"""Findings as comma-separated values (RFC 4180), a row each, safe to open in a spreadsheet."""

import csv
import io
from collections.abc import Iterator, Sequence

from waypost.check.result import CheckResult, Finding, Result
from waypost.formats.printable import printable
from waypost.report.view import View

__all__ = ["COLUMNS", "render"]

COLUMNS = (
    "target",
    "status",
    "score",
    "check",
    "code",
    "name",
    "severity",
    "scored",
    "message",
    "url",
    "line",
    "column",
    "entry",
    "count",
    "fix",
    "fingerprint",
    "new",
)
_FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def render(results: Sequence[Result], view: View) -> Iterator[str]:  # noqa: ARG001 - every renderer is called alike
    """A header, then a row for each finding; a site without findings has none."""
    sink = io.StringIO(newline="")
    rows = csv.writer(sink, quoting=csv.QUOTE_ALL)
    rows.writerow(COLUMNS)
    for result in results:
        for check, finding in result.findings():
            rows.writerow([_cell(value) for value in _row(result, check, finding)])
    yield sink.getvalue()


def _row(result: Result, check: CheckResult, finding: Finding) -> list[object]:
    place = finding.where
    return [
        result.target,
        result.status.value,
        result.score,
        check.spec.key,
        finding.code,
        finding.name,
        finding.severity.value,
        "yes" if finding.scored else "no",
        finding.message,
        place.url,
        place.line or "",
        place.column or "",
        place.entry or "",
        finding.count,
        finding.fix,
        finding.fingerprint,
        "yes" if finding.is_new else "no",
    ]


def _cell(value: object) -> object:
    # A spreadsheet computes a cell that starts with one of these; an apostrophe makes it text again.
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.lstrip().startswith(_FORMULA_STARTS) else text
