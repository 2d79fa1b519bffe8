"""The conversation that finds what a site offers (spec/discovery.md). Pure: whoever drives it asks and answers.

robots.txt, robots.xml and the home page say what there is; lists of feeds say more, and may include further lists.
"""

from collections.abc import Sequence
from dataclasses import replace

from waypost.check.budget import Budget
from waypost.check.capture import Capture, Purpose, Request
from waypost.check.htmlhead import Link, read_head
from waypost.check.linkheader import read_links
from waypost.check.result import TrailHop
from waypost.check.servicereading import date_of, format_of, looked_at
from waypost.check.services import Discovered, FoundService, How, ServiceKind, Way, kind_of
from waypost.check.talk import Conversation, Talk, ask
from waypost.check.target import Settled
from waypost.formats.opml import Opml, Outline, read_opml
from waypost.formats.robots import read_robots
from waypost.formats.signature import Format
from waypost.formats.xmlmap import read_lastmod, read_xmlmap
from waypost.limits import HOME_BYTES_MAX, NEIGHBOUR_BYTES_MAX, ROBOTS_BYTES_DEFAULT, SERVICES_MAX, SITE_REQUESTS_MAX
from waypost.urls import is_absolute, normalise

__all__ = ["Discovery"]

_SITEMAP_PLACES = ("/sitemap.xml", "/sitemap_index.xml")
_LIST_PLACES = ("/.well-known/feeds.opml", "/feeds.opml")
_SITEMAPS_ASKED = 3
_LISTS_ASKED = 4
_FEEDS = (ServiceKind.RSS, ServiceKind.ATOM, ServiceKind.JSON_FEED, ServiceKind.FEED)
_ACCEPT = "application/xml, application/atom+xml, application/rss+xml, application/feed+json, text/x-opml, */*;q=0.1"


class Discovery(Conversation):
    """One site being looked over; `discovered()` says what was found when nothing more is wanted."""

    def __init__(self, settled: Settled) -> None:
        self.origin = settled.origin
        self.budget = Budget(SITE_REQUESTS_MAX)
        self.budget.left -= settled.requests
        self.budget.spent += settled.requests
        self.asked: set[str] = set()
        self.trail: list[TrailHop] = []
        self.is_reached = False
        self._settled = settled
        self._found: dict[str, FoundService] = {}
        self._guessed: set[str] = set()
        self._lists: dict[str, Opml] = {}
        self._notices = [settled.remark] if settled.remark else []
        super().__init__(self._converse())

    def discovered(self) -> Discovered:
        """What was found so far."""
        return Discovered(
            self._settled.typed,
            self.origin,
            tuple(self._found.values()),
            tuple(self._notices),
            self.budget.spent,
            self.is_reached,
            self._settled.error if not self.is_reached else None,
        )

    def _converse(self) -> Talk[None]:
        if self._settled.error is not None:
            return
        yield from self._front()
        kinds = {service.kind for service in self._found.values()}
        if ServiceKind.SITEMAP not in kinds:
            self._guess(ServiceKind.SITEMAP, _SITEMAP_PLACES)
        if ServiceKind.OPML not in kinds:
            self._guess(ServiceKind.OPML, _LIST_PLACES)
        yield from self._look(_LISTS_ASKED, ServiceKind.OPML)
        yield from self._look(_LISTS_ASKED, ServiceKind.OPML)  # lists that lists include
        yield from self._look(_SITEMAPS_ASKED, ServiceKind.SITEMAP)
        if not any(map(_is_sitemap, self._found.values())):
            self._guess(ServiceKind.SITEMAP, _SITEMAP_PLACES)
            yield from self._look(len(_SITEMAP_PLACES), ServiceKind.SITEMAP)
        yield from self._look(self.budget.left, *_FEEDS, ServiceKind.OPML, ServiceKind.SITEMAP)
        for key in self._guessed:
            if self._found[key].status == 0:
                del self._found[key]

    def _front(self) -> Talk[None]:
        """Ask for the three documents that say what else there is."""
        robots = Request(f"{self.origin}/robots.txt", Purpose.ROBOTS, ROBOTS_BYTES_DEFAULT)
        xmlmap = Request(f"{self.origin}/robots.xml", Purpose.XMLMAP, NEIGHBOUR_BYTES_MAX, accept=_ACCEPT)
        home = Request(f"{self.origin}/", Purpose.HOME, HOME_BYTES_MAX, accept="text/html, */*;q=0.1")
        known = self._settled.home
        captures = yield from ask(self, [robots, xmlmap] if known else [robots, xmlmap, home])
        self.is_reached = self.is_reached or known is not None
        if all(capture.status == 0 for capture in captures) and known is None and captures[0].error is not None:
            self._notices.append(f"{self.origin} does not answer: {captures[0].error.sentence}")
        self._take_robots(captures[0])
        self._take_xmlmap(captures[1])
        self._take_home(known or captures[2])

    def _note(self, found: FoundService) -> None:
        """Keep a service, or another way to one that is known."""
        url = found.url.partition("#")[0].strip()
        key = normalise(url)
        if key in self._found:
            self._found[key] = self._found[key].and_also(found)
        elif is_absolute(url) and len(self._found) < SERVICES_MAX:
            self._found[key] = replace(found, url=url)

    def _take_robots(self, capture: Capture) -> None:
        if not capture.is_success or format_of(capture) is Format.HTML:
            return
        service = FoundService(capture.url, ServiceKind.ROBOTS, ways=(Way(How.CONVENTION, capture.final_url),))
        self._note(looked_at(service, capture))
        robots = read_robots(capture.body.read(), url=capture.final_url)
        for named in robots.sitemap_urls(capture.final_url):
            way = Way(How.ROBOTS, capture.final_url, named.line)
            self._note(FoundService(named.url, ServiceKind.SITEMAP, ways=(way,)))

    def _take_xmlmap(self, capture: Capture) -> None:
        if not capture.is_success or format_of(capture) is not Format.XMLMAP:
            return
        itself = FoundService(capture.url, ServiceKind.XMLMAP, ways=(Way(How.CONVENTION, capture.final_url),))
        self._note(looked_at(itself, capture))
        for service in read_xmlmap(capture.body.read(), url=capture.final_url).services:
            namespace = (service.namespace or "").strip()
            date = date_of(read_lastmod(service.lastmod.strip())) if isinstance(service.lastmod, str) else ""
            ways = (Way(How.XMLMAP, capture.final_url, service.line),)
            self._note(FoundService(service.loc or "", kind_of(namespace), namespace, last_change=date, ways=ways))

    def _take_home(self, capture: Capture) -> None:
        if not capture.is_success:
            return
        self._take_links(read_links(capture.headers.all("link"), capture.final_url), How.HEADER, capture.final_url)
        head = read_head(capture.body.head(HOME_BYTES_MAX), capture.final_url)
        self._take_links(head.links, How.HTML, capture.final_url)

    def _take_links(self, links: Sequence[Link], how: How, where: str) -> None:
        for link in links:
            kind = _linked_kind(link)
            if kind is not None:
                title = " ".join(link.title.split())
                self._note(FoundService(link.href, kind, title=title, ways=(Way(how, where),)))

    def _guess(self, kind: ServiceKind, paths: Sequence[str]) -> None:
        """Add the usual places of what nothing names that answers; a guess that is not there is forgotten."""
        for path in paths:
            url = f"{self.origin}{path}"
            key = normalise(url)
            if key not in self._found and key not in self.asked:
                self._note(FoundService(url, kind, ways=(Way(How.CONVENTION, url),)))
                self._guessed.update({key} & self._found.keys())

    def _look(self, most: int, *kinds: ServiceKind) -> Talk[None]:
        """Ask for services of these kinds that were not asked for yet."""
        keys = [key for kind in kinds for key in self._unseen(kind)][: max(0, most)]
        requests = [_request(self._found[key]) for key in keys]
        captures = yield from ask(self, requests)
        for key, capture in zip(keys, captures, strict=True):
            if capture.hops or capture.error is None:
                self._take(key, capture)

    def _unseen(self, kind: ServiceKind) -> list[str]:
        """What is of this kind and was not asked for; guesses first, for they are made where nothing named answers."""
        keys = [
            key
            for key, service in self._found.items()
            if service.kind is kind and service.status == 0 and not service.error and key not in self.asked
        ]
        return sorted(keys, key=lambda key: key not in self._guessed)

    def _take(self, key: str, capture: Capture) -> None:
        opml = None
        if capture.is_success and format_of(capture) is Format.OPML:
            opml = read_opml(capture.body.read(), url=capture.final_url)
        service = looked_at(self._found[key], capture, opml)
        if service.error and key in self._guessed:
            self._guessed.discard(key)
            del self._found[key]
            return
        self._found[key] = service
        for outline in opml.walk() if opml else ():
            self._take_outline(outline, capture.final_url)

    def _take_outline(self, outline: Outline, where: str) -> None:
        ways = (Way(How.OPML, where, outline.line),)
        title = " ".join((outline.text or outline.title or "").split())
        if outline.xml_url:
            kind, home = _outline_kind(outline), outline.html_url or ""
            self._note(FoundService(outline.xml_url, kind, title=title, home=home, ways=ways))
        elif (outline.type or "").lower() in {"include", "link"} and (outline.url or "").lower().endswith(".opml"):
            self._note(FoundService(outline.url or "", ServiceKind.OPML, title=title, ways=ways))


def _is_sitemap(service: FoundService) -> bool:
    """Whether it answers, and is a sitemap, be it a feed that robots.txt names as one."""
    is_named = any(way.how is How.ROBOTS for way in service.ways)
    return (service.kind is ServiceKind.SITEMAP or is_named) and service.status > 0 and not service.error


def _request(service: FoundService) -> Request:
    purpose = {ServiceKind.OPML: Purpose.OPML, ServiceKind.SITEMAP: Purpose.SITEMAP}.get(service.kind, Purpose.FEED)
    return Request(service.url, purpose, NEIGHBOUR_BYTES_MAX, accept=_ACCEPT)


def _linked_kind(link: Link) -> ServiceKind | None:
    """What a link leads to, where that is something a machine looks for."""
    if "sitemap" in link.rel:
        return ServiceKind.SITEMAP
    if not {"alternate", "feed", "outline", "home", "index", "service"} & set(link.rel):
        return None
    kind = kind_of(media_type=link.type)
    if kind is ServiceKind.DATA:
        return ServiceKind.FEED if "feed" in link.rel and not link.type else None
    return kind


def _outline_kind(outline: Outline) -> ServiceKind:
    words = f"{outline.type or ''} {outline.version or ''}".lower()
    if "atom" in words:
        return ServiceKind.ATOM
    return ServiceKind.JSON_FEED if "json" in words else ServiceKind.FEED
