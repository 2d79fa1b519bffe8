"""The report as SARIF 2.1.0 (OASIS standard), a run a target, for code scanning.

A finding is a result with its first place as location and the next ones related to it; its fingerprint stays the same
between runs, so that a consumer can tell new from known.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from waypost import __version__
from waypost.check.result import CheckResult, Finding, Place, Result
from waypost.check.rule import Severity
from waypost.dates import write_w3c
from waypost.formats.printable import printable
from waypost.report import words
from waypost.report.as_json import chunks
from waypost.report.view import View
from waypost.urls import BAD_ESCAPE

__all__ = ["FINGERPRINT_NAME", "render"]

FINGERPRINT_NAME = "waypost/v1"

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_HOME = "https://github.com/waypost/waypost"
_LEVELS = {Severity.ERROR: "error", Severity.WARN: "warning", Severity.INFO: "note"}
_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")
_URI_MARKS = "%/:?@!$&'()*+,;=~-._"


@dataclass(frozen=True, slots=True)
class _Related:
    """One more place of a finding, spelled out when it is written."""

    number: int
    place: Place


def render(results: Sequence[Result], view: View) -> Iterator[str]:  # noqa: ARG001 - every renderer is called alike
    """One log with a run for each target."""
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(result) for result in results]}
    yield from chunks(log, indent=2, default=_of_related)
    yield "\n"


def _run(result: Result) -> dict[str, Any]:
    pairs = [(check, finding) for check, finding in result.findings()]
    numbers: dict[str, int] = {}
    for _, finding in pairs:
        numbers.setdefault(finding.code, len(numbers))
    firsts = {finding.code: finding for _, finding in reversed(pairs)}
    has_baseline = any(not finding.is_new for _, finding in pairs)
    return {
        "tool": {"driver": _driver([_rule(firsts[code]) for code in numbers])},
        "automationDetails": {"id": f"waypost/{printable(result.target)}/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(result)],
        "results": [
            _result(check, finding, numbers[finding.code], has_baseline=has_baseline) for check, finding in pairs
        ],
        "properties": {
            "suite": result.suite,
            "target": result.target,
            "status": result.status.value,
            "score": result.score,
        },
    }


def _driver(rules: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": "waypost",
        "version": __version__,
        "semanticVersion": __version__,
        "informationUri": _HOME,
        "rules": rules,
    }


def _invocation(result: Result) -> dict[str, Any]:
    notifications = [
        {
            "level": "error",
            "message": {"text": _text(f"{crash.error} ({crash.where}) on {crash.url}")},
            "associatedRule": {"id": crash.code},
        }
        for crash in result.crashes
    ]
    invocation: dict[str, Any] = {"executionSuccessful": not notifications}
    if result.at:
        invocation["startTimeUtc"] = write_w3c(result.at)
    if notifications:
        invocation["toolExecutionNotifications"] = notifications
    return invocation


def _rule(finding: Finding) -> dict[str, Any]:
    rule = {
        "id": finding.code,
        "name": "".join(part.capitalize() for part in finding.name.split("-")),
        "shortDescription": {"text": _text(finding.title or finding.name)},
        "defaultConfiguration": {"level": _LEVELS[finding.severity]},
        "properties": {"tags": ["waypost", finding.step.value]},
    }
    if finding.fix:
        rule["help"] = {"text": _text(f"{finding.fix} More: waypost rule {finding.code}")}
    return rule


def _result(check: CheckResult, finding: Finding, number: int, *, has_baseline: bool) -> dict[str, Any]:
    related = [_Related(number, place) for number, place in enumerate(finding.places[1:], start=1)]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": number,
        "level": _LEVELS[finding.severity],
        "message": {"text": _text(f"{finding.message}. {finding.fix}" if finding.fix else finding.message)},
        "locations": [_location(finding.where)],
        "partialFingerprints": {FINGERPRINT_NAME: finding.fingerprint},
        "occurrenceCount": max(1, finding.count),
        "properties": {"check": check.spec.key, "scored": finding.scored, "entry": finding.where.entry},
    }
    if related:
        result["relatedLocations"] = related
    if has_baseline:
        result["baselineState"] = "new" if finding.is_new else "unchanged"
    return result


def _of_related(related: _Related) -> dict[str, Any]:
    return {"id": related.number, **_location(related.place)}


def _location(place: Place) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(place.url)}}
    if place.line:
        column: Mapping[str, int] = {"startColumn": place.column} if place.column else {}
        physical["region"] = {"startLine": place.line, **column}
    location: dict[str, Any] = {"physicalLocation": physical}
    if place.text:
        location["message"] = {"text": _text(place.text)}
    return location


def _text(text: str) -> str:
    # In a message braces are placeholders (3.11.5) and "[…](…)" is a link (3.11.6); ours are neither. Never empty.
    escaped = words.shown(text).replace("{", "{{").replace("}", "}}") or "-"
    return escaped.replace("[", "\\[").replace("]", "\\]") if "](" in escaped else escaped


def _uri(text: str) -> str:
    # A URI reference (RFC 3986) whatever the server wrote: the authority keeps its brackets, one fragment stays one.
    authority = _AUTHORITY.match(text)
    head = authority[0] if authority else ""
    path, mark, fragment = text[len(head) :].partition("#")
    parts = [_quoted(head, "[]"), _quoted(path), mark, _quoted(fragment)]
    return "".join(parts) or "about:blank"


def _quoted(text: str, marks: str = "") -> str:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return BAD_ESCAPE.sub("%25", quote(text, safe=_URI_MARKS + marks))
