"""Groups of a robots.txt as values: read from its lines, or made by a caller for the writer."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from waypost.formats.robots_lines import Line, LineKind
from waypost.formats.robots_text import EVERYBODY, agent_token

__all__ = ["Extra", "Group", "Rule", "agent_name", "groups_of", "lines_for", "members_of"]

_NAME = re.compile(r"[A-Za-z_-]+")


class Rule(NamedTuple):
    """An Allow or a Disallow; the pattern is the value as it is written."""

    allow: bool
    pattern: str
    line: int = 0


class Extra(NamedTuple):
    """Another line of a group, Crawl-delay or Content-Signal for example."""

    key: str
    value: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Some agents (product tokens, `*` for everybody) and what is said to them. `line` is that of the first agent."""

    agents: tuple[str, ...]
    rules: tuple[Rule, ...] = ()
    extras: tuple[Extra, ...] = ()
    line: int = 0


def agent_name(value: str) -> str:
    """The token of a User-agent value in the letters it is written in; "" where it names nobody."""
    if agent_token(value) == EVERYBODY:
        return EVERYBODY
    found = _NAME.match(value)
    return found[0] if found else ""


def groups_of(lines: Iterable[Line]) -> tuple[Group, ...]:
    """The groups of a document, in order and not merged; a group without a usable agent is there with none."""
    return tuple(map(_group, members_of(lines)))


def members_of(lines: Iterable[Line]) -> list[list[Line]]:
    """The lines of each group of a document."""
    by_group: list[list[Line]] = []
    for line in lines:
        if line.group >= len(by_group):
            by_group.append([])
        if line.group >= 0:
            by_group[line.group].append(line)
    return by_group


def _group(members: Sequence[Line]) -> Group:
    agents = [agent_name(line.value) for line in members if line.kind is LineKind.AGENT]
    return Group(
        agents=tuple(dict.fromkeys(filter(None, agents))),
        rules=tuple(Rule(line.kind is LineKind.ALLOW, line.value, line.number) for line in members if line.is_rule),
        extras=tuple(
            Extra(line.key, line.value, line.number)
            for line in members
            if not line.is_rule and line.kind is not LineKind.AGENT
        ),
        line=members[0].number,
    )


def lines_for(lines: Iterable[Line], token: str) -> Iterator[Line]:
    """The lines said to a token: those below the line that names it, in the same group.

    A Crawl-delay between two User-agent lines does not part them (RFC 9309 section 2.2.4), but it is said only to the
    agents above it.
    """
    named_in = -1
    for line in lines:
        if line.kind is LineKind.AGENT:
            if agent_token(line.value) == token:
                named_in = line.group
        elif line.group >= 0 and line.group == named_in:
            yield line
