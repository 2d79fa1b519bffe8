"""Which rule decides a URL: rule patterns compiled into sorted tables, never into regular expressions.

A pattern is anchored at the start of the path; `*` stands for any run, a final `$` for the end; the longest pattern
that matches decides, and Allow wins a tie. A rule's *score* says all of that in one number:
`2 * len(pattern) + allow`. The greatest score decides and its last bit is the answer. `NO_RULE` is 1: length nothing,
allowed.

Literal patterns stand in one sorted list: the longest one that begins a path is found by bisection and a walk up the
chain of its own prefixes, so a question costs the same with 20 rules and with 5,000. A pattern with a star in the
middle hangs on the literal text before its first star.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from waypost.formats.matching_wild import Wild, try_each, try_indexed
from waypost.limits import ROBOTS_LINEAR_QUESTIONS, ROBOTS_LINEAR_RULES_MIN, ROBOTS_WILD_INDEX_MIN

__all__ = ["NO_RULE", "Pattern", "Ruleset", "compile_rules", "is_match", "path_of", "score_of"]

NO_RULE = 1
"""The score when no rule matches."""

Pattern = tuple[str, bool]
"""A canonical pattern, and whether it allows."""

_PATH = re.compile(r"(?://)?+(?:[^/?;#]*://)?+[^/?;#]*+([/?;][^#\0]*)").match


def path_of(url: str) -> str:
    """The path and query of a URL as Google's reference cuts them out: nothing decoded, nothing resolved."""
    found = _PATH(url)
    if found is None:
        return "/"
    path = found[1]
    return path if path[0] == "/" else "/" + path


class Shape(NamedTuple):
    """A pattern taken apart: the literal text before the first star, the parts after it, and the end it must have."""

    head: str
    parts: tuple[str, ...]
    tail: str | None
    anchored: bool


def _shape(pattern: str) -> Shape:
    anchored = pattern.endswith("$")
    body = pattern[:-1] if anchored else pattern
    if body.endswith("*"):
        body, anchored = body.rstrip("*"), False
    if "*" not in body:
        return Shape(body, (), None, anchored)
    head, *rest = body.split("*")
    parts = [part for part in rest if part]
    tail = parts.pop() if anchored else None
    return Shape(head, tuple(parts), tail, anchored)


def is_match(pattern: str, path: str) -> bool:
    """Say whether one canonical pattern matches a path.

    Each part is taken where it first stands after the part before, which is never worse than a later place.
    """
    if "*" not in pattern:
        return path == pattern[:-1] if pattern.endswith("$") else path.startswith(pattern)
    head, *parts = pattern.split("*")
    if not path.startswith(head):
        return False
    tail, place, find = parts.pop(), len(head), path.find
    for part in parts:
        found = find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    if not tail.endswith("$"):
        return find(tail, place) >= 0
    return path.endswith(tail[:-1]) and len(path) - len(tail) + 1 >= place


def score_of(rules: Iterable[Pattern], path: str) -> int:
    """The best score for a path by looking at every rule: cheaper than compiling for a handful of questions."""
    best = NO_RULE
    for pattern, allow in rules:
        score = 2 * len(pattern) + allow
        if score > best and is_match(pattern, path):
            best = score
    return best


Scorer = Callable[[str], int]


class Ruleset:
    """The rules one crawler follows; `score(path)` looks through them at first and compiles them when asked often."""

    __slots__ = ("_left", "rules", "score")

    def __init__(self, rules: Sequence[Pattern]) -> None:
        self.rules = rules
        self._left = ROBOTS_LINEAR_QUESTIONS
        self.score: Scorer = self._look
        if len(rules) < ROBOTS_LINEAR_RULES_MIN:
            self.score = compile_rules(rules)

    def _look(self, path: str) -> int:
        self._left -= 1
        if self._left < 0:
            self.score = compile_rules(self.rules)
            return self.score(path)
        return score_of(self.rules, path)


class _Tables(NamedTuple):
    heads: list[str]
    scores: dict[str, int]
    exact: dict[str, int]
    wild: dict[str, list[Wild]]


def _sort_out(rules: Iterable[Pattern]) -> _Tables:
    """Literal, exact and wildcard patterns, each with the best score it has in any rule."""
    scores: dict[str, int] = {}
    exact: dict[str, int] = {}
    wild: dict[str, dict[tuple[tuple[str, ...], str | None], int]] = {}
    for pattern, allow in rules:
        if not pattern.startswith(("/", "*")):
            continue  # a path starts with a slash, so neither an empty pattern nor any other can decide
        score = 2 * len(pattern) + allow
        head, parts, tail, anchored = _shape(pattern)
        if parts or tail is not None:
            hung = wild.setdefault(head, {})
            hung[parts, tail] = max(score, hung.get((parts, tail), 0))
        else:
            table = exact if anchored else scores
            table[head] = max(score, table.get(head, 0))
    by_head = {
        head: sorted((Wild(score, len(head), *shape) for shape, score in hung.items()), key=itemgetter(0), reverse=True)
        for head, hung in wild.items()
    }
    return _Tables(sorted(scores.keys() | by_head.keys()), scores, exact, by_head)


def _parents(heads: Sequence[str]) -> list[int]:
    """For each text the place of the longest other text that begins it, or -1; the list is sorted."""
    parents: list[int] = []
    open_: list[int] = []
    for here, head in enumerate(heads):
        while open_ and not head.startswith(heads[open_[-1]]):
            open_.pop()
        parents.append(open_[-1] if open_ else -1)
        open_.append(here)
    return parents


def compile_rules(rules: Iterable[Pattern]) -> Scorer:
    """A function from a path to the best score of the rules."""
    heads, literal, exact, wild = _sort_out(rules)
    parents = _parents(heads)
    # Each list ends in an entry for "nowhere", so that the place -1 needs no question of its own.
    scores, hung, tops = [NO_RULE], [-1], [0]
    for here, head in enumerate(heads):
        above = parents[here]
        scores.insert(here, max(literal.get(head, NO_RULE), scores[above]))
        hung.insert(here, here if head in wild else hung[above])
        tops.insert(here, max(wild[head][0].score if head in wild else 0, tops[above]))
    rows = [wild.get(head, []) for head in heads]
    tries = [try_indexed(row) if len(row) >= ROBOTS_WILD_INDEX_MIN else None for row in rows]

    def score(path: str) -> int:
        at = bisect_right(heads, path) - 1
        while at >= 0 and not path.startswith(heads[at]):
            at = parents[at]
        best = scores[at]
        if exact:
            whole = exact.get(path, NO_RULE)
            if whole > best:  # noqa: PLR1730  max() costs a quarter of the answer
                best = whole
        at = hung[at]
        while at >= 0 and tops[at] > best:
            indexed = tries[at]
            best = try_each(rows[at], path, best) if indexed is None else indexed(path, best)
            at = hung[parents[at]]
        return best

    return score
