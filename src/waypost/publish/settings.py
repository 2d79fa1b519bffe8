"""What an owner may set about publishing, as the publisher takes it. No setting can change an origin."""

from collections.abc import Callable
from dataclasses import dataclass

from waypost.publish.page import Page, PageText
from waypost.publish.table import PageSource

__all__ = ["DataFile", "Publishing", "RobotsGroup", "Site"]


@dataclass(frozen=True, slots=True)
class RobotsGroup:
    """Rules of robots.txt for some agents; the registry's own rules stay in every group."""

    agents: tuple[str, ...]
    disallow: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    crawl_delay: float | None = None
    content_signal: str = ""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file an owner declares for robots.xml: a path on this host, or an absolute URL."""

    loc: str
    namespace: str
    title: str = ""
    lastmod: float | None = None


@dataclass(frozen=True, slots=True)
class Publishing:
    """The publishing settings of one site."""

    title: str = ""
    lang: str = ""
    groups: tuple[RobotsGroup, ...] = ()
    data: tuple[DataFile, ...] = ()
    admin_path: str = ""
    """Never in anything public, and never part of a validator."""
    is_closed: bool = False
    """A preview: robots.txt disallows everything and every answer says noindex."""
    feed_count: int = 50
    with_folder_feeds: bool = True
    """Whether each top folder has feeds of its own."""
    with_llms: bool = False
    """Whether /llms.txt lists the pages."""
    indexnow_key: str = ""
    """What /KEY.txt says, so that IndexNow believes who sends in changes."""


@dataclass(frozen=True, slots=True)
class Site:
    """Everything `respond` needs to know of a site."""

    source: PageSource
    settings: Publishing = Publishing()
    text_of: Callable[[Page], PageText | None] | None = None
    """What stands on a page, for one origin; None where feeds are to hold descriptions alone."""
    data_of: Callable[[DataFile], DataFile | None] | None = None
    """An owner's data file as the disk has it; None for one that nobody may see. Not given, the owner's word counts."""
