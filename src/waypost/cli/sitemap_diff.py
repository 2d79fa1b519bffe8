"""What changed between two sitemaps: URLs added and removed, and dates of change that moved."""

from collections.abc import Iterator
from typing import NamedTuple

from waypost.cli.console import printable
from waypost.dates import read_w3c
from waypost.formats.document import Document

__all__ = ["Changes", "changes", "changes_json", "changes_text"]


class Moved(NamedTuple):
    """A URL whose date of change is another one now."""

    loc: str
    before: str | None
    after: str | None


class Changes(NamedTuple):
    """The difference between two sitemaps."""

    added: list[str]
    removed: list[str]
    moved: list[Moved]
    same: int

    @property
    def any(self) -> bool:
        """Whether there is any difference."""
        return bool(self.added or self.removed or self.moved)


def changes(before: Document, after: Document) -> Changes:
    """Compare two sitemaps URL by URL; of one that is repeated, the first date counts."""
    old, new = _dates(before), _dates(after)
    both = [loc for loc in new if loc in old]
    moved = [Moved(loc, old[loc], new[loc]) for loc in both if not _is_same_date(old[loc], new[loc])]
    added = [loc for loc in new if loc not in old]
    removed = [loc for loc in old if loc not in new]
    return Changes(added, removed, moved, len(both) - len(moved))


def _dates(document: Document) -> dict[str, str | None]:
    pairs = zip(document.locs, document.lastmods, strict=True)
    dates: dict[str, str | None] = {}
    for loc, lastmod in pairs:
        dates.setdefault(loc, lastmod)
    return dates


def _is_same_date(one: str | None, other: str | None) -> bool:
    if one == other:
        return True
    if one is None or other is None:
        return False
    moment = read_w3c(one).timestamp
    return moment is not None and moment == read_w3c(other).timestamp


def changes_text(found: Changes) -> Iterator[str]:
    """The difference for people: - removed, + added, ~ moved, and the sum."""
    yield from (f"- {printable(loc)}" for loc in found.removed)
    yield from (f"+ {printable(loc)}" for loc in found.added)
    yield from (f"~ {printable(loc)}  {_shown(before)} → {_shown(after)}" for loc, before, after in found.moved)
    sums = f"{len(found.added):,} added, {len(found.removed):,} removed, {len(found.moved):,} with another lastmod"
    yield f"{sums}, {found.same:,} the same"


def _shown(lastmod: str | None) -> str:
    return "none" if lastmod is None else printable(lastmod) or "empty"


def changes_json(found: Changes) -> dict[str, object]:
    """The difference for programs."""
    return {
        "added": found.added,
        "removed": found.removed,
        "moved": [each._asdict() for each in found.moved],
        "same": found.same,
    }
