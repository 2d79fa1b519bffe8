"""What robots.txt files say beyond Allow and Disallow: delays, rates, signals, Yandex's parameters."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from waypost.formats.matching import is_match
from waypost.formats.robots_lines import Line, LineKind
from waypost.formats.robots_pattern import Profile, canonical_pattern

__all__ = [
    "SIGNALS", "CleanParam", "RequestRate", "clean_params", "content_signals", "content_usage", "crawl_delay",
    "read_signals", "read_usage", "request_rate",
]  # fmt: skip

SIGNALS = frozenset({"search", "ai-input", "ai-train"})
"""What a Content-Signal may be about."""

_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9}", re.ASCII)
_RATE = re.compile(r"([0-9]{1,9})/([0-9]{1,9})([smh]?)(?:[ \t]+([0-9]{4})-([0-9]{4}))?", re.ASCII)
_UNIT_S = {"": 1, "s": 1, "m": 60, "h": 3600}
_PAIR = re.compile(r"([A-Za-z*][A-Za-z0-9_.*-]*)[ \t]*=[ \t]*([^,;]*)", re.ASCII)


class RequestRate(NamedTuple):
    """So many requests in so many seconds, perhaps only between two times of day (UTC, `hhmm`)."""

    requests: int
    seconds: int
    between: tuple[str, str] | None = None


class CleanParam(NamedTuple):
    """Yandex: query parameters that do not change the page, for paths that begin so."""

    names: tuple[str, ...]
    path: str
    line: int


def crawl_delay(lines: Iterable[Line]) -> float | None:
    """The longest valid Crawl-delay in seconds."""
    values = (line.value for line in lines if line.kind is LineKind.CRAWL_DELAY)
    return max((float(value) for value in values if _NUMBER.fullmatch(value)), default=None)


def request_rate(lines: Iterable[Line]) -> RequestRate | None:
    """The first valid Request-rate."""
    for line in lines:
        found = _RATE.fullmatch(line.value) if line.kind is LineKind.REQUEST_RATE else None
        if found and int(found[2]):
            between = (found[4], found[5]) if found[4] else None
            return RequestRate(int(found[1]), int(found[2]) * _UNIT_S[found[3]], between)
    return None


def _pairs(text: str) -> list[tuple[str, str]]:
    found = (_PAIR.match(part.strip()) for part in text.split(","))
    return [(pair[1].lower(), pair[2].strip().lower()) for pair in found if pair]


def _merge(pairs: Iterable[tuple[str, str]], no: str) -> dict[str, str]:
    """Later pairs replace earlier ones, but a "no" stays: a wish that is said twice counts as the stricter one."""
    merged: dict[str, str] = {}
    for key, value in pairs:
        if merged.get(key) != no:
            merged[key] = value
    return merged


def read_signals(value: str) -> dict[str, str]:
    """The `yes` and `no` of one Content-Signal value, keys in lower case; anything else in it is left out."""
    return _merge([pair for pair in _pairs(value) if pair[1] in {"yes", "no"}], "no")


def content_signals(lines: Iterable[Line]) -> dict[str, str]:
    """The Content-Signal wishes of all lines together."""
    values = [line.value for line in lines if line.kind is LineKind.CONTENT_SIGNAL]
    return _merge((pair for value in values for pair in read_signals(value).items()), "no")


def read_usage(value: str) -> tuple[str, dict[str, str]]:
    """Pattern and preferences of one Content-Usage value (draft-ietf-aipref-attach); without a path it is about `/`."""
    pattern, preferences = "/", value
    if value.startswith(("/", "*")):
        pattern, _, preferences = value.replace("\t", " ").partition(" ")
    return pattern, _merge([pair for pair in _pairs(preferences) if pair[1] in {"y", "n"}], "n")


def content_usage(lines: Iterable[Line], path: str, profile: Profile) -> dict[str, str]:
    """The preferences of the Content-Usage line with the longest pattern that matches; equal patterns add up."""
    longest, merged = 0, dict[str, str]()
    for line in lines:
        if line.kind is not LineKind.CONTENT_USAGE:
            continue
        written, preferences = read_usage(line.value)
        pattern = canonical_pattern(written.encode("utf-8").decode("latin-1"), profile)
        if len(pattern) < longest or not is_match(pattern, path):
            continue
        earlier = merged if len(pattern) == longest else {}
        longest, merged = len(pattern), _merge([*earlier.items(), *preferences.items()], "n")
    return merged


def clean_params(lines: Iterable[Line]) -> tuple[CleanParam, ...]:
    """The Clean-param lines that can be understood."""
    found = []
    for line in lines:
        words = line.value.split() if line.kind is LineKind.CLEAN_PARAM else []
        if 1 <= len(words) <= 2:  # parameters, and perhaps a path
            names = tuple(name for name in words[0].split("&") if name)
            found.append(CleanParam(names, words[1] if len(words) == 2 else "/", line.number))
    return tuple(found)
