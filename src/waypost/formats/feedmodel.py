"""What a feed says, whichever format says it: RSS, Atom or JSON Feed.

Values are as written, without white space around them: None is absent, "" is empty. Titles are plain text; summary and
content are HTML, and what a feed says in plain text is escaped to it. Dates stay text, in the form of their format.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from waypost.formats.notes import Note
from waypost.formats.xmlsource import XmlOutcome

__all__ = ["Enclosure", "Feed", "FeedEntry", "FeedKind", "Link", "is_byte_count"]

_COUNT = re.compile(r"[0-9]{1,18}")


class FeedKind(StrEnum):
    """The formats of a feed; NONE is anything that is not one."""

    RSS = "rss"
    ATOM = "atom"
    JSON = "json"
    NONE = "none"


class Link(NamedTuple):
    """A link of a feed or an entry; `href` is resolved where the document names a base (`xml:base`)."""

    href: str
    rel: str = "alternate"
    type: str = ""
    hreflang: str = ""
    title: str = ""
    line: int = 0
    column: int = 0


class Enclosure(NamedTuple):
    """A file that belongs to an entry; length is a number of bytes, as written."""

    url: str | None
    type: str | None = None
    length: str | None = None
    line: int = 0
    column: int = 0


def is_byte_count(length: str) -> bool:
    """Whether the length of an enclosure is a number of bytes that a file can have."""
    return _COUNT.fullmatch(length) is not None


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One item of a feed, and where it starts."""

    id: str | None = None
    link: str | None = None
    """The page: the alternate link, or an RSS guid that is a permalink."""
    title: str | None = None
    updated: str | None = None
    published: str | None = None
    summary: str | None = None
    content: str | None = None
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    links: tuple[Link, ...] = ()
    """The other links: Atom's alternate that is `link` is not among them, every `atom:link` of RSS is."""
    is_permalink: bool = False
    """Whether an RSS guid says, or does not deny, that it is the page's URL."""
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Feed:
    """One feed as it was read, or as it is to be written. Nothing in it is judged."""

    kind: FeedKind = FeedKind.NONE
    title: str | None = None
    link: str | None = None
    """The page the feed is about."""
    id: str | None = None
    updated: str | None = None
    entries: tuple[FeedEntry, ...] = ()
    description: str | None = None
    language: str | None = None
    authors: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    """Links of the feed itself, self, hub and next say; as with an entry, not the one that is `link`."""
    version: str = ""
    """`2.0`, `1.0`, `0.91`, … of RSS; `1.0` or `0.3` of Atom; the version URL of a JSON Feed."""
    notes: tuple[Note, ...] = ()
    """The first notes of each kind, in the order of the document; `formats.feednotes` lists the kinds."""
    counts: Mapping[str, int] | None = None
    """How many notes of each kind there were; None for a feed that was not read."""
    complete: bool = True
    """Whether it was read to its end: not broken, not cut at a limit."""
    entry_count: int = 0
    """All entries, also those that were too many to keep."""
    encoding: str = "utf-8"
    bytes: int = 0
    url: str | None = None
    root: str = ""
    """The root element, "namespace name"; empty where there is none."""
    xml: XmlOutcome | None = None
    """What was known of the XML, where it is XML."""

    def link_to(self, rel: str) -> Link | None:
        """The first link of that relation, `self` or `hub` say."""
        return next((link for link in self.links if link.rel == rel), None)
