"""The settings that are tables: tags, groups of robots.txt, and data files of robots.xml."""

import datetime as dt
import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import Any

from waypost.dates import DateForm, read_w3c
from waypost.errors import ConfigError
from waypost.formats.xmlmap import is_namespace
from waypost.publish.robots import group_fault
from waypost.publish.settings import DataFile, RobotsGroup
from waypost.site.access import Combine, Tag
from waypost.urls import quote_path, url_fault

__all__ = ["data_row", "keys_known", "moment", "robots_group", "tag_row", "text_list"]

_TAG = ("roles", "access")
_GROUP = ("agents", "disallow", "allow", "crawl_delay", "content_signal")
_DATA = ("url", "path", "namespace", "title", "lastmod")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]")


def keys_known(row: Any, known: Collection[str], where: str, what: str) -> dict[str, Any]:
    """A table whose keys are all known, or ConfigError naming the nearest."""
    if not isinstance(row, dict):
        raise ConfigError(f"{where}: {what} is a table, not {row!r}")
    for key in row:
        if key not in known:
            near = get_close_matches(key, known, n=1, cutoff=0.4)
            raise ConfigError(f"{where}: unknown key {key!r} in {what}; the nearest is {(near or list(known))[0]!r}")
    return row


def text_list(row: dict[str, Any], key: str, where: str) -> tuple[str, ...]:
    """A list of texts without control characters under a key; an absent one is empty."""
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{where}: {key} is a list of texts, not {value!r}")
    for item in value:
        if _UNPRINTABLE.search(item):
            raise ConfigError(f"{where}: {key} has a control character in {item!r}")
    return tuple(value)


def tag_row(name: str, row: Any, where: str) -> Tag:
    """`[tags.NAME]` as the table of tags holds it."""
    row = keys_known(row, _TAG, where, f"[tags.{name}]")
    access = row.get("access")
    if access not in (None, "union", "intersect"):
        raise ConfigError(f"{where}: access of the tag {name} is union or intersect, not {access!r}")
    roles = text_list(row, "roles", f"{where}: [tags.{name}]")
    return Tag(frozenset(roles), None if access is None else Combine(access))


def robots_group(row: Any, where: str, admin_path: str) -> RobotsGroup:
    """`[[robots.group]]`; a rule that would name the admin path is refused: robots.txt is public."""
    row = keys_known(row, _GROUP, where, "[[robots.group]]")
    agents = text_list(row, "agents", where)
    if not agents:
        raise ConfigError(f'{where}: a [[robots.group]] names its agents: agents = ["*"]')
    delay = row.get("crawl_delay")
    if delay is not None and (isinstance(delay, bool) or not isinstance(delay, int | float)):
        raise ConfigError(f"{where}: crawl_delay is a number of seconds, not {delay!r}")
    signal = row.get("content_signal", "")
    if not isinstance(signal, str):
        raise ConfigError(f"{where}: content_signal is a text, not {signal!r}")
    disallow, allow = (tuple(map(_rule, text_list(row, key, where))) for key in ("disallow", "allow"))
    group = RobotsGroup(agents, disallow, allow, None if delay is None else float(delay), signal)
    if fault := group_fault(group, admin_path):
        raise ConfigError(f"{where}: {fault}")
    return group


def _rule(text: str) -> str:
    """A rule as URLs are written; a blank at its end is likely none, and is refused."""
    return text.replace(" ", "%20") if text == text.strip() else text


def data_row(row: Any, where: str) -> DataFile:
    """`[[data]]`: a file of this host (`path`) or of any (`url`), for robots.xml."""
    row = keys_known(row, _DATA, where, "[[data]]")
    for key in ("url", "path", "namespace", "title"):
        if key in row and not isinstance(row[key], str):
            raise ConfigError(f"{where}: {key} of a [[data]] is a text, not {row[key]!r}")
    if ("url" in row) == ("path" in row):
        raise ConfigError(f"{where}: a [[data]] has either a url or a path")
    if not is_namespace(row.get("namespace", "")):
        raise ConfigError(f"{where}: a [[data]] names the namespace of what it lists: an absolute URI or a URN")
    return DataFile(_location(row, where), row["namespace"], row.get("title", ""), moment(row.get("lastmod"), where))


def _location(row: dict[str, Any], where: str) -> str:
    if "path" in row:
        path: str = row["path"] if row["path"].startswith("/") else f"/{row['path']}"
        if path.startswith("//") or len(path) == 1 or _UNPRINTABLE.search(path):
            raise ConfigError(f"{where}: path is that of a file of this root, not {row['path']!r}")
        path = path if path.isascii() and "%" in path else quote_path(path)
        if fault := url_fault(f"https://example.org{path}"):
            raise ConfigError(f"{where}: the path {path!r} {fault.value}")
        return path
    url: str = row["url"]
    if fault := url_fault(url):
        raise ConfigError(f"{where}: the url {url!r} {fault.value}")
    return url


def moment(value: Any, where: str) -> float | None:
    """A date as TOML or W3C date-time writes it, in seconds since 1970."""
    if value is None:
        return None
    text = value.isoformat() if isinstance(value, dt.date) else value
    reading = read_w3c(text) if isinstance(text, str) else None
    if reading is None or reading.form is DateForm.INVALID:
        raise ConfigError(f"{where}: {value!r} is not a date such as 2026-01-20")
    return reading.timestamp
