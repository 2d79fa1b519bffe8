"""From `waypost.toml`, the environment and options to `Settings`: strict, and every fault names its line.

An option counts more than the environment, the environment more than the file, the file more than the default.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from ipaddress import ip_network
from typing import Any, TypeVar

from waypost.errors import ConfigError
from waypost.limits import CONFIG_BYTES_MAX
from waypost.publish.canonical import AliasFault, canonical_alias
from waypost.site.config_tables import data_row, robots_group, tag_row
from waypost.site.content import read_file
from waypost.site.naming import is_language
from waypost.site.notation import Unreadable, read_toml
from waypost.site.settings import OPINIONS, SETTINGS, TABLES, Setting, Settings

__all__ = ["CONFIG_FILE", "Configuration", "configure", "not_blank", "parse_toml", "read_config"]

CONFIG_FILE = "waypost.toml"

T = TypeVar("T")

_BY_NAME: dict[str, Setting] = {row.name: row for row in SETTINGS}
_BY_VARIABLE: dict[str, Setting] = {row.variable: row for row in SETTINGS}
_INDEXNOW_KEY = re.compile(r"[A-Za-z0-9-]{8,128}")
_NETWORKS = frozenset({"server.trusted_proxies", "server.operators"})
_SECTIONS = {name.partition(".")[0] for name in (*_BY_NAME, *TABLES) if "." in name}
_OTHER_VARIABLES = frozenset(("WAYPOST_ROOT", "WAYPOST_SITES", "WAYPOST_STATE", "WAYPOST_TRACEBACK"))
_WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Configuration:
    """Settings, and of each where it was set: `default`, `waypost.toml:3`, an environment variable, or `option`."""

    settings: Settings
    origins: Mapping[str, str]


def parse_toml(data: bytes, source: str) -> dict[str, Any]:
    """A TOML file as a dictionary; ConfigError with the line where it is not one."""
    try:
        return read_toml(data)
    except Unreadable as fault:
        reason = f"{fault.reason[:1].lower()}{fault.reason[1:]}"
        raise ConfigError(f"{source}:{fault.line}: {reason}") from None


def read_config(path: str, name: str) -> tuple[bytes, os.stat_result] | None:
    """A file of settings, and its status; None where it is gone. Raises ConfigError where it cannot be read."""
    try:
        data, status = read_file(path, CONFIG_BYTES_MAX + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{name} cannot be read: {(error.strerror or str(error)).lower()}") from None
    if len(data) > CONFIG_BYTES_MAX:
        raise ConfigError(f"{name} is larger than {CONFIG_BYTES_MAX:,} bytes")
    return data, status


def not_blank(data: bytes | None, name: str) -> bytes:
    """What was good before; empty or gone, a file is about to be written. Raises ConfigError, for it is no good."""
    if data is None or not data.strip():
        raise ConfigError(f"{name} is {'gone' if data is None else 'empty'}")
    return data


def configure(
    data: bytes | None,
    *,
    environment: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    source: str = CONFIG_FILE,
) -> Configuration:
    """Settings from the bytes of a file (None: there is none), the environment, and options by their dotted names."""
    text = "" if data is None else data.decode("utf-8-sig", "replace")
    table = {} if data is None else parse_toml(data, source)
    lines = _Lines(text, source)
    values: dict[str, Any] = {}
    origins = dict.fromkeys((*_BY_NAME, *TABLES), "default")
    for name, value in _flat(table, lines):
        row = _BY_NAME.get(name)
        values[row.field if row else name] = _checked(row, value, lines.at(name)) if row else value
        origins[name] = lines.at(name)
    for row, words in _from_environment(environment or {}):
        values[row.field] = _checked(row, _spelled(row, words), row.variable)
        origins[row.name] = row.variable
    for name, value in (options or {}).items():
        row = _known(name, "option")
        values[row.field] = _checked(row, value, f"option {name}")
        origins[name] = "option"
    return Configuration(_settings(values, lines), origins)


def _settings(values: dict[str, Any], lines: "_Lines") -> Settings:
    values["home"] = _path(values.get("home", ""), "home", lines)
    said = values.get("admin_path", "")
    admin = values["admin_path"] = _path(said, "admin.path", lines)
    if (said and not admin) or "://" in said:
        raise ConfigError(f"{lines.at('admin.path')}: admin.path is a path of this site other than /")
    if values.get("lang") and not is_language(values["lang"]):
        raise ConfigError(f"{lines.at('lang')}: lang is a language such as en or pt-BR, not {values['lang']!r}")
    if (key := values.get("indexnow_key", "")) and not _INDEXNOW_KEY.fullmatch(key):
        raise ConfigError(f"{lines.at('indexnow.key')}: indexnow.key is 8 to 128 letters, digits and -, not {key!r}")
    tags, groups, data = (values.pop(name, None) for name in TABLES)
    return Settings(
        **values,
        tags=_table(tags, lines, tag_row),
        groups=_rows(groups, "robots.group", lines, lambda row, where: robots_group(row, where, admin)),
        data=_rows(data, "data", lines, data_row),
    )


def _path(text: str, name: str, lines: "_Lines") -> str:
    alias = canonical_alias(text)
    if isinstance(alias, AliasFault):
        raise ConfigError(f"{lines.at(name)}: {name} {alias.value}")
    return alias


def _table(value: Any, lines: "_Lines", read: Callable[[str, Any, str], T]) -> dict[str, T]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{lines.at('tags')}: tags is a table: write [tags.NAME]")
    return {name: read(name, row, lines.at(f"tags.{name}", "tags")) for name, row in value.items()}


def _rows(value: Any, name: str, lines: "_Lines", read: Callable[[Any, str], T]) -> tuple[T, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ConfigError(f"{lines.at(name)}: this is a list of tables: write it with two brackets, [[…]]")
    return tuple(read(row, lines.at(f"{name}[{number}]", name)) for number, row in enumerate(value))


def _flat(table: dict[str, Any], lines: "_Lines", prefix: str = "") -> list[tuple[str, Any]]:
    """The file's keys by their dotted names; an unknown one is refused with the nearest known."""
    pairs: list[tuple[str, Any]] = []
    for key, value in table.items():
        name = prefix + key
        if name in _BY_NAME or name in TABLES:
            pairs.append((name, value))
        elif name in OPINIONS:
            continue
        elif name in _SECTIONS and isinstance(value, dict):
            pairs += _flat(value, lines, f"{name}.")
        elif name in _SECTIONS:
            raise ConfigError(f"{lines.at(name)}: {name} is a table: write [{name}], and its keys below")
        else:
            raise ConfigError(f"{lines.at(name)}: {_unknown(name)}")
    return pairs


def _known(name: str, what: str) -> Setting:
    row = _BY_NAME.get(name)
    if row is None:
        raise ConfigError(f"{what}: {_unknown(name)}")
    return row


def _unknown(name: str) -> str:
    near = get_close_matches(name, (*_BY_NAME, *TABLES, *OPINIONS, *_SECTIONS), n=1, cutoff=0.4)
    advice = f"; the nearest is {near[0]!r}" if near else f"; known are {', '.join(sorted({*_BY_NAME, *TABLES}))}"
    return f"unknown setting {name!r}{advice}"


def _from_environment(environment: Mapping[str, str]) -> list[tuple[Setting, str]]:
    found: list[tuple[Setting, str]] = []
    for variable in sorted(environment):
        if not variable.startswith("WAYPOST_") or variable in _OTHER_VARIABLES:
            continue
        row = _BY_VARIABLE.get(variable)
        if row is None:
            near = get_close_matches(variable, _BY_VARIABLE, n=1, cutoff=0.4)
            advice = f"; the nearest is {near[0]}" if near else ""
            raise ConfigError(f"the environment: unknown setting {variable}{advice}")
        found.append((row, environment[variable]))
    return found


def _spelled(row: Setting, words: str) -> Any:
    """The value an environment variable's text spells."""
    if row.kind is tuple:
        return [word.strip() for word in words.split(",") if word.strip()]
    if row.kind is bool:
        return _WORDS.get(words.strip().lower(), words)
    if row.kind is int and re.fullmatch(r"\s*[+-]?\d{1,18}\s*", words):
        return int(words)
    return words


def _checked(row: Setting, value: Any, where: str) -> Any:
    """The value as its type, or ConfigError in words."""
    if issubclass(row.kind, Enum):
        choices = [member.value for member in row.kind]
        if value not in choices:
            raise ConfigError(f"{where}: {row.name} is one of {', '.join(choices)}, not {value!r}")
        return row.kind(value)
    if row.kind is tuple:
        if not isinstance(value, Sequence) or isinstance(value, str) or not all(isinstance(v, str) for v in value):
            raise ConfigError(f"{where}: {row.name} is a list of texts, not {value!r}")
        return _networks(row, tuple(value), where) if row.name in _NETWORKS else tuple(value)
    if type(value) is not row.kind:
        wanted = {str: "a text", int: "a whole number", bool: "true or false"}[row.kind]
        raise ConfigError(f"{where}: {row.name} is {wanted}, not {value!r}")
    return _in_range(row, value, where) if isinstance(value, int) else value


def _networks(row: Setting, value: tuple[str, ...], where: str) -> tuple[str, ...]:
    for network in value:
        try:
            ip_network(network.strip(), strict=False)
        except ValueError:
            raise ConfigError(f"{where}: {row.name} holds {network!r}, which is no address or network") from None
    return value


def _in_range(row: Setting, value: int, where: str) -> int:
    if row.least is not None and value < row.least:
        raise ConfigError(f"{where}: {row.name} is at least {row.least:,}, not {value:,}")
    if row.most is not None and value > row.most:
        raise ConfigError(f"{where}: {row.name} is at most {row.most:,}, not {value:,}")
    return value


class _Lines:
    """Where in a TOML text a dotted key is set; the reader of the standard library does not say."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.lines: dict[str, int] = {}
        section, rows = "", Counter[str]()
        for number, line in enumerate(text.splitlines(), 1):
            if header := re.match(r"\s*(\[\[?)\s*([^\]\[]+?)\s*\]", line):
                section = _bare(header[2])
                self._note(section, number)
                if header[1] == "[[":
                    self.lines[f"{section}[{rows[section]}]"] = number
                    rows[section] += 1
            elif key := re.match(r"\s*([\w\-.\"' ]+?)\s*=", line):
                name = _bare(key[1])
                self._note(f"{section}.{name}" if section else name, number)

    def _note(self, name: str, number: int) -> None:
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            self.lines.setdefault(".".join(parts[:end]), number)

    def at(self, name: str, otherwise: str = "") -> str:
        """`waypost.toml:3`, or the file's name alone where neither key is found."""
        line = self.lines.get(_bare(name)) or self.lines.get(otherwise)
        return f"{self.source}:{line}" if line else self.source


def _bare(name: str) -> str:
    """A key without what may be written around its parts."""
    return re.sub(r"[\s\"']", "", name)
