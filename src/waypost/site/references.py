"""What objects say of each other: translations and images, and who has to be told when a target moves."""

from collections.abc import Iterable
from posixpath import normpath

from waypost.publish.canonical import alias_path, canonical_alias
from waypost.site.objects import Entry
from waypost.urls import is_absolute

__all__ = ["References", "alias_claim", "relative_name"]


def alias_claim(alias: str) -> str:
    """The claim an alias names, "" where it is no alias."""
    found = canonical_alias(alias, derived=True)
    return alias_path(found) if isinstance(found, str) else ""


def relative_name(entry: Entry, reference: str) -> str:
    """The path below `content/` that a relative reference of an object names; "" where it leads outside."""
    folder = entry.blob.rpartition("/")[0]
    joined = normpath(f"{folder}/{reference}" if folder else reference)
    return "" if joined.startswith(("..", "/")) else joined


def _targets(entry: Entry) -> Iterable[str]:
    said = entry.sayings
    for alias in said.translations.values():
        yield alias_claim(alias)
    for image in said.images:
        if not is_absolute(image):
            yield alias_claim(image)
            yield relative_name(entry, image)


class References:
    """Who names what: targets are claims, which start with `/`, or paths below `content/`, which do not."""

    def __init__(self) -> None:
        self._by_target: dict[str, set[bytes]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nobody names anybody, as on most sites."""
        return not self._by_target

    def add(self, entry: Entry) -> None:
        """Remember what an object names."""
        if entry.said is None:
            return
        for target in _targets(entry):
            if target:
                self._by_target.setdefault(target, set()).add(entry.key)

    def discard(self, entry: Entry) -> None:
        """Forget what an object names."""
        if entry.said is None:
            return
        for target in _targets(entry):
            keys = self._by_target.get(target)
            if keys is not None:
                keys.discard(entry.key)
                if not keys:
                    del self._by_target[target]

    def to(self, entry: Entry) -> set[bytes]:
        """The ids of those who name an object."""
        return self._by_target.get(entry.claim, set()) | self._by_target.get(entry.name, set())
