"""Feeds of the pages that carry a date, newest first, and the list of them: Atom, RSS, JSON Feed, OPML."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple
from urllib.parse import unquote

from waypost.dates import write_w3c
from waypost.formats.feedmodel import Feed, FeedEntry, FeedKind, Link
from waypost.formats.feedwrite import write_feed
from waypost.formats.markup import html_from_text
from waypost.formats.opml import Opml, Outline, write_opml
from waypost.formats.xmlwrite import legal
from waypost.limits import FEED_FOLDERS_MAX
from waypost.publish.exchange import Ask
from waypost.publish.page import Page, date_of
from waypost.publish.paths import RESERVED, Resource, top_folder
from waypost.publish.settings import Publishing, Site
from waypost.publish.table import PageTable

__all__ = ["FEEDS", "Channel", "FeedForm", "channel_of", "channels", "channels_at", "feed", "opml", "site_title"]


_NO_NAMES = {"home", "index", "readme", "start", "welcome"}
"""What home pages are called that say nothing of their site."""


class FeedForm(NamedTuple):
    """A form the feed is published in."""

    resource: Resource
    path: str
    kind: FeedKind
    media: bytes
    namespace: str
    """What robots.xml calls it."""
    label: str

    @property
    def media_type(self) -> str:
        """The media type without its parameters."""
        return self.media.partition(b";")[0].decode()


def _form(resource: Resource, kind: FeedKind, media: bytes, namespace: str, label: str) -> FeedForm:
    path = next(row.path for row in RESERVED if row.resource is resource)
    return FeedForm(resource, path, kind, media, namespace, label)


FEEDS: tuple[FeedForm, ...] = (
    _form(Resource.ATOM, FeedKind.ATOM, b"application/atom+xml; charset=utf-8", "http://www.w3.org/2005/Atom", "Atom"),
    _form(Resource.RSS, FeedKind.RSS, b"application/rss+xml; charset=utf-8", "http://backend.userland.com/rss2", "RSS"),
    _form(Resource.JSON_FEED, FeedKind.JSON, b"application/feed+json", "https://jsonfeed.org/version/1.1", "JSON Feed"),
)
"""Every form, in the order lists name them."""


class Channel(NamedTuple):
    """What a feed is about: the whole site, or one top folder of it."""

    folder: str = ""
    """As paths carry it; "" for the whole site."""
    title: str = ""
    home: str = "/"

    def path(self, form: FeedForm) -> str:
        """Where its feed is in this form."""
        return f"/{self.folder}{form.path}" if self.folder else form.path

    def title_on(self, site: str) -> str:
        """Its name on a site of that name."""
        return f"{site}: {self.title}" if self.title else site


def channels(table: PageTable, settings: Publishing, now: float = inf) -> list[Channel]:
    """Everything that has feeds, the whole site first; the caller holds the table's lock."""
    if not settings.feed_count or not table.has_feed(now=now):
        return []
    folders = table.feed_folders(now)[:FEED_FOLDERS_MAX] if settings.with_folder_feeds else []
    return [Channel(), *(channel_of(table, folder) for folder in folders)]


def channels_at(path: str, table: PageTable, settings: Publishing, now: float = inf) -> list[Channel]:
    """What the reader of a page may subscribe to: the whole site, and the folder that the page stands in."""
    if not settings.feed_count or not table.has_feed(now=now):
        return []
    folder = top_folder(f"{path}/-") if settings.with_folder_feeds else ""  # a folder's own page stands in it too
    return [Channel(), channel_of(table, folder)] if folder and table.has_feed(folder, now) else [Channel()]


def channel_of(table: PageTable, folder: str) -> Channel:
    """A top folder, by the name its own page gives it."""
    home = table.get(f"/{folder}") or table.get(f"/{folder}/")
    title = legal(home.title).strip() if home else ""
    return Channel(folder, title or legal(unquote(folder)), home.path if home else "/")


def feed(form: FeedForm, folder: str, ask: Ask, site: Site) -> bytes | None:
    """A feed in one form, newest page first; None where no page is to be in it."""
    table, settings, now = site.source.table(), site.settings, ask.now or inf
    with table.lock:
        pages = table.newest(settings.feed_count, folder=folder, now=now)
        channel = channel_of(table, folder) if folder else Channel()
        home = table.get(channel.home) if channel.home != "/" or not folder else None
    if not pages:
        return None
    name = site_title(settings, table, ask.origin)
    title = channel.title_on(name)
    entries = tuple(_entry(form, page, ask, site) for page in pages)
    return write_feed(
        Feed(
            kind=form.kind,
            title=title,
            link=f"{ask.origin}{channel.home}",
            id=f"{ask.origin}/{folder}/" if folder else f"{ask.origin}/",
            updated=max(entry.updated or "" for entry in entries),
            description=(home and legal(home.description)) or f"What is new on {title}",
            language=settings.lang or None,
            authors=(name,),
            links=(Link(href=f"{ask.origin}{channel.path(form)}", rel="self", type=form.media_type),),
            entries=entries,
        )
    )


def _entry(form: FeedForm, page: Page, ask: Ask, site: Site) -> FeedEntry:
    url, date = f"{ask.origin}{page.path}", date_of(page)
    text = site.text_of(page) if site.text_of else None
    summary = page.description or (text.summary if text else "")
    # RSS has one date that readers show; elsewhere nobody is told of a first day that no owner named.
    published = date if form.kind is FeedKind.RSS else page.published
    return FeedEntry(
        id=url,
        is_permalink=True,
        link=url,
        title=legal(page.title).strip() or page.path,
        published=write_w3c(published) if published else None,
        updated=write_w3c(max(date, _updated(page, ask.now or inf))),
        summary=html_from_text(legal(summary)) if summary else None,
        content=legal(text.html) if text else None,
    )


def _updated(page: Page, now: float) -> float:
    return page.updated if page.updated and page.updated <= now else -inf


def opml(offered: Sequence[Channel], title: str, origin: str) -> bytes:
    """The list of the feeds; those of a folder stand together below its name."""
    outlines: list[Outline] = []
    for channel in offered:
        name = channel.title_on(title)
        lines = tuple(_outline(channel, form, f"{name} ({form.label})", origin) for form in FEEDS)
        outlines += [Outline(text=name, outlines=lines)] if channel.folder else lines
    return write_opml(Opml(title=f"Feeds of {title}", outlines=tuple(outlines)))


def _outline(channel: Channel, form: FeedForm, name: str, origin: str) -> Outline:
    url, home = f"{origin}{channel.path(form)}", f"{origin}{channel.home}"
    return Outline(text=name, type="rss", title=name, xml_url=url, html_url=home)


def site_title(settings: Publishing, table: PageTable, origin: str) -> str:
    """The site's name: the one its owner set, else what its home page is called, else its host."""
    home = table.get("/")
    called = legal(home.title).strip() if home else ""
    if called.casefold() in _NO_NAMES:
        called = ""
    return legal(settings.title).strip() or called or origin.partition("://")[2]
