"""The arithmetic, and nothing else: from findings to step outcomes, from outcomes to a score and a verdict."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from waypost.check.contract import CheckSpec, Move, Outcome, StepSpec, When
from waypost.check.rule import Severity

__all__ = ["movers", "outcomes", "severity_outcome", "suite_score", "verdict", "weighted"]

_BY_SEVERITY = {Severity.ERROR: Outcome.FAIL, Severity.WARN: Outcome.WARN, Severity.INFO: Outcome.PASS}
_DIGITS = 4


def outcomes(spec: CheckSpec, found: Iterable[tuple[str, Severity]], holds: Collection[When]) -> dict[str, Outcome]:
    """The outcome of every step of a scored check: what the found rules (with their severities) move it to.

    `holds` says which of the conditions of `When` are true of the document.
    """
    moved: dict[str, list[Outcome]] = {step.id: [] for step in spec.steps}
    for move in _moves(spec, found, holds):
        moved[move.step].append(move.outcome)
    return _in_order(spec.steps, moved)


def movers(
    spec: CheckSpec,
    found: Iterable[tuple[str, Severity]],
    holds: Collection[When],
    came_out: Mapping[str, Outcome],
) -> frozenset[str]:
    """The codes of the found rules that moved a step, given how the steps came out; what was skipped nothing moved."""
    moved = {step for step, outcome in came_out.items() if outcome in {Outcome.WARN, Outcome.FAIL}}
    return frozenset(move.code for move in _moves(spec, found, holds) if move.step in moved)


def _moves(spec: CheckSpec, found: Iterable[tuple[str, Severity]], holds: Collection[When]) -> Iterator[Move]:
    seen = set(found)
    codes = {code for code, _ in seen}
    for move in spec.moves:
        is_found = move.code in codes if move.at is None else (move.code, move.at) in seen
        if is_found and (move.when is When.ALWAYS or move.when in holds):
            yield move


def _in_order(steps: Sequence[StepSpec], moved: Mapping[str, list[Outcome]]) -> dict[str, Outcome]:
    result: dict[str, Outcome] = {}
    is_over = False
    for step in steps:
        result[step.id] = Outcome.SKIP if is_over else Outcome.worst(moved[step.id])
        is_over = is_over or (step.is_gate and result[step.id] is Outcome.FAIL)
    return result


def weighted(steps: Iterable[tuple[float, Outcome]]) -> float:
    """The weighted sum of credits, 0 to 1."""
    return round(sum(weight * outcome.credit for weight, outcome in steps), _DIGITS)


def verdict(steps: Iterable[Outcome]) -> Outcome:
    """Fail when a step fails, else warn when one warns, else pass."""
    return Outcome.worst(steps)


def severity_outcome(severities: Iterable[Severity]) -> Outcome:
    """The outcome of a step that scores nothing: what its worst finding says."""
    return Outcome.worst(_BY_SEVERITY[severity] for severity in severities)


def suite_score(checks: Iterable[tuple[float, float]]) -> float:
    """The weighted mean of the scored checks, given as weight and score."""
    rows = list(checks)
    total = sum(weight for weight, _ in rows)
    return round(sum(weight * score for weight, score in rows) / total, _DIGITS) if total else 0.0
