"""The slow, exact pass over a robots.txt: every line typed, with its number, its columns and its group.

The answers come from the fast pass in `robots_text`; both passes are tested against each other. A field's name in the
left column is accepted by Google's reference wherever a key begins with it:

    User-agent    user-agent  useragent  user agent
    Allow         allow
    Disallow      disallow  dissallow  dissalow  disalow  diasllow  disallaw
    Sitemap       sitemap  site-map
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from waypost.formats.robots_agents import ascii_lower
from waypost.formats.robots_text import BLANKS, utf8, utf8_or_escapes

__all__ = ["GROUP_FIELDS", "RULES", "Line", "LineKind", "kind_of_key", "read_lines"]


class LineKind(StrEnum):
    """What a line is; the value is the canonical key in lower case."""

    AGENT = "user-agent"
    ALLOW = "allow"
    DISALLOW = "disallow"
    SITEMAP = "sitemap"
    CRAWL_DELAY = "crawl-delay"
    REQUEST_RATE = "request-rate"
    VISIT_TIME = "visit-time"
    NOINDEX = "noindex"
    CONTENT_SIGNAL = "content-signal"
    CONTENT_USAGE = "content-usage"
    CLEAN_PARAM = "clean-param"
    HOST = "host"
    LICENSE = "license"
    UNKNOWN = "unknown"
    """A key and a value, but no key that anybody is known to read."""
    COMMENT = "comment"
    BLANK = "blank"
    NOT_UNDERSTOOD = "not-understood"
    """No separator, or nothing before it."""


RULES = frozenset({LineKind.ALLOW, LineKind.DISALLOW})
"""The lines that close a header of User-agent lines."""
GROUP_FIELDS = RULES | {
    LineKind.CRAWL_DELAY, LineKind.REQUEST_RATE, LineKind.VISIT_TIME, LineKind.NOINDEX,
    LineKind.CONTENT_SIGNAL, LineKind.CONTENT_USAGE,
}  # fmt: skip
"""The lines that say something to the agents above them; all other fields are about the whole file."""

_BY_PREFIX: tuple[tuple[LineKind, tuple[str, ...]], ...] = (
    (LineKind.AGENT, ("user-agent", "useragent", "user agent")),
    (LineKind.ALLOW, ("allow",)),
    (LineKind.DISALLOW, ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")),
    (LineKind.SITEMAP, ("sitemap", "site-map")),
)
_EXACT = {kind.value: kind for kind in GROUP_FIELDS - RULES | {LineKind.CLEAN_PARAM, LineKind.HOST, LineKind.LICENSE}}
_LINE_END = re.compile(r"\r\n|\r|\n")
_BLANK = re.compile("[ \t]")


class Line(NamedTuple):
    """One line. Numbers and columns count from 1, 0 is none; `group` is the place in `Robots.groups`, or -1."""

    number: int
    kind: LineKind
    raw: str
    key: str = ""
    value: str = ""
    column: int = 0
    value_column: int = 0
    comment: str | None = None
    is_missing_colon: bool = False
    is_typo: bool = False
    is_cut: bool = False
    group: int = -1

    @property
    def is_rule(self) -> bool:
        """Whether the line is an Allow or a Disallow."""
        return self.kind in RULES


def kind_of_key(key: str) -> tuple[LineKind, bool]:
    """What a key means, and whether it is accepted although it is not spelled as it should be."""
    low = ascii_lower(key)
    for kind, prefixes in _BY_PREFIX:
        if low.startswith(prefixes):
            return kind, low != kind.value
    return _EXACT.get(low, LineKind.UNKNOWN), False


class _Parts(NamedTuple):
    """A directive taken apart: the places are offsets in the line."""

    key: str
    key_at: int
    value: str
    value_at: int
    is_missing_colon: bool


def _take_apart(body: str) -> _Parts | None:
    """Key and value of a line without its comment; None when there is no separator or no key."""
    trimmed = body.strip(BLANKS)
    key_at = len(body) - len(body.lstrip(BLANKS))
    separator = trimmed.find(":")
    is_missing_colon = separator < 0
    if is_missing_colon:
        found = _BLANK.search(trimmed)
        if found is None or _BLANK.search(trimmed[found.start() :].lstrip(" \t")):
            return None
        separator = found.start()
    key, rest = trimmed[:separator].rstrip(BLANKS), trimmed[separator + 1 :]
    if not key:
        return None
    value_at = key_at + separator + 1 + len(rest) - len(rest.lstrip(BLANKS))
    return _Parts(key, key_at, rest.strip(BLANKS), value_at, is_missing_colon)


def _line(number: int, raw: str, line_bytes_max: int | None) -> Line:
    seen, nul, _ = raw.partition("\0")
    is_cut = bool(nul)
    if line_bytes_max is not None and len(seen) > line_bytes_max:
        seen, is_cut = seen[:line_bytes_max], True
    body, hash_sign, after = seen.partition("#")
    comment = utf8(after) if hash_sign else None
    text = utf8(raw)
    if not body.strip(BLANKS):
        kind = LineKind.COMMENT if hash_sign else LineKind.BLANK
        return Line(number, kind, text, comment=comment, is_cut=is_cut)
    parts = _take_apart(body)
    if parts is None:
        return Line(number, LineKind.NOT_UNDERSTOOD, text, comment=comment, is_cut=is_cut)
    kind, is_typo = kind_of_key(parts.key)
    return Line(
        number, kind, text, utf8(parts.key), utf8_or_escapes(parts.value) if kind in RULES else utf8(parts.value),
        len(utf8(raw[: parts.key_at])) + 1, len(utf8(raw[: parts.value_at])) + 1 if parts.value else 0,
        comment, parts.is_missing_colon, is_typo, is_cut,
    )  # fmt: skip


def read_lines(data: bytes, line_bytes_max: int | None) -> Iterator[Line]:
    """Every line of a document, blank ones and the last one too, each with the group it belongs to."""
    text = data.decode("latin-1")
    if mark := re.match("\xef(?:\xbb\xbf?)?", text):
        text = text[mark.end() :]
    group, is_open = -1, False
    for number, raw in enumerate(_LINE_END.split(text), 1):
        line = _line(number, raw, line_bytes_max)
        if line.kind is LineKind.AGENT:
            group += not is_open
            is_open = True
        elif line.is_rule and group >= 0:
            is_open = False
        yield line._replace(group=group) if line.kind is LineKind.AGENT or line.kind in GROUP_FIELDS else line
