"""What a feed and its entries must have (FED801 to FED814)."""

from collections.abc import Iterable

from waypost.check.capture import Capture
from waypost.check.evidence import FeedSeen
from waypost.check.rule import Fix, Hit, Now, Rule, Severity, Step, rule
from waypost.check.rules.noted import charset_contradiction, content_type_told, noted
from waypost.formats.feeddates import read_feed_date
from waypost.formats.feedmodel import Feed, FeedKind
from waypost.formats.feednotes import (
    DATE_INVALID,
    DATE_TOLERATED,
    ENTRY_EMPTY,
    ENTRY_FIELD_MISSING,
    FIELD_MISSING,
    GUID_MISSING,
    GUID_NO_URL,
    ID_REPEATED,
    JSON_BROKEN,
)
from waypost.formats.printable import clipped
from waypost.formats.xmlnotes import ENCODING_CONTRADICTED, TEXT_BEFORE_DECLARATION, UNDEFINED_ENTITY, XML_FATAL
from waypost.limits import LASTMOD_EARLIEST_S

__all__ = ["RULES"]

_TEXT_CHARS = 120
_DAY_S = 86_400.0
_TYPES = frozenset(
    {
        "application/rss+xml",
        "application/atom+xml",
        "application/feed+json",
        "application/json",
        "application/rdf+xml",
        "application/xml",
        "text/xml",
    }
)


@rule("FED801", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def feed_broken(feed: Feed, seen: FeedSeen) -> Iterable[Hit]:
    """The feed is not well-formed, or is no feed.

    Why: feed readers drop it.

    Fix: Write it with an XML or JSON writer.

    Bad:
        <rss version="2.0"><channel><title>t</channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    # Of a feed that serves as the sitemap the sitemap check says so; other rules name some causes.
    if seen.is_sitemap:
        return
    if feed.kind is FeedKind.NONE and not {*XML_FATAL, JSON_BROKEN} & set(feed.counts or {}):
        yield Hit("it is no feed")
    yield from noted(feed, (*(XML_FATAL - {TEXT_BEFORE_DECLARATION, UNDEFINED_ENTITY}), JSON_BROKEN))


@rule("FED802", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def feed_content_type(capture: Capture, feed: Feed, seen: FeedSeen) -> str | None:
    """The feed's Content-Type is not that of its format, nor XML.

    Why: some readers trust the header and drop the feed.

    Fix: Send application/rss+xml, application/atom+xml or application/feed+json.

    Bad:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 text/html

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    # Of a feed that serves as the sitemap the sitemap check says so.
    if feed.kind is FeedKind.NONE or capture.content_type in _TYPES or seen.is_sitemap:
        return None
    return content_type_told(capture)


@rule("FED803", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def feed_encoding_contradicted(feed: Feed, seen: FeedSeen) -> Iterable[Hit]:
    """The charset of the feed's Content-Type, or its declaration, contradicts the encoding of the bytes.

    Why: by the standards the header wins, so strict readers misread every letter that is not ASCII.

    Fix: Send charset=utf-8, or no charset at all.

    Bad:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml; charset=koi8-r

        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <item><title>a</title><link>https://example.com/a</link></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <item><title>a</title><link>https://example.com/a</link></item></channel></rss>
    """
    # Of a feed that serves as the sitemap SMP206 says so.
    if feed.kind is FeedKind.NONE or seen.is_sitemap:
        return
    if told := charset_contradiction(seen.capture, feed.encoding):
        yield Hit(told)
    yield from noted(feed, ENCODING_CONTRADICTED)


@rule("FED804", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def rss_channel_incomplete(feed: Feed) -> Iterable[Hit]:
    """The RSS channel lacks a title, a link or a description.

    Why: the three are required.

    Fix: Add what is missing, with a value in it.

    Bad:
        <rss version="2.0"><channel><title>t</title><item><title>a</title></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    return noted(feed, FIELD_MISSING, "the channel has no {}") if feed.kind is FeedKind.RSS else ()


@rule("FED805", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def atom_feed_incomplete(feed: Feed) -> Iterable[Hit]:
    """The Atom feed lacks an id, a title or an updated date.

    Why: the three are required.

    Fix: Add what is missing, with a value in it.

    Bad:
        <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title></feed>

    Good:
        <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x:t</id><updated>2026-06-01T10:00:00Z</updated>
        <link rel="self" href="https://example.com/feed.xml"/>
        <entry><title>a</title><id>urn:x:a</id><updated>2026-06-01T10:00:00Z</updated>
        <link href="https://example.com/a"/></entry></feed>
    """
    return noted(feed, FIELD_MISSING, "the feed has no {}") if feed.kind is FeedKind.ATOM else ()


@rule("FED806", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def atom_entry_incomplete(feed: Feed) -> Iterable[Hit]:
    """An Atom entry lacks an id, a title or an updated date.

    Why: the three are required; without an id a reader cannot know it again.

    Fix: Add what is missing, with a value in it.

    Bad:
        <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x:t</id><updated>2026-06-01T10:00:00Z</updated>
        <link rel="self" href="https://example.com/feed.xml"/>
        <entry><title>a</title></entry></feed>

    Good:
        <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x:t</id><updated>2026-06-01T10:00:00Z</updated>
        <link rel="self" href="https://example.com/feed.xml"/>
        <entry><title>a</title><id>urn:x:a</id><updated>2026-06-01T10:00:00Z</updated>
        <link href="https://example.com/a"/></entry></feed>
    """
    return noted(feed, ENTRY_FIELD_MISSING, "an entry has no {}") if feed.kind is FeedKind.ATOM else ()


@rule("FED807", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def rss_item_empty(feed: Feed) -> Iterable[Hit]:
    """An RSS item has neither a title nor a description.

    Why: one of the two is required; there is nothing to show.

    Fix: Give the item a title.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><link>https://example.com/a</link></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    return noted(feed, ENTRY_EMPTY, "an item without title and description")


@rule("FED808", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def repeated_id(feed: Feed) -> Iterable[Hit]:
    """Two entries share an id or guid.

    Why: readers take the second for the first, and show one of them.

    Fix: Give every entry an id of its own that never changes.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><guid>https://example.com/a</guid></item>
        <item><title>b</title><guid>https://example.com/a</guid></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    return noted(feed, ID_REPEATED, "{} is the id of an earlier entry")


@rule("FED809", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def guid_no_url(feed: Feed) -> Iterable[Hit]:
    """A guid is no URL, and does not say isPermaLink="false".

    Why: a guid without that attribute is the item's page, so readers open it.

    Fix: Write isPermaLink="false", or the URL.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><guid>number 7</guid></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    return noted(feed, GUID_NO_URL, "guid {} is no URL")


@rule("FED810", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def no_guid(feed: Feed) -> Iterable[Hit]:
    """An RSS item has no guid.

    Why: readers guess whether they have shown it, by its link or its title.

    Fix: Give every item a guid that never changes.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    return noted(feed, GUID_MISSING, "an item without guid")


@rule("FED813", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def feed_date_invalid(feed: Feed) -> Iterable[Hit]:
    """A date of the feed is none: RSS wants RFC 822, Atom and JSON Feed RFC 3339; or its weekday is wrong.

    Why: readers sort the entry to the bottom, or to the top for ever.

    Fix: Write Tue, 20 Jan 2026 10:00:00 GMT in RSS, 2026-01-20T10:00:00Z elsewhere.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><guid>https://example.com/a</guid><pubDate>yesterday</pubDate></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    yield from noted(feed, DATE_INVALID, "{}")
    for note in feed.notes:
        if note.kind == DATE_TOLERATED and "weekday" in note.text:
            yield Hit(clipped(note.text, _TEXT_CHARS), note.line, note.column, note.entry)


@rule("FED814", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def implausible_feed_date(feed: Feed, now: Now) -> Iterable[Hit]:
    """An entry's date lies in the future, or before 1995.

    Why: readers keep it on top until then, or hide it.

    Fix: Write when the entry was published.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><guid>https://example.com/a</guid>
        <pubDate>Tue, 01 Jan 2999 10:00:00 GMT</pubDate></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    for number, entry in enumerate(feed.entries, 1):
        for text in {entry.updated, entry.published} - {None}:
            at = read_feed_date((text or "").strip()).timestamp
            if at is not None and not LASTMOD_EARLIEST_S <= at <= now + _DAY_S:
                yield Hit(f"{clipped(text or '', _TEXT_CHARS)} is not plausible", entry.line, entry.column, number)


RULES: tuple[Rule, ...] = (
    feed_broken,
    feed_content_type,
    feed_encoding_contradicted,
    rss_channel_incomplete,
    atom_feed_incomplete,
    atom_entry_incomplete,
    rss_item_empty,
    repeated_id,
    guid_no_url,
    no_guid,
    feed_date_invalid,
    implausible_feed_date,
)
