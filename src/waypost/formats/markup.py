"""HTML inside feeds: which tags and attributes are in it, and its text. Linear in its length, whatever it is.

No parser of HTML, and no sanitizer: it sees what a feed reader's sanitizer would have to take out.
"""

import re
from collections.abc import Iterator
from html import unescape as standard_unescape
from typing import NamedTuple

from waypost.limits import TAG_CHARS_MAX

__all__ = ["Tag", "active_parts", "html_from_text", "relative_references", "tags", "text_from_html", "unescape"]

# Quoted values may hold `>`; outside them a `<` ends the match, so that a tag that never closes is looked at once.
_TAG = re.compile(
    rf"<(?P<close>/?)(?P<name>[A-Za-z][^\s/<>\"']{{0,60}})"
    rf"(?P<rest>(?:[^<>\"']|\"[^\"]{{0,{TAG_CHARS_MAX}}}\"|'[^']{{0,{TAG_CHARS_MAX}}}'){{0,{TAG_CHARS_MAX}}})>"
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ATTRIBUTE = re.compile(r"([^\s\"'<>/=]{1,100})(?:\s{0,9}=\s{0,9}(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>=`]+)))?")
_REFERENCES = {
    "href": frozenset({"a", "area", "link"}),
    "src": frozenset({"img", "script", "iframe", "audio", "video", "source", "embed"}),
    "poster": frozenset({"video"}),
}
_LONG_NUMBER = re.compile(r"&#(?=[0-9]{9})0*([0-9]{1,8})[0-9]*")
_EVENT = re.compile(r"on[a-z]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_ACTIVE = frozenset(["script", "style", "iframe", "object", "embed", "applet", "form"])


class Tag(NamedTuple):
    """A start tag: its lower-case name, and its attributes with lower-case names and entities resolved."""

    name: str
    attributes: dict[str, str]


def tags(html: str) -> Iterator[Tag]:
    """The start tags of a piece of HTML."""
    for found in _TAG.finditer(_COMMENT.sub("", html)):
        if not found["close"]:
            yield Tag(found["name"].lower(), _attributes(found["rest"]))


def _attributes(text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(text):
        pairs.setdefault(name.lower(), unescape(double or single or bare))
    return pairs


def relative_references(tag: Tag) -> Iterator[str]:
    """The references of a tag that need a base to be resolved; a mere fragment is none.

    >>> [found for tag in tags('<a href="/x"><img src="https://example.com/y"><a href="#z">') for found in
    ...  relative_references(tag)]
    ['/x']
    """
    for attribute, names in _REFERENCES.items():
        value = tag.attributes.get(attribute, "").strip()
        if value and tag.name in names and value[0] != "#" and not _SCHEME.match(value):
            yield value


def active_parts(tag: Tag) -> Iterator[str]:
    """What in a tag runs or restyles a page: a script or its like itself, style attributes, event attributes.

    >>> [found for tag in tags('<p onclick="x()">a</p><script>b</script>') for found in active_parts(tag)]
    ['onclick of p', 'script']
    """
    if tag.name in _ACTIVE:
        yield tag.name
    for name in tag.attributes:
        if name == "style" or _EVENT.match(name):
            yield f"{name} of {tag.name}"


def unescape(text: str) -> str:
    """The text with its character references resolved, as HTML says; those with any number of digits, too.

    >>> unescape("AT&amp;T &#" + "0" * 5000 + "65;")
    'AT&T A'
    """
    # Eight digits name no character, as any more would: the standard library raises for over 4,300.
    return standard_unescape(_LONG_NUMBER.sub(r"&#\1", text) if "&#" in text else text)


def text_from_html(html: str) -> str:
    """The text without tags and entities.

    >>> text_from_html("AT&amp;T <b>news</b>")
    'AT&T news'
    """
    return unescape(_TAG.sub("", _COMMENT.sub("", html)))


def html_from_text(text: str) -> str:
    """Plain text as HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
