"""The sitemap namespace under a name of one character, while expat works with it.

Expat spells out the namespace in front of every name it reports, 43 characters in a sitemap, and making and hashing
those strings is a sixth of the time an exact reading takes. So the declaration in the root's start tag is replaced by
a short one, padded to its length: every place in the document stays what it was. The short name is a control
character that is legal in XML and illegal in a URI; a document that itself binds it to a prefix is refused by whoever
shortened.
"""

import re

__all__ = ["SEPARATOR", "SHORT", "SITEMAP_NAMESPACE", "shorten", "spell"]

SEPARATOR = "\x01"
"""Between namespace and name in the names expat reports: no document can hold it."""
SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
SHORT = "\x7f"
"""Stands for the sitemap namespace in such names, where a document was shortened."""

_ROOT = re.compile(rb"<[^ \t\r\n<>\"'/=]+")
_ATTRIBUTE = re.compile(rb"""[ \t\r\n]+([^ \t\r\n=<>"'/]+)[ \t\r\n]*=[ \t\r\n]*("[^"<]*"|'[^'<]*')""")
_VALUES = {f"{quote}{SITEMAP_NAMESPACE}{quote}".encode() for quote in "\"'"}


def shorten(piece: bytes, start: int) -> bytes | None:
    """The piece with the sitemap namespace shortened in the root's start tag at `start`; None where it is not there."""
    root = _ROOT.match(piece, start)
    at = root.end() if root else start
    values: list[tuple[int, int]] = []
    while found := _ATTRIBUTE.match(piece, at):
        at = found.end()
        if found[2] in _VALUES and (found[1] == b"xmlns" or found[1].startswith(b"xmlns:")):
            values.append(found.span(2))
    tag = piece[start:at]
    if not values or b"&" in tag or SHORT.encode() in tag:
        return None
    shorter = bytearray(piece)
    for begin, end in values:
        shorter[begin:end] = f'"{SHORT}"'.encode().rjust(end - begin)
    return bytes(shorter)


def spell(name: str) -> str:
    """A name as expat gives it in the form "namespace local", spelled out."""
    return name.replace(SHORT + SEPARATOR, SITEMAP_NAMESPACE + " ").replace(SEPARATOR, " ")
