"""The result as JSON. The one place of its shape; `schema/report-1.0.0.json` says the same for machines.

Adding a member is compatible and keeps the version; renaming or removing one makes the next.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from importlib.resources import files
from itertools import islice
from typing import Any

from waypost import __version__
from waypost.check.contract import StepSpec
from waypost.check.pictures import Branch, Pictures
from waypost.check.result import CheckResult, Crash, Finding, Place, Result, StepResult, TrailHop
from waypost.formats.printable import is_visible
from waypost.report.view import View

__all__ = ["SCHEMA", "chunks", "document", "dumps", "plain", "render", "schema_text"]

SCHEMA = "waypost-report@1.0.0"

_SECONDS_DIGITS = 4
_TOKENS_AT_ONCE = 4_096


def render(results: Sequence[Result], view: View) -> Iterator[str]:
    """One document, indented: the report, or an array of reports where a list was checked."""
    documents = [document(result) for result in results]
    yield from chunks(documents if view.is_list else documents[0], indent=2)
    yield "\n"


def schema_text() -> str:
    """The JSON Schema of what this module writes, as the wheel carries it."""
    name = f"report-{SCHEMA.partition('@')[2]}.json"
    return (files("waypost.report") / "schema" / name).read_text("utf-8")


def dumps(value: object, indent: int | None = None) -> str:
    r"""JSON in which every letter stands for itself and every character that cannot be seen is a `\u` escape."""
    return "".join(chunks(value, indent))


def chunks(value: object, indent: int | None = None, default: Callable[[Any], object] | None = None) -> Iterator[str]:
    """The same piece by piece. `default` makes plain data of what is none, each when its turn comes."""
    encoder = json.JSONEncoder(
        ensure_ascii=False,
        allow_nan=False,
        indent=indent,
        separators=_SEPARATORS[indent is None],
        default=default or _of_place,
    )
    tokens = encoder.iterencode(value)
    while some := "".join(islice(tokens, _TOKENS_AT_ONCE)):
        yield _OTHER.sub(_escaped, some)


_SEPARATORS = {False: (",", ": "), True: (",", ":")}
_OTHER = re.compile(r"[^\n -~]")


def _escaped(match: re.Match[str]) -> str:
    # Outside strings JSON is ASCII, so an escape is legal wherever such a character stands.
    character = match[0]
    return character if is_visible(character) else json.dumps(character)[1:-1].replace("\x7f", "\\u007f")


def document(result: Result) -> dict[str, Any]:
    """The report of one target as data: plain but for the places, which may be very many and are left to `chunks`."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "waypost", "version": __version__},
        "suite": result.suite,
        "target": result.target,
        "given": result.given,
        "status": result.status.value,
        "score": result.score,
        "reached": result.is_reached,
        "at": result.at,
        "requests": result.requests,
        "elapsed_s": round(result.elapsed_s, _SECONDS_DIGITS),
        "notices": list(result.notices),
        "checks": [_check(check) for check in result.checks],
        "trail": [_hop(hop) for hop in result.trail],
        "crashes": [_crash(crash) for crash in result.crashes],
        "pictures": _pictures(result.pictures),
    }


def _check(check: CheckResult) -> dict[str, Any]:
    spec = check.spec
    specs = {step.id: step for step in spec.steps}
    return {
        "id": spec.id,
        "version": spec.version,
        "title": spec.title,
        "category": spec.category,
        "subcategory": spec.subcategory,
        "group": spec.group,
        "group_id": spec.group_id,
        "maturity": spec.maturity,
        "scope": spec.scope,
        "weight": spec.weight,
        "resources": list(spec.resources),
        "input": spec.input,
        "output": spec.output,
        "status": check.status.value,
        "score": check.score,
        "steps": [_step(step, specs.get(step.id)) for step in check.steps],
        "findings": [_finding(finding) for finding in check.findings],
    }


def _step(step: StepResult, spec: StepSpec | None) -> dict[str, Any]:
    return {
        "id": step.id,
        "title": step.title,
        "passes_when": spec.passes_when if spec else "",
        "rules": list(spec.rules) if spec else [],
        "status": step.status.value,
        "weight": step.weight,
        "score": step.score,
        "evidence": plain(step.evidence),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "title": finding.title,
        "severity": finding.severity.value,
        "step": finding.step.value,
        "scored": finding.scored,
        "message": finding.message,
        "where": _where(finding.where),
        "count": finding.count,
        "places": finding.places,
        "fix": finding.fix,
        "fixable": finding.fixable.value,
        "fingerprint": finding.fingerprint,
        "new": finding.is_new,
    }


def _where(place: Place) -> dict[str, Any]:
    return {"url": place.url, "line": place.line, "column": place.column, "entry": place.entry}


def _of_place(place: Place) -> dict[str, Any]:
    return _where(place) | {"text": place.text}


def _hop(hop: TrailHop) -> dict[str, Any]:
    return {
        "purpose": hop.purpose,
        "url": hop.url,
        "status": hop.status,
        "elapsed_s": round(hop.elapsed_s, _SECONDS_DIGITS),
        "address": hop.address,
        "headers": dict(hop.headers),
        "error": hop.error,
        "bytes": hop.bytes,
        "head": hop.head,
    }


def _crash(crash: Crash) -> dict[str, Any]:
    return {"code": crash.code, "url": crash.url, "error": crash.error, "where": crash.where}


def _pictures(pictures: Pictures) -> dict[str, Any]:
    return {
        "months": dict(pictures.months),
        "years": dict(pictures.years),
        "undated": pictures.undated,
        "depths": [list(row) for row in pictures.depths],
        "tree": _branch(pictures.tree),
    }


def _branch(branch: Branch) -> dict[str, Any]:
    return {"name": branch.name, "count": branch.count, "branches": [_branch(part) for part in branch.branches]}


def plain(value: Any) -> Any:
    """Evidence as JSON knows it: mappings, lists, texts, numbers, truth and null."""
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return round(value, _SECONDS_DIGITS) if value - value == 0 else None
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes | bytearray):
        return [plain(part) for part in value]
    return str(value)
