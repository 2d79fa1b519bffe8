"""The first scan of a shard: id objects with plain JSON sidecars, which is what machines write, read in one tight loop.

Whatever is not plain, or not well, is left to the careful reader, which knows what to say of it.
"""

import os
import stat
from collections.abc import Iterable
from typing import Any

import msgspec

from waypost.limits import SIDECAR_BYTES_MAX
from waypost.site.content import READ_FLAGS
from waypost.site.folders import IdGroup
from waypost.site.naming import MARKDOWN
from waypost.site.objects import Entry, Place, shared

__all__ = ["Plain", "read_plain"]

_REGULAR = stat.S_IFREG
_KIND = 0o170000


class _Sidecar(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    title: str
    alias: str
    mime: str
    tags: tuple[str, ...] = ()


Plain = tuple[Entry, str]
"""An object and the alias it asks for."""

_decode = msgspec.json.Decoder(_Sidecar).decode


def read_plain(place: Place, groups: Iterable[IdGroup]) -> tuple[list[Plain], list[IdGroup]]:
    """The plain pages of a shard, and the objects that want a careful reading."""
    found: list[Plain] = []
    others: list[IdGroup] = []
    folder, newest, shard = place.descriptor, place.newest, place.folder
    for group in groups:
        digits, version, form = group
        if form != "json" or digits[-2:] != shard:
            others.append(group)
            continue
        blob = f"{digits}.{version}"
        try:
            data, side = _read(f"{blob}.json", folder)
            mark = os.stat(blob, dir_fd=folder, follow_symlinks=False)
            said: Any = _decode(data)
        except (OSError, ValueError, RecursionError):
            others.append(group)
            continue
        if said.mime != MARKDOWN or (mark.st_mode | side.st_mode) & _KIND != _REGULAR or not data.isascii():
            others.append(group)
            continue
        modified = min(max(side.st_mtime, mark.st_mtime), place.now)
        newest = max(newest, side.st_ctime, mark.st_ctime)
        tags = said.tags and shared(said.tags)
        entry = Entry(bytes.fromhex(digits), "", version, modified, said.title, MARKDOWN, tags, (), "json", 0, None)
        found.append((entry, said.alias))
    place.newest = newest
    return found, others


def _read(name: str, folder: int) -> tuple[bytes, os.stat_result]:
    descriptor = os.open(name, READ_FLAGS, dir_fd=folder)
    try:
        status = os.fstat(descriptor)
        return os.read(descriptor, min(status.st_size, SIDECAR_BYTES_MAX) + 1), status
    finally:
        os.close(descriptor)
