"""robots.xml, the proposed index of a site's services (RXM9xx)."""

from collections.abc import Iterable

from waypost.check.capture import Capture
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.noted import content_type_told, noted
from waypost.formats import xmlmap as kinds
from waypost.formats.printable import clipped
from waypost.formats.xmlmap import Xmlmap
from waypost.formats.xmlnotes import OVER_BYTES, XML_FATAL
from waypost.urls import Origin, host_of

__all__ = ["RULES"]

_URL_CHARS = 160
_XML_TYPES = frozenset({"application/xml", "text/xml"})


@rule("RXM901", Step.ROBOTS_XML, Severity.INFO)
def no_robots_xml(capture: Capture) -> str | None:
    """There is no robots.xml.

    Why: nothing is wrong with that: it is a proposal, and robots.txt and links say much of the same.

    Fix: Publish one if you offer feeds or data files that clients should find by the domain alone.

    Bad:
        GET / → 200 text/html

        <html></html>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    if not capture.was_asked:
        return None
    if not capture.is_success:
        told = capture.error.sentence if capture.error else f"answers {capture.status}"
        return f"/robots.xml: {told}"
    head = capture.body.head(512).lstrip().lower()
    return "/robots.xml answers with a page" if head.startswith((b"<!doctype html", b"<html")) else None


@rule("RXM902", Step.ROBOTS_XML, Severity.ERROR)
def robots_xml_broken(xmlmap: Xmlmap) -> Iterable[Hit]:
    """The robots.xml is not well-formed.

    Why: clients drop it.

    Fix: Write it with an XML writer.

    Bad:
        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/a</url></xmlmap>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    return noted(xmlmap, tuple(XML_FATAL))


def _is_broken(xmlmap: Xmlmap) -> bool:
    return not XML_FATAL.isdisjoint(xmlmap.counts or {})


@rule("RXM903", Step.ROBOTS_XML, Severity.ERROR)
def robots_xml_root(xmlmap: Xmlmap) -> str | None:
    """The root of robots.xml is not xmlmap.

    Why: clients look for xmlmap and find nothing.

    Fix: Name the root xmlmap.

    Bad:
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    if xmlmap.is_xmlmap or _is_broken(xmlmap):
        return None
    return f"the root is {clipped(xmlmap.root.rpartition(' ')[2], 80) or 'nothing'}"


@rule("RXM904", Step.ROBOTS_XML, Severity.WARN, fix=Fix.SAFE)
def robots_xml_namespace(xmlmap: Xmlmap) -> Iterable[Hit]:
    """The root of robots.xml is not in the sitemap namespace.

    Why: a namespace is compared letter by letter; strict clients drop the file.

    Fix: Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" on the root.

    Bad:
        <xmlmap xmlns="urn:mine"><url><loc>https://example.com/feed.xml</loc>
        <namespace>http://www.w3.org/2005/Atom</namespace></url></xmlmap>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    return noted(xmlmap, kinds.NAMESPACE_UNUSUAL, "the namespace is “{}”")


@rule("RXM905", Step.ROBOTS_XML, Severity.ERROR)
def service_without_loc(xmlmap: Xmlmap) -> Iterable[Hit]:
    """An entry of robots.xml has no loc.

    Why: it names no service.

    Fix: Give it a loc, or take it out.

    Bad:
        <url><namespace>http://www.w3.org/2005/Atom</namespace></url>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    return noted(xmlmap, kinds.LOC_MISSING, "an entry without loc")


@rule("RXM906", Step.ROBOTS_XML, Severity.ERROR)
def service_not_absolute(xmlmap: Xmlmap) -> Iterable[Hit]:
    """A loc of robots.xml is no absolute http(s) URL.

    Why: clients do not resolve it.

    Fix: Write the whole URL.

    Bad:
        <url><loc>/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    return noted(xmlmap, kinds.LOC_RELATIVE, "{} is no absolute URL")


@rule("RXM907", Step.ROBOTS_XML, Severity.ERROR)
def service_without_namespace(xmlmap: Xmlmap) -> Iterable[Hit]:
    """An entry of robots.xml does not say what it is: it has no namespace.

    Why: clients choose services by their namespace.

    Fix: Write its XML namespace, or a URN.

    Bad:
        <url><loc>https://example.com/feed.xml</loc></url>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    return noted(xmlmap, kinds.SERVICE_NAMESPACE_MISSING, "an entry without namespace")


@rule("RXM908", Step.ROBOTS_XML, Severity.WARN)
def service_namespace_no_uri(xmlmap: Xmlmap) -> Iterable[Hit]:
    """A namespace of robots.xml is neither an absolute URI nor a URN.

    Why: nobody can know what is meant by it.

    Fix: Write the namespace of the format, or a URN of your own.

    Bad:
        <url><loc>https://example.com/feed.xml</loc><namespace>atom</namespace></url>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    return noted(xmlmap, kinds.SERVICE_NAMESPACE_BAD, "“{}” is neither a URI nor a URN")


@rule("RXM909", Step.ROBOTS_XML, Severity.INFO, fix=Fix.SAFE)
def service_date(xmlmap: Xmlmap) -> Iterable[Hit]:
    """A lastmod of robots.xml is no W3C date; the twelve digits of the proposal's own sample are read all the same.

    Why: W3C dates are what sitemaps use, and what every reader knows.

    Fix: Write 2009-10-11T11:10:00Z for 200910111110.

    Bad:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace>
        <lastmod>200910111110</lastmod></url>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace>
        <lastmod>2009-10-11T11:10:00Z</lastmod></url>
    """
    yield from noted(xmlmap, kinds.LASTMOD_COMPACT, "{}")
    yield from noted(xmlmap, kinds.LASTMOD_INVALID, "“{}” is no date")


@rule("RXM912", Step.ROBOTS_XML, Severity.INFO)
def service_on_another_host(xmlmap: Xmlmap, origin: Origin) -> Iterable[Hit]:
    """An entry of robots.xml is on another host, which is allowed.

    Why: the proposal's own sample does it.

    Fix: Nothing needs to be done.

    Bad:
        <url><loc>https://feeds.example.net/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    for number, service in enumerate(xmlmap.services, 1):
        host = host_of(service.loc or "")
        if host and host != origin.host:
            told = f"{clipped(service.loc or '', _URL_CHARS)} is on another host"
            yield Hit(told, service.line, service.column, number)


@rule("RXM915", Step.ROBOTS_XML, Severity.INFO, fix=Fix.SAFE)
def repeated_service(xmlmap: Xmlmap) -> Iterable[Hit]:
    """An entry of robots.xml stands twice.

    Why: the second one says nothing new.

    Fix: Keep one.

    Bad:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    return noted(xmlmap, kinds.SERVICE_REPEATED, "{} stands here already")


@rule("RXM916", Step.ROBOTS_XML, Severity.WARN)
def robots_xml_too_large(xmlmap: Xmlmap) -> str | None:
    """The robots.xml has more than 50,000 entries or 50 MB, the limits of sitemaps.

    Why: clients borrow those limits, and drop what is larger.

    Fix: List the services a stranger looks for, not every file.

    Bad:
        <url><loc>https://example.com/{n}</loc><namespace>urn:a:b</namespace></url> × 50001

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    if kinds.TOO_MANY_SERVICES in (xmlmap.counts or {}):
        return f"{xmlmap.service_count:,} entries"
    return "it is larger than is read" if OVER_BYTES in (xmlmap.counts or {}) else None


@rule("RXM917", Step.ROBOTS_XML, Severity.WARN)
def robots_xml_content_type(capture: Capture, xmlmap: Xmlmap) -> str | None:
    """The Content-Type of robots.xml is not XML.

    Why: some clients trust the header and drop the file.

    Fix: Send application/xml.

    Bad:
        GET /robots.xml → 200 text/plain

        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/feed.xml</loc>
        <namespace>http://www.w3.org/2005/Atom</namespace></url></xmlmap>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    if not xmlmap.is_xmlmap or capture.content_type in _XML_TYPES or capture.content_type.endswith("+xml"):
        return None
    return content_type_told(capture)


@rule("RXM919", Step.ROBOTS_XML, Severity.INFO)
def no_schema_location(xmlmap: Xmlmap) -> Iterable[Hit]:
    """The root of robots.xml has no schemaLocation that names the proposal's schema.

    Why: the proposal pairs the sitemap namespace with its own schema, so that validators know which is meant.

    Fix: Pair the namespace with http://xml.robotsxml.org/schemas/xmlmap/0.1/xmlmap.xsd in xsi:schemaLocation.

    Bad:
        <xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/feed.xml</loc>
        <namespace>http://www.w3.org/2005/Atom</namespace></url></xmlmap>

    Good:
        <url><loc>https://example.com/feed.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace></url>
    """
    return noted(xmlmap, kinds.SCHEMA_LOCATION_MISSING, "no schemaLocation with {}")


RULES: tuple[Rule, ...] = (
    no_robots_xml,
    robots_xml_broken,
    robots_xml_root,
    robots_xml_namespace,
    service_without_loc,
    service_not_absolute,
    service_without_namespace,
    service_namespace_no_uri,
    service_date,
    service_on_another_host,
    repeated_service,
    robots_xml_too_large,
    robots_xml_content_type,
    no_schema_location,
)
