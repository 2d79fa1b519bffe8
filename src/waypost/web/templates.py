"""Templates: ours, and a root's own in their place, one by one, in a sandbox with a bound on what they take.

A root's templates are read through no link and see values only. What they make is compared with the disk each time, so
that a template that comes, changes or goes counts at the next request. Nothing rendered is kept.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache
from importlib.resources import files
from time import monotonic
from typing import Any, NamedTuple

from jinja2 import BaseLoader, Environment, TemplateNotFound, nodes
from jinja2.exceptions import SecurityError
from jinja2.loaders import split_template_path
from jinja2.sandbox import ImmutableSandboxedEnvironment

from waypost.limits import (
    THEME_ASSET_BYTES_MAX,
    THEME_PAGE_CHARS_MAX,
    THEME_SECONDS_MAX,
    THEMES_OPEN_MAX,
)
from waypost.site.content import read_file

__all__ = ["Own", "render_own", "render_template"]

_BUILT_IN = "waypost/"
"""What a root's template writes before the name of one of ours, to extend it."""
_COUNTED = "_counted"
_FACTOR_MAX, _POWER_MAX = 1 << 64, 1_000
_deadline: ContextVar[float] = ContextVar("deadline", default=0.0)


class Own(NamedTuple):
    """Where a root's own templates are: the root without links, and folders below it, the first one first."""

    root: str
    folders: tuple[str, ...]

    def read(self, name: str) -> bytes | None:
        """A file of the theme as it is on the disk now; None where it is none, is a link, or is too long."""
        for folder in self.folders:
            try:
                data, _ = read_file(f"{folder}/{name}", THEME_ASSET_BYTES_MAX + 1, self.root)
            except OSError:
                continue
            if len(data) <= THEME_ASSET_BYTES_MAX:
                return data
        return None


class _Loader(BaseLoader):
    """A root's own template where it has one, and else ours; `waypost/NAME` is always ours."""

    def __init__(self, own: Own | None) -> None:
        self._own = own

    def get_source(self, _: Environment, template: str) -> tuple[str, str | None, Callable[[], bool]]:
        """A template's text, and whether it is still that."""
        name = "/".join(split_template_path(template))
        own = None if name.startswith(_BUILT_IN) else self._own
        data = own.read(name) if own else None
        if data is not None:
            return data.decode("utf-8-sig"), None, lambda: own is not None and own.read(name) == data
        ours = files("waypost.web") / "theme" / name.removeprefix(_BUILT_IN)
        if not ours.is_file():
            raise TemplateNotFound(template)
        return ours.read_text("utf-8"), None, lambda: own is None or own.read(name) is None


class _Sandbox(ImmutableSandboxedEnvironment):
    """What a root's own templates run in: values only, and neither time nor room without end."""

    intercepted_binops = frozenset({"*", "**"})

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, _COUNTED, [], [], None, None, lineno=loop.lineno)
        return tree

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Call something, as long as there is time."""
        _tick()
        return super().call(*args, **kwargs)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Multiply what stays small."""
        sizes = [len(side) for side in (left, right) if hasattr(side, "__len__")]
        number = max((abs(side) for side in (left, right) if not hasattr(side, "__len__")), default=0)
        most = THEME_PAGE_CHARS_MAX // max(sizes[0], 1) if sizes else _POWER_MAX if operator == "**" else _FACTOR_MAX
        if number > most:
            raise SecurityError(f"{operator} would make something too large")
        return super().call_binop(context, operator, left, right)


def _tick() -> None:
    if monotonic() > _deadline.get():
        raise SecurityError(f"it takes longer than {THEME_SECONDS_MAX:g} seconds")


def _counted(items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        _tick()
        yield item


@lru_cache(maxsize=THEMES_OPEN_MAX)
def _environment(own: Own | None) -> Environment:
    """Ours alone need no sandbox, which doubles what a page costs; a root's own never leave it."""
    kind = _Sandbox if own else Environment
    made = kind(loader=_Loader(own), autoescape=True, trim_blocks=True, lstrip_blocks=True, auto_reload=bool(own))
    made.filters[_COUNTED] = _counted
    return made


def render_template(name: str, values: Mapping[str, Any]) -> bytes:
    """One of our own templates with these values."""
    return _environment(None).get_template(name).render(values).encode("utf-8", "replace")


def render_own(name: str, own: Own, values: Mapping[str, Any]) -> bytes:
    """A template with these values, the root's own where it has one. Raises whatever that one makes go wrong."""
    started = _deadline.set(monotonic() + THEME_SECONDS_MAX)
    try:
        pieces, room = [], THEME_PAGE_CHARS_MAX
        for piece in _environment(own).get_template(name).generate(values):
            pieces.append(piece)
            room -= len(piece)
            if room < 0:
                raise SecurityError(f"it writes more than {THEME_PAGE_CHARS_MAX:,} characters")
            _tick()
        return "".join(pieces).encode("utf-8", "replace")
    finally:
        _deadline.reset(started)
