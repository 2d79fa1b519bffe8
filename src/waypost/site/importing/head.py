"""Front matter of other programs, and what it says in ours."""

import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from waypost.dates import DateForm, read_w3c, write_w3c
from waypost.site.importing.plan import Leaf, Plan
from waypost.site.notation import Unreadable, read_yaml, write_yaml
from waypost.site.sidecar import ELSEWHERE, KEYS, read_front_table

__all__ = ["texts_of", "translate", "with_head"]

_DATES = ("date", "published", "updated")
_DEPTH_MAX = 4
_ZONE = re.compile(r"[ \t]+(?=[+-]\d\d:?\d\d$|Z$|UTC$)")
_FOR: Mapping[str, tuple[str, ...]] = {
    "title": ("title",),
    "nav_title": ("nav_title", "linkTitle", "linktitle", "sidebar_label", "short_title"),
    "description": ("description", "summary", "excerpt", "subtitle"),
    "published": ("publishDate", "publishdate", "pubdate", "published", "date"),
    "updated": ("lastmod", "updated", "last_modified_at", "modified", "dateModified"),
    "nav_order": ("nav_order", "weight", "order", "sidebar_position", "menu_order"),
    "lang": ("lang", "language"),
}
"""Our keys, and those that mean the same elsewhere, the best first."""
_LISTS: Mapping[str, tuple[str, ...]] = {
    "tags": ("tags", "tag", "categories", "category"),
    "images": ("images", "image", "cover", "featured_image", "featuredImage", "thumbnail"),
}
_OURS = frozenset(key for names in (*_FOR.values(), *_LISTS.values()) for key in names) | {"draft", "noindex"}
_HIDING = frozenset(
    {"private", "robots", "meta_robots", "sitemap", "headless", "build", "_build", "expiryDate", "expirydate"}
)
"""Keys that may hide a page."""


def with_head(text: str, source: str, target: str) -> tuple[Leaf, dict[str, Any]]:
    """A page's text parted from its front matter in YAML, TOML or JSON. Raises Unreadable where that cannot be read."""
    data = text.encode()
    found = read_front_table(data)
    if found is not None:
        value, _, length = found
    elif text.startswith(("{\n", '{"')):
        value, length = _json(text)
    else:
        return Leaf(source, target, {}, text), {}
    if value is not None and not isinstance(value, dict):
        raise Unreadable("the front matter is not a table of keys", 1)
    body = data[length:].decode()
    table = {str(key): said for key, said in (value or {}).items()}
    return Leaf(source, target, {}, body, first_line=text.count("\n") - body.count("\n") + 1), table


def _json(text: str) -> tuple[object, int]:
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        raise Unreadable("the front matter is not JSON", 1) from None
    return value, len(text[:end].encode())


def translate(plan: Plan, leaf: Leaf, table: Mapping[str, Any], now: float, *, addresses: tuple[str, ...]) -> None:
    """Fill a page's head from another program's; `addresses` are keys that the shape itself reads."""
    head, seen = leaf.head, Counter[str]()
    for key, names in _FOR.items():
        for name in names:
            value = _VALUES.get(key, _text)(table[name]) if name in table else None
            if value is not None:
                head[key] = value
                seen[name] += 1
                break
            if table.get(name) and not isinstance(table[name], bool | list | dict):
                plan.miss(leaf.source, "front matter", f"{name}: {str(table[name])[:80]!r} is not understood")
    for key, names in _LISTS.items():
        words = [word for name in names for word in texts_of(table.get(name))]
        seen.update(name for name in names if texts_of(table.get(name)))
        if words:
            head[key] = list(dict.fromkeys(words))
    _hide(plan, leaf, table, now, seen)
    kept = {name: said for name, said in table.items() if name not in _OURS and name not in addresses}
    for name, said in kept.items():
        if name in KEYS:
            plan.miss(leaf.source, "front matter", f"{name} means something else here and was left out")
        elif _is_kept(name, said):
            head[name] = said
            if name not in _HIDING and said not in (None, "", [], {}):
                plan.wonder(leaf.source, name)
        else:
            plan.miss(leaf.source, "front matter", f"{name[:80]} was left out: it cannot be written as it was")
    plan.understood.update(f"front matter: {name}" for name in seen)


def _is_kept(name: str, said: object) -> bool:
    """Whether what means nothing here can stand in a front matter that is read again."""
    try:
        read_yaml(write_yaml({name: said}).encode())
    except (ValueError, Unreadable):
        return False
    return name not in ELSEWHERE


def _hide(plan: Plan, leaf: Leaf, table: Mapping[str, Any], now: float, seen: Counter[str]) -> None:
    """What its old program does not publish stays hidden, and what asks not to be found is not listed."""
    published = _moment(leaf.head.get("published"))
    expiry = next((_date(table[key]) for key in ("expiryDate", "expirydate") if key in table), None)
    build = table.get("build") or table.get("_build")
    is_unrendered = isinstance(build, dict) and build.get("render") in (False, "never", "false")
    if table.get("draft") is True or table.get("published") is False or table.get("headless") is True or is_unrendered:
        leaf.head["draft"] = True
        seen["draft"] += 1
    elif published is not None and published > now:
        leaf.head["draft"] = True
        plan.miss(leaf.source, "draft", "its date is still to come: imported as a draft")
    elif table.get("access") == "deny" or table.get("roles") or table.get("private") is True:
        leaf.head["draft"] = True
        plan.miss(leaf.source, "draft", "it is for some readers only: imported as a draft")
    elif expiry is not None and (_moment(expiry) or now) < now:
        leaf.head["draft"] = True
        plan.miss(leaf.source, "draft", "it has expired: imported as a draft")
    robots = str(table.get("robots") or "").lower() + str(table.get("meta_robots") or "").lower()
    if table.get("noindex") is True or table.get("sitemap") is False or "noindex" in robots:
        leaf.head["noindex"] = True
        seen["noindex"] += 1


def texts_of(value: object, depth: int = 0) -> list[str]:
    """The words of a value that may be one or several; of a table, those that name a picture."""
    if depth > _DEPTH_MAX:
        return []
    if isinstance(value, dict):
        value = next((value[key] for key in ("src", "path", "image", "url") if value.get(key)), None)
    if isinstance(value, list):
        return [word for item in value if not isinstance(item, list) for word in texts_of(item, depth + 1)]
    text = _text(value)
    return [text] if text else []


def _text(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float | dt.date):
        return None
    text = " ".join(str(value).split())
    return text if text and text.isprintable() else None


def _date(value: object) -> str | None:
    if isinstance(value, dt.datetime):
        return value.isoformat() if value.tzinfo else f"{value.isoformat()}Z"
    if isinstance(value, dt.date):
        return value.isoformat()
    if not isinstance(value, str):
        return None
    text = _ZONE.sub("", value.strip()).removesuffix("UTC")
    reading = read_w3c(text)
    if reading.form is DateForm.INVALID or reading.timestamp is None:
        return None
    return text if reading.form is DateForm.EXACT else write_w3c(reading.timestamp)


def _moment(text: object) -> float | None:
    return read_w3c(text).timestamp if isinstance(text, str) else None


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        number = int(float(value)) if isinstance(value, str | int | float) else None
    except (ValueError, OverflowError):
        return None
    return number if number is not None and abs(number) < 1 << 40 else None


_VALUES: Mapping[str, Callable[[object], Any]] = {"published": _date, "updated": _date, "nav_order": _whole}
