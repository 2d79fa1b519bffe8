"""Who keeps what several claim: one holder a claim, the same one whatever order the claimants came in."""

from bisect import insort
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from waypost.site.objects import Entry

__all__ = ["Contest"]

K = TypeVar("K")


class Contest(Generic[K]):
    """Claims and their holders; the claimant of the lowest rank holds, the others wait."""

    __slots__ = ("_rank", "holders", "rivals")

    def __init__(self, rank: Callable[[Entry], Any]) -> None:
        self._rank = rank
        self.holders: dict[K, Entry] = {}
        self.rivals: dict[K, list[Entry]] = {}
        """All claimants, the holder first, of claims that have more than one."""

    def everyone(self, claim: K) -> list[Entry]:
        """All claimants, the holder first."""
        return self.rivals.get(claim) or ([self.holders[claim]] if claim in self.holders else [])

    def enter(self, claim: K, entry: Entry) -> Entry | None:
        """Claim; the entry that does not hold it now and did, or never will while the holder is there."""
        holder = self.holders.setdefault(claim, entry)
        if holder is entry:
            return None
        rivals = self.rivals.setdefault(claim, [holder])
        insort(rivals, entry, key=self._rank)
        self.holders[claim] = rivals[0]
        return holder if rivals[0] is entry else entry

    def leave(self, claim: K, entry: Entry) -> Entry | None:
        """Give a claim up; the entry that holds it now and did not before."""
        rivals = self.rivals.get(claim)
        if rivals is None:
            if self.holders.get(claim) is entry:
                del self.holders[claim]
            return None
        if entry in rivals:
            rivals.remove(entry)
        if len(rivals) == 1:
            del self.rivals[claim]
        was_holder = self.holders[claim] is entry
        self.holders[claim] = rivals[0]
        return rivals[0] if was_holder else None
