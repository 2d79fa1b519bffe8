"""What a scan has seen: the values that rules look at."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from waypost.check.capture import Capture, ErrorKind
from waypost.check.htmlhead import Head
from waypost.check.rule import Now
from waypost.formats.document import Document, Kind
from waypost.formats.feedmodel import Feed
from waypost.formats.opml import Opml
from waypost.formats.robots import Robots
from waypost.formats.xmlmap import Xmlmap
from waypost.urls import Origin

__all__ = ["Candidate", "Child", "Evidence", "FeedSeen", "OpmlSeen", "Page", "Source", "page_lists"]


class Source(Enum):
    """How a sitemap candidate was found."""

    ROBOTS = "robots.txt"
    CONVENTION = "convention"
    INDEX = "index"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One URL that may be a sitemap, and what came of asking for it."""

    url: str
    source: Source
    line: int = 0
    """The line of robots.txt that names it."""
    capture: Capture | None = None
    document: Document | None = None
    """What was read; kept of the best candidate only."""
    kind: Kind = Kind.NONE
    digest: str = ""
    """The SHA-256 of the body, where it is a sitemap."""
    listing: int = 0
    """A hash of the set of URLs it lists, in whatever form and order; it means nothing to another process."""

    @property
    def is_sitemap(self) -> bool:
        """Whether the body is a sitemap of some kind."""
        return self.kind is not Kind.NONE

    @property
    def was_not_asked(self) -> bool:
        """Whether the budget of requests was used up before it."""
        error = self.capture.error if self.capture else None
        return error is not None and error.kind is ErrorKind.BUDGET and not (self.capture and self.capture.hops)

    @property
    def is_declared(self) -> bool:
        """Whether the site itself names it."""
        return self.source is not Source.CONVENTION

    @property
    def is_answered(self) -> bool:
        """Whether a whole, successful answer came."""
        return self.capture is not None and self.capture.is_success

    @property
    def is_absent(self) -> bool:
        """Whether the server says that there is nothing there."""
        return self.capture is not None and self.capture.error is None and self.capture.status in {404, 410}


@dataclass(frozen=True, slots=True)
class FeedSeen:
    """A feed, or what stands where one should."""

    capture: Capture
    feed: Feed
    is_sitemap: bool = False
    """Whether it serves as the sitemap."""
    listed_in: str = ""
    """The OPML list that names it."""


@dataclass(frozen=True, slots=True)
class OpmlSeen:
    """A list of feeds."""

    capture: Capture
    opml: Opml


@dataclass(frozen=True, slots=True)
class Child:
    """A sitemap that the index lists, as `--deep` read it."""

    candidate: Candidate
    index_lastmod: str | None
    document: Document | None


def page_lists(best: Candidate | None, children: Iterable[Child]) -> Iterator[tuple[str, Document]]:
    """The documents that list pages, with their URLs: the best candidate and the children that were read."""
    if best is not None and best.document is not None and best.document.kind is not Kind.INDEX:
        yield best.url, best.document
    for child in children:
        if child.document is not None and child.document.kind not in {Kind.INDEX, Kind.NONE}:
            yield child.candidate.url, child.document


@dataclass(frozen=True, slots=True)
class Page:
    """A listed page, as `--probe` found it."""

    url: str
    lastmod: str | None
    """What the sitemap says of it."""
    entry: int
    sitemap: str
    """The sitemap that lists it."""
    capture: Capture
    head: Head
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The whole scan, for rules that compare its parts."""

    origin: Origin
    now: Now
    candidates: tuple[Candidate, ...] = ()
    best: Candidate | None = None
    """The candidate that carries the verdict."""
    robots_capture: Capture | None = None
    robots: Robots | None = None
    """The robots.txt, where a crawler would read one."""
    home: Capture | None = None
    head: Head | None = None
    variants: tuple[Capture, ...] = ()
    """robots.txt of the other scheme, and of the www or apex name."""
    xmlmap_capture: Capture | None = None
    xmlmap: Xmlmap | None = None
    services: tuple[Capture, ...] = ()
    """What robots.xml lists, as far as it was asked for."""
    feeds: tuple[FeedSeen, ...] = ()
    opmls: tuple[OpmlSeen, ...] = ()
    children: tuple[Child, ...] = ()
    pages: tuple[Page, ...] = ()
    authorised: tuple[str, ...] = ()
    """Other hosts whose robots.txt names the sitemap."""
    goes_deeper: bool = False
    """Whether `--deep` or `--probe` was asked for."""
    score: float = 0.0
