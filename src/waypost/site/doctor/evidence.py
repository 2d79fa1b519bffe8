"""What a doctor sees: plain facts of a root, of what is answered for it, and of its hosts. Nothing here looks anywhere.

Root       the objects, as the disk says they are
Answers    the documents, as the publisher makes them and, where a server was asked, as that one answers
Hosts      which hosts are known, and what is wrong with them
Tenancy    which hosts belong to somebody else
Forgeries  what an answer took over from headers nobody should have believed
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from waypost.formats.document import Document, Kind
from waypost.formats.robots import Robots, read_robots
from waypost.formats.sitemap import read_sitemap
from waypost.urls import path_of

__all__ = [
    "Answer",
    "Answers",
    "Forgeries",
    "Forgery",
    "Hosts",
    "Link",
    "Refusal",
    "Rivalry",
    "Root",
    "Stranger",
    "Tenancy",
    "Thing",
    "Withheld",
]


@dataclass(frozen=True, slots=True)
class Thing:
    """One object, read from the disk once more."""

    file: str
    """Its blob, as a path that can be opened."""
    key: str
    """Its id: 16 hexadecimal digits."""
    path: str
    """Where it is served."""
    is_page: bool
    is_public: bool
    modified: float | None
    """The later time of its two files; None where they cannot be read."""
    alias: str | None
    """The alias somebody wrote, None for none."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An alias that no object can have."""

    file: str
    why: str
    is_reserved: bool
    """Whether the registry refuses it; else it has characters that no alias has."""


@dataclass(frozen=True, slots=True)
class Rivalry:
    """An object that wanted what another has."""

    file: str
    holder: str
    path: str


@dataclass(frozen=True, slots=True)
class Withheld:
    """A file that keeps an object from being served, or a whole site."""

    file: str
    line: int
    why: str
    is_site: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A link or an image of a page, as written."""

    file: str
    line: int
    target: str


@dataclass(frozen=True, slots=True)
class Root:
    """One runtime root."""

    name: str
    """As its owner typed it."""
    things: tuple[Thing, ...]
    admin_path: str = ""
    always_slash: bool = False
    dates_by_disk: bool = True
    """Whether a page's date is that of its files."""
    is_closed: bool = False
    refusals: tuple[Refusal, ...] = ()
    rivalries: tuple[Rivalry, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    dead_links: tuple[Link, ...] = ()
    admin_links: tuple[Link, ...] = ()
    """Links of public pages that spell out the admin path."""
    differences: tuple[str, ...] = ()
    """Where what is known of the root differs from a walk over it."""

    def by_path(self) -> dict[str, Thing]:
        """The objects by the path they are served at."""
        return {thing.path: thing for thing in self.things}

    def by_key(self) -> dict[str, Thing]:
        """The objects by their id."""
        return {thing.key: thing for thing in self.things}


@dataclass(frozen=True)
class Answer:
    """What is answered at a URL."""

    url: str
    status: int
    body: bytes = b""
    media: str = ""
    location: str = ""

    @property
    def path(self) -> str:
        """The path and query that was asked for."""
        return path_of(self.url)

    @cached_property
    def robots(self) -> Robots | None:
        """The robots.txt, where this is one."""
        return read_robots(self.body) if self.path == "/robots.txt" and self.status == 200 else None

    @cached_property
    def sitemap(self) -> Document | None:
        """The sitemap or index, where this is one."""
        if self.status != 200 or not self.path.startswith("/sitemap"):
            return None
        document = read_sitemap(self.body, url=self.url)
        return None if document.kind is Kind.NONE else document


@dataclass(frozen=True, slots=True)
class Answers:
    """Everything one publisher answers for one origin."""

    origin: str
    answers: tuple[Answer, ...]
    differences: tuple[tuple[str, str], ...] = ()
    """For a server that was asked: URLs where it answers something else than the root asks for, and how."""

    def by_url(self) -> Mapping[str, Answer]:
        """The answers by their URL."""
        return {answer.url: answer for answer in self.answers}

    def documents(self) -> list[Answer]:
        """The answers a crawler gets its directions from: all but pages."""
        return [answer for answer in self.answers if not answer.media.startswith("text/html")]

    def listed(self) -> list[tuple[str, int, Answer]]:
        """Every URL that a urlset lists, its entry (from 1), and where."""
        urlsets = [answer for answer in self.answers if answer.sitemap and answer.sitemap.kind is Kind.URLSET]
        return [
            (loc, entry, answer)
            for answer in urlsets
            if answer.sitemap
            for entry, loc in enumerate(answer.sitemap.locs, 1)
        ]


@dataclass(frozen=True, slots=True)
class Stranger:
    """A host that is not answered, or one that is and should not be."""

    host: str
    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Hosts:
    """The hosts of a server, as far as something is wrong with them."""

    strangers: tuple[Stranger, ...] = ()


@dataclass(frozen=True, slots=True)
class Tenancy:
    """Whose host is whose: the hosts that belong to the same server and not to this answer."""

    own: str
    others: frozenset[str]
    endings: tuple[str, ...] = ()
    """The wildcards, without their `*`: what ends so is a host of some tenant."""

    def is_foreign(self, host: str) -> bool:
        """Whether a host is another one of this server's."""
        return host != self.own and (host in self.others or host.endswith(self.endings or ("\0",)))


@dataclass(frozen=True, slots=True)
class Forgery:
    """An answer that shows a forwarded header of a peer nobody trusts."""

    url: str
    header: str


@dataclass(frozen=True, slots=True)
class Forgeries:
    """The forged headers that were believed."""

    found: tuple[Forgery, ...] = ()
