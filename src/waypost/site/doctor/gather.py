"""A root as plain facts: every object read from the disk once more, and what is known compared with a walk over it."""

import os
import time
from collections.abc import Iterator
from itertools import groupby

from waypost.errors import ContentError
from waypost.publish.page import Page
from waypost.publish.paths import names_admin
from waypost.site.cache import PageMetaCache
from waypost.site.content import open_folder, read_file
from waypost.site.doctor.evidence import Link, Refusal, Rivalry, Root, Thing, Withheld
from waypost.site.folders import group_of, id_group_of
from waypost.site.links import LINK_MARKS, is_local, leads_somewhere, resolver
from waypost.site.markdown import link_targets
from waypost.site.objects import Entry, Place, read_id_object, read_path_object
from waypost.site.settings import Lastmod, Slash
from waypost.site.sidecar import Unreadable
from waypost.site.standing import Terms, judged, wish
from waypost.site.watch import Mode

__all__ = ["facts_of"]

_DIFFERENCES_KEPT = 100
_TRIES = 2


def facts_of(cache: PageMetaCache, name: str, *, is_closed: bool = False) -> Root:
    """The facts of a root that its owner calls `name`."""
    cache.table()
    settings = cache.settings()
    differences = _differences(cache)
    with cache.lock:
        cache.table()
        folder = name if cache.is_bare else f"{name}/content"
        read = _Reading(cache, folder)
        read.all()
        dead, told = _links(cache, folder, settings.admin_path)
        return Root(
            name,
            tuple(read.things),
            settings.admin_path,
            settings.slash is Slash.ALWAYS,
            settings.lastmod is Lastmod.DISK,
            is_closed,
            tuple(read.refusals),
            tuple(_rivalries(cache, folder)),
            tuple(_withheld(cache, name, folder)),
            tuple(dead),
            tuple(told),
            (*differences, *read.differences),
        )


class _Reading:
    """Reads every object of a root anew and judges it, whatever the cache thinks of it."""

    def __init__(self, cache: PageMetaCache, folder: str) -> None:
        self._cache, self._folder = cache, folder
        self._terms = Terms.of(cache.config.settings, cache.config.tags)
        self.things: list[Thing] = []
        self.refusals: list[Refusal] = []
        self.differences: list[str] = []

    def all(self) -> None:
        """Every object that is served, folder by folder."""
        entries = sorted((entry for entry in self._cache.catalog.entries() if entry.path), key=_folder_of)
        for folder, below in groupby(entries, _folder_of):
            try:
                descriptor = open_folder(self._cache.tree.root, folder)
            except OSError as error:
                self.differences.append(f"{folder}/ is known, and cannot be opened: {error.strerror}")
                continue
            place = Place(folder, descriptor, time.time(), self._cache.config.settings.page_bytes_max)
            try:
                for entry in below:
                    self._take(entry, _again(place, entry))
            finally:
                os.close(descriptor)

    def _take(self, entry: Entry, again: Entry | str) -> None:
        file = f"{self._folder}/{entry.blob}"
        if isinstance(again, str):
            self.differences.append(f"{entry.blob} is served, and {again}")
            self.things.append(Thing(file, entry.key.hex(), entry.path, entry.is_markdown, False, None, None))
            return
        is_public = judged(again, self._terms).is_public
        alias = again.sayings.alias
        self.things.append(
            Thing(file, again.key.hex(), entry.path, again.is_markdown, is_public, again.modified, alias)
        )
        at_root = bool(self._cache.catalog.at_root) and entry.name == self._cache.catalog.at_root
        wanted = wish(again, self._terms, at_root=at_root)
        if wanted.fault:
            self.refusals.append(Refusal(file, wanted.fault, wanted.row is not None))


def _folder_of(entry: Entry) -> str:
    return entry.blob.rpartition("/")[0]


def _again(place: Place, entry: Entry) -> Entry | str:
    """An object as the careful readers read it now, or why they cannot."""
    try:
        if entry.version < 0:
            group = group_of(entry.blob.rpartition("/")[2], place.descriptor)
            return read_path_object(place, group.name, group.forms) if group else "is gone"
        ids = id_group_of(entry.key, [entry.version], place.descriptor)
        return read_id_object(place, ids.digits, ids.version, ids.forms) if ids else "is gone"
    except Unreadable as fault:
        return f"cannot be read: {fault.reason}"
    except OSError as error:
        return f"cannot be read: {(error.strerror or str(error)).lower()}"


def _rivalries(cache: PageMetaCache, folder: str) -> Iterator[Rivalry]:
    for claim, rivals in sorted(cache.catalog.claims.rivals.items()):
        for other in rivals[1:]:
            yield Rivalry(f"{folder}/{other.blob}", rivals[0].blob, claim)


def _withheld(cache: PageMetaCache, name: str, folder: str) -> Iterator[Withheld]:
    for topic, report in sorted(cache.reports.topics(), key=lambda row: str(row[1])):
        if topic == "orphan" or (report.is_withheld and topic != "alias"):
            yield Withheld(f"{folder}/{report.file}", report.line, report.reason)
    for file, sentence in sorted(cache.config.faults.items()):
        yield Withheld(f"{name}/{file}", 0, sentence)


def _links(cache: PageMetaCache, folder: str, admin_path: str) -> tuple[list[Link], list[Link]]:
    """The links of public pages that lead nowhere, and those that tell the admin path."""
    dead: list[Link] = []
    told: list[Link] = []
    for entry in sorted(cache.catalog.entries(), key=lambda entry: entry.blob):
        if not (entry.is_markdown and entry.access.is_public and entry.path):
            continue
        try:
            text, _ = cache.read_page(entry)
        except ContentError:
            continue
        if not any(mark in text for mark in LINK_MARKS):
            continue
        file = f"{folder}/{entry.blob}"
        resolve = resolver(cache, entry)
        for target in dict.fromkeys(link_targets(text)):
            if admin_path and names_admin(target, admin_path):
                told.append(Link(file, _line_of(cache, entry, text, target), target))
            elif is_local(target) and not resolve(target) and not leads_somewhere(cache, entry, target):
                dead.append(Link(file, _line_of(cache, entry, text, target), target))
    return dead, told


def _line_of(cache: PageMetaCache, entry: Entry, text: str, target: str) -> int:
    """The line of a page's file where a target is first written; 0 where it is written otherwise."""
    at = text.find(target)
    if at < 0:
        return 0
    try:
        data, _ = read_file(entry.blob, cache.config.settings.page_bytes_max, cache.tree.root)
    except OSError:
        return 0
    return data.count(b"\n") - text.count("\n", at) + 1


def _differences(cache: PageMetaCache) -> tuple[str, ...]:
    """Where a second cache, made by a walk over the disk, disagrees; looked at twice, for the disk may change."""
    found: list[str] = []
    for _ in range(_TRIES):
        fresh = PageMetaCache(cache.root, cache.config, best=Mode.REPLACE_ONLY)
        try:
            fresh.open()
            cache.table()
            found = list(_disagreements(_known(cache), _known(fresh)))
        finally:
            fresh.close()
        if not found:
            break
    return tuple(found[:_DIFFERENCES_KEPT])


_Known = tuple[dict[str, Page], dict[str, tuple[str, bool]]]


def _known(cache: PageMetaCache) -> _Known:
    """Listed pages by path, and every object's path and whether everybody may see it."""
    with cache.lock:
        pages = {page.path: page for page in cache.table()}
        objects = {entry.blob: (entry.path, entry.access.is_public) for entry in cache.catalog.entries()}
    return pages, objects


def _disagreements(cached: _Known, walked: _Known) -> Iterator[str]:
    (pages, objects), (pages_now, objects_now) = cached, walked
    for path in sorted(pages.keys() | pages_now.keys()):
        if path not in pages_now:
            yield f"{path} is listed, and a walk over the disk finds no such page"
        elif path not in pages:
            yield f"{path} is not listed, and a walk over the disk finds that page"
        elif pages[path] != pages_now[path]:
            yield f"{path} is listed with other facts than a walk over the disk finds"
    for blob in sorted(objects.keys() | objects_now.keys()):
        if objects.get(blob) != objects_now.get(blob):
            yield f"{blob} is known otherwise than a walk over the disk finds it"
