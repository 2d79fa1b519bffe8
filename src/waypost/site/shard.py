"""A shard of id objects with plain JSON sidecars, which is what machines write, listed and read in one tight loop.

Whatever is not plain, or not well, is left to the careful reader, which knows what to say of it. Light on imports: the
helper processes of a big first scan run this module and nothing else.
"""

import os
import re
import stat
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from waypost.limits import PLAIN_PAGE_BYTES_MAX, SIDECAR_BYTES_MAX

__all__ = ["ID_NAME", "MARKDOWN", "Frame", "IdGroup", "IdNames", "Row", "read_rows", "sort_ids"]

MARKDOWN = "text/markdown"
ID_NAME = r"([0-9a-f]{16})\.(0|[1-9][0-9]{0,17})(?:\.(toml|json|ron))?"
"""The name of an id object's file: digits, version, and a sidecar's form."""
FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
"""How a folder is opened: a link in its place is refused."""
READ_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY
"""How a file is opened for reading: a FIFO is not waited for, a link is not followed."""

_ID_NAMES = re.compile(f"^{ID_NAME}$", re.MULTILINE)
_REGULAR = stat.S_IFREG
_KIND = 0o170000

Row = tuple[str, int, float, str, str, tuple[str, ...]]
"""A plain page: digits, version, modification time, title, alias, tags."""
Frame = tuple[str, float, list[Row], bool]
"""A shard as a helper read it: its name, the latest time of change, its pages, and whether that is all there is."""
SHARD_NAME_BYTES = 2
FRAME_LENGTH_BYTES = 8
"""Before each frame stands its length."""


class IdGroup(NamedTuple):
    """An id object's files: its digits, the highest version that has a blob, and that version's sidecars' forms."""

    digits: str
    version: int
    forms: str
    """The forms' names with blanks between them."""


class IdNames(NamedTuple):
    """A shard's names: its objects, sidecars without their blob, and names of other things."""

    groups: list[IdGroup]
    orphans: list[str]
    rest: list[str]


class _Sidecar(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    title: str
    alias: str = ""
    mime: str = MARKDOWN
    tags: tuple[str, ...] = ()
    id: str | None = None


_decode = msgspec.json.Decoder(_Sidecar).decode


def sort_ids(names: list[str]) -> IdNames:
    """Sort id objects out of a shard's names."""
    found = _ID_NAMES.findall("\n".join(names))
    blobs: dict[str, int] = {}
    sidecars: dict[str, str] = {}
    for digits, version, form in found:
        if form:
            stem = f"{digits}.{version}"
            sidecars[stem] = f"{sidecars[stem]} {form}" if stem in sidecars else form
        elif digits not in blobs or int(version) > blobs[digits]:
            blobs[digits] = int(version)
    forms_of = sidecars.pop
    groups = [IdGroup(digits, version, forms_of(f"{digits}.{version}", "")) for digits, version in blobs.items()]
    orphans: list[str] = []
    for stem, forms in sidecars.items():
        digits, _, version = stem.partition(".")
        if int(version) > blobs.get(digits, -1):
            orphans += [f"{stem}.{form}" for form in forms.split()]
    rest = [] if len(found) == len(names) else [name for name in names if _ID_NAMES.fullmatch(name) is None]
    return IdNames(groups, orphans, rest)


def read_rows(folder: int, shard: str, now: float, groups: Iterable[IdGroup]) -> tuple[list[Row], list[IdGroup], float]:
    """The plain pages of a shard, the objects that want a careful reading, and the latest time of change."""
    rows: list[Row] = []
    others: list[IdGroup] = []
    newest = 0.0
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
        is_plain = said.mime == MARKDOWN and (said.id is None or said.id == digits)
        is_plain = is_plain and mark.st_size <= PLAIN_PAGE_BYTES_MAX
        if not is_plain or (mark.st_mode | side.st_mode) & _KIND != _REGULAR:
            others.append(group)
            continue
        modified = max(side.st_mtime, mark.st_mtime)
        if modified > now:
            others.append(group)
            continue
        newest = max(newest, side.st_ctime, mark.st_ctime)
        rows.append((digits, version, modified, said.title, said.alias, said.tags))
    return rows, others, newest


def _read(name: str, folder: int) -> tuple[bytes, os.stat_result]:
    descriptor = os.open(name, READ_FLAGS, dir_fd=folder)
    try:
        status = os.fstat(descriptor)
        return os.read(descriptor, min(status.st_size, SIDECAR_BYTES_MAX) + 1), status
    finally:
        os.close(descriptor)


def read_frame(root: str, shard: str, now: float) -> Frame:
    """A whole shard: listed and read."""
    folder = os.open(f"{root}/{shard}", FOLDER_FLAGS)
    try:
        names = sort_ids(os.listdir(folder))  # noqa: PTH208 - by descriptor
        rows, others, newest = read_rows(folder, shard, now, names.groups)
    finally:
        os.close(folder)
    return shard, newest, rows, not (others or names.orphans or names.rest)


def claimed(names: int) -> str:
    """The name of a shard that nobody else reads, out of the pipe where they stand; "" once there are no more."""
    return os.read(names, SHARD_NAME_BYTES).decode()


def help_scan() -> None:
    """A helper process: reads the shards it comes to first, and writes their frames to the descriptor it was given."""
    target, names, root, now = sys.argv[1:]
    with os.fdopen(int(target), "wb", closefd=False) as stream:
        while shard := claimed(int(names)):
            data = msgspec.msgpack.encode(read_frame(root, shard, float(now)))
            stream.write(len(data).to_bytes(FRAME_LENGTH_BYTES, "little") + data)
            stream.flush()
