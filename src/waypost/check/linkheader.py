"""`Link` header fields (RFC 8288): one tolerant pass, linear in the bytes, never an exception."""

import re
from collections.abc import Iterable, Iterator

from waypost.check.htmlhead import Link
from waypost.urls import absolute

__all__ = ["read_links"]

_LINKS_MAX = 100
_TARGET = re.compile(r"\s*+<([^<>]*+)>")
_PARAMETER = re.compile(r"""\s*+;\s*+([^\s=;,"<>]++)(?:\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s;,"]*+)))?""", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def read_links(values: Iterable[str], base: str) -> tuple[Link, ...]:
    """The links of header fields that lead to an http(s) URL, resolved against the URL they came from.

    >>> read_links(['</feed>; rel="alternate"; type="application/atom+xml"'], "https://example.com/a")[0].href
    'https://example.com/feed'
    """
    found: list[Link] = []
    for value in values:
        for target, parameters in _parsed(value):
            href = absolute(base, target)
            if href is not None and len(found) < _LINKS_MAX:
                rel = tuple(parameters.get("rel", "").lower().split())
                kind = parameters.get("type", "").partition(";")[0].strip().lower()
                hreflang = parameters.get("hreflang", "").lower()
                found.append(Link(rel, href, kind, hreflang, parameters.get("title", "")))
    return tuple(found)


def _parsed(value: str) -> Iterator[tuple[str, dict[str, str]]]:
    at = 0
    while found := _TARGET.match(value, at):
        target, at = found[1].strip(), found.end()
        parameters: dict[str, str] = {}
        while pair := _PARAMETER.match(value, at):
            quoted = _ESCAPED.sub(r"\1", pair[2]) if pair[2] is not None else None
            parameters.setdefault(pair[1].lower(), quoted if quoted is not None else pair[3] or "")
            at = pair.end()
        yield target, parameters
        # What is not understood up to the next comma is passed over.
        at = value.find(",", at) + 1
        if at == 0:
            return
