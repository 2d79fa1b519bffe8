"""Markdown to HTML that is safe to serve.

cmark writes the HTML in its safe mode: it leaves out raw HTML and scripting schemes, so what it wrote is its own tags
and nothing else. Only a text that holds raw HTML is written a second time with it, and what is not cmark's own goes
through the sanitiser. Then one pass over the result gives headings their ids, code its colours, and links the URLs of
what they name.
"""

import re
from collections.abc import Callable
from html import escape, unescape
from typing import NamedTuple
from unicodedata import category

from waypost.limits import (
    CODE_CHARS_PER_PAGE_MAX,
    HTML_CHARS_MAX,
    HTML_NESTING_MAX,
    MARKDOWN_CHARS_MAX,
    MARKDOWN_MARKS_MAX,
)
from waypost.site.commonmark import SAFE, WITH_RAW_HTML, parsed
from waypost.site.highlight import highlighted
from waypost.site.images import linking_images
from waypost.site.sanitise import LEFT_OUT, SCHEMES, sanitised, set_aside

__all__ = ["Heading", "Rendered", "Resolve", "link_targets", "render"]

Resolve = Callable[[str], str | None]
"""From a link's target as it was written to the URL to write instead; None leaves it, "" leaves but its text."""


class Heading(NamedTuple):
    """One heading of a page, for its table of contents."""

    level: int
    id: str
    text: str


class Rendered(NamedTuple):
    """A page's HTML, its headings, and the plain text of its first paragraph; `refused` says why there is only text."""

    html: str
    headings: tuple[Heading, ...] = ()
    summary: str = ""
    refused: str = ""


_MARKS, _LIGHT_MARKS = "[(<>*_~`|#@.-+\n", "]!&:\\\"'w\r"
"""What may become an element, and what cmark only looks at twice: for each it keeps a piece of text."""
_BLOCKS = re.compile("\n<(?:blockquote|ul|ol)")
_INLINES = ("<em>", "<strong>", "<del>")
_PARAGRAPH_END = "</p>"
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)


def _may_be_deep(html: str) -> bool:
    """Whether cmark's own tags could stand too deep in each other: a quick look, which may say yes too often."""
    if len(_BLOCKS.findall(html)) >= HTML_NESTING_MAX:  # the first may have no line before it
        return True
    # So many elements do not stand in each other in a paragraph shorter than that.
    least, start = HTML_NESTING_MAX * len("<em></em>"), 0
    while len(html) - start > least:
        end = html.rfind(_PARAGRAPH_END, start, start + least + len(_PARAGRAPH_END))
        if end < 0:
            end = html.find(_PARAGRAPH_END, start)
            end = len(html) if end < 0 else end
            if sum(html.count(tag, start, end) for tag in _INLINES) > HTML_NESTING_MAX:
                return True
        start = end + len(_PARAGRAPH_END)
    return False


def _is_deep(html: str) -> bool:
    """Whether elements stand inside each other deeper than browsers and the sanitiser bear."""
    depth = 0
    for closing, name in _TAG.findall(html):
        if name.lower() not in _VOID:
            depth += -1 if closing else 1
            if depth > HTML_NESTING_MAX:
                return True
    return False


def _marks(text: str) -> int:
    return sum(map(text.count, _MARKS)) + sum(map(text.count, _LIGHT_MARKS)) // 2


def _as_text(text: str, refused: str) -> Rendered:
    shown = text[:MARKDOWN_CHARS_MAX]
    return Rendered(f'<pre class="refused">{escape(shown, quote=False)}</pre>', refused=refused)


def render(text: str, resolve: Resolve = lambda _: None, *, origin: str = "") -> Rendered:
    """A Markdown text as HTML; what would cost too much to format is shown as the text it is.

    On a page of an `origin`, images of other hosts become links to them: the page's policy lets no browser ask there.

    >>> render("# Hi *you*").headings
    (Heading(level=1, id='hi-you', text='Hi you'),)
    """
    if len(text) > MARKDOWN_CHARS_MAX:
        return _as_text(text, f"it has more than {MARKDOWN_CHARS_MAX:,} characters")
    if len(text) > MARKDOWN_MARKS_MAX and _marks(text) > MARKDOWN_MARKS_MAX:
        return _as_text(text, f"it has more than {MARKDOWN_MARKS_MAX:,} marks")
    text = text.replace("\0", "\ufffd")
    with parsed(text) as written:
        html = plain = written(SAFE)
        has_raw_html = LEFT_OUT in plain
        if has_raw_html:
            html = written(WITH_RAW_HTML)
    if len(html) > HTML_CHARS_MAX:
        return _as_text(text, f"its HTML would be longer than {HTML_CHARS_MAX:,} characters")
    mixed = set_aside(plain, html) if has_raw_html else None
    if (_may_be_deep(plain) or (mixed and _is_deep(mixed.rest))) and _is_deep(html):
        return _as_text(text, f"its elements stand more than {HTML_NESTING_MAX} deep in each other")
    if mixed:
        html = sanitised(html, mixed)
    finished = _Finish(resolve).finish(html)
    return finished._replace(html=linking_images(finished.html, origin)) if origin else finished


def link_targets(text: str) -> list[str]:
    """Every target that a text's links and images name, as written."""
    found: list[str] = []

    def note(target: str) -> None:
        found.append(target)

    render(text, note)
    return found


_PLACES = re.compile(
    r'<(?=a |im|h|pr|/?t)(?:(a|img)((?: (?!href=|src=)[a-z-]++(?:="[^"]*+")?)*+) (?:href="(?!#)|src=")([^"]*+)"'
    r'|h([1-6])>(.*?)</h\4>|pre(?: lang="([^"]*+)")?><code>(.*?)</code></pre>|(table)>|(/table)>)',
    re.DOTALL,
)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_ANY_TAG = re.compile(r"<[^>]*>")
_FIRST_PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_SUMMARY_CHARS_MAX = 200
_NOT_IN_ID = re.compile(r"[^\w\- ]")
_ID = re.compile(r' id="([^"]*+)"')


class _Finish:
    """The one pass over finished HTML; it keeps which ids are taken and how much code was coloured."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._headings: list[Heading] = []
        self._ids: dict[str, int] = {}
        self._code_chars = 0

    def finish(self, html: str) -> Rendered:
        """Headings, code, links and tables as they are served."""
        first = _FIRST_PARAGRAPH.search(html)
        if ' id="' in html:
            self._ids = dict.fromkeys(map(unescape, _ID.findall(html)), 1)
        done = _PLACES.sub(self._place, html)
        if "<input" in done:
            done = _CHECKBOX.sub(_checkbox, done)
        return Rendered(done, tuple(self._headings), _summary(first[1]) if first else "")

    def _place(self, found: re.Match[str]) -> str:
        if found[1]:
            return self._link(found)
        if found[4]:
            return self._heading(int(found[4]), found[5])
        if found[7] is not None:
            return self._code(found[7], found[6] or "")
        table = '<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>'
        return table if found[8] else "</table></div>"

    def _link(self, found: re.Match[str]) -> str:
        tag, attributes, written = found.group(1, 2, 3)
        target = unescape(written)
        scheme = _SCHEME.match(target)
        if scheme and scheme[1].lower() not in SCHEMES:
            return f"<{tag}{attributes}"
        url = self._resolve(target)
        if url == "":
            return f"<{tag}{attributes}"
        shown = written if url is None else escape(url)
        return f'<a{attributes} href="{shown}"' if tag == "a" else f'<img{attributes} loading="lazy" src="{shown}"'

    def _heading(self, level: int, inner: str) -> str:
        text = unescape(_ANY_TAG.sub("", inner))
        name = self._free_id(text)
        self._headings.append(Heading(level, name, " ".join(text.split())))
        shown = _PLACES.sub(self._place, inner) if "<" in inner else inner
        shown_id = escape(name)
        anchor = f'<a class="anchor" href="#{shown_id}" aria-label="Link to this section">#</a>'
        return f'<h{level} id="{shown_id}">{shown}{anchor}</h{level}>'

    def _free_id(self, text: str) -> str:
        words = _NOT_IN_ID.sub("" if text.isascii() else _mark, text.lower().replace("\n", " "))
        name = words.strip().replace(" ", "-") or "section"
        taken = self._ids.get(name)
        while taken is not None and f"{name}-{taken}" in self._ids:
            taken += 1
        self._ids[name] = 1 if taken is None else taken + 1
        if taken is None:
            return name
        self._ids[f"{name}-{taken}"] = 1
        return f"{name}-{taken}"

    def _code(self, escaped: str, language: str) -> str:
        self._code_chars += len(escaped)
        word = unescape(language).split(",")[0].strip().lower()
        shown = escaped
        if self._code_chars <= CODE_CHARS_PER_PAGE_MAX and "<" not in escaped:
            shown = highlighted(escaped, word)
        return f'<pre class="code" tabindex="0"><code>{shown}</code></pre>'


def _mark(found: re.Match[str]) -> str:
    """A vowel sign or an accent of its own belongs to its letter; what else stands between letters goes."""
    return found[0] if category(found[0]).startswith("M") else ""


_CHECKBOX = re.compile(r'<input((?: (?:type="checkbox"|checked=""|disabled=""))*) ?/?>')


def _checkbox(found: re.Match[str]) -> str:
    state = ' checked="" aria-label="done"' if "checked=" in found[1] else ' aria-label="to do"'
    return f'<input type="checkbox" disabled=""{state}>'


def _summary(paragraph: str) -> str:
    text = " ".join(unescape(_ANY_TAG.sub("", paragraph)).split())
    if len(text) <= _SUMMARY_CHARS_MAX:
        return text
    return text[:_SUMMARY_CHARS_MAX].rpartition(" ")[0].rstrip(",;:.") + "…"
