"""What URL may stand in a document we write: asked of one, or proven of thousands with a few searches."""

import re
from collections.abc import Sequence
from functools import lru_cache

from waypost.errors import WriteError
from waypost.formats.xmlwrite import require_legal, shown
from waypost.limits import LOC_CHARS_MAX
from waypost.urls import BAD_ESCAPE, UrlFault, url_fault

__all__ = ["are_plain", "is_plain", "require_url"]

_NEVER_PLAIN = [*(character for character in map(chr, range(0x20)) if character != "\n"), *'\x7f <>"']
_PLAIN_PATH = re.compile(r"[!#$&-;=?-~]*+(?:%[0-9A-Fa-f]{2}[!#$&-;=?-~]*+)*+")
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::\d+)?(?=[/?#]|\Z)", re.ASCII)


def require_url(loc: str, where: str) -> None:
    """Raise a `WriteError` for a text that is no absolute http(s) URL.

    A character that a URL should escape, a quotation mark say, may stand: XML can carry it and readers cope.
    """
    require_legal(loc, where)
    fault = url_fault(loc)
    if fault and fault is not UrlFault.UNWISE:
        raise WriteError(f"{where} {shown(loc)} {fault.value}: it must be an absolute, escaped http(s) URL")


@lru_cache(maxsize=1_024)
def _is_good_origin(origin: str) -> bool:
    return _ORIGIN.fullmatch(origin) is not None and url_fault(origin) is None


def is_plain(loc: str) -> bool:
    """What `are_plain` says, of one URL that has a path: most of a list share an origin that need be looked at once."""
    path = loc.find("/", len("https://"))
    return (
        path > 0
        and len(loc) < LOC_CHARS_MAX
        and _PLAIN_PATH.fullmatch(loc, path) is not None
        and _is_good_origin(loc[:path])
    )


def are_plain(locs: Sequence[str]) -> bool:
    """Whether all of these are good URLs in which XML has nothing to escape but `&` and `'`.

    A proof, not a guess: True only where `require_url` would pass each one. False means "look at them one by one".
    """
    lines = "\n".join(("", *locs, ""))  # each line is a URL, or there are more lines than URLs
    if not locs or not lines.isascii() or lines.count("\n") != len(locs) + 1:
        return False
    if any(map(lines.__contains__, _NEVER_PLAIN)):
        return False
    if "%" in lines and BAD_ESCAPE.search(lines):
        return False
    return _have_good_starts(lines, locs) and _are_short(lines)


def _have_good_starts(lines: str, locs: Sequence[str]) -> bool:
    origin = _ORIGIN.match(locs[0])
    if not origin or url_fault(origin[0]):
        return False
    start = origin[0] + "/"
    if lines.count("\n" + start) == len(locs):
        return True
    others = {found and found[0] for found in map(_ORIGIN.match, locs) if not found or found[0] != origin[0]}
    return all(other and not url_fault(other) for other in others)


def _are_short(lines: str) -> bool:
    """Whether no line is as long as a URL may not be, found in strides of that length."""
    start = 0
    while len(lines) - start > LOC_CHARS_MAX:
        start = lines.rfind("\n", start + 1, start + LOC_CHARS_MAX + 1)
        if start < 0:
            return False
    return True
