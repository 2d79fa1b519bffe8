"""The verdict in words: what the sitemap check found, and never that all is well beside an error of another check."""

from dataclasses import replace

import pytest
from tests.report import samples

from waypost.check.contract import Outcome
from waypost.check.result import Finding, Result
from waypost.check.rule import Severity, Step
from waypost.report.formats import format_named
from waypost.report.view import View
from waypost.report.words import verdict_sentence, verdict_words

SHUT = "Everything is disallowed for all crawlers on a public host"


def error(title: str = SHUT, code: str = "RBT301") -> Finding:
    made = samples.finding(code, Severity.ERROR, where=Step.ROBOTS, scored=False, count=1)
    return replace(made, title=title)


def beside(*findings: Finding, status: Outcome = Outcome.PASS) -> Result:
    base = samples.passing()
    return replace(base, status=status, checks=(base.checks[0], samples.robots(Outcome.FAIL, *findings)))


def test_an_error_beside_the_sitemap_is_named_and_verdict_and_score_stay() -> None:
    said = f"the sitemap is in order, but: e{SHUT[1:]}"
    assert verdict_words(beside(error("Later", "RXM910"), error())) == said
    assert verdict_sentence(beside(error())) == f"T{said[1:]}."
    assert verdict_words(beside(error(), status=Outcome.WARN)).startswith(
        "the sitemap is in order with reservations, but: e"
    )


@pytest.mark.parametrize(
    "finding", [replace(error(), severity=Severity.WARN), replace(error(), is_new=False)], ids=["warning", "known"]
)
def test_warnings_and_what_the_baseline_knows_are_not_named(finding: Finding) -> None:
    assert verdict_words(beside(finding)) == "crawlers can find what this site offers"


def test_a_failed_sitemap_stays_the_gravest() -> None:
    assert verdict_words(beside(error(), status=Outcome.FAIL)) == "crawlers cannot rely on this site's sitemap"


def test_a_name_keeps_its_capitals() -> None:
    assert verdict_words(beside(error("JSON is broken"))).endswith("but: JSON is broken")


@pytest.mark.parametrize("name", ["text", "markdown", "html", "github"])
def test_every_report_for_people_says_so(name: str) -> None:
    shown = "".join(format_named(name).render([beside(error())], View()))
    assert "in order, but: everything is" in " ".join(shown.replace("\\", "").split())
