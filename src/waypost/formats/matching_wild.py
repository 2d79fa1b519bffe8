"""Patterns with a star in the middle: tried one after another, or found through an index when there are many."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

__all__ = ["Wild", "try_each", "try_indexed"]

_GRAM = 4
"""Characters of the index's keys."""


class Wild(NamedTuple):
    """A pattern with a star in the middle: score, length of the literal head, parts, the end it must have."""

    score: int
    start: int
    parts: tuple[str, ...]
    tail: str | None


def try_each(row: Iterable[Wild], path: str, best: int) -> int:
    """The best score of these patterns and `best`; the patterns come best first and their heads are known to match.

    Each part is taken where it first stands after the part before, which is never worse than a later place.
    """
    find = path.find
    for score, place, parts, tail in row:
        if score <= best:
            break
        for part in parts:
            found = find(part, place)
            if found < 0:
                break
            place = found + len(part)
        else:
            if tail is None or (path.endswith(tail) and len(path) - len(tail) >= place):
                return score
    return best


def _grams(text: str) -> set[str]:
    return {text[at : at + _GRAM] for at in range(len(text) - _GRAM + 1)}


def _longest(rule: Wild) -> str:
    return max(*rule.parts, rule.tail or "", "", key=len)


def try_indexed(row: Sequence[Wild]) -> Callable[[str, int], int]:
    """Try only the patterns whose rarest four characters stand in the path, and those too short to be indexed."""
    grams_of = [_grams(_longest(rule)) for rule in row]
    seen = Counter(gram for grams in grams_of for gram in grams)
    index: dict[str, list[int]] = {}
    rest: list[Wild] = []
    for number, grams in enumerate(grams_of):
        if grams:
            index.setdefault(min(grams, key=lambda gram: (seen[gram], gram)), []).append(number)
        else:
            rest.append(row[number])
    keys = index.keys()

    def tries(path: str, best: int) -> int:
        best = try_each(rest, path, best)
        hits = keys & {path[at : at + _GRAM] for at in range(len(path) - _GRAM + 1)}
        if not hits:
            return best
        # Places in the row, so that the best score is tried first.
        return try_each([row[at] for at in sorted(at for hit in hits for at in index[hit])], path, best)

    return tries
