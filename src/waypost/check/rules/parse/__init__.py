"""Whether the body is a sitemap, and its URLs are URLs (SMF109 to SMF115, SMP2xx)."""

from waypost.check.rule import Rule
from waypost.check.rules.parse import body, document, locs, xml

__all__ = ["RULES"]

RULES: tuple[Rule, ...] = (*body.RULES, *xml.RULES, *document.RULES, *locs.RULES)
