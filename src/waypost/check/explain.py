"""Why a crawler can find one URL, or cannot: the trail of its answer, robots.txt, the sitemap, what the page says.

A crawler's own order: may it ask, what is answered, may it index, and did the site's sitemap point here. Whatever
cannot be asked is a word in the explanation and never an exception.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from waypost.check.asking import CONVENTIONAL_PATHS
from waypost.check.capture import Capture, Fetcher, Purpose, Request
from waypost.check.directives import Saying, sayings
from waypost.check.evidence import Page
from waypost.check.htmlhead import Head, read_head
from waypost.check.result import TrailHop
from waypost.check.rules.pages import canonical_of
from waypost.check.trail import hops_of
from waypost.formats.document import Document, Kind
from waypost.formats.robots import SitemapUrl
from waypost.formats.robots_agents import candidates, product_token
from waypost.formats.robots_policy import Policy, State, robots_from_response
from waypost.formats.robots_verdict import Verdict
from waypost.formats.sitemap import read_sitemap
from waypost.limits import HOME_BYTES_MAX, ROBOTS_BYTES_DEFAULT, SITE_REQUESTS_MAX
from waypost.urls import Origin, normalise

__all__ = ["Conclusion", "Explanation", "Listing", "RobotsAnswer", "Saying", "SitemapRead", "explain"]

_NEAR = re.compile(r"https?://(?:www\.)?")
_ANYBODY = "*"


class Conclusion(Enum):
    """What a crawler makes of a URL, gravest obstacle first."""

    UNREACHABLE = "unreachable"
    BLOCKED = "blocked"
    BROKEN = "broken"
    NOINDEX = "noindex"
    ELSEWHERE = "elsewhere"
    REDIRECTED = "redirected"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """The robots.txt of one origin on the way, and what it says of the URL there."""

    url: str
    asked_for: str
    """The URL in question on that origin."""
    status: int
    state: State
    verdict: Verdict
    error: str = ""


@dataclass(frozen=True, slots=True)
class SitemapRead:
    """A sitemap that was looked into."""

    url: str
    status: int
    kind: str
    """What it is: urlset, index…; empty where it is no sitemap."""
    entries: int
    error: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """Where a sitemap lists the URL, or one that is nearly the same."""

    sitemap: str
    loc: str
    entry: int
    line: int
    lastmod: str | None
    is_exact: bool
    """Whether it is this very URL, and not one with another scheme, `www.` or slash."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that decides, and the conclusion."""

    url: str
    agent: str
    final_url: str
    status: int
    conclusion: Conclusion
    sentence: str
    remarks: tuple[str, ...]
    robots: tuple[RobotsAnswer, ...]
    sitemaps: tuple[SitemapRead, ...]
    listing: Listing | None
    sayings: tuple[Saying, ...]
    canonical: str
    """The canonical URL the page names, empty for none."""
    trail: tuple[TrailHop, ...]


@dataclass(slots=True)
class _Asking:
    """The fetcher with a budget, and everything it brought."""

    fetcher: Fetcher
    left: int = SITE_REQUESTS_MAX
    trail: list[TrailHop] = field(default_factory=list)

    async def fetch(self, request: Request) -> Capture | None:
        """The answer; None where no request is left."""
        if self.left <= 0:
            return None
        capture = await self.fetcher.fetch(request)
        self.left -= capture.requests
        self.trail += hops_of(capture)
        return capture


async def explain(url: str, fetcher: Fetcher, *, agent: str = _ANYBODY, now: float = 0.0) -> Explanation:
    """Explain a URL to the crawler with this name; `*` is one that nobody names."""
    asking = _Asking(fetcher)
    token = agent if agent == _ANYBODY else product_token(agent) or agent
    page = await asking.fetch(Request(url, Purpose.PAGE, HOME_BYTES_MAX, accept="text/html, */*;q=0.8"))
    assert page is not None
    policies: dict[str, tuple[Policy, RobotsAnswer]] = {}
    for hop_url in dict.fromkeys([url, *(hop.url for hop in page.hops)]):
        await _ask_robots(asking, hop_url, token, now, policies)
    robots = tuple(answer for _, answer in policies.values())
    declared = [found.url for policy, answer in policies.values() for found in _sitemaps_of(policy, answer)]
    reads, listing = await _find(asking, declared, _origin(page.final_url), [url, page.final_url])
    head = read_head(page.body.read(), page.final_url) if page.is_success else Head()
    said = tuple(sayings(page, head, {token.lower()}))
    canonical = canonical_of(Page(url, None, 0, "", page, head)) or "" if page.is_success else ""
    conclusion, sentence = _conclusion(page, robots, said, canonical)
    return Explanation(
        url, token, page.final_url, page.status, conclusion, sentence,
        tuple(_remarks(conclusion, listing, reads)),
        robots, tuple(reads), listing, said, canonical, tuple(asking.trail),
    )  # fmt: skip


def _origin(url: str) -> str:
    return str(Origin.parse(url) or "")


async def _ask_robots(
    asking: _Asking, url: str, token: str, now: float, known: dict[str, tuple[Policy, RobotsAnswer]]
) -> None:
    """What robots.txt of a URL's origin says of it; the first URL on an origin that is forbidden is kept."""
    origin = _origin(url)
    names = token if token == _ANYBODY else candidates(token)
    if origin in known:
        policy, before = known[origin]
        verdict = policy.explain(names, url)
        if before.verdict.allowed and not verdict.allowed:
            known[origin] = policy, RobotsAnswer(before.url, url, before.status, before.state, verdict, before.error)
        return
    robots_url = f"{origin}/robots.txt"
    capture = await asking.fetch(Request(robots_url, Purpose.ROBOTS, ROBOTS_BYTES_DEFAULT, accept="text/plain, */*"))
    if capture is None:
        return
    status = capture.status if capture.error is None or capture.status >= 300 else 0
    policy = robots_from_response(status, capture.headers, capture.body.read(), now, url=robots_url)
    error = capture.error.sentence if capture.error else ""
    answer = RobotsAnswer(robots_url, url, capture.status, policy.state, policy.explain(names, url), error)
    known[origin] = policy, answer


def _sitemaps_of(policy: Policy, answer: RobotsAnswer) -> Iterable[SitemapUrl]:
    return policy.robots.sitemap_urls(answer.url) if policy.robots else ()


async def _find(
    asking: _Asking, declared: Sequence[str], origin: str, wanted: Sequence[str]
) -> tuple[list[SitemapRead], Listing | None]:
    """Look for the URL in the declared sitemaps; where none of them is one, in the first of the conventional ones."""
    named = list(dict.fromkeys(declared))
    guesses = [url for path in CONVENTIONAL_PATHS if (url := f"{origin}{path}") not in named]
    reads, found = await _look_into(asking, named, wanted, reserve=len(guesses))
    if any(read.kind for read in reads):
        return reads, found
    more, found = await _look_into(asking, guesses, wanted, is_guess=True)
    return reads + more, found


async def _look_into(
    asking: _Asking, urls: Sequence[str], wanted: Sequence[str], *, reserve: int = 0, is_guess: bool = False
) -> tuple[list[SitemapRead], Listing | None]:
    """Look for the URL in these sitemaps, and in the children of an index.

    Until one of them is a sitemap, `reserve` requests are left over; of guesses the first that is one is enough.
    """
    queue = list(urls)
    reads: list[SitemapRead] = []
    near: Listing | None = None
    seen = set(queue)
    while queue and asking.left > reserve:
        url = queue.pop(0)
        capture = await asking.fetch(Request(url, Purpose.SITEMAP))
        assert capture is not None
        document = read_sitemap(capture.body.read(), url=url) if capture.is_success else None
        reads.append(_read(url, capture, document))
        if document is None or document.kind is Kind.NONE:
            continue
        reserve = 0
        if document.kind is Kind.INDEX:
            children = [loc for loc in document.locs if Origin.parse(loc) and loc not in seen]
            seen.update(children)
            queue[:0] = children
            continue
        found = _listing(url, document, wanted)
        if found is not None and found.is_exact:
            return reads, found
        near = near or found
        if is_guess:
            break
    reads += [
        SitemapRead(url, 0, "", 0, "not looked into: the requests for this site are used up") for url in queue[:5]
    ]
    return reads, near


def _read(url: str, capture: Capture, document: Document | None) -> SitemapRead:
    error = capture.error.sentence if capture.error else ""
    if document is None or document.kind is Kind.NONE:
        return SitemapRead(url, capture.status, "", 0, error or ("no sitemap" if document else ""))
    return SitemapRead(url, capture.status, document.kind.value, document.entry_count, error)


def _listing(sitemap: str, document: Document, wanted: Sequence[str]) -> Listing | None:
    """The entry of the URL; else one that differs by scheme, `www.` or a slash alone."""
    exact, near = {normalise(url) for url in wanted}, {_loose(url) for url in wanted}
    found = None
    for number, loc in enumerate(document.locs):
        if _loose(loc) not in near:
            continue
        line = document.place(number)[0]
        is_exact = normalise(loc) in exact
        if is_exact or found is None:
            found = Listing(sitemap, loc, number + 1, line, document.lastmods[number], is_exact)
        if is_exact:
            break
    return found


def _loose(url: str) -> str:
    return _NEAR.sub("", url, count=1).rstrip("/").lower()


def _conclusion(
    page: Capture, robots: Iterable[RobotsAnswer], said: Iterable[Saying], canonical: str
) -> tuple[Conclusion, str]:
    """The gravest obstacle in words, or that there is none."""
    blocked = next((answer for answer in robots if not answer.verdict.allowed), None)
    if not page.status:
        return Conclusion.UNREACHABLE, f"nobody answers: {page.error.sentence if page.error else 'no answer'}"
    if blocked is not None:
        line = f"line {blocked.verdict.line}" if blocked.verdict.line else f"its answer {blocked.status or 'none'}"
        return Conclusion.BLOCKED, f"{blocked.url} forbids {blocked.asked_for} ({line}), so it is not read"
    if page.error is not None or not page.is_success:
        why = f" ({page.error.sentence})" if page.error else ""
        return Conclusion.BROKEN, f"the answer is {page.status}{why}, so there is nothing to index"
    noindex = next((saying for saying in said if saying.says_noindex), None)
    if noindex is not None:
        return Conclusion.NOINDEX, f"{noindex.where} says {noindex.text.strip()}, so it is read and not indexed"
    if canonical and normalise(canonical) != normalise(page.final_url):
        return Conclusion.ELSEWHERE, f"the page names {canonical} as its canonical URL, which is indexed in its place"
    if page.was_redirected:
        return Conclusion.REDIRECTED, f"it leads to {page.final_url}, which is indexed in its place"
    return Conclusion.OPEN, "it may be read and indexed"


def _remarks(conclusion: Conclusion, listing: Listing | None, reads: Iterable[SitemapRead]) -> Iterator[str]:
    if conclusion is Conclusion.UNREACHABLE:
        return
    if listing is None:
        is_whole = all(read.error == "" or read.status for read in reads)
        yield "no sitemap lists it" if is_whole else "no sitemap that was read lists it"
    elif not listing.is_exact:
        yield f"the sitemap lists {listing.loc}, which is not quite the same URL"
    elif conclusion is not Conclusion.OPEN:
        yield "the sitemap lists it all the same"
