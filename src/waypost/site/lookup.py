"""What a request's path means: the one page or file that answers 200 there, where to go instead, or nothing."""

import re
from dataclasses import dataclass
from enum import Enum

from waypost.publish.canonical import alias_path, read_path, source_path
from waypost.site.catalog import Catalog
from waypost.site.naming import derived_alias
from waypost.site.objects import Entry
from waypost.site.references import alias_claim

__all__ = ["Found", "Kind", "find"]

_ID = re.compile(r"/+id/+([0-9a-f]{16})/*")
_SOURCE_END = ".md"


class Kind(Enum):
    """What answers at a path."""

    PAGE = "page"
    FILE = "file"
    SOURCE = "source"
    """The Markdown of a page."""
    MOVED = "moved"
    """Another spelling of a path: 308 to `location`."""
    LISTING = "listing"
    """The home page of a root that has none: a list of its pages, not to be indexed."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a path means; `entry` is the object, None for a listing, `location` where it moved."""

    kind: Kind
    entry: Entry | None = None
    location: str = ""


def find(catalog: Catalog, path: str, *, is_bare: bool = False) -> Found | None:
    """What a raw, undecoded path means; None is the answer of an unknown page, and of one nobody may see."""
    holder = entry = _exact(catalog, path)
    if entry is not None and entry.access.is_public:
        if entry.path == path:
            return Found(Kind.PAGE if entry.is_markdown else Kind.FILE, entry)
        return Found(Kind.MOVED, entry, entry.path)
    if path[-3:].lower() == _SOURCE_END:
        return _source(catalog, path)
    entry = _by_other_spelling(catalog, path)
    if entry is not None:
        return Found(Kind.MOVED, entry, entry.path)
    if path == "/" and holder is None and (is_bare or catalog.table.has_pages()):
        return Found(Kind.LISTING)
    return None


def _exact(catalog: Catalog, path: str) -> Entry | None:
    holder = catalog.holder(path) or (catalog.holder(path[:-1]) if path.endswith("/") else None)
    if holder is not None:
        return holder
    found = _ID.fullmatch(path)
    return catalog.by_key(bytes.fromhex(found[1])) if found else None


def _by_other_spelling(catalog: Catalog, path: str) -> Entry | None:
    """The public object that a path means in another letter case, with other slashes, `index`, or from before."""
    alias = read_path(path)
    if alias is None or alias.startswith("id/"):
        return None
    claim = alias_path(alias)
    for spelling in (claim, _without_index(claim), _home(catalog, alias)):
        entry = catalog.holder(spelling) if spelling else None
        if entry is not None and entry.access.is_public:
            return entry
    return catalog.once_at(claim)


def _without_index(claim: str) -> str:
    return (claim[: -len("index")].rstrip("/") or "/") if claim.endswith("/index") else ""


def _home(catalog: Catalog, alias: str) -> str:
    """The home page is known under its own alias too."""
    own = catalog.terms.settings.home or (derived_alias(catalog.at_root) if catalog.at_root else "")
    return "/" if own and alias_claim(own) == alias_path(alias) else ""


def _source(catalog: Catalog, path: str) -> Found | None:
    stem = path[: -len(_SOURCE_END)]
    page = _exact(catalog, stem or "/")
    if page is None or not page.access.is_public:
        page = _by_other_spelling(catalog, stem)
    if page is None or not page.access.is_public or not page.is_markdown or not page.path:
        return None
    location = source_path(page.path)
    return Found(Kind.SOURCE, page) if location == path else Found(Kind.MOVED, page, location)
