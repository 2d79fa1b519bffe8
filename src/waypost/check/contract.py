"""What a check is, as data: its row of the table, its steps, and which rules move which step.

A version of a check is a package under `checks/` that holds one `CheckSpec`. It never changes meaning; a change makes
the next version, which lives beside it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum

from waypost.check.rule import Severity

__all__ = ["CheckSpec", "Mode", "Move", "Outcome", "StepSpec", "When"]


class Outcome(StrEnum):
    """How a step, a check or a suite came out, best first."""

    PASS = "pass"  # noqa: S105
    WARN = "warn"
    FAIL = "fail"
    SKIP = "skip"
    """An earlier step left nothing to look at."""

    @property
    def credit(self) -> float:
        """The part of a step's weight that is earned."""
        return {"pass": 1.0, "warn": 0.5}.get(self.value, 0.0)

    @classmethod
    def worst(cls, outcomes: Iterable["Outcome"]) -> "Outcome":
        """The worst of several; a skipped step says nothing, and none at all is a pass."""
        ranks = {cls.PASS: 0, cls.SKIP: 0, cls.WARN: 1, cls.FAIL: 2}
        return max((o for o in outcomes if o is not cls.SKIP), key=ranks.__getitem__, default=cls.PASS)


class When(Enum):
    """What must hold beside the finding before a rule moves a step."""

    ALWAYS = "always"
    NO_DOCUMENT = "the exchange failed, so there is no document"
    NO_GOOD_URL = "no entry has an absolute http(s) URL"
    OTHER_HOST = "an entry names another host or port"
    SPOILT_HOST = "a second URL runs into an entry's host, which is none any more"


@dataclass(frozen=True, slots=True)
class Move:
    """One rule's power over one step. With `at`, only its findings of that severity have it."""

    code: str
    step: str
    outcome: Outcome
    when: When = When.ALWAYS
    at: Severity | None = None


@dataclass(frozen=True, slots=True)
class StepSpec:
    """One step of a check.

    `is_gate`: when it fails, nothing is left for the steps after it. `rules` are the prefixes of the codes that belong
    to a step that scores nothing.
    """

    id: str
    title: str
    weight: float
    passes_when: str
    is_gate: bool = False
    rules: tuple[str, ...] = ()


class Mode(Enum):
    """When a suite runs a check."""

    SCORED = "scored"
    BESIDE = "beside"
    """Always, and reported without a score."""
    DEEP = "deep"
    """With `--deep`."""
    PROBE = "probe"
    """With `--probe`."""
    BASELINE = "baseline"
    """With `--baseline`."""


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """One version of a check."""

    id: str
    version: str
    title: str
    category: str
    subcategory: str
    group: str
    group_id: str
    maturity: str
    scope: str
    weight: float
    resources: tuple[str, ...]
    input: str
    output: str
    mode: Mode
    steps: tuple[StepSpec, ...]
    moves: tuple[Move, ...]
    page: str
    changelog: tuple[tuple[str, str], ...]

    @property
    def key(self) -> str:
        """Id and version, as outputs name a check."""
        return f"{self.id}@{self.version}"

    @property
    def is_scored(self) -> bool:
        """Whether it has a verdict and a score."""
        return self.mode is Mode.SCORED
