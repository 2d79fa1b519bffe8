"""Sitemaps compared with each other and with robots.txt (SMP225, SMQ310, SMQ316, SMU706, SMS506)."""

from collections.abc import Iterable
from operator import itemgetter

from waypost.check.crawlers import ASKED_TOKENS
from waypost.check.evidence import Candidate, Evidence, Source, page_lists
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.fields.dates import moment
from waypost.check.rules.robots.reach import is_closed
from waypost.formats.document import Document, Kind
from waypost.formats.printable import clipped
from waypost.formats.robots import Robots, Verdict

__all__ = ["RULES"]

_URL_CHARS = 160
_DAY_S = 86_400.0


@rule("SMP225", Step.PARSE, Severity.ERROR, fix=Fix.PROPOSED)
def index_lists_index(document: Document, candidate: Candidate) -> str | None:
    """A sitemap index lists another index.

    Why: the protocol knows one level; crawlers do not read the second.

    Fix: List the sitemaps themselves, or name each index in robots.txt.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://example.com/2.xml</loc></sitemap></sitemapindex>

        GET /2.xml → 200 application/xml

        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://example.com/3.xml</loc></sitemap></sitemapindex>

    Good:
        GET /sitemap.xml → 200 application/xml

        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://example.com/2.xml</loc></sitemap></sitemapindex>

        GET /2.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    if candidate.source is not Source.INDEX or document.kind is not Kind.INDEX:
        return None
    return f"{clipped(candidate.url, _URL_CHARS)} is an index, too"


@rule("SMQ310", Step.DEEP, Severity.INFO, fix=Fix.SAFE)
def stale_index_lastmod(evidence: Evidence) -> Iterable[Hit]:
    """The index's lastmod of a sitemap is older than the newest entry in it.

    Why: crawlers that trust it do not read the sitemap again.

    Fix: Write the newest lastmod of the sitemap's entries.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://example.com/2.xml</loc><lastmod>2026-01-01</lastmod></sitemap></sitemapindex>

        GET /2.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc><lastmod>2026-06-01</lastmod></url></urlset>

    Good:
        GET /sitemap.xml → 200 application/xml

        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://example.com/2.xml</loc><lastmod>2026-06-01</lastmod></sitemap></sitemapindex>

        GET /2.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc><lastmod>2026-06-01</lastmod></url></urlset>
    """
    where = evidence.best.url if evidence.best else ""
    for child in evidence.children:
        listed = moment((child.index_lastmod or "").strip() or None)
        if listed is None or child.document is None:
            continue
        dates = (moment(text.strip()) for text in set(child.document.lastmods) if text)
        newest = max((at for at in dates if at is not None and at <= evidence.now), default=listed)
        if newest - listed >= _DAY_S:
            told = f"{clipped(child.candidate.url, _URL_CHARS)} has entries that changed after {child.index_lastmod}"
            yield Hit(told, child.candidate.line, url=where)


@rule("SMQ316", Step.DEEP, Severity.INFO, fix=Fix.PROPOSED)
def url_in_several_sitemaps(evidence: Evidence) -> Iterable[Hit]:
    """A URL stands in more than one sitemap.

    Why: its entries may contradict each other, and it counts twice.

    Fix: List every URL once.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://example.com/1.xml</loc></sitemap>
        <sitemap><loc>https://example.com/2.xml</loc></sitemap></sitemapindex>

        GET /1.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

        GET /2.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        GET /sitemap.xml → 200 application/xml

        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>

        GET /1.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    first: dict[str, str] = {}
    documents = list(page_lists(evidence.best, evidence.children))
    for url, document in documents if len(documents) > 1 else ():
        locs = set(document.locs)
        if not locs.isdisjoint(first):
            for number, loc in enumerate(document.locs):
                if loc in first and first[loc] != url and loc in locs:
                    locs.discard(loc)
                    line, column = document.place(number)
                    told = f"{clipped(loc, _URL_CHARS)} stands in {clipped(first[loc], _URL_CHARS)} already"
                    yield Hit(told, line, column, number + 1, url)
        for loc in locs:
            first.setdefault(loc, url)


@rule("SMU706", Step.DEEP, Severity.ERROR, fix=Fix.PROPOSED)
def listed_page_disallowed(evidence: Evidence) -> Iterable[Hit]:
    """A listed page is disallowed by robots.txt.

    Why: the sitemap asks crawlers to read it, and robots.txt forbids it.

    Fix: Take the URL out of the sitemap, or allow it.

    Bad:
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /a

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /b

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    robots = evidence.robots
    if robots is None or not evidence.goes_deeper:
        return
    own = (f"https://{evidence.origin.netloc}/", f"http://{evidence.origin.netloc}/")
    room = min(robots.questions_max(agent) for agent in ASKED_TOKENS)
    for url, document in page_lists(evidence.best, evidence.children):
        locs = document.locs[:room]
        room -= len(locs)
        for number, shut, verdict in _shut(robots, locs):
            is_home_told = locs[number] in own and shut != "Bingbot"  # RBT303
            if locs[number].startswith(own) and not is_home_told:
                line, column = document.place(number)
                loc = clipped(locs[number], _URL_CHARS)
                told = f"{loc} is disallowed for {shut} by line {verdict.line}: {verdict.rule}"
                yield Hit(told, line, column, number + 1, url)


def _shut(robots: Robots, locs: list[str]) -> list[tuple[int, str, Verdict]]:
    """The URLs that are shut to a crawler by their place in the list, each for the first crawler and with the line."""
    open_still, found = list(range(len(locs))), list[tuple[int, str, Verdict]]()
    # A site that is closed as a whole is one finding (RBT301, RBT302), not one for each of its pages.
    for agent in (agent for agent in ASKED_TOKENS if not is_closed(robots, agent)):
        allowed = robots.allowed_many(agent, [locs[number] for number in open_still])
        shut = [number for number, may in zip(open_still, allowed, strict=True) if not may]
        verdicts = robots.explain_many(agent, [locs[number] for number in shut])
        found += [(number, agent, verdict) for number, verdict in zip(shut, verdicts, strict=True)]
        open_still = [number for number, may in zip(open_still, allowed, strict=True) if may]
    return sorted(found, key=itemgetter(0))


@rule("SMS506", Step.SCOPE, Severity.INFO)
def authorised_by_other_host(evidence: Evidence) -> Iterable[Hit]:
    """The other host's robots.txt names this sitemap, so it may list that host's pages.

    Why: that is how the protocol lets one sitemap speak for several hosts. It eases the findings about other hosts.

    Fix: Nothing needs to be done.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://shop.fruit.edu/a</loc></url></urlset>

        GET https://shop.fruit.edu/robots.txt → 200 text/plain

        Sitemap: https://example.com/sitemap.xml

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://shop.fruit.edu/a</loc></url></urlset>
    """
    for host in evidence.authorised:
        yield Hit(f"the robots.txt of {host} names this sitemap", url=evidence.best.url if evidence.best else "")


RULES: tuple[Rule, ...] = (
    index_lists_index,
    stale_index_lastmod,
    url_in_several_sitemaps,
    listed_page_disallowed,
    authorised_by_other_host,
)
