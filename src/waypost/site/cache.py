"""PageMetaCache: the one cache. Canonical metadata of every object, in step with the disk before each answer.

It keeps facts of pages, never a document: no response, nothing with a host in it.
"""

import contextlib
import os
import time
import weakref
from collections.abc import Callable
from pathlib import Path

from waypost.errors import ContentError, LetGoError
from waypost.limits import REJUDGE_QUICK, SYNC_LOOKS_QUICK, SYNC_ROUNDS_MAX
from waypost.publish.table import PageTable
from waypost.site.catalog import Catalog
from waypost.site.collecting import without_collections
from waypost.site.content import content_file, read_file
from waypost.site.folders import Folder
from waypost.site.git import GitDates
from waypost.site.live import LiveConfig
from waypost.site.lookup import Found, find
from waypost.site.objects import Entry
from waypost.site.reports import Reports
from waypost.site.scan import Scanner
from waypost.site.settings import Lastmod, Settings
from waypost.site.shape import content_of
from waypost.site.sidecar import Unreadable, front_bytes
from waypost.site.standing import Terms
from waypost.site.tree import Changes, Tree
from waypost.site.watch import Feed, Mode, forget_watcher, watcher

__all__ = ["PageMetaCache"]

_CAVEATS = {
    Mode.STAT: "every file is asked at each request; that a writer has closed a file is not seen",
    Mode.REPLACE_ONLY: "directories alone are asked: only files that are replaced by rename are seen at once",
    Mode.BOUNDED: "answers may be as late as this file system's client remembers attributes, usually seconds",
}
_alive: "weakref.WeakSet[PageMetaCache]" = weakref.WeakSet()


class PageMetaCache:
    """The pages of one root.

    `table()` comes in step first and may then take long (a folder of 100,000 pages moved in): an event loop asks
    `try_table()`, and where that gives None calls `table()` in a thread. What is read between two calls is read while
    holding `lock`. After a fork the child reads everything anew, over watches of its own.
    """

    def __init__(self, root: str, config: LiveConfig, *, best: Mode = Mode.EXACT) -> None:
        self.root = str(Path(root).absolute())
        self.config = config
        self.reports = Reports()
        self.rescans = 0
        """How often everything was read anew because changes were lost or the root was replaced."""
        self.is_ready = False
        self.is_let_go = False
        """Whether nobody owns it any more; it is never read again."""
        self._best = best
        self._stat = os.stat
        self._looks, self._generation = config.looks, config.generation
        self._pending = Changes()
        self._is_behind = False
        """Whether changes were taken from the kernel and left for later: not quick to apply, or not possible then."""
        self._feeds: tuple[Feed, Feed] | None = None
        self._poll: Callable[[int], bool] | None = None
        self._mounts = 0
        self._must_identify = True
        self._identity: tuple[int, int] | None = None
        self._has_pages = False
        self._git = GitDates()
        self.content, self.is_bare = content_of(self.root)
        self.tree = Tree(self.content)
        table = self._new_table(None)
        self.lock = table.lock
        self.catalog = Catalog(Terms.of(config.settings, config.tags), table, self.reports, self.named)
        self.scanner = Scanner(self.tree, self.catalog, self.reports)
        _alive.add(self)

    def table(self) -> PageTable:
        """The table of listed pages, in step with the disk at this moment."""
        with self.lock:
            if self._is_moved():
                self._sync()
            return self.catalog.table

    def try_table(self) -> PageTable | None:
        """The same at once, settings in step too; None where it takes long or somebody else is about it."""
        if not self.lock.acquire(blocking=False):
            return None
        try:
            if self._is_moved() and not self._sync(quick=True):
                return None
            return self.catalog.table
        finally:
            self.lock.release()

    def has_pages(self) -> bool:
        """Whether any page is listed; from before while a long scan runs, and never waits for one."""
        table = self.try_table()
        return self._has_pages if table is None else table.has_pages()

    def lookup(self, path: str) -> Found | None:
        """What a raw request path means, in step with the disk at this moment."""
        with self.lock:
            self.table()
            return self.find(path)

    def find(self, path: str) -> Found | None:
        """What a raw request path means by what is known; whoever asks came in step before."""
        with self.lock:
            return find(self.catalog, path, is_bare=self.is_bare)

    def read_page(self, entry: Entry) -> tuple[str, float]:
        """The Markdown of a page without its front matter, and when it was last modified, for Last-Modified.

        Raises ContentError where it cannot be read now.
        """
        bytes_max = self.config.settings.page_bytes_max
        try:
            data, _status = read_file(entry.blob, bytes_max + 1, self.tree.root)
            length = front_bytes(data) if entry.version < 0 else 0
        except (OSError, Unreadable) as error:
            raise ContentError(f"{entry.blob} cannot be read now: {error}") from None
        if len(data) > bytes_max:
            raise ContentError(f"{entry.blob} is longer than {bytes_max:,} bytes, the most that is rendered")
        return data[length:].decode("utf-8-sig", "replace"), entry.modified

    def stands(self, entry: Entry) -> bool:
        """Whether an object that was read is still the one on disk, and public: asked after reading what is shown."""
        with self.lock:
            self.table()
            return entry.access.is_public and self.catalog.by_key(entry.key) is entry

    def opened(self, entry: Entry) -> contextlib.AbstractContextManager[tuple[int, os.stat_result]]:
        """An object's blob, open for reading, and its status. Entering it raises OSError where it cannot be opened."""
        return content_file(entry.blob, self.tree.root)

    def settings(self) -> Settings:
        """The settings in force, in step with the disk; the content is not looked at."""
        self.config.refresh()
        return self.config.settings

    def named(self, name: str) -> Entry | None:
        """The path object with this path below `content/`."""
        path, _, file = name.rpartition("/")
        folder = self.tree.folders.get(path)
        return None if folder is None else folder.objects.get(file)

    def open(self, progress: Callable[[int], None] | None = None) -> None:
        """The first scan; `progress` is told how many objects are known."""
        with self.lock:
            self._rescan(progress)
            self.is_ready = True

    def rescan(self) -> None:
        """Read everything anew, and try to be exact again where that failed before."""
        with self.lock:
            self._rescan(None)

    def close(self) -> None:
        """Give the descriptors back; what is known is forgotten, and read anew when asked for."""
        with self.lock:
            self.tree.stop()
            self._watch_both()
            self.is_ready = False

    @property
    def mode(self) -> Mode:
        """How true the cache is to the disk."""
        return self.tree.mode

    @property
    def freshness_note(self) -> str:
        """What the mode cannot see, and why it is not exact; empty in exact mode."""
        return f"{self.tree.reason}: {_CAVEATS[self.mode]}" if self.mode in _CAVEATS else ""

    def _is_moved(self) -> bool:
        """Whether anything may have changed: two system calls in exact mode, whatever the number of pages."""
        if self._feeds is None or self._poll is None or self._is_behind or self.scanner.is_clock_back():
            return True
        one, other = self._feeds
        # Whoever took events of the configuration and has not applied them yet holds its lock.
        with self.config.lock, one.hub.lock:
            if self._looks != self.config.looks or self._poll(self._mounts) or one.events or other.events:
                return True
        if self.config.is_elsewhere() or (self._must_identify and self._identify() != self._identity):
            return True
        return self._git.is_used and self._git.has_moved(self.content)

    def _identify(self) -> tuple[int, int] | None:
        # The root itself may be a link, so it is followed; `content` below it may not.
        try:
            status = self._stat(self.content, follow_symlinks=self.is_bare)
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _sync(self, *, quick: bool = False) -> bool:
        """Take what changed and apply it, under the lock; False where it was left because it is not quick."""
        if not self.is_ready:
            if quick:
                return False
            self.open()
            return True
        if self.scanner.is_clock_back():
            if quick and len(self.catalog) > REJUDGE_QUICK:
                return False
            self.scanner.turn_back()
        for _ in range(SYNC_ROUNDS_MAX):
            self.config.refresh()
            self._is_behind = quick and self._has_long_rejudgement()
            if not self._is_behind:
                self._follow_settings()
                self._gather()
                self._is_behind = quick and self._is_long()
            if self._is_behind:
                return False
            self._apply()
            if not self.is_ready or self._feeds is None or not any(feed.pending() for feed in self._feeds):
                break
        self._finish()
        return True

    def _gather(self) -> None:
        """Join what changed since with what was left before."""
        self._mounts = watcher().mounts if self._poll else 0  # before looking at what may have been mounted
        changes, pending = self.tree.changes(lambda: len(self.catalog)), self._pending
        pending.looks.update(changes.looks)
        pending.folders.update(changes.folders)
        pending.touched.update(changes.touched)
        pending.is_lost |= changes.is_lost or self._identify() != self._identity

    def _is_long(self) -> bool:
        pending = self._pending
        is_many = len(pending.looks) > SYNC_LOOKS_QUICK or any(not name for _, name in pending.looks)
        return pending.is_lost or bool(pending.folders or pending.touched) or is_many

    def _has_long_rejudgement(self) -> bool:
        self._git.is_used = self.config.settings.lastmod is Lastmod.GIT
        is_new = self._generation != self.config.generation and len(self.catalog) > REJUDGE_QUICK
        return is_new or self._git.has_moved(self.content)

    def _apply(self) -> None:
        changes, self._pending = self._pending, Changes()
        if changes.is_lost:
            self._rescan(None)
            return
        mode = self.tree.mode
        for folder, name in changes.touched:
            self._touch(folder, name)
        if changes.folders:
            with without_collections(self.catalog, len(self.catalog)):
                for folder, name in changes.folders:
                    self.scanner.look_folder(folder, name)
        for folder, name in changes.looks:
            if name:
                self.scanner.look(folder, name)
            else:
                self.scanner.relist(folder)
        if self.tree.mode is not mode:
            self._rescan(None)
        elif self.is_bare and any(not folder.path for folder, _ in changes.looks):
            self._stand_in()

    def _touch(self, folder: Folder, name: str) -> None:
        """A folder changed in times or permissions: look again where it became readable, or unreadable."""
        path = self.tree.child(folder, name) if name else folder.path
        if (path in self.tree.folders) == self.tree.is_readable(path):
            return
        above, _, last = path.rpartition("/")
        if path and above in self.tree.folders:
            self.scanner.look_folder(self.tree.folders[above], last)
        else:
            self._rescan(None)

    def _stand_in(self) -> None:
        """In a bare folder, README.md is the home page while there is no index.md."""
        top = self.tree.folders.get("")
        if top is None or not self.is_bare:
            return
        names = {str(name).lower(): str(name) for name in top.objects}
        home = "" if self.config.settings.home or "index.md" in names else names.get("readme.md", "")
        if home != self.catalog.at_root:
            before, self.catalog.at_root = self.catalog.at_root, home
            for name in filter(None, (before, home)):
                self.scanner.look(top, name)

    def _follow_settings(self) -> None:
        """Judge every object anew where settings, tags or the dates of git changed."""
        if self._looks != self.config.looks:
            self._looks = self.config.looks
            self._pending.is_lost |= self.scanner.page_bytes_max != self.config.settings.page_bytes_max
            self._pending.is_lost |= (self.content, self.is_bare) != content_of(self.root, was_bare=self.is_bare)
        is_new = self._read_git()
        if self._generation != self.config.generation or is_new:
            self._generation = self.config.generation
            since = min(self.config.changed_ns / 1e9, time.time())
            self.catalog.rejudge(Terms.of(self.config.settings, self.config.tags), self._configured(since), since)
            self._stand_in()

    def _read_git(self) -> bool:
        self._git.is_used = self.config.settings.lastmod is Lastmod.GIT
        if not self._git.has_moved(self.content):
            return False
        self.catalog.git_dates = self._git.read(self.content)
        return True

    def _rescan(self, progress: Callable[[int], None] | None) -> None:
        """Read everything anew: watch first, list second."""
        if self.is_let_go:
            raise LetGoError(f"{self.root} was let go; ask for it again")
        self.rescans += self.is_ready
        self.config.refresh()
        self._looks, self._generation = self.config.looks, self.config.generation
        self.content, self.is_bare = content_of(self.root, was_bare=self.is_bare)
        self._read_git()
        mode, listed = self._best, {page.key for page in self.catalog.table}
        with without_collections(self.catalog, 0):
            for _ in range(2):
                self._identity = self._identify()
                self.tree.start(os.path.realpath(self.root) if self.is_bare else self.content, mode)
                self._pending = Changes()
                self.reports.clear()
                self.catalog.floors.clear()
                self.catalog.at_root = ""
                terms = Terms.of(self.config.settings, self.config.tags)
                self.catalog.reset(terms, self._new_table(self.catalog.table))
                mode = self.tree.mode
                self.scanner.walk_first(progress)
                if self.tree.mode is mode:
                    break
                mode = self.tree.mode
        if "" not in self.tree.folders:
            self._identity = None  # it went before it was watched: what comes there may have its number
        self._stand_in()
        self._mark_gone(listed, self.tree.newest_ns)
        self._finish()

    def _mark_gone(self, listed: set[bytes], newest_ns: int) -> None:
        """Where pages went by judging or reading everything anew, every part may have changed until then."""
        table = self.catalog.table
        if any(table.by_key(key) is None for key in listed):
            table.gone_at = max(table.gone_at, min(newest_ns / 1e9, time.time()))

    def _finish(self) -> None:
        """The table's own times, what there is to say, and the descriptors to ask."""
        table = self.catalog.table
        newest = max(self.scanner.newest, self.tree.newest_ns / 1e9, self.config.changed_ns / 1e9)
        table.changed_at = newest if newest <= time.time() else None
        table.settle()
        self._has_pages = table.has_pages()
        for path, reason in self.tree.troubles.items():
            self.reports.say(path, "folder", reason, withheld=True)
        self.reports.tell()
        self._is_behind = bool(self.tree.missed)
        self._watch_both()

    def _watch_both(self) -> None:
        """Ask for content and configuration in one system call, where the kernel tells of both."""
        tree, config = self.tree.feed, self.config.feed
        self._feeds = (tree, config) if tree is not None and config is not None else None
        # Below a root that is the same, another `content` is an event or a mount.
        self._poll = watcher().has_moved if self._feeds else None
        self._must_identify = self._identity is None or not (self._feeds and watcher().sees_mounts)

    def _configured(self, since: float) -> PageTable:
        """The table under the settings in force: the same one, unless its fragments have to be made anew."""
        table, settings = self.catalog.table, self.config.settings
        if table.with_images != settings.with_images:
            table = self._new_table(table)
            table.gone_at = max(table.gone_at, since)
        elif (table.split_at, table.part_size) != (settings.split_at, settings.part_size):
            table.configure(split_at=settings.split_at, part_size=settings.part_size)
        return table

    def _new_table(self, before: PageTable | None) -> PageTable:
        settings = self.config.settings
        table = PageTable(split_at=settings.split_at, part_size=settings.part_size, with_images=settings.with_images)
        if before is not None:
            table.lock, table.gone_at = before.lock, before.gone_at
        return table

    def forget_parent(self) -> None:
        """After a fork: what was inherited belongs to the parent, so everything is read anew when asked for."""
        self.lock = self.catalog.table.lock = type(self.lock)()
        self.tree.feed = self.config.feed = None
        self.close()
        self.config.rearm()


def _after_fork() -> None:
    forget_watcher()
    for cache in list(_alive):
        cache.forget_parent()


os.register_at_fork(after_in_child=_after_fork)
