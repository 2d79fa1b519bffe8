"""The evidence behind an answer: the deciding line, found again by looking at every rule."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from waypost.formats.matching import is_match
from waypost.formats.robots_pattern import Profile, canonical_pattern, directory_of_index
from waypost.formats.robots_text import BLANKS, Section, line_at, rules_in, utf8
from waypost.formats.robots_verdict import Reason, Verdict

__all__ = ["Candidate", "candidates_in", "decide", "verdict"]


class Candidate(NamedTuple):
    """A rule of the crawler's groups: whether it allows, its canonical pattern, its line's place, its section."""

    allow: bool
    pattern: str
    at: int
    section: Section


def candidates_in(text: str, sections: Iterable[Section], profile: Profile) -> list[Candidate]:
    """The rules of some sections, with the patterns that Google's index.html rule adds to them."""
    found = []
    for section in sections:
        for allow, value, at in rules_in(text, section):
            pattern = canonical_pattern(value, profile)
            found.append(Candidate(allow, pattern, at, section))
            if allow and profile is Profile.GOOGLE and (opened := directory_of_index(pattern)):
                found.append(Candidate(True, opened, at, section))
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


def verdict(text: str, sections: Sequence[Section], token: str, rules: Sequence[Candidate], path: str) -> Verdict:
    """The verdict of a crawler's groups, without near miss and notes."""
    winner, _ = decide(rules, path)
    section = winner.section if winner else sections[0]
    where = section.places[section.tokens.index(token)]
    agents = tuple(utf8(value) for part in sections for value in part.values)
    if winner is None:
        return Verdict(True, group_line=line_at(text, where), agents=agents, reason=Reason.NO_MATCH)
    return Verdict(
        allowed=winner.allow or not winner.pattern,
        rule=_line_text(text, winner.at),
        line=line_at(text, winner.at),
        group_line=line_at(text, where),
        agents=agents,
        pattern=winner.pattern,
        reason=Reason.RULE if winner.pattern else Reason.EMPTY,
    )


def _line_text(text: str, at: int) -> str:
    end = text.find("\n", at + 1)
    return utf8(text[at + 1 : len(text) if end < 0 else end].strip(BLANKS))
