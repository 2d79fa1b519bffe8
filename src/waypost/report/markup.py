"""HTML and SVG as values: whatever is not made here is text, and text is escaped, for eyes and for parsers."""

import html
from collections.abc import Iterable

from waypost.report.words import shown

__all__ = ["Child", "Markup", "el", "join", "raw"]

_VOID = frozenset({"br", "hr", "input", "link", "meta", "col"})


class Markup(str):
    """Text that is markup already: only `el`, `join` and `raw` make it."""

    __slots__ = ()


Child = Markup | str | int | None
Attr = str | float | bool | None


def raw(text: str) -> Markup:
    """Markup of our own making, as it stands: a style sheet, a script, JSON that is escaped for its place."""
    return Markup(text)


def join(parts: Iterable[Child]) -> Markup:
    """Several pieces as one."""
    return Markup("".join(_child(part) for part in parts))


def el(name: str, /, *children: Child, **attrs: Attr) -> Markup:
    """An element. `class_` is class, `data_x` is data-x; False and None leave an attribute out, True has no value.

    >>> el("p", "a < b", class_="note", hidden=True)
    '<p class="note" hidden>a &lt; b</p>'
    """
    head = f"<{name}{''.join(_attr(key, value) for key, value in attrs.items())}>"
    return Markup(head if name in _VOID else f"{head}{join(children)}</{name}>")


def _child(part: Child) -> str:
    if part is None:
        return ""
    if isinstance(part, Markup):
        return part
    return html.escape(shown(part), quote=False) if isinstance(part, str) else f"{part:,}"


def _attr(key: str, value: Attr) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    text = f"{value:g}" if isinstance(value, float) else shown(str(value))
    return f' {name}="{html.escape(text)}"'
