"""Where a page stands among the others: the tree of pages, the way up to the first one, the next and the previous.

Everything is looked up in the table's sorted runs when a page is shown; nothing of it is kept. A sitemap that is split
has too many pages for a tree that people would read: such a site has the way up, and search.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import unquote

from waypost.limits import (
    LISTED_PAGES_MAX,
    NAV_DEPTH_MAX,
    NAV_FOLDER_MAX,
    NAV_ITEMS_MAX,
    NAV_NEAR_MAX,
    NAV_SKIPPED_MAX,
)
from waypost.publish.page import Page
from waypost.site.catalog import Catalog

__all__ = ["Item", "Standing", "pages_below", "standing", "words_of"]

_PATH = attrgetter("path")
_LAST = 1 << 40
"""Where a page without `nav_order` stands: behind those with one."""
_DIGITS = re.compile(r"\d+")
_DIGITS_COMPARED = 12


class Item(NamedTuple):
    """One line of the tree: a page, a folder without a page of its own (then `path` is empty), or a gap."""

    title: str
    path: str
    order: int = _LAST
    stem: str = ""
    """The path without a final slash: what pages below it begin with."""
    key: bytes = b""
    leads_to: str = ""
    """Where a folder without a page leads: to the first page below it."""
    is_gap: bool = False
    """Stands for pages that are left out before or behind."""
    is_open: bool = False
    is_current: bool = False
    children: tuple["Item", ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """A page's place: the tree with the branch that leads to it open, the way to it, and its neighbours."""

    tree: tuple[Item, ...] = ()
    way: tuple[Item, ...] = ()
    previous: Item | None = None
    next: Item | None = None


_GAP = Item("…", "", is_gap=True)


def standing(catalog: Catalog, path: str) -> Standing:
    """Where the page at a canonical path stands."""
    table = catalog.table
    if table.is_split:
        return Standing(way=_folders_above(catalog, path))
    page = table.get(path)
    way = _way(catalog, page) if page is not None else _folders_above(catalog, path)
    open_stems = {item.stem for item in way} | {_stem(path)}
    whole = _Tree(catalog, frozenset(open_stems), path)
    tree = whole.branch("", b"", 0)
    previous, following = _neighbours(whole, tree, path)
    return Standing(tree, way, previous, following)


def pages_below(catalog: Catalog, path: str) -> list[Page]:
    """The pages below a path, the newest first and the undated by their path; none where there are too many to show."""
    stem, found = f"{_stem(path)}/", list[Page]()
    run = catalog.table.runs[0].pages if not catalog.table.is_split else []
    place = bisect_left(run, stem, key=_PATH)
    while place < len(run) and run[place].path.startswith(stem) and len(found) < LISTED_PAGES_MAX:
        if run[place].path.rstrip("/") != stem.rstrip("/"):
            found.append(run[place])
        place += 1
    return sorted(found, key=lambda page: -(page.published or 0))


def _stem(path: str) -> str:
    return path.rstrip("/")


@dataclass(frozen=True, slots=True)
class _Tree:
    """What is the same for every branch: the stems on the way to the current page, and its path."""

    catalog: Catalog
    open_stems: frozenset[str]
    current: str

    def branch(self, stem: str, key: bytes, depth: int) -> tuple[Item, ...]:
        """The lines below a page or folder, and below those of them that are on the way to the current page."""
        prefix, run = f"{stem}/", self.catalog.table.runs[0].pages
        first = bisect_left(run, prefix, key=_PATH)
        below = list(islice(_below(self.catalog, prefix, first), NAV_ITEMS_MAX + 1))
        gap_before = gap_after = False
        if len(below) > NAV_ITEMS_MAX or _GAP in below:
            here = bisect_left(run, self._open_below(prefix), lo=first, key=_PATH)
            start = max(first, here - NAV_NEAR_MAX // 2)
            below = list(islice(_below(self.catalog, prefix, start), NAV_NEAR_MAX + 1))
            gap_before, gap_after = start > first, len(below) > NAV_NEAR_MAX or _GAP in below
            below = [one for one in below[:NAV_NEAR_MAX] if one is not _GAP]
        items = [one if isinstance(one, Item) else _item(self.catalog, one) for one in below]
        items = sorted([*items, *_wards(self.catalog, key)], key=_place_of)
        lines = (self._line(item, depth) for item in items)
        return (*(_GAP,) * gap_before, *lines, *(_GAP,) * gap_after)

    def _open_below(self, prefix: str) -> str:
        """The line of a level that is on the way to the current page; "" where none is."""
        depth = prefix.count("/")
        return next((stem for stem in self.open_stems if stem.startswith(prefix) and stem.count("/") == depth), "")

    def _line(self, item: Item, depth: int) -> Item:
        if item.stem not in self.open_stems or depth >= NAV_DEPTH_MAX:
            return item
        children = self.branch(item.stem, item.key, depth + 1) if item.stem else ()
        return item._replace(is_open=True, is_current=item.path == self.current, children=children)


def _below(catalog: Catalog, prefix: str, place: int) -> Iterator[Page | Item]:
    """Pages directly below a path, and lines for its folders, from a place in the run on.

    Pages that name another parent are left out; after very many of them in a row a gap stands for the rest.
    """
    run = catalog.table.runs[0].pages
    folder, skipped = "", 0
    while place < len(run) and run[place].path.startswith(prefix):
        page = run[place]
        name, slash, rest = page.path[len(prefix) :].partition("/")
        child = prefix + name
        if not name or (prefix == "/" and name == "id"):
            place += 1
        elif slash and rest:
            end = bisect_left(run, f"{child}0", lo=place, key=_PATH)  # "0" comes right after "/"
            first = _first_of_its_own(catalog, place, end)
            if child != folder and first is not None:
                yield Item(words_of(name), "", stem=child, leads_to=first.path)
            place = end
        else:
            place += 1
            if _parent_key(catalog, page) is None:
                folder, skipped = child, 0
                yield page
            elif (skipped := skipped + 1) > NAV_SKIPPED_MAX:
                yield _GAP
                return


def _first_of_its_own(catalog: Catalog, place: int, end: int) -> Page | None:
    """The first page of a folder, from a place in the run to another; None where all of them name another parent."""
    run = catalog.table.runs[0].pages
    if not catalog.wards or end - place > NAV_FOLDER_MAX:
        return run[place]
    return next((run[at] for at in range(place, end) if _parent_key(catalog, run[at]) is None), None)


def _wards(catalog: Catalog, key: bytes) -> Iterator[Item]:
    """The pages that name this one as their parent."""
    for ward in nsmallest(NAV_ITEMS_MAX, catalog.wards.get(key.hex(), ())) if key else ():
        listed = catalog.table.by_key(ward)
        if listed is not None:
            yield _item(catalog, listed)


def _place_of(item: Item) -> tuple[int, str, str]:
    """The owner's order first, then the title, numbers by what they count."""
    return item.order, _DIGITS.sub(lambda found: found[0].zfill(_DIGITS_COMPARED), item.title.casefold()), item.stem


def _item(catalog: Catalog, page: Page) -> Item:
    entry = catalog.by_key(page.key)
    said = entry.sayings if entry is not None else None
    title = (said.nav_title if said else "") or page.title or page.path
    order = said.nav_order if said is not None and said.nav_order is not None else _LAST
    return Item(title, page.path, order, _stem(page.path), page.key)


def words_of(segment: str) -> str:
    """A name on the disk or in a path as people would write it."""
    text = unquote(segment).replace("-", " ").replace("_", " ").strip()
    return text[:1].upper() + text[1:] or segment


def _parent_key(catalog: Catalog, page: Page) -> bytes | None:
    """The id of the listed page that a page names as its parent."""
    if not catalog.wards:
        return None  # nobody names one
    entry = catalog.by_key(page.key)
    named = entry.sayings.nav_parent_id if entry is not None else None
    if not named:
        return None
    try:
        key = bytes.fromhex(named)
    except ValueError:
        return None
    return key if key != page.key and catalog.table.by_key(key) is not None else None


def _way(catalog: Catalog, page: Page) -> tuple[Item, ...]:
    """From the first level down to the page's parent; a circle of parents ends where it closes."""
    way: list[Item] = []
    seen = {page.key}
    while len(way) < NAV_DEPTH_MAX:
        key = _parent_key(catalog, page)
        parent = catalog.table.by_key(key) if key is not None else None
        if parent is None or parent.key in seen:
            return (*_folders_above(catalog, page.path), *reversed(way))
        seen.add(parent.key)
        way.append(_item(catalog, parent))
        page = parent
    return tuple(reversed(way))


def _folders_above(catalog: Catalog, path: str) -> tuple[Item, ...]:
    """The folders a path stands in, each with its page where it has a public one."""
    names = _stem(path).split("/")[1:-1]
    if names[:1] == ["id"]:
        return ()
    found = []
    for depth in range(1, min(len(names), NAV_DEPTH_MAX) + 1):
        stem = "/" + "/".join(names[:depth])
        page = catalog.table.get(stem) or catalog.table.get(f"{stem}/")
        found.append(_item(catalog, page) if page is not None else Item(words_of(names[depth - 1]), "", stem=stem))
    return tuple(found)


def _neighbours(whole: _Tree, tree: tuple[Item, ...], current: str) -> tuple[Item | None, Item | None]:
    """The pages before and after in the order of the tree, were all of it open."""
    items = list(_flat(tree))
    place = next((place for place, item in enumerate(items) if item.is_current and item.path == current), None)
    if place is None:
        return None, None
    before = (item if item.is_open else _end(whole, item, -1) for item in reversed(items[:place]))
    behind = (_end(whole, item, 0) for item in items[place + 1 :])
    return next(filter(_is_page, before), None), next(filter(_is_page, behind), None)


def _is_page(item: Item | None) -> bool:
    return item is not None and bool(item.path)


def _end(whole: _Tree, item: Item, which: int) -> Item | None:
    """The first (0) or the last (-1) page of a line and what is below it; None for a gap."""
    for depth in range(NAV_DEPTH_MAX):
        if item.is_gap or (item.path and which == 0):
            break
        below = whole.branch(item.stem, item.key, depth + 1) if item.stem else ()
        below = tuple(line for line in below if not line.is_gap)
        if not below:
            break
        item = below[which]
    return item if item.path else None


def _flat(items: tuple[Item, ...]) -> Iterator[Item]:
    for item in items:
        yield item
        yield from _flat(item.children)
