"""The Sitemap lines of robots.txt (RBT305 to RBT312)."""

from collections import Counter
from collections.abc import Iterable, Iterator

from waypost.check.capture import Capture
from waypost.check.crawlers import ASKED_TOKENS
from waypost.check.evidence import Evidence, Source
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.robots.lines import spoilt_lines
from waypost.check.rules.robots.reach import is_closed
from waypost.formats.printable import clipped
from waypost.formats.robots import Robots
from waypost.formats.robots_lines import Line, LineKind
from waypost.urls import Origin, UrlFault, host_of, normalise, url_fault

__all__ = ["RULES"]

_SHOWN_CHARS = 120


def _sitemap_lines(robots: Robots) -> Iterator[Line]:
    spoilt = spoilt_lines(robots)
    return (line for line in robots.lines if line.kind is LineKind.SITEMAP and line.number not in spoilt)


def _told(line: Line, sentence: str) -> Hit:
    return Hit(
        f"Sitemap: {clipped(line.value, _SHOWN_CHARS)} {sentence}", line.number, line.value_column or line.column
    )


@rule("RBT305", Step.FETCH, Severity.ERROR, fix=Fix.SAFE)
def sitemap_disallowed(evidence: Evidence) -> Iterable[Hit]:
    """The robots.txt disallows the sitemap itself.

    Why: a crawler that keeps to it does not read the sitemap.

    Fix: Allow the path: Allow: /sitemap.xml.

    Bad:
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /sitemap
        Sitemap: https://example.com/sitemap.xml

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /private
        Sitemap: https://example.com/sitemap.xml

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    if evidence.robots is None:
        return
    for candidate in evidence.candidates:
        is_used = candidate is evidence.best or candidate.source is Source.ROBOTS
        if not is_used or not candidate.is_answered or host_of(candidate.url) != evidence.origin.host:
            continue
        for agent in ASKED_TOKENS:
            verdict = evidence.robots.explain(agent, candidate.url)
            # A crawler that may fetch nothing at all is another finding, and the cause of this one.
            if not verdict.allowed and not is_closed(evidence.robots, agent):
                where = evidence.robots_capture.final_url if evidence.robots_capture else ""
                yield Hit(f"{candidate.url} is disallowed for {agent} by {verdict.rule}", verdict.line, url=where)
                break


@rule("RBT306", Step.DISCOVER, Severity.WARN, fix=Fix.SAFE)
def no_sitemap_line(robots: Robots) -> str | None:
    """The robots.txt has no Sitemap line.

    Why: it is the one place where every crawler looks for sitemaps; conventional paths only some of them try.

    Fix: Write Sitemap: and the whole URL of the sitemap on a line of its own.

    Bad:
        User-agent: *
        Disallow: /a

    Good:
        User-agent: *
        Disallow: /a
        Sitemap: https://example.com/sitemap.xml
    """
    if robots.is_markup or robots.is_binary or robots.truncated or robots.sitemaps:
        return None
    return "there is no Sitemap line"


@rule("RBT307", Step.DISCOVER, Severity.ERROR, fix=Fix.SAFE)
def relative_sitemap_line(robots: Robots) -> Iterable[Hit]:
    """A Sitemap line's value is no whole URL.

    Why: the standard asks for one; crawlers drop the line.

    Fix: Write the whole URL, with scheme and host.

    Bad:
        Sitemap: /sitemap.xml

    Good:
        Sitemap: https://example.com/sitemap.xml
    """
    for line in _sitemap_lines(robots):
        if url_fault(line.value) in {UrlFault.RELATIVE, UrlFault.HOST}:
            yield _told(line, "is no whole URL")


@rule("RBT308", Step.DISCOVER, Severity.WARN, fix=Fix.PROPOSED)
def sitemap_line_scheme(robots: Robots) -> Iterable[Hit]:
    """A Sitemap line's value has a scheme other than http or https.

    Why: crawlers read http and https only.

    Fix: Serve the sitemap over https, and name that URL.

    Bad:
        Sitemap: ftp://example.com/sitemap.xml

    Good:
        Sitemap: https://example.com/sitemap.xml
    """
    for line in _sitemap_lines(robots):
        if url_fault(line.value) is UrlFault.SCHEME:
            yield _told(line, "has another scheme than http or https")


@rule("RBT309", Step.DISCOVER, Severity.INFO)
def sitemap_line_of_another_host(robots: Robots, origin: Origin) -> Iterable[Hit]:
    """A Sitemap line names another host, which is allowed.

    Why: this robots.txt speaks for this host, so the sitemap may list its pages from anywhere.

    Fix: Nothing needs to be done.

    Bad:
        Sitemap: https://maps.example.net/sitemap.xml

    Good:
        Sitemap: https://example.com/sitemap.xml
    """
    for line in _sitemap_lines(robots):
        host = host_of(line.value)
        if host and host != origin.host:
            yield _told(line, "is on another host")


@rule("RBT310", Step.DISCOVER, Severity.WARN, fix=Fix.SAFE)
def sitemap_line_downgrades(robots: Robots, capture: Capture) -> Iterable[Hit]:
    """A Sitemap line uses http on a site that is served over https.

    Why: crawlers pay a redirect each time, or read a copy nobody looks after.

    Fix: Write https.

    Bad:
        Sitemap: http://example.com/sitemap.xml

    Good:
        Sitemap: https://example.com/sitemap.xml
    """
    if not capture.final_url.startswith("https:"):
        return
    for line in _sitemap_lines(robots):
        if line.value.lower().startswith("http:") and host_of(line.value) == host_of(capture.final_url):
            yield _told(line, "is not https")


@rule("RBT311", Step.DISCOVER, Severity.INFO, fix=Fix.SAFE)
def repeated_sitemap_line(robots: Robots) -> Iterable[Hit]:
    """A sitemap is named twice.

    Why: nothing breaks; the second line does nothing.

    Fix: Keep one.

    Bad:
        Sitemap: https://example.com/sitemap.xml
        Sitemap: https://example.com/sitemap.xml

    Good:
        Sitemap: https://example.com/sitemap.xml
    """
    seen: Counter[str] = Counter()
    for line in _sitemap_lines(robots):
        if line.value:
            seen[normalise(line.value)] += 1
            if seen[normalise(line.value)] > 1:
                yield _told(line, "is named already")


@rule("RBT312", Step.DISCOVER, Severity.WARN, fix=Fix.SAFE)
def odd_sitemap_line(robots: Robots) -> Iterable[Hit]:
    """A Sitemap line is empty, or its URL has a fragment, a blank, credentials or another fault.

    Why: crawlers drop the line, or ask for something else than was meant.

    Fix: Write the URL as a crawler is to ask for it.

    Bad:
        Sitemap: https://example.com/sitemap.xml#top

    Good:
        Sitemap: https://example.com/sitemap.xml
    """
    told = {UrlFault.RELATIVE, UrlFault.HOST, UrlFault.SCHEME, None}
    for line in _sitemap_lines(robots):
        fault = url_fault(line.value)
        if fault not in told:
            yield _told(line, fault.value if fault else "")
        elif fault is None and line.comment is not None and line.raw.partition("#")[0][-1:].strip():
            yield _told(line, f"loses #{clipped(line.comment, _SHOWN_CHARS)}: a number sign begins a comment")


RULES: tuple[Rule, ...] = (
    sitemap_disallowed,
    no_sitemap_line,
    relative_sitemap_line,
    sitemap_line_scheme,
    sitemap_line_of_another_host,
    sitemap_line_downgrades,
    repeated_sitemap_line,
    odd_sitemap_line,
)
