"""Finding sitemaps at all (SMD1xx)."""

from collections.abc import Iterable

from waypost.check.capture import Family
from waypost.check.evidence import Evidence
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.robots.lines import spoilt_lines
from waypost.formats.document import Kind
from waypost.urls import normalise

__all__ = ["RULES"]

_SOME_SITEMAPS = 3


@rule("SMD101", Step.FETCH, Severity.ERROR, fix=Fix.PROPOSED)
def no_sitemap(evidence: Evidence) -> str | None:
    """No sitemap is declared, and none of the four conventional paths has one.

    Why: crawlers then find pages by links alone, and learn of changes late. A small site loses little.

    Fix: Serve a sitemap at /sitemap.xml, and name it in robots.txt: Sitemap: https://example.com/sitemap.xml.

    Bad:
        GET /robots.txt → 404

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if any(candidate.is_declared or not candidate.is_absent for candidate in evidence.candidates):
        return None
    paths = ", ".join(candidate.url.removeprefix(str(evidence.origin)) for candidate in evidence.candidates)
    return f"robots.txt names no sitemap, and there is nothing at {paths}" if paths else None


def _is_good(evidence: Evidence) -> bool:
    best = evidence.best
    return best is not None and best.document is not None and best.document.kind is not Kind.NONE


@rule("SMD102", Step.DISCOVER, Severity.INFO, fix=Fix.SAFE)
def only_by_convention(evidence: Evidence) -> str | None:
    """The sitemap is found by its conventional path only; robots.txt does not name it.

    Why: crawlers try different conventional paths, and all of them read robots.txt.

    Fix: Write its whole URL in a Sitemap line of robots.txt.

    Bad:
        GET /robots.txt → 404

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        GET /robots.txt → 200 text/plain

        Sitemap: https://example.com/sitemap.xml

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    declares = any(candidate.is_declared for candidate in evidence.candidates)
    # A robots.txt without Sitemap lines is a finding of its own (RBT306), with the same cause.
    if declares or evidence.robots is not None or not _is_good(evidence) or evidence.best is None:
        return None
    return f"{evidence.best.url} is named nowhere"


@rule("SMD103", Step.DISCOVER, Severity.INFO)
def two_sitemaps(evidence: Evidence) -> Iterable[Hit]:
    """A declared sitemap and one at a conventional path list different URLs.

    Why: crawlers that try the path see another list than those that read robots.txt.

    Fix: List the same URLs at both, or take the one at the path away.

    Bad:
        GET /robots.txt → 200 text/plain

        Sitemap: https://example.com/maps.xml

        GET /maps.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/b</loc></url></urlset>

    Good:
        GET /robots.txt → 200 text/plain

        Sitemap: https://example.com/sitemap.xml

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    maps = [candidate for candidate in evidence.candidates if candidate.is_sitemap]
    declared = {candidate.listing for candidate in maps if candidate.is_declared}
    for candidate in maps:
        if declared and candidate.listing not in declared:
            yield Hit(f"{candidate.url} does not list what the sitemap robots.txt names lists", url=candidate.url)


@rule("SMD104", Step.DISCOVER, Severity.INFO)
def only_linked_in_html(evidence: Evidence) -> Iterable[Hit]:
    """A sitemap is named by a link element of the home page, and by nothing else.

    Why: no crawler is known to look there.

    Fix: Write a Sitemap line in robots.txt.

    Bad:
        GET / → 200 text/html

        <html><head><link rel="sitemap" href="/maps.xml"></head></html>

    Good:
        GET / → 200 text/html

        <html><head><link rel="sitemap" href="/sitemap.xml"></head></html>
    """
    known = {normalise(candidate.url) for candidate in evidence.candidates}
    for link in evidence.head.linked("sitemap") if evidence.head else ():
        if normalise(link.href) not in known and evidence.home is not None:
            yield Hit(f"the home page names {link.href}", url=evidence.home.final_url)


@rule("SMD105", Step.DISCOVER, Severity.INFO, fix=Fix.PROPOSED)
def several_without_index(evidence: Evidence) -> str | None:
    """Robots.txt names several sitemaps and no index.

    Why: search consoles take sitemaps one by one; an index is one name for all of them.

    Fix: List the sitemaps in an index, and name the index.

    Bad:
        GET /robots.txt → 200 text/plain

        Sitemap: https://example.com/1.xml
        Sitemap: https://example.com/2.xml
        Sitemap: https://example.com/3.xml

        GET /1.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /2.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/b</loc></url></urlset>

        GET /3.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/c</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    declared = [candidate for candidate in evidence.candidates if candidate.is_declared]
    plain = [candidate for candidate in declared if candidate.kind in {Kind.URLSET, Kind.TEXT}]
    if len(plain) < _SOME_SITEMAPS or any(candidate.kind is Kind.INDEX for candidate in declared):
        return None
    return f"{len(plain)} sitemaps are named, and no index"


@rule("SMD106", Step.DISCOVER, Severity.WARN, fix=Fix.PROPOSED)
def dead_declaration(evidence: Evidence) -> Iterable[Hit]:
    """Robots.txt names a sitemap that does not answer, while another one works.

    Why: crawlers ask for it again and again, and search consoles report it.

    Fix: Take the Sitemap line out, or serve the file.

    Bad:
        GET /robots.txt → 200 text/plain

        Sitemap: https://example.com/gone.xml

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if not _is_good(evidence) or evidence.robots_capture is None:
        return
    spoilt = spoilt_lines(evidence.robots) if evidence.robots else frozenset()
    for candidate in evidence.candidates:
        capture = candidate.capture
        if candidate.is_declared and capture is not None and capture.was_asked and not capture.is_success:
            error = capture.error
            if candidate.line in spoilt or (error is not None and error.family is Family.URL):
                continue  # the line itself is at fault, and a finding
            told = error.sentence if error else f"answers {capture.status}"
            yield Hit(f"{candidate.url} {told}", candidate.line, url=evidence.robots_capture.final_url)


RULES: tuple[Rule, ...] = (
    no_sitemap,
    only_by_convention,
    two_sitemaps,
    only_linked_in_html,
    several_without_index,
    dead_declaration,
)
