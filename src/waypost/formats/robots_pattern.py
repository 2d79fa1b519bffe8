"""Patterns and paths in the one spelling in which they are compared: Google's, or RFC 9309's."""

import re
from enum import StrEnum

from waypost.formats.matching import path_of

__all__ = ["PATH_OF", "Profile", "canonical_pattern", "directory_of_index", "rfc_path"]


class Profile(StrEnum):
    """Whose answers are given where Google's reference and RFC 9309 differ."""

    GOOGLE = "google"
    RFC = "rfc"


_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ESCAPE_OR_BYTE = re.compile(r"%[0-9A-Fa-f]{2}|[\x80-\xff]")
_RFC_UNUSUAL = re.compile(r"[^\x00-#&-)+-\x7f]").search  # `$`, `%`, `*` and all that is not ASCII


def _google(found: re.Match[str]) -> str:
    text = found[0]
    return text.upper() if text[0] == "%" else f"%{ord(text):02X}"


def _rfc(found: re.Match[str]) -> str:
    """RFC 9309 section 2.2.2: an escaped unreserved character is that character; bytes over ASCII are escaped."""
    text = found[0]
    if text[0] != "%":
        return f"%{ord(text):02X}"
    character = chr(int(text[1:], 16))
    return character if character in _UNRESERVED else text.upper()


def canonical_pattern(value: str, profile: Profile) -> str:
    """A rule's value (one character a byte) as it is compared.

    A `*` and a final `$` stay the special characters; in the RFC's profile any other `$` is escaped, as it is in paths,
    so that `%24` and `%2A` mean the characters themselves.
    """
    if profile is Profile.GOOGLE:
        return _ESCAPE_OR_BYTE.sub(_google, value) if "%" in value or not value.isascii() else value
    if "%" in value or not value.isascii():
        value = _ESCAPE_OR_BYTE.sub(_rfc, value)
    if "$" in value[:-1]:
        value = value[:-1].replace("$", "%24") + value[-1]
    return value


def rfc_path(path: str) -> str:
    """A path as RFC 9309 compares it: non-ASCII, `*` and `$` escaped, escapes of unreserved characters undone."""
    if not _RFC_UNUSUAL(path):
        return path
    octets = path.encode("utf-8", "surrogatepass").decode("latin-1")
    return _ESCAPE_OR_BYTE.sub(_rfc, octets).replace("*", "%2A").replace("$", "%24")


def _rfc_path_of(url: str) -> str:
    return rfc_path(path_of(url))


PATH_OF = {Profile.GOOGLE: path_of, Profile.RFC: _rfc_path_of}
"""The path and query of a URL in the spelling in which a profile compares them."""


def directory_of_index(pattern: str) -> str | None:
    """`Allow: /d/index.html` also opens `/d/` itself at Google; the pattern that does it."""
    if "/index.htm" not in pattern:
        return None
    directory, slash, name = pattern.rpartition("/")
    return f"{directory}/$" if slash and name.startswith("index.htm") else None
