"""What a scan asks for, in which order; a generator that yields batches of requests and is sent their answers.

robots.txt comes first, because its Sitemap lines say what else to ask. It and the four conventional paths keep their
seats whatever a site declares; what is left of the budget goes to declared sitemaps, redirects, and the neighbours.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from waypost.check.assess import assess
from waypost.check.capture import Capture, ErrorKind, Family, Purpose, Request
from waypost.check.deeper import children, pages
from waypost.check.evidence import Candidate, Source
from waypost.check.neighbours import neighbours, take_home
from waypost.check.rule import Now, Step
from waypost.check.seen import Seen
from waypost.check.talk import Talk, ask
from waypost.check.target import Settled
from waypost.check.trail import hops_of
from waypost.formats.robots import Robots, read_robots
from waypost.limits import ROBOTS_BYTES_DEFAULT, SITE_REQUESTS_MAX, SITEMAP_BYTES_MAX
from waypost.urls import Origin, normalise

__all__ = ["CONVENTIONAL_PATHS", "conversation", "start_from"]

CONVENTIONAL_PATHS = ("/sitemap.xml", "/sitemap.txt", "/sitemap_index.xml", "/sitemap-index.xml")
"""Where a sitemap is looked for without being named."""
_DECLARED_FIRST = 4
_ROBOTS_BYTES_SHOWN = 65_536
_NEIGHBOUR_SEATS = 2
_DEAD = {Family.DNS, Family.TLS, Family.ADDRESS}


def conversation(seen: Seen) -> Talk[None]:
    """Everything that is asked of a site."""
    yield from _robots(seen)
    yield from _sitemaps(seen)
    if is_dead(seen):
        return
    yield from neighbours(seen)
    if seen.options.deep or seen.options.probe != 0:
        yield from children(seen)  # an index lists no pages; its children do
    if seen.options.probe != 0:
        yield from pages(seen)


def start_from(seen: Seen, settled: Settled) -> None:
    """Begin with what finding the origin has shown and cost."""
    seen.budget.left -= settled.requests
    seen.budget.spent += settled.requests
    if settled.remark:
        seen.notices.append(settled.remark)
    if settled.home is not None:
        take_home(seen, settled.home)
        seen.trail.extend(hops_of(settled.home))


def _robots(seen: Seen) -> Talk[None]:
    request = Request(f"{seen.origin}/robots.txt", Purpose.ROBOTS, ROBOTS_BYTES_DEFAULT, accept="text/plain, */*;q=0.1")
    (capture,) = yield from ask(seen, [request], reserve=len(CONVENTIONAL_PATHS))
    seen.robots_capture = capture
    if capture.is_success:
        seen.robots = read_robots(capture.body.read(), url=capture.final_url)
    seen.evidence["robots"] = _robots_facts(seen, capture)
    _judge_robots(seen, capture)


def _robots_facts(seen: Seen, capture: Capture) -> dict[str, object]:
    facts: dict[str, object] = {"url": capture.final_url, "status": capture.status}
    if seen.robots is not None:
        facts |= {"bytes": len(capture.body), "sha256": capture.body.sha256}
        # Half a text would be taken for the whole by whoever compares with it later.
        if len(capture.body) <= _ROBOTS_BYTES_SHOWN:
            facts["text"] = capture.body.read().decode("utf-8", "replace")
    return facts


def _judge_robots(seen: Seen, capture: Capture) -> None:
    context: dict[type, Any] = {Capture: capture, Origin: seen.origin, Now: Now(seen.options.now)}
    prefix = ""
    if seen.robots is not None:
        context[Robots] = seen.robots
        # What is no robots.txt at all is one finding; its lines are not worth a word each.
        prefix = "" if seen.robots.is_text else "RBT1"
    seen.heard["robots"] = seen.bench.hear(context, (Step.ROBOTS, Step.DISCOVER), capture.final_url, prefix=prefix)


def _declared(seen: Seen) -> Iterator[Candidate]:
    """What robots.txt names, resolved against its own URL, each once."""
    known: set[str] = set()
    if seen.robots is None or seen.robots_capture is None:
        return
    for named in seen.robots.sitemap_urls(seen.robots_capture.final_url):
        url = named.url.partition("#")[0]
        if normalise(url) not in known:
            known.add(normalise(url))
            yield Candidate(url, Source.ROBOTS, named.line)


def _candidates(seen: Seen) -> tuple[list[Candidate], list[Candidate]]:
    declared = list(_declared(seen))
    named = {normalise(candidate.url) for candidate in declared}
    conventional = [f"{seen.origin}{path}" for path in CONVENTIONAL_PATHS]
    return declared, [Candidate(url, Source.CONVENTION) for url in conventional if normalise(url) not in named]


def _sitemaps(seen: Seen) -> Talk[None]:
    """Ask for the conventional candidates and the first declared, then for as many as the budget holds."""
    declared, conventional = _candidates(seen)
    paths = {normalise(f"{seen.origin}{path}") for path in CONVENTIONAL_PATHS}
    seated = [c for c in declared if normalise(c.url) in paths]
    others = [c for c in declared if normalise(c.url) not in paths]
    first = seated + conventional + others[:_DECLARED_FIRST]
    captures = yield from _asked(seen, first)
    captures |= yield from _asked(seen, others[_DECLARED_FIRST:])
    for candidate in declared + conventional:
        fetched = replace(candidate, capture=captures[candidate.url])
        assessed = assess(seen, fetched)
        seen.assessed.append(assessed)
        if seen.best is None or assessed.rank < seen.best.rank:
            seen.best = assessed
    unasked = sum(assessed.candidate.was_not_asked for assessed in seen.assessed[: len(declared)])
    if unasked:
        told = f"{unasked:,} of {len(declared):,} declared sitemaps were not asked for"
        seen.notices.append(f"{told}: a check asks at most {SITE_REQUESTS_MAX} times")
    _let_go(seen)


def _asked(seen: Seen, candidates: Sequence[Candidate]) -> Talk[dict[str, Capture]]:
    if is_dead(seen):
        return {candidate.url: _same_failure(seen, candidate) for candidate in candidates}
    requests = [Request(candidate.url, Purpose.SITEMAP, _BYTES_MAX, _ACCEPT) for candidate in candidates]
    captures = yield from ask(seen, requests, reserve=_NEIGHBOUR_SEATS)
    return dict(zip((candidate.url for candidate in candidates), captures, strict=True))


# One byte over the limit may still be the document's last; a second one says that it was cut.
_BYTES_MAX = SITEMAP_BYTES_MAX + 1
_ACCEPT = "application/xml, text/xml, text/plain, application/rss+xml, application/atom+xml, */*;q=0.1"


def is_dead(seen: Seen) -> bool:
    """Whether asking for robots.txt showed that there is no server to ask: nothing else will reach one."""
    capture = seen.robots_capture
    if capture is None or capture.error is None or any(hop.status for hop in capture.hops):
        return False
    return capture.error.family in _DEAD or capture.error.kind in {ErrorKind.REFUSED, ErrorKind.UNREACHABLE}


def _same_failure(seen: Seen, candidate: Candidate) -> Capture:
    request = Request(candidate.url, Purpose.SITEMAP)
    return Capture(request, error=seen.robots_capture.error if seen.robots_capture else None)


def _let_go(seen: Seen) -> None:
    """Keep the columns of the best candidate only."""
    for number, assessed in enumerate(seen.assessed):
        if assessed is not seen.best:
            seen.assessed[number] = replace(assessed, candidate=replace(assessed.candidate, document=None))
