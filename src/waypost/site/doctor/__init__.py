"""The doctor's rules: what can be wrong with a root, with what is published from it, and with its hosts."""

from waypost.check.rule import Rule
from waypost.site.doctor import listing, naming, objects

__all__ = ["RULES"]

RULES: tuple[Rule, ...] = tuple(
    sorted((*objects.RULES, *listing.RULES, *naming.RULES), key=lambda rule: rule.code),
)
"""Every rule of the doctor, by code."""
