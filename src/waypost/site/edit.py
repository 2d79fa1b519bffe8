"""Changing what an object says of itself: its sidecar, in whatever notation it has, replaced whole or not at all."""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

import tomlkit
from tomlkit.exceptions import TOMLKitError

from waypost.errors import ContentError
from waypost.limits import SIDECAR_BYTES_MAX
from waypost.publish.canonical import AliasFault, alias_path, canonical_alias
from waypost.publish.paths import admin_row, refuses
from waypost.site.cache import PageMetaCache
from waypost.site.content import read_file, write_file
from waypost.site.lookup import Kind
from waypost.site.naming import derived_alias, sidecar_form
from waypost.site.objects import Entry
from waypost.site.references import alias_claim
from waypost.site.ron import RonError
from waypost.site.ron_edit import edit_ron
from waypost.site.sidecar import Unreadable, read_sidecar

__all__ = ["addresses", "edit_toml", "edited", "find_object", "free_alias", "set_alias", "set_keys", "set_tags"]


def find_object(cache: PageMetaCache, name: str) -> Entry:
    """The object a person names: by id, by URL path or alias, or by its file below `content/`. Raises ContentError."""
    cache.table()
    text = name.removeprefix("/id/").strip("/")
    if len(text) == 16 and all(character in "0123456789abcdef" for character in text):
        entry = cache.catalog.by_key(bytes.fromhex(text))
        if entry is not None:
            return entry
    for entry in cache.catalog.entries():
        if entry.blob == name.removeprefix("content/"):
            return entry
    alias = canonical_alias(name, derived=True)
    entry = cache.catalog.holder(alias_path(alias)) if isinstance(alias, str) else None
    found = cache.find("/" + name.lstrip("/"))
    if entry is None and found is not None and found.kind in {Kind.PAGE, Kind.FILE, Kind.MOVED}:
        entry = found.entry
    if entry is None:
        raise ContentError(_missing(cache, name))
    return entry


def _missing(cache: PageMetaCache, name: str) -> str:
    wanted = name.strip("/").removeprefix("content/")
    for report in cache.reports.every():
        form = sidecar_form(report.file)
        blob = report.file[: -len(form) - 1] if form else report.file
        if report.is_withheld and wanted in {report.file, blob, blob.removesuffix(".md")}:
            return f"{name} is withheld: {report}"
    return f"there is no object {name!r}: name it by its path, its id, or its file; waypost page list shows all"


def set_alias(cache: PageMetaCache, entry: Entry, alias: str | None) -> None:
    """Give an object another alias: "" for none, None for the one its file's path implies. Its old addresses stay.

    Raises ContentError with the registry's row where the alias is reserved, and where another object has it.
    """
    if alias:
        alias = free_alias(cache, alias, entry)
    later = derived_alias(entry.name) if alias is None else alias
    set_keys(cache, entry, {"alias": alias, "redirect_from": addresses(cache, entry, later) or None})


def addresses(cache: PageMetaCache, entry: Entry, alias: str) -> list[str]:
    """Where an object was served until now, as `redirect_from` says it, but for the alias it has from now on."""
    found = list(entry.sayings.redirect_from)
    if entry.claim and cache.catalog.holder(entry.claim) is entry:
        found.append(unquote(entry.claim).strip("/") or "/")
    return [old for old in dict.fromkeys(found) if not alias or alias_claim(old) != alias_claim(alias)]


def free_alias(cache: PageMetaCache, alias: str, entry: Entry | None, *, is_judged: bool = False) -> str:
    """An alias in its one spelling, if an object may have it; `is_judged`: its characters were looked at already.

    Raises ContentError with the registry's row where it is reserved, and where another object has it.
    """
    found = alias if is_judged else canonical_alias(alias)
    if isinstance(found, AliasFault):
        raise ContentError(f"the alias {alias!r} {found.value}")
    row = refuses(found, cache.config.settings.admin_path, cache.config.settings.indexnow_key)
    if row is not None:
        is_admin = row == admin_row(cache.config.settings.admin_path)
        named = f" (registry row {row.name!r})" if row.name in row.why else " by [admin] path" if is_admin else ""
        raise ContentError(f"the alias {alias!r} is refused: {row.why}{named}")
    holder = cache.catalog.holder(alias_path(found))
    if holder is not None and holder is not entry:
        raise ContentError(f"the alias {alias!r} is refused: {holder.blob} has it")
    return found


def set_tags(cache: PageMetaCache, entry: Entry, tags: tuple[str, ...]) -> None:
    """Give an object these tags and no others."""
    for tag in tags:
        if not tag.strip() or not tag.isprintable():
            raise ContentError(f"{tag!r} is no tag: a tag is a word")
    set_keys(cache, entry, {"tags": list(dict.fromkeys(tags))})


def set_keys(cache: PageMetaCache, entry: Entry, changes: Mapping[str, Any]) -> str:
    """Set keys of an object's sidecar, which is made where there is none; None takes a key out.

    The sidecar's path below the content comes back. Raises ContentError where the sidecar cannot be changed, StoreError
    where the disk will not take it; the old one is whole then.
    """
    name, new = edited(cache, entry, changes)
    if new:
        write_file(f"{cache.tree.root}/{name}", new)
    return name


def edited(cache: PageMetaCache, entry: Entry, changes: Mapping[str, Any]) -> tuple[str, bytes]:
    """The path and the bytes of an object's sidecar with these keys set; no bytes where it needs none."""
    form = entry.form or "toml"
    name = f"{entry.blob}.{form}"
    try:
        data = read_file(f"{cache.tree.root}/{name}", SIDECAR_BYTES_MAX)[0] if entry.form else b""
        new = _EDITORS[form](data.decode("utf-8-sig"), dict(changes)).encode()
        if new.strip():
            read_sidecar(new, form)
        else:
            new = _EMPTY[form] if entry.form else b""
    except (OSError, ValueError, Unreadable) as error:
        raise ContentError(f"{name} cannot be changed: {error}") from None
    return name, new


def edit_toml(text: str, changes: dict[str, Any]) -> str:
    """A TOML document with these keys set, and those that are None taken out; the rest of it stays as it is."""
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise ValueError(str(error)) from None
    for key, value in changes.items():
        if value is not None:
            document[key] = value
        elif key in document:
            del document[key]
    return tomlkit.dumps(document)


def _edit_json(text: str, changes: dict[str, Any]) -> str:
    record = json.loads(text or "{}")
    record.update(changes)
    record = {key: value for key, value in record.items() if value is not None or key not in changes}
    return json.dumps(record, ensure_ascii=False, indent=2) + "\n"


def _edit_ron(text: str, changes: dict[str, Any]) -> str:
    try:
        return edit_ron(text, changes)
    except RonError as error:
        raise ValueError(f"line {error.line}: {error}") from None


_EDITORS: dict[str, Callable[[str, dict[str, Any]], str]] = {"toml": edit_toml, "json": _edit_json, "ron": _edit_ron}
_EMPTY = {"toml": b"# nothing said\n", "json": b"{}\n", "ron": b"()\n"}
