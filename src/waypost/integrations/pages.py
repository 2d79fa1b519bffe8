"""An application's own pages as a site: a list, or a callable that is asked again for every request."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from hashlib import blake2b
from inspect import signature
from math import inf
from time import time
from urllib.parse import quote

from waypost.dates import read_w3c
from waypost.errors import ConfigError, WriteError
from waypost.publish.canonical import ID_BYTES, AliasFault, canonical_alias
from waypost.publish.fragments import fragment
from waypost.publish.page import Page
from waypost.publish.paths import Resource, names_admin, refuses
from waypost.publish.respond import PART, ROUTES
from waypost.publish.robots import group_fault
from waypost.publish.settings import DataFile, Publishing, RobotsGroup, Site
from waypost.publish.table import PageTable
from waypost.urls import BAD_ESCAPE, read_host

__all__ = ["Given", "Moment", "PageLike", "Pages", "SiteMaker", "answers", "origin_of"]

Moment = datetime | date | float | str | None
PageLike = str | tuple[str, Moment] | Page
"""A path, a path with the moment of its last change, or a `waypost.publish.page.Page`."""
Given = Iterable[PageLike]
Pages = Given | Callable[..., Given | Awaitable[Given]]
"""A list, or a callable without parameters, or one that takes the host and returns that host's pages."""

_URL_CHARS = "/:@!$&'()*+,;=-._~%?#"
"""What stays in a path as it is given; a fragment is no part of one, and is refused where it is written."""
_ANSWERED = frozenset({Resource.ROBOTS, Resource.SITEMAP, Resource.INDEX, Resource.TEXT, Resource.XMLMAP})
_SHOWN_CHARS_MAX, _TOLD_MAX = 80, 10
_log = logging.getLogger("waypost")


def answers(path: str) -> bool:
    """Whether a path is one of the publisher's documents; feeds and everything else are the application's own.

    >>> answers("/robots.txt"), answers("/sitemaps/sitemap-0001.xml"), answers("/feed.atom"), answers("/sitemaps/x")
    (True, True, False, False)
    """
    return ROUTES.get(path) in _ANSWERED or PART.fullmatch(path) is not None


def origin_of(scheme: str, hosts: Sequence[str | bytes]) -> str | None:
    """The origin of a request by its scheme and its Host headers; None where there is not exactly one good one."""
    parts = read_host(hosts[0]) if len(hosts) == 1 else None
    if parts is None or scheme not in {"http", "https"}:
        return None
    host, port = parts
    is_default = port is None or port == {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{host}" if is_default else f"{scheme}://{host}:{port}"


@dataclass(slots=True)
class SiteMaker:
    """Makes the site of a request from what the application says its pages are at that moment."""

    pages: Pages
    reserved: Sequence[str] = ()
    """Paths of the application that are neither listed nor crawled."""
    admin_path: str = ""
    """A path that is not listed and that nothing public may name."""
    groups: Sequence[RobotsGroup] = ()
    data: Sequence[DataFile] = ()
    title: str = ""
    _table: PageTable = field(default_factory=PageTable)
    _given: list[PageLike] = field(default_factory=list)
    _due: float = inf
    """The next of the dates that were left out because they lie in the future."""
    settings: Publishing = field(default_factory=Publishing, init=False)
    _takes_host: bool = False
    _told: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        admin = canonical_alias(self.admin_path)
        if isinstance(admin, AliasFault):
            raise ConfigError(f"admin_path {admin.value}")
        if not all(path.strip("/ ") for path in self.reserved):
            raise ConfigError("reserved holds an empty path, which is the whole site: name what is not to be listed")
        self.admin_path = admin
        self.reserved = [quote(path, safe=f"{_URL_CHARS}*") for path in self.reserved]
        own = tuple(f"/{path.strip('/')}/" for path in self.reserved)
        if named := [path for path in own if names_admin(path, admin)]:
            raise ConfigError(f"{named[0]} is reserved and names the admin path: robots.txt would tell it to everybody")
        groups = tuple(replace(group, disallow=(*own, *group.disallow)) for group in self.groups)
        if own and not any("*" in group.agents for group in groups):
            groups = (RobotsGroup(("*",), disallow=own), *groups)
        if faults := list(filter(None, (group_fault(group, admin) for group in groups))):
            raise ConfigError(faults[0])
        if isinstance(self.pages, Iterator):
            self.pages = list(self.pages)  # it gives its pages once only
        self.settings = Publishing(
            self.title, groups=groups, data=tuple(self.data), admin_path=admin, with_folder_feeds=False, feed_count=0
        )
        self._takes_host = callable(self.pages) and bool(signature(self.pages).parameters)

    def ask(self, host: str) -> Given | Awaitable[Given]:
        """What the application says its pages are, for this host where it wants to know."""
        if not callable(self.pages):
            return self.pages
        return self.pages(host) if self._takes_host else self.pages()

    def site(self, given: Given) -> Site:
        """The site of these pages."""
        if self._takes_host:
            # What was asked for one host is forgotten with the request: nothing that belongs to a host is kept.
            return Site(PageTable(self._listed(given)), self.settings)
        known = list(given)
        with self._table.lock:
            if known != self._given or time() >= self._due:
                self._take(known)
        return Site(self._table, self.settings)

    def _take(self, given: list[PageLike]) -> None:
        listed = {page.key: page for page in self._listed(given)}
        for key in [page.key for page in self._table if page.key not in listed]:
            self._table.discard(key)
        for page in listed.values():
            self._table.add(page)
        self._given = given

    def _listed(self, given: Iterable[PageLike]) -> Iterator[Page]:
        now, self._due = time(), inf
        for item in given:
            page = _page(item)
            if page is None:
                shown = ascii(item)[:_SHOWN_CHARS_MAX]
                self._tell(f"{shown} is not listed: it is no page, or no path that starts with / and has no fragment")
                continue
            if page is not item and page.last_modified is not None and not page.last_modified <= now:
                self._due = min(self._due, page.last_modified)
                page = replace(page, last_modified=None)
            row = refuses(page.path.partition("?")[0], self.admin_path)
            if row is not None:
                self._tell(f"A page at a reserved path is not listed: {row.why}")
            elif not _stands_below(page.path, self.reserved):
                yield page

    def _tell(self, sentence: str) -> None:
        """Say it once: whoever gives a bad page gives it at every request."""
        if sentence not in self._told and len(self._told) < _TOLD_MAX:
            self._told.add(sentence)
            _log.warning("%s", sentence)


def _stands_below(path: str, folders: Sequence[str]) -> bool:
    below = f"{path.partition('?')[0]}/".lower()
    return any(below.startswith(f"/{folder.strip('/')}/".lower()) for folder in folders)


def _page(item: PageLike) -> Page | None:
    """What the application gave as a page; None for what no sitemap can hold."""
    try:
        page = item if isinstance(item, Page) else _made(item)
        fragment(page, with_images=False)
    except (TypeError, ValueError, AttributeError, WriteError):
        return None
    return page


def _made(item: str | tuple[str, Moment]) -> Page:
    text, moment = (item, None) if isinstance(item, str) else item
    path = BAD_ESCAPE.sub("%25", quote(text, safe=_URL_CHARS))
    key = blake2b(path.encode(), digest_size=ID_BYTES).digest()
    return Page(key, path, _timestamp(moment))


def _timestamp(moment: Moment) -> float | None:
    if isinstance(moment, str):
        return read_w3c(moment).timestamp
    if isinstance(moment, datetime):
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    if isinstance(moment, date):
        return datetime(moment.year, moment.month, moment.day, tzinfo=UTC).timestamp()
    return moment
