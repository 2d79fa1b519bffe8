"""What an owner says of an object: sidecars in TOML, JSON and RON, and front matter in YAML and TOML.

Every form ends in the same typed record. What cannot be read raises `Unreadable` with line and reason, so the
object is withheld: a sidecar never means less than it says.
"""

import datetime as dt
import re
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from waypost.limits import SIDECAR_BYTES_MAX
from waypost.site.notation import Unreadable, read_toml, read_utf8, read_yaml
from waypost.site.ron import RonError, read_ron

__all__ = [
    "ELSEWHERE",
    "EMPTY",
    "KEYS",
    "SIDECAR_FORMS",
    "FrontMatter",
    "Sidecar",
    "Unreadable",
    "front_bytes",
    "over",
    "read_front_matter",
    "read_front_table",
    "read_sidecar",
]

Scalar = str | int | float | None


class Sidecar(msgspec.Struct, frozen=True, gc=False):
    """The keys of a sidecar. None is not said; `alias = ""` says there is none, `tags = []` that there are none."""

    id: str | None = None
    alias: str | None = None
    redirect_from: tuple[str, ...] = ()
    title: str | None = None
    description: str | None = None
    images: tuple[str, ...] = ()
    mime: str | None = None
    lang: str | None = None
    translations: dict[str, str] = {}
    tags: tuple[str, ...] | None = None
    roles: tuple[str, ...] | None = None
    access: Literal["public", "deny"] | None = None
    draft: bool | None = None
    noindex: bool | None = None
    nav_title: str | None = None
    nav_parent_id: str | None = None
    nav_order: int | None = None
    theme: str | None = None
    original_filename: str | None = None
    published: Scalar = None
    updated: Scalar = None


EMPTY = Sidecar()
"""What an object without sidecar and front matter says."""
KEYS = frozenset(Sidecar.__struct_fields__)
ELSEWHERE = {
    "date": "published",
    "publishDate": "published",
    "lastmod": "updated",
    "aliases": "redirect_from",
    "weight": "nav_order",
    "linkTitle": "nav_title",
}
"""Keys of front matter that mean one of ours in folders made for other programs; where two do, the latter counts."""
_ELSEWHERE_TYPES: dict[str, tuple[type, ...]] = {
    "published": (str, dt.date),
    "updated": (str, dt.date),
    "redirect_from": (str, list),
    "nav_order": (int,),
    "nav_title": (str,),
}
_TEXTS = frozenset(
    ("id", "alias", "title", "description", "mime", "lang", "nav_title", "nav_parent_id", "theme", "original_filename")
)
_LISTS = frozenset(("redirect_from", "images", "tags", "roles"))
_WORDS = _TEXTS | _LISTS | {"translations", *(theirs for theirs, ours in ELSEWHERE.items() if ours in _TEXTS | _LISTS)}
"""Keys of front matter below which everything is text as it was written."""
_AT_BYTE = re.compile(r" \(byte (\d+)\)$")
_AT_KEY = re.compile(r" - at `\$\.(\w+).*`$")
_OPENING = re.compile(rb"\A(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n")
_CLOSING = {
    fence: re.compile(rb"^" + re.escape(fence) + rb"[ \t]*+(?:\r?\n|\Z)", re.MULTILINE) for fence in (b"---", b"+++")
}
_from_json = msgspec.json.Decoder(Sidecar).decode


class FrontMatter(msgspec.Struct, frozen=True, gc=False):
    """The front matter of a Markdown file, and how many bytes of the file it takes with its fences."""

    sidecar: Sidecar
    length: int


def _read_json(data: bytes) -> Sidecar:
    if not data.isascii():
        data = read_utf8(data).encode()  # the decoder does not look at the bytes of keys it skips
    try:
        return _from_json(data)
    except msgspec.ValidationError as error:
        raise _invalid(str(error), data) from None
    except msgspec.DecodeError as error:
        found = _AT_BYTE.search(str(error))
        line = data.count(b"\n", 0, int(found[1])) + 1 if found else data.count(b"\n") + 1
        raise Unreadable(_AT_BYTE.sub("", str(error)), line) from None
    except RecursionError:
        raise Unreadable("values are nested too deep", 1) from None


def _read_toml(data: bytes) -> Sidecar:
    return _typed(read_toml(data), data)


def _read_ron(data: bytes) -> Sidecar:
    try:
        value = read_ron(read_utf8(data))
    except RonError as error:
        raise Unreadable(str(error), error.line) from None
    return _typed(value, data)


SIDECAR_FORMS: dict[str, Callable[[bytes], Sidecar]] = {"toml": _read_toml, "json": _read_json, "ron": _read_ron}
"""The file extensions of sidecars, and what reads each."""


def read_sidecar(data: bytes, form: str) -> Sidecar:
    """Read a sidecar in the form its file's extension names."""
    if len(data) > SIDECAR_BYTES_MAX:
        raise Unreadable(f"larger than {SIDECAR_BYTES_MAX:,} bytes")
    if not data.strip():
        raise Unreadable("the sidecar is empty")
    return SIDECAR_FORMS[form](data)


def read_front_matter(data: bytes) -> FrontMatter | None:
    """Read the front matter a Markdown file starts with; None where it has none.

    An opened one that does not end is unreadable: the file may be half written, and the rest may restrict it.
    """
    found = read_front_table(data)
    if found is None:
        return None
    value, inner, length = found
    try:
        return FrontMatter(_typed(_lenient(value), inner), length)
    except Unreadable as fault:
        raise Unreadable(fault.reason, fault.line + 1) from None


def read_front_table(data: bytes) -> tuple[object, bytes, int] | None:
    """Front matter as the value it is, its bytes, and how many bytes of the file it takes with its fences."""
    fences = _fences(data)
    if fences is None:
        return None
    opening, closing = fences
    inner = data[opening.end() : closing.start()]
    if len(inner) > SIDECAR_BYTES_MAX:
        raise Unreadable(f"the front matter is larger than {SIDECAR_BYTES_MAX:,} bytes", 1)
    try:
        return (read_toml(inner) if opening[1] == b"+++" else read_yaml(inner, _WORDS)), inner, closing.end()
    except Unreadable as fault:
        raise Unreadable(fault.reason, fault.line + 1) from None


def front_bytes(data: bytes) -> int:
    """How many bytes of a file its front matter takes with its fences, whatever stands in it."""
    fences = _fences(data)
    return 0 if fences is None else fences[1].end()


def _fences(data: bytes) -> tuple[re.Match[bytes], re.Match[bytes]] | None:
    opening = _OPENING.match(data)
    if opening is None:
        return None
    closing = _CLOSING[opening[1]].search(data, opening.end())
    if closing is None:
        raise Unreadable(f"the front matter opened with {opening[1].decode()} does not end", 1)
    return opening, closing


def over(upper: Sidecar, lower: Sidecar) -> Sidecar:
    """What two sources say together: where both speak of a key, the upper one counts."""
    if upper is EMPTY or lower is EMPTY:
        return lower if upper is EMPTY else upper
    said = {key: value for key in upper.__struct_fields__ if (value := getattr(upper, key)) != getattr(EMPTY, key)}
    return msgspec.structs.replace(lower, **said)


def _lenient(value: object) -> object:
    """Front matter is written by people: an empty key is not said, a lone value is a list of one, 2024 is a title."""
    if not isinstance(value, dict):
        return {} if value is None else value
    kept: dict[str, object] = {}
    for key, said in (_said_elsewhere(value) | value).items():
        if key not in KEYS or said is None:
            continue
        if key in _TEXTS:
            kept[key] = _plain(said)
        elif key in _LISTS:
            kept[key] = [_plain(item) for item in said] if isinstance(said, list) else [_plain(said)]
        else:
            kept[key] = said
    return kept


def _said_elsewhere(value: dict[Any, Any]) -> dict[str, object]:
    """What a folder made for another program says in that one's words; ours count where both stand, None included."""
    return {
        ours: value[theirs]
        for theirs, ours in ELSEWHERE.items()
        if theirs in value and ours not in value and isinstance(value[theirs], _ELSEWHERE_TYPES[ours])
        and not isinstance(value[theirs], bool)
    }  # fmt: skip


def _plain(value: object) -> object:
    """A number or date of TOML as text; not 1.10, which has become 1.1 and would be another tag."""
    return str(value) if isinstance(value, int | dt.date) and not isinstance(value, bool) else value


def _typed(value: object, data: bytes) -> Sidecar:
    if not isinstance(value, dict):
        raise Unreadable("not a table of keys", 1)
    known = {key: _dated(said) for key, said in value.items() if key in KEYS}
    try:
        return msgspec.convert(known, Sidecar)
    except msgspec.ValidationError as error:
        raise _invalid(str(error), data) from None


def _dated(value: object) -> object:
    return value.isoformat() if isinstance(value, dt.date | dt.time) else value


def _invalid(message: str, data: bytes) -> Unreadable:
    found = _AT_KEY.search(message)
    if found is None:
        return Unreadable(message, 1)
    key = found[1]
    at = re.search(rb"\b" + key.encode() + rb"\b", data)
    line = data.count(b"\n", 0, at.start()) + 1 if at else 1
    return Unreadable(f"{key}: {_AT_KEY.sub('', message).lower()}", line)
