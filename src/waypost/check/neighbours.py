"""What stands beside the sitemap: the home page, robots.xml, feeds and lists of feeds, robots.txt under other names.

Everything here is asked with what the sitemap check has left of the budget, and moves no score.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from waypost.check.capture import Capture, Purpose, Request
from waypost.check.evidence import FeedSeen, OpmlSeen
from waypost.check.htmlhead import read_head
from waypost.check.place import registrable_domain
from waypost.check.policy import read_address
from waypost.check.rule import Now, Step
from waypost.check.seen import Seen
from waypost.check.services import FEED_TYPES, ServiceKind, kind_of
from waypost.check.survey import is_placeholder
from waypost.check.talk import Talk, ask
from waypost.formats.document import Kind
from waypost.formats.feedmodel import Feed, FeedKind
from waypost.formats.feeds import read_feed
from waypost.formats.opml import Opml, read_opml
from waypost.formats.robots import read_robots
from waypost.formats.signature import Format, sniff
from waypost.formats.xmlmap import Xmlmap, read_xmlmap
from waypost.limits import HOME_BYTES_MAX, NEIGHBOUR_BYTES_MAX, ROBOTS_BYTES_DEFAULT
from waypost.urls import Origin, host_of, normalise

__all__ = ["is_usual", "neighbours", "take_home"]

_LIST_PATHS = ("/.well-known/feeds.opml", "/feeds.opml")
_FEEDS_READ = 3
_LISTED_ASKED = 2
_SERVICES_ASKED = 3
_HOSTS_ASKED = 2
_ACCEPT_FEED = "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.1"


def neighbours(seen: Seen) -> Talk[None]:
    """Ask for everything beside the sitemap, as far as the budget goes."""
    yield from _beside(seen)
    yield from _lists(seen)
    yield from _feeds(seen)
    yield from _services(seen)
    yield from _other_hosts(seen)
    _judge(seen)


def take_home(seen: Seen, home: Capture) -> None:
    """Keep the home page and what its head says."""
    seen.home = home
    seen.is_reached = seen.is_reached or home.status > 0
    if home.is_success:
        seen.head = read_head(home.body.head(HOME_BYTES_MAX), home.final_url)


def _beside(seen: Seen) -> Talk[None]:
    home = Request(f"{seen.origin}/", Purpose.HOME, HOME_BYTES_MAX, accept="text/html, */*;q=0.1")
    xmlmap = Request(
        f"{seen.origin}/robots.xml", Purpose.XMLMAP, NEIGHBOUR_BYTES_MAX, accept="application/xml, */*;q=0.1"
    )
    variants = [Request(url, Purpose.ROBOTS, ROBOTS_BYTES_DEFAULT, redirects_max=0) for url in _variants(seen)]
    captures = yield from ask(seen, [*([] if seen.home else [home]), xmlmap, *variants])
    for capture in captures:
        if capture.request is home:
            take_home(seen, capture)
        elif capture.request is xmlmap:
            _take_xmlmap(seen, capture)
        else:
            seen.variants.append(capture)


def _take_xmlmap(seen: Seen, capture: Capture) -> None:
    seen.xmlmap_capture = capture
    # A page at every path is how an application says that there is nothing.
    if capture.is_success and sniff(capture.body.head(NEIGHBOUR_BYTES_MAX)) is not Format.HTML:
        seen.xmlmap = read_xmlmap(capture.body.read(), url=capture.final_url)


def _variants(seen: Seen) -> Iterator[str]:
    """robots.txt of the other scheme, and with or without www: only names on the usual ports have such."""
    origin = seen.origin
    if seen.robots is None or not is_usual(origin):
        return
    yield f"{'http' if origin.scheme == 'https' else 'https'}://{origin.host}/robots.txt"
    bare = origin.host.removeprefix("www.")
    if registrable_domain(bare) == bare:
        yield f"{origin.scheme}://{bare if origin.host != bare else f'www.{bare}'}/robots.txt"


def is_usual(origin: Origin) -> bool:
    """Whether an origin is a name on the port of its scheme, as the public knows sites."""
    is_named = "." in origin.host and not origin.host.startswith("[") and read_address(origin.host) is None
    return is_named and ":" not in origin.netloc


def _named(seen: Seen) -> Iterator[tuple[str, ServiceKind]]:
    """What robots.xml lists, with the kinds its namespaces say."""
    for service in seen.xmlmap.services if seen.xmlmap else ():
        if service.loc:
            yield service.loc, kind_of(service.namespace or "")


def _feeds_offered(seen: Seen) -> list[str]:
    """What the home page and robots.xml call feeds."""
    linked = [link.href for link in seen.head.links if link.type in FEED_TYPES] if seen.head else []
    return linked + [url for url, kind in _named(seen) if kind.is_feed]


def _lists_offered(seen: Seen) -> list[str]:
    """What robots.xml and the home page call lists of feeds."""
    linked = seen.head.links if seen.head else ()
    named = [url for url, kind in _named(seen) if kind is ServiceKind.OPML]
    return named + [link.href for link in linked if kind_of(media_type=link.type) is ServiceKind.OPML]


def _fresh(seen: Seen, urls: Iterable[str], most: int) -> list[str]:
    """The first few http(s) URLs that were not asked for yet, each once."""
    found: dict[str, str] = {}
    for url in urls:
        if Origin.parse(url) is not None and normalise(url) not in seen.asked:
            found.setdefault(normalise(url), url)
    return list(found.values())[:most]


def _has_feeds(seen: Seen) -> bool:
    best = seen.best.candidate if seen.best else None
    is_feed = best is not None and best.kind in {Kind.RSS, Kind.ATOM}
    return is_feed or bool(_feeds_offered(seen))


def _lists(seen: Seen) -> Talk[None]:
    urls = _fresh(seen, _lists_offered(seen), 1)
    if not urls and _has_feeds(seen):
        urls = [f"{seen.origin}{path}" for path in _LIST_PATHS]
    captures = yield from ask(seen, [Request(url, Purpose.OPML, NEIGHBOUR_BYTES_MAX) for url in urls])
    seen.services += captures
    for capture in captures:
        if capture.is_success and sniff(capture.body.head(NEIGHBOUR_BYTES_MAX)) is Format.OPML:
            seen.opmls.append(OpmlSeen(capture, read_opml(capture.body.read(), url=capture.final_url)))


def _feeds(seen: Seen) -> Talk[None]:
    best = seen.best.candidate if seen.best else None
    if best is not None and best.document is not None and best.document.feed is not None and best.capture is not None:
        seen.feeds.append(FeedSeen(best.capture, best.document.feed, is_sitemap=True))
    urls = _fresh(seen, _feeds_offered(seen), _FEEDS_READ)
    yield from _read_feeds(seen, urls, "")
    for listed in seen.opmls:
        outlines = [outline.xml_url or "" for outline in listed.opml.feeds()]
        yield from _read_feeds(seen, _fresh(seen, outlines, _LISTED_ASKED), listed.capture.final_url)


def _read_feeds(seen: Seen, urls: list[str], listed_in: str) -> Talk[None]:
    requests = [Request(url, Purpose.FEED, NEIGHBOUR_BYTES_MAX, accept=_ACCEPT_FEED) for url in urls]
    captures = yield from ask(seen, requests)
    for capture in captures:
        feed = Feed()
        if capture.is_success:
            feed = read_feed(capture.body.read(), url=capture.final_url)
        seen.feeds.append(FeedSeen(capture, feed, listed_in=listed_in))


def _services(seen: Seen) -> Talk[None]:
    """Ask for what robots.xml lists and nothing else asked for: whether it is there, and what its root is."""
    urls = _fresh(seen, [service.loc or "" for service in seen.xmlmap.services] if seen.xmlmap else [], _SERVICES_ASKED)
    requests = [Request(url, Purpose.SERVICE, NEIGHBOUR_BYTES_MAX) for url in urls]
    seen.services += yield from ask(seen, requests)


def _other_hosts(seen: Seen) -> Talk[None]:
    """Ask the hosts of listed pages whether their robots.txt names the sitemap, which lets it speak for them."""
    best = seen.best
    hosts = best.facts.get("foreign_hosts", {}) if best else {}
    if best is None or not isinstance(hosts, dict) or len(hosts) > _HOSTS_ASKED:
        return
    scheme = seen.origin.scheme
    names = [host for host in hosts if not is_placeholder(host_of(f"{scheme}://{host}/"))]
    requests = [Request(f"{scheme}://{host}/robots.txt", Purpose.ROBOTS, ROBOTS_BYTES_DEFAULT) for host in names]
    captures = yield from ask(seen, requests)
    urls = {normalise(best.candidate.url)}
    for host, capture in zip(names, captures, strict=True):
        robots = read_robots(capture.body.read(), url=capture.final_url) if capture.is_success else None
        if robots is not None and urls & {normalise(named.url) for named in robots.sitemap_urls(capture.final_url)}:
            seen.authorised.append(host)


def _judge(seen: Seen) -> None:
    """What the rules say of each document; what they say of all of them together comes with the result."""
    context: dict[type, Any] = {Origin: seen.origin, Now: Now(seen.options.now)}
    xmlmap_capture = seen.xmlmap_capture
    if xmlmap_capture is not None:
        own = context | {Capture: xmlmap_capture} | ({Xmlmap: seen.xmlmap} if seen.xmlmap else {})
        seen.heard["robots-xml"] = seen.bench.hear(own, (Step.ROBOTS_XML,), xmlmap_capture.final_url)
    heard = seen.heard.setdefault("feeds", [])
    for one in seen.feeds:
        if one.feed.kind is not FeedKind.NONE or one.capture.is_success:
            own = context | {Capture: one.capture, Feed: one.feed, FeedSeen: one}
            heard += seen.bench.hear(own, (Step.FEED,), one.capture.final_url)
    for listed in seen.opmls:
        own = context | {Capture: listed.capture, Opml: listed.opml}
        heard += seen.bench.hear(own, (Step.FEED,), listed.capture.final_url)
    seen.evidence["robots-xml"] = {"services": len(seen.xmlmap.services) if seen.xmlmap else 0}
    seen.evidence["feeds"] = {"feeds": [_feed_row(one) for one in seen.feeds], "lists": len(seen.opmls)}


def _feed_row(one: FeedSeen) -> dict[str, object]:
    return {
        "url": one.capture.url,
        "status": one.capture.status,
        "kind": one.feed.kind.value,
        "entries": one.feed.entry_count,
        "title": one.feed.title or "",
    }
