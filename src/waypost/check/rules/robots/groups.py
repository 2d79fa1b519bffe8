"""Groups of robots.txt, and lines that are no rules (RBT215 to RBT225)."""

import re
from collections.abc import Iterable, Iterator

from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.noted import noted
from waypost.formats.printable import clipped
from waypost.formats.robots import Robots
from waypost.formats.robots_groups import Group
from waypost.formats.robots_groups import Rule as Line
from waypost.formats.robots_lines import LineKind

__all__ = ["RULES"]

_SHOWN_CHARS = 80
_UNPLAIN = re.compile(r"[*$%]")
_DELAY = re.compile(r"\d+(?:\.\d+)?", re.ASCII)


def _shown(text: str) -> str:
    return f"“{clipped(text, _SHOWN_CHARS)}”"


@rule("RBT215", Step.ROBOTS, Severity.INFO, fix=Fix.SAFE)
def agent_in_several_groups(robots: Robots) -> Iterable[Hit]:
    """A crawler has several groups.

    Why: RFC 9309 merges them; some readers take the first one only.

    Fix: Write one group for each crawler.

    Bad:
        User-agent: Bingbot
        Disallow: /a

        User-agent: Bingbot
        Disallow: /b

    Good:
        User-agent: Bingbot
        Disallow: /a
        Disallow: /b
    """
    first: dict[str, int] = {}
    for number, group in enumerate(robots.groups):
        for agent in dict.fromkeys(name.lower() for name in group.agents):
            if first.setdefault(agent, number) != number:
                yield Hit(f"{_shown(agent)} has a group on line {robots.groups[first[agent]].line} already", group.line)


@rule("RBT216", Step.ROBOTS, Severity.INFO, fix=Fix.SAFE)
def blank_in_header(robots: Robots) -> Iterable[Hit]:
    """A blank line stands between a User-agent line and its rules.

    Why: old readers end the group there, and the rules bind nobody.

    Fix: Take the blank line out.

    Bad:
        User-agent: *

        Disallow: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    for note in robots.notes:
        if note.kind == "blank-in-header":
            yield Hit("old readers end the group here", note.line)


@rule("RBT217", Step.ROBOTS, Severity.INFO)
def group_without_rules(robots: Robots) -> Iterable[Hit]:
    """A group has no rules of its own; where other lines stand in it, the rules of the next group bind it too.

    Why: an empty group allows everything. One that ends in Crawl-delay does not end there for Google.

    Fix: Write Disallow: with nothing behind it to allow everything, or take the group out.

    Bad:
        User-agent: Bingbot
        Crawl-delay: 5

        User-agent: *
        Disallow: /a

    Bad:
        User-agent: *
        Disallow: /a

        User-agent: Bingbot

    Good:
        User-agent: Bingbot
        Disallow:
    """
    yield from noted(robots, "header-left-open", "the rules below {} bind the agents above it too", Severity.WARN)
    for group in robots.groups:
        if group.agents and not group.rules:
            yield Hit(f"no rule for {_shown(', '.join(group.agents))}", group.line)


def _repeated(group: Group) -> Iterator[Line]:
    known: set[tuple[bool, str]] = set()
    for one in group.rules:
        if one.pattern and (one.allow, one.pattern) in known:
            yield one
        known.add((one.allow, one.pattern))


@rule("RBT218", Step.ROBOTS, Severity.INFO, fix=Fix.SAFE)
def repeated_rule(robots: Robots) -> Iterable[Hit]:
    """A rule stands twice in one group.

    Why: the second one changes nothing.

    Fix: Keep one.

    Bad:
        User-agent: *
        Disallow: /a
        Disallow: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    for group in robots.groups:
        for one in _repeated(group):
            yield Hit(f"{_shown(one.pattern)} stands in this group already", one.line)


@rule("RBT219", Step.ROBOTS, Severity.WARN, fix=Fix.PROPOSED)
def allowed_and_disallowed(robots: Robots) -> Iterable[Hit]:
    """A group allows and disallows the same pattern.

    Why: Allow wins a tie, so the Disallow does nothing.

    Fix: Take out the one that is not meant.

    Bad:
        User-agent: *
        Allow: /a
        Disallow: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    for group in robots.groups:
        allowed = {one.pattern for one in group.rules if one.allow}
        for one in group.rules:
            if not one.allow and one.pattern and one.pattern in allowed:
                yield Hit(f"{_shown(one.pattern)} is allowed too, and Allow wins", one.line)


@rule("RBT220", Step.ROBOTS, Severity.INFO, fix=Fix.PROPOSED)
def shadowed_rule(robots: Robots) -> Iterable[Hit]:
    """A rule can never decide: another of its kind in the group matches whatever it matches, and says the same.

    Why: it changes no answer, and hides what does.

    Fix: Take it out.

    Bad:
        User-agent: *
        Disallow: /a
        Disallow: /a/b

    Good:
        User-agent: *
        Disallow: /a
        Allow: /a/b
    """
    for group in robots.groups:
        plain = [one for one in group.rules if one.pattern and not _UNPLAIN.search(one.pattern)]
        others = [one for one in group.rules if _UNPLAIN.search(one.pattern)]
        if others and any(one.allow != plain_one.allow for one in others for plain_one in plain[:1]):
            continue
        yield from _shadowed(plain)


def _shadowed(rules: list[Line]) -> Iterator[Hit]:
    # In order of their text a rule's prefixes stand before it: a stack of them is all that is needed.
    stack: list[Line] = []
    for one in sorted(rules, key=lambda rule: rule.pattern):
        while stack and not one.pattern.startswith(stack[-1].pattern):
            stack.pop()
        if stack and stack[-1].allow == one.allow and stack[-1].pattern != one.pattern:
            yield Hit(f"{_shown(one.pattern)} is covered by {_shown(stack[-1].pattern)}", one.line)
        stack.append(one)


def _of_kind(robots: Robots, *kinds: LineKind) -> Iterator[tuple[str, int, int]]:
    return ((line.value, line.number, line.column) for line in robots.lines if line.kind in kinds)


@rule("RBT221", Step.ROBOTS, Severity.WARN, fix=Fix.PROPOSED)
def noindex_in_robots(robots: Robots) -> Iterable[Hit]:
    """A Noindex line stands in robots.txt.

    Why: no crawler honours it any more.

    Fix: Send X-Robots-Tag: noindex, or a robots meta tag, with the page, and let crawlers read it.

    Bad:
        User-agent: *
        Noindex: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    for value, line, column in _of_kind(robots, LineKind.NOINDEX):
        yield Hit(f"Noindex: {_shown(value)} is not honoured", line, column)


@rule("RBT222", Step.ROBOTS, Severity.INFO)
def crawl_delay(robots: Robots) -> Iterable[Hit]:
    """A Crawl-delay stands in robots.txt: Google ignores it, and some values are no number.

    Why: it slows only the crawlers that read it.

    Fix: Answer 429 or 503 with Retry-After to a crawler that asks too often.

    Bad:
        User-agent: *
        Crawl-delay: ten

    Good:
        User-agent: *
        Disallow: /a
    """
    for value, line, column in _of_kind(robots, LineKind.CRAWL_DELAY):
        told = "Google ignores it" if _DELAY.fullmatch(value) else "it is no number of seconds"
        yield Hit(f"Crawl-delay: {_shown(value)}: {told}", line, column)


@rule("RBT223", Step.ROBOTS, Severity.INFO, fix=Fix.SAFE)
def host_directive(robots: Robots) -> Iterable[Hit]:
    """A Host line stands in robots.txt.

    Why: the one crawler that read it retired it in 2018; a redirect says the same to all.

    Fix: Redirect the other hosts, and take the line out.

    Bad:
        User-agent: *
        Disallow:
        Host: example.com

    Good:
        User-agent: *
        Disallow:
    """
    for value, line, column in _of_kind(robots, LineKind.HOST):
        yield Hit(f"Host: {_shown(value)} is read by nobody", line, column)


_CLEAN = re.compile(r"[^\s&=/]+(?:&[^\s&=/]+)*(?:\s+/\S*)?")


@rule("RBT224", Step.ROBOTS, Severity.WARN)
def malformed_clean_param(robots: Robots) -> Iterable[Hit]:
    """A Clean-param line is not of the form: parameters joined by &, then an optional path.

    Why: the crawler that reads it drops the line.

    Fix: Write Clean-param: utm_source&utm_medium /path.

    Bad:
        User-agent: *
        Disallow:
        Clean-param: ?utm_source=

    Good:
        User-agent: *
        Disallow:
        Clean-param: utm_source&utm_medium /shop
    """
    for value, line, column in _of_kind(robots, LineKind.CLEAN_PARAM):
        if not _CLEAN.fullmatch(value) or "?" in value:
            yield Hit(f"Clean-param: {_shown(value)}", line, column)


@rule("RBT225", Step.ROBOTS, Severity.INFO)
def old_directive(robots: Robots) -> Iterable[Hit]:
    """A Request-rate or Visit-time line stands in robots.txt.

    Why: hardly any crawler reads it.

    Fix: Leave it if somebody you know reads it.

    Bad:
        User-agent: *
        Visit-time: 0600-0845

    Good:
        User-agent: *
        Disallow: /a
    """
    for value, line, column in _of_kind(robots, LineKind.REQUEST_RATE, LineKind.VISIT_TIME):
        yield Hit(f"{_shown(value)} is read by hardly anybody", line, column)


RULES: tuple[Rule, ...] = (
    agent_in_several_groups,
    blank_in_header,
    group_without_rules,
    repeated_rule,
    allowed_and_disallowed,
    shadowed_rule,
    noindex_in_robots,
    crawl_delay,
    host_directive,
    malformed_clean_param,
    old_directive,
)
