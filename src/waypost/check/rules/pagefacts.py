"""Listed pages against robots.txt and their own dates (RBT314, SMQ304, SMQ305, SMU712)."""

from collections.abc import Iterable, Iterator

from waypost.check.evidence import Page
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.fields.dates import moment
from waypost.check.rules.pages import canonical_of, noindex_at
from waypost.dates import read_http
from waypost.formats.printable import clipped
from waypost.formats.robots import Robots
from waypost.urls import absolute, normalise

__all__ = ["RULES"]

_URL_CHARS = 160
_DAY_S = 86_400.0


def _at(page: Page, text: str) -> Hit:
    return Hit(text, entry=page.entry, url=page.url)


@rule("RBT314", Step.PROBE, Severity.WARN)
def noindex_nobody_reads(page: Page, robots: Robots) -> Hit | None:
    """A page that robots.txt disallows says noindex, which crawlers can never read.

    Why: they may still list the URL, because nothing they may read says no.

    Fix: Allow the page until crawlers have read its noindex.

    Bad:
        GET /robots.txt → 200 text/plain

        User-agent: Googlebot
        Disallow: /a

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><meta name="robots" content="noindex"></head></html>

    Good:
        GET /robots.txt → 200 text/plain

        User-agent: Googlebot
        Disallow: /b

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><meta name="robots" content="noindex"></head></html>
    """
    if not noindex_at(page) or robots.allowed("Googlebot", page.url):
        return None
    verdict = robots.explain("Googlebot", page.url)
    return _at(page, f"{clipped(page.url, _URL_CHARS)} says noindex, and {verdict.rule} keeps crawlers away")


def _own_date(page: Page) -> float | None:
    """When a page says that it changed: in its metadata, else in its Last-Modified header."""
    stated = moment(page.head.meta("article:modified_time").strip() or None)
    return stated if stated is not None else read_http(page.capture.headers.get("last-modified").strip())


def _dates(page: Page) -> Iterator[tuple[float, float]]:
    listed, own = moment(page.lastmod), _own_date(page) if page.capture.is_success else None
    if listed is not None and own is not None:
        yield listed, own


@rule("SMQ304", Step.PROBE, Severity.WARN)
def lastmod_behind_page(page: Page) -> Iterable[Hit]:
    """The lastmod is older than the page's own date of change.

    Why: crawlers that trust it do not come back to read what changed.

    Fix: Take lastmod and the page's date from the same place.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc><lastmod>2026-01-20</lastmod></url></urlset>

        GET /a → 200 text/html
        Last-Modified: Tue, 02 Jun 2026 10:00:00 GMT

        <html></html>

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc><lastmod>2026-06-02</lastmod></url></urlset>

        GET /a → 200 text/html
        Last-Modified: Tue, 02 Jun 2026 10:00:00 GMT

        <html></html>
    """
    for listed, own in _dates(page):
        if own - listed > _DAY_S:
            yield _at(page, f"lastmod {page.lastmod} is {(own - listed) / _DAY_S:.0f} days behind the page")


@rule("SMQ305", Step.PROBE, Severity.INFO)
def lastmod_ahead_of_page(page: Page) -> Iterable[Hit]:
    """The lastmod is newer than the page's own date of change.

    Why: crawlers come back and find nothing new.

    Fix: Take lastmod and the page's date from the same place.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc><lastmod>2026-06-08</lastmod></url></urlset>

        GET /a → 200 text/html
        Last-Modified: Tue, 02 Jun 2026 10:00:00 GMT

        <html></html>

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc><lastmod>2026-06-02</lastmod></url></urlset>

        GET /a → 200 text/html
        Last-Modified: Tue, 02 Jun 2026 10:00:00 GMT

        <html></html>
    """
    for listed, own in _dates(page):
        if listed - own > _DAY_S:
            yield _at(page, f"lastmod {page.lastmod} is {(listed - own) / _DAY_S:.0f} days ahead of the page")


@rule("SMU712", Step.PROBE, Severity.INFO, fix=Fix.PROPOSED)
def page_names_differ(page: Page) -> Hit | None:
    """A listed page's og:url differs from its canonical URL by the scheme or a final slash.

    Why: shares and crawlers then count one page as two.

    Fix: Write one URL in the sitemap, in rel="canonical" and in og:url.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><meta property="og:url" content="http://example.com/a/"></head></html>

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><meta property="og:url" content="https://example.com/a"></head></html>
    """
    said = page.head.meta("og:url").strip()
    shared = absolute(page.capture.final_url, said) if said else None
    own = canonical_of(page) or page.capture.final_url
    if shared is None or normalise(shared) == normalise(own) or _bare(shared) != _bare(own):
        return None
    return _at(page, f"og:url is {clipped(shared, _URL_CHARS)}, the page is {clipped(own, _URL_CHARS)}")


def _bare(url: str) -> str:
    return normalise(url).partition("//")[2].rstrip("/")


RULES: tuple[Rule, ...] = (noindex_nobody_reads, lastmod_behind_page, lastmod_ahead_of_page, page_names_differ)
