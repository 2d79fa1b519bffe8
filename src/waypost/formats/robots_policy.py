"""What a server's answer for /robots.txt means, by RFC 9309 section 2.3.1: data and arithmetic, no clock.

    answer                          state         what may be fetched
    2xx                             parsed        what the rules say (`truncated`, `html`: the same, and worth a look)
    304 with an earlier copy        as it was     what the earlier copy says
    3xx left over (redirects > 5)   absent        everything
    4xx, but 429                    absent        everything
    429, 5xx, no answer             unreachable   by the stages of the outage

The outage's stages say what holds how long after the first failed try. RFC 9309 wants complete disallow, and after a
reasonably long time (30 days) allows the last copy or, without one, everything. Google stops for 12 hours, then uses
the last copy for up to 30 days, then crawls as if there were no file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from waypost.formats.robots import Agent, Robots, read_robots
from waypost.formats.robots_pattern import Profile
from waypost.formats.robots_verdict import Reason, Verdict
from waypost.limits import (
    ROBOTS_BYTES_DEFAULT,
    ROBOTS_CACHE_S_MAX,
    ROBOTS_OUTAGE_GOOGLE_STOP_S,
    ROBOTS_OUTAGE_S_MAX,
    ROBOTS_RETRY_S,
)

__all__ = ["GOOGLE_OUTAGE", "RFC_OUTAGE", "Access", "Policy", "Stage", "State", "robots_from_response"]


class State(StrEnum):
    """What the server's answer came to."""

    PARSED = "parsed"
    TRUNCATED = "truncated"
    """Parsed up to the limit."""
    HTML = "html"
    """Markup instead of rules, a soft error page for example; it is read as what it is, no rules."""
    ABSENT = "absent"
    UNREACHABLE = "unreachable"


class Access(StrEnum):
    """Who says what may be fetched."""

    RULES = "rules"
    OPEN = "open"
    CLOSED = "closed"


class Stage(NamedTuple):
    """A part of an outage: until how many seconds after the first failure, and what holds; None has no end.

    `Access.RULES` means the last copy; where there is none, `otherwise` holds.
    """

    until_s: float | None
    access: Access
    otherwise: Access = Access.CLOSED


RFC_OUTAGE = (Stage(ROBOTS_OUTAGE_S_MAX, Access.CLOSED), Stage(None, Access.RULES, Access.OPEN))
"""RFC 9309 section 2.3.1.4."""
GOOGLE_OUTAGE = (
    Stage(ROBOTS_OUTAGE_GOOGLE_STOP_S, Access.CLOSED),
    Stage(ROBOTS_OUTAGE_S_MAX, Access.RULES, Access.CLOSED),
    Stage(None, Access.OPEN),
)
"""Google's documentation of its crawlers."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What may be fetched, and until when the answer holds; times are the caller's seconds.

    `robots` is the last good copy, `fetched_at` its time; `failing_since` is when an outage began, None outside one.
    """

    state: State
    access: Access
    status: int | None
    expires: float
    robots: Robots | None = None
    fetched_at: float | None = None
    failing_since: float | None = None

    def allowed(self, agent: Agent, url: str) -> bool:
        """Say whether the crawler may fetch the URL."""
        if self.access is Access.RULES and self.robots is not None:
            return self.robots.allowed(agent, url)
        return self.access is not Access.CLOSED

    def explain(self, agent: Agent, url: str) -> Verdict:
        """The answer with its evidence; `Reason.STATUS` where no line but the server's answer decides."""
        if self.access is Access.RULES and self.robots is not None:
            return self.robots.explain(agent, url)
        return Verdict(allowed=self.access is not Access.CLOSED, reason=Reason.STATUS)

    def is_fresh(self, now: float) -> bool:
        """Say whether robots.txt need not be fetched again yet."""
        return now < self.expires


Headers = Mapping[str, str] | Iterable[tuple[str, str]]


def robots_from_response(
    status: int | None,
    headers: Headers,
    body: bytes | None,
    now: float,
    previous: Policy | None = None,
    *,
    url: str | None = None,
    profile: Profile | str = Profile.GOOGLE,
    limit: int | None = ROBOTS_BYTES_DEFAULT,
    outage: Iterable[Stage] = RFC_OUTAGE,
    denied_is_closed: bool = False,
) -> Policy:
    """The policy that follows from one try to fetch /robots.txt, redirects already followed.

    `status` is None or 0 when there was no answer (DNS, TLS, time-out, reset). `previous` is the policy before this
    try: it carries the last good copy and how long the outage has lasted. `denied_is_closed` reads 401 and 403 as
    "nothing may be fetched", as some older readers do.
    """
    fields = {name.lower(): value for name, value in (headers.items() if isinstance(headers, Mapping) else headers)}
    if status is None or status < 200 or status == 429 or status >= 500:
        return _unreachable(status, fields, now, previous, tuple(outage))
    expires = now + _cache_s(fields)
    if status == 304 and previous is not None and previous.robots is not None:
        state = _state(previous.robots)
        renewed = replace(previous, state=state, access=Access.RULES, status=status, expires=expires)
        return replace(renewed, fetched_at=now, failing_since=None)
    if status >= 300:
        access = Access.CLOSED if denied_is_closed and status in {401, 403} else Access.OPEN
        return Policy(State.ABSENT, access, status, expires)
    robots = read_robots(body or b"", url=url, profile=profile, limit=limit)
    return Policy(_state(robots), Access.RULES, status, expires, robots, now)


def _state(robots: Robots) -> State:
    if robots.is_markup:
        return State.HTML
    return State.TRUNCATED if robots.truncated else State.PARSED


def _unreachable(
    status: int | None, fields: Mapping[str, str], now: float, previous: Policy | None, outage: tuple[Stage, ...]
) -> Policy:
    robots = previous.robots if previous else None
    since = previous.failing_since if previous and previous.failing_since is not None else now
    stage = next((stage for stage in outage if stage.until_s is None or now - since < stage.until_s), outage[-1])
    access = stage.otherwise if stage.access is Access.RULES and robots is None else stage.access
    fetched_at = previous.fetched_at if previous else None
    expires = now + _seconds(fields.get("retry-after", ""), ROBOTS_RETRY_S)
    return Policy(State.UNREACHABLE, access, status, expires, robots, fetched_at, since)


def _cache_s(fields: Mapping[str, str]) -> float:
    """How long an answer may be kept: Cache-Control's max-age, at most a day (RFC 9309 section 2.4)."""
    directives = [part.strip().lower() for part in fields.get("cache-control", "").split(",")]
    if "no-store" in directives or "no-cache" in directives:
        return 0
    ages = [part.partition("=")[2].strip('" ') for part in directives if part.startswith("max-age=")]
    return _seconds(ages[0] if ages else "", ROBOTS_CACHE_S_MAX)


def _seconds(text: str, default: float) -> float:
    text = text.strip()
    return min(int(text), ROBOTS_CACHE_S_MAX) if text.isascii() and text.isdigit() and len(text) < 12 else default
