"""Markdown to HTML that can be shown: GitHub's own parser, then the sanitiser, always.

The only importer of both libraries. Links between files of a root are given to a callback, which knows their URLs.
"""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

import cmarkgfm
import nh3
from cmarkgfm.cmark import Options

from waypost.limits import HTML_NESTING_MAX, MARKDOWN_MARKS_MAX

__all__ = ["Rendered", "Resolve", "render"]

Resolve = Callable[[str], str | None]
"""From a relative reference to the URL it means; None leaves it as it was written."""

_OPTIONS = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES | Options.CMARK_OPT_VALIDATE_UTF8
_EXTENSIONS = ("table", "strikethrough", "autolink", "tasklist")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_OPENERS = re.compile(r"[\[(<>*_~`|]")
_RELATIVE = re.compile(r"(?![A-Za-z][A-Za-z0-9+.-]*:|[/#?])")
_TAGS = nh3.ALLOWED_TAGS | {"section", "input"}
_ATTRIBUTES = {
    **{tag: set(names) for tag, names in nh3.ALLOWED_ATTRIBUTES.items()},
    "code": {"class"},
    "section": {"class"},
    "input": {"type", "checked", "disabled"},
    "li": {"id"},
    "sup": {"class", "id"},
}
_ATTRIBUTES["a"] = {*_ATTRIBUTES["a"], "id", "class"}
_CLASSES = re.compile(r"language-[\w+#.-]{1,40}|footnotes|footnote-ref|footnote-backref|footnote")
_IDS = re.compile(r"fn(?:ref)?-[\w%.-]{1,80}")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page's HTML; `is_plain` where the text was too entangled to be rendered and is shown as it was written."""

    html: str
    is_plain: bool = False


def render(text: str, resolve: Resolve | None = None) -> Rendered:
    r"""The sanitised HTML of a Markdown text.

    >>> render("*a* <script>b</script>").html
    '<p><em>a</em> </p>\n'
    """
    if _is_bomb(text):
        return _plain(text)
    made = cmarkgfm.github_flavored_markdown_to_html(text.replace("\0", "\ufffd"), options=_OPTIONS)
    if _nesting(made) > HTML_NESTING_MAX:
        return _plain(text)
    return Rendered(_clean(made, resolve))


def _is_bomb(text: str) -> bool:
    """Whether one paragraph holds more marks than a parser that looks back at each of them should be given."""
    return len(text) > MARKDOWN_MARKS_MAX and len(_OPENERS.findall(text)) > MARKDOWN_MARKS_MAX


def _plain(text: str) -> Rendered:
    return Rendered(f"<pre>{html.escape(text, quote=False)}</pre>\n", is_plain=True)


def _nesting(made: str) -> int:
    """How deep elements stand in each other, counted generously: the sanitiser is quadratic in it."""
    depth = deepest = 0
    for found in _TAG.finditer(made):
        if found[2].lower() in _VOID:
            continue
        depth += -1 if found[1] else 1
        deepest = max(deepest, depth)
    return deepest


def _clean(made: str, resolve: Resolve | None) -> str:
    def attribute(tag: str, name: str, value: str) -> str | None:
        if name == "class":
            return " ".join(word for word in value.split() if _CLASSES.fullmatch(word)) or None
        if name == "id":
            return value if _IDS.fullmatch(value) else None
        if name == "type" and tag == "input":
            return value if value == "checkbox" else None
        if resolve is not None and name in {"href", "src"} and _RELATIVE.match(value):
            return resolve(value) or value
        return value

    return nh3.clean(
        made,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=attribute,
        url_schemes={"http", "https", "mailto", "tel"},
        link_rel="noopener",
        strip_comments=True,
        set_tag_attribute_values={"input": {"disabled": ""}},
    )
