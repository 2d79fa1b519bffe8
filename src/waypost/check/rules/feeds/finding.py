"""How feeds are found: links, lists, and the sitemap (FED819, FED820, FED826, FED841 to FED845)."""

from collections.abc import Iterable

from waypost.check.evidence import Evidence
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.noted import noted
from waypost.check.services import FEED_TYPES, kind_of
from waypost.formats.document import Kind
from waypost.formats.feedmodel import FeedKind
from waypost.formats.opml import OUTLINE_WITHOUT_TEXT, OUTLINE_WITHOUT_URL, VERSION_UNKNOWN, Opml
from waypost.formats.printable import clipped
from waypost.urls import host_of, normalise, path_of

__all__ = ["RULES"]

_URL_CHARS = 160


@rule("FED819", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def feed_not_linked(evidence: Evidence) -> Iterable[Hit]:
    """The home page does not link a feed that the site has.

    Why: people who give their reader the site's address find no feed.

    Fix: Add <link rel="alternate" type="application/rss+xml" href="…"> to the page's head.

    Bad:
        GET / → 200 text/html

        <html><head></head></html>

        GET /robots.xml → 200 application/xml

        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/feed.xml</loc>
        <namespace>http://backend.userland.com/rss2</namespace></url></xmlmap>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

    Good:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="2.0"><head><title>t</title></head><body>
        <outline type="rss" text="t" xmlUrl="https://example.com/feed.xml"/></body></opml>
    """
    if evidence.head is None or evidence.home is None or not evidence.home.is_success:
        return
    linked = {normalise(link.href) for link in evidence.head.links if "alternate" in link.rel}
    own = [one for one in evidence.feeds if one.feed.kind is not FeedKind.NONE and not one.is_sitemap]
    links_one = any(normalise(one.capture.url) in linked for one in own)
    for one in own:
        urls = {normalise(one.capture.url), normalise(one.capture.final_url)}
        # The feed of a folder is for the pages of the folder to link, where the home page has one of its own.
        is_due = not links_one or path_of(one.capture.url).count("/") == 1
        if is_due and host_of(one.capture.url) == evidence.origin.host and not urls & linked:
            yield Hit(f"{clipped(one.capture.url, _URL_CHARS)} is not linked", url=evidence.home.final_url)


@rule("FED820", Step.FEED, Severity.INFO, fix=Fix.PROPOSED)
def feeds_without_titles(evidence: Evidence) -> Iterable[Hit]:
    """The home page links several feeds without titles that tell them apart.

    Why: a reader offers people a list of the same word.

    Fix: Give each link a title.

    Bad:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/a.xml">
        <link rel="alternate" type="application/rss+xml" href="/b.xml"></head></html>



    Good:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="2.0"><head><title>t</title></head><body>
        <outline type="rss" text="t" xmlUrl="https://example.com/feed.xml"/></body></opml>
    """
    links = [link for link in evidence.head.links if link.type in FEED_TYPES] if evidence.head else []
    titles = {link.title.strip() for link in links}
    if len({normalise(link.href) for link in links}) > len(titles) and evidence.home is not None:
        yield Hit(f"{len(links)} feeds, {len(titles - {''})} titles", url=evidence.home.final_url)


@rule("FED826", Step.FEED, Severity.INFO, fix=Fix.PROPOSED)
def feed_is_the_only_sitemap(evidence: Evidence) -> str | None:
    """A feed is the only sitemap.

    Why: it lists recent items only, so crawlers learn of the others by links alone.

    Fix: Serve a urlset of all pages beside the feed.

    Bad:
        GET /sitemap.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

    Good:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="2.0"><head><title>t</title></head><body>
        <outline type="rss" text="t" xmlUrl="https://example.com/feed.xml"/></body></opml>
    """
    best = evidence.best
    if best is None or best.kind not in {Kind.RSS, Kind.ATOM}:
        return None
    others = [one for one in evidence.candidates if one.kind not in {Kind.RSS, Kind.ATOM, Kind.NONE}]
    return None if others else f"{best.url} is a feed"


@rule("FED841", Step.FEED, Severity.ERROR, fix=Fix.PROPOSED)
def outline_without_url(opml: Opml) -> Iterable[Hit]:
    """An outline of the type rss has no xmlUrl.

    Why: it names no feed.

    Fix: Write the feed's URL as xmlUrl.

    Bad:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="2.0"><head><title>t</title></head><body>
        <outline type="rss" text="t"/></body></opml>

    Good:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="2.0"><head><title>t</title></head><body>
        <outline type="rss" text="t" xmlUrl="https://example.com/feed.xml"/></body></opml>
    """
    return noted(opml, OUTLINE_WITHOUT_URL, "an outline without xmlUrl: {}")


@rule("FED842", Step.FEED, Severity.INFO, fix=Fix.PROPOSED)
def opml_version(opml: Opml) -> Iterable[Hit]:
    """The OPML version is none of 1.0, 1.1 and 2.0.

    Why: readers may refuse the list.

    Fix: Write version="2.0".

    Bad:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="7"><head><title>t</title></head><body>
        <outline type="rss" text="t" xmlUrl="https://example.com/feed.xml"/></body></opml>

    Good:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="2.0"><head><title>t</title></head><body>
        <outline type="rss" text="t" xmlUrl="https://example.com/feed.xml"/></body></opml>
    """
    return noted(opml, VERSION_UNKNOWN, "version {}")


@rule("FED843", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def outline_without_text(opml: Opml) -> Iterable[Hit]:
    """An outline has no text.

    Why: readers show a line without words.

    Fix: Write the feed's title as text.

    Bad:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="2.0"><head><title>t</title></head><body>
        <outline type="rss" xmlUrl="https://example.com/feed.xml"/></body></opml>

    Good:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="2.0"><head><title>t</title></head><body>
        <outline type="rss" text="t" xmlUrl="https://example.com/feed.xml"/></body></opml>
    """
    return noted(opml, OUTLINE_WITHOUT_TEXT, "an outline without text")


@rule("FED844", Step.FEED, Severity.WARN, fix=Fix.PROPOSED)
def dead_feed_listed(evidence: Evidence) -> Iterable[Hit]:
    """The OPML list names a feed that does not answer, or is none.

    Why: people subscribe to nothing.

    Fix: Take it out of the list, or serve it.

    Bad:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="2.0"><head><title>t</title></head><body>
        <outline type="rss" text="t" xmlUrl="https://example.com/gone.xml"/></body></opml>

    Good:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="2.0"><head><title>t</title></head><body>
        <outline type="rss" text="t" xmlUrl="https://example.com/feed.xml"/></body></opml>
    """
    for one in evidence.feeds:
        if one.listed_in and one.feed.kind is FeedKind.NONE and one.capture.was_asked:
            told = one.capture.error.sentence if one.capture.error else f"answers {one.capture.status}"
            told = "is no feed" if one.capture.is_success else told
            yield Hit(f"{clipped(one.capture.url, _URL_CHARS)} {told}", url=one.listed_in)


@rule("FED845", Step.FEED, Severity.INFO, fix=Fix.PROPOSED)
def no_list_of_feeds(evidence: Evidence) -> str | None:
    """The site has feeds, but no list of them: no OPML at a well-known path, no entry in robots.xml.

    Why: a client that knows only the domain finds them one page at a time.

    Fix: Serve an OPML list at /feeds.opml, and name it in robots.xml.

    Bad:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

    Good:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /feed.xml → 200 application/rss+xml

        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link><description>d</description>
        <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/feed.xml"/>
        <item><title>a</title><link>https://example.com/a</link><guid>https://example.com/a</guid></item></channel></rss>

        GET /feeds.opml → 200 text/x-opml

        <opml version="2.0"><head><title>t</title></head><body>
        <outline type="rss" text="t" xmlUrl="https://example.com/feed.xml"/></body></opml>
    """
    feeds = [one for one in evidence.feeds if one.feed.kind is not FeedKind.NONE]
    named = evidence.xmlmap.services if evidence.xmlmap else ()
    if not feeds or evidence.opmls or any(kind_of(one.namespace or "").leads_to_feeds for one in named):
        return None
    return f"{len(feeds)} feeds, and no list of them"


RULES: tuple[Rule, ...] = (
    feed_not_linked,
    feeds_without_titles,
    feed_is_the_only_sitemap,
    outline_without_url,
    opml_version,
    outline_without_text,
    dead_feed_listed,
    no_list_of_feeds,
)
