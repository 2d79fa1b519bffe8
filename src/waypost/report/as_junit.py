"""The report as JUnit XML: a suite a check, a test a step, so that a CI server shows which step failed and why.

A test fails when its step fails, or when a new finding in it is at or above the level the gate stops on; the others
are its output. A rule of ours that crashed is an error, not a failure.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from waypost.check.contract import Outcome
from waypost.check.result import CheckResult, Finding, Result
from waypost.dates import write_w3c
from waypost.formats.printable import printable
from waypost.formats.xmlwrite import XmlWriter
from waypost.report import words
from waypost.report.view import View

__all__ = ["render"]


@dataclass(frozen=True, slots=True)
class _Test:
    name: str
    classname: str
    failures: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    skipped: str = ""
    output: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Suite:
    name: str
    tests: tuple[_Test, ...]

    def counts(self) -> list[tuple[str, str]]:
        failed = sum(bool(test.failures) for test in self.tests)
        errors = sum(bool(test.errors) for test in self.tests)
        skipped = sum(bool(test.skipped) for test in self.tests)
        rows = (("tests", len(self.tests)), ("failures", failed), ("errors", errors), ("skipped", skipped))
        return [(name, str(number)) for name, number in rows]


def render(results: Sequence[Result], view: View) -> Iterator[str]:
    """One `testsuites` element with the checks of every target."""
    suites = [(result, list(_suites(result, view))) for result in results]
    everything = _Suite("waypost", tuple(test for _, parts in suites for part in parts for test in part.tests))
    elapsed = sum(result.elapsed_s for result in results)
    out = XmlWriter()
    out.open("testsuites", [("name", "waypost"), *everything.counts(), ("time", f"{elapsed:.3f}")])
    for result, parts in suites:
        for number, part in enumerate(parts):
            _write(out, part, result.at, 0.0 if number else result.elapsed_s)
    out.close()
    yield out.document().decode()


def _suites(result: Result, view: View) -> Iterator[_Suite]:
    for check in result.checks:
        yield _Suite(printable(f"{check.spec.key} {result.target}"), tuple(_tests(check, view)))
    if result.crashes:
        errors = tuple(f"{crash.error} ({crash.where}) on {crash.url}" for crash in result.crashes)
        yield _Suite("waypost", (_Test("rules run to their end", "waypost", errors=errors),))


def _tests(check: CheckResult, view: View) -> Iterator[_Test]:
    by_step: dict[str, list[Finding]] = {step.id: [] for step in check.steps}
    for finding in words.by_weight(check.findings):
        by_step.setdefault(words.step_of(check, finding), []).append(finding)
    titles = {step.id: step.title for step in check.steps}
    outcomes = {step.id: step.status for step in check.steps}
    classname = f"waypost.{words.shown(check.spec.id)}"
    if not by_step:
        yield _Test("findings", classname)
    for step, findings in by_step.items():
        status = outcomes.get(step, Outcome.PASS)
        stopping = [f for f in findings if view.fail_on and f.is_new and f.severity.rank >= view.fail_on.rank]
        said = tuple(_finding_words(f) for f in findings if f not in stopping)
        failures = tuple(_finding_words(f) for f in stopping)
        if status is Outcome.FAIL and check.score is not None and not failures:
            failures = (f"{step}: the step fails", *said)
        skipped = "an earlier step left nothing to look at" if status is Outcome.SKIP and not failures else ""
        name = f"{step}: {titles[step]}" if step in titles else step or "findings"
        yield _Test(name, classname, failures, skipped=skipped, output=said)


def _finding_words(finding: Finding) -> str:
    name = f"{words.shown(finding.code)} {words.shown(finding.name)}"
    head = f"{finding.severity.value} {name}: {words.shown(finding.message)}"
    fix = f" Fix: {words.shown(finding.fix)}" if finding.fix else ""
    return f"{head} (at {words.places_words(finding)}){fix}"


def _write(out: XmlWriter, suite: _Suite, at: float, elapsed_s: float) -> None:
    stamp = [("timestamp", write_w3c(at).removesuffix("Z"))] if at else []
    out.open("testsuite", [("name", suite.name), *suite.counts(), ("time", f"{elapsed_s:.3f}"), *stamp])
    for test in suite.tests:
        out.open("testcase", [("name", printable(test.name)), ("classname", test.classname), ("time", "0.000")])
        if test.skipped:
            out.leaf("skipped", attrs=[("message", test.skipped)])
        for kind, sentences in (("error", test.errors), ("failure", test.failures)):
            if sentences:
                attrs = [("message", printable(sentences[0])), ("type", kind)]
                out.leaf(kind, "\n".join(printable(sentence) for sentence in sentences), attrs)
        if test.output:
            out.leaf("system-out", "\n".join(printable(sentence) for sentence in test.output))
        out.close()
    out.close()
