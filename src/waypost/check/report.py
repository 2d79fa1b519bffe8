"""The end of a scan: what was seen, put together as a `Result`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from waypost.check.baseline import Baseline
from waypost.check.contract import CheckSpec, Mode, Outcome, StepSpec
from waypost.check.evidence import Evidence
from waypost.check.findings import findings
from waypost.check.judge import Found
from waypost.check.pictures import Pictures, draw
from waypost.check.result import CheckResult, Finding, Result, StepResult
from waypost.check.rule import Now, Severity, Step
from waypost.check.score import movers, severity_outcome, suite_score, verdict, weighted
from waypost.check.seen import Assessed, Seen
from waypost.formats.document import Kind

__all__ = ["result_of"]

_SITEMAP_STEPS = frozenset({Step.DISCOVER, Step.FETCH, Step.PARSE, Step.FIELD_QUALITY, Step.SCOPE})
_READABLE, _FETCHED = 1, 2


def result_of(seen: Seen) -> Result:
    """Judge what was seen."""
    evidence = _evidence(seen)
    everything: dict[type, Any] = {Evidence: evidence, Now: evidence.now}
    if seen.options.baseline is not None:
        everything[Baseline] = seen.options.baseline
    overall = seen.bench.hear(everything, tuple(Step), str(seen.origin))
    checks = tuple(
        _scored(spec, seen, overall) if spec.is_scored else _beside(spec, seen, overall)
        for spec in seen.suite.wanted(_modes(seen))
    )
    scored = [check for check in checks if check.score is not None]
    return Result(
        suite=seen.suite.date,
        target=str(seen.origin),
        given=seen.given,
        status=verdict(check.status for check in scored),
        score=suite_score((check.spec.weight, check.score or 0.0) for check in scored),
        checks=checks,
        trail=tuple(seen.trail),
        crashes=tuple(seen.bench.crashes),
        notices=(*seen.notices, *_silence(seen)),
        is_reached=seen.is_reached,
        requests=seen.budget.spent,
        at=seen.options.now,
        pictures=_pictures(seen),
    )


def _silence(seen: Seen) -> Iterator[str]:
    """Why no server answered, where none did."""
    error = seen.robots_capture.error if seen.robots_capture else None
    if error is not None and not seen.is_reached:
        yield f"{seen.origin}: {error.sentence}"


def _score(seen: Seen) -> float:
    scored = next(spec for spec in seen.suite.checks if spec.is_scored)
    steps = seen.best.steps if seen.best else {}
    return weighted((step.weight, steps.get(step.id, Outcome.SKIP)) for step in scored.steps)


def _pictures(seen: Seen) -> Pictures:
    documents = [seen.best.candidate.document if seen.best else None, *(child.document for child in seen.children)]
    kinds = {Kind.URLSET, Kind.TEXT}
    return draw((one.locs, one.lastmods) for one in documents if one is not None and one.kind in kinds)


def _modes(seen: Seen) -> frozenset[Mode]:
    modes = {Mode.SCORED, Mode.BESIDE}
    if seen.options.deep:
        modes.add(Mode.DEEP)
    if seen.options.probe != 0:
        modes.add(Mode.PROBE)
    if seen.options.baseline is not None:
        modes.add(Mode.BASELINE)
    return frozenset(modes)


def _evidence(seen: Seen) -> Evidence:
    return Evidence(
        origin=seen.origin,
        now=Now(seen.options.now),
        candidates=tuple(assessed.candidate for assessed in seen.assessed),
        best=seen.best.candidate if seen.best else None,
        robots_capture=seen.robots_capture,
        robots=seen.robots,
        home=seen.home,
        head=seen.head,
        variants=tuple(seen.variants),
        xmlmap_capture=seen.xmlmap_capture,
        xmlmap=seen.xmlmap,
        services=tuple(seen.services),
        feeds=tuple(seen.feeds),
        opmls=tuple(seen.opmls),
        children=tuple(seen.children),
        pages=tuple(seen.pages),
        authorised=tuple(seen.authorised),
        goes_deeper=seen.options.deep or seen.options.probe != 0,
        score=_score(seen),
    )


def _scored(spec: CheckSpec, seen: Seen, overall: Iterable[Found]) -> CheckResult:
    """The sitemap check: the best candidate's steps, and the findings of every candidate worth showing."""
    best = seen.best
    outcomes = best.steps if best else {step.id: Outcome.SKIP for step in spec.steps}
    own, others = _shown(seen)
    own = _eased(own, seen)
    general = [found for found in [*overall, *seen.heard.get("robots", ())] if found.rule.step in _SITEMAP_STEPS]
    pairs = [(found.code, found.severity) for found in [*own, *general]]
    moving = movers(spec, pairs, best.holds if best else (), outcomes)
    moved = [found for found in [*own, *general] if found.code in moving]
    steps = tuple(_step(step, outcomes[step.id], _step_evidence(step.id, seen)) for step in spec.steps)
    return CheckResult(
        spec=spec,
        status=verdict(outcomes.values()),
        score=weighted((step.weight, outcomes[step.id]) for step in spec.steps),
        steps=steps,
        findings=findings([*own, *others, *general], seen.options, moved),
    )


def _shown(seen: Seen) -> tuple[list[Found], list[Found]]:
    """The findings of the candidate that carries the verdict, and those of the others that a reader wants to see."""
    best = seen.best
    if best is None:
        return [], []
    if best.rank > _READABLE:
        told = [found for one in seen.assessed if _is_told(one, best) for found in one.found]
        return seen.bench.merged(told, str(seen.origin)), []
    others = [one for one in seen.assessed if one is not best and _is_worth_reading(one, best)]
    return list(best.found), [found for one in others for found in one.found]


def _eased(found: list[Found], seen: Seen) -> list[Found]:
    """Findings about other hosts as information only, where all those hosts' robots.txt name the sitemap."""
    best = seen.best.facts if seen.best else {}
    hosts = best.get("foreign_hosts", {})
    is_free = isinstance(hosts, dict) and bool(hosts) and set(hosts) <= set(seen.authorised)
    if not is_free:
        return found
    return [replace(one, severity=Severity.INFO) if one.code in _EASED else one for one in found]


_EASED = frozenset({"SMS501", "SMS502", "SMS505", "SMS507"})


def _is_told(one: Assessed, best: Assessed) -> bool:
    """Whether a candidate's findings are shown where none is readable."""
    if one.candidate.was_not_asked or (one.candidate.is_absent and not one.candidate.is_declared):
        return False
    return one.rank <= best.rank or one.candidate.is_declared


def _is_worth_reading(one: Assessed, best: Assessed) -> bool:
    """Whether another candidate's findings are shown beside a readable one's: fetched, a sitemap, and no copy.

    A declared candidate that cannot be fetched is one finding of its own (SMD106).
    """
    if one.rank > _FETCHED or (one.candidate.digest and one.candidate.digest == best.candidate.digest):
        return False
    return one.candidate.is_declared or one.candidate.is_sitemap


def _step(step: StepSpec, outcome: Outcome, evidence: dict[str, Any]) -> StepResult:
    return StepResult(step.id, step.title, outcome, step.weight, round(step.weight * outcome.credit, 4), evidence)


def _step_evidence(step: str, seen: Seen) -> dict[str, Any]:
    best = dict(seen.best.facts) if seen.best else {}
    if step == "discover":
        return {"candidates": [_part(one.facts, "url", "source", "line") for one in seen.assessed]}
    if step == "fetch":
        return {"candidates": [_outcome(one) for one in seen.assessed], "requests": seen.budget.spent}
    if step == "parse":
        return {"best": _part(best, "url", "kind", "entries", "bytes", "encoding", "complete", "newest")}
    if step == "scope":
        return {"host": seen.origin.netloc, "foreign_hosts": best.get("foreign_hosts", {})}
    return {"url": best.get("url", ""), "findings": _codes(step, seen)}


def _part(facts: Mapping[str, object], *keys: str) -> dict[str, object]:
    return {key: facts[key] for key in keys if key in facts}


def _outcome(one: Assessed) -> dict[str, object]:
    facts = _part(one.facts, "url", "status", "error", "final_url", "kind", "entries", "bytes")
    outcome = Outcome.SKIP if one.candidate.was_not_asked else verdict(one.steps.values())
    return facts | {"outcome": outcome.value}


def _codes(step: str, seen: Seen) -> Mapping[str, int]:
    """What the best candidate has of the findings that move a step."""
    if seen.best is None or seen.best.steps[step] is Outcome.SKIP:
        return {}
    moves = (move for spec in seen.suite.checks if spec.is_scored for move in spec.moves)
    moving = {move.code for move in moves if move.step == step}
    return {found.code: found.count for found in seen.best.found if found.code in moving}


def _beside(spec: CheckSpec, seen: Seen, overall: Iterable[Found]) -> CheckResult:
    """A check that scores nothing: its findings, and steps that say what the worst of them says."""
    homes = _HOMES.get(spec.id, frozenset())
    if spec.mode is Mode.PROBE and not seen.options.deep:
        homes |= {Step.DEEP}
    own = [found for found in seen.heard.get(spec.id, ()) if spec.mode is Mode.DEEP or found.rule.step in homes]
    own += [found for found in overall if found.rule.step in homes]
    shown = findings(own, seen.options)
    evidence = [seen.evidence.get(spec.id, {}), *({} for _ in spec.steps[1:])]
    steps = tuple(_beside_step(step, shown, own) for step, own in zip(spec.steps, evidence, strict=True))
    return CheckResult(spec, verdict(step.status for step in steps), None, steps, shown)


_HOMES = {
    "robots": frozenset({Step.ROBOTS}),
    "robots-xml": frozenset({Step.ROBOTS_XML}),
    "feeds": frozenset({Step.FEED}),
    "pages": frozenset({Step.PROBE}),
    "trends": frozenset({Step.TREND}),
    "sitemap-deep": frozenset({Step.DEEP}),
}


def _beside_step(step: StepSpec, shown: Iterable[Finding], evidence: dict[str, Any]) -> StepResult:
    mine = [finding for finding in shown if finding.code.startswith(step.rules)]
    return _step(step, severity_outcome(finding.severity for finding in mine), evidence)
