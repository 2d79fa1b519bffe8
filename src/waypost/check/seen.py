"""The state of one scan: what was asked, what came, what the rules said of it so far."""

from dataclasses import dataclass, field
from typing import Any

from waypost.check.budget import Budget
from waypost.check.capture import Capture
from waypost.check.contract import Outcome, When
from waypost.check.evidence import Candidate, Child, FeedSeen, OpmlSeen, Page
from waypost.check.htmlhead import Head
from waypost.check.judge import PLACES_KEPT, Bench, Found
from waypost.check.options import Options
from waypost.check.patience import Patience
from waypost.check.result import TrailHop
from waypost.check.rules import RULES
from waypost.check.suite import Suite, suite
from waypost.formats.robots import Robots
from waypost.formats.xmlmap import Xmlmap
from waypost.limits import SITE_REQUESTS_MAX
from waypost.urls import Origin

__all__ = ["Assessed", "Seen"]


@dataclass(frozen=True, slots=True)
class Assessed:
    """A candidate with what the rules found in it and how its steps came out."""

    candidate: Candidate
    found: tuple[Found, ...]
    steps: dict[str, Outcome]
    holds: frozenset[When]
    """Which conditions of the check's moves are true of it."""
    facts: dict[str, object]
    """Kind, entries, encoding, hosts: what the evidence says of its document."""

    @property
    def rank(self) -> int:
        """How good it is, 0 best: valid, readable with a failure, fetched, nothing."""
        if Outcome.FAIL not in self.steps.values():
            return 0
        if self.steps["parse"] is Outcome.PASS:
            return 1
        return 2 if self.steps["fetch"] is Outcome.PASS else 3


@dataclass(slots=True)
class Seen:
    """Everything one scan has seen."""

    origin: Origin
    options: Options
    given: str
    suite: Suite = field(init=False)
    bench: Bench = field(init=False)
    budget: Budget = field(init=False)
    patience: Patience = field(init=False)
    trail: list[TrailHop] = field(default_factory=list)
    is_reached: bool = False
    notices: list[str] = field(default_factory=list)
    robots_capture: Capture | None = None
    robots: Robots | None = None
    assessed: list[Assessed] = field(default_factory=list)
    best: Assessed | None = None
    home: Capture | None = None
    head: Head | None = None
    variants: list[Capture] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    """Every URL that was asked for, normalised."""
    xmlmap_capture: Capture | None = None
    xmlmap: Xmlmap | None = None
    services: list[Capture] = field(default_factory=list)
    feeds: list[FeedSeen] = field(default_factory=list)
    opmls: list[OpmlSeen] = field(default_factory=list)
    authorised: list[str] = field(default_factory=list)
    """Other hosts whose robots.txt names the sitemap."""
    children: list[Child] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    heard: dict[str, list[Found]] = field(default_factory=dict)
    """What rules said of anything but a candidate, by the check they speak for."""
    evidence: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the checks beside the scored one show, by their id."""

    def __post_init__(self) -> None:
        self.suite = suite(self.options.suite)
        self.bench = Bench(RULES, places_kept=None if self.options.all_findings else PLACES_KEPT)
        self.budget = Budget(SITE_REQUESTS_MAX)
        self.patience = Patience(self.options.clock, self.options.until)
