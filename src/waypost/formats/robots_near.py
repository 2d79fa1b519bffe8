"""Near misses: the rule that lost, or that would have decided had it been written a little differently."""

from collections.abc import Callable, Sequence

from waypost.formats.matching import is_match, path_of
from waypost.formats.robots_pattern import Profile, canonical_pattern, rfc_path
from waypost.formats.robots_rules import Candidate, decide
from waypost.limits import ROBOTS_NEAR_RULES_MAX

__all__ = ["Near", "near_rule"]

Near = tuple[str, Candidate, str]
"""What kind of near miss, which rule, and a sentence about it."""

_Test = Callable[[str, str], bool]


def _without_scheme(pattern: str, path: str) -> bool:
    return "://" in pattern and is_match(path_of(pattern), path)


def _with_slash(pattern: str, path: str) -> bool:
    return not pattern.startswith(("/", "*")) and is_match("/" + pattern.removeprefix("./"), path)


def _same_escapes(pattern: str, path: str) -> bool:
    return is_match(canonical_pattern(pattern, Profile.RFC), rfc_path(path))


_NEARLY: tuple[tuple[str, _Test, str], ...] = (
    ("slash", lambda p, path: p.endswith("/") and is_match(p[:-1] + "$", path), "it ends in a slash, the URL does not"),
    ("absolute-url", _without_scheme, "its value is a whole URL; only paths are compared"),
    ("no-slash", _with_slash, "its value does not begin with a slash"),
    ("escape", _same_escapes, "it is escaped differently, and Google compares the spelling"),
    ("case", lambda p, path: is_match(p.lower(), path.lower()), "it differs in capital and small letters"),
    ("blank", lambda p, path: is_match(p.replace(" ", "%20"), path), "it has a raw blank where the URL has %20"),
    ("end", lambda p, path: p.endswith("$") and is_match(p[:-1], path), "its $ wants the URL to end there"),
)
"""What may keep a rule from matching, most telling first."""


def near_rule(rules: Sequence[Candidate], path: str) -> Near | None:
    """The rule against the answer that came nearest to deciding."""
    winner, loser = decide(rules, path)
    if winner and winner.pattern and loser and loser.pattern:
        if len(winner.pattern) == len(loser.pattern):
            return "tie", loser, "it matches too and is as long, but Allow wins a tie"
        return "outweighed", loser, f"it matches too, but is shorter ({len(loser.pattern)} < {len(winner.pattern)})"
    allowed = winner is None or winner.allow or not winner.pattern
    length = len(winner.pattern) if winner else 0
    against = [rule for rule in rules if rule.allow is not allowed and len(rule.pattern) >= max(length, 1)]
    for kind, nearly, why in _NEARLY:
        for rule in against[:ROBOTS_NEAR_RULES_MAX]:
            if nearly(rule.pattern, path):
                return kind, rule, why
    return None
