"""One document by itself: the rules of its check, without the site around it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from waypost.check.capture import Capture
from waypost.check.contract import CheckSpec, Outcome
from waypost.check.evidence import Candidate, Source
from waypost.check.findings import findings
from waypost.check.judge import PLACES_KEPT, Bench, Found
from waypost.check.options import Options
from waypost.check.result import CheckResult, Finding, Result, StepResult
from waypost.check.rule import Now, Severity, Step
from waypost.check.rules import RULES
from waypost.check.score import movers, outcomes, severity_outcome, verdict, weighted
from waypost.check.suite import suite
from waypost.check.survey import Survey
from waypost.check.trail import hops_of
from waypost.formats.document import Document
from waypost.formats.robots import Robots, read_robots
from waypost.formats.sitemap import read_sitemap
from waypost.urls import Origin, is_absolute

__all__ = ["Paper", "check_robots_file", "check_sitemap_file"]

_NOWHERE = "https://localhost"


@dataclass(frozen=True, slots=True)
class Paper:
    """One document: its bytes, the name findings show, where it is served, and the exchange if it was fetched."""

    data: bytes
    name: str
    url: str = ""
    capture: Capture | None = None


def check_robots_file(paper: Paper, options: Options) -> Result:
    """The rules about robots.txt, on one document."""
    robots = read_robots(paper.data, url=paper.url or None)
    first = next((value for value in robots.sitemaps if is_absolute(value)), "")
    origin = Origin.parse(paper.url) or Origin.parse(first) or Origin.parse(_NOWHERE)
    context: dict[type, Any] = {Robots: robots, Origin: origin}
    bench, found = _heard(paper, options, context, (Step.ROBOTS, Step.DISCOVER), "" if robots.is_text else "RBT1")
    spec = next(check for check in suite(options.suite).checks if check.id == "robots")
    shown = findings(found, options)
    # The Sitemap lines belong to the sitemap check of a site; of one file they are part of its meaning.
    statuses = {step.id: _worst(shown, step.rules) for step in spec.steps}
    return _result(paper, options, bench=bench, spec=spec, statuses=statuses, shown=shown, score=None)


def check_sitemap_file(paper: Paper, options: Options) -> Result:
    """The rules about sitemaps, on one document; its steps come out as in the check of a site."""
    document = read_sitemap(paper.data, url=paper.url or None)
    first = next((loc for loc in document.locs if is_absolute(loc)), "")
    origin = Origin.parse(paper.url) or Origin.parse(first) or Origin("https", "localhost", 443)
    survey = Survey(document, origin)
    candidate = Candidate(paper.name, Source.CONVENTION, 0, paper.capture, document, document.kind)
    context = {Document: document, Survey: survey, Origin: origin, Candidate: candidate}
    bench, found = _heard(paper, options, context, (Step.FETCH, Step.PARSE, Step.FIELD_QUALITY, Step.SCOPE), "")
    spec = next(check for check in suite(options.suite).checks if check.is_scored)
    pairs = [(one.code, one.severity) for one in found]
    statuses = outcomes(spec, pairs, survey.conditions())
    if statuses["parse"] is Outcome.FAIL:
        found = [one for one in found if one.rule.step in {Step.FETCH, Step.PARSE}]
    moving = movers(spec, pairs, survey.conditions(), statuses)
    shown = findings(found, options, [one for one in found if one.code in moving])
    score = weighted((step.weight, statuses[step.id]) for step in spec.steps)
    return _result(paper, options, bench=bench, spec=spec, statuses=statuses, shown=shown, score=score)


def _heard(
    paper: Paper, options: Options, context: Mapping[type, Any], steps: Iterable[Step], prefix: str
) -> tuple[Bench, list[Found]]:
    seen = {**context, Now: Now(options.now)}
    if paper.capture is not None:
        seen[Capture] = paper.capture
    bench = Bench(RULES, places_kept=None if options.all_findings else PLACES_KEPT)
    return bench, bench.hear(seen, tuple(steps), paper.name, prefix=prefix)


def _worst(shown: Iterable[Finding], prefixes: tuple[str, ...]) -> Outcome:
    severities: list[Severity] = [one.severity for one in shown if one.code.startswith(prefixes)]
    return severity_outcome(severities)


def _result(
    paper: Paper,
    options: Options,
    *,
    bench: Bench,
    spec: CheckSpec,
    statuses: Mapping[str, Outcome],
    shown: tuple[Finding, ...],
    score: float | None,
) -> Result:
    steps = tuple(
        StepResult(step.id, step.title, statuses[step.id], step.weight, step.weight * statuses[step.id].credit, {})
        for step in spec.steps
    )
    status = verdict(statuses.values())
    return Result(
        suite=options.suite,
        target=paper.url or paper.name,
        given=paper.name,
        status=status,
        score=status.credit if score is None else score,
        checks=(CheckResult(spec, status, score, steps, shown),),
        trail=tuple(hops_of(paper.capture)) if paper.capture else (),
        crashes=tuple(bench.crashes),
        at=options.now,
    )
