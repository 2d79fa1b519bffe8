"""The fast pass over a robots.txt: bytes to lines, and where each crawler's rules stand.

The text is held as Latin-1, one character a byte, so that lengths and cuts are those of Google's reference. Only the
lines that open groups and the Sitemap lines are looked at here; the rules of a group are taken out of its stretch of
the text when somebody asks for that crawler. No expression here has nested quantifiers: the pass is linear.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

__all__ = [
    "BLANKS", "EVERYBODY", "Index", "RuleAt", "Section", "agent_token", "agent_value", "cut_to_limit", "index_text",
    "line_at", "plain_text", "rules_in", "utf8", "utf8_or_escapes", "values_in",
]  # fmt: skip

BLANKS = " \t\v\f"
"""What is trimmed from lines, keys and values; CR and LF end lines."""
EVERYBODY = "*"
"""The token of the group for every crawler that no other group names."""

_RULE_KEY = r"\n[ \t\v\f]*(?:(allow)|d(?:is(?:allow|sall?ow|alow|allaw)|iasllow))([^:#\n]*)(:?)"
_FLAGS = re.IGNORECASE | re.ASCII
_RULE_START = re.compile(_RULE_KEY, _FLAGS)
_RULE = re.compile(_RULE_KEY + r"([^#\n]*)", _FLAGS)
# The last group looks ahead: mostly the next line is a rule, and nothing has to be searched for.
_AGENT_OR_SITEMAP = re.compile(
    r"\n[ \t\v\f]*(?:(user[- ]?agent)|site-?map)([^:#\n]*)(:?)([^#\n]*)"
    r"(?=(\n[ \t\v\f]*(?:allow|disallow)[^:#\n]*:)?)",
    _FLAGS,
)
_MARK = re.compile(r"\xef(?:\xbb\xbf?)?")
_AFTER_NUL = re.compile(r"\0[^\n]*")
_LONE_BYTE = re.compile("[\udc80-\udcff]")
_TOKEN = re.compile(r"[A-Za-z_-]*")


def cut_to_limit(data: bytes, limit: int | None) -> bytes:
    """The bytes that are read; a line the limit cuts through is not a line, so it goes too."""
    if limit is None or len(data) <= limit:
        return data
    kept = data[:limit]
    if data[limit : limit + 1] in {b"\n", b"\r"}:
        return kept
    return kept[: max(kept.rfind(b"\n"), kept.rfind(b"\r")) + 1]


def plain_text(data: bytes, line_bytes_max: int | None) -> str:
    """The text with every line begun by LF, without byte-order mark, without what stands behind a NUL."""
    text = data.decode("latin-1")
    if found := _MARK.match(text):
        text = text[found.end() :]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = "\n" + text
    if "\0" in text:
        text = _AFTER_NUL.sub("", text)
    if line_bytes_max is not None and _has_line_over(text, line_bytes_max):
        text = "\n".join(line[:line_bytes_max] for line in text.split("\n"))
    return text


def _has_line_over(text: str, longest: int) -> bool:
    """Look for a line end in every stretch of that length: far fewer steps than lines."""
    at = 0
    while len(text) - at > longest + 1:
        at = text.rfind("\n", at + 1, at + longest + 2)
        if at < 0:
            return True
    return False


def agent_token(value: str) -> str:
    """The product token of a User-agent value in lower case, `*` for everybody, "" for nobody."""
    if value.isalpha() and value.isascii():
        return value.lower()
    if value.startswith("*") and (len(value) == 1 or value[1] in BLANKS):
        return EVERYBODY
    found = _TOKEN.match(value)
    return found[0].lower() if found else ""


def _without_colon(rest: str) -> str | None:
    """The value of `key value`, written without a colon: taken when there are exactly two words."""
    words = rest.rstrip(BLANKS)
    key_tail = re.split("[ \t]", words, maxsplit=1)
    if len(key_tail) == 1:
        return None
    value = key_tail[1].lstrip(" \t")
    return None if " " in value or "\t" in value else value.strip(BLANKS)


class Section(NamedTuple):
    """A header of User-agent lines (the token and the place of each) and the end of the text it governs."""

    agents: list[tuple[str, int]]
    end: int

    @property
    def start(self) -> int:
        """Where the first line of the header begins."""
        return self.agents[0][1]


@dataclass(frozen=True, slots=True)
class Index:
    """Where the groups are, which of them each token may use, and the raw Sitemap values."""

    sections: tuple[Section, ...]
    by_token: dict[str, list[int]]
    sitemaps: tuple[str, ...]


class RuleAt(NamedTuple):
    """One Allow or Disallow line: whether it allows, its value, and where its line begins in the text."""

    allow: bool
    value: str
    at: int


def rules_in(text: str, section: Section) -> list[RuleAt]:
    """The rules of a section in their order, values trimmed but not yet canonical."""
    rules = []
    for found in _RULE.finditer(text, section.start, section.end):
        allow, rest, colon, value = found.groups()
        taken = value.strip(BLANKS) if colon else _without_colon(rest)
        if taken is not None:
            rules.append(RuleAt(allow is not None, taken, found.start()))
    return rules


def values_in(text: str, section: Section) -> Iterator[tuple[bool, str]]:
    """The rules of a section that have a value: whether each allows, and the value."""
    for allow, rest, colon, value in _RULE.findall(text, section.start, section.end):
        taken = value.strip(BLANKS) if colon else _without_colon(rest)
        if taken:
            yield allow != "", taken


def line_at(text: str, at: int) -> int:
    """The number of the line that begins at a place; the text has one LF in front of every line."""
    return text.count("\n", 0, at + 1)


def utf8(value: str) -> str:
    """A value held one character a byte, as the text it means."""
    return value if value.isascii() else value.encode("latin-1").decode("utf-8", "replace")


def utf8_or_escapes(value: str) -> str:
    """A rule's value as text; bytes that are not UTF-8 as the escapes they are compared as."""
    if value.isascii():
        return value
    text = value.encode("latin-1").decode("utf-8", "surrogateescape")
    return _LONE_BYTE.sub(lambda found: f"%{ord(found[0]) - 0xDC00:02X}", text)


def _next_rule(text: str, start: int) -> int:
    for found in _RULE_START.finditer(text, start):
        if found[3] or _without_colon(found[2]) is not None:
            return found.start()
    return len(text)


def index_text(text: str) -> Index:
    """Find the groups and the sitemaps: User-agent lines are one header until an Allow or Disallow stands between."""
    headers: list[list[tuple[str, int]]] = []
    by_token: dict[str, list[int]] = {}
    sitemaps: list[str] = []
    after_agent = 0
    rule_at = -1
    for found in _AGENT_OR_SITEMAP.finditer(text):
        agent, rest, colon, value, rule_follows = found.groups()
        if colon:
            taken: str | None = value.strip(BLANKS)
        else:
            taken = None if agent and " " in agent else _without_colon(rest)
        if taken is None:
            continue
        if agent is None:
            sitemaps.append(taken)
            continue
        here = found.start()
        if rule_at < after_agent and headers:
            rule_at = _next_rule(text, after_agent)
        if rule_at < here:
            headers.append([])
        token = agent_token(taken)
        headers[-1].append((token, here))
        numbers = by_token.setdefault(token, [])
        if not numbers or numbers[-1] != len(headers) - 1:
            numbers.append(len(headers) - 1)
        after_agent = found.end()
        if rule_follows:
            rule_at = after_agent
    ends = [*(header[0][1] for header in headers[1:]), len(text)]
    sections = tuple(map(Section, headers, ends))
    return Index(sections, by_token, tuple(sitemaps))


def agent_value(text: str, at: int) -> str:
    """The value of the User-agent line that begins at a place."""
    found = _AGENT_OR_SITEMAP.match(text, at)
    assert found is not None  # the place comes from the index
    return found[4].strip(BLANKS) if found[3] else _without_colon(found[2]) or ""
