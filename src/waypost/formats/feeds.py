"""Feeds read: RSS 2.0 (0.9x and 1.0 too), Atom 1.0 (0.3 too) and JSON Feed, told apart by what they are."""

import dataclasses
import re
from collections.abc import Callable, Sequence
from typing import Protocol

from waypost.formats import feednotes as kinds
from waypost.formats.atomread import AtomReader
from waypost.formats.bounds import Bounds
from waypost.formats.feeddraft import FeedDraft
from waypost.formats.feedmodel import Enclosure, Feed, FeedEntry, FeedKind, Link
from waypost.formats.jsonfeed import read_json_feed
from waypost.formats.notes import Notes
from waypost.formats.octets import Octets, octets
from waypost.formats.rssread import RDF, RssReader
from waypost.formats.xmlread import XmlFeeder
from waypost.formats.xmltree import Element, TreeReader
from waypost.limits import FEED_VALUE_CHARS_MAX

__all__ = ["FEED_BOUNDS", "Enclosure", "Feed", "FeedEntry", "FeedKind", "FeedReader", "Link", "read_feed"]

FEED_BOUNDS = Bounds(value_chars_max=FEED_VALUE_CHARS_MAX)
"""The limits of a sitemap, but for texts as long as articles are."""

_JSON_START = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*+\{[ \t\r\n]*+[\"}]")
"""A template that was never rendered starts with a brace, too, but not like this."""


class _Format(Protocol):
    def is_container(self, outer: Sequence[Element], element: Element) -> bool: ...
    def opened(self, container: Element) -> None: ...
    def taken(self, container: Element, child: Element) -> None: ...
    def close(self, *, complete: bool) -> None: ...


class _NoFormat:
    """Stands for the format until the root is known, and where it is none."""

    def __init__(self, draft: FeedDraft) -> None:
        self._draft = draft

    def is_container(self, outer: Sequence[Element], element: Element) -> bool:  # noqa: ARG002
        return False

    def opened(self, container: Element) -> None:
        self._draft.note(kinds.ROOT_UNKNOWN, container.place, container.name)

    def taken(self, container: Element, child: Element) -> None: ...

    def close(self, *, complete: bool) -> None: ...


def _format(root: Element) -> Callable[[FeedDraft], _Format]:
    if root.local == "rss" or root.name == f"{RDF} RDF":
        return RssReader
    return AtomReader if root.local == "feed" else _NoFormat


class FeedReader:
    """The streaming reader of XML feeds: bytes in any chunks, a `Feed` at the end."""

    def __init__(self, *, url: str | None = None, limits: Bounds = FEED_BOUNDS) -> None:
        self._draft = FeedDraft(Notes(), url, limits.urls_max)
        self._format: _Format = _NoFormat(self._draft)
        tree = TreeReader(self._is_container, self._opened, self._taken, self._draft.notes, url)
        self._feeder = XmlFeeder(tree, notes=self._draft.notes, bounds=limits)

    def feed(self, data: bytes) -> None:
        """Take the next bytes, any number of them."""
        self._feeder.feed(data)

    def close(self, *, broken_off: bool = False) -> Feed:
        """The end of the bytes: the feed as far as it could be read. Why they are `broken_off` is noted elsewhere."""
        outcome = self._feeder.close(broken_off=broken_off)
        complete = outcome.complete and not outcome.cut
        self._format.close(complete=complete)
        feed = self._draft.freeze(complete=complete)
        return dataclasses.replace(feed, encoding=outcome.encoding, bytes=outcome.bytes, root=outcome.root, xml=outcome)

    def _is_container(self, outer: Sequence[Element], element: Element) -> bool:
        return self._format.is_container(outer, element)

    def _opened(self, container: Element) -> None:
        if isinstance(self._format, _NoFormat):
            self._format = _format(container)(self._draft)
        self._format.opened(container)

    def _taken(self, container: Element, child: Element) -> None:
        self._format.taken(container, child)


def read_feed(data: Octets, *, url: str | None = None, limits: Bounds = FEED_BOUNDS) -> Feed:
    """Read a feed from bytes of any kind; what is wrong with them is noted, never raised.

    >>> feed = read_feed(b"<rss><channel><title>News</title><item><title>One</title></item></channel></rss>")
    >>> feed.kind, feed.title, [entry.title for entry in feed.entries]
    (<FeedKind.RSS: 'rss'>, 'News', ['One'])
    """
    data = octets(data)
    if _JSON_START.match(data):
        return read_json_feed(data, url=url, limits=limits)
    reader = FeedReader(url=url, limits=limits)
    reader.feed(data)
    return reader.close()
