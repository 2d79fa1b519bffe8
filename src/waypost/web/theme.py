"""The theme: templates, one by one replaceable by a root's own, and the assets they name by their content's hash.

A root's templates run in jinja2's sandbox and see values only. Nothing rendered is kept.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, PackageLoader, PrefixLoader
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from waypost.limits import THEME_ASSET_BYTES_MAX, THEMES_OPEN_MAX

__all__ = ["ASSETS", "Asset", "asset_at", "asset_named", "json_ld", "render_safely", "render_template"]

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


def asset_at(path: str, own: str = "") -> Asset | None:
    """The asset at a path, the package's or one of a root's own theme."""
    if path in _BY_PATH:
        return _BY_PATH[path]
    for name in _OWN:
        replaced = _replaced(own, name)
        if replaced is not None and replaced.path == path:
            return replaced
    return None


def asset_named(name: str, own: str = "") -> Asset:
    """The asset of that name, a root's own where it has one."""
    return _replaced(own, name) or ASSETS[name]


def _replaced(own: str, name: str) -> Asset | None:
    """A root's own file in place of one of ours, as it is on the disk now."""
    if not own:
        return None
    try:
        with Path(own, name).open("rb") as stream:
            body = stream.read(THEME_ASSET_BYTES_MAX + 1)
    except OSError:
        return None
    if len(body) > THEME_ASSET_BYTES_MAX:
        return None
    stem, _, ending = name.rpartition(".")
    return Asset(f"{_PREFIX}{stem}.{blake2b(body, digest_size=6).hexdigest()}.{ending}", ASSETS[name].media, body)


@lru_cache(maxsize=THEMES_OPEN_MAX)
def _environment(own: tuple[str, ...]) -> Environment:
    """Ours alone need no sandbox, which doubles what a page costs; a root's own never leave it."""
    loaders: list[BaseLoader] = [FileSystemLoader(folder) for folder in own]
    built_in = PackageLoader("waypost.web", "theme")
    loader = ChoiceLoader([*loaders, built_in, PrefixLoader({"waypost": built_in})])
    kind = ImmutableSandboxedEnvironment if own else Environment
    return kind(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, auto_reload=bool(own))


def render_template(name: str, own: tuple[str, ...], values: Mapping[str, Any]) -> bytes:
    """A template with these values, the root's own where it has one.

    Raises whatever a root's own template makes go wrong; ours always can be rendered. A root's `page.html` may extend
    the built-in one as `waypost/page.html`.
    """

    def asset(name: str) -> str:
        return asset_named(name, own[-1] if own else "").path

    return _environment(own).get_template(name).render(values, asset=asset).encode("utf-8", "replace")


def render_safely(name: str, own: tuple[str, ...], values: Mapping[str, Any]) -> tuple[bytes, str]:
    """The same; where the root's own template fails, ours is shown, and what is wrong with theirs is said."""
    try:
        return render_template(name, own, values), ""
    except Exception as error:
        # An owner's template may fail in any way there is; a page must not.
        if not own:
            raise
        where = getattr(error, "lineno", None)
        said = f"{getattr(error, 'name', None) or name}{f':{where}' if where else ''}: {error}"
        return render_template(name, (), values), said


def json_ld(facts: Mapping[str, Any]) -> Markup:
    """Structured data as it may stand inside a script element: no `<` can end it early."""
    text = json.dumps({"@context": "https://schema.org", **facts}, ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S704 - JSON
