"""RESERVED: the one registry of paths that are not for pages.

It says of each path what is served there and whether robots.txt disallows it. Aliases, the sitemap, robots.txt and the
routes all read this table, so they cannot disagree.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from urllib.parse import unquote

__all__ = [
    "RESERVED",
    "Form",
    "Reserved",
    "Resource",
    "admin_row",
    "disallowed",
    "key_row",
    "names_admin",
    "refuses",
    "top_folder",
]


class Form(Enum):
    """How a reserved name is compared with a path; names are compared segment by segment, ignoring case."""

    FILE = "file"
    """The path itself is served; nothing can stand below it."""
    REPEATED = "file, and in every top folder"
    """As FILE, and the same name once more right below each first segment."""
    FOLDER = "folder"
    """Everything whose first segments are the name."""
    SUFFIX = "suffix"
    """Everything that ends so."""


class Resource(Enum):
    """What answers at a reserved path."""

    ROBOTS = "robots"
    SITEMAP = "sitemap"
    INDEX = "index"
    TEXT = "text"
    PART = "part"
    XMLMAP = "xmlmap"
    OPML = "opml"
    ATOM = "atom"
    RSS = "rss"
    JSON_FEED = "json-feed"
    LLMS = "llms"
    KEY = "key"
    """The key of IndexNow."""
    HEALTH = "health"
    READY = "ready"
    METRICS = "metrics"
    ASSET = "asset"
    SOURCE = "source"
    """The Markdown of a page."""
    PAGE = "page"
    """A page without an alias."""
    NOTHING = "nothing"
    """Kept free."""

    __hash__ = object.__hash__  # members are single, and looked up at each request


@dataclass(frozen=True, slots=True)
class Reserved:
    """One row: no page may take this path as its alias, and no alias that stands here is in the sitemap."""

    name: str
    form: Form
    resource: Resource
    why: str
    """Ends the sentence "the alias is refused: …"."""
    is_disallowed: bool = False
    """Whether robots.txt has a `Disallow` for it."""
    leaf: str = ""
    """For a folder where one path is served: what stands behind the name."""

    @property
    def path(self) -> str:
        """The one path that is served; empty where there are many or none."""
        if self.form in {Form.FILE, Form.REPEATED}:
            return f"/{self.name}"
        return f"/{self.name}/{self.leaf}" if self.leaf else ""


RESERVED: tuple[Reserved, ...] = (
    Reserved("robots.txt", Form.FILE, Resource.ROBOTS, "/robots.txt is made from the registry and the settings"),
    Reserved("sitemap.xml", Form.FILE, Resource.SITEMAP, "/sitemap.xml is made from the pages"),
    Reserved("sitemap_index.xml", Form.FILE, Resource.INDEX, "/sitemap_index.xml is made from the pages"),
    Reserved("sitemap.txt", Form.FILE, Resource.TEXT, "/sitemap.txt is made from the pages"),
    Reserved("sitemaps", Form.FOLDER, Resource.PART, "/sitemaps/ holds the parts of a split sitemap"),
    Reserved("robots.xml", Form.FILE, Resource.XMLMAP, "/robots.xml lists what the site offers to machines"),
    Reserved("feeds.opml", Form.FILE, Resource.OPML, "/feeds.opml lists the feeds"),
    Reserved("feed.atom", Form.REPEATED, Resource.ATOM, "feed.atom is made from the pages"),
    Reserved("feed.rss", Form.REPEATED, Resource.RSS, "feed.rss is made from the pages"),
    Reserved("feed.json", Form.REPEATED, Resource.JSON_FEED, "feed.json is made from the pages"),
    Reserved("llms.txt", Form.FILE, Resource.LLMS, "/llms.txt is made from the pages, where llms = true says so"),
    Reserved(".well-known", Form.FOLDER, Resource.OPML, "/.well-known/ belongs to protocols", leaf="feeds"),
    Reserved("healthz", Form.FILE, Resource.HEALTH, "/healthz answers the operator"),
    Reserved("readyz", Form.FILE, Resource.READY, "/readyz answers the operator"),
    Reserved("metrics", Form.FILE, Resource.METRICS, "/metrics answers the operator"),
    Reserved("_waypost", Form.FOLDER, Resource.ASSET, "/_waypost/ holds the theme's assets"),
    Reserved(".md", Form.SUFFIX, Resource.SOURCE, "a path that ends in .md is the source of a page"),
    Reserved("id", Form.FOLDER, Resource.PAGE, "/id/ is where pages without an alias live"),
    Reserved("login", Form.FOLDER, Resource.NOTHING, "/login/ is kept for signing in", is_disallowed=True),
    Reserved("api", Form.FOLDER, Resource.NOTHING, "/api/ is kept for programs", is_disallowed=True),
    Reserved("builtin", Form.FOLDER, Resource.NOTHING, "/builtin/ is kept for built-in pages", is_disallowed=True),
)
"""Everything reserved but what settings choose: the admin path, which nothing public may name, and the IndexNow key."""

_LOOK_ALIKES = str.maketrans(
    "авсԁеһіјкӏмпорԛгѕтуԝх"  # Cyrillic
    "αβεγηικνορτυχω"  # Greek
    "օոսհցքյ"  # Armenian
    "ıɩɑɡʟʀᴀʙᴄᴅᴇꜰɢʜɪᴊᴋᴍɴᴏᴘꜱᴛᴜᴠᴡʏᴢ"  # Latin letters that compatibility folding leaves alone
    "\u2215\u2044\u29f8\u2010\u2212\u3002",  # slashes, hyphens, a full stop
    "abcdehijklmnopqrstywxabeynikvoptuxwonuhgpjiiaglrabcdefghijkmnopstuvwyz///--.",
    "\u115f\u1160\u2800",  # blanks that are letters or signs by their category
)
_UNQUOTE_ROUNDS = 3
_PLAIN = re.compile(r"[ -$&-~]*")
_QUERY = re.compile(r"[?#&=;]")
"""What ends a path in a rule, and parts the words of a query."""


def admin_row(admin_path: str) -> Reserved | None:
    """The row of the configured admin path; robots.txt never has it, and its sentence names no more than it must."""
    name = "/".join(_segments(admin_path))
    return Reserved(name, Form.FOLDER, Resource.NOTHING, "the path is taken") if name else None


def key_row(key: str) -> Reserved | None:
    """The row of the file that proves to IndexNow whose site this is."""
    return Reserved(f"{key.lower()}.txt", Form.FILE, Resource.KEY, "it is the key file of IndexNow") if key else None


def refuses(alias: str, admin_path: str = "", key: str = "") -> Reserved | None:
    """The row that keeps a page from having this alias, or None.

    Comparison is by whole segment and by what a reader would take a name for: case, percent escapes, doubled or
    trailing slashes, trailing dots, invisible characters and look-alike letters change nothing.

    >>> refuses("Login/x").name
    'login'
    >>> refuses("login-help") is None
    True
    """
    segments = _segments(alias)
    chosen = (admin_row(admin_path), key_row(key))
    return next((row for row in (*filter(None, chosen), *RESERVED) if _stands_in(row, segments)), None)


def _stands_in(row: Reserved, segments: list[str]) -> bool:
    if row.form is Form.SUFFIX:
        return bool(segments) and segments[-1].endswith(row.name)
    if row.form is Form.REPEATED:
        return row.name in segments[:2]
    names = row.name.split("/")
    return segments[: len(names)] == names


_IDS = next(row.name for row in RESERVED if row.resource is Resource.PAGE)


def top_folder(path: str) -> str:
    """The first segment of a page's path, as its URL carries it, where the page stands below it; else "".

    >>> top_folder("/notes/first"), top_folder("/notes/"), top_folder("/id/00000000000000ff")
    ('notes', '', '')
    """
    first, _, rest = path.partition("?")[0].strip("/").partition("/")
    return first if rest and first != _IDS else ""


def names_admin(text: str, admin_path: str) -> bool:
    """Whether a rule or path spells out the admin path, wildcards and look-alikes or not: nothing public may."""
    admin = _segments(admin_path)
    if not admin:
        return False
    given = _parts(_QUERY.sub("/", _folded(text.replace("*", "").replace("$", ""))))
    return any(given[at : at + len(admin)] == admin for at in range(len(given)))


def _segments(path: str) -> list[str]:
    return _parts(_folded(path))


def _parts(text: str) -> list[str]:
    parts = (part.strip().rstrip(". ") for part in text.replace("\\", "/").split("/"))
    return [part for part in parts if part]


def _folded(path: str) -> str:
    return path.lower() if _PLAIN.fullmatch(path) else _read(path)


def _read(path: str) -> str:
    for _ in range(_UNQUOTE_ROUNDS):
        path = unquote(path)
    text = unicodedata.normalize("NFKC", path).casefold().translate(_LOOK_ALIKES)
    return "".join(c for c in text if unicodedata.category(c) not in {"Cf", "Cc", "Mn"})


def disallowed() -> tuple[str, ...]:
    """What robots.txt disallows for everybody, in the registry's order."""
    return tuple(f"/{row.name}/" for row in RESERVED if row.is_disallowed)
