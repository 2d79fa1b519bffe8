"""What makes a feed pleasant to read, and safe (FED811 to FED830)."""

from collections.abc import Iterable

from waypost.check.capture import Capture
from waypost.check.evidence import FeedSeen
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.noted import noted
from waypost.formats.feedmodel import Feed, FeedKind
from waypost.formats.feednotes import (
    BASE_USED,
    CONTENT_ACTIVE,
    CONTENT_RELATIVE,
    ENCLOSURE_INCOMPLETE,
    ENTRY_FIELD_MISSING,
    FIELD_MISSING,
    HUB_WITHOUT_SELF,
    LINK_REPEATED,
    NAMESPACE_UNUSUAL,
    SELF_LINK_MISSING,
    VERSION_OLD,
    VERSION_UNKNOWN,
)
from waypost.formats.printable import clipped
from waypost.formats.xmlnotes import TEXT_BEFORE_DECLARATION, UNDEFINED_ENTITY
from waypost.urls import Origin, host_of, normalise

__all__ = ["RULES"]

_URL_CHARS = 160
_ODD_ROOTS = {
    VERSION_UNKNOWN: ("the feed's version “{}” is none that readers know", "the feed says no version"),
    NAMESPACE_UNUSUAL: (
        "the feed's root has the namespace “{}”, which is not its format's",
        "the feed's root has no namespace",
    ),
}
"""What is said of a note with a text, and of one without."""


@rule("FED811", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def no_self_link(feed: Feed) -> Iterable[Hit]:
    """The feed does not say its own URL with a self link.

    Why: readers that were given the file or a copy cannot find the feed again.

    Fix: Add <atom:link rel="self" href="…"> with the feed's URL.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    return noted(feed, SELF_LINK_MISSING, "there is no self link")


@rule("FED812", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def self_link_differs(feed: Feed, capture: Capture) -> Iterable[Hit]:
    """The feed's self link is not the URL it was fetched from.

    Why: readers may go over to the other URL, and subscribe people twice.

    Fix: Write the URL people subscribe to.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/other.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    link = feed.link_to("self")
    if link is None or normalise(link.href) in {normalise(capture.url), normalise(capture.final_url)}:
        return
    yield Hit(f"self is {clipped(link.href, _URL_CHARS)}", link.line, link.column)


@rule("FED815", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def relative_in_content(feed: Feed) -> Iterable[Hit]:
    """Content has relative links or images, or links are whole URLs only by an xml:base.

    Why: readers show content on another page, where such links lead nowhere; many do not know xml:base.

    Fix: Write whole URLs in content and in links.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><guid>https://example.com/a</guid>
        <description>&lt;img src="/i.png"&gt;</description></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    yield from noted(feed, CONTENT_RELATIVE, "{} is relative")
    yield from noted(feed, BASE_USED, "xml:base {} is what makes links whole here", Severity.INFO)


@rule("FED816", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def active_content(feed: Feed) -> Iterable[Hit]:
    """Content has scripts, styles or event attributes.

    Why: readers take them out, and some refuse the entry.

    Fix: Leave them out of the feed.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><guid>https://example.com/a</guid>
        <description>&lt;script&gt;x()&lt;/script&gt;</description></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    return noted(feed, CONTENT_ACTIVE, "{}")


@rule("FED817", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def enclosure_incomplete(feed: Feed) -> Iterable[Hit]:
    """An enclosure lacks its url, length or type.

    Why: players need all three; podcast directories refuse the episode.

    Fix: Write url, length in bytes and type.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><guid>https://example.com/a</guid><enclosure url="https://example.com/a.mp3"/></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    return noted(feed, ENCLOSURE_INCOMPLETE, "an enclosure lacks {}")


@rule("FED818", Step.FEED, Severity.INFO, fix=Fix.PROPOSED)
def feed_redirects_for_now(capture: Capture) -> str | None:
    """The feed's URL redirects for the time being (302, 303, 307).

    Why: readers ask the old URL for ever.

    Fix: Redirect with 301 or 308 where the feed has moved for good.

    Bad:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/old.xml"></head></html>

        GET /old.xml → 302
        Location: /feed.xml

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    for hop in capture.hops:
        if hop.status in {302, 303, 307}:
            return f"{hop.url} answers {hop.status}"
    return None


@rule("FED821", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def feed_leaves_the_host(feed: Feed, origin: Origin, seen: FeedSeen) -> Iterable[Hit]:
    """The feed's entries lead to another host.

    Why: it is fine for a list of links; whoever reads the feed of a site expects the site's own pages.

    Fix: Link the site's own pages, or list the feed elsewhere.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><guid>https://other.example.edu/a</guid></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    if seen.is_sitemap:  # the sitemap check says so
        return
    for entry in feed.entries:
        if host_of(entry.link or "") not in {"", origin.host}:
            yield Hit(f"{clipped(entry.link or '', _URL_CHARS)} is on another host", entry.line, entry.column)


@rule("FED824", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def old_feed_version(feed: Feed) -> Iterable[Hit]:
    """The feed is of an old version: RSS before 2.0, or Atom 0.3.

    Why: some readers no longer read it.

    Fix: Write RSS 2.0 or Atom 1.0.

    Bad:
        <rss version="0.91"><channel><title>t</title><link>https://example.com/</link><description>d</description></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    if feed.kind is FeedKind.NONE:
        return
    yield from noted(feed, VERSION_OLD, f"the feed is of the old version {feed.version}")
    for note in feed.notes:
        if note.kind in _ODD_ROOTS:
            told, bare = _ODD_ROOTS[note.kind]
            yield Hit(told.format(clipped(note.text, _URL_CHARS)) if note.text else bare, note.line, note.column)


@rule("FED825", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def json_feed_incomplete(feed: Feed) -> Iterable[Hit]:
    """The JSON Feed lacks its version, its title or the id of an item.

    Why: readers refuse the feed or the item.

    Fix: Add what is missing.

    Bad:
        {"version": "https://jsonfeed.org/version/1.1", "items": [{"content_text": "a"}]}

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    if feed.kind is FeedKind.JSON:
        yield from noted(feed, (FIELD_MISSING, ENTRY_FIELD_MISSING), "there is no {}")


@rule("FED827", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def blank_before_declaration(feed: Feed, seen: FeedSeen) -> Iterable[Hit]:
    """A blank line or text stands before the feed's XML declaration.

    Why: the declaration must be the very first bytes, else the file is not XML.

    Fix: Look for a blank line printed before the template.

    Bad:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml
        Body: blank line first

        <?xml version="1.0"?>
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    return () if seen.is_sitemap else noted(feed, TEXT_BEFORE_DECLARATION)


@rule("FED828", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def repeated_alternate(feed: Feed) -> Iterable[Hit]:
    """An entry has several alternate links of one type and language.

    Why: readers take one of them, and not all take the same one.

    Fix: Keep one.

    Bad:
        <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x:t</id><updated>2026-06-01T10:00:00Z</updated>
        <link rel="self" href="https://example.com/feed.xml"/>
        <entry><title>a</title><id>urn:x:a</id><updated>2026-06-01T10:00:00Z</updated>
        <link href="https://example.com/a"/><link href="https://example.com/b"/></entry></feed>

    Good:
        <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x:t</id><updated>2026-06-01T10:00:00Z</updated>
        <link rel="self" href="https://example.com/feed.xml"/>
        <entry><title>a</title><id>urn:x:a</id><updated>2026-06-01T10:00:00Z</updated>
        <link href="https://example.com/a"/></entry></feed>
    """
    return noted(feed, LINK_REPEATED, "{}")


@rule("FED829", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def html_entity(feed: Feed, seen: FeedSeen) -> Iterable[Hit]:
    """The feed has a named entity that XML does not know, &amp;nbsp; say.

    Why: the XML is broken there, and readers drop the feed.

    Fix: Write the character itself, or its number: &#160;.

    Bad:
        <rss version="2.0"><channel><title>a&nbsp;b</title></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>
    """
    return () if seen.is_sitemap else noted(feed, UNDEFINED_ENTITY)


@rule("FED830", Step.FEED, Severity.INFO, fix=Fix.PROPOSED)
def hub_without_self(feed: Feed) -> Iterable[Hit]:
    """The feed names a WebSub hub, but no self link to subscribe to.

    Why: subscribers do not know what to ask the hub for.

    Fix: Add <link rel="self" href="…">.

    Bad:
        <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x:t</id><updated>2026-06-01T10:00:00Z</updated>
        <link rel="hub" href="https://hub.example.net/"/></feed>

    Good:
        <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x:t</id><updated>2026-06-01T10:00:00Z</updated>
        <link rel="self" href="https://example.com/feed.xml"/>
        <entry><title>a</title><id>urn:x:a</id><updated>2026-06-01T10:00:00Z</updated>
        <link href="https://example.com/a"/></entry></feed>
    """
    return noted(feed, HUB_WITHOUT_SELF, "hub {}")


RULES: tuple[Rule, ...] = (
    no_self_link,
    self_link_differs,
    relative_in_content,
    active_content,
    enclosure_incomplete,
    feed_redirects_for_now,
    feed_leaves_the_host,
    old_feed_version,
    json_feed_incomplete,
    blank_before_declaration,
    repeated_alternate,
    html_entity,
    hub_without_self,
)
