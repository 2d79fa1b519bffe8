"""What a file's name says: ignored, a sidecar, an id object's blob, or a path object; and what follows from a path."""

import mimetypes
import os
import re
from hashlib import blake2b

from waypost.site.shard import ID_NAME, MARKDOWN
from waypost.site.sidecar import SIDECAR_FORMS

__all__ = [
    "FOLDER_PAGES",
    "MARKDOWN",
    "IdName",
    "derived_alias",
    "guess_mime",
    "is_ignored",
    "is_language",
    "is_markdown_name",
    "path_key",
    "read_id_name",
    "sidecar_form",
]

_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_SHARD = re.compile(r"[0-9a-f]{2}")
_ID_NAME = re.compile(ID_NAME)
_MARKDOWN_ENDS = (".md", ".markdown")
_IGNORED_ENDS = (".tmp", "~", ".swp", ".swo", ".crdownload", ".part")
_TYPES = mimetypes.MimeTypes()
for _type, _end in (
    ("text/javascript", ".js"),
    ("image/webp", ".webp"),
    ("image/avif", ".avif"),
    ("font/woff2", ".woff2"),
):
    _TYPES.add_type(_type, _end)

FOLDER_PAGES = frozenset({"index", "_index"})
"""Names of the page that stands for its folder, without their extension: ours, and Hugo's."""
IdName = tuple[bytes, int, str]
"""An id object's file: key, version, and the sidecar's form, "" for the blob itself."""


def is_language(text: str) -> bool:
    """Whether a text is a language as documents name it: en, pt-BR, zh-Hant."""
    return _LANGUAGE.fullmatch(text) is not None


def is_ignored(name: str) -> bool:
    """Whether a file or folder of this name is not content: dot files, temporary and swap files."""
    return name.startswith((".", "#")) or name.endswith(_IGNORED_ENDS)


def sidecar_form(name: str) -> str:
    """The form of a sidecar by the file's extension; "" where it cannot be one."""
    stem, dot, end = name.rpartition(".")
    return end if dot and stem and end in SIDECAR_FORMS else ""


def is_shard(folder: str) -> bool:
    """Whether a folder below `content/` may hold id objects."""
    return len(folder) == 2 and _SHARD.fullmatch(folder) is not None


def read_id_name(name: str) -> IdName | None:
    """Key, version and sidecar form of a file in a shard; None where the name is not an id object's."""
    found = _ID_NAME.fullmatch(name)
    return (bytes.fromhex(found[1]), int(found[2]), found[3] or "") if found else None


def is_markdown_name(name: str) -> bool:
    """Whether a name's extension makes the file Markdown."""
    return name.lower().endswith(_MARKDOWN_ENDS)


def guess_mime(name: str) -> str:
    """The media type a file's name suggests."""
    if is_markdown_name(name):
        return MARKDOWN
    kind, encoding = _TYPES.guess_type(name, strict=False)
    if encoding:
        return {"gzip": "application/gzip"}.get(encoding, "application/octet-stream")
    return kind or "application/octet-stream"


def path_key(relative: str) -> bytes:
    """The id of a path object whose sidecar names none: the first 8 bytes of BLAKE2b of its path below `content/`."""
    return blake2b(os.fsencode(relative)).digest()[:8]


def derived_alias(relative: str) -> str:
    """The alias a path implies: without its `.md`; an `index.md`, or Hugo's `_index.md`, stands for its folder."""
    stem = relative.removesuffix(".md")
    if stem is relative:
        if not is_markdown_name(relative):
            return relative
        stem = relative[: relative.rindex(".")]
    folder, _, name = stem.rpartition("/")
    return folder if name.lower() in FOLDER_PAGES else stem
