"""What a server's answer means: RFC 9309 section 2.3.1 and 2.4, and Google's stages of an outage."""

import pytest

from waypost.formats.robots_policy import GOOGLE_OUTAGE, Access, Policy, State, robots_from_response
from waypost.formats.robots_verdict import Reason

HOUR, DAY = 3_600, 86_400
BODY = b"User-agent: *\nDisallow: /closed\n"
OPEN, CLOSED = "https://h.test/open", "https://h.test/closed"


def good(now: float = 0.0) -> Policy:
    return robots_from_response(200, {}, BODY, now)


@pytest.mark.parametrize("status", [200, 203, 204, 226])
def test_rfc9309_2_3_1_1_success_is_parsed(status: int) -> None:
    policy = robots_from_response(status, {}, BODY, 5.0)
    assert (policy.state, policy.access, policy.status) == (State.PARSED, Access.RULES, status)
    assert (policy.allowed("x", OPEN), policy.allowed("x", CLOSED)) == (True, False)
    assert policy.explain("x", CLOSED).line == 2


@pytest.mark.parametrize("status", [300, 301, 302, 307, 399])
def test_rfc9309_2_3_1_2_redirects_left_over_are_unavailable(status: int) -> None:
    assert robots_from_response(status, {}, b"", 0).state is State.ABSENT
    assert robots_from_response(status, {}, b"", 0).allowed("x", CLOSED)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 451, 499])
def test_rfc9309_2_3_1_3_unavailable_allows_everything(status: int) -> None:
    policy = robots_from_response(status, {}, BODY, 0, good())
    assert (policy.state, policy.robots, policy.allowed("x", CLOSED)) == (State.ABSENT, None, True)
    assert policy.explain("x", CLOSED).reason is Reason.STATUS


@pytest.mark.parametrize(("status", "allowed"), [(401, False), (403, False), (404, True)])
def test_denied_may_be_read_as_closed(status: int, allowed: bool) -> None:
    assert robots_from_response(status, {}, b"", 0, denied_is_closed=True).allowed("x", OPEN) is allowed


@pytest.mark.parametrize("status", [None, 0, 100, 429, 500, 502, 503, 599, 600])
def test_rfc9309_2_3_1_4_unreachable_forbids_everything(status: int | None) -> None:
    policy = robots_from_response(status, {}, None, 0)
    assert (policy.state, policy.allowed("x", OPEN)) == (State.UNREACHABLE, False)
    assert not policy.explain("x", OPEN).allowed


def outage(hours: float, previous: Policy | None, stages: tuple = ()) -> Policy:
    """An outage that began an hour after the last good copy, seen some hours after it began."""
    rules = {"outage": stages} if stages else {}
    began = robots_from_response(503, {}, b"", HOUR, previous, **rules)
    return robots_from_response(503, {}, b"", HOUR + hours * HOUR, began, **rules)


def test_rfc9309_2_3_1_4_thirty_days_then_the_last_copy_or_everything() -> None:
    assert not outage(29 * 24, good()).allowed("x", OPEN)
    after = outage(30 * 24, good())
    assert (after.state, after.failing_since, after.fetched_at) == (State.UNREACHABLE, HOUR, 0)
    assert (after.allowed("x", OPEN), after.allowed("x", CLOSED)) == (True, False)
    assert not outage(29 * 24, None).allowed("x", CLOSED)
    assert outage(30 * 24, None).allowed("x", CLOSED)


@pytest.mark.parametrize(
    ("hours", "copy", "open_", "closed"),
    [
        (11, True, False, False),
        (12, True, True, False),
        (29 * 24, True, True, False),
        (30 * 24, True, True, True),
        (11, False, False, False),
        (29 * 24, False, False, False),
        (30 * 24, False, True, True),
    ],
)
def test_google_stops_for_12_hours_then_uses_the_last_copy_for_30_days(
    hours: float, copy: bool, open_: bool, closed: bool
) -> None:
    policy = outage(hours, good() if copy else None, GOOGLE_OUTAGE)
    assert (policy.allowed("x", OPEN), policy.allowed("x", CLOSED)) == (open_, closed)


def test_an_outage_ends_with_the_next_good_answer() -> None:
    policy = robots_from_response(200, {}, BODY, 9 * DAY, outage(48, good()))
    assert (policy.state, policy.failing_since, policy.fetched_at) == (State.PARSED, None, 9 * DAY)


def test_not_modified_renews_the_copy() -> None:
    policy = robots_from_response(304, {"Cache-Control": "max-age=60"}, b"", DAY, good())
    assert (policy.state, policy.access, policy.expires) == (State.PARSED, Access.RULES, DAY + 60)
    assert not policy.allowed("x", CLOSED)


def test_not_modified_without_a_copy_is_a_redirect_left_over() -> None:
    assert robots_from_response(304, {}, b"", 0).state is State.ABSENT
    assert robots_from_response(304, {}, b"", 0, robots_from_response(404, {}, b"", 0)).state is State.ABSENT


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("", DAY),
        ("max-age=60", 60),
        ("public, max-age=3600", HOUR),
        ('max-age="60"', 60),
        ("max-age=999999", DAY),
        ("max-age=99999999999999999999", DAY),
        ("max-age=soon", DAY),
        ("max-age=-1", DAY),
        ("no-store", 0),
        ("No-Cache, max-age=60", 0),
        ("s-maxage=5", DAY),
    ],
)
def test_rfc9309_2_4_a_copy_is_kept_for_a_day_at_most(header: str, seconds: float) -> None:
    policy = robots_from_response(200, [("cache-control", header)], BODY, 100)
    assert policy.expires == 100 + seconds
    assert policy.is_fresh(99 + seconds)
    assert not policy.is_fresh(100 + seconds)


@pytest.mark.parametrize(
    ("header", "seconds"), [("", HOUR), ("120", 120), ("Wed, 21 Oct 2026 07:28:00 GMT", HOUR), ("999999", DAY)]
)
def test_an_unreachable_file_is_tried_again(header: str, seconds: float) -> None:
    assert robots_from_response(503, {"Retry-After": header}, b"", 0).expires == seconds


def test_what_is_worth_a_look_is_said() -> None:
    assert robots_from_response(200, {}, b"<!DOCTYPE html><p>no", 0).state is State.HTML
    cut = robots_from_response(200, {}, BODY * 9, 0, limit=40)
    assert (cut.state, cut.allowed("x", CLOSED)) == (State.TRUNCATED, False)
    assert robots_from_response(304, {}, None, 0, cut).state is State.TRUNCATED


def test_the_profile_is_that_of_the_rules() -> None:
    body = b"User-agent: *\nDisallow: /~u\n"
    assert robots_from_response(200, {}, body, 0).allowed("x", "https://h/%7eu")
    assert not robots_from_response(200, {}, body, 0, profile="rfc").allowed("x", "https://h/%7eu")
