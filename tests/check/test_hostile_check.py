"""Every hostile behaviour through the whole check, many at once: nothing breaks, leaks inside or asks too much."""

import pytest
from bench.hostile import BOUNDED, run
from tests.hostile import BEHAVIOURS

from waypost.limits import SITE_REQUESTS_MAX

BUSY_MACHINE_S = 45.0


@pytest.fixture(scope="module")
def seen():
    return run(BOUNDED)


def test_every_behaviour_was_checked(seen):
    assert seen.count == len(BEHAVIOURS)


def test_no_behaviour_makes_the_checker_crash(seen):
    assert seen.crashed == []


def test_no_behaviour_leads_inside(seen):
    assert seen.canary == 0


def test_no_behaviour_gets_more_requests_than_a_site_may_have(seen):
    asked, name = seen.most_requests
    assert asked <= SITE_REQUESTS_MAX, name


def test_no_behaviour_holds_the_checker_up(seen):
    seconds, name = seen.slowest
    assert seconds < BOUNDED.site_s + BUSY_MACHINE_S, name


def test_all_of_them_at_once_stay_small(seen):
    assert seen.extra_mb < 500
