"""Freshness from the kernel: inotify through ctypes, asked synchronously before each answer.

The kernel queues an event inside the system call that changes a file, so a change whose call returned before a
request was sent is in the queue when we drain it. An event only says where to look; what it says happened is used
for one thing alone: whether a writer may still have the file open.
"""

import ctypes
import errno
import os
import select
import struct
import sys
import threading
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from waypost.limits import FEED_EVENTS_MAX, WATCH_READ_BYTES

__all__ = ["Event", "Feed", "Hub", "Mode", "Watcher", "filesystem_mode", "forget_watcher", "is_loss", "watcher"]

MODIFY, ATTRIB, CLOSE_WRITE = 0x2, 0x4, 0x8
MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x40, 0x80, 0x100, 0x200
DELETE_SELF, MOVE_SELF = 0x400, 0x800
UNMOUNT, OVERFLOW, IGNORED, ISDIR = 0x2000, 0x4000, 0x8000, 0x40000000
_ONLYDIR, _DONT_FOLLOW, _MASK_ADD = 0x1000000, 0x2000000, 0x20000000

NAMES_COME_AND_GO = MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | MOVE_SELF | _ONLYDIR | _DONT_FOLLOW
"""What a directory is watched for when only its names matter."""
EVERYTHING = NAMES_COME_AND_GO | MODIFY | ATTRIB | CLOSE_WRITE
"""What a directory of content or settings is watched for."""

SETTLES = CLOSE_WRITE | MOVED_TO | MOVED_FROM | DELETE
"""After one of these a file is as its writer meant it."""

_LOST = UNMOUNT | OVERFLOW
_MOUNTS = "/proc/self/mountinfo"
_HEAD = struct.Struct("iIII")
_LOCAL_FILESYSTEMS = frozenset(
    (
        0xEF53,  # ext2, ext3, ext4
        0x58465342,  # xfs
        0x9123683E,  # btrfs
        0x01021994,  # tmpfs
        0x794C7630,  # overlay
        0x2FC12FC1,  # zfs
        0xF2F52010,  # f2fs
    )
)
_NETWORK_FILESYSTEMS = frozenset(
    (
        0x6969,  # nfs
        0xFF534D42,  # cifs
        0xFE534D42,  # smb2
        0x517B,  # smb
        0x01021997,  # 9p
        0x00C36400,  # ceph
        0x5346414F,  # afs
    )
)


class Mode(Enum):
    """How true the cache is to the disk, and by what means."""

    EXACT = "exact"
    """inotify: every change that was complete before the request is in its answer."""
    STAT = "stat-everything"
    """Every file is asked for its times at each request; true anywhere, but a writer's closing is not seen."""
    REPLACE_ONLY = "replace-only"
    """Directories' times alone are asked: true for writers that replace files by rename."""
    BOUNDED = "bounded"
    """A network file system: its client remembers attributes for seconds, so answers may be that late."""


class Event(NamedTuple):
    """One event as the kernel wrote it: which watch, what, and the name inside the watched directory."""

    watch: int
    mask: int
    name: bytes


_LOSS = Event(-1, OVERFLOW, b"")


class _Statfs(ctypes.Structure):
    # Only the first word is read; the rest is room for what the kernel writes.
    _fields_ = (("kind", ctypes.c_long), ("rest", ctypes.c_long * 31))


def _libc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):  # pragma: no cover - the other systems have no inotify
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    return libc if hasattr(libc, "inotify_init1") else None


_LIBC = _libc()


def filesystem_mode(path: bytes) -> Mode:
    """The best mode the file system under a path allows: EXACT, STAT or BOUNDED."""
    if _LIBC is None:  # pragma: no cover - the other systems have no inotify
        return Mode.STAT
    answer = _Statfs()
    if _LIBC.statfs(path, ctypes.byref(answer)) != 0:
        return Mode.STAT
    kind = answer.kind & 0xFFFFFFFF
    if kind in _LOCAL_FILESYSTEMS:
        return Mode.EXACT
    return Mode.BOUNDED if kind in _NETWORK_FILESYSTEMS else Mode.STAT


class Hub:
    """One inotify instance, shared by every root of this process; it hands each event to the feeds it concerns.

    Whoever asks takes `lock` around asking the kernel and handing on, so that no root answers while another's request
    holds its events in its hands.
    """

    __slots__ = ("_feeds", "_poll", "fd", "lock")

    def __init__(self, lock: threading.Lock) -> None:
        if _LIBC is None:  # pragma: no cover - the other systems have no inotify
            raise OSError(errno.ENOSYS, "this system has no inotify")
        self.fd: int = _checked(_LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        self.lock = lock
        self._feeds: dict[int, list[Feed]] = {}
        self._poll = select.epoll()
        self._poll.register(self.fd, select.EPOLLIN)

    def add(self, feed: "Feed", path: bytes, mask: int) -> int:
        """Watch a directory for a feed; the same number comes back for one that is watched already."""
        assert _LIBC is not None
        with self.lock:
            watch = _checked(_LIBC.inotify_add_watch(self.fd, path, mask | _MASK_ADD))
            feeds = self._feeds.setdefault(watch, [])
            if feed not in feeds:
                feeds.append(feed)
        return watch

    def remove(self, feed: "Feed", watch: int) -> None:
        """Stop watching for a feed; a watch that is gone already is fine."""
        assert _LIBC is not None
        with self.lock:
            feeds = self._feeds.get(watch)
            if feeds is None or feed not in feeds:
                return
            feeds.remove(feed)
            if not feeds:
                del self._feeds[watch]
                _LIBC.inotify_rm_watch(self.fd, watch)

    def pump(self) -> None:
        """Take what the kernel has queued, without waiting, and hand it on; the lock is held."""
        if not self._poll.poll(0):
            return
        for event in self._drain():
            if is_loss(event):
                for feed in {feed for feeds in self._feeds.values() for feed in feeds}:
                    feed.lose()
                continue
            feeds = self._feeds.get(event.watch, ())
            if event.mask & IGNORED:
                self._feeds.pop(event.watch, None)
            for feed in feeds:
                feed.take(event)

    def _drain(self) -> Iterator[Event]:
        while True:
            try:
                data = os.read(self.fd, WATCH_READ_BYTES)
            except BlockingIOError:
                return
            at, end = 0, len(data)
            while at < end:
                watch, mask, _cookie, length = _HEAD.unpack_from(data, at)
                at += 16 + length
                yield Event(watch, mask, data[at - length : at].rstrip(b"\0"))
            if end < WATCH_READ_BYTES // 2:
                return

    @property
    def watches(self) -> int:
        """How many directories are watched."""
        return len(self._feeds)

    def close(self) -> None:
        """Give the descriptors back."""
        self._poll.close()
        os.close(self.fd)


class Feed:
    """The events of the directories that one root watches."""

    __slots__ = ("_watches", "events", "hub")

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.events: list[Event] = []
        self._watches: set[int] = set()

    def add(self, path: bytes, mask: int = EVERYTHING) -> int:
        """Watch a directory."""
        watch = self.hub.add(self, path, mask)
        self._watches.add(watch)
        return watch

    def remove(self, watch: int) -> None:
        """Stop watching a directory."""
        self._watches.discard(watch)
        self.hub.remove(self, watch)

    def take(self, event: Event) -> None:
        """Keep an event until it is asked for; too many are as good as lost."""
        if len(self.events) < FEED_EVENTS_MAX:
            self.events.append(event)
        else:
            self.lose()

    def lose(self) -> None:
        """Events were lost: the root has to be read anew."""
        self.events = [_LOSS]

    def pending(self) -> bool:
        """Whether anything happened since this was last drained."""
        with self.hub.lock:
            self.hub.pump()
            return bool(self.events)

    def drain(self) -> list[Event]:
        """What happened since this was last asked, in order; nothing is waited for."""
        with self.hub.lock:
            self.hub.pump()
            events, self.events = self.events, []
        return events

    def close(self) -> None:
        """Watch nothing any more."""
        for watch in list(self._watches):
            self.remove(watch)


class Watcher:
    """The two instances of this process, of content and of configuration, and how to ask both in one system call.

    The same call tells that a file system was mounted or taken away somewhere, which inotify does not.
    """

    __slots__ = ("_mountinfo", "_poll", "config", "content", "lock", "mounts")

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.content = Hub(self.lock)
        try:
            self.config = Hub(self.lock)
        except OSError:
            self.content.close()
            raise
        self._poll = select.epoll()
        self._poll.register(self.content.fd, select.EPOLLIN)
        self._poll.register(self.config.fd, select.EPOLLIN)
        self.mounts = 0
        """Counts how often it was seen that mounts changed."""
        try:
            self._mountinfo = os.open(_MOUNTS, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._mountinfo = -1
        else:
            self._poll.register(self._mountinfo, select.EPOLLPRI)

    @property
    def sees_mounts(self) -> bool:
        """Whether the kernel tells of mounts here; where not, whoever cares has to look."""
        return self._mountinfo >= 0

    def has_moved(self, mounts: int) -> bool:
        """Whether there are events, or mounts changed since they were so many; the lock is held."""
        found = self._poll.poll(0)
        if found:
            self.mounts += any(descriptor == self._mountinfo for descriptor, _ in found)
            return True
        return self.mounts != mounts

    def close(self) -> None:
        """Give the descriptors back."""
        self._poll.close()
        if self.sees_mounts:
            os.close(self._mountinfo)
        self.content.close()
        self.config.close()


_watchers: list[Watcher] = []


def watcher() -> Watcher:
    """The instances of this process, made when they are first needed. Raises OSError where there can be none."""
    if not _watchers:
        _watchers.append(Watcher())
    return _watchers[0]


def forget_watcher() -> None:
    """After a fork: the instances belong to the parent, and each event goes to one reader alone."""
    while _watchers:
        _watchers.pop().close()


def is_loss(event: Event) -> bool:
    """Whether the event says that others may be missing."""
    return bool(event.mask & _LOST)


def _checked(answer: int) -> int:
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer
