"""Every rule of the checks, as one tuple."""

from waypost.check.rule import Rule
from waypost.check.rules import (
    deep,
    discover,
    extensions,
    feeds,
    fetch,
    fields,
    limits,
    pagefacts,
    pages,
    parse,
    robots,
    scope,
    services,
    trends,
    xmlmap,
)

__all__ = ["RULES"]

RULES: tuple[Rule, ...] = (
    *discover.RULES,
    *fetch.RULES,
    *parse.RULES,
    *fields.RULES,
    *limits.RULES,
    *scope.RULES,
    *extensions.RULES,
    *robots.RULES,
    *xmlmap.RULES,
    *services.RULES,
    *feeds.RULES,
    *deep.RULES,
    *pages.RULES,
    *pagefacts.RULES,
    *trends.RULES,
)
