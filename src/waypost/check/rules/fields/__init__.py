"""The optional fields of an entry, and repeated URLs (SMQ3xx)."""

from waypost.check.rule import Rule
from waypost.check.rules.fields import dates, hints, repeats

__all__ = ["RULES"]

RULES: tuple[Rule, ...] = (*dates.RULES, *hints.RULES, *repeats.RULES)
