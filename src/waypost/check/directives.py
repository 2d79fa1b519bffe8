"""What a page tells crawlers by X-Robots-Tag headers and robots meta tags, and whom: one reader for every rule."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from waypost.check.capture import Capture
from waypost.check.htmlhead import Head

__all__ = ["Saying", "read_directives", "sayings"]

_WORD = re.compile(r"([^\s,:]++)\s*+(:?)")
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview", "max-age"})
_NOINDEX = frozenset({"noindex", "none"})


@dataclass(frozen=True, slots=True)
class Saying:
    """What a page says to crawlers: in which header or tag, and whether it is meant for those who ask."""

    where: str
    text: str
    is_meant: bool
    says_noindex: bool
    """Whether those who ask are told not to index."""


def read_directives(text: str) -> Iterator[tuple[str, str]]:
    """The directives of an X-Robots-Tag or a robots meta tag in lower case, each with the crawler it is addressed to.

    >>> list(read_directives("nofollow, max-image-preview: none, OtherBot: noindex"))
    [('', 'nofollow'), ('', 'max-image-preview'), ('otherbot', 'noindex')]
    """
    agent = ""
    words = iter(_WORD.findall(text.lower()))
    for word, colon in words:
        if colon and word not in _WITH_VALUE and not word[0].isdigit():
            agent = word
            continue
        yield agent, word
        if colon and word in _WITH_VALUE:
            next(words, None)


def sayings(page: Capture, head: Head, tokens: Collection[str]) -> Iterator[Saying]:
    """What an answer says in headers and tags, as crawlers with these product tokens, in lower case, understand it."""
    for value in page.headers.all("x-robots-tag"):
        meant = [name for agent, name in read_directives(value) if agent in {"", *tokens}]
        yield Saying("X-Robots-Tag", value, bool(meant), not _NOINDEX.isdisjoint(meant))
    for tag, values in head.metas.items():
        is_meant = tag in {"robots", *tokens}
        for value in values if is_meant or tag.endswith("bot") else ():
            said = {name for _, name in read_directives(value)}
            yield Saying(f"meta {tag}", value, is_meant, is_meant and not said.isdisjoint(_NOINDEX))
