"""The rules of a crawler's groups with their places, and which of them decides: the slow, plain way."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from waypost.formats.matching import Pattern, is_match
from waypost.formats.robots_pattern import Profile, canonical_pattern, directory_of_index
from waypost.formats.robots_text import Section, rules_in, values_in

__all__ = ["Candidate", "candidates_in", "decide", "patterns_in"]


class Candidate(NamedTuple):
    """A rule of the crawler's groups: its canonical pattern, whether it allows, its line's place, its section."""

    pattern: str
    allow: bool
    at: int
    section: Section


def candidates_in(text: str, sections: Iterable[Section], profile: Profile) -> list[Candidate]:
    """The rules of some sections, with the patterns that Google's index.html rule adds to them."""
    found = []
    for section in sections:
        for allow, value, at in rules_in(text, section):
            pattern = canonical_pattern(value, profile)
            found.append(Candidate(pattern, allow, at, section))
            if allow and profile is Profile.GOOGLE and (opened := directory_of_index(pattern)):
                found.append(Candidate(opened, True, at, section))
    return found


def patterns_in(text: str, sections: Iterable[Section], profile: Profile) -> list[Pattern]:
    """The same patterns without their places, and without the values that decide nothing: quicker."""
    found: list[Pattern] = []
    for section in sections:
        for allow, value in values_in(text, section):
            pattern = canonical_pattern(value, profile)
            found.append((pattern, allow))
            if allow and profile is Profile.GOOGLE and (opened := directory_of_index(pattern)):
                found.append((opened, True))
    return found


def _longest(rules: Iterable[Candidate], path: str, *, allow: bool) -> Candidate | None:
    """The longest matching rule of one kind, the first of equals; a rule without a value matches with length 0."""
    best: Candidate | None = None
    for rule in rules:
        longer = best is None or len(rule.pattern) > len(best.pattern)
        if rule.allow is allow and longer and is_match(rule.pattern, path):
            best = rule
    return best


def decide(rules: Sequence[Candidate], path: str) -> tuple[Candidate | None, Candidate | None]:
    """The deciding rule, and the best of the other kind, which lost: a Disallow wins only when it is longer."""
    allow, disallow = _longest(rules, path, allow=True), _longest(rules, path, allow=False)
    if allow is None or (disallow is not None and len(disallow.pattern) > len(allow.pattern)):
        return disallow, allow
    return allow, disallow
