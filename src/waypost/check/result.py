"""What a check hands to renderers: findings, step results, check results, the result; plain values, no behaviour."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from waypost.check.contract import CheckSpec, Outcome
from waypost.check.pictures import Pictures
from waypost.check.rule import Fix, Severity, Step

__all__ = ["CheckResult", "Crash", "Finding", "Place", "Result", "StepResult", "TrailHop", "fingerprint"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding shows. Lines, columns and entries count from 1; 0 is the whole document, or unknown."""

    url: str
    line: int = 0
    column: int = 0
    entry: int = 0
    text: str = ""
    """What is wrong at this very place."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One root cause on a checked site: every place of one rule in one document, the first few of them kept."""

    code: str
    name: str
    title: str
    step: Step
    severity: Severity
    scored: bool
    """Whether it moved a step of a scored check."""
    message: str
    where: Place
    count: int
    places: tuple[Place, ...]
    fix: str
    """What to do, in words or as a snippet."""
    fixable: Fix
    fingerprint: str
    """The same for the same problem in the same document, or in the site where several share it, run after run."""
    is_new: bool = True
    """False where the baseline knows it."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """How one step came out. `evidence` is plain data: numbers, texts, lists and mappings of them."""

    id: str
    title: str
    status: Outcome
    weight: float
    score: float
    evidence: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How one check came out. A check that is not scored has no score, and its status is its worst finding's."""

    spec: CheckSpec
    status: Outcome
    score: float | None
    steps: tuple[StepResult, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Crash:
    """A rule that threw: our bug, never the site's fault, and never a pass."""

    code: str
    url: str
    error: str
    where: str


@dataclass(frozen=True, slots=True)
class TrailHop:
    """One request of the trail. `purpose` says what it was for; `head` shows a body that was not what it claimed."""

    purpose: str
    url: str
    status: int
    elapsed_s: float
    address: str
    headers: dict[str, str]
    error: str = ""
    bytes: int = 0
    head: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """Everything a scan found out about one target."""

    suite: str
    target: str
    """The origin that was checked."""
    given: str
    """What the user typed."""
    status: Outcome
    score: float
    checks: tuple[CheckResult, ...]
    trail: tuple[TrailHop, ...]
    crashes: tuple[Crash, ...] = ()
    notices: tuple[str, ...] = ()
    """What a reader should know first: the origin that was followed to, requests that were not made."""
    is_reached: bool = True
    """Whether any server answered at all."""
    requests: int = 0
    elapsed_s: float = 0.0
    at: float = 0.0
    """When it was checked, in seconds since 1970; 0 where nobody said."""
    pictures: Pictures = field(default_factory=Pictures)

    def findings(self) -> Iterator[tuple[CheckResult, Finding]]:
        """Every finding with its check, in the order of the checks."""
        for check in self.checks:
            for finding in check.findings:
                yield check, finding

    def check(self, check_id: str) -> CheckResult | None:
        """The result of one check, if the suite ran it."""
        return next((check for check in self.checks if check.spec.id == check_id), None)


def fingerprint(code: str, url: str) -> str:
    """What a finding is told by between runs: its rule and what is judged, so that another count is no new one."""
    return hashlib.sha256(f"{code}\n{url}".encode("utf-8", "surrogatepass")).hexdigest()[:20]
