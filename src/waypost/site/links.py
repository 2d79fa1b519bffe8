"""Links between the files of a root: what a link in a page's text names, and the URL it is served under."""

import re
from collections.abc import Callable
from urllib.parse import unquote

from waypost.site.cache import PageMetaCache
from waypost.site.objects import Entry
from waypost.site.references import alias_claim, relative_name

__all__ = ["is_local", "named_by", "resolver"]

_LOCAL = re.compile(r"(?!//|[A-Za-z][A-Za-z0-9+.-]*:)([^?#]+)([?#].*)?", re.DOTALL)


def is_local(target: str) -> bool:
    """Whether a link's target is a path on this site, and more than a place on the same page."""
    return _split(target) is not None


def _split(target: str) -> tuple[str, str] | None:
    """The path a link names, and the query or fragment behind it."""
    found = _LOCAL.fullmatch(target)
    return (found[1], found[2] or "") if found else None


def named_by(root: PageMetaCache, page: Entry, target: str) -> Entry | None:
    """The object that a local link in a page names: a file, a page without its `.md`, a folder's page, or an alias."""
    parts = _split(target)
    if parts is None:
        return None
    path = unquote(parts[0])
    name = path.strip("/") if path.startswith("/") else relative_name(page, path)
    if not name and path.strip("/"):
        return None  # it leads out of the content
    name = "" if name == "." else name
    for file in (name, f"{name}.md", f"{name}/index.md" if name else "index.md"):
        entry = root.named(file)
        if entry is not None:
            return entry
    claim = alias_claim(name) if name else "/"
    return root.catalog.holder(claim)


def resolver(root: PageMetaCache, page: Entry) -> Callable[[str], str | None]:
    """From a link's target to the canonical URL of what it names; None where that is nothing public."""

    def resolve(target: str) -> str | None:
        entry = named_by(root, page, target)
        if entry is None or not entry.access.is_public or not entry.path:
            return None
        parts = _split(target)
        return entry.path + (parts[1] if parts else "")

    return resolve
