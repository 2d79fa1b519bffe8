"""Listed pages, as they answer (SMU7xx)."""

import re

from waypost.check.capture import Family
from waypost.check.directives import sayings
from waypost.check.evidence import Page
from waypost.check.linkheader import read_links
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.formats.printable import clipped
from waypost.urls import absolute, normalise

__all__ = ["RULES", "canonical_of", "noindex_at"]

_URL_CHARS = 160
_TIMED_OUT = frozenset({Family.DNS, Family.CONNECT, Family.TLS, Family.TIMEOUT, Family.HTTP, Family.SHORT})
_NOT_FOUND = re.compile(
    r"\b(?:404|not found|page (?:was )?not found|no longer (?:exists|available)|does ?n[o']t exist|nicht gefunden"
    r"|introuvable|no encontrada)\b",
    re.IGNORECASE,
)
_PAGE_TYPES = frozenset({"", "text/html", "application/xhtml+xml", "application/pdf", "text/plain", "text/markdown"})
_REFRESH = re.compile(r"^\s*([0-9.]+)\s*[;,]\s*(?:url\s*=\s*)?['\"]?([^'\"]+)", re.IGNORECASE)
_REFRESH_S = 10.0
_INDEXERS = ("googlebot", "bingbot")


def _at(page: Page, text: str) -> Hit:
    return Hit(text, entry=page.entry, url=page.url)


@rule("SMU701", Step.PROBE, Severity.ERROR, fix=Fix.PROPOSED)
def listed_page_missing(page: Page) -> Hit | None:
    """A listed page answers 4xx.

    Why: the sitemap sends crawlers to nothing, and they come less often.

    Fix: Take the URL out of the sitemap, or bring the page back.

    Bad:
        <url><loc>https://example.com/gone</loc></url>

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><title>A</title></head><body>text</body></html>
    """
    status = page.capture.status
    if page.capture.error is None and 400 <= status < 500 and status not in {401, 403}:
        return _at(page, f"{clipped(page.url, _URL_CHARS)} answers {status}")
    return None


@rule("SMU702", Step.PROBE, Severity.ERROR, fix=Fix.PROPOSED)
def listed_page_fails(page: Page) -> Hit | None:
    """A listed page answers 5xx, or does not answer.

    Why: crawlers slow down for the whole site.

    Fix: Look at the server's log for this URL.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 500 text/html

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><title>A</title></head><body>text</body></html>
    """
    error = page.capture.error
    if error is not None and error.family in _TIMED_OUT:
        return _at(page, f"{clipped(page.url, _URL_CHARS)}: {error.sentence}")
    if error is None and page.capture.status >= 500:
        return _at(page, f"{clipped(page.url, _URL_CHARS)} answers {page.capture.status}")
    return None


@rule("SMU703", Step.PROBE, Severity.WARN, fix=Fix.PROPOSED)
def listed_page_redirects(page: Page) -> Hit | None:
    """A listed page redirects.

    Why: a sitemap lists the URLs that answer; a redirect costs a crawler a second request for each.

    Fix: List the URL it leads to.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 301
        Location: /b

        GET /b → 200 text/html

        <html></html>

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><title>A</title></head><body>text</body></html>
    """
    hops = page.capture.hops
    is_redirect = page.capture.was_redirected or (bool(hops) and 300 <= hops[0].status < 400)
    if not is_redirect:
        return None
    target = page.capture.final_url if page.capture.was_redirected else hops[0].location
    return _at(page, f"{clipped(page.url, _URL_CHARS)} leads to {clipped(target, _URL_CHARS)}")


def noindex_at(page: Page) -> str:
    """Where a page says noindex, empty where it does not."""
    said = sayings(page.capture, page.head, _INDEXERS)
    return next((saying.where for saying in said if saying.says_noindex), "")


@rule("SMU704", Step.PROBE, Severity.ERROR, fix=Fix.PROPOSED)
def listed_page_noindex(page: Page) -> Hit | None:
    """A listed page says noindex.

    Why: the sitemap asks crawlers to index it, and the page asks them not to.

    Fix: Take the URL out of the sitemap, or noindex out of the page.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><meta name="robots" content="noindex"></head></html>

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><title>A</title></head><body>text</body></html>
    """
    where = noindex_at(page) if page.capture.is_success else ""
    return _at(page, f"{clipped(page.url, _URL_CHARS)} says noindex in {where}") if where else None


def canonical_of(page: Page) -> str | None:
    """The URL a page names as its canonical one, in its Link header or its HTML; None where it names none."""
    told = read_links(page.capture.headers.all("link"), page.capture.final_url)
    return next((link.href for link in (*told, *page.head.links) if "canonical" in link.rel), None)


@rule("SMU705", Step.PROBE, Severity.WARN, fix=Fix.PROPOSED)
def canonical_elsewhere(page: Page) -> Hit | None:
    """A listed page names another URL as its canonical one.

    Why: crawlers index the other URL, so that is the one to list.

    Fix: List the canonical URL, or correct the page's rel="canonical".

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><link rel="canonical" href="https://example.com/b"></head></html>

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><link rel="canonical" href="https://example.com/a"></head></html>
    """
    canonical = canonical_of(page) if page.capture.is_success else None
    if canonical is None or normalise(canonical) in {normalise(page.url), normalise(page.capture.final_url)}:
        return None
    return _at(page, f"{clipped(page.url, _URL_CHARS)} names {clipped(canonical, _URL_CHARS)}")


@rule("SMU707", Step.PROBE, Severity.WARN, fix=Fix.PROPOSED)
def listed_page_needs_login(page: Page) -> Hit | None:
    """A listed page answers 401 or 403.

    Why: crawlers have no login.

    Fix: Take the URL out of the sitemap, or let everybody read the page.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 403 text/html

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><title>A</title></head><body>text</body></html>
    """
    if page.capture.error is None and page.capture.status in {401, 403}:
        return _at(page, f"{clipped(page.url, _URL_CHARS)} answers {page.capture.status}")
    return None


@rule("SMU708", Step.PROBE, Severity.WARN, fix=Fix.PROPOSED)
def soft_404(page: Page) -> Hit | None:
    """A listed page answers 200, and its title says that there is no such page.

    Why: crawlers index an error page, or learn to distrust the site's answers.

    Fix: Answer 404 for what is not there, and take the URL out of the sitemap.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><title>404 - Page not found</title></head></html>

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><title>A</title></head><body>text</body></html>
    """
    if not page.capture.is_success or not _NOT_FOUND.search(page.head.title):
        return None
    return _at(page, f"{clipped(page.url, _URL_CHARS)} is titled “{clipped(page.head.title, 80)}”")


@rule("SMU711", Step.PROBE, Severity.INFO, fix=Fix.PROPOSED)
def listed_no_page(page: Page) -> Hit | None:
    """A listed URL is no page but an image, a feed or an archive.

    Why: a sitemap lists pages; images belong to their page's entry.

    Fix: Take the URL out, or list the page that shows it.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a.jpg</loc></url></urlset>

        GET /a.jpg → 200 image/jpeg

        x

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><title>A</title></head><body>text</body></html>
    """
    kind = page.capture.content_type
    if not page.capture.is_success or kind in _PAGE_TYPES:
        return None
    return _at(page, f"{clipped(page.url, _URL_CHARS)} is {clipped(kind, 60)}")


@rule("SMU713", Step.PROBE, Severity.WARN, fix=Fix.PROPOSED)
def refresh_stub(page: Page) -> Hit | None:
    """A listed page sends browsers on with a meta refresh.

    Why: it is a redirect that crawlers follow late, or not at all.

    Fix: List the URL it leads to, and redirect with status 301.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><meta http-equiv="refresh" content="0; url=/b"></head></html>

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /a → 200 text/html

        <html><head><title>A</title></head><body>text</body></html>
    """
    found = _REFRESH.match(page.head.meta("refresh")[:500])
    if not found or len(found[1]) > 6 or found[1].count(".") > 1 or float(found[1] or 0) > _REFRESH_S:
        return None
    target = absolute(page.capture.final_url, found[2])
    if target is None or normalise(target) == normalise(page.capture.final_url):
        return None
    return _at(page, f"{clipped(page.url, _URL_CHARS)} sends browsers to {clipped(target, _URL_CHARS)}")


RULES: tuple[Rule, ...] = (
    listed_page_missing,
    listed_page_fails,
    listed_page_redirects,
    listed_page_noindex,
    canonical_elsewhere,
    listed_page_needs_login,
    soft_404,
    listed_no_page,
    refresh_stub,
)
