"""robots.xml against the rest of the site (RXM910, RXM911, RXM913, RXM914, RXM918)."""

from collections.abc import Iterable, Iterator

from waypost.check.capture import Capture
from waypost.check.evidence import Evidence
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.services import ServiceKind, kind_of
from waypost.formats.printable import clipped
from waypost.formats.signature import Format, sniff
from waypost.formats.xmlmap import Service
from waypost.urls import normalise

__all__ = ["RULES"]

_URL_CHARS = 160
_ROOTS: dict[ServiceKind, frozenset[Format]] = {
    ServiceKind.SITEMAP: frozenset(
        {Format.URLSET, Format.INDEX, Format.XMLMAP, Format.TEXT, Format.RSS, Format.ATOM, Format.RDF}
    ),
    ServiceKind.ATOM: frozenset({Format.ATOM}),
    ServiceKind.RSS: frozenset({Format.RSS, Format.RDF}),
    ServiceKind.JSON_FEED: frozenset({Format.JSONFEED}),
    ServiceKind.OPML: frozenset({Format.OPML}),
}
"""Kinds whose documents can be told by their bytes; any other is not compared."""


def _where(evidence: Evidence) -> str:
    return evidence.xmlmap_capture.final_url if evidence.xmlmap_capture else ""


def _asked(evidence: Evidence) -> Iterator[tuple[Service, int, Capture]]:
    """The services that were asked for, with their entries and answers."""
    captures = [candidate.capture for candidate in evidence.candidates if candidate.capture is not None]
    captures += [feed.capture for feed in evidence.feeds]
    answers = {normalise(capture.url): capture for capture in (*captures, *evidence.services)}
    for number, service in enumerate(evidence.xmlmap.services if evidence.xmlmap else (), 1):
        capture = answers.get(normalise(service.loc or ""))
        if capture is not None:
            yield service, number, capture


@rule("RXM910", Step.ROBOTS_XML, Severity.ERROR)
def service_unreachable(evidence: Evidence) -> Iterable[Hit]:
    """A service that robots.xml lists does not answer.

    Why: clients that found it by robots.xml find nothing.

    Fix: Serve it, or take the entry out.

    Bad:
        GET /robots.xml → 200 application/xml

        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/gone.xml</loc>
        <namespace>http://www.w3.org/2005/Atom</namespace></url></xmlmap>

    Good:
        GET /robots.xml → 200 application/xml

        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/feed.xml</loc>
        <namespace>http://www.w3.org/2005/Atom</namespace></url></xmlmap>

        GET /feed.xml → 200 application/atom+xml

        <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title></feed>
    """
    judged = {normalise(one.url) for one in evidence.candidates if one is evidence.best or one.is_declared}
    for service, number, capture in _asked(evidence):
        if capture.is_success or not capture.was_asked:
            continue
        if normalise(capture.url) in judged:  # the sitemap check says it already
            continue
        told = capture.error.sentence if capture.error else f"answers {capture.status}"
        text = f"{clipped(service.loc or '', _URL_CHARS)}: {told}"
        yield Hit(text, service.line, service.column, number, _where(evidence))


@rule("RXM911", Step.ROBOTS_XML, Severity.WARN)
def service_is_another(evidence: Evidence) -> Iterable[Hit]:
    """A service that robots.xml lists is not of the kind its namespace says.

    Why: a client that asks for feeds gets something it cannot read.

    Fix: Correct the namespace.

    Bad:
        GET /robots.xml → 200 application/xml

        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/list.xml</loc>
        <namespace>http://www.w3.org/2005/Atom</namespace></url></xmlmap>

        GET /list.xml → 200 application/xml

        <opml version="2.0"><body></body></opml>

    Good:
        GET /robots.xml → 200 application/xml

        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/list.xml</loc>
        <namespace>http://www.opml.org/spec2</namespace></url></xmlmap>

        GET /list.xml → 200 application/xml

        <opml version="2.0"><body></body></opml>
    """
    for service, number, capture in _asked(evidence):
        wanted = _ROOTS.get(kind_of(service.namespace or ""))
        if wanted is None or not capture.is_success or not capture.body:
            continue
        found = sniff(capture.body.head(65_536))
        if found not in wanted:
            text = f"{clipped(service.loc or '', _URL_CHARS)} is {found.value}"
            yield Hit(text, service.line, service.column, number, _where(evidence))


@rule("RXM913", Step.ROBOTS_XML, Severity.WARN, fix=Fix.SAFE)
def sitemap_missing_in_robots_xml(evidence: Evidence) -> Iterable[Hit]:
    """A sitemap that robots.txt names is missing in robots.xml.

    Why: robots.xml is meant to list everything machine-readable, the sitemap first.

    Fix: Add an entry with the sitemap's URL and the sitemap namespace.

    Bad:
        GET /robots.txt → 200 text/plain

        Sitemap: https://example.com/sitemap.xml

        GET /robots.xml → 200 application/xml

        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/data.xml</loc>
        <namespace>urn:a:b</namespace></url></xmlmap>

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        GET /robots.txt → 200 text/plain

        Sitemap: https://example.com/sitemap.xml

        GET /robots.xml → 200 application/xml

        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/sitemap.xml</loc>
        <namespace>http://www.sitemaps.org/schemas/sitemap/0.9</namespace></url></xmlmap>
    """
    if evidence.xmlmap is None or not evidence.xmlmap.is_xmlmap:
        return
    listed = {normalise(service.loc or "") for service in evidence.xmlmap.services}
    for candidate in evidence.candidates:
        is_alive = candidate.is_answered or candidate.was_not_asked
        if candidate.is_declared and is_alive and normalise(candidate.url) not in listed:
            yield Hit(f"{clipped(candidate.url, _URL_CHARS)} is not listed", url=_where(evidence))


@rule("RXM914", Step.ROBOTS_XML, Severity.INFO)
def sitemap_missing_in_robots_txt(evidence: Evidence) -> Iterable[Hit]:
    """A sitemap that robots.xml lists is missing in robots.txt.

    Why: crawlers read robots.txt.

    Fix: Write a Sitemap line for it.

    Bad:
        GET /robots.xml → 200 application/xml

        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/sitemap.xml</loc>
        <namespace>http://www.sitemaps.org/schemas/sitemap/0.9</namespace></url></xmlmap>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    named = {normalise(candidate.url) for candidate in evidence.candidates if candidate.is_declared}
    for number, service in enumerate(evidence.xmlmap.services if evidence.xmlmap else (), 1):
        is_sitemap = kind_of(service.namespace or "") is ServiceKind.SITEMAP
        if is_sitemap and service.loc and normalise(service.loc) not in named:
            text = f"{clipped(service.loc, _URL_CHARS)} is not in robots.txt"
            yield Hit(text, service.line, service.column, number, _where(evidence))


@rule("RXM918", Step.ROBOTS_XML, Severity.INFO)
def no_feeds_in_robots_xml(evidence: Evidence) -> str | None:
    """The site has feeds, and robots.xml lists none, and no list of feeds.

    Why: to find feeds by a domain alone is what robots.xml is for.

    Fix: Add an entry for each feed, or for an OPML list of them.

    Bad:
        GET / → 200 text/html

        <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>

        GET /robots.xml → 200 application/xml

        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/data.xml</loc>
        <namespace>urn:a:b</namespace></url></xmlmap>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    if evidence.xmlmap is None or not evidence.xmlmap.is_xmlmap or not evidence.feeds:
        return None
    if any(kind_of(service.namespace or "").leads_to_feeds for service in evidence.xmlmap.services):
        return None
    return f"{len(evidence.feeds)} feeds were found, none is listed"


RULES: tuple[Rule, ...] = (
    service_unreachable,
    service_is_another,
    sitemap_missing_in_robots_xml,
    sitemap_missing_in_robots_txt,
    no_feeds_in_robots_xml,
)
