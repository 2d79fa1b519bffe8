"""From looks to objects: read what stands at a name now, and tell the catalog."""

import contextlib
import os
import stat
import time
from collections.abc import Callable, Iterator

from waypost.limits import CLOCK_BACK_S, PAGE_BYTES_DEFAULT, PLAIN_PAGE_BYTES_MAX
from waypost.site.access import DENY
from waypost.site.catalog import Catalog
from waypost.site.content import is_short, open_folder
from waypost.site.folders import (
    Folder,
    Group,
    Listing,
    group_of,
    id_group_of,
    kind_of,
    list_folder,
)
from waypost.site.helpers import ShardHelpers, helpers_for
from waypost.site.naming import derived_alias, is_ignored, is_shard, read_id_name, sidecar_form
from waypost.site.objects import NOINDEX, Entry, Place, is_orphan, read_id_object, read_path_object
from waypost.site.plain import read_pages
from waypost.site.reports import Reports
from waypost.site.shard import IdGroup, read_rows
from waypost.site.sidecar import SIDECAR_FORMS, Unreadable
from waypost.site.tree import GONE, Tree

__all__ = ["Scanner"]


class Scanner:
    """Reads objects into a catalog, folder by folder or name by name."""

    def __init__(self, tree: Tree, catalog: Catalog, reports: Reports) -> None:
        self.tree = tree
        self.catalog = catalog
        self.reports = reports
        self._is_loading = False
        """Whether what is read now was not known before, so that plain pages are read in one loop."""
        self._lent: set[str] = set()
        """Shards that helpers read at this moment."""
        self._held_back: dict[bytes, int] = {}
        """Id objects whose highest version could not be read, and that version."""
        self.newest = 0.0
        """The latest time of change that any file showed."""
        self.read_at = 0.0
        """The latest moment, by this machine's clock, at which anything was read."""
        self.page_bytes_max = PAGE_BYTES_DEFAULT

    def walk(self, path: str) -> None:
        """Watch, list and read a folder of which nothing is known, and everything below it."""
        with self._loading():
            self._walk(path)

    def walk_first(self, progress: Callable[[int], None] | None = None) -> None:
        """The same for everything, where nothing is known yet; of many shards helpers read some."""
        self.page_bytes_max = self.catalog.terms.settings.page_bytes_max
        self._held_back.clear()
        helpers = None
        with self._loading():
            for walked in self.tree.walk(""):
                if not walked.folder.path and self._is_loading:
                    helpers = self._helpers(walked.listing)
                self._read_all(walked.folder, walked.listing, walked.descriptor)
                if progress is not None:
                    progress(len(self.catalog))
            if helpers is not None:
                self._take_frames(helpers, progress)

    @contextlib.contextmanager
    def _loading(self) -> Iterator[None]:
        """Read plain pages in one loop meanwhile, and list them all at once at the end."""
        self._is_loading = self.page_bytes_max >= PLAIN_PAGE_BYTES_MAX
        try:
            with self.catalog.listed_at_end():
                yield
        finally:
            self._is_loading = False

    def _walk(self, path: str) -> None:
        for walked in self.tree.walk(path):
            self._read_all(walked.folder, walked.listing, walked.descriptor)

    def _helpers(self, listing: Listing) -> ShardHelpers | None:
        """Where shards are big: watch them here first, leave them out of the walk, and let helpers read along."""
        shards = [name for name in listing.folders if is_shard(name)]
        count = helpers_for(self.tree.root, shards)
        if not count:
            return None
        watched = {name for name in shards if self.tree.adopt(name)}
        if len(watched) < len(shards):
            for name in watched:
                self.tree.drop(name)
            return None
        listing.folders = [name for name in listing.folders if name not in watched]
        self._lent = watched
        return ShardHelpers(self.tree.root, shards, count, self._now())

    def _take_frames(self, helpers: ShardHelpers, progress: Callable[[int], None] | None) -> None:
        lent, self._lent = self._lent, set()
        for shard, newest, rows, is_whole in helpers.frames():
            if is_whole:
                lent.discard(shard)
                self.newest = max(self.newest, newest)
                self.catalog.load(rows)
            if progress is not None:
                progress(len(self.catalog))
        for shard in sorted(lent):
            self.tree.drop(shard)
            self._walk(shard)

    def _now(self) -> float:
        self.read_at = time.time()
        return self.read_at

    def _place(self, folder: Folder, descriptor: int) -> Place:
        return Place(folder.path, descriptor, self._now(), self.page_bytes_max)

    @contextlib.contextmanager
    def _opened(self, folder: Folder) -> Iterator[Place]:
        descriptor = open_folder(self.tree.root, folder.path)
        try:
            place = self._place(folder, descriptor)
            yield place
            self.newest = max(self.newest, place.newest, place.moved_at())
        finally:
            os.close(descriptor)

    def is_clock_back(self) -> bool:
        """Whether the clock was put back since anything was read."""
        return time.time() < self.read_at - CLOCK_BACK_S

    def turn_back(self) -> None:
        """The clock was put back: nothing that is known changed later than it shows now."""
        self.catalog.turn_back(self._now())

    def drop(self, path: str, at: float) -> None:
        """Let go of a folder and everything below it."""
        for trouble in [known for known in self.tree.troubles if f"{known}/".startswith(f"{path}/")]:
            del self.tree.troubles[trouble]
            self.reports.settle(trouble, "folder")
        dropped = self.tree.drop(path)
        if not dropped:
            return
        shards = {folder.path for folder in dropped if is_shard(folder.path)}
        gone = [entry for folder in dropped for entry in folder.objects.values()]
        if shards:
            gone += [entry for entry in self.catalog.entries() if not entry.name and entry.blob[:2] in shards]
        for entry in gone:
            self.catalog.leave(entry, at)
        self.reports.forget_below(path)  # last: while some had left, others were said to have what they had

    def look(self, folder: Folder, name: str) -> None:
        """Bring what has this name in a folder in step with the disk."""
        if is_ignored(name) or not self.tree.is_known(folder):
            return
        try:
            with self._opened(folder) as place:
                self._look(folder, name, place)
        except OSError as fault:
            if fault.errno not in GONE:
                self.tree.missed.looks[folder, name] = None
                self._let_go(folder, name)

    def _let_go(self, folder: Folder, name: str) -> None:
        """Withhold what this name is about, for nobody could look whether it may still be shown."""
        found = read_id_name(name) if is_shard(folder.path) else None
        if found is not None:
            self._leave_id(self._id_entry(folder.path, found[0]), self.tree.moved_at(folder))
            return
        form = sidecar_form(name)
        for file in (name, f"{name}.json", *((name[: -len(form) - 1],) if form else ())):
            self._forget(folder, file)

    def look_folder(self, folder: Folder, name: str) -> None:
        """Bring a folder below another in step: whatever was known of it is let go, and it is walked anew."""
        if is_ignored(name) or not self.tree.is_known(folder):
            return
        path = self.tree.child(folder, name)
        self.drop(path, self.tree.moved_at(folder))
        folder.below.discard(name)
        is_there = False
        try:
            with self._opened(folder) as place:
                is_there = kind_of(name, place.descriptor) == stat.S_IFDIR
                if not is_there:
                    self._look(folder, name, place)
        except OSError as fault:
            if fault.errno not in GONE:
                self.tree.missed.folders[folder, name] = None
        if is_there:
            folder.below.add(name)
            self.walk(path)

    def relist(self, folder: Folder) -> None:
        """Compare a folder's names with those known, and look at every object in it."""
        if not self.tree.is_known(folder):
            return
        for entry in self._known(folder):
            self.catalog.leave(entry, self.tree.moved_at(folder))
        folder.objects.clear()
        try:
            with self._opened(folder) as place:
                listing = list_folder(place.descriptor, folder.path)
                self._read_all(folder, listing, place.descriptor)
        except OSError as fault:
            if fault.errno not in GONE:
                self.tree.missed.looks[folder, ""] = None
            return
        for name in folder.below.symmetric_difference(listing.folders):
            self.look_folder(folder, name)

    def _known(self, folder: Folder) -> list[Entry]:
        known = list(folder.objects.values())
        if is_shard(folder.path):
            known += [entry for entry in self.catalog.entries() if not entry.name and entry.blob[:2] == folder.path]
        return known

    def _read_all(self, folder: Folder, listing: Listing, descriptor: int) -> None:
        place = self._place(folder, descriptor)
        if self._is_loading:
            self._load_plain(folder, listing, place)
        for ids in listing.ids:
            self._read_id(place, ids)
        for group in listing.objects:
            self._read_path(folder, place, group)
        for name, form in listing.doubtful:
            self._read_doubtful(folder, place, name, form)
        for name in listing.orphans:
            self._report_orphan(f"{folder.path}/{name}")
        self.newest = max(self.newest, place.newest)

    def _load_plain(self, folder: Folder, listing: Listing, place: Place) -> None:
        rows, listing.ids, newest = read_rows(place.descriptor, folder.path, place.now, listing.ids)
        self.catalog.load(rows)
        place.newest = newest
        if not self.catalog.terms.settings.path_alias:
            return
        folder.objects, listing.objects, newest = read_pages(place.descriptor, folder.path, place.now, listing.objects)
        for entry in folder.objects.values():
            self.catalog.take(entry, derived_alias(entry.name))
        place.newest = max(place.newest, newest)

    def _look(self, folder: Folder, name: str, place: Place) -> None:
        found = read_id_name(name) if is_shard(folder.path) else None
        if found is not None:
            self._look_id(place, found[0], found[1], name)
            return
        form = sidecar_form(name)
        if form:
            self._look_path(folder, place, name[: -len(form) - 1])
        self._look_path(folder, place, name)
        # A data file may have become a sidecar, or the other way round, with the coming or going of a blob.
        data = f"{name}.json"
        if data in folder.objects or (name not in folder.objects and kind_of(data, place.descriptor) == stat.S_IFREG):
            self._look_path(folder, place, data)

    def _look_path(self, folder: Folder, place: Place, name: str) -> None:
        form = sidecar_form(name)
        group = group_of(name, place.descriptor)
        if group is not None and form:
            has_blob = kind_of(name[: -len(form) - 1], place.descriptor) == stat.S_IFREG
            self._forget(folder, name)
            if has_blob:
                return
            self._read_doubtful(folder, place, name, form)
        elif group is None:
            self._forget(folder, name)
        else:
            self._read_path(folder, place, group)

    def _look_id(self, place: Place, key: bytes, version: int, name: str) -> None:
        entry = self._id_entry(place.folder, key)
        known = self._held_back.get(key, version) if entry is None else entry.version
        group = id_group_of(key, {version, known}, place.descriptor)
        if group is None or group.version < known:
            listed = list_folder(place.descriptor, place.folder)
            group = next((ids for ids in listed.ids if ids.digits == key.hex()), None)
        if group is None:
            self._leave_id(entry, place.moved_at())
            self.reports.forget(f"{place.folder}/{name}")
        else:
            self._read_id(place, group)
        self._note_orphans(place, f"{key.hex()}.{version}", are_orphans=group is None or version > group.version)

    def _note_orphans(self, place: Place, blob: str, *, are_orphans: bool) -> None:
        for form in SIDECAR_FORMS:
            name = f"{blob}.{form}"
            if are_orphans and kind_of(name, place.descriptor) == stat.S_IFREG:
                self._report_orphan(f"{place.folder}/{name}")
            else:
                self.reports.forget(f"{place.folder}/{name}")

    def _id_entry(self, shard: str, key: bytes) -> Entry | None:
        """The id object that is known by this key, if this is its shard: what stands in another one is none."""
        holder = self.catalog.by_key(key)
        if holder is None or key.hex()[-2:] != shard:
            return None
        return next((one for one in (holder, *self.catalog.ids.rivals.get(key, ())) if not one.name), None)

    def _leave_id(self, entry: Entry | None, at: float) -> None:
        if entry is not None:
            self.catalog.floors.pop(entry.blob, None)
            self.reports.forget(entry.blob)
            self.catalog.leave(entry, at)

    def _read_id(self, place: Place, ids: IdGroup) -> None:
        blob = f"{place.folder}/{ids.digits}.{ids.version}"
        key = bytes.fromhex(ids.digits)
        before = self._id_entry(place.folder, key)
        self._set_floor(place.folder, blob.rpartition("/")[2], blob, before)
        entry = None
        try:
            entry = read_id_object(place, ids.digits, ids.version, ids.forms)
        except (Unreadable, OSError) as fault:
            self._withheld(place, blob, fault)
            if ids.digits[-2:] == place.folder:  # a stray in another shard holds nothing back
                self._held_back[key] = ids.version
        else:
            self.reports.settle(blob, "read")
            self._held_back.pop(key, None)
        if before is not None:
            if before.version != ids.version:
                self.reports.forget(before.blob)
            self.catalog.leave(before, self._gone_at(place, before) if entry is None else entry.modified)
        if entry is not None:
            self.catalog.enter(entry)

    def _read_path(self, folder: Folder, place: Place, group: Group) -> None:
        blob = f"{folder.path}/{group.name}" if folder.path else group.name
        before = folder.objects.get(group.name)
        self._set_floor(folder.path, group.name, blob, before)
        entry = None
        try:
            entry = read_path_object(place, group.name, group.forms)
        except (Unreadable, OSError) as fault:
            self._withheld(place, blob, fault)
        else:
            self.reports.settle(blob, "read")
        if before is not None:
            del folder.objects[group.name]
            self.catalog.leave(before, self._gone_at(place, before) if entry is None else entry.modified)
        if entry is not None:
            folder.objects[group.name] = entry
            self.catalog.enter(entry)

    def _gone_at(self, place: Place, entry: Entry) -> float:
        """When an object went or became unreadable, as its folder and what is left of its files tell."""
        return min(max(place.moved_at(), *place.times_of(entry.blob)), place.now)

    def _read_doubtful(self, folder: Folder, place: Place, name: str, form: str) -> None:
        """A file with a sidecar's extension and no blob: an orphan, which is never served, or a data file."""
        path = f"{folder.path}/{name}" if folder.path else name
        try:
            orphan = is_orphan(place, name, form, has_blob=False)
        except (Unreadable, OSError) as fault:
            self._forget(folder, name)
            self._withheld(place, path, fault)
            return
        if not orphan:
            self._read_path(folder, place, group_of(name, place.descriptor) or Group(name))
            return
        self._forget(folder, name)
        if "." in name[: -len(form) - 1]:
            self._report_orphan(path)

    def _report_orphan(self, path: str) -> None:
        self.reports.say(path, "orphan", "a sidecar without its blob")

    def _forget(self, folder: Folder, name: str) -> None:
        path = f"{folder.path}/{name}" if folder.path else name
        entry = folder.objects.pop(name, None)
        self.catalog.floors.pop(path, None)
        self.reports.forget(path)
        if entry is not None:
            self.catalog.leave(entry, self.tree.moved_at(folder))

    def _withheld(self, place: Place, blob: str, fault: Unreadable | OSError) -> None:
        if isinstance(fault, FileNotFoundError):
            return
        folder = self.tree.folders.get(place.folder)
        if is_short(fault) and folder is not None:
            self.tree.missed.looks[folder, blob.rpartition("/")[2]] = None
        if isinstance(fault, OSError):
            fault = Unreadable((fault.strerror or str(fault)).lower())
        file = f"{place.folder}/{fault.file}" if fault.file and place.folder else fault.file
        self.reports.say(blob, "read", fault.reason, file=file, line=fault.line, withheld=True)
        self.newest = max(self.newest, *place.times_of(blob))

    def _set_floor(self, folder: str, name: str, blob: str, before: Entry | None) -> None:
        """While somebody is still writing one of its files, an object may not grow past what it was before."""
        known = self.tree.folders.get(folder)
        files = (name, *(f"{name}.{form}" for form in SIDECAR_FORMS)) if self.tree.has_open else ()
        if known is None or not any(self.tree.is_open(known, file) for file in files):
            self.catalog.floors.pop(blob, None)
        elif blob not in self.catalog.floors:
            self.catalog.floors[blob] = (before.access, bool(before.flags & NOINDEX)) if before else (DENY, False)
