"""The safe fixes of a robots.txt, line by line; a line that needs none keeps every byte."""

import re
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import quote

from waypost.check.crawlers import RETIRED_TOKENS
from waypost.formats.robots import Robots, read_robots
from waypost.formats.robots_agents import product_token
from waypost.formats.robots_guess import Guesser
from waypost.formats.robots_lines import RULES, Line, LineKind
from waypost.formats.robots_text import agent_token
from waypost.urls import absolute, host_of, normalise, path_of

__all__ = ["fix_robots"]

_KEYS = {
    LineKind.AGENT: "User-agent",
    LineKind.ALLOW: "Allow",
    LineKind.DISALLOW: "Disallow",
    LineKind.SITEMAP: "Sitemap",
}
_PASSES_MAX = 5
_MARK = re.compile(rb"\A\xef(?:\xbb\xbf|\xbb?(?![\x80-\xbf]))")
"""A byte-order mark, or a part of one, which crawlers skip as well."""
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|$)")
_ESCAPE = re.compile(r"%(?:([0-9A-Fa-f]{2}))?")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def fix_robots(data: bytes, base: str = "") -> bytes:
    """The document with its safe fixes; `base` is the URL it is served at, to make Sitemap lines whole."""
    if not read_robots(data, limit=None).is_text:
        return data
    # A line that is mended may show what is wrong with its neighbours.
    for _ in range(_PASSES_MAX):
        before, data = data, _mended(data, base)
        if data == before:
            break
    return data


def _mended(data: bytes, base: str) -> bytes:
    raw = [_decoded(line) for line in _LINE.findall(_MARK.sub(b"", data))]
    robots = read_robots("".join(raw), limit=None)
    drop, keys, agents = set(_superfluous(robots)), dict(_keys(robots)), _agents(robots)
    kept = [line for line in robots.lines if line.number not in drop]
    fixed = [
        _fixed(line, raw[line.number - 1], keys.get(line.number, line.key), _value(line, base, agents)) for line in kept
    ]
    return "".join(fixed).encode()


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _superfluous(robots: Robots) -> Iterator[int]:
    """Lines that may go: blanks inside a header, rules and sitemaps that stand there already, Host."""
    known: set[tuple[object, ...]] = set()
    blanks: list[int] | None = None
    for line in robots.lines:
        if line.is_cut:
            blanks = None if line.is_rule else blanks
            continue
        if line.kind is LineKind.HOST:
            yield line.number
        elif line.kind is LineKind.AGENT:
            blanks = blanks or []
        elif line.kind is LineKind.BLANK and blanks is not None:
            blanks.append(line.number)
        elif line.is_rule:
            yield from blanks or ()
            blanks = None
        key: tuple[object, ...] | None = None
        if line.is_rule and line.value and line.group >= 0:
            key = (line.group, line.kind, line.value)
        elif line.kind is LineKind.SITEMAP and line.value:
            key = (line.kind, normalise(line.value))
        if key in known:
            yield line.number
        elif key is not None:
            known.add(key)


def _keys(robots: Robots) -> Iterator[tuple[int, str]]:
    """The keys that are misspelt, as they are meant, where that moves no rule of another line to other crawlers."""
    guesser, inside = Guesser(), _in_headers(robots)
    for line in robots.lines:
        if line.kind in _KEYS and line.is_typo:
            yield line.number, _KEYS[line.kind]
        elif line.kind is LineKind.UNKNOWN and (nearest := guesser.nearest(line.key)):
            kind = LineKind(nearest)
            parts_groups = kind is LineKind.AGENT or (kind in RULES and line.number in inside)
            if not parts_groups:
                yield line.number, _KEYS.get(kind) or "-".join(part.capitalize() for part in nearest.split("-"))


def _in_headers(robots: Robots) -> set[int]:
    """The lines between the User-agent lines of one header."""
    inside: set[int] = set()
    last: dict[int, int] = {}
    for line in robots.lines:
        if line.kind is LineKind.AGENT:
            inside.update(range(last.get(line.group, line.number), line.number))
            last[line.group] = line.number
    return inside


def _agents(robots: Robots) -> dict[int, str]:
    """The agents of User-agent lines as they are called today, where no other group is meant for the same one.

    Groups for one crawler merge: a new name must not bring it the rules of a group that was not its own.
    """
    lines = [line for line in robots.lines if line.kind is LineKind.AGENT]
    today = {line.number: _agent(line.value) for line in lines}
    groups: dict[str, set[int]] = {}
    for line in lines:
        groups.setdefault(agent_token(today[line.number]), set()).add(line.group)
    return {number: agent for number, agent in today.items() if len(groups[agent_token(agent)]) == 1}


def _value(line: Line, base: str, agents: Mapping[int, str]) -> str:
    fix = _VALUES.get(line.kind)
    return fix(line.value, base) if fix and line.value else agents.get(line.number, line.value)


def _fixed(line: Line, raw: str, key: str, value: str) -> str:
    if line.is_cut or ((key, value) == (line.key, line.value) and not line.is_missing_colon):
        return raw
    ending = raw[len(raw.rstrip("\r\n")) :]
    comment = f" #{line.comment}" if line.comment is not None else ""
    return f"{' ' * (line.column - 1)}{key}: {value}{comment}{ending}"


def _agent(value: str) -> str:
    if "(" in value or value.lower().startswith("mozilla/"):
        return product_token(value) or value
    return RETIRED_TOKENS.get(value.lower(), value)


def _pattern(value: str, _: str) -> str:
    if re.match(r"https?://", value, re.IGNORECASE):
        if path_of(value) == "/":
            return value  # whether a rule that nobody obeys is to close the whole site is for a person to say
        value = path_of(value)
    if not value.startswith(("/", "*")):
        value = f"/{value}"
    return _ESCAPE.sub(_escape, quote(value, safe="%/?#[]@!$&'()*+,;=:-._~\""))


def _escape(found: re.Match[str]) -> str:
    if found[1] is None:
        return "%25"
    character = chr(int(found[1], 16))
    return character if character in _UNRESERVED else f"%{found[1].upper()}"


def _sitemap(value: str, base: str) -> str:
    whole = absolute(base, value) if base else None
    if whole is None:
        return value
    is_downgrade = base.startswith("https:") and whole.startswith("http:") and host_of(whole) == host_of(base)
    return f"https{whole[4:]}" if is_downgrade else whole


_VALUES: dict[LineKind, Callable[[str, str], str]] = {
    LineKind.ALLOW: _pattern,
    LineKind.DISALLOW: _pattern,
    LineKind.SITEMAP: _sitemap,
}
