"""What a caller may choose about a check."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from waypost.check.baseline import Baseline
from waypost.check.policing import Policing
from waypost.check.suite import LATEST

__all__ = ["Options"]


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of one scan. `now` is the caller's clock, in seconds since 1970."""

    now: float
    clock: Callable[[], float] | None = None
    """A clock of any zero, lent to bound how long hostile documents are read."""
    until: float = math.inf
    """The time on that clock after which nothing large is read any more."""
    suite: str = LATEST
    follow_origin: bool = True
    """Whether a bare domain's redirect to another host of its site is followed."""
    deep: bool = False
    probe: int | None = 0
    """How many listed pages are asked for; None for all of them."""
    seed: int = 0
    all_findings: bool = False
    """Whether every place of a finding is kept, not only the first few."""
    policing: Policing = field(default_factory=Policing)
    baseline: Baseline | None = None
    """An earlier result."""
