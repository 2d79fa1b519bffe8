"""What a site offers to machines, as found: values, and the namespaces and types that tell one kind from another."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from waypost.check.capture import FetchError
from waypost.formats.signature import Format
from waypost.formats.xmlshort import SITEMAP_NAMESPACE

__all__ = ["FEED_TYPES", "KIND_OF_FORMAT", "Discovered", "FoundService", "How", "ServiceKind", "Way", "kind_of"]


class ServiceKind(Enum):
    """What a service is."""

    ROBOTS = "robots.txt"
    XMLMAP = "robots.xml"
    SITEMAP = "sitemap"
    OPML = "opml"
    RSS = "rss"
    ATOM = "atom"
    JSON_FEED = "json-feed"
    FEED = "feed"
    """A feed that was listed, and not looked at."""
    DATA = "data"
    """Anything else a robots.xml lists; its namespace says what it is."""

    @property
    def is_feed(self) -> bool:
        """Whether it is a feed of some kind."""
        return self in {ServiceKind.RSS, ServiceKind.ATOM, ServiceKind.JSON_FEED, ServiceKind.FEED}

    @property
    def leads_to_feeds(self) -> bool:
        """Whether it is a feed, or a list of feeds."""
        return self.is_feed or self is ServiceKind.OPML


class How(Enum):
    """The ways a service is found."""

    CONVENTION = "its usual place"
    ROBOTS = "a Sitemap line of robots.txt"
    XMLMAP = "an entry of robots.xml"
    OPML = "an outline of a list of feeds"
    HEADER = "a Link header"
    HTML = "a link of the home page"


@dataclass(frozen=True, slots=True)
class Way:
    """One way a service was found: how, in which document, and its line there (0 where lines mean nothing)."""

    how: How
    where: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class FoundService:
    """One service of a site.

    `status` is 0 where it was not asked for; `error` says why an answer that was asked for is none of its kind.
    """

    url: str
    kind: ServiceKind
    namespace: str = ""
    title: str = ""
    last_change: str = ""
    """A W3C date in UTC; empty where nobody said one."""
    home: str = ""
    """The page a feed belongs to."""
    ways: tuple[Way, ...] = ()
    status: int = 0
    error: str = ""

    def is_of(self, namespace: str) -> bool:
        """Whether it is what a namespace, or the name of a kind, stands for."""
        return namespace in {"", self.namespace, self.kind.value}

    def and_also(self, other: "FoundService") -> "FoundService":
        """This service with what another finding of it adds."""
        kind = other.kind if self.kind in {ServiceKind.DATA, ServiceKind.FEED} else self.kind
        ways = tuple(dict.fromkeys((*self.ways, *other.ways)))
        return replace(
            self,
            kind=kind,
            namespace=self.namespace or other.namespace,
            title=self.title or other.title,
            last_change=self.last_change or other.last_change,
            home=self.home or other.home,
            ways=ways,
        )


@dataclass(frozen=True, slots=True)
class Discovered:
    """Everything that was found of a site, in the order it was found."""

    target: str
    origin: str
    services: tuple[FoundService, ...] = ()
    notices: tuple[str, ...] = ()
    requests: int = 0
    is_reached: bool = False
    error: FetchError | None = None

    def of(self, namespace: str) -> "Discovered":
        """The part that a namespace, or the name of a kind, stands for; all of it for an empty one."""
        return replace(self, services=tuple(service for service in self.services if service.is_of(namespace)))

    def feeds(self) -> "Discovered":
        """The feeds alone."""
        return replace(self, services=tuple(service for service in self.services if service.kind.is_feed))


NAMESPACES: Mapping[ServiceKind, str] = {
    ServiceKind.ROBOTS: "http://www.robotstxt.org/",
    ServiceKind.SITEMAP: SITEMAP_NAMESPACE,
    ServiceKind.OPML: "http://www.opml.org/spec2",
    ServiceKind.RSS: "http://backend.userland.com/rss2",
    ServiceKind.ATOM: "http://www.w3.org/2005/Atom",
    ServiceKind.JSON_FEED: "https://jsonfeed.org/version/1.1",
}
"""The namespace of each kind that has one (spec/discovery.md)."""

_OTHER_NAMESPACES = {
    "http://opml.org/spec2": ServiceKind.OPML,
    "http://www.opml.org/": ServiceKind.OPML,
    "http://purl.org/rss/1.0/": ServiceKind.RSS,
    "https://jsonfeed.org/version/1": ServiceKind.JSON_FEED,
    "http://www.google.com/schemas/sitemap/0.84": ServiceKind.SITEMAP,
}
_BY_NAMESPACE = {namespace: kind for kind, namespace in NAMESPACES.items()} | _OTHER_NAMESPACES
_BY_TYPE = {
    "application/rss+xml": ServiceKind.RSS,
    "application/rdf+xml": ServiceKind.RSS,
    "application/atom+xml": ServiceKind.ATOM,
    "application/feed+json": ServiceKind.JSON_FEED,
    "text/x-opml": ServiceKind.OPML,
    "text/opml": ServiceKind.OPML,
    "application/opml+xml": ServiceKind.OPML,
}
FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
"""The types of links that lead to feeds."""
KIND_OF_FORMAT: Mapping[Format, ServiceKind] = {
    Format.URLSET: ServiceKind.SITEMAP,
    Format.INDEX: ServiceKind.SITEMAP,
    Format.TEXT: ServiceKind.SITEMAP,
    Format.RSS: ServiceKind.RSS,
    Format.RDF: ServiceKind.RSS,
    Format.ATOM: ServiceKind.ATOM,
    Format.JSONFEED: ServiceKind.JSON_FEED,
    Format.OPML: ServiceKind.OPML,
    Format.XMLMAP: ServiceKind.XMLMAP,
}
"""The kind of service that bytes of a format are."""


def kind_of(namespace: str = "", media_type: str = "") -> ServiceKind:
    """The kind that a namespace or a media type stands for; data where it is none we know."""
    return _BY_NAMESPACE.get(namespace) or _BY_TYPE.get(media_type) or ServiceKind.DATA
