"""Templates: ours, and a root's own in their place, one by one, in a sandbox with a bound on what they take.

A root's templates are read through no link and see values only. What they make is compared with the disk each time, so
that a template that comes, changes or goes counts at the next request. Nothing rendered is kept.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache
from importlib.resources import files
from time import monotonic
from typing import Any, NamedTuple

from jinja2 import BaseLoader, Environment, TemplateNotFound, nodes, pass_eval_context
from jinja2.exceptions import SecurityError
from jinja2.filters import do_join, do_replace
from jinja2.loaders import split_template_path
from jinja2.nodes import EvalContext
from jinja2.runtime import markup_join, str_join
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

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
_COUNTED, _JOINED = "_counted", "_joined"
_PADDING = frozenset({"center", "expandtabs", "format", "format_map", "ljust", "rjust", "zfill"})
"""Methods of texts that make one as long as they are told to; HTML has no use for any."""
_PADDING_FILTERS = ("center", "format", "indent", "wordwrap")
_WIDE = re.compile(r"%[^a-zA-Z%]*(?:\d{4}|\*)")
"""A text for `%` that is told a width no number on a page has."""
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
    """What a root's own templates run in: values only, and neither time nor texts without end.

    Bounded are the time at each step of a loop and each call, and each text that is made of others. Not bounded is how
    much room a list of lists takes that is written as text.
    """

    intercepted_binops = frozenset({"*", "**", "+", "%"})

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, _COUNTED, [], [], None, None, lineno=loop.lineno)
        return _Joins().visit(tree)  # type: ignore[no-any-return] # it gives back what it was given, changed

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template may have an attribute of something."""
        return not (isinstance(obj, str) and attr in _PADDING) and super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> None:
        """Refuse `format`, of which the sandbox would make one that reaches nothing but is as long as it is told."""
        if super().wrap_str_format(value) is not None:
            raise SecurityError("it uses format, which could make something too large; write ~ instead")

    def call(self, context: Any, called: Any, *args: Any, **kwargs: Any) -> Any:
        """Call something, as long as there is time."""
        _tick()
        subject = getattr(called, "__self__", None)
        if isinstance(subject, str) and called.__name__ == "join" and args:
            args = (_joinable(args[0], subject), *args[1:])
        elif isinstance(subject, str) and called.__name__ == "replace":
            _refuse_growth(subject, *args)
        return super().call(context, called, *args, **kwargs)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Calculate what stays small."""
        if operator == "%":
            if isinstance(left, str) and _WIDE.search(left):
                raise SecurityError(f"{left[:20]!r} would make something too large")
            return super().call_binop(context, operator, left, right)
        if operator == "+":
            if hasattr(left, "__len__") and hasattr(right, "__len__"):
                _refuse(len(left) + len(right))
            return super().call_binop(context, operator, left, right)
        sizes = [len(side) for side in (left, right) if hasattr(side, "__len__")]
        number = max((abs(side) for side in (left, right) if not hasattr(side, "__len__")), default=0)
        most = THEME_PAGE_CHARS_MAX // max(sizes[0], 1) if sizes else _POWER_MAX if operator == "**" else _FACTOR_MAX
        if number > most:
            raise SecurityError(f"{operator} would make something too large")
        return super().call_binop(context, operator, left, right)


class _Joins(NodeTransformer):
    """`~` as a filter, for it is no operator that can be intercepted."""

    def visit_Concat(self, node: nodes.Concat) -> nodes.Filter:  # noqa: N802 - so it is called
        """The filter in its place."""
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, _JOINED, [], [], None, None, lineno=node.lineno)


@pass_eval_context
def _joined(context: EvalContext, parts: list[Any]) -> str:
    parts = _joinable(parts)
    joined: str = markup_join(parts) if context.autoescape else str_join(parts)
    return joined


@pass_eval_context
def _bounded_join(context: EvalContext, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> str:
    joined: str = do_join(context, _joinable(value, d) if attribute is None else value, d, attribute)
    return joined


@pass_eval_context
def _bounded_replace(context: EvalContext, text: str, old: str, new: str, count: int | None = None) -> str:
    _refuse_growth(text, old, new)
    return do_replace(context, text, old, new, count)


def _joinable(parts: Iterable[Any], between: str = "") -> list[Any]:
    """The parts, of which one text is made that is not too long."""
    known, size = [], 0
    for part in parts:
        known.append(part)
        size += len(between) + (len(part) if isinstance(part, str) else 0)
        _refuse(size)
    return known


def _refuse_growth(text: Any, old: Any = "", new: Any = "", *_: Any) -> None:
    """Refuse to replace something by what would make a text too long."""
    if isinstance(text, str) and isinstance(old, str) and isinstance(new, str):
        _refuse((text.count(old) if old else len(text) + 1) * len(new))


def _refuse(size: int) -> None:
    if size > THEME_PAGE_CHARS_MAX:
        raise SecurityError("it would make something too large")


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
    made.filters |= {_COUNTED: _counted, _JOINED: _joined}
    if own:
        made.filters |= {"join": _bounded_join, "replace": _bounded_replace}
        for name in _PADDING_FILTERS:
            del made.filters[name]
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
