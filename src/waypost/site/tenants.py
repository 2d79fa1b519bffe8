"""Many hosts from one process: `sites.toml` says which root a host shows, and roots are opened when they are asked for.

    [[site]]
    hosts = ["example.com", "www.example.com"]
    root = "example"
    canonical_host = "example.com"

    [[site]]
    hosts = ["*.blog.example.com"]
    root = "tenants/{label}"

An edit of the file, and a new folder of a tenant, count from the next request on.
"""

import logging
import os
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock, Thread
from typing import Any

from waypost.errors import ConfigError
from waypost.formats.printable import log_line
from waypost.limits import SAID_CHARS_MAX, TENANT_WATCHES_SHARE, TENANTS_OPEN_MAX
from waypost.site.cache import PageMetaCache
from waypost.site.config import not_blank, parse_toml, read_config
from waypost.site.config_tables import keys_known, text_list
from waypost.site.live import LiveConfig
from waypost.site.watch import CREATE, MODIFY, SETTLES, Feed, Mode, filesystem_mode, watcher
from waypost.urls import read_host

__all__ = ["LABEL", "PLACE", "SITES_FILE", "SiteRow", "Tenant", "Tenants", "read_sites"]

SITES_FILE = "sites.toml"

_log = logging.getLogger("waypost.site")
LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
"""One DNS label, and nothing else."""
_KEYS = ("hosts", "root", "canonical_host", "closed", "theme")
PLACE = "{label}"
"""Where the label of a wildcard host stands in a root."""


@dataclass(frozen=True, slots=True)
class SiteRow:
    """One `[[site]]`: its hosts (a wildcard is kept without its `*`), its root, and how it is shown."""

    hosts: tuple[str, ...]
    wildcards: tuple[str, ...]
    root: str
    canonical: tuple[str, int | None] | None = None
    """The host, and the port where one is named, that every other host of the site leads to."""
    is_closed: bool = False
    may_theme: bool | None = None
    """Whether its roots may bring templates of their own; not said: those of wildcards may not."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """The root a host shows, and how."""

    root: PageMetaCache
    row: SiteRow
    is_wildcard: bool


def read_sites(data: bytes) -> tuple[SiteRow, ...]:
    """The rows of a `sites.toml`. Raises ConfigError where it is wrong, and where two rows claim one host."""
    table = keys_known(parse_toml(data, SITES_FILE), ("site",), SITES_FILE, "the file")
    rows = table.get("site", [])
    if not isinstance(rows, list):
        raise ConfigError(f"{SITES_FILE}: sites are written [[site]], with two brackets")
    found = tuple(_row(row, f"{SITES_FILE}: [[site]] number {number}") for number, row in enumerate(rows, 1))
    seen: set[str] = set()
    for name in (name for row in found for name in (*row.hosts, *(f"*{end}" for end in row.wildcards))):
        if name in seen:
            raise ConfigError(f"{SITES_FILE}: two sites have the host {name}")
        seen.add(name)
    return found


def _row(value: Any, where: str) -> SiteRow:
    row = keys_known(value, _KEYS, where, "a [[site]]")
    hosts = text_list(row, "hosts", where)
    if not hosts:
        raise ConfigError(f'{where}: it names no hosts: hosts = ["example.com"]')
    wildcards = tuple(_host(host[1:].lstrip("."), where, host) for host in hosts if host.startswith("*."))
    names = tuple(_host(host, where, host) for host in hosts if not host.startswith("*."))
    root = row.get("root")
    if not isinstance(root, str) or not root or root.startswith("/") or ".." in Path(root).parts or "\0" in root:
        raise ConfigError(f"{where}: root is a folder below the directory of {SITES_FILE}, not {root!r}")
    if PLACE in root and names:
        raise ConfigError(f"{where}: {PLACE} in its root needs wildcard hosts alone")
    closed = row.get("closed", False)
    if not isinstance(closed, bool):
        raise ConfigError(f"{where}: closed is true or false, not {closed!r}")
    theme = row.get("theme")
    if not isinstance(theme, bool | None):
        raise ConfigError(f"{where}: theme is true or false, not {theme!r}")
    return SiteRow(names, tuple(f".{name}" for name in wildcards), root, _canonical(row, where), closed, theme)


def _host(text: str, where: str, said: str) -> str:
    parts = read_host(text)
    if parts is None or parts[1] is not None:
        raise ConfigError(f"{where}: {said!r} is not a host name without a port")
    return parts[0]


def _canonical(row: dict[str, Any], where: str) -> tuple[str, int | None] | None:
    if "canonical_host" not in row:
        return None
    said = row["canonical_host"]
    parts = read_host(said) if isinstance(said, str) else None
    if parts is None:
        raise ConfigError(f"{where}: canonical_host is a host name, with a port or without, not {said!r}")
    return parts


class Tenants:
    """The sites of a directory, true to its `sites.toml`; roots that are asked for stay open, the others are let go."""

    def __init__(
        self, folder: str, *, environment: Mapping[str, str] | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        self.folder = str(Path(folder).absolute())
        self.fault = ""
        """What is wrong now with `sites.toml`, whose last good content stays in force."""
        self.broken: dict[str, str] = {}
        """Roots that are out of order, by name, and why."""
        self.let_go: dict[str, None] = {}
        """Roots that are not watched now, because others were asked for later; they are read anew when asked for."""
        self.lock = RLock()
        self._environment, self._options = environment, options
        self._open: OrderedDict[str, PageMetaCache] = OrderedDict()
        self._feed: Feed | None = None
        self._fixed: set[str] = set()
        """The folders of sites without a place for a label."""
        self._is_open = False
        self._arm()
        self._signature = self._sign()
        self._rows = read_sites(self._bytes() or b"")
        self._settled = self._rows
        self._index()

    def find(self, host: str) -> Tenant | None:
        """The tenant a host (as `read_host` gives it) shows; None for a host nobody named, and for a missing folder.

        Raises ConfigError where that tenant's own `waypost.toml` is broken.
        """
        with self.lock:
            self._refresh()
            row = self._by_host.get(host)
            label = ""
            if row is None:
                label, dot, rest = host.partition(".")
                row = self._by_end.get(dot + rest) if LABEL.fullmatch(label) else None
            if row is None:
                return None
            root = self._root(row.root.replace(PLACE, label))
            return None if root is None else Tenant(root, row, is_wildcard=bool(label))

    def rows(self) -> tuple[SiteRow, ...]:
        """The sites in force, true to the disk."""
        with self.lock:
            self._refresh()
            return self._rows

    def roots(self) -> list[tuple[str, PageMetaCache]]:
        """The roots that are open now, the one asked for last at the end."""
        with self.lock:
            return list(self._open.items())

    def fixed_roots(self) -> Iterator[str]:
        """The folders of sites that are known without asking, for a first scan."""
        return (row.root for row in self.rows() if PLACE not in row.root)

    def open(self, name: str) -> PageMetaCache | None:
        """The root in a folder below the directory, by name; None where there is none."""
        with self.lock:
            return self._root(name)

    def close(self) -> None:
        """Let go of every root."""
        with self.lock:
            while self._open:
                self._let_go()
            if self._feed is not None:
                self._feed.close()
                self._feed = None

    def _root(self, name: str) -> PageMetaCache | None:
        known = self._open.get(name)
        path = f"{self.folder}/{name}"
        if not os.path.isdir(path):  # noqa: PTH112 - asked at each request
            if known is not None:
                del self._open[name]
                _shut(known)
            self.let_go.pop(name, None)
            if name in self._fixed:
                self._say_broken(name, "its folder is not there", 421)
            else:
                self.broken.pop(name, None)
            return None
        if known is not None:
            self._open.move_to_end(name)
            return known
        root = self._open[name] = PageMetaCache(path, self._configured(name, path))
        self.let_go.pop(name, None)
        while len(self._open) > 1 and (len(self._open) > TENANTS_OPEN_MAX or _is_crowded()):
            self._let_go()
        return root

    def _configured(self, name: str, path: str) -> LiveConfig:
        try:
            config = LiveConfig(path, environment=_without_server(self._environment), options=self._options)
        except ConfigError as error:
            self._say_broken(name, str(error), 503)
            raise
        self.broken.pop(name, None)
        return config

    def _say_broken(self, name: str, why: str, status: int) -> None:
        if self.broken.get(name) != why:
            self.broken[name] = why
            _log.warning("%s; its hosts answer %d", log_line(f"{name}: {why}", SAID_CHARS_MAX), status)

    def _let_go(self) -> None:
        name, root = self._open.popitem(last=False)
        self.let_go[name] = None
        _shut(root)

    def _arm(self) -> None:
        if self._feed is not None:
            self._feed.close()
            self._feed = None
        self._identity = self._identify()
        if filesystem_mode(os.fsencode(self.folder)) is not Mode.EXACT:
            return
        try:
            self._feed = Feed(watcher().config)
            self._feed.add(os.fsencode(self.folder))
        except OSError:
            self._feed = None

    def _identify(self) -> tuple[int, ...]:
        try:
            status = os.stat(self.folder)  # noqa: PTH116 - asked at each request
        except OSError:
            return ()
        return status.st_dev, status.st_ino

    def _refresh(self) -> None:
        if self._identify() != self._identity:
            self._arm()
            self._is_open = False
            self._signature = self._sign()
            self._reload()
            return
        if self._feed is not None and not self._feed.pending():
            return
        if self._feed is not None:
            events = [event for event in self._feed.drain() if event.name in {SITES_FILE.encode(), b""}]
            if not events:
                return
            for event in events:
                if event.mask & (MODIFY | CREATE):
                    self._is_open = True
                elif event.mask & SETTLES:
                    self._is_open = False
        signature = self._sign()
        if signature != self._signature or self._feed is not None:
            self._signature = signature
            self._reload()

    def _reload(self) -> None:
        try:
            rows = read_sites(not_blank(self._bytes(), SITES_FILE))
        except ConfigError as error:
            if self.fault != str(error):
                self.fault = str(error)
                _log.warning("%s; what was last good stays in force", log_line(self.fault, SAID_CHARS_MAX))
            return
        self.fault = ""
        self._rows = _narrowed(rows, self._settled) if self._is_open else rows
        if not self._is_open:
            self._settled = rows
        self._index()

    def _index(self) -> None:
        self._by_host = {host: row for row in self._rows for host in row.hosts}
        self._by_end = {end: row for row in self._rows for end in row.wildcards}
        fixed = {row.root for row in self._rows if PLACE not in row.root}
        for name in self._fixed - fixed:
            self.broken.pop(name, None)
        self._fixed = fixed

    def _sign(self) -> tuple[int, ...]:
        try:
            status = os.stat(f"{self.folder}/{SITES_FILE}")  # noqa: PTH116 - asked at each request
        except OSError:
            return ()
        return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size

    def _bytes(self) -> bytes | None:
        found = read_config(f"{self.folder}/{SITES_FILE}", SITES_FILE)
        return found and found[0]


def _narrowed(rows: tuple[SiteRow, ...], settled: tuple[SiteRow, ...]) -> tuple[SiteRow, ...]:
    """The settled rows while a file is being written: what it closes is closed at once, what it opens may yet close."""
    closed = {name for row in rows if row.is_closed for name in (*row.hosts, *row.wildcards)}
    return tuple(
        replace(row, is_closed=row.is_closed or not closed.isdisjoint((*row.hosts, *row.wildcards))) for row in settled
    )


def _without_server(environment: Mapping[str, str] | None) -> dict[str, str]:
    return {name: value for name, value in (environment or {}).items() if not name.startswith("WAYPOST_SERVER_")}


def _shut(root: PageMetaCache) -> None:
    """Let go of a root; while somebody reads it, in a thread: nobody waits here for a scan to end."""
    root.is_let_go = True
    if not root.lock.acquire(blocking=False):
        Thread(target=_close, args=(root,), name="waypost-shut", daemon=True).start()
        return
    try:
        _close(root)
    finally:
        root.lock.release()


def _close(root: PageMetaCache) -> None:
    root.close()
    root.config.close()


def _is_crowded() -> bool:
    """Whether this process watches more directories than its share of what a user may."""
    try:
        most = int(Path("/proc/sys/fs/inotify/max_user_watches").read_text("ascii"))
        return watcher().content.watches > most // TENANT_WATCHES_SHARE
    except (OSError, ValueError):
        return False
