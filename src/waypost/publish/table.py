"""The page table: every listed page, sorted and cut into the sitemaps it needs. Everything published is made from it.

State is in step with what was added and discarded; nothing here holds a host or a whole document.
"""

from collections.abc import Iterable, Iterator
from heapq import nlargest
from itertools import chain
from math import inf
from operator import attrgetter
from threading import RLock
from typing import NamedTuple, Protocol

from waypost.limits import PART_SIZE_DEFAULT, SITEMAP_BYTES_MAX, SITEMAP_URLS_MAX, SPLIT_AT_DEFAULT
from waypost.publish.dated import DatedPages
from waypost.publish.fragments import FRAME_BYTES_MAX, fragment
from waypost.publish.page import Page
from waypost.publish.parts import count_for, is_over, mixed, parent_of, part_of, parts_of
from waypost.publish.run import HASH_MODULUS, Line, Run, Shot

__all__ = ["PageSource", "PageTable"]

_REBUILD_SHARE = 8
"""Sorting everything anew is cheaper than one insert after the other once an eighth of the pages has changed."""


_path_of = attrgetter("path")
_SORTED_AT_ONCE = 4_096
"""Sorting more in one call would keep the interpreter from everything else for too long."""


class PageSource(Protocol):
    """Where the publisher gets its pages."""

    def table(self) -> "PageTable":
        """The table, in step with what it mirrors at this moment."""
        ...

    def has_pages(self) -> bool:
        """Whether any page is listed; may answer from before while a long scan runs, and never waits for one."""
        ...


class _Change(NamedTuple):
    """What happened to one id since the runs were last in step."""

    old: Page | None
    new: Line | None
    gone_at: float


class PageTable:
    """The listed pages by id and by path, and the runs (one, or one a part) that sitemaps are joined from.

    Changes are gathered and worked in when the runs are next asked for. Whoever changes the table while other threads
    read it holds `lock` around the whole change; readers hold it while they take what they need.
    """

    def __init__(
        self,
        pages: Iterable[Page] = (),
        *,
        split_at: int = SPLIT_AT_DEFAULT,
        part_size: int = PART_SIZE_DEFAULT,
        with_images: bool = False,
    ) -> None:
        self.lock = RLock()
        self.split_at, self.part_size, self.with_images = min(split_at, SITEMAP_URLS_MAX), part_size, with_images
        self.changed_at: float | None = None
        """When anything the documents show last changed; None where the source cannot know: no Last-Modified then."""
        self.gone_at = 0.0
        """A moment before which pages may have gone without the source seeing which; it counts for every part."""
        self._by_key: dict[bytes, Page] = {}
        self._by_path: dict[str, Page] = {}
        self._changes: dict[bytes, _Change] = {}
        self._runs: list[Run] = [Run()]
        self._is_split = False
        self._set_hash = 0
        self._text_shot: Shot | None = None
        self._dated = DatedPages()
        self._moved: set[str] | None = None
        self._latest: tuple[int, list[Page]] | None = None
        for page in pages:
            self.add(page)

    def __len__(self) -> int:
        return len(self._by_key)

    def __iter__(self) -> Iterator[Page]:
        """The pages in no particular order."""
        return iter(self._by_key.values())

    def table(self) -> "PageTable":
        """Itself: a table that nothing else feeds is a source of pages."""
        return self

    def has_pages(self) -> bool:
        """Whether any page is listed."""
        return bool(self._by_key)

    def add(self, page: Page) -> None:
        """List a page, in place of the one with its id; a page that had its path until now is listed no longer.

        Raises `WriteError` for what no sitemap can hold.
        """
        before = self._by_key.get(page.key)
        if before == page:
            return
        line = Line(page, fragment(page, with_images=self.with_images))
        holder = self._by_path.get(page.path)
        if holder is not None and holder.key != page.key:
            self.discard(holder.key)
        if before is not None:
            del self._by_path[before.path]
            self._dated.discard(before)
            self._note(before)
        self._by_key[page.key] = self._by_path[page.path] = page
        self._dated.add(page)
        self._note(page)
        change = self._changes.get(page.key)
        self._changes[page.key] = change._replace(new=line) if change else _Change(before, line, 0.0)

    def load(self, pages: Iterable[Page]) -> None:
        """List many pages at once, to the same end as one after the other in any order; no two have one id or path."""
        with self.lock:
            pages = _in_order(pages)
            if len(pages) * _REBUILD_SHARE > len(self):
                self.settle()
                fresh, known = pages, []
                if self._by_key:
                    fresh = [page for page in pages if page.key not in self._by_key and page.path not in self._by_path]
                    known = [page for page in pages if page.key in self._by_key or page.path in self._by_path]
                self._load_fresh(fresh)
                pages = known
            for page in pages:
                self.add(page)

    def _load_fresh(self, pages: list[Page]) -> None:
        """List pages, in the order of their paths, of which neither id nor path is listed."""
        for page in pages:
            self._by_key[page.key] = self._by_path[page.path] = page
        self._dated.load(pages)
        for page in pages if self._moved is not None else ():
            self._note(page)
        self._fit()  # sizes come into it below: pages alone nearly always say how many runs there are
        counted = [len(run.pages) for run in self._runs]
        with_images = self.with_images
        for page, part in zip(pages, parts_of((page.key for page in pages), len(self._runs)), strict=False):
            self._runs[part].append(page, fragment(page, with_images=with_images))
        for run, before in zip(self._runs, counted, strict=True):
            run.count_all(before)
        self._fit()

    def discard(self, key: bytes, at: float = 0.0) -> bool:
        """List the page no longer; `at` is when it went, as far as the disk tells. Whether it was listed."""
        before = self._by_key.pop(key, None)
        if before is None:
            return False
        del self._by_path[before.path]
        self._dated.discard(before)
        self._note(before)
        change = self._changes.get(key)
        self._changes[key] = change._replace(new=None, gone_at=at) if change else _Change(before, None, at)
        return True

    def _note(self, page: Page) -> None:
        if self._moved is not None:
            self._moved.add(page.path)

    def take_moved(self) -> set[str] | None:
        """The paths whose page came, changed or went since this was last asked; None the first time: all may have."""
        moved, self._moved = self._moved, set()
        return moved

    def get(self, path: str) -> Page | None:
        """The page listed at a canonical path."""
        return self._by_path.get(path)

    def by_key(self, key: bytes) -> Page | None:
        """The listed page with an id."""
        return self._by_key.get(key)

    def configure(self, *, split_at: int, part_size: int) -> None:
        """Take other settings for how sitemaps are split."""
        self.split_at, self.part_size = min(split_at, SITEMAP_URLS_MAX), part_size
        with self.lock:
            self._work_in()
            self._fit()

    @property
    def is_split(self) -> bool:
        """Whether the sitemap is an index with parts."""
        self.settle()
        return self._is_split

    @property
    def runs(self) -> list[Run]:
        """The urlsets, in step with every change: one, or one a part."""
        self.settle()
        return self._runs

    @property
    def set_hash(self) -> int:
        """128 bits that say which pages are listed with which facts; the same in every worker and after a restart."""
        self.settle()
        return self._set_hash

    def text_shot(self) -> Shot:
        """All paths in order, a line each, to be joined by an origin."""
        runs = self.runs
        if self._text_shot is None:
            pieces = [b"", *(f"{path}\n".encode() for path in sorted(page.path for run in runs for page in run.pages))]
            self._text_shot = Shot.of(pieces)
        return self._text_shot

    def newest(self, count: int, *, folder: str = "", now: float = inf) -> list[Page]:
        """The pages a feed lists, newest first: those their owners dated, if the date has come.

        A folder is a first segment of paths. Where nobody dates pages the whole site has those changed last.
        """
        if self._dated:
            return [self._by_path[path] for path in self._dated.newest(folder, count, now)]
        return [] if folder else self._changed_last(count)

    def _changed_last(self, count: int) -> list[Page]:
        self.settle()
        if self._latest is None or self._latest[0] != count:
            pages = [page for page in self if page.last_modified]
            self._latest = count, nlargest(count, pages, key=lambda page: (page.last_modified, page.path))
        return self._latest[1]

    def has_feed(self, folder: str = "", now: float = inf) -> bool:
        """Whether `newest` has a page; quick for a whole site that nobody dates, too."""
        if self._dated:
            return bool(self._dated.newest(folder, 1, now))
        return not folder and any(page.last_modified for page in self)

    def feed_folders(self, now: float = inf) -> list[str]:
        """The folders that have a feed, in order."""
        return self._dated.folders(now)

    def settle(self) -> None:
        """Work gathered changes into the runs."""
        if self._changes:
            with self.lock:
                self._work_in()
                self._fit()

    def _work_in(self) -> None:
        changes, self._changes = self._changes, {}
        if len(changes) * _REBUILD_SHARE > len(self._by_key):
            kept = [line for run in self._runs for line in run.lines() if line.page.key not in changes]
            self._cut(chain(kept, (change.new for change in changes.values() if change.new)), len(self._runs))
        else:
            self._insert_one_by_one(changes)
        for key, change in changes.items():
            if change.gone_at:
                run = self._run_of(key)
                run.gone_at = max(run.gone_at, change.gone_at)

    def _insert_one_by_one(self, changes: dict[bytes, _Change]) -> None:
        # Everything leaves before anything comes: a path may have gone from one page to another.
        for key, change in changes.items():
            if change.old is not None:
                self._run_of(key).remove(change.old)
        for key, change in changes.items():
            if change.new is not None:
                self._run_of(key).insert(*change.new)

    def _run_of(self, key: bytes) -> Run:
        count = len(self._runs)
        return self._runs[part_of(mixed(key), count) if count > 1 else 0]

    def _cut(self, lines: Iterable[Line], count: int) -> None:
        """Distribute all lines over so many runs; what is known of pages gone is inherited."""
        before = self._runs
        boxes: list[list[Line]] = [[] for _ in range(count)]
        for line in lines:
            boxes[part_of(mixed(line.page.key), count) if count > 1 else 0].append(line)
        self._runs = [Run(box, gone_at=before[part_of(part, len(before))].gone_at) for part, box in enumerate(boxes)]

    def _fit(self) -> None:
        """Bring the number of runs to what the pages need: a function of the pages alone, whatever came before."""
        size_bytes = sum(run.body_bytes for run in self._runs)
        count = self._count_for(size_bytes)
        if count > len(self._runs) * 2:
            self._cut([line for run in self._runs for line in run.lines()], count)
        while len(self._runs) > count:
            last = self._runs.pop()
            parent = parent_of(len(self._runs))
            self._runs[parent] = Run.merged(self._runs[parent], last)
        while len(self._runs) < count or self._has_overfull():
            self._cut_next()
        self._text_shot = self._latest = None
        self._set_hash = sum(run.set_hash for run in self._runs) % HASH_MODULUS

    def _count_for(self, size_bytes: int) -> int:
        self._is_split = len(self) > self.split_at or size_bytes > SITEMAP_BYTES_MAX - FRAME_BYTES_MAX
        return count_for(len(self), size_bytes, self.part_size) if self._is_split else 1

    def _has_overfull(self) -> bool:
        can_grow = self._is_split and len(self._runs) < SITEMAP_URLS_MAX
        return can_grow and any(is_over(len(run.pages), run.body_bytes + FRAME_BYTES_MAX) for run in self._runs)

    def _cut_next(self) -> None:
        """Grow by one run: the lines of one other are divided between it and the new one."""
        part = len(self._runs)
        parent = parent_of(part)
        old = self._runs[parent]
        kept: list[Line] = []
        moved: list[Line] = []
        for line in old.lines():
            (moved if part_of(mixed(line.page.key), part + 1) == part else kept).append(line)
        self._runs[parent] = Run(kept, gone_at=old.gone_at)
        self._runs.append(Run(moved, gone_at=old.gone_at))


def _in_order(pages: Iterable[Page]) -> list[Page]:
    """Pages sorted by path: piece by piece first, so that the last call has little left to do."""
    ordered = list(pages)
    for start in range(0, len(ordered), _SORTED_AT_ONCE):
        end = start + _SORTED_AT_ONCE
        ordered[start:end] = sorted(ordered[start:end], key=_path_of)
    ordered.sort(key=_path_of)
    return ordered
