"""What a change of robots.txt changes: rules that came and went, and the URLs whose answer flips."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from waypost.formats.robots import Robots, read_robots
from waypost.formats.robots_verdict import Verdict
from waypost.limits import ROBOTS_COMPARED_MAX, ROBOTS_PROBES_MAX

__all__ = ["Change", "Difference", "Flip", "diff_robots"]


class Change(NamedTuple):
    """A rule that only one of the two documents has for an agent."""

    agent: str
    allow: bool
    pattern: str


class Flip(NamedTuple):
    """A URL that one document allows to an agent and the other forbids."""

    agent: str
    url: str
    before: Verdict
    after: Verdict


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs; `asked` says how many questions were put to both documents.

    Not `complete` where the documents have more agents and rules than are compared; of what was, nothing is left out.
    """

    added: tuple[Change, ...]
    removed: tuple[Change, ...]
    sitemaps_added: tuple[str, ...]
    sitemaps_removed: tuple[str, ...]
    flips: tuple[Flip, ...]
    asked: int
    complete: bool = True


def diff_robots(
    before: Robots | bytes | str,
    after: Robots | bytes | str,
    urls: Iterable[str] | None = None,
    agents: Iterable[str] | None = None,
) -> Difference:
    r"""Compare two documents by what they answer, not by their text.

    Without `urls`, both are asked about paths made from all their patterns; without `agents`, for every agent either
    names and for `*`, everybody else.

    >>> [flip.url for flip in diff_robots("User-agent: *\nDisallow: /a", "User-agent: *\nDisallow: /ab").flips]
    ['/a', '/ax']
    """
    old, new = _robots(before), _robots(after)
    names = list(dict.fromkeys(agents)) if agents is not None else _agents(old, new)
    given = None if urls is None else list(dict.fromkeys(urls))
    added: list[Change] = []
    removed: list[Change] = []
    flips: list[Flip] = []
    asked = compared = done = 0
    for agent in names:
        if compared > ROBOTS_COMPARED_MAX or (given is None and asked >= ROBOTS_PROBES_MAX):
            break
        had, has = _changes(old, agent), _changes(new, agent)
        added += [change for change in has if change not in had]
        removed += [change for change in had if change not in has]
        room = min(ROBOTS_PROBES_MAX - asked, old.questions_max(agent), new.questions_max(agent))
        probes = _probes([*had, *has], room) if given is None else given
        flips += _flips(old, new, agent, probes)
        asked += len(probes)
        compared += len(had) + len(has)
        done += 1
    return Difference(
        tuple(added), tuple(removed), _only(new.sitemaps, old.sitemaps), _only(old.sitemaps, new.sitemaps),
        tuple(flips), asked, complete=done == len(names),
    )  # fmt: skip


def _robots(source: Robots | bytes | str) -> Robots:
    return source if isinstance(source, Robots) else read_robots(source)


def _agents(old: Robots, new: Robots) -> list[str]:
    """Everybody else first, then every agent once, as it is written where it is named first."""
    named = ["*", *(agent for robots in (old, new) for group in robots.groups for agent in group.agents)]
    by_token: dict[str, str] = {}
    for agent in named:
        by_token.setdefault(agent.lower(), agent)
    return [*by_token.values()]


def _changes(robots: Robots, agent: str) -> dict[Change, None]:
    return dict.fromkeys(Change(agent, allow, pattern) for pattern, allow in robots.patterns(agent) if pattern)


def _only(some: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    known = set(others)
    return tuple(dict.fromkeys(value for value in some if value not in known))


def _probes(changes: Iterable[Change], room: int) -> list[str]:
    """Paths that meet the patterns: each with its stars empty and filled, at its end and behind it."""
    paths = {"/": None}
    for change in changes:
        if len(paths) >= room:
            break
        for filling in ("", "x"):
            path = change.pattern.removesuffix("$").replace("*", filling)
            path = path if path.startswith("/") else "/" + path
            paths.update(dict.fromkeys((path, path + "x", path.rstrip("/") or "/")))
    return list(paths)[:room]


def _flips(old: Robots, new: Robots, agent: str, urls: list[str]) -> Iterator[Flip]:
    answers = zip(urls, old.allowed_many(agent, urls), new.allowed_many(agent, urls), strict=True)
    flipped = [url for url, was, now in answers if was is not now]
    verdicts = zip(flipped, old.explain_many(agent, flipped), new.explain_many(agent, flipped), strict=True)
    return (Flip(agent, *each) for each in verdicts)
