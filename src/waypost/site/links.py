"""Links between the files of a root: what a link in a page's text names, and the URL it is served under."""

import re
from collections.abc import Callable
from urllib.parse import unquote

from waypost.errors import ContentError
from waypost.limits import LINKING_BYTES_MAX
from waypost.site.cache import PageMetaCache
from waypost.site.markdown import link_targets
from waypost.site.naming import derived_alias
from waypost.site.objects import Entry
from waypost.site.references import alias_claim, relative_name

__all__ = ["LINK_MARKS", "is_local", "linking", "named_by", "resolver", "split_target"]

LINK_MARKS = ("](", "]:", "href", "src")
"""A text without any of these has no link to a file."""
_LOCAL = re.compile(r"(?!//|[A-Za-z][A-Za-z0-9+.-]*:)([^?#]+)([?#].*)?", re.DOTALL)


def is_local(target: str) -> bool:
    """Whether a link's target is a path on this site, and more than a place on the same page."""
    return split_target(target) is not None


def split_target(target: str) -> tuple[str, str] | None:
    """The path a link names, and the query or fragment behind it."""
    found = _LOCAL.fullmatch(target)
    return (found[1], found[2] or "") if found else None


def named_by(root: PageMetaCache, page: Entry, target: str) -> Entry | None:
    """The object that a local link in a page names: a file, a page without its `.md`, a folder's page, or an alias."""
    parts = split_target(target)
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
    return root.catalog.holder(claim) or root.catalog.once_at(alias_claim(derived_alias(name)))


def resolver(root: PageMetaCache, page: Entry) -> Callable[[str], str | None]:
    """From a link's target to the canonical URL of what it names; None where that is nothing public."""

    def resolve(target: str) -> str | None:
        entry = named_by(root, page, target)
        if entry is None or not entry.access.is_public or not entry.path:
            return None
        parts = split_target(target)
        return entry.path + (parts[1] if parts else "")

    return resolve


def linking(root: PageMetaCache, entry: Entry) -> list[str]:
    """The files of the pages whose text links to an object; a very large root is read in part."""
    found, left = [], LINKING_BYTES_MAX
    for page in sorted(root.catalog.entries(), key=lambda page: page.blob):
        if not page.is_markdown or page is entry:
            continue
        try:
            text, _ = root.read_page(page)
        except ContentError:
            continue
        left -= len(text)
        if left < 0:
            break
        if any(mark in text for mark in LINK_MARKS) and any(
            named_by(root, page, target) is entry for target in link_targets(text)
        ):
            found.append(page.blob)
    return found
