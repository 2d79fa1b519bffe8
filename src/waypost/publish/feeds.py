"""Feeds of the pages that carry a date, newest first, and the list of them: Atom, RSS, JSON Feed, OPML."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from waypost.dates import write_rfc822, write_w3c
from waypost.formats.feedmodel import Feed, FeedEntry, FeedKind, Link
from waypost.formats.feedwrite import write_feed
from waypost.formats.opml import Opml, Outline, write_opml
from waypost.formats.xmlwrite import legal
from waypost.publish.page import Page, date_of
from waypost.publish.paths import RESERVED, Resource
from waypost.publish.settings import Publishing

__all__ = ["FEEDS", "FeedForm", "feed", "opml", "site_title"]


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


def feed(form: FeedForm, pages: Sequence[Page], settings: Publishing, origin: str) -> bytes:
    """The feed of these pages, newest first, in one form."""
    title = site_title(settings, origin)
    return write_feed(
        Feed(
            kind=form.kind,
            title=title,
            link=f"{origin}/",
            id=f"{origin}/",
            updated=write_w3c(max(page.updated or date_of(page) for page in pages)),
            description=f"What is new on {title}",
            language=settings.lang or None,
            links=(Link(href=f"{origin}{form.path}", rel="self", type=form.media_type),),
            entries=tuple(_entry(page, origin) for page in pages),
        )
    )


def _entry(page: Page, origin: str) -> FeedEntry:
    url, date = f"{origin}{page.path}", date_of(page)
    return FeedEntry(
        id=url,
        is_permalink=True,
        link=url,
        title=legal(page.title).strip() or page.path,
        published=write_w3c(date),
        updated=write_w3c(max(date, page.updated or date)),
        summary=escape(legal(page.description)) if page.description else None,
    )


def opml(pages: Sequence[Page], settings: Publishing, origin: str) -> bytes:
    """The list of the feeds."""
    title = site_title(settings, origin)
    outlines = tuple(
        Outline(
            text=f"{title} ({form.label})",
            type="rss",
            title=f"{title} ({form.label})",
            xml_url=f"{origin}{form.path}",
            html_url=f"{origin}/",
        )
        for form in FEEDS
    )
    newest = write_rfc822(max(page.updated or date_of(page) for page in pages))
    return write_opml(Opml(title=f"Feeds of {title}", outlines=outlines, date_modified=newest))


def site_title(settings: Publishing, origin: str) -> str:
    """The site's name; its host where it has none."""
    return legal(settings.title).strip() or origin.partition("://")[2]
