"""How long a scan may read: hostile documents are built to take minutes, honest ones take a second.

A scan owns no clock; whoever drives it lends one. Without one, documents are read to their end.
"""

import math
from collections.abc import Callable
from types import TracebackType
from typing import Self

from waypost.limits import READING_S_MAX

__all__ = ["Patience"]

Clock = Callable[[], float]


class Patience:
    """Counts the time spent inside its `with` blocks; past its bound, or past `until`, it is out."""

    def __init__(self, clock: Clock | None, until: float = math.inf, reading_s: float = READING_S_MAX) -> None:
        self._clock = clock
        self._until = until
        self._left_s = reading_s
        self._since = 0.0

    @property
    def is_out(self) -> bool:
        """Whether reading must stop at the next good moment."""
        if self._clock is None:
            return False
        now = self._clock()
        return now > self._until or now - self._since > self._left_s

    def __enter__(self) -> Self:
        self._since = self._clock() if self._clock else 0.0
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        if self._clock is not None:
            self._left_s -= self._clock() - self._since
