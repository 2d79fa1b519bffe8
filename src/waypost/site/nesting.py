"""How deep a text would nest, told before a parser is let at it: libyaml ends the process, tomllib never ends."""

import re

import yaml

from waypost.limits import SIDECAR_DEPTH_MAX, TOML_KEY_PARTS_MAX

__all__ = ["is_deep_toml", "is_deep_yaml"]

_INDENT = re.compile(r"^[ \t?:-]+", re.MULTILINE)
"""What a line has before its first word: each level of a block takes a column of it, or shares one with a list."""
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_DOTTED = re.compile(rf"""(?<![\w"'-])(?:{_PART}[ \t]*+\.[ \t]*+){{{TOML_KEY_PARTS_MAX}}}""")


def is_deep_yaml(text: str) -> bool:
    """Whether a YAML document nests deeper than SIDECAR_DEPTH_MAX.

    >>> is_deep_yaml("a: [b, {c: d}]"), is_deep_yaml("[" * 1_000), is_deep_yaml("- " * 1_000 + "a")
    (False, True, True)
    """
    indent = max((found.end() - found.start() for found in _INDENT.finditer(text)), default=0)
    if 2 * (indent + 1) + text.count("[") + text.count("{") <= SIDECAR_DEPTH_MAX:
        return False
    depth = 0
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > SIDECAR_DEPTH_MAX:
                return True
    except yaml.YAMLError:
        return False  # so it ends before it is deep, and its reader says what is wrong with it
    return False


def is_deep_toml(text: str) -> bool:
    """Whether a TOML document has a key of more than TOML_KEY_PARTS_MAX parts, which takes ages to read.

    >>> is_deep_toml("a.b = 1"), is_deep_toml("a." * 16 + "a = 1")
    (False, True)
    """
    return _DOTTED.search(text) is not None
