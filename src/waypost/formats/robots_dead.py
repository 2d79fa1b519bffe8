"""Rules that can never decide: whatever they match, a longer rule matches too.

Whether one pattern covers another is asked of the matcher itself. A pattern's *sample* is the pattern with a character
that stands in no pattern for each star. A pattern that matches the sample took that character with one of its own
stars, so it matches whatever the star could have been.
"""

from collections.abc import Sequence
from typing import NamedTuple

from waypost.formats.matching import compile_rules, is_match
from waypost.formats.robots_rules import Candidate
from waypost.limits import ROBOTS_DEAD_RULES_MAX

__all__ = ["DeadRule", "dead_rules", "samples_of"]

_ANYTHING = "\ufffe"
"""Stands for whatever a star matches; canonical patterns are ASCII."""


class DeadRule(NamedTuple):
    """The line of a rule that can never decide, and the line of one that decides before it."""

    line: int
    by_line: int
    pattern: str


def samples_of(pattern: str) -> list[str]:
    """Paths that only those patterns match all of which match all that this pattern matches.

    A star at the start takes the path's slash with it, or nothing when a slash follows.

    >>> [sample.encode("ascii", "replace") for sample in samples_of("*/b$")]
    [b'/?/b', b'/b']
    """
    body = pattern[:-1] if pattern.endswith("$") else pattern + "*"
    bodies = [body]
    if body.startswith("*"):
        rest = body.lstrip("*")
        bodies = ["/" + body, *([rest] if rest.startswith("/") else [])]
    return [body.replace("*", _ANYTHING) for body in bodies]


def dead_rules(rules: Sequence[Candidate]) -> list[tuple[Candidate, Candidate]]:
    """The rules among these that can never decide, each with one that decides before it.

    A rule that is said twice is not dead, and neither is one that matches nothing. A line is dead when all the patterns
    it stands for are.
    """
    score = compile_rules((rule.pattern, rule.allow) for rule in rules)
    dead: dict[int, Candidate] = {}
    alive: set[int] = set()
    for rule in rules:
        own = 2 * len(rule.pattern) + rule.allow
        if rule.pattern.startswith(("/", "*")) and all(score(sample) > own for sample in samples_of(rule.pattern)):
            dead.setdefault(rule.at, rule)
        else:
            alive.add(rule.at)
    by_score: dict[int, list[Candidate]] = {}
    for rule in rules:
        by_score.setdefault(2 * len(rule.pattern) + rule.allow, []).append(rule)
    found = []
    for rule in (rule for at, rule in dead.items() if at not in alive):
        sample = samples_of(rule.pattern)[0]
        found.append((rule, next(other for other in by_score[score(sample)] if is_match(other.pattern, sample))))
        if len(found) >= ROBOTS_DEAD_RULES_MAX:
            break
    return found
