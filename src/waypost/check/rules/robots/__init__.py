"""robots.txt: fetching it (RBT1xx), reading its lines (RBT2xx), and what it means (RBT3xx)."""

from waypost.check.rule import Rule
from waypost.check.rules.robots import fetching, groups, lines, reach, serving, signals, sitemaps

__all__ = ["RULES"]

RULES: tuple[Rule, ...] = (
    *fetching.RULES,
    *serving.RULES,
    *lines.RULES,
    *groups.RULES,
    *sitemaps.RULES,
    *reach.RULES,
    *signals.RULES,
)
