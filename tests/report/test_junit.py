"""JUnit XML, read by lxml and judged by a schema of our own."""

from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree
from tests.report import samples

from waypost.check.contract import Outcome
from waypost.check.result import Result
from waypost.check.rule import Severity, Step
from waypost.report.formats import format_named
from waypost.report.view import View

XSD = etree.XMLSchema(etree.parse(Path(__file__).parent.parent / "cases" / "report" / "junit.xsd"))


def junit(*results: Result, view: View | None = None) -> etree._Element:
    root = etree.fromstring(format_named("junit").render(results, view or View()).encode())
    XSD.assertValid(root)
    return root


def case(root: etree._Element, start: str) -> etree._Element:
    return next(case for case in root.iter("testcase") if case.get("name").startswith(start))


@pytest.mark.parametrize("result", samples.every(), ids=["pass", "warn", "fail", "unreachable", "hostile"])
def test_every_result_is_legal_and_its_counts_are_right(result: Result) -> None:
    root = junit(result, samples.failing())
    for element in (root, *root.iter("testsuite")):
        assert int(element.get("tests")) == len(list(element.iter("testcase")))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(element.get(attribute)) == len(list(element.iter(tag)))


def test_steps_are_tests_that_fail_skip_or_pass() -> None:
    root = junit(samples.failing())
    assert "error SMD101" in junit_text(root)
    assert case(root, "discover").find("failure") is None
    assert case(root, "fetch").find("failure") is None or case(root, "field-quality").find("failure") is not None
    assert case(root, "parse").find("skipped") is not None
    assert case(root, "scope").get("classname") == "waypost.sitemap"


def junit_text(root: etree._Element) -> str:
    return "\n".join(root.itertext())


def test_a_failed_step_fails_its_test_even_without_a_finding() -> None:
    base = samples.failing()
    bare = replace(base, checks=(replace(base.checks[0], findings=()),))
    assert case(junit(bare), "fetch").find("failure").get("message") == "fetch: the step fails"


@pytest.mark.parametrize(
    ("fail_on", "failing"), [(Severity.ERROR, 1), (Severity.WARN, 2), (Severity.INFO, 2), (None, 0)]
)
def test_the_gate_says_which_findings_fail(fail_on: Severity | None, failing: int) -> None:
    root = junit(samples.warning(), view=View(fail_on=fail_on))
    assert len(list(root.iter("failure"))) == failing
    assert "RBT303" in junit_text(root)
    assert "Fix: Write the date as 2026-01-20" in junit_text(root)


def test_what_the_baseline_knows_fails_nothing() -> None:
    base = samples.warning()
    known = replace(samples.finding("RBT303", Severity.ERROR, scored=False, where=Step.ROBOTS), is_new=False)
    root = junit(replace(base, checks=(samples.robots(Outcome.FAIL, known),)))
    assert list(root.iter("failure")) == []
    assert "RBT303" in junit_text(root)


def test_a_check_without_steps_and_a_finding_without_a_step_still_have_a_test() -> None:
    base = samples.passing()
    bare = replace(base.checks[1], spec=replace(base.checks[1].spec, steps=()), steps=())
    assert case(junit(replace(base, checks=(bare,))), "findings").find("failure") is None
    stray = replace(bare, findings=(samples.finding("RBT303", Severity.ERROR),))
    assert case(junit(replace(base, checks=(stray,))), "findings").find("failure") is not None


def test_a_crashed_rule_is_an_error() -> None:
    root = junit(samples.hostile())
    assert case(root, "rules run").find("error") is not None
    assert root.get("errors") == "1"
