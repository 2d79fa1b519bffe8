"""The evidence behind an answer: deciding line, group, near miss, and what to know about the crawler that asked."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from operator import attrgetter

from waypost.formats.matching import NO_RULE, is_match
from waypost.formats.notes import Note
from waypost.formats.robots_agents import FALLBACKS, IGNORE_STAR, product_token
from waypost.formats.robots_near import near_rule
from waypost.formats.robots_pattern import Profile
from waypost.formats.robots_rules import Candidate, candidates_in, decide
from waypost.formats.robots_text import BLANKS, EVERYBODY, Section, agent_value, line_at, utf8
from waypost.formats.robots_verdict import NearMiss, Reason, Verdict

__all__ = ["Explainer"]

SectionsOf = Callable[[str], Sequence[Section]]
"""The sections of a token, none for a token no group names."""


class Explainer:
    """The verdicts of the groups of a token for a crawler that asked by some tokens; the groups are read once."""

    def __init__(
        self, text: str, sections_of: SectionsOf, token: str | None, *, asked: Sequence[str], profile: Profile
    ) -> None:
        self._text = text
        self._token = token
        self._sections_of = sections_of
        self._profile = profile
        self._notes = tuple(Note(kind, 0, sentence) for kind, sentence in _about(asked, token, sections_of))
        self._sections = sections_of(token) if token is not None else ()
        self._rules = candidates_in(text, self._sections, profile)
        agents = (agent_value(text, place) for section in self._sections for _, place in section.agents)
        self._agents = tuple(dict.fromkeys(map(utf8, agents)))

    def explain(self, path: str) -> Verdict:
        """The verdict, with the rule that nearly decided."""
        winner, loser = decide(self._rules, path)
        found = self._verdict(winner)
        if self._token is None:
            return found
        near, text = near_rule(self._rules, path, winner, loser), self._text
        miss = NearMiss(near[0], self._line(near[1].at), _line_text(text, near[1].at), near[2]) if near else None
        if miss is None and found.allowed and self._token != EVERYBODY:
            miss = _star_would_forbid(text, candidates_in(text, self._sections_of(EVERYBODY), self._profile), path)
        return replace(found, near_miss=miss)

    def scored(self, path: str, score: int) -> Verdict:
        """The verdict where the score that decides is known; near misses are not looked for."""
        length, allow = score >> 1, score & 1
        if score <= NO_RULE:
            return self._verdict(self._plain.get(("", 1)) or self._plain.get(("", 0)))
        rules = [self._plain.get((text, allow)) for text in (path[:length], path + "$")]
        met = [
            rule
            for rule in (*rules, *self._starred.get(score, ()))
            if rule and len(rule.pattern) == length and is_match(rule.pattern, path)
        ]
        return self._verdict(min(met, key=attrgetter("at")))

    @cached_property
    def _plain(self) -> Mapping[tuple[str, int], Candidate]:
        """The first rule of each pattern without a star: a path that meets one has its text."""
        return {(rule.pattern, rule.allow): rule for rule in reversed(self._rules) if "*" not in rule.pattern}

    @cached_property
    def _starred(self) -> Mapping[int, list[Candidate]]:
        rules: dict[int, list[Candidate]] = {}
        for rule in self._rules:
            if "*" in rule.pattern:
                rules.setdefault(2 * len(rule.pattern) + rule.allow, []).append(rule)
        return rules

    @cached_property
    def _starts(self) -> list[int]:
        return [found.start() for found in re.finditer("\n", self._text)]

    def _line(self, at: int) -> int:
        return bisect_right(self._starts, at)

    def _verdict(self, winner: Candidate | None) -> Verdict:
        if self._token is None:
            return Verdict(True, reason=Reason.NO_GROUP, notes=self._notes)
        section = winner.section if winner else self._sections[0]
        place = next(place for name, place in section.agents if name == self._token)
        standing = Verdict(True, group_line=self._line(place), agents=self._agents, notes=self._notes)
        if winner is None:
            return standing
        return replace(
            standing,
            allowed=winner.allow or not winner.pattern,
            rule=_line_text(self._text, winner.at),
            line=self._line(winner.at),
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
