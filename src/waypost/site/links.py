"""Links between the files of a root: what a link in a page's text names, and the URL it is served under."""

import re
from collections.abc import Callable
from functools import cache
from unicodedata import normalize
from urllib.parse import unquote

from waypost.errors import ContentError
from waypost.limits import LETTERS_NAMES_MAX, LINKING_BYTES_MAX
from waypost.publish.respond import route
from waypost.site.cache import PageMetaCache
from waypost.site.markdown import link_targets
from waypost.site.naming import derived_alias
from waypost.site.objects import Entry
from waypost.site.references import alias_claim, relative_name
from waypost.site.settings import publishing
from waypost.urls import absolute, path_of

__all__ = ["LINK_MARKS", "is_local", "leads_somewhere", "linking", "named_by", "resolver", "split_target"]

LINK_MARKS = ("](", "]:", "href", "src")
"""A text without any of these has no link to a file."""
Letters = dict[str, dict[str, str]]
"""Of each folder, its names by what they are without regard to letter case."""
_SOMEWHERE = "http://page.invalid"
_ASSETS = "/_waypost/"
_LOCAL = re.compile(r"(?!//|[A-Za-z][A-Za-z0-9+.-]*:)([^?#]+)([?#].*)?", re.DOTALL)


def is_local(target: str) -> bool:
    """Whether a link's target is a path on this site, and more than a place on the same page."""
    return split_target(target) is not None


def split_target(target: str) -> tuple[str, str] | None:
    """The path a link names, and the query or fragment behind it."""
    found = _LOCAL.fullmatch(target)
    return (found[1], found[2] or "") if found else None


def named_by(root: PageMetaCache, page: Entry, target: str, known: Letters | None = None) -> Entry | None:
    """The object that a local link in a page names: a file, a page without its `.md`, a folder's page, or an alias.

    `known` is kept between the links of one page: the names of folders that were compared letter by letter.
    """
    parts = split_target(target)
    if parts is None:
        return None
    path = unquote(parts[0])
    name = path.strip("/") if path.startswith("/") else relative_name(page, path)
    if not name and path.strip("/"):
        return None  # it leads out of the content
    name = "" if name == "." else name
    below = f"{name}/" if name else ""
    for file in (name, f"{name}.md", f"{below}index.md", f"{below}_index.md"):
        entry = root.named(file)
        if entry is not None:
            return entry
    found = _by_claim(root, name)
    return found if found or not name else _in_other_letters(root, name, {} if known is None else known)


def _by_claim(root: PageMetaCache, name: str) -> Entry | None:
    """What has a name as its alias, or had it before it moved; or the path that a page's file name implies."""
    claims = dict.fromkeys((alias_claim(name), alias_claim(derived_alias(name))))
    catalog = root.catalog
    return next(filter(None, map(catalog.holder, claims)), None) or next(
        filter(None, map(catalog.once_at, claims)), None
    )


def _in_other_letters(root: PageMetaCache, name: str, known: Letters) -> Entry | None:
    """The file of this name in other letter case, or in Unicode's other spelling of it, as some disks give names."""
    *folders, file = name.split("/")
    path = ""
    for part in folders:
        below = _alike(root, path, part, known)
        if below is None:
            return None
        path = f"{path}/{below}" if path else below
    for like in (file, f"{file}.md"):
        found = _alike(root, path, like, known)
        entry = root.named(f"{path}/{found}" if path else found) if found is not None else None
        if entry is not None:
            return entry
    below = _alike(root, path, file, known)
    return root.named(f"{path}/{below}/index.md" if path else f"{below}/index.md") if below is not None else None


def _alike(root: PageMetaCache, path: str, name: str, known: Letters) -> str | None:
    """The name in a folder that is this one in other letters; a very large folder is not looked through."""
    if path not in known:
        folder = root.tree.folders.get(path)
        names = [*folder.below, *(name for name in folder.objects if isinstance(name, str))] if folder else []
        is_small = len(names) <= LETTERS_NAMES_MAX
        known[path] = {name.lower() if name.isascii() else _folded(name): name for name in names if is_small}
    return known[path].get(_folded(name))


def _folded(name: str) -> str:
    return name.lower() if name.isascii() else normalize("NFC", name).casefold()


def leads_somewhere(root: PageMetaCache, page: Entry, target: str) -> bool:
    """Whether a link that names no file leads somewhere when a browser follows it: a document, a source, a redirect."""
    url = absolute(_SOMEWHERE + page.path, target)
    if url is None:
        return False
    path = path_of(url.partition("#")[0]).partition("?")[0]
    if root.find(path) is not None or path.startswith(_ASSETS):
        return True
    return route(path, publishing(root.config.settings)) is not None


def resolver(root: PageMetaCache, page: Entry) -> Callable[[str], str | None]:
    """From a link's target to the canonical URL of what it names; None leaves it as it was written.

    "" says that a reader would get nothing: a relative link to what is missing or not public is shown as its text. An
    absolute path is left, for it may be served by another program of the same host.
    """
    known: Letters = {}

    @cache
    def resolve(target: str) -> str | None:
        parts = split_target(target)
        if parts is None:
            return None
        with root.lock:
            entry = named_by(root, page, target, known)
            if entry is not None and entry.access.is_public and entry.path:
                return entry.path + parts[1]
            return None if target.startswith("/") or leads_somewhere(root, page, target) else ""

    return resolve


def linking(root: PageMetaCache, entry: Entry) -> list[str]:
    """The files of the pages whose text links to an object; a very large root is read in part."""
    found, left = [], LINKING_BYTES_MAX
    known: Letters = {}
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
            named_by(root, page, target, known) is entry for target in link_targets(text)
        ):
            found.append(page.blob)
    return found
