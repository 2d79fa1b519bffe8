"""The arithmetic of a check: outcomes from findings, scores from outcomes."""

import pytest

from waypost.check.checks.sitemap.v1_0_0 import CHECK
from waypost.check.contract import Outcome, When
from waypost.check.rule import Severity
from waypost.check.score import movers, outcomes, severity_outcome, suite_score, verdict, weighted

PASS, WARN, FAIL, SKIP = Outcome.PASS, Outcome.WARN, Outcome.FAIL, Outcome.SKIP


def came_out(*found, holds=()):
    return list(outcomes(CHECK, found, set(holds)).values())


def test_spec_weights_sum_to_one():
    assert round(sum(step.weight for step in CHECK.steps), 9) == 1.0
    assert [step.weight for step in CHECK.steps] == [0.20, 0.25, 0.25, 0.10, 0.20]


def test_nothing_found_passes_every_step():
    assert came_out() == [PASS] * 5


def test_spec_a_failed_step_leaves_nothing_for_the_later_ones():
    assert came_out(("SMF101", Severity.ERROR)) == [PASS, FAIL, SKIP, SKIP, SKIP]
    assert came_out(("SMP201", Severity.ERROR)) == [PASS, PASS, FAIL, SKIP, SKIP]


def test_spec_1_a_limit_costs_only_field_quality_and_fails_the_verdict():
    steps = outcomes(CHECK, [("SML401", Severity.ERROR)], set())
    assert verdict(steps.values()) is FAIL
    assert steps["scope"] is PASS
    assert weighted((step.weight, steps[step.id]) for step in CHECK.steps) == 0.9


def test_spec_3_a_rule_that_no_step_names_moves_nothing():
    assert came_out(("SMQ303", Severity.WARN), ("SMP221", Severity.ERROR)) == [PASS] * 5


def test_spec_4_a_relative_loc_warns_beside_a_good_one_and_fails_alone():
    assert came_out(("SMP215", Severity.ERROR)) == [PASS, PASS, PASS, WARN, PASS]
    assert came_out(("SMP215", Severity.ERROR), holds=[When.NO_GOOD_URL]) == [PASS, PASS, FAIL, SKIP, SKIP]


def test_only_what_moved_a_step_counts_as_having_moved_it():
    found = [("SMP210", Severity.WARN), ("SMP224", Severity.ERROR), ("SMQ301", Severity.WARN)]
    holds = {When.NO_GOOD_URL}
    assert movers(CHECK, found, holds, outcomes(CHECK, found, holds)) == {"SMP224"}
    found[0] = ("SMP210", Severity.ERROR)
    assert movers(CHECK, found, set(), outcomes(CHECK, found, set())) == {"SMP210"}


def test_a_move_may_ask_for_the_grave_form_of_a_rule():
    assert came_out(("SMP208", Severity.WARN)) == [PASS] * 5
    assert came_out(("SMP208", Severity.ERROR)) == [PASS, PASS, FAIL, SKIP, SKIP]


def test_data_that_does_not_unpack_fails_fetch_in_transport_and_parse_in_a_file():
    assert came_out(("SMF112", Severity.ERROR), holds=[When.NO_DOCUMENT])[1] is FAIL
    assert came_out(("SMF112", Severity.ERROR)) == [PASS, PASS, FAIL, SKIP, SKIP]


@pytest.mark.parametrize(
    ("statuses", "worst"),
    [([], PASS), ([SKIP], PASS), ([PASS, WARN], WARN), ([WARN, FAIL, SKIP], FAIL)],
)
def test_the_verdict_is_the_worst_step(statuses, worst):
    assert verdict(statuses) is worst


def test_warn_earns_half_and_skip_nothing():
    assert weighted([(0.2, PASS), (0.25, PASS), (0.25, PASS), (0.1, WARN), (0.2, WARN)]) == 0.85
    assert weighted([(0.2, PASS), (0.25, FAIL), (0.55, SKIP)]) == 0.2


def test_a_step_that_scores_nothing_says_what_its_worst_finding_says():
    assert severity_outcome([]) is PASS
    assert severity_outcome([Severity.INFO]) is PASS
    assert severity_outcome([Severity.INFO, Severity.WARN]) is WARN
    assert severity_outcome([Severity.ERROR, Severity.WARN]) is FAIL


def test_the_suite_score_is_the_weighted_mean():
    assert suite_score([(1.0, 0.9)]) == 0.9
    assert suite_score([(1.0, 1.0), (3.0, 0.0)]) == 0.25
    assert suite_score([]) == 0.0
