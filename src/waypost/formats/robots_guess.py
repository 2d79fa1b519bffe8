"""Which key somebody meant who wrote an unknown one."""

from waypost.formats.robots_lines import LineKind
from waypost.limits import ROBOTS_GUESSES_MAX

__all__ = ["Guesser", "distance"]

_KNOWN = tuple(
    kind.value
    for kind in LineKind
    if kind not in {LineKind.UNKNOWN, LineKind.COMMENT, LineKind.BLANK, LineKind.NOT_UNDERSTOOD}
)
_DISTANCE_MAX = 2
_CHARS_MAX = max(map(len, _KNOWN)) + _DISTANCE_MAX


def distance(one: str, other: str) -> int:
    """How many letters must be added, dropped, replaced or swapped with a neighbour to make one text of the other.

    >>> distance("dsiallow", "disallow")
    1
    """
    above_that: list[int] = []
    above = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, above_that[j - 2] + 1)
            row.append(cost)
        above_that, above = above, row
    return above[-1]


class Guesser:
    """Guesses which key was meant, and stops guessing when a file has no end of unknown keys."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def nearest(self, key: str) -> str:
        """The known key that is at most two letters away, or ""."""
        low = key.lower()
        if len(low) > _CHARS_MAX:
            return ""
        if low not in self._known:
            if len(self._known) >= ROBOTS_GUESSES_MAX:
                return ""
            self._known[low] = _guess(low)
        return self._known[low]


def _guess(low: str) -> str:
    close = (known for known in _KNOWN if abs(len(known) - len(low)) <= _DISTANCE_MAX)
    best, known = min(((distance(low, known), known) for known in close), default=(len(low), ""))
    return known if best <= _DISTANCE_MAX and best * 3 <= len(known) else ""
