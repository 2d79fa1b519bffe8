"""Re-opening a report: JSON, a list of JSON lines, or the JSON that an HTML report carries, back to results.

The file may come from anybody, so every member is looked at before it is believed.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, TypeVar

from waypost.check.contract import CheckSpec, Mode, Outcome, StepSpec
from waypost.check.pictures import Branch, Pictures
from waypost.check.result import CheckResult, Crash, Finding, Place, Result, StepResult, TrailHop
from waypost.check.rule import Fix, Severity, Step
from waypost.errors import ConfigError
from waypost.limits import JSON_NUMBER_MAX
from waypost.report.as_json import SCHEMA, plain

__all__ = ["EMBEDDED_ID", "read_documents", "read_report", "result_of"]

EMBEDDED_ID = "waypost-report"
"""The id of the script element of an HTML report that holds its JSON."""

_EMBEDDED = re.compile(rf'<script type="application/json" id="{EMBEDDED_ID}">(.*?)</script>', re.DOTALL)
_FAMILY = SCHEMA.partition(".")[0]

_TREE_DEPTH_MAX = 8
_AT_MAX = 253_402_300_799.0
"""The last second of the year 9999."""
_MONTH = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])")
_YEAR = re.compile(r"[0-9]{4}")

_T = TypeVar("_T")
_E = TypeVar("_E", bound=Enum)


def read_report(data: bytes) -> tuple[tuple[Result, ...], bool]:
    """The results in a report file, and whether they are a list; a file that is no report is a `ConfigError`."""
    documents, is_list = read_documents(data)
    try:
        return tuple(result_of(document) for document in documents), is_list
    except RecursionError:
        raise ConfigError("the file is no waypost report: it is nested too deeply") from None


def read_documents(data: bytes) -> tuple[list[Any], bool]:
    """The JSON of each result in a report file as it stands there, and whether they are a list."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    found = _EMBEDDED.search(text) if text.lstrip().startswith("<") else None
    try:
        values = list(_documents(found[1] if found else text))
    except (ValueError, RecursionError):
        raise ConfigError("the file is no waypost report: neither JSON nor an HTML report that carries it") from None
    is_list = len(values) != 1 or isinstance(values[0], list)
    return (values[0] if len(values) == 1 and isinstance(values[0], list) else values), is_list


def _documents(text: str) -> Iterator[Any]:
    try:
        yield _loads(text)
    except json.JSONDecodeError as error:
        if "Extra data" not in error.msg:
            raise
        yield from (_loads(line) for line in text.splitlines() if line.strip())


def _loads(text: str) -> Any:
    def refused(word: str) -> None:
        raise ValueError(word)

    return json.loads(text, parse_constant=refused)


class _Members:
    """The members of one JSON object, asked for by type; `where` is its path, for the sentence when one is wrong."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise ConfigError(f"the file is no waypost report: {where} is not an object")
        self._value: dict[str, Any] = value
        self.where = where

    def __iter__(self) -> Iterator[str]:
        return iter(self._value)

    def has(self, name: str) -> bool:
        """Whether there is such a member, and it is not null."""
        return self._value.get(name) is not None

    def a(self, kind: type[_T], name: str, default: _T | None = None) -> _T:
        """A member of this kind; one without a default must be there."""
        value = self._value.get(name, default)
        if type(value) is int or (type(value) is float and kind is float):
            value = max(-JSON_NUMBER_MAX, min(value, JSON_NUMBER_MAX))
            value = float(value) if kind is float else value
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ConfigError(f"the file is no waypost report: {self.where}.{name} is not {_KIND_WORDS[kind]}")
        return value

    def share(self, name: str) -> float:
        """A number from 0 to 1, which must be there."""
        value = self.a(float, name)
        if not 0 <= value <= 1:
            raise ConfigError(f"the file is no waypost report: {self.where}.{name} is not from 0 to 1")
        return value

    def counts(self, name: str, keys: re.Pattern[str]) -> tuple[tuple[str, int], ...]:
        """A member that counts things by a name of that form; another name, or a count of none, is left out."""
        members = self.object(name)
        rows = ((key, members.a(int, key)) for key in members if keys.fullmatch(key))
        return tuple(row for row in rows if row[1] > 0)

    def one_of(self, kind: type[_E], name: str, default: _E | None = None) -> _E:
        """A member of a closed set."""
        value = self.a(str, name, default.value if default else None)
        try:
            return kind(value)
        except ValueError:
            raise ConfigError(f"the file is no waypost report: {self.where}.{name} is none we know") from None

    def each(self, name: str, read: Callable[["_Members"], _T]) -> tuple[_T, ...]:
        """A member that is a list of objects, read one by one."""
        values = self.a(list, name, [])
        return tuple(read(_Members(value, f"{self.where}.{name}[{n}]")) for n, value in enumerate(values))

    def texts(self, name: str) -> tuple[str, ...]:
        """A member that is a list of texts."""
        return tuple(str(value) for value in self.a(list, name, []))

    def object(self, name: str) -> "_Members":
        """A member that is an object; empty where it is missing."""
        return _Members(self._value.get(name, {}), f"{self.where}.{name}")


_KIND_WORDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def result_of(value: object) -> Result:
    """The result of which this is the report."""
    members = _Members(value, "the report")
    schema = members.a(str, "schema", SCHEMA)
    if schema.partition(".")[0] != _FAMILY:
        raise ConfigError(f"the report has the shape {schema!a}, and this waypost reads {SCHEMA}")
    return Result(
        suite=members.a(str, "suite"),
        target=members.a(str, "target"),
        given=members.a(str, "given", ""),
        status=members.one_of(Outcome, "status"),
        score=members.share("score"),
        checks=members.each("checks", _check),
        trail=members.each("trail", _hop),
        crashes=members.each("crashes", _crash),
        notices=members.texts("notices"),
        is_reached=members.a(bool, "reached", True),
        requests=members.a(int, "requests", 0),
        elapsed_s=members.a(float, "elapsed_s", 0.0),
        at=max(0.0, min(members.a(float, "at", 0.0), _AT_MAX)),
        pictures=_pictures(members.object("pictures")),
    )


def _check(members: _Members) -> CheckResult:
    score = members.share("score") if members.has("score") else None
    return CheckResult(
        spec=_spec(members, is_scored=score is not None),
        status=members.one_of(Outcome, "status"),
        score=score,
        steps=members.each("steps", _step),
        findings=members.each("findings", _finding),
    )


def _spec(members: _Members, *, is_scored: bool) -> CheckSpec:
    # What a report does not hold (which rule moves which step) belongs to the version of the check, not to its result.
    return CheckSpec(
        id=members.a(str, "id"),
        version=members.a(str, "version"),
        title=members.a(str, "title", ""),
        category=members.a(str, "category", ""),
        subcategory=members.a(str, "subcategory", ""),
        group=members.a(str, "group", ""),
        group_id=members.a(str, "group_id", ""),
        maturity=members.a(str, "maturity", ""),
        scope=members.a(str, "scope", ""),
        weight=members.a(float, "weight", 0.0),
        resources=members.texts("resources"),
        input=members.a(str, "input", ""),
        output=members.a(str, "output", ""),
        mode=Mode.SCORED if is_scored else Mode.BESIDE,
        steps=members.each("steps", _step_spec),
        moves=(),
        page="",
        changelog=(),
    )


def _step_spec(members: _Members) -> StepSpec:
    return StepSpec(
        members.a(str, "id"),
        members.a(str, "title", ""),
        members.share("weight"),
        members.a(str, "passes_when", ""),
        rules=members.texts("rules"),
    )


def _step(members: _Members) -> StepResult:
    return StepResult(
        id=members.a(str, "id"),
        title=members.a(str, "title", ""),
        status=members.one_of(Outcome, "status"),
        weight=members.share("weight"),
        score=members.share("score"),
        evidence=plain(members.a(dict, "evidence", {})),
    )


def _finding(members: _Members) -> Finding:
    places, where = members.each("places", _place), _place(members.object("where"))
    return Finding(
        code=members.a(str, "code"),
        name=members.a(str, "name"),
        title=members.a(str, "title", ""),
        step=members.one_of(Step, "step"),
        severity=members.one_of(Severity, "severity"),
        scored=members.a(bool, "scored"),
        message=members.a(str, "message"),
        where=next((place for place in places if replace(place, text="") == where), where),
        count=members.a(int, "count"),
        places=places,
        fix=members.a(str, "fix", ""),
        fixable=members.one_of(Fix, "fixable", Fix.NONE),
        fingerprint=members.a(str, "fingerprint", ""),
        is_new=members.a(bool, "new", True),
    )


def _place(members: _Members) -> Place:
    line, column, entry = (max(0, members.a(int, name, 0)) for name in ("line", "column", "entry"))
    return Place(members.a(str, "url", ""), line, column, entry, members.a(str, "text", ""))


def _hop(members: _Members) -> TrailHop:
    headers = members.object("headers")
    return TrailHop(
        purpose=members.a(str, "purpose", ""),
        url=members.a(str, "url"),
        status=members.a(int, "status"),
        elapsed_s=members.a(float, "elapsed_s", 0.0),
        address=members.a(str, "address", ""),
        headers={name: headers.a(str, name) for name in headers},
        error=members.a(str, "error", ""),
        bytes=members.a(int, "bytes", 0),
        head=members.a(str, "head", ""),
    )


def _crash(members: _Members) -> Crash:
    return Crash(*(members.a(str, name, "") for name in ("code", "url", "error", "where")))


def _pictures(members: _Members) -> Pictures:
    depths = [row for row in members.a(list, "depths", []) if _is_pair(row)]
    return Pictures(
        months=members.counts("months", _MONTH),
        years=members.counts("years", _YEAR),
        undated=max(0, members.a(int, "undated", 0)),
        depths=tuple((depth, count) for depth, count in depths),
        tree=_branch(members.object("tree")),
    )


def _is_pair(row: object) -> bool:
    return (
        isinstance(row, list)
        and len(row) == 2
        and all(type(part) is int and 0 <= part <= JSON_NUMBER_MAX for part in row)
    )


def _branch(members: _Members) -> Branch:
    if members.where.count(".branches") > _TREE_DEPTH_MAX:
        raise ConfigError("the file is no waypost report: its tree is nested too deeply")
    name, count = members.a(str, "name", "/"), max(0, members.a(int, "count", 0))
    return Branch(name, count, members.each("branches", _branch))
