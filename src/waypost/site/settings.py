"""SETTINGS: every setting of a root once, with its name, type, default and one line of help.

The file `waypost.toml`, the environment (`WAYPOST_SITEMAP_SPLIT_AT`) and command options spell them alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any

from waypost.limits import PAGE_BYTES_DEFAULT, PART_SIZE_DEFAULT, SITEMAP_URLS_MAX, SPLIT_AT_DEFAULT
from waypost.publish.settings import DataFile, Publishing, RobotsGroup
from waypost.site.access import Tag

__all__ = ["OPINIONS", "SETTINGS", "TABLES", "Lastmod", "Setting", "Settings", "Slash", "publishing"]


class Slash(Enum):
    """How the URL of a page ends; `/` is always `/`."""

    NEVER = "never"
    ALWAYS = "always"


class Lastmod(Enum):
    """Where a page's date of modification comes from."""

    DISK = "disk"
    DECLARED = "declared"
    GIT = "git"


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of the table. `kind` is str, int, bool, an Enum, or tuple for a list of words."""

    name: str
    kind: type
    default: Any
    help: str
    field: str
    least: int | None = None
    most: int | None = None

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "WAYPOST_" + self.name.upper().replace(".", "_")


def _row(name: str, kind: type, text: str, *, least: int | None = None, most: int | None = None) -> dict[str, Any]:
    return {"row": (name, kind, text, least, most)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one root as they are at one moment."""

    title: str = field(default="", metadata=_row("title", str, "the site's name, in feeds and page titles"))
    lang: str = field(
        default="", metadata=_row("lang", str, "the language of pages that name none, such as en or pt-BR")
    )
    slash: Slash = field(
        default=Slash.NEVER, metadata=_row("slash", Slash, "whether the URL of a page ends in a slash")
    )
    home: str = field(
        default="", metadata=_row("home", str, "the alias of the page served at /; empty for the root index.md")
    )
    path_alias: bool = field(
        default=True,
        metadata=_row("content.path_alias", bool, "whether a file without an alias is served under its path"),
    )
    lastmod: Lastmod = field(default=Lastmod.DISK, metadata=_row("lastmod", Lastmod, "where lastmod comes from"))
    admin_path: str = field(
        default="",
        metadata=_row("admin.path", str, "the path of the administration; never published, so choose a long one"),
    )
    feed_count: int = field(default=50, metadata=_row("feeds.count", int, "entries in each feed", least=0, most=1000))
    with_folder_feeds: bool = field(
        default=True, metadata=_row("feeds.folders", bool, "whether each top folder has feeds of its own")
    )
    with_feed_text: bool = field(
        default=True,
        metadata=_row("feeds.content", bool, "whether feeds hold whole pages, or only what they are about"),
    )
    with_llms: bool = field(
        default=False,
        metadata=_row("llms", bool, "whether /llms.txt lists the pages and their Markdown, for language models"),
    )
    indexnow_key: str = field(
        default="",
        metadata=_row("indexnow.key", str, "8 to 128 of a-z A-Z 0-9 -, made up by you; switches IndexNow on"),
    )
    host: str = field(default="127.0.0.1", metadata=_row("server.host", str, "the address to listen on"))
    port: int = field(default=8000, metadata=_row("server.port", int, "the port to listen on", least=0, most=65535))
    workers: int = field(
        default=1,
        metadata=_row("server.workers", int, "worker processes, each with a cache of its own", least=1, most=256),
    )
    trusted_proxies: tuple[str, ...] = field(
        default=(),
        metadata=_row(
            "server.trusted_proxies", tuple, "addresses or networks of proxies whose forwarded headers are believed"
        ),
    )
    allowed_hosts: tuple[str, ...] = field(
        default=(), metadata=_row("server.allowed_hosts", tuple, "hosts that are answered; empty for any valid one")
    )
    operators: tuple[str, ...] = field(
        default=(),
        metadata=_row(
            "server.operators",
            tuple,
            "addresses or networks that may ask /healthz, /readyz and /metrics beside the loopback",
        ),
    )
    split_at: int = field(
        default=SPLIT_AT_DEFAULT,
        metadata=_row(
            "sitemap.split_at",
            int,
            "pages from which on the sitemap is an index with parts",
            least=1,
            most=SITEMAP_URLS_MAX,
        ),
    )
    part_size: int = field(
        default=PART_SIZE_DEFAULT,
        metadata=_row(
            "sitemap.part_size", int, "pages the fullest part is meant to hold", least=1, most=SITEMAP_URLS_MAX
        ),
    )
    with_images: bool = field(
        default=False, metadata=_row("sitemap.images", bool, "whether the sitemap lists the images that pages declare")
    )
    page_bytes_max: int = field(
        default=PAGE_BYTES_DEFAULT,
        metadata=_row(
            "limits.page_bytes", int, "bytes of the longest Markdown file; a longer one is withheld", least=1
        ),
    )
    tags: Mapping[str, Tag] = field(default_factory=dict)
    groups: tuple[RobotsGroup, ...] = ()
    data: tuple[DataFile, ...] = ()


SETTINGS: tuple[Setting, ...] = tuple(
    Setting(name, kind, row.default, text, row.name, least, most)
    for row in fields(Settings)
    if "row" in row.metadata
    for name, kind, text, least, most in [row.metadata["row"]]
)
"""Every setting that holds one value, in the order `waypost config show` prints them."""

TABLES: Mapping[str, str] = {
    "tags": "[tags.NAME] roles, access: which roles may see what carries the tag",
    "robots.group": "[[robots.group]] agents, disallow, allow, crawl_delay, content_signal: rules for some crawlers",
    "data": "[[data]] url or path, namespace, title, lastmod: more entries for robots.xml",
}
"""The settings that hold tables; they stand in the file only."""

OPINIONS: Mapping[str, str] = {
    "severity": "[severity] CODE = error, warn, info or off: how much a rule's findings matter here",
    "ignore": "[ignore] CODE = true, a day, or { until, reason }: findings that are left out, perhaps until a day",
}
"""What may stand in the same file for `waypost check` and `waypost doctor`; whoever serves a root passes over it."""


def publishing(settings: Settings, *, is_closed: bool = False) -> Publishing:
    """The settings the publisher takes."""
    return Publishing(
        title=settings.title,
        lang=settings.lang,
        groups=settings.groups,
        data=settings.data,
        admin_path=settings.admin_path,
        is_closed=is_closed,
        feed_count=settings.feed_count,
        with_folder_feeds=settings.with_folder_feeds,
        with_llms=settings.with_llms,
        # Nobody may send in the URLs of a preview.
        indexnow_key="" if is_closed else settings.indexnow_key,
    )
