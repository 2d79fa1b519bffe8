"""Feeds written: RSS 2.0, Atom 1.0 and JSON Feed 1.1 from the same model the readers fill.

A date may be a text in the form of either family, seconds since 1970, or a datetime with a zone. What a format requires
and the feed does not say is a `WriteError` that names it.
"""

from collections.abc import Iterable

from waypost.errors import WriteError
from waypost.formats.atomread import ATOM
from waypost.formats.feeddates import rfc822_text, rfc3339_text
from waypost.formats.feedmodel import Enclosure, Feed, FeedEntry, FeedKind, Link, is_byte_count
from waypost.formats.jsonwrite import write_json_feed
from waypost.formats.urlproof import require_url
from waypost.formats.xmlwrite import XmlWriter
from waypost.urls import is_absolute

__all__ = ["write_atom", "write_feed", "write_json_feed", "write_rss"]

_DC = "http://purl.org/dc/elements/1.1/"
_CONTENT = "http://purl.org/rss/1.0/modules/content/"


def write_feed(feed: Feed, kind: FeedKind | None = None) -> bytes:
    """A feed in the format asked for, or in its own.

    >>> feed = Feed(title="News", entries=(FeedEntry(id="1", title="One"),))
    >>> b'"title": "One"' in write_feed(feed, FeedKind.JSON)
    True
    """
    match kind or feed.kind:
        case FeedKind.RSS:
            return write_rss(feed)
        case FeedKind.ATOM:
            return write_atom(feed)
        case FeedKind.JSON:
            return write_json_feed(feed)
    raise WriteError("say which format the feed is to be written in: it has none of its own")


def write_rss(feed: Feed) -> bytes:
    """An RSS 2.0 document."""
    out = XmlWriter()
    spaces = [("xmlns:atom", ATOM), ("xmlns:content", _CONTENT), ("xmlns:dc", _DC)]
    out.open("rss", [("version", "2.0"), *spaces])
    out.open("channel")
    for name, value in (("title", feed.title), ("link", feed.link), ("description", feed.description)):
        out.leaf(name, _required(value, name, "an RSS channel"))
    require_url(feed.link or "", "link of the channel")
    _text(out, "language", feed.language)
    _rfc822(out, "lastBuildDate", feed.updated, "of the channel")
    _each(out, "dc:creator", feed.authors)
    _links(out, "atom:link", feed.links, "of the channel")
    for number, entry in enumerate(feed.entries, 1):
        _rss_item(out, entry, f"of item {number}")
    out.close()
    out.close()
    return out.document()


def _rss_item(out: XmlWriter, entry: FeedEntry, of: str) -> None:
    if not entry.title and not entry.summary:
        raise WriteError(f"title or description {of} is missing: RSS needs one of them")
    out.open("item")
    _text(out, "title", entry.title, of)
    if entry.link is not None:
        require_url(entry.link, f"link {of}")
        out.leaf("link", entry.link)
    _text(out, "description", entry.summary, of)
    _text(out, "content:encoded", entry.content, of)
    if entry.id is not None:
        if entry.is_permalink and not is_absolute(entry.id):
            raise WriteError(f"guid {of} is no URL: it cannot be a permalink")
        out.leaf("guid", entry.id, [] if entry.is_permalink else [("isPermaLink", "false")], where=f"guid {of}")
    _rfc822(out, "pubDate", entry.published, of)
    _rfc3339(out, "atom:updated", entry.updated, of)
    _each(out, "dc:creator", entry.authors, of)
    _each(out, "category", entry.categories, of)
    for enclosure in entry.enclosures:
        out.leaf("enclosure", attrs=_enclosure(enclosure, "url", ("length", "type"), of))
    _links(out, "atom:link", entry.links, of)
    out.close()


def write_atom(feed: Feed) -> bytes:
    """An Atom 1.0 document. A feed must have an author where not every entry has one: its title stands in."""
    out = XmlWriter()
    language = [("xml:lang", feed.language)] if feed.language else []
    out.open("feed", [("xmlns", ATOM), *language])
    _atom_head(out, feed, "an Atom feed")
    _text(out, "subtitle", feed.description)
    is_signed = bool(feed.entries) and all(entry.authors for entry in feed.entries)
    _people(out, feed.authors or (() if is_signed else (feed.title or "",)))
    _page(out, feed.link, feed.links, "of the feed")
    for number, entry in enumerate(feed.entries, 1):
        _atom_entry(out, entry, number)
    out.close()
    return out.document()


def _atom_head(out: XmlWriter, about: Feed | FeedEntry, whose: str) -> None:
    out.leaf("id", _required(about.id, "id", whose), where=f"id of {whose}")
    out.leaf("title", _required(about.title, "title", whose), where=f"title of {whose}")
    out.leaf("updated", rfc3339_text(_required(about.updated, "updated", whose), f"updated of {whose}"))


def _atom_entry(out: XmlWriter, entry: FeedEntry, number: int) -> None:
    of = f"of entry {number}"
    if entry.link is None and entry.content is None:
        raise WriteError(f"link or content {of} is missing: Atom needs one of them")
    out.open("entry")
    _atom_head(out, entry, f"entry {number}")
    _rfc3339(out, "published", entry.published, of)
    _people(out, entry.authors)
    _page(out, entry.link, entry.links, of)
    for enclosure in entry.enclosures:
        out.leaf("link", attrs=[("rel", "enclosure"), *_enclosure(enclosure, "href", (), of)])
    for category in entry.categories:
        out.leaf("category", attrs=[("term", category)])
    for name, html in (("summary", entry.summary), ("content", entry.content)):
        if html is not None:
            out.leaf(name, html, [("type", "html")], where=f"{name} {of}")
    out.close()


def _page(out: XmlWriter, link: str | None, links: Iterable[Link], of: str) -> None:
    if link is not None:
        require_url(link, f"link {of}")
        out.leaf("link", attrs=[("href", link)])
    _links(out, "link", links, of)


def _links(out: XmlWriter, name: str, links: Iterable[Link], of: str) -> None:
    for link in links:
        require_url(link.href, f"link {link.rel} {of}")
        more = (("type", link.type), ("hreflang", link.hreflang), ("title", link.title))
        out.leaf(name, attrs=[("rel", link.rel), ("href", link.href), *((key, value) for key, value in more if value)])


def _enclosure(enclosure: Enclosure, url_name: str, required: Iterable[str], of: str) -> list[tuple[str, str]]:
    values = {"length": enclosure.length, "type": enclosure.type}
    require_url(enclosure.url or "", f"enclosure {of}")
    for name in required:
        _required(values[name], name, f"an enclosure {of}")
    if enclosure.length and not is_byte_count(enclosure.length):
        raise WriteError(f"length of an enclosure {of} is {enclosure.length!a}, not a number of bytes")
    return [(url_name, enclosure.url or ""), *((name, value) for name, value in values.items() if value is not None)]


def _people(out: XmlWriter, names: Iterable[str]) -> None:
    for name in names:
        out.open("author")
        out.leaf("name", name)
        out.close()


def _required(value: str | None, name: str, whose: str) -> str:
    if value is None or value == "":
        raise WriteError(f"{name} is missing: {whose} needs it")
    return value


def _text(out: XmlWriter, name: str, value: str | None, of: str = "of the feed") -> None:
    if value is not None:
        out.leaf(name, value, where=f"{name} {of}")


def _each(out: XmlWriter, name: str, values: Iterable[str], of: str = "of the feed") -> None:
    for value in values:
        out.leaf(name, value, where=f"{name} {of}")


def _rfc822(out: XmlWriter, name: str, value: object, of: str) -> None:
    if value is not None:
        out.leaf(name, rfc822_text(value, f"{name} {of}"))


def _rfc3339(out: XmlWriter, name: str, value: object, of: str) -> None:
    if value is not None:
        out.leaf(name, rfc3339_text(value, f"{name} {of}"))
