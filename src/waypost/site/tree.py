"""The folders of a content root as the kernel and the directory entries show them, and where something moved.

Exact mode: watch first, list second; an event says only where to look. The other modes ask files or directories for
their times. Whoever holds the tree looks at each name it offers, and answers no request before that is done.
"""

import contextlib
import errno
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from waypost.limits import FOLDER_DEPTH_MAX, RACY_WINDOW_NS, STAT_OBJECTS_MAX
from waypost.site.content import is_short, open_folder
from waypost.site.folders import Folder, Listing, list_folder
from waypost.site.watch import (
    ATTRIB,
    CREATE,
    IGNORED,
    ISDIR,
    MODIFY,
    SETTLES,
    Event,
    Feed,
    Mode,
    filesystem_mode,
    is_loss,
    watcher,
)
from waypost.site.writers import has_writer

__all__ = ["Changes", "Tree", "Walked"]

GONE = frozenset((errno.ENOENT, errno.ENOTDIR, errno.ELOOP))
"""What opening a folder says where there is none any more."""


@dataclass(slots=True)
class Changes:
    """Where to look: names by folder; a folder under "" is to be listed anew."""

    looks: dict[tuple[Folder, str], None] = field(default_factory=dict)
    folders: dict[tuple[Folder, str], None] = field(default_factory=dict)
    """Looks that concern folders: the subtree is walked anew."""
    touched: dict[tuple[Folder, str], None] = field(default_factory=dict)
    """Folders whose times or permissions alone changed; a folder itself stands under ""."""
    is_lost: bool = False

    def __bool__(self) -> bool:
        return self.is_lost or bool(self.looks or self.folders or self.touched)


@dataclass(slots=True)
class Walked:
    """A folder that was watched, then listed."""

    folder: Folder
    listing: Listing
    descriptor: int


class Tree:
    """The known folders of one content root."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.folders: dict[str, Folder] = {}
        self.troubles: dict[str, str] = {}
        """Folders that could not be watched or listed, and why."""
        self.missed = Changes()
        """Where nobody could look for want of descriptors: to be looked at again."""
        self.open_names: set[tuple[Folder, str]] = set()
        """Files that somebody changed in place and has not closed since."""
        self.fresh_names: set[tuple[Folder, str]] = set()
        """Files that were made and not changed since: whole where they have bytes (a link), else to come."""
        self.newest_ns = 0
        self._by_watch: dict[int, Folder] = {}
        self.feed: Feed | None = None
        self.mode = Mode.STAT
        self.reason = "asked for"
        """Why the mode is not exact."""
        self.device = 0

    def start(self, root: str, best: Mode) -> None:
        """Choose the mode for what the root stands on, `best` at most, and begin with no folder known."""
        self.stop()
        self.root = root
        self.troubles.clear()
        self.mode = best
        if best is Mode.EXACT:
            self.reason = ""
        kind = filesystem_mode(os.fsencode(self.root))
        if kind is not Mode.EXACT and self.mode is Mode.EXACT:
            self.mode, self.reason = kind, "the file system does not tell of every change"
        if self.mode is not Mode.EXACT:
            return
        try:
            self.feed = Feed(watcher().content)
        except OSError as error:
            self._fall_back(f"no inotify instance: {(error.strerror or str(error)).lower()}")

    def stop(self) -> None:
        """Forget every folder and give the descriptors back."""
        self.folders.clear()
        self.missed = Changes()
        self._by_watch.clear()
        self.settle_names()
        if self.feed is not None:
            self.feed.close()
            self.feed = None

    def settle_names(self) -> None:
        """Take every file for whole: what the kernel told of writers is lost."""
        self.open_names.clear()
        self.fresh_names.clear()

    def _fall_back(self, reason: str, mode: Mode = Mode.STAT) -> None:
        self.mode, self.reason = mode, reason
        self._by_watch.clear()
        self.settle_names()
        if self.feed is not None:
            self.feed.close()
            self.feed = None

    def is_by_folder(self, objects: int) -> bool:
        """Whether a mode that asks for times asks directories alone, for there are too many files."""
        return self.mode is Mode.REPLACE_ONLY or objects > STAT_OBJECTS_MAX

    def walk(self, path: str) -> Iterator[Walked]:
        """Watch and list a folder and all below it. What cannot be watched or listed is a trouble, and is left out."""
        stack = [path]
        while stack:
            path = stack.pop()
            if path.count("/") >= FOLDER_DEPTH_MAX:
                self.troubles[path] = f"deeper than {FOLDER_DEPTH_MAX} folders"
                continue
            folder = Folder(path)
            self._watch(folder)
            try:
                descriptor = open_folder(self.root, path)
            except OSError as error:
                self._could_not(folder, error)
                continue
            try:
                listing = self._listed(folder, descriptor)
                self.folders[path] = folder
                folder.below.update(listing.folders)
                yield Walked(folder, listing, descriptor)
            except OSError as error:
                self._could_not(folder, error)
                continue
            finally:
                os.close(descriptor)
            stack.extend(f"{path}/{name}" if path else name for name in listing.folders)

    def adopt(self, path: str) -> bool:
        """Watch a folder that somebody else lists and reads; False where that cannot be."""
        folder = Folder(path)
        self._watch(folder)
        if self.feed is None:
            return False
        try:
            descriptor = open_folder(self.root, path)
        except OSError as error:
            self._could_not(folder, error)
            return False
        try:
            self._stamp(folder, descriptor)
        finally:
            os.close(descriptor)
        self.folders[path] = folder
        return self.feed is not None

    def _listed(self, folder: Folder, descriptor: int) -> Listing:
        self._stamp(folder, descriptor)
        if self.feed is None:
            folder.signs = self._signs(folder)  # before the files are read, so that no later change is missed
        return list_folder(descriptor, folder.path)

    def _stamp(self, folder: Folder, descriptor: int) -> None:
        status = os.fstat(descriptor)
        folder.stamp = (status.st_ino, status.st_dev, status.st_mtime_ns, time.time_ns())
        self.newest_ns = max(self.newest_ns, status.st_mtime_ns, status.st_ctime_ns)
        if not folder.path:
            self.device = status.st_dev
        elif status.st_dev != self.device and self.mode is Mode.EXACT:
            path = os.fsencode(f"{self.root}/{folder.path}")
            if (kind := filesystem_mode(path)) is not Mode.EXACT:
                self._fall_back(f"{folder.path}/ is on a file system that does not tell of every change", kind)

    def _watch(self, folder: Folder) -> None:
        if self.feed is None:
            return
        path = f"{self.root}/{folder.path}" if folder.path else self.root
        try:
            folder.watch = self.feed.add(os.fsencode(path))
        except OSError as error:
            if error.errno in GONE or error.errno == errno.EACCES:
                return
            self._fall_back(f"cannot watch every folder: {(error.strerror or str(error)).lower()}")
            return
        self._by_watch[folder.watch] = folder

    def _could_not(self, folder: Folder, error: OSError) -> None:
        self._forget(folder)
        if error.errno in GONE:
            return
        self.troubles[folder.path] = (error.strerror or str(error)).lower()
        if is_short(error):
            self._note_self(folder, self.missed)

    def is_readable(self, path: str) -> bool:
        """Whether a folder can be opened now."""
        try:
            os.close(open_folder(self.root, path))
        except OSError:
            return False
        return True

    def _forget(self, folder: Folder) -> None:
        if folder.watch >= 0 and self._by_watch.get(folder.watch) is folder:
            del self._by_watch[folder.watch]
            if self.feed is not None:
                self.feed.remove(folder.watch)

    def drop(self, path: str) -> list[Folder]:
        """Forget a folder and all below it; their records come back, so that their objects can go too."""
        folder = self.folders.pop(path, None)
        if folder is None:
            return []
        dropped = [folder]
        self._forget(folder)
        for name in folder.below:
            dropped += self.drop(f"{path}/{name}" if path else name)
        return dropped

    def child(self, folder: Folder, name: str) -> str:
        """The path of what has this name in a folder."""
        return f"{folder.path}/{name}" if folder.path else name

    def moved_at(self, folder: Folder) -> float:
        """When a folder's names last changed, as the disk tells."""
        try:
            return os.lstat(f"{self.root}/{folder.path}" if folder.path else self.root).st_mtime
        except OSError:
            return time.time()

    def is_known(self, folder: Folder) -> bool:
        """Whether a record of a folder is still the one in use."""
        return self.folders.get(folder.path) is folder

    def changes(self, count_objects: Callable[[], int]) -> Changes:
        """Where something may have changed since it was last asked; nothing is waited for."""
        changes, self.missed = self.missed, Changes()
        if self.feed is not None:
            self._drain(self.feed, changes)
            return changes
        compare = self._moved_folder if self.is_by_folder(count_objects()) else self._moved_names
        for folder in list(self.folders.values()):
            compare(folder, changes)
        return changes

    def _drain(self, feed: Feed, changes: Changes) -> None:
        for event in feed.drain():
            if is_loss(event):
                changes.is_lost = True
                continue
            folder = self._by_watch.get(event.watch)
            if folder is not None:
                self._note(event, folder, changes)

    def _note(self, event: Event, folder: Folder, changes: Changes) -> None:
        name = os.fsdecode(event.name)
        if event.mask & IGNORED:
            self._by_watch.pop(event.watch, None)
        look = (folder, name)
        if event.mask & ATTRIB and event.mask & ISDIR:
            changes.touched[look] = None
        elif not name:
            self._note_self(folder, changes)
        elif event.mask & ISDIR:
            changes.folders[look] = None
        else:
            self._note_file(event, look, changes)

    def _note_file(self, event: Event, look: tuple[Folder, str], changes: Changes) -> None:
        changes.looks[look] = None
        if event.mask & CREATE:
            self.fresh_names.add(look)
        elif event.mask & MODIFY:
            self.open_names.add(look)
        elif event.mask & SETTLES:
            self.settle_name(look)

    def settle_name(self, look: tuple[Folder, str]) -> None:
        """Take a file for whole."""
        self.open_names.discard(look)
        self.fresh_names.discard(look)

    @property
    def has_open(self) -> bool:
        """Whether any file may be about to be written."""
        return bool(self.open_names or self.fresh_names)

    def is_open(self, folder: Folder, name: str) -> bool:
        """Whether somebody is still writing a file, as far as the kernel tells."""
        look, path = (folder, name), f"{self.root}/{self.child(folder, name)}"
        if look in self.open_names:
            if has_writer(path):
                return True
            self.settle_name(look)
        if look not in self.fresh_names:
            return False
        # A link makes a whole file without a word of closing; who makes a file to write it is heard writing.
        try:
            return os.lstat(path).st_size == 0
        except OSError:
            return False

    def _note_self(self, folder: Folder, changes: Changes) -> None:
        if not folder.path:
            changes.is_lost = True
            return
        above, _, name = folder.path.rpartition("/")
        parent = self.folders.get(above)
        if parent is not None:
            changes.folders[parent, name] = None

    def _moved_folder(self, folder: Folder, changes: Changes) -> None:
        inode, device, modified_ns, listed_ns = folder.stamp[:4]
        try:
            status = os.lstat(f"{self.root}/{folder.path}" if folder.path else self.root)
        except OSError:
            self._note_self(folder, changes)
            return
        is_racy = listed_ns - modified_ns < RACY_WINDOW_NS
        if (status.st_ino, status.st_dev) != (inode, device):
            self._note_self(folder, changes)
        elif status.st_mtime_ns != modified_ns or is_racy:
            folder.stamp = (inode, device, status.st_mtime_ns, time.time_ns())
            changes.looks[folder, ""] = None

    def _signs(self, folder: Folder) -> dict[str, tuple[int, ...]]:
        now: dict[str, tuple[int, ...]] = {}
        path = f"{self.root}/{folder.path}" if folder.path else self.root
        with contextlib.suppress(OSError), os.scandir(path) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    is_folder = entry.is_dir(follow_symlinks=False)
                    times = () if is_folder else (status.st_mtime_ns, status.st_ctime_ns, status.st_size)
                    now[entry.name] = (int(is_folder), status.st_ino, status.st_dev, *times)
        return now

    def _moved_names(self, folder: Folder, changes: Changes) -> None:
        """Compare every file's times with those seen when it was read."""
        before, now = folder.signs, self._signs(folder)
        folder.signs = now
        if before == now:
            return
        for name in before.keys() | now.keys():
            old, new = before.get(name), now.get(name)
            if old != new:
                is_folder = bool((old and old[0]) or (new and new[0]))
                (changes.folders if is_folder else changes.looks)[folder, name] = None
