"""New pages, moved ones and removed ones: the change each needs, with every old address kept and every name judged."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waypost.errors import ContentError
from waypost.limits import FILE_NAME_BYTES_MAX, FOLDER_DEPTH_MAX
from waypost.publish.canonical import AliasFault, canonical_alias
from waypost.site.cache import PageMetaCache
from waypost.site.change import Change, undo
from waypost.site.content import read_file
from waypost.site.edit import addresses, edited, free_alias
from waypost.site.naming import derived_alias, is_ignored, is_markdown_name, path_key, sidecar_form
from waypost.site.navigation import words_of
from waypost.site.objects import Entry
from waypost.site.relink import lost_links, relinked, relinked_images
from waypost.site.standing import said_alias
from waypost.site.state import state_folder

__all__ = ["Move", "below", "changed", "move", "new_page", "remove", "state_of", "taken_back"]


_FOLDER_PAGES = frozenset({"index.md", "_index.md"})


@dataclass(frozen=True, slots=True)
class Move:
    """How an object moves: the change, its file then, and the links in it that will name something else."""

    change: Change
    file: str
    lost: tuple[str, ...] = ()


def state_of(cache: PageMetaCache) -> Path:
    """Where what was there before a change is kept."""
    return state_folder(cache.root, is_bare=cache.is_bare, environment=os.environ)


def changed(cache: PageMetaCache, change: Change) -> str:
    """Make a change on the disk; the word that takes it back."""
    return change.apply(cache.tree.root, state_of(cache))


def taken_back(cache: PageMetaCache, word: str) -> str:
    """Take a change back; what it was."""
    return undo(cache.tree.root, state_of(cache), word)


def new_page(cache: PageMetaCache, path: str, title: str, *, is_draft: bool = False) -> tuple[Change, str]:
    """A new page at a path, and its file. Raises ContentError where the path is taken, reserved, or no path."""
    cache.table()
    file = _free_file(cache, "-".join(path.split()), is_page=True)
    alias = _free_alias(cache, derived_alias(file), None)
    head = {"title": title or words_of(derived_alias(file).rpartition("/")[2]) or "Home"}
    if not cache.config.settings.path_alias:
        head["alias"] = free_alias(cache, alias, None)
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    lines += ["draft: true"] if is_draft else []
    heading = " ".join(head["title"].split())
    text = "\n".join(["---", *lines, "---", f"# {heading}", "", ""])
    return Change(f"new page {file}", {file: text.encode()}), file


def move(cache: PageMetaCache, entry: Entry, path: str) -> Move:
    """Move an object to another path; its addresses until now go on answering, with a redirect.

    An id object keeps its files and gets another alias. Raises ContentError as `new_page` does.
    """
    if not entry.name:
        alias = free_alias(cache, path.removesuffix(".md"), entry)
        name, sidecar = edited(cache, entry, {"alias": alias, "redirect_from": addresses(cache, entry, alias)})
        return Move(Change(f"move of {entry.path} to /{alias}", {name: sidecar}), entry.blob)
    file = _free_file(cache, _target(entry, path), is_page=entry.is_markdown)
    alias = _free_alias(cache, derived_alias(file), entry)
    keys: dict[str, Any] = {"redirect_from": addresses(cache, entry, alias) or None}
    if said_alias(entry):
        keys["alias"] = free_alias(cache, alias, entry)
    if entry.key == path_key(entry.name) or entry.key == path_key(file):
        # Others, and readers of feeds, know it by the id that followed from its path; back there it follows again.
        keys["id"] = None if entry.key == path_key(file) else entry.key.hex()
    images = relinked_images(cache, entry, file)
    if images is not None:
        keys["images"] = images
    files, lost = _moved_text(cache, entry, file)
    files[entry.blob] = None
    old, sidecar = edited(cache, entry, keys)
    if entry.form:
        files[old] = None
    if sidecar.strip():
        files[f"{file}.{entry.form or 'toml'}"] = sidecar
    return Move(Change(f"move of {entry.blob} to {file}", files), file, tuple(lost))


def below(cache: PageMetaCache, entry: Entry) -> list[str]:
    """The other pages in a folder whose page this is: they do not move with it."""
    folder, _, name = entry.blob.rpartition("/")
    if not entry.is_markdown or name.lower() not in _FOLDER_PAGES or not folder:
        return []
    inside = (other for other in cache.catalog.entries() if other is not entry and other.is_markdown)
    return sorted(other.blob for other in inside if other.blob.startswith(f"{folder}/"))


def remove(cache: PageMetaCache, entry: Entry, heir: Entry | None = None) -> Change:
    """Remove an object with its sidecar; where somebody is its heir, the addresses it had lead there."""
    files: dict[str, bytes | Path | None] = {entry.blob: None}
    if entry.form:
        files[entry.sidecar] = None
    if heir is entry:
        raise ContentError("a page that is removed cannot have its own addresses")
    if heir is not None:
        kept = [*heir.sayings.redirect_from, *addresses(cache, entry, heir.claim.strip("/"))]
        name, sidecar = edited(cache, heir, {"redirect_from": list(dict.fromkeys(kept))})
        files[name] = sidecar
    return Change(f"removal of {entry.blob}", files)


def _moved_text(cache: PageMetaCache, entry: Entry, file: str) -> tuple[dict[str, bytes | Path | None], list[str]]:
    """What the moved file holds: the same bytes, but for relative links where the folder is another one."""
    source = Path(cache.tree.root, entry.blob)
    if not entry.is_markdown or file.rpartition("/")[0] == entry.blob.rpartition("/")[0]:
        return {file: source}, []
    body, _ = cache.read_page(entry)
    try:
        data, _ = read_file(entry.blob, cache.config.settings.page_bytes_max, cache.tree.root)
        text = data.decode()
    except (OSError, UnicodeDecodeError):
        text = ""
    if not text.endswith(body):
        return {file: source}, lost_links(cache, entry, body, file)
    written, lost = relinked(cache, entry, body, file)
    return {file: source if written == body else (text[: len(text) - len(body)] + written).encode()}, lost


def _target(entry: Entry, path: str) -> str:
    """The path a person means: a folder's page stays one, a final slash is a folder, a file keeps its extension."""
    name = entry.blob.rpartition("/")[2]
    if path.endswith("/") and path.strip("/"):
        return path + name
    if entry.is_markdown:
        is_folder_page = name.lower() in _FOLDER_PAGES and not is_markdown_name(path)
        return f"{path}/{name}" if is_folder_page and path.strip("/") else path
    return path if "." in path.rpartition("/")[2] else f"{path}.{name.rpartition('.')[2]}"


def _free_file(cache: PageMetaCache, path: str, *, is_page: bool) -> str:
    """The file below the content that a path means, if nothing is in its way."""
    name = "/".join(part for part in path.strip().removeprefix("content/").split("/") if part) or "index"
    name = name if not is_page or is_markdown_name(name) else f"{name}.md"
    parts = name.split("/")
    if any(part in {".", ".."} or not part.isprintable() or "\\" in part for part in parts):
        raise ContentError(f"{path!r} is no path for a file: it has dots, a backslash or a control character in it")
    if any(is_ignored(part) for part in parts) or sidecar_form(name) or len(parts) > FOLDER_DEPTH_MAX:
        raise ContentError(f"{path!r} would not be served: its name is one of hidden, temporary or sidecar files")
    if any(len(os.fsencode(part)) > FILE_NAME_BYTES_MAX for part in parts):
        raise ContentError(f"a name in {path[:40]!r}… is too long for a file")
    for depth in range(1, len(parts) + 1):
        file = Path(cache.tree.root, *parts[:depth])
        if file.is_symlink() or (depth < len(parts) and file.exists() and not file.is_dir()):
            raise ContentError(f"{'/'.join(parts[:depth])} is no folder; nothing can be put below it")
    beside = [name, *(f"{name}.{form}" for form in ("toml", "json", "ron"))]
    taken = next((file for file in beside if os.path.lexists(f"{cache.tree.root}/{file}")), None)
    if taken is not None:
        raise ContentError(f"{taken} is there already")
    return name


def _free_alias(cache: PageMetaCache, path: str, entry: Entry | None) -> str:
    """The alias a file's path implies, if it can be one and nobody has it."""
    alias = canonical_alias(path, derived=True)
    if isinstance(alias, AliasFault):
        raise ContentError(f"the path {path!r} {alias.value}")
    return free_alias(cache, alias, entry, is_judged=True)
