"""Raw HTML among Markdown made safe to serve: the only importer of the sanitiser.

Most of a page that holds raw HTML is cmark's own: whole blocks without any need no look. Each run of such blocks is set
aside, an element with a name of its own holds its place, and only the rest goes through the sanitiser. A place that
does not come out of it as that very element, once and in order, stood where something open would have swallowed it:
then all of the page goes through.
"""

import re
from secrets import token_hex
from typing import NamedTuple

import nh3

__all__ = ["LEFT_OUT", "SCHEMES", "Mixed", "sanitised", "set_aside"]

LEFT_OUT = "<!-- raw HTML omitted -->"
"""What cmark's safe mode leaves where raw HTML stood; it can come from nothing else, for text is always escaped."""
SCHEMES = {"http", "https", "mailto", "tel"}
_TAGS = (nh3.ALLOWED_TAGS | {"section", "input", "figure", "figcaption", "details", "summary"}) - {"map", "area", "rtc"}
_ATTRIBUTES = {
    **{tag: set(names) - {"cite"} for tag, names in nh3.ALLOWED_ATTRIBUTES.items()},
    "a": {"href", "title", "id", "class", "aria-label"},
    "img": {"src", "alt", "title", "width", "height"},
    "li": {"id"},
    "sup": {"class"},
    "section": {"class"},
    "pre": {"lang"},
    "details": {"open"},
    "input": {"type", "checked", "disabled"},
    "th": {"align", "colspan", "rowspan", "scope"},
    "td": {"align", "colspan", "rowspan"},
}
_OWN_IDS = re.compile(r"fn(?:ref)?-[\w-]{1,100}")
_OWN_CLASSES = {"footnote-ref", "footnote-backref", "footnotes"}


def _kept(_: str, name: str, value: str) -> str | None:
    """Which attribute values of a writer's own HTML stay: ids and classes only as footnotes have them."""
    if name == "id":
        return value if _OWN_IDS.fullmatch(value) else None
    if name == "class":
        return value if value in _OWN_CLASSES else None
    return value


_FIXED = {"input": {"disabled": "", "type": "checkbox"}}
_CLEANER = nh3.Cleaner(
    tags=_TAGS,
    attributes={tag: names - {"id", "class"} for tag, names in _ATTRIBUTES.items()},
    url_schemes=SCHEMES,
    link_rel=None,
    set_tag_attribute_values=_FIXED,
)
_CLEANER_WITH_FOOTNOTES = nh3.Cleaner(
    tags=_TAGS,
    attributes=_ATTRIBUTES,
    attribute_filter=_kept,
    url_schemes=SCHEMES,
    link_rel=None,
    set_tag_attribute_values=_FIXED,
)
"""Asks us about every attribute, which costs; only footnotes need it."""

_RUN_CHARS_MIN = 400
"""A shorter run is cleaned as quickly as it is set aside."""
_FOUND_BY_CHARS = 100
"""Looking for so much of a run finds it; a search for all of a long text would first study it."""
_BLOCK = re.compile(
    r"\n<(?:(?P<open>(?:blockquote|ul|ol|section)\b)|(?P<close>/(?:blockquote|ul|ol|section)>)"
    r"|(?:p|h[1-6]|pre|table|hr)\b)"
)
"""Where cmark begins a block, or ends one that may hold others: always on a new line."""


class Mixed(NamedTuple):
    """A page with raw HTML: the rest that has to be sanitised, and each run set aside by what holds its place."""

    rest: str
    runs: tuple[tuple[str, str], ...]


def set_aside(plain: str, html: str) -> Mixed:
    """Take out of the HTML what cmark wrote the same without raw HTML, as `plain`, in runs of whole blocks."""
    name = token_hex(8)
    rest, runs, end = list[str](), list[tuple[str, str]](), 0
    for run in _runs(plain):
        start = html.find(run[:_FOUND_BY_CHARS], end)
        if start < 0 or not html.startswith(run, start):
            continue  # a link in it has a scheme that only the plain one left out
        held = f'<h6 title="{name}-{len(runs)}">{name}</h6>'  # a heading that somebody left open ends here
        rest += (html[end:start], held)
        runs.append((held, run))
        end = start + len(run)
    return Mixed("".join([*rest, html[end:]]), tuple(runs))


def _runs(plain: str) -> list[str]:
    """The runs of blocks that stand in no other, and left out nothing."""
    text = f"\n{plain}"
    runs, depth, block = list[str](), 0, 0
    start: int | None = None
    left_out = text.find(LEFT_OUT)
    for found in _BLOCK.finditer(text):
        place = found.start() + 1
        if 0 <= left_out < place:
            if start is not None:
                runs.append(text[start:block])
            start, left_out = None, text.find(LEFT_OUT, place)
        if found.lastgroup == "close":
            depth -= 1
            continue
        if not depth:
            block = place
            start = block if start is None else start
        depth += found.lastgroup == "open"
    if start is not None:
        runs.append(text[start:] if left_out < 0 else text[start:block])
    return [run for run in runs if len(run) >= _RUN_CHARS_MIN]


def sanitised(html: str, mixed: Mixed) -> str:
    """The HTML with nothing in it that could run or reach beyond its place."""
    rest, done = _cleaned(mixed.rest), list[str]()
    if any(rest.count(held) != 1 for held, _ in mixed.runs):
        return _cleaned(html)
    for held, run in mixed.runs:
        before, found, rest = rest.partition(held)
        if not found:
            return _cleaned(html)
        done += (before, run)
    return "".join([*done, rest])


def _cleaned(html: str) -> str:
    return (_CLEANER_WITH_FOOTNOTES if "data-footnote" in html else _CLEANER).clean(html)
