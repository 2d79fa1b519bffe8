"""Counts that people would rather look at than read: when pages changed, and where on the site they lie.

Made from the columns of every URL sitemap that was read; a few kilobytes however large the site is.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from waypost.dates import DateForm, read_w3c

__all__ = ["Branch", "Pictures", "draw"]

_SECTIONS_KEPT = (12, 6, 4)
"""How many sections are told apart at each depth; the rest of a depth is counted as one."""
_MONTHS_KEPT = 600
_DEPTHS_KEPT = 16
REST = "…"
"""The name of the branch that holds what is not told apart."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A section of the site: its path segment, the URLs in and below it, and its largest sub-sections."""

    name: str
    count: int
    branches: tuple["Branch", ...] = ()


@dataclass(frozen=True, slots=True)
class Pictures:
    """The counts behind the pictures of a report; empty where no URL sitemap was read."""

    months: tuple[tuple[str, int], ...] = ()
    """How many pages say they changed in a month, oldest first: ("2026-01", 120)."""
    years: tuple[tuple[str, int], ...] = ()
    """The same for pages that name only a year."""
    undated: int = 0
    """Pages without a `lastmod`, or with one that does not begin with a date."""
    tree: Branch = field(default_factory=lambda: Branch("/", 0))
    depths: tuple[tuple[int, int], ...] = ()
    """How many pages lie at a depth of that many segments; the last row counts what lies deeper, too."""


def draw(sitemaps: Iterable[tuple[Sequence[str], Sequence[str | None]]]) -> Pictures:
    """Count the columns of URL sitemaps: of each the `loc` and the `lastmod` of its entries."""
    dates: Counter[str | None] = Counter()
    sections: Counter[tuple[str, ...]] = Counter()
    depths: Counter[int] = Counter()
    directories: Counter[str] = Counter()
    for locs, lastmods in sitemaps:
        dates.update([value[:7] if value else None for value in lastmods])
        directories.update([loc.rpartition("/")[0] for loc in locs])
    for directory, count in directories.items():
        path = _segments(directory)
        sections[path[: len(_SECTIONS_KEPT)]] += count
        depths[min(len(path), _DEPTHS_KEPT)] += count
    months, years, undated = _dated(dates)
    return Pictures(months, years, undated, _branch("/", sections, 0), tuple(sorted(depths.items())))


def _segments(directory: str) -> tuple[str, ...]:
    # A slash in a query or a fragment is none of the path's: what stands before it ends in the page itself.
    for mark in "?#":
        path, found, _ = directory.partition(mark)
        directory = path.rpartition("/")[0] if found else directory
    return tuple(directory.split("/")[3:])


def _dated(dates: Mapping[str | None, int]) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...], int]:
    # Only the month is looked at, so 50,000 dates are a few dozen readings.
    months: Counter[str] = Counter()
    years: Counter[str] = Counter()
    undated = 0
    for prefix, count in dates.items():
        text = (prefix or "").strip()
        if not text or read_w3c(text).form is DateForm.INVALID:
            undated += count
        elif len(text) == len("2026-01"):
            months[text] += count
        else:
            years[text] += count
    return _latest(months), _latest(years), undated


def _latest(counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items())[-_MONTHS_KEPT:])


def _branch(name: str, sections: Mapping[tuple[str, ...], int], depth: int) -> Branch:
    below: dict[str, dict[tuple[str, ...], int]] = {}
    for path, count in sections.items():
        if len(path) > depth:
            below.setdefault(path[depth], {})[path] = count
    branches = [_branch(segment, part, depth + 1) for segment, part in below.items()]
    branches.sort(key=lambda branch: (-branch.count, branch.name))
    kept = _SECTIONS_KEPT[depth] if depth < len(_SECTIONS_KEPT) else 0
    rest = sum(branch.count for branch in branches[kept:])
    shown = (*branches[:kept], *((Branch(REST, rest),) if rest else ()))
    return Branch(name, sum(sections.values()), shown)
