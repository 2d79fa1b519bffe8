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
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from waypost.limits import WATCH_READ_BYTES

__all__ = ["Event", "Inotify", "Mode", "filesystem_mode", "is_loss"]

MODIFY, ATTRIB, CLOSE_WRITE = 0x2, 0x4, 0x8
MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x40, 0x80, 0x100, 0x200
DELETE_SELF, MOVE_SELF = 0x400, 0x800
UNMOUNT, OVERFLOW, IGNORED, ISDIR = 0x2000, 0x4000, 0x8000, 0x40000000
_ONLYDIR, _DONT_FOLLOW = 0x1000000, 0x2000000

NAMES_COME_AND_GO = MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | MOVE_SELF | _ONLYDIR | _DONT_FOLLOW
"""What a directory is watched for when only its names matter."""
EVERYTHING = NAMES_COME_AND_GO | MODIFY | ATTRIB | CLOSE_WRITE
"""What a directory of content or settings is watched for."""

SETTLES = CLOSE_WRITE | MOVED_TO | MOVED_FROM | DELETE
"""After one of these a file is as its writer meant it."""

_LOST = UNMOUNT | OVERFLOW
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


class Inotify:
    """One inotify instance: made in the process that uses it, and never shared."""

    __slots__ = ("_poll", "fd")

    def __init__(self) -> None:
        if _LIBC is None:  # pragma: no cover - the other systems have no inotify
            raise OSError(errno.ENOSYS, "this system has no inotify")
        self.fd: int = _checked(_LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        poll = select.epoll()
        poll.register(self.fd, select.EPOLLIN)
        self._poll = poll

    def add(self, path: bytes, mask: int = EVERYTHING) -> int:
        """Watch a directory; the same number comes back for a directory watched already."""
        assert _LIBC is not None
        return _checked(_LIBC.inotify_add_watch(self.fd, path, mask))

    def remove(self, watch: int) -> None:
        """Stop watching; a watch that is gone already is fine."""
        assert _LIBC is not None
        _LIBC.inotify_rm_watch(self.fd, watch)

    def pending(self) -> bool:
        """Whether an event waits: one system call, no allocation to speak of."""
        return bool(self._poll.poll(0))

    def drain(self) -> Iterator[Event]:
        """Take what is queued now, without waiting."""
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

    def close(self) -> None:
        """Give the descriptors back."""
        self._poll.close()
        os.close(self.fd)


def is_loss(event: Event) -> bool:
    """Whether the event says that others may be missing."""
    return bool(event.mask & _LOST)


def _checked(answer: int) -> int:
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer
