"""Colours for code, made on the server as classes a style sheet knows.

Each language is one expression, made from `languages.toml`, that only ever goes forward: no code, however hostile,
costs more than its length. That, and thirty times the speed, is why no general lexer does this; a language that is not
in the table is shown as it is.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from waypost.limits import CODE_CHARS_MAX

__all__ = ["highlighted", "languages"]

_PART = re.compile(r"<([a-z ]{3,})>")
_Paint = Callable[[str], str]


@cache
def languages() -> Mapping[str, Mapping[str, Any]]:
    """How each language is coloured, by every name it goes by."""
    table = tomllib.loads((files("waypost.site") / "languages.toml").read_text("utf-8"))
    parts = table.pop("parts")
    for language in table.values():
        scan = "|".join(language["scan"])
        language["scan"] = _PART.sub(lambda found: parts[found[1]], scan)
    return {name: table[own] for own in table for name in (own, *table[own].get("names", "").split())}


@cache
def _painter(name: str) -> _Paint:
    language = languages()[name]
    fold = str.lower if language.get("ignores_case") else str
    scan = re.compile(language["scan"], re.MULTILINE | re.DOTALL)
    opening = {group: f'<span class="{group[0]}">' for group in scan.groupindex if group != "w"}
    named = dict.fromkeys(language.get("values", "").split(), '<span class="v">')
    named |= dict.fromkeys(language.get("keywords", "").split(), '<span class="k">')

    def painted(found: re.Match[str]) -> str:
        group, text = found.lastgroup or "w", found[0]
        if group == "x":  # what stands behind a prompt
            return f"{opening['c']}{found['c']}</span>{found['x']}"
        span = opening.get(group) if group not in "fw" else named.get(fold(text)) or opening.get(group)
        return f"{span}{text}</span>" if span else text

    return lambda code: scan.sub(painted, code)


def highlighted(escaped: str, language: str) -> str:
    """Code, as it was escaped for HTML, with its words in spans where the language is known.

    >>> highlighted("x = None", "python")
    'x = <span class="v">None</span>'
    """
    if language not in languages() or len(escaped) > CODE_CHARS_MAX:
        return escaped
    return _painter(language)(escaped.replace("&quot;", '"'))
