"""In which encoding a document is written: by its mark, its first bytes, its declaration. An allow-list."""

import codecs
import re
from typing import NamedTuple

__all__ = ["Encoding", "Transcoder", "decide_encoding"]

_MARKS = (
    (b"\x00\x00\xfe\xff", "utf-32", None),
    (b"\xff\xfe\x00\x00", "utf-32", None),
    (b"\xef\xbb\xbf", "utf-8", "utf-8"),
    (b"\xff\xfe", "utf-16", "utf-16-le"),
    (b"\xfe\xff", "utf-16", "utf-16-be"),
)
_LABELS = {
    "utf-8": ("utf-8", "utf-8"),
    "utf8": ("utf-8", "utf-8"),
    "us-ascii": ("utf-8", "utf-8"),
    "ascii": ("utf-8", "utf-8"),
    "utf-16": ("utf-16", "utf-16"),
    "utf-16le": ("utf-16", "utf-16-le"),
    "utf-16be": ("utf-16", "utf-16-be"),
    "iso-8859-1": ("iso-8859-1", "latin-1"),
    "iso8859-1": ("iso-8859-1", "latin-1"),
    "iso_8859-1": ("iso-8859-1", "latin-1"),
    "latin-1": ("iso-8859-1", "latin-1"),
    "latin1": ("iso-8859-1", "latin-1"),
    "windows-1252": ("windows-1252", "cp1252"),
    "cp1252": ("windows-1252", "cp1252"),
}
_DECLARATION = re.compile(
    r"""<\?xml\s[^>]{0,1000}?\sencoding\s{0,100}=\s{0,100}["']([A-Za-z][A-Za-z0-9._:-]{0,99})["']"""
)
_HEAD_BYTES = 4_096


class Encoding(NamedTuple):
    """The encoding's name, Python's codec for it (None: not readable), and the label the document declares."""

    name: str
    codec: str | None
    declared: str
    mark_bytes: int
    contradicted: bool


def decide_encoding(head: bytes) -> Encoding:
    """The encoding of a document from its first bytes; a mark is believed before a declaration.

    >>> decide_encoding(b'<?xml version="1.0" encoding="ISO-8859-1"?><a/>')
    Encoding(name='iso-8859-1', codec='latin-1', declared='ISO-8859-1', mark_bytes=0, contradicted=False)
    """
    head = head[:_HEAD_BYTES]
    for mark, name, codec in _MARKS:
        if head.startswith(mark):
            declared = _declared(head[len(mark) :], codec)
            contradicted = bool(declared) and _LABELS.get(declared.lower(), ("", ""))[0] != name
            return Encoding(name, codec, declared, len(mark), contradicted)
    if head[:2] in {b"<\x00", b"\x00<"}:
        codec = "utf-16-le" if head[0] else "utf-16-be"
        return Encoding("utf-16", codec, _declared(head, codec), 0, contradicted=False)
    return _by_declaration(_declared(head, "latin-1"))


def _by_declaration(declared: str) -> Encoding:
    """The encoding of a document that shows none: what it declares, else UTF-8. Declared UTF-16 cannot be true here."""
    name, codec = _LABELS.get(declared.lower(), (declared, None)) if declared else ("utf-8", "utf-8")
    if name == "utf-16":
        return Encoding(name, None, declared, 0, contradicted=True)
    return Encoding(name, codec, declared, 0, contradicted=False)


def _declared(head: bytes, codec: str | None) -> str:
    if codec is None:
        return ""
    found = _DECLARATION.match(head.decode(codec, "replace"))
    return found.group(1) if found else ""


class Transcoder:
    """Bytes of a codec into UTF-8, piece by piece."""

    def __init__(self, codec: str) -> None:
        self._decoder = codecs.getincrementaldecoder(codec)()

    def take(self, piece: bytes, *, final: bool) -> tuple[bytes, str]:
        """The UTF-8 of what could be read, and why the rest could not ("" where all could)."""
        try:
            return self._decoder.decode(piece, final).encode("utf-8"), ""
        except UnicodeDecodeError as error:
            good = bytes(error.object[: error.start]).decode(error.encoding, "ignore")
            return good.encode("utf-8"), error.reason
