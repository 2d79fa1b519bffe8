"""Feeds, and lists of feeds (FED8xx)."""

from waypost.check.rule import Rule
from waypost.check.rules.feeds import details, entries, finding

__all__ = ["RULES"]

RULES: tuple[Rule, ...] = (*entries.RULES, *details.RULES, *finding.RULES)
