"""Folders of content: what stands in one, sorted into objects, sidecars and folders below."""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field

from waypost.site.naming import is_ignored, is_shard, sidecar_form
from waypost.site.objects import Entry
from waypost.site.shard import IdGroup, sort_ids
from waypost.site.sidecar import SIDECAR_FORMS

__all__ = ["Folder", "Group", "Listing", "list_folder"]


@dataclass(slots=True, eq=False)
class Folder:
    """A folder the cache knows: its watch, its path objects by name, and the names of folders below."""

    path: str
    watch: int = -1
    objects: dict[str, Entry] = field(default_factory=dict)
    below: set[str] = field(default_factory=set)
    stamp: tuple[int, ...] = ()
    """Inode, device and modification time, and when they were asked: what the mode for replaced files compares."""
    signs: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The times of every file: what the mode that asks every file compares."""


@dataclass(slots=True)
class Group:
    """A path object's files: the blob's name and the forms of the sidecars beside it."""

    name: str
    forms: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Listing:
    """One folder as it was listed."""

    folders: list[str] = field(default_factory=list)
    objects: list[Group] = field(default_factory=list)
    ids: list[IdGroup] = field(default_factory=list)
    doubtful: list[tuple[str, str]] = field(default_factory=list)
    """Names that may be sidecars without their blob, with their forms."""
    orphans: list[str] = field(default_factory=list)
    """Sidecars of id objects without their blob."""


def list_folder(descriptor: int, path: str) -> Listing:
    """What stands in a folder; links, FIFOs, sockets, devices and ignored names are not seen.

    But for one that stands where a file's sidecar would: what it may say cannot be read, so the file is withheld.
    """
    listing = Listing()
    files: list[str] = []
    strange: list[str] = []
    if is_shard(path):
        listing.ids, listing.orphans, rest = sort_ids(os.listdir(descriptor))
        _list_by_stat(descriptor, rest, listing, files, strange)
    else:
        _list_by_type(descriptor, listing, files, strange)
    _sort_objects(files, strange, listing)
    return listing


def _list_by_type(descriptor: int, listing: Listing, files: list[str], strange: list[str]) -> None:
    with os.scandir(descriptor) as entries:
        for entry in entries:
            if is_ignored(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                listing.folders.append(entry.name)
            else:
                (files if entry.is_file(follow_symlinks=False) else strange).append(entry.name)


def _list_by_stat(
    descriptor: int, names: Iterable[str], listing: Listing, files: list[str], strange: list[str]
) -> None:
    for name in names:
        if is_ignored(name):
            continue
        kind = kind_of(name, descriptor)
        if kind == stat.S_IFDIR:
            listing.folders.append(name)
        elif kind:
            (files if kind == stat.S_IFREG else strange).append(name)


def kind_of(name: str, descriptor: int) -> int:
    """The kind of what has this name in a folder now; 0 for nothing."""
    try:
        return stat.S_IFMT(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode)
    except OSError:
        return 0


def _sort_objects(files: list[str], strange: list[str], listing: Listing) -> None:
    names = set(files)
    groups = {name: Group(name) for name in files if not sidecar_form(name)}
    for name in strange:
        form = sidecar_form(name)
        if form and (beside := groups.get(name[: -len(form) - 1])):
            beside.forms.append(form)
    for name in files:
        form = sidecar_form(name)
        if not form:
            continue
        stem = name[: -len(form) - 1]
        if stem in groups:
            groups[stem].forms.append(form)
        elif stem not in names:
            listing.doubtful.append((name, form))
    listing.objects.extend(groups.values())


def group_of(name: str, descriptor: int) -> Group | None:
    """A path object's files as they are now; None where no regular file has the blob's name."""
    if kind_of(name, descriptor) != stat.S_IFREG:
        return None
    return Group(name, _forms_beside(name, descriptor))


def _forms_beside(blob: str, descriptor: int) -> list[str]:
    return [form for form in SIDECAR_FORMS if kind_of(f"{blob}.{form}", descriptor) not in {0, stat.S_IFDIR}]


def id_group_of(key: bytes, versions: Iterable[int], descriptor: int) -> IdGroup | None:
    """An id object's files as they are now, where its version is one of these; None where there is no blob of them."""
    digits = key.hex()
    found = [version for version in versions if kind_of(f"{digits}.{version}", descriptor) == stat.S_IFREG]
    if not found:
        return None
    version = max(found)
    return IdGroup(digits, version, " ".join(_forms_beside(f"{digits}.{version}", descriptor)))
