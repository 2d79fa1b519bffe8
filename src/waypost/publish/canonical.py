"""Canonical URLs: how an alias is spelled, who keeps it, and which path is its page's one path."""

import re
import unicodedata
from enum import Enum
from urllib.parse import unquote_to_bytes

from waypost.limits import ALIAS_CHARS_MAX
from waypost.urls import quote_path

__all__ = [
    "ID_BYTES",
    "AliasFault",
    "alias_path",
    "canonical_alias",
    "claim_rank",
    "id_path",
    "read_id",
    "read_path",
    "source_path",
]

ID_BYTES = 8

_PLAIN = re.compile(r"[a-z0-9\-._~!$&'()*+,;=:@/]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_BLANKS = re.compile(r"[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_HEX_ID = re.compile(r"id/([0-9a-f]{16})")


class AliasFault(Enum):
    """Why a text cannot be an alias; the value ends the sentence "the alias …"."""

    CONTROL = "has a control character in it"
    BACKSLASH = "has a backslash in it"
    DOTS = "has a segment of dots"
    PERCENT = "has a % in it: write the character itself"
    CHARACTER = "has a character other than a-z 0-9 - . _ ~ ! $ & ' ( ) * + , ; = : @ /"
    LONG = f"has more than {ALIAS_CHARS_MAX} characters"


def canonical_alias(text: str, *, derived: bool = False) -> str | AliasFault:
    """The one spelling of an alias, without slashes at its ends; "" is the home page.

    An alias that is derived from a file's path may hold Unicode (as NFC), and its blanks become `-`.

    >>> canonical_alias(" /Docs//Intro/ ")
    'docs/intro'
    """
    # Twice, as a small letter may have a composed form where the capital has none.
    alias = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text.strip()).lower())
    if derived:
        alias = _BLANKS.sub("-", alias)
    segments = [segment for segment in alias.split("/") if segment]
    return _alias_fault(segments, derived=derived) or "/".join(segments)


def _alias_fault(segments: list[str], *, derived: bool) -> AliasFault | None:
    alias = "/".join(segments)
    if _CONTROL.search(alias):
        return AliasFault.CONTROL
    if "\\" in alias:
        return AliasFault.BACKSLASH
    if any(segment in {".", ".."} for segment in segments):
        return AliasFault.DOTS
    if "%" in alias:
        return AliasFault.PERCENT
    if not derived and not _PLAIN.fullmatch(alias):
        return AliasFault.CHARACTER
    return AliasFault.LONG if len(quote_path(alias)) > ALIAS_CHARS_MAX else None


def claim_rank(key: bytes, *, is_explicit: bool) -> tuple[bool, bytes]:
    """Where several pages claim one alias the lowest rank keeps it: an explicit claim first, then the lowest id."""
    return not is_explicit, key


def alias_path(alias: str, *, always_slash: bool = False) -> str:
    """The path of the page that has this canonical alias, as its URL carries it.

    >>> alias_path("docs/intro"), alias_path("docs/intro", always_slash=True), alias_path("")
    ('/docs/intro', '/docs/intro/', '/')
    """
    if not alias:
        return "/"
    return f"/{quote_path(alias)}/" if always_slash else f"/{quote_path(alias)}"


def id_path(key: bytes, *, always_slash: bool = False) -> str:
    """The path of a page without an alias: `/id/<hex>`."""
    return f"/id/{key.hex()}/" if always_slash else f"/id/{key.hex()}"


def source_path(path: str) -> str:
    """Where the Markdown of the page at a path is: the path and `.md`; the home page's is `/index.md`.

    >>> source_path("/docs/intro/"), source_path("/")
    ('/docs/intro.md', '/index.md')
    """
    return f"{path.rstrip('/') or '/index'}.md"


def read_path(raw: str) -> str | None:
    """The canonical alias that an undecoded request path means, or None where no page can be meant.

    Nothing is guessed: an escaped slash, a backslash, a control character, bytes that are not UTF-8, dot segments, and
    an escape within an escape name no page.

    >>> read_path("/Docs//Intro/"), read_path("/caf%C3%A9"), read_path("/a%2Fb")
    ('docs/intro', 'café', None)
    """
    if not raw.startswith("/") or not raw.isascii() or "%2f" in raw.lower():
        return None
    try:
        text = unquote_to_bytes(raw).decode()
    except UnicodeDecodeError:
        return None
    alias = AliasFault.CONTROL if _CONTROL.search(text) else canonical_alias(text, derived=True)
    return alias if isinstance(alias, str) else None


def read_id(alias: str) -> bytes | None:
    """The id in `id/<16 lower-case hex>`, or None."""
    found = _HEX_ID.fullmatch(alias)
    return bytes.fromhex(found[1]) if found else None
