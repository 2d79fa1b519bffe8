"""Suites: which versions of which checks run together, under a date. The newest is the default."""

from dataclasses import dataclass

from waypost.check.checks.feeds.v1_0_0 import CHECK as FEEDS
from waypost.check.checks.pages.v1_0_0 import CHECK as PAGES
from waypost.check.checks.robots.v1_0_0 import CHECK as ROBOTS
from waypost.check.checks.robots_xml.v1_0_0 import CHECK as ROBOTS_XML
from waypost.check.checks.sitemap.v1_0_0 import CHECK as SITEMAP
from waypost.check.checks.sitemap_deep.v1_0_0 import CHECK as SITEMAP_DEEP
from waypost.check.checks.trends.v1_0_0 import CHECK as TRENDS
from waypost.check.contract import CheckSpec, Mode
from waypost.errors import ConfigError

__all__ = ["LATEST", "SUITES", "Suite", "suite"]


@dataclass(frozen=True, slots=True)
class Suite:
    """A dated set of checks."""

    date: str
    checks: tuple[CheckSpec, ...]

    def wanted(self, modes: frozenset[Mode]) -> tuple[CheckSpec, ...]:
        """The checks that run in these modes, in the order they are reported."""
        return tuple(check for check in self.checks if check.mode in modes)


SUITES = (Suite("2026.06.10", (SITEMAP, ROBOTS, ROBOTS_XML, FEEDS, SITEMAP_DEEP, PAGES, TRENDS)),)

LATEST = SUITES[-1].date


def suite(date: str = LATEST) -> Suite:
    """The suite of a date."""
    for known in SUITES:
        if known.date == date:
            return known
    raise ConfigError(f"there is no suite {date}; there is {', '.join(known.date for known in SUITES)}")
