"""robots.txt: the registry's rules in every group, the owner's rules beside them, and the way to the sitemap."""

from waypost.errors import WriteError
from waypost.formats.robots_extras import SIGNALS
from waypost.formats.robots_groups import Extra, Group, Rule
from waypost.formats.robots_write import write_robots
from waypost.publish.paths import disallowed, names_admin
from waypost.publish.settings import Publishing, RobotsGroup

__all__ = ["group_fault", "robots_txt"]

_DELAY_S_MAX = 100_000
_EVERYBODY = RobotsGroup(agents=("*",))


def group_fault(group: RobotsGroup, admin_path: str = "") -> str | None:
    """What is wrong with an owner's group, as a sentence; None for one that can be published.

    >>> group_fault(RobotsGroup(("*",), disallow=("/Hidden-Door/*",)), admin_path="hidden-door")
    "The rule '/Hidden-Door/*' would tell everybody the admin path; leave it out, it needs no rule."
    """
    try:
        write_robots([_written(group, admin_path)])
    except WriteError as error:
        return str(error)
    return None


def robots_txt(settings: Publishing, origin: str, *, has_sitemap: bool) -> bytes:
    """The document. Raises `WriteError` for a group that must not be published."""
    if settings.is_closed:
        return write_robots([Group(("*",), (Rule(allow=False, pattern="/"),))])
    groups = settings.groups
    if not any("*" in group.agents for group in groups):
        groups = (_EVERYBODY, *groups)
    sitemaps = (f"{origin}/sitemap.xml",) if has_sitemap else ()
    return write_robots([_written(group, settings.admin_path) for group in groups], sitemaps=sitemaps)


def _written(group: RobotsGroup, admin_path: str) -> Group:
    signals = [word for word in group.content_signal.split() if word.partition("=")[0] not in SIGNALS]
    said = {"rule": (*group.allow, *group.disallow), "agent": group.agents, "signal": signals}
    for what, texts in said.items():
        for text in texts:
            if names_admin(text.strip(",;"), admin_path):
                why = "would tell everybody the admin path; leave it out, it needs no rule."
                raise WriteError(f"The {what} {text!r} {why}")
    if group.crawl_delay is not None and not 0 <= group.crawl_delay < _DELAY_S_MAX:
        raise WriteError(f"The crawl delay {group.crawl_delay} is not a number of seconds below {_DELAY_S_MAX:,}.")
    rules = [Rule(allow=True, pattern=rule) for rule in group.allow if rule != "/"]
    refused = dict.fromkeys((*disallowed(), *filter(None, group.disallow)))
    rules += [Rule(allow=False, pattern=rule) for rule in refused]
    # Against a rule as short as this one a tie would go to it: whoever disallows everything means it.
    if "/" in group.allow or all(len(rule) != 1 for rule in group.disallow):
        rules.append(Rule(allow=True, pattern="/"))
    extras = [Extra("Crawl-delay", f"{group.crawl_delay:g}")] if group.crawl_delay is not None else []
    extras += [Extra("Content-Signal", group.content_signal)] if group.content_signal else []
    return Group(group.agents, tuple(rules), tuple(extras))
