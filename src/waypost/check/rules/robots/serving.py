"""How robots.txt is served: under every name, fast, and not kept too long (RBT114 to RBT116)."""

import re
from collections.abc import Iterable

from waypost.check.capture import Capture
from waypost.check.evidence import Evidence
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.formats.robots import Robots, read_robots

__all__ = ["RULES"]

_SLOW_S = 2.0
_DAY_S = 86_400
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d{1,12})", re.IGNORECASE)


@rule("RBT114", Step.ROBOTS, Severity.WARN)
def robots_variants_differ(evidence: Evidence) -> Iterable[Hit]:
    """The other scheme, or www and the bare domain, answer with other rules.

    Why: crawlers keep rules for each host and scheme apart, and see two policies.

    Fix: Serve the same robots.txt everywhere, or redirect the others to one.

    Bad:
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /a

        GET http://example.com/robots.txt → 200 text/plain

        User-agent: *
        Disallow: /

    Good:
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /a

        GET http://example.com/robots.txt → 200 text/plain

        User-agent: *
        Disallow: /a
    """
    if evidence.robots is None:
        return
    own = _rules(evidence.robots)
    for capture in evidence.variants:
        if capture.is_success and not capture.was_redirected:
            other = read_robots(capture.body.read(), url=capture.url)
            if not other.is_markup and _rules(other) != own:
                yield Hit(f"{capture.url} has other rules", url=capture.url)


def _rules(robots: Robots) -> set[tuple[str, bool, str]]:
    return {
        (agent.lower(), one.allow, one.pattern)
        for group in robots.groups
        for agent in group.agents
        for one in group.rules
        if one.pattern
    }


@rule("RBT115", Step.ROBOTS, Severity.INFO)
def slow_robots(capture: Capture) -> str | None:
    """The robots.txt takes over two seconds.

    Why: every crawler asks for it before anything else.

    Fix: Serve it from memory or disk.

    Bad:
        GET /robots.txt → 200 text/plain in 3 s

        User-agent: *
        Disallow: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    if capture.is_success and capture.elapsed_s > _SLOW_S:
        return f"took {capture.elapsed_s:.1f} s"
    return None


@rule("RBT116", Step.ROBOTS, Severity.INFO, fix=Fix.SAFE)
def robots_cached_long(capture: Capture) -> str | None:
    """The robots.txt asks caches to keep it for more than a day.

    Why: a mistake in it lasts as long.

    Fix: Send Cache-Control: max-age=3600, say.

    Bad:
        GET /robots.txt → 200 text/plain
        Cache-Control: max-age=604800

        User-agent: *
        Disallow: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    found = _MAX_AGE.search(capture.headers.get("cache-control"))
    if not capture.is_success or not found or int(found[1]) <= _DAY_S:
        return None
    return f"max-age is {int(found[1]):,} seconds"


RULES: tuple[Rule, ...] = (robots_variants_differ, slow_robots, robots_cached_long)
