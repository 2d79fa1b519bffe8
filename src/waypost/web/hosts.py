"""Which site a host shows: one root for every host, or the sites of a directory."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from waypost.publish.settings import Publishing
from waypost.site.cache import PageMetaCache
from waypost.site.settings import Settings, publishing

__all__ = ["Hosts", "Place", "SingleRoot", "place_of"]


@dataclass(frozen=True, slots=True)
class Place:
    """The site a host shows, and how it is shown there at this moment."""

    root: PageMetaCache
    settings: Settings
    publishing: Publishing
    canonical: tuple[str, int | None] | None = None
    """The host (and port, where it names one) every other host of the site answers 308 to."""


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


class SingleRoot:
    """One root, shown on every host; `allowed_hosts` may narrow that."""

    def __init__(self, root: PageMetaCache) -> None:
        self._root = root
        self._place = place_of(root)

    def place(self, host: str) -> Place | None:
        """The one root, unless a list of hosts leaves this one out."""
        settings = self._root.settings()
        if settings is not self._place.settings:
            self._place = place_of(self._root)
        allowed = settings.allowed_hosts
        return self._place if not allowed or _is_allowed(host, allowed) else None

    def settings(self) -> Settings:
        """The settings of the root."""
        return self._root.settings()

    def open(self, progress: Callable[[int], None] | None = None) -> None:
        """The first scan."""
        self._root.open(progress)

    def close(self) -> None:
        """Forget and let go."""
        self._root.close()

    def rescan(self) -> None:
        """Read everything anew."""
        self._root.rescan()

    def roots(self) -> Iterable[tuple[str, PageMetaCache]]:
        """The one root."""
        return (("", self._root),)


def place_of(root: PageMetaCache, *, is_closed: bool = False, canonical: tuple[str, int | None] | None = None) -> Place:
    """A root under its settings as they are now."""
    settings = root.settings()
    return Place(root, settings, publishing(settings, is_closed=is_closed), canonical)


def _is_allowed(host: str, allowed: Iterable[str]) -> bool:
    for row in allowed:
        name = row.lower().removesuffix(".")
        if host == name or (name.startswith("*.") and host.endswith(name[1:]) and host != name[2:]):
            return True
    return False
