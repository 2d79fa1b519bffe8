"""Which site a host shows: one root for every host, or the sites of a directory."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from waypost.errors import ConfigError, LetGoError
from waypost.limits import LASTMOD_EARLIEST_S
from waypost.publish.respond import route
from waypost.publish.settings import DataFile, Publishing, Site
from waypost.publish.table import PageSource, PageTable
from waypost.site.cache import PageMetaCache
from waypost.site.config import configure
from waypost.site.navigation import words_of
from waypost.site.settings import Settings, publishing
from waypost.site.tenants import Tenants
from waypost.web.templates import Own

__all__ = ["Hosts", "Place", "SingleRoot", "SiteDirectory", "site_of"]

_THEMES = "themes"
_THEME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class Place:
    """The site a host shows, and how it is shown there at this moment."""

    root: PageMetaCache
    settings: Settings
    publishing: Publishing
    canonical: tuple[str, int | None] | None = None
    """The host (and port, where it names one) every other host of the site answers 308 to."""
    may_theme: bool = True
    """Whether the root's own templates count."""
    site: Site | None = None
    """What the publisher asks, in step with the disk; None where that takes long, and somebody has to wait for it."""

    def templates(self, theme: str = "") -> Own | None:
        """The root's own templates, a page's own theme first; none for a bare folder."""
        if self.root.is_bare or not self.may_theme or not Path(self.root.root, _THEMES).is_dir():
            return None
        folders = (f"{_THEMES}/{theme}", _THEMES) if _THEME.fullmatch(theme) else (_THEMES,)
        return Own(os.path.realpath(self.root.root), folders)


class Hosts(Protocol):
    """The hosts of a server."""

    def place(self, host: str) -> Place | None:
        """What a host shows, true to the disk; None for a host that nobody named. Raises where it is out of order."""
        ...

    def settings(self) -> Settings:
        """The settings of the server itself, true to the disk."""
        ...

    def open(self, progress: Callable[[int], None] | None = None) -> None:
        """Scan what has to be known before the first request."""
        ...

    def close(self) -> None:
        """Give descriptors back."""
        ...

    def rescan(self) -> None:
        """Read everything anew."""
        ...

    def roots(self) -> Iterable[tuple[str, PageMetaCache]]:
        """The roots that are open now, by name."""
        ...

    def faults(self) -> list[str]:
        """What is wrong with the hosts themselves, a sentence each."""
        ...

    def let_go(self) -> Sequence[str]:
        """The roots that are not watched now and are read anew when they are asked for."""
        ...


class SingleRoot:
    """One root, shown on every host; `allowed_hosts` may narrow that."""

    def __init__(self, root: PageMetaCache) -> None:
        self._root = root
        self._place = _shown(root, None, root.settings())

    def place(self, host: str) -> Place | None:
        """The one root, unless a list of hosts leaves this one out."""
        table, settings = _at_hand(self._root)
        place = self._place
        if settings is not place.settings or table is not (place.site and place.site.source):
            place = self._place = _shown(self._root, table, settings)
        allowed = settings.allowed_hosts
        return place if not allowed or _is_allowed(host, allowed) else None

    def settings(self) -> Settings:
        """The settings of the root."""
        return self._root.settings()

    def open(self, progress: Callable[[int], None] | None = None) -> None:
        """The first scan."""
        self._root.open(progress)

    def close(self) -> None:
        """Forget and let go."""
        self._root.close()
        self._root.config.close()

    def rescan(self) -> None:
        """Read everything anew."""
        self._root.rescan()

    def roots(self) -> Iterable[tuple[str, PageMetaCache]]:
        """The one root."""
        return (("", self._root),)

    def faults(self) -> list[str]:
        """Nothing: what is wrong with the root is said of the root."""
        return []

    def let_go(self) -> Sequence[str]:
        """None: the one root is always watched."""
        return ()


class SiteDirectory:
    """The sites of a directory, by host; what is set for the server itself comes from environment and options."""

    def __init__(self, folder: str, environment: Mapping[str, str], options: Mapping[str, Any] | None) -> None:
        self._tenants = Tenants(folder, environment=environment, options=options)
        if not self._tenants.rows():
            raise ConfigError(f"{folder}: its sites.toml is missing or names no [[site]]")
        self._settings = configure(None, environment=environment, options=options).settings

    def place(self, host: str) -> Place | None:
        """The root of the host's row; ConfigError where that root's own settings are broken."""
        tenant = self._tenants.find(host)
        if tenant is None:
            return None
        may_theme = tenant.row.may_theme if tenant.row.may_theme is not None else not tenant.is_wildcard
        table, settings = _at_hand(tenant.root)
        place = _shown(tenant.root, table, settings, is_closed=tenant.row.is_closed)
        return replace(place, canonical=tenant.row.canonical, may_theme=may_theme)

    def settings(self) -> Settings:
        """The settings of the server, the same for every site."""
        return self._settings

    def open(self, progress: Callable[[int], None] | None = None) -> None:
        """Scan the sites that are known by name; those a label names are scanned when they are asked for."""
        known = 0

        def further(objects: int) -> None:
            if progress is not None:
                progress(known + objects)

        for name in self._tenants.fixed_roots():
            try:
                root = self._tenants.open(name)
            except ConfigError:
                continue
            if root is not None and not root.is_ready:
                root.open(further)
                known += len(root.catalog)

    def close(self) -> None:
        """Forget and let go."""
        self._tenants.close()

    def rescan(self) -> None:
        """Read everything anew that is open."""
        for _, root in self._tenants.roots():
            with suppress(LetGoError):
                root.rescan()

    def roots(self) -> Iterable[tuple[str, PageMetaCache]]:
        """The roots that are open now."""
        return self._tenants.roots()

    def faults(self) -> list[str]:
        """What is wrong with `sites.toml`, and with the settings of roots that are out of order."""
        own = [self._tenants.fault] if self._tenants.fault else []
        return own + sorted(f"{name}: {why}" for name, why in self._tenants.broken.items())

    def let_go(self) -> Sequence[str]:
        """The roots that are not watched now."""
        return tuple(self._tenants.let_go)


def _at_hand(root: PageMetaCache) -> tuple[PageTable | None, Settings]:
    """The table and the settings by one look at the disk; where the table takes long, the settings alone."""
    table = root.try_table()
    return table, root.settings() if table is None else root.config.settings


def _shown(root: PageMetaCache, table: PageTable | None, settings: Settings, *, is_closed: bool = False) -> Place:
    how = publishing(settings, is_closed=is_closed)
    if root.is_bare and not how.title:
        how = replace(how, title=words_of(Path(root.root).name))  # it has no settings to be named in
    return Place(root, settings, how, site=None if table is None else site_of(root, how, table))


def site_of(root: PageMetaCache, how: Publishing, source: PageSource) -> Site:
    """What the publisher asks of a root."""
    return Site(source, how, data_of=lambda declared: _on_disk(root, how, declared))


def _on_disk(root: PageMetaCache, how: Publishing, declared: DataFile) -> DataFile | None:
    """A declared file of this host under its one path, with the disk's date; what others serve is as declared.

    The path may be written as the file is called in the root, or as it is served.
    """
    if not declared.loc.startswith("/") or route(declared.loc, how) is not None:
        return declared
    for path in (declared.loc, declared.loc.removeprefix("/content")):
        found = root.find(path)
        if found is not None and found.entry is not None:
            changed = found.entry.modified
            lastmod = changed if changed >= LASTMOD_EARLIEST_S else None
            return replace(declared, loc=found.location or path, lastmod=lastmod)
    return None


def _is_allowed(host: str, allowed: Iterable[str]) -> bool:
    for row in allowed:
        name = row.lower().removesuffix(".")
        if host == name or (name.startswith("*.") and host.endswith(name[1:]) and host != name[2:]):
            return True
    return False
