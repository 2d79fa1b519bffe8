"""TOML and YAML as values, before anybody asks what they mean: bounded, and every fault with its line."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any, ClassVar, Self

import yaml

from waypost.limits import YAML_ALIASES_MAX
from waypost.site.nesting import is_deep_toml, is_deep_yaml

__all__ = ["Unreadable", "read_toml", "read_utf8", "read_yaml", "write_yaml"]

_AT_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_TAG = "tag:yaml.org,2002:"
_INT = r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]+|0|[1-9][0-9_]*)"
_FLOAT = (
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_NUMBERS = {f"{_TAG}int": (_INT, "-+0123456789"), f"{_TAG}float": (_FLOAT, "-+0123456789.")}
"""Numbers as YAML 1.1 has them, without those to the base of 60: reading one takes the square of its length."""


class Unreadable(Exception):  # noqa: N818 - it is a verdict on a file, told to its owner, not an error of ours
    """Why a file cannot be used, and the line; caught by whoever reads objects, never seen by a caller."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.file = ""
        """The name of the file it is about, where that is not the object's blob."""

    def at(self, file: str) -> Self:
        """The same, about this file."""
        self.file = file
        return self


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc] # in C where there is one
    """The safe loader, which says on which line a value is none."""

    yaml_implicit_resolvers: ClassVar = {
        first: [(tag, pattern) for tag, pattern in rows if tag not in _NUMBERS]
        for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 - as it is called
        try:
            return super().construct_object(node, deep=deep)
        except ValueError as error:
            raise Unreadable(str(error), node.start_mark.line + 1) from None


for _tag, (_pattern, _first) in _NUMBERS.items():
    _Loader.add_implicit_resolver(_tag, re.compile(f"(?:{_pattern})$"), list(_first))


def read_utf8(data: bytes) -> str:
    """The text that bytes are."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("not UTF-8", data.count(b"\n", 0, error.start) + 1) from None


def read_toml(data: bytes) -> dict[str, Any]:
    """Read one TOML document."""
    text = read_utf8(data)
    if is_deep_toml(text):
        raise Unreadable("values are nested too deep", 1)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.search(str(error))
        line = int(found[1]) if found and found[1] else data.count(b"\n") + 1
        raise Unreadable(_AT_LINE.sub("", str(error)), line) from None
    except (RecursionError, ValueError) as error:
        # tomllib lets the ValueError of a number with too many digits through
        reason = "values are nested too deep" if isinstance(error, RecursionError) else str(error)
        raise Unreadable(reason, 1) from None


def read_yaml(data: bytes, texts: frozenset[str] | None = frozenset()) -> Any:
    """Read one YAML document; one that refers to itself too often, or says a key twice, is refused.

    Keys are text as they were written, and so is whatever stands below `texts` among the first ones (None: below all):
    YAML 1.1 would take `no` for a truth value and `1.10` for a number, and neither names the same thing again.
    """
    text = read_utf8(data)
    try:
        if "*" in text and "&" in text:
            _refuse_bomb(text)
        if is_deep_yaml(text):
            raise Unreadable("values are nested too deep", 1)
        loader = _Loader(text)
        try:
            top = loader.get_single_node()
            if top is None:
                return None
            _settle(top, texts)
            return loader.construct_document(top)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise Unreadable(error.problem or "not YAML", line) from None
    except (yaml.YAMLError, ValueError) as error:
        raise Unreadable(str(error).splitlines()[0] if str(error) else "not YAML", 1) from None
    except RecursionError:
        raise Unreadable("values are nested too deep", 1) from None


def write_yaml(value: object) -> str:
    """A value as one YAML document. Raises ValueError where YAML has no form for it, or nobody would read it."""
    try:
        return yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=10_000)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error)) from None


def _refuse_bomb(text: str) -> None:
    aliases = 0
    for token in yaml.scan(text, Loader=_Loader):
        aliases += isinstance(token, yaml.AliasToken)
        if aliases > YAML_ALIASES_MAX:
            raise Unreadable(f"more than {YAML_ALIASES_MAX} references", token.start_mark.line + 1)


def _settle(top: yaml.Node, texts: frozenset[str] | None) -> None:
    """Make text of the scalars that are wanted as text."""
    queue, seen = [(top, texts)], set[tuple[int, frozenset[str] | None]]()
    while queue:
        node, wanted = queue.pop()
        if (id(node), wanted) in seen:
            continue
        seen.add((id(node), wanted))
        if isinstance(node, yaml.MappingNode):
            queue += _settled(node, wanted)
        elif isinstance(node, yaml.SequenceNode):
            queue += [(item, wanted) for item in node.value]
        elif wanted is None and node.tag != f"{_TAG}null":
            node.tag = f"{_TAG}str"


def _settled(
    node: yaml.MappingNode, wanted: frozenset[str] | None
) -> Iterator[tuple[yaml.Node, frozenset[str] | None]]:
    """The values of a map whose keys are made text, each with what is wanted as text in it."""
    names: set[str] = set()
    for key, value in node.value:
        if key.tag == f"{_TAG}merge":
            yield value, wanted
        elif isinstance(key, yaml.ScalarNode):
            if key.value in names:
                raise Unreadable(f"the key {key.value} stands twice", key.start_mark.line + 1)
            names.add(key.value)
            key.tag = f"{_TAG}str"
            yield value, None if wanted is None or key.value in wanted else frozenset()
