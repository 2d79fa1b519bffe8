"""What a page's HTML says to crawlers: title, links, meta tags, base. One tolerant pass, linear in the bytes.

Browsers' full algorithm is not needed here and the standard library's parser is quadratic on hostile input; this reads
tags and attributes, skips comments, scripts and styles, and never raises.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from waypost.formats.markup import unescape
from waypost.urls import absolute

__all__ = ["Head", "Link", "read_head"]

_TAG_CHARS_MAX = 8_192
_TITLE_CHARS = 300
_LINKS_MAX = 500
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?""")
_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9-]*)")
_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
_RAW = {"script", "style", "textarea", "template"}


@dataclass(frozen=True, slots=True)
class Link:
    """One `<link>` or `Link` header: its relations, absolute target, type, language and title."""

    rel: tuple[str, ...]
    href: str
    type: str = ""
    hreflang: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """What was read of a page."""

    title: str = ""
    links: tuple[Link, ...] = ()
    resources: tuple[str, ...] = ()
    """Style sheets and scripts a browser loads to draw the page."""
    metas: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The contents of `<meta name>`, `<meta property>` and `<meta http-equiv>`, by lower-case name."""
    text_chars: int = 0
    """Characters of text outside tags, to tell a page from an empty shell."""

    def meta(self, name: str) -> str:
        """The first content of a meta tag."""
        return next(iter(self.metas.get(name, ())), "")

    def linked(self, rel: str) -> Iterator[Link]:
        """The links of one relation."""
        return (link for link in self.links if rel in link.rel)


def read_head(data: bytes, url: str, *, charset: str = "") -> Head:
    """Read the part of a page that speaks to crawlers; links come resolved against `<base>` and the page's URL."""
    text = _decoded(data, charset)
    base, title, text_chars = url, "", 0
    links: list[Link] = []
    scripts: list[str] = []
    metas: dict[str, list[str]] = {}
    for name, attributes, following in _tags(text):
        if name == "base" and base == url:
            base = absolute(url, attributes.get("href", "")) or url
        elif name == "title" and not title:
            title = " ".join(unescape(following).split())[:_TITLE_CHARS]
        elif name == "meta":
            key = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv") or ""
            metas.setdefault(key.lower(), []).append(attributes.get("content", ""))
        elif name == "link" and len(links) < _LINKS_MAX and (link := _link(attributes, base)):
            links.append(link)
        elif name == "script" and "src" in attributes and len(scripts) < _LINKS_MAX:
            scripts += filter(None, [absolute(base, attributes["src"])])
        text_chars += len(following.strip()) if name not in _RAW else 0
    sheets = [link.href for link in links if "stylesheet" in link.rel]
    return Head(title, tuple(links), (*sheets, *scripts), {key: tuple(all_) for key, all_ in metas.items()}, text_chars)


def _link(attributes: Mapping[str, str], base: str) -> Link | None:
    href = absolute(base, attributes.get("href", ""))
    if href is None:
        return None
    rel = tuple(attributes.get("rel", "").lower().split())
    kind = attributes.get("type", "").partition(";")[0].strip().lower()
    return Link(rel, href, kind, attributes.get("hreflang", "").lower(), attributes.get("title", ""))


def _decoded(data: bytes, charset: str) -> str:
    found = _CHARSET.search(data, 0, 4096)
    for name in (charset, found[1].decode() if found else "", "utf-8"):
        try:
            return data.decode(name or "utf-8", errors="replace")
        except (LookupError, ValueError):
            continue
    return ""


def _tags(text: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """Each opening tag: its name, its attributes, and the text after it up to the next tag."""
    at = text.find("<")
    while at >= 0:
        if text.startswith("<!--", at):
            end = text.find("-->", at + 4)
            at = text.find("<", end) if end >= 0 else -1
            continue
        end = text.find(">", at)
        if end < 0:
            return
        following = text.find("<", end)
        name = _NAME.match(text, at + 1)
        tag = name[1].lower() if name else ""
        if name and text[at + 1] != "/":
            if tag in _RAW:
                following = _after_raw(text, tag, end)
            inside = text[name.end() : min(end, at + _TAG_CHARS_MAX)]
            yield tag, _attributes(inside), text[end + 1 : following if following >= 0 else len(text)]
        at = following


def _after_raw(text: str, tag: str, end: int) -> int:
    closing = re.compile(f"</{tag}", re.IGNORECASE).search(text, end)
    return closing.start() if closing else -1


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape(next(filter(None, values), "")))
    return found
