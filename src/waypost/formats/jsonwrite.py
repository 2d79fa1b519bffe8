"""JSON Feed 1.1, written. Links that it has no member for are left out."""

import json
from typing import Any

from waypost.errors import WriteError
from waypost.formats.feeddates import rfc3339_text
from waypost.formats.feedmodel import Enclosure, Feed, FeedEntry, Link, is_byte_count
from waypost.formats.jsonfeed import VERSION
from waypost.formats.markup import text_from_html
from waypost.formats.urlproof import require_url

__all__ = ["write_json_feed"]


def write_json_feed(feed: Feed) -> bytes:
    """A JSON Feed 1.1 document."""
    if not feed.title:
        raise WriteError("title is missing: a JSON Feed needs it")
    members = {
        "version": VERSION,
        "title": feed.title,
        "home_page_url": _url(feed.link, "link of the feed"),
        "feed_url": _url(_href(feed.links, "self"), "self link of the feed"),
        "next_url": _url(_href(feed.links, "next"), "next link of the feed"),
        "description": feed.description,
        "language": feed.language,
        "authors": _named(feed.authors),
        "hubs": [{"type": "WebSub", "url": _url(link.href, "hub")} for link in feed.links if link.rel == "hub"],
        "items": [_item(entry, f"of item {number}") for number, entry in enumerate(feed.entries, 1)],
    }
    text = json.dumps(_given(members) | {"items": members["items"]}, ensure_ascii=False, indent=1)
    try:
        return (text + "\n").encode()
    except UnicodeEncodeError as error:
        raise WriteError(f"the feed holds U+{ord(text[error.start]):04X}, half of a character: remove it") from None


def _item(entry: FeedEntry, of: str) -> dict[str, Any]:
    if not entry.id:
        raise WriteError(f"id {of} is missing: a JSON Feed needs it")
    content = entry.content if entry.content is not None else entry.summary
    members = {
        "id": entry.id,
        "url": _url(entry.link, f"link {of}"),
        "external_url": _url(_href(entry.links, "related"), f"related link {of}"),
        "title": entry.title,
        "content_html": content if content is not None else "",
        "summary": None if entry.summary is None else text_from_html(entry.summary),
        "date_published": None if entry.published is None else rfc3339_text(entry.published, f"published {of}"),
        "date_modified": None if entry.updated is None else rfc3339_text(entry.updated, f"updated {of}"),
        "authors": _named(entry.authors),
        "tags": list(entry.categories),
        "attachments": [_attachment(enclosure, of) for enclosure in entry.enclosures],
    }
    return _given(members)


def _given(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None and value != []}


def _named(names: tuple[str, ...]) -> list[dict[str, str]]:
    return [{"name": name} for name in names]


def _href(links: tuple[Link, ...], rel: str) -> str | None:
    return next((link.href for link in links if link.rel == rel), None)


def _url(url: str | None, where: str) -> str | None:
    if url is not None:
        require_url(url, where)
    return url


def _attachment(enclosure: Enclosure, of: str) -> dict[str, Any]:
    if not enclosure.type:
        raise WriteError(f"type of an enclosure {of} is missing: a JSON Feed needs it")
    length = enclosure.length
    if length and not is_byte_count(length):
        raise WriteError(f"length of an enclosure {of} is {length!a}, not a number of bytes")
    size = int(length) if length else None
    return _given(
        {"url": _url(enclosure.url or "", f"enclosure {of}"), "mime_type": enclosure.type, "size_in_bytes": size}
    )
