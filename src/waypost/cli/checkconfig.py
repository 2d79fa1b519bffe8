"""What `waypost check` reads beside its options: severities, ignores, a baseline, numbers with units."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from waypost.check.baseline import Baseline
from waypost.check.baseline import read_baseline as baseline_of
from waypost.check.policing import Ignore, Policing
from waypost.check.rule import Severity
from waypost.cli.console import printable, read_input
from waypost.errors import ConfigError
from waypost.report.reading import read_documents

__all__ = ["Baselines", "read_baselines", "read_policing", "read_probe", "read_seconds"]

_FILES = ("waypost.toml", "pyproject.toml")
_SECONDS = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)(ms|s|m)?", re.ASCII)
_COUNT = re.compile(r"\d{1,6}", re.ASCII)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}
_DAY_S = 86_400
_PROBE_MAX = 50_000


def read_seconds(option: str, text: str) -> float:
    """A length of time such as 30s, 500ms or 2m; a bare number is seconds."""
    found = _SECONDS.fullmatch(text.strip())
    if not found:
        raise ConfigError(f"{option} {printable(text)}: write a time such as 30s or 500ms")
    return float(found[1]) * _UNITS[found[2] or "s"]


def read_probe(text: str) -> int | None:
    """How many pages `--probe` asks for; None for all of them."""
    if text == "all":
        return None
    if not (_COUNT.fullmatch(text) and int(text) <= _PROBE_MAX):
        raise ConfigError(f"--probe {printable(text)}: write a number up to {_PROBE_MAX:,}, or all")
    return int(text)


@dataclass(frozen=True, slots=True)
class Baselines:
    """Earlier results, one a target."""

    documents: tuple[Mapping[str, Any], ...] = ()

    def of(self, target: str, *, is_alone: bool) -> Baseline | None:
        """The earlier result of a target; one result is that of the one target, whatever it was called then."""
        if is_alone and len(self.documents) == 1:
            return baseline_of(self.documents[0])
        named = (row for row in self.documents if target in [row.get("given"), row.get("target")])
        return next((baseline_of(row) for row in named), None)


def read_baselines(name: str) -> Baselines:
    """An earlier report: JSON, JSON lines, or an HTML report that carries them."""
    if not name:
        return Baselines()
    try:
        found, _ = read_documents(read_input(name))
    except ConfigError:
        found = []
    if not found or not all(isinstance(row, dict) and isinstance(row.get("checks"), list) for row in found):
        raise ConfigError(f"--baseline {printable(name)}: it is no JSON or HTML report of waypost")
    return Baselines(tuple(found))


def read_policing(name: str, folder: str = "") -> Policing:
    """Severities and ignores: of the named file, else of the folder that is examined, else of the first found here."""
    if name:
        return _policing(_table(Path(name), is_named=True), name)
    own = [str(Path(folder) / _FILES[0])] if folder else []
    for known in (*own, *_FILES):
        if Path(known).is_file() and (table := _table(Path(known), is_named=False)):
            return _policing(table, known)
    return Policing()


def _table(path: Path, *, is_named: bool) -> Mapping[str, Any]:
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, RecursionError) as error:
        # A broken pyproject.toml that nobody pointed at is not this command's business.
        if not is_named and path.name == "pyproject.toml":
            return {}
        raise ConfigError(f"{path} is no TOML: {error}") from None
    if path.name == "pyproject.toml":
        tool = found.get("tool")
        found = tool.get("waypost", {}) if isinstance(tool, dict) else {}
        if not isinstance(found, dict):
            raise ConfigError(f"{path}: tool.waypost is a table")
    return {key: found[key] for key in ("severity", "ignore") if key in found}


def _policing(table: Mapping[str, Any], source: str) -> Policing:
    severities: dict[str, Severity] = {}
    ignores: list[Ignore] = []
    for code, word in _items(table.get("severity", {}), source, "severity"):
        if word == "off":
            ignores.append(Ignore(code))
        elif word in [severity.value for severity in Severity]:
            severities[code] = Severity(word)
        else:
            raise ConfigError(f"{source}: severity of {code} is one of error, warn, info, off")
    for code, value in _ignored(table.get("ignore", {}), source):
        ignores.append(_ignore(code, value, source))
    return Policing(severities, tuple(ignores))


def _ignored(value: Any, source: str) -> list[tuple[str, Any]]:
    if isinstance(value, list):
        value = {row if isinstance(row, str) else _code_of(row, source): row for row in value}
    return _items(value, source, "ignore")


def _code_of(row: Any, source: str) -> str:
    code = row.get("rule") or row.get("code") if isinstance(row, dict) else None
    if not isinstance(code, str):
        raise ConfigError(f'{source}: an entry of ignore needs rule = "CODE"')
    return code


def _items(value: Any, source: str, name: str) -> list[tuple[str, Any]]:
    from waypost.cli.catalogue import EVERY_RULE  # noqa: PLC0415 - loaded only where a project has opinions

    known = {rule.code: rule.code for rule in EVERY_RULE} | {rule.name: rule.code for rule in EVERY_RULE}
    if not isinstance(value, dict):
        raise ConfigError(f"{source}: {name} is a table of rule codes")
    for code in value:
        if code not in known:
            raise ConfigError(f"{source}: {name} names {printable(code)}, and there is no such rule")
    return [(known[code], row) for code, row in value.items()]


def _ignore(code: str, value: Any, source: str) -> Ignore:
    """An ignore: true for ever, a date (a day in ISO form) until its end, or a table with `until` and `reason`."""
    reason = ""
    if isinstance(value, dict):
        reason, value = str(value.get("reason", "")), value.get("until", True)
    if value is True or value == code:
        return Ignore(code, None, reason)
    try:
        day = date.fromisoformat(value) if isinstance(value, str) else value
        until = datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() + _DAY_S
    except (AttributeError, TypeError, ValueError):
        raise ConfigError(f"{source}: ignore of {code} is true, or a day such as 2026-12-31") from None
    return Ignore(code, until, reason)
