"""robots.txt: the registry's rules in every group, the owner's rules beside them, and the way to the sitemap."""

import re

from waypost.errors import WriteError
from waypost.formats.robots_groups import Extra, Group, Rule
from waypost.formats.robots_write import write_robots
from waypost.publish.paths import disallowed, names_admin
from waypost.publish.settings import Publishing, RobotsGroup

__all__ = ["group_fault", "robots_txt"]

_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff#]")
_AGENT = re.compile(r"\*|[A-Za-z_-]+")
_EVERYBODY = RobotsGroup(agents=("*",))


def group_fault(group: RobotsGroup, admin_path: str = "") -> str | None:
    """What is wrong with an owner's group, as a sentence; None for one that can be published.

    >>> group_fault(RobotsGroup(("*",), disallow=("/Hidden-Door/*",)), admin_path="hidden-door")
    'the rule "/Hidden-Door/*" would tell everybody the admin path'
    """
    if not group.agents:
        return "the group names no agent"
    for agent in group.agents:
        if not _AGENT.fullmatch(agent):
            return f'the agent "{agent!a}" is not * and not a token of letters, _ and -'
    for rule in (*group.allow, *group.disallow):
        if fault := _rule_fault(rule, admin_path):
            return f'the rule "{rule}" {fault}'
    if group.crawl_delay is not None and not 0 <= group.crawl_delay < 100_000:
        return f"the crawl delay {group.crawl_delay} is not a number of seconds"
    return "the content signal has a line break or a # in it" if _UNFIT.search(group.content_signal) else None


def _rule_fault(rule: str, admin_path: str) -> str | None:
    if _UNFIT.search(rule):
        return "has a line break, a control character or a # in it"
    if rule and not rule.startswith(("/", "*")):
        return "must start with / or *"
    return "would tell everybody the admin path" if names_admin(rule, admin_path) else None


def robots_txt(settings: Publishing, origin: str, *, has_sitemap: bool) -> bytes:
    """The document. Raises `WriteError` for a group that must not be published."""
    if settings.is_closed:
        return write_robots([Group(("*",), (Rule(allow=False, pattern="/"),))])
    for group in settings.groups:
        if fault := group_fault(group, settings.admin_path):
            raise WriteError(f"robots.txt: {fault}")
    groups = settings.groups
    if not any("*" in group.agents for group in groups):
        groups = (_EVERYBODY, *groups)
    sitemaps = (f"{origin}/sitemap.xml",) if has_sitemap else ()
    return write_robots([_written(group) for group in groups], sitemaps=sitemaps)


def _written(group: RobotsGroup) -> Group:
    rules = [Rule(allow=True, pattern=rule) for rule in group.allow if rule != "/"]
    refused = dict.fromkeys((*disallowed(), *filter(None, group.disallow)))
    rules += [Rule(allow=False, pattern=rule) for rule in refused]
    # Against a rule as short as this one a tie would go to it: whoever disallows everything means it.
    if "/" in group.allow or all(len(rule) != 1 for rule in group.disallow):
        rules.append(Rule(allow=True, pattern="/"))
    extras = [Extra("Crawl-delay", f"{group.crawl_delay:g}")] if group.crawl_delay is not None else []
    extras += [Extra("Content-Signal", group.content_signal)] if group.content_signal else []
    return Group(group.agents, tuple(rules), tuple(extras))
