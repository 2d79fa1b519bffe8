"""Near misses: the rule that lost, or that would have decided had it been written a little differently."""

from collections.abc import Callable, Sequence

from waypost.formats.matching import is_match, path_of
from waypost.formats.robots_pattern import Profile, canonical_pattern, rfc_path
from waypost.formats.robots_rules import Candidate
from waypost.limits import ROBOTS_NEAR_RULES_MAX

__all__ = ["Near", "near_rule"]

Near = tuple[str, Candidate, str]
"""What kind of near miss, which rule, and a sentence about it."""

_Test = Callable[[str, str], bool]


def _without_slash(pattern: str, path: str) -> bool:
    return pattern.endswith("/") and is_match(pattern[:-1] + "$", path)


def _without_scheme(pattern: str, path: str) -> bool:
    return "://" in pattern and is_match(path_of(pattern), path)


def _with_slash(pattern: str, path: str) -> bool:
    return not pattern.startswith(("/", "*")) and is_match("/" + pattern.removeprefix("./"), path)


def _same_escapes(pattern: str, path: str) -> bool:
    return is_match(canonical_pattern(pattern, Profile.RFC), path)


_NEARLY: tuple[tuple[str, Callable[[str], str], _Test, str], ...] = (
    ("slash", str, _without_slash, "it ends in a slash, the URL does not"),
    ("absolute-url", str, _without_scheme, "its value is a whole URL; only paths are compared"),
    ("no-slash", str, _with_slash, "its value does not begin with a slash"),
    ("escape", rfc_path, _same_escapes, "it is escaped differently, and Google compares the spelling"),
    ("case", str.lower, lambda p, path: is_match(p.lower(), path), "it differs in capital and small letters"),
    ("blank", str, lambda p, path: is_match(p.replace(" ", "%20"), path), "it has a raw blank where the URL has %20"),
    ("end", str, lambda p, path: p.endswith("$") and is_match(p[:-1], path), "its $ wants the URL to end there"),
)  # fmt: skip
"""What may keep a rule from matching, most telling first: in which spelling the path is asked about, and what."""


def near_rule(rules: Sequence[Candidate], path: str, winner: Candidate | None, loser: Candidate | None) -> Near | None:
    """The rule against the answer that came nearest to deciding."""
    if winner and winner.pattern and loser and loser.pattern:
        if len(winner.pattern) == len(loser.pattern):
            return "tie", loser, "it matches too and is as long, but Allow wins a tie"
        return "outweighed", loser, f"it matches too, but is shorter ({len(loser.pattern)} < {len(winner.pattern)})"
    allowed = winner is None or winner.allow or not winner.pattern
    length = len(winner.pattern) if winner else 0
    against = [rule for rule in rules if rule.allow is not allowed and len(rule.pattern) >= max(length, 1)]
    for kind, spelled, nearly, why in _NEARLY:
        spelling = spelled(path)  # once, a long path with many escapes takes a while
        for rule in against[:ROBOTS_NEAR_RULES_MAX]:
            if nearly(rule.pattern, spelling):
                return kind, rule, why
    return None
