"""The theme: pages from templates, and the assets they name by their content's hash."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from importlib.resources import files
from mimetypes import guess_type
from typing import Any

from markupsafe import Markup

from waypost.web.templates import Own, render_own, render_template

__all__ = ["ASSETS", "Asset", "asset_at", "asset_named", "json_ld", "render_safely"]

_PREFIX = "/_waypost/"
_OWN = ("style.css", "icon.svg", "favicon.ico")


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the theme, served for ever under a URL that holds its hash."""

    path: str
    media: str
    body: bytes


def _asset(name: str) -> Asset:
    body = (files("waypost.web") / "theme" / name).read_bytes()
    stem, _, ending = name.rpartition(".")
    digest = blake2b(body, digest_size=6).hexdigest()
    media = guess_type(name)[0] or "application/octet-stream"
    return Asset(f"{_PREFIX}{stem}.{digest}.{ending}", media, body)


ASSETS: Mapping[str, Asset] = {name: _asset(name) for name in _OWN}
"""The package's own assets, by name."""
_BY_PATH = {asset.path: asset for asset in ASSETS.values()}


def asset_at(path: str, own: Own | None = None) -> Asset | None:
    """The asset at a path, the package's or one of a root's own theme."""
    if path in _BY_PATH:
        return _BY_PATH[path]
    for name in _OWN:
        replaced = _replaced(own, name)
        if replaced is not None and replaced.path == path:
            return replaced
    return None


def asset_named(name: str, own: Own | None = None) -> Asset:
    """The asset of that name, a root's own where it has one."""
    return _replaced(own, name) or ASSETS[name]


def _replaced(own: Own | None, name: str) -> Asset | None:
    """A root's own file in place of one of ours, as it is on the disk now."""
    body = own._replace(folders=own.folders[-1:]).read(name) if own else None
    if body is None:
        return None
    stem, _, ending = name.rpartition(".")
    return Asset(f"{_PREFIX}{stem}.{blake2b(body, digest_size=6).hexdigest()}.{ending}", ASSETS[name].media, body)


def render_safely(name: str, own: Own | None, values: Mapping[str, Any]) -> tuple[bytes, str]:
    """A page; where the root's own template fails, ours is shown, and what is wrong with theirs is said."""

    def asset(name: str) -> str:
        return asset_named(name, own).path

    if own is None:
        return render_template(name, {**values, "asset": asset}), ""
    try:
        return render_own(name, own, {**values, "asset": asset}), ""
    except Exception as error:  # noqa: BLE001
        # An owner's template may fail in any way there is; a page must not.
        where = getattr(error, "lineno", None)
        said = f"{getattr(error, 'name', None) or name}{f':{where}' if where else ''}: {error}"
        return render_template(name, {**values, "asset": asset}), said


def json_ld(facts: Mapping[str, Any]) -> Markup:
    """Structured data as it may stand inside a script element: no `<` can end it early."""
    text = json.dumps({"@context": "https://schema.org", **facts}, ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S704 - JSON
