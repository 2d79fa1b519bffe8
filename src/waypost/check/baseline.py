"""An earlier result, as its JSON says it: what trends are measured against. Nothing in the file is believed blindly."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from waypost.formats.robots import Robots, read_robots
from waypost.limits import JSON_NUMBER_MAX

__all__ = ["Baseline", "read_baseline"]


@dataclass(frozen=True)
class Baseline:
    """What is compared with: members that are missing or odd in the file are empty here."""

    score: float | None = None
    fingerprints: frozenset[str] = frozenset()
    best_url: str = ""
    entries: int = 0
    newest: float | None = None
    sitemaps: tuple[str, ...] = ()
    """The candidates that were sitemaps."""
    robots_text: str | None = None
    """None where there was no robots.txt, or one too long to be kept."""
    robots_digest: str = ""
    pages: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The pages that were asked for: lastmod and digest of each."""

    @cached_property
    def robots(self) -> Robots | None:
        """The robots.txt of that time."""
        return read_robots(self.robots_text) if self.robots_text is not None else None


def read_baseline(result: object) -> Baseline:
    """Read an earlier result from its JSON, decoded."""
    best = _members(_evidence(result, "sitemap", "parse").get("best"))
    robots = _evidence(result, "robots", "fetch")
    pages = _evidence(result, "pages", "pages")
    candidates = _rows(_evidence(result, "sitemap", "fetch").get("candidates"))
    text = robots.get("text")
    return Baseline(
        score=_number(_members(result).get("score")),
        fingerprints=frozenset(_fingerprints(result)),
        best_url=_text(best.get("url")),
        entries=int(_number(best.get("entries")) or 0),
        newest=_number(best.get("newest")),
        sitemaps=tuple(_text(row.get("url")) for row in candidates if row.get("kind")),
        robots_text=text if isinstance(text, str) else None,
        robots_digest=_text(robots.get("sha256")),
        pages={
            _text(row.get("url")): {key: _text(row.get(key)) for key in ("lastmod", "digest")}
            for row in _rows(pages.get("pages"))
        },
    )


def _members(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _rows(value: object) -> list[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= JSON_NUMBER_MAX:
        return float(value)
    return None


def _evidence(result: object, check_id: str, step_id: str) -> Mapping[str, Any]:
    for check in _rows(_members(result).get("checks")):
        if check.get("id") == check_id:
            for step in _rows(check.get("steps")):
                if step.get("id") == step_id:
                    return _members(step.get("evidence"))
    return {}


def _fingerprints(result: object) -> Iterator[str]:
    for check in _rows(_members(result).get("checks")):
        for finding in _rows(check.get("findings")):
            yield _text(finding.get("fingerprint"))
