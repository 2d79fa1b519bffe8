"""Every known answer, in both profiles, by every way to ask."""

import pytest
from tests.formats.robots_cases import Case, body, cases, url

from waypost.formats.matching import compile_rules, score_of
from waypost.formats.robots import read_robots


@pytest.mark.parametrize("case", cases("robots_cases"), ids=lambda case: case["id"])
def test_google_answers_and_lines(case: Case) -> None:
    robots = read_robots(body(case), limit=None)
    verdict = robots.explain(case["agent"], url(case))
    assert robots.allowed(case["agent"], url(case)) is case["allowed"]
    assert (verdict.allowed, verdict.line) == (case["allowed"], case["line"])
    assert robots.allowed_many(case["agent"], [url(case)] * 5) == [case["allowed"]] * 5


@pytest.mark.parametrize("case", cases("robots_cases"), ids=lambda case: case["id"])
def test_rfc9309_answers(case: Case) -> None:
    robots = read_robots(body(case), limit=None, profile="rfc")
    wanted = case.get("rfc_allowed", case["allowed"])
    assert robots.allowed(case["agent"], url(case)) is wanted
    assert robots.explain(case["agent"], url(case)).allowed is wanted


@pytest.mark.parametrize("case", cases("robots_cases"), ids=lambda case: case["id"])
def test_looking_and_compiling_agree(case: Case) -> None:
    robots = read_robots(body(case), limit=None)
    rules, path = robots.patterns(case["agent"]), robots.path(url(case))
    assert compile_rules(rules)(path) == score_of(rules, path)


@pytest.mark.parametrize("case", cases("robots_sitemaps"), ids=lambda case: case["id"])
def test_google_sitemap_values(case: Case) -> None:
    found = read_robots(body(case), limit=None).sitemaps
    if "sitemaps_len" in case:
        assert len(found) == case["sitemaps_len"]
    else:
        repeated = [value for value, times in case.get("sitemaps_repeat", []) for _ in range(times)]
        assert found == case.get("sitemaps", repeated)


@pytest.mark.parametrize("case", cases("robots_redos"), ids=lambda case: case["id"])
def test_hostile_patterns_are_answered(case: Case) -> None:
    robots = read_robots(body(case), limit=None)
    assert robots.allowed(case["agent"], url(case)) is case["allowed"]
    assert robots.allowed_many(case["agent"], [url(case)] * 9) == [case["allowed"]] * 9
