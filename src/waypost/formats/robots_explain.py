"""The evidence behind an answer: deciding line, group, near miss, and what to know about the crawler that asked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from waypost.formats.notes import Note
from waypost.formats.robots_agents import FALLBACKS, IGNORE_STAR, product_token
from waypost.formats.robots_near import near_rule
from waypost.formats.robots_pattern import Profile
from waypost.formats.robots_rules import Candidate, candidates_in, decide
from waypost.formats.robots_text import BLANKS, EVERYBODY, Section, agent_value, line_at, utf8
from waypost.formats.robots_verdict import NearMiss, Reason, Verdict

__all__ = ["explain_for"]

SectionsOf = Callable[[str], Sequence[Section]]
"""The sections of a token, none for a token no group names."""


def explain_for(
    text: str, sections_of: SectionsOf, token: str | None, *, asked: Sequence[str], path: str, profile: Profile
) -> Verdict:
    """The verdict of the groups of a token for a crawler that asked by these tokens."""
    notes = tuple(Note(kind, 0, sentence) for kind, sentence in _about(asked, token, sections_of))
    if token is None:
        return Verdict(True, reason=Reason.NO_GROUP, notes=notes)
    sections = sections_of(token)
    rules = candidates_in(text, sections, profile)
    winner, _ = decide(rules, path)
    found = _verdict(text, sections, token, winner)
    near = near_rule(rules, path)
    miss = NearMiss(near[0], line_at(text, near[1].at), _line_text(text, near[1].at), near[2]) if near else None
    if miss is None and found.allowed and token != EVERYBODY:
        miss = _star_would_forbid(text, candidates_in(text, sections_of(EVERYBODY), profile), path)
    return replace(found, near_miss=miss, notes=notes)


def _verdict(text: str, sections: Sequence[Section], token: str, winner: Candidate | None) -> Verdict:
    section = winner.section if winner else sections[0]
    group_line = line_at(text, next(place for name, place in section.agents if name == token))
    agents = tuple(dict.fromkeys(utf8(agent_value(text, place)) for part in sections for _, place in part.agents))
    if winner is None:
        return Verdict(True, group_line=group_line, agents=agents, reason=Reason.NO_MATCH)
    return Verdict(
        allowed=winner.allow or not winner.pattern,
        rule=_line_text(text, winner.at),
        line=line_at(text, winner.at),
        group_line=group_line,
        agents=agents,
        pattern=winner.pattern,
        reason=Reason.RULE if winner.pattern else Reason.EMPTY,
    )


def _line_text(text: str, at: int) -> str:
    end = text.find("\n", at + 1)
    return utf8(text[at + 1 : len(text) if end < 0 else end].strip(BLANKS))


def _star_would_forbid(text: str, rules: Sequence[Candidate], path: str) -> NearMiss | None:
    winner, _ = decide(rules, path)
    if winner is None or winner.allow or not winner.pattern:
        return None
    why = "it forbids the URL to everybody else, but a crawler with a group of its own does not follow the group for *"
    return NearMiss("star-group", line_at(text, winner.at), _line_text(text, winner.at), why)


def _about(asked: Sequence[str], token: str | None, sections_of: SectionsOf) -> Iterator[tuple[str, str]]:
    """What to know about the crawler: nothing of it changes the answer."""
    for name in asked:
        alone = product_token(name)
        if name not in {EVERYBODY, alone}:
            yield "agent-not-a-token", f"{name} is compared whole and no group can name it; its token is {alone}"
        if token == EVERYBODY and name in IGNORE_STAR:
            yield "special-crawler", f"Google's live {name} does not follow the group for *"
        general = FALLBACKS.get(name)
        if token in {EVERYBODY, None} and general and sections_of(general):
            yield "falls-back", f"Google's live {name} follows the group for {general} here"
