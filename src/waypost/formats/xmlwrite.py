"""The one writer of XML: it escapes every value, and refuses what XML cannot hold.

A document is a value: bytes in UTF-8, never half of one. Text is escaped so that an XML reader hands back exactly what
was given: the five characters & < > " ' as the predefined entities, a carriage return (in an attribute also tab and
newline), which a reader would normalise away, as a character reference.
"""

import re
from collections.abc import Iterable

from waypost.errors import WriteError

__all__ = [
    "DECLARATION",
    "Attrs",
    "XmlWriter",
    "attributes",
    "element_name",
    "escape",
    "escape_legal",
    "legal",
    "quote",
    "require_legal",
    "shown",
]

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

Attrs = Iterable[tuple[str, str]]
"""Attribute names with their values, in the order to write them."""

_NOT_CHAR = r"\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff"
_ILLEGAL = re.compile(f"[{_NOT_CHAR}]")
"""The complement of `Char` in XML 1.0: control characters, surrogates, U+FFFE and U+FFFF."""
_MARKED = re.compile(f"[&<>\"'\r{_NOT_CHAR}]")
"""What keeps a text from standing in a document as it is."""
_NAME = re.compile(r"[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?", re.ASCII)
_SHOWN_CHARS_MAX = 80


def require_legal(text: str, where: str) -> None:
    """Raise a `WriteError` naming the value and its place when XML cannot hold it, escaped or not."""
    found = _ILLEGAL.search(text)
    if found:
        raise WriteError(f"{where} {shown(text)} holds U+{ord(found[0]):04X}, which XML cannot carry: remove it")


def shown(text: str) -> str:
    """A value as an error quotes it: short, and safe on any terminal."""
    short = text if len(text) <= _SHOWN_CHARS_MAX else text[:_SHOWN_CHARS_MAX] + "…"
    return ascii(short)


def legal(text: str) -> str:
    """The text without the characters XML cannot hold, for a writer that would rather lose one than the document."""
    return _ILLEGAL.sub("", text)


def escape(text: str, where: str = "the value") -> str:
    """The text as it stands between tags or, without tabs and newlines, in a quoted attribute.

    >>> escape("https://example.com/?a=1&b='2'")
    'https://example.com/?a=1&amp;b=&apos;2&apos;'
    """
    if not _MARKED.search(text):
        return text
    require_legal(text, where)
    return escape_legal(text)


def escape_legal(text: str) -> str:
    """What `escape` gives for a text that XML is known to hold."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&apos;").replace("\r", "&#13;")


def quote(text: str, where: str = "the value") -> str:
    """The text as an attribute's value, with its quotes."""
    return '"' + escape(text, where).replace("\t", "&#9;").replace("\n", "&#10;") + '"'


def attributes(pairs: Attrs, where: str = "an element") -> str:
    """Attributes as they follow an element's name, each with a blank before it."""
    seen: set[str] = set()
    parts: list[str] = []
    for name, value in pairs:
        if not _NAME.fullmatch(name) or name in seen:
            raise WriteError(f"{where} cannot have the attribute name {shown(name)}: not an XML name, or given twice")
        seen.add(name)
        parts.append(f" {name}={quote(value, f'{name} of {where}')}")
    return "".join(parts)


class XmlWriter:
    """Writes a document element by element, indented; what cannot be written raises before a byte is out.

    >>> out = XmlWriter()
    >>> out.open("opml", [("version", "2.0")])
    >>> out.leaf("title", "Tom & Jerry")
    >>> out.close()
    >>> out.document().splitlines()[2]
    b'  <title>Tom &amp; Jerry</title>'
    """

    __slots__ = ("_names", "_parts")

    def __init__(self) -> None:
        self._parts: list[str] = [DECLARATION]
        self._names: list[str] = []

    def open(self, name: str, attrs: Attrs = ()) -> None:
        """Start an element that will hold others."""
        self._line(f"<{element_name(name)}{attributes(attrs, name)}>")
        self._names.append(name)

    def close(self) -> None:
        """End the element opened last."""
        name = self._names.pop()
        self._line(f"</{name}>")

    def leaf(self, name: str, text: str = "", attrs: Attrs = (), *, where: str = "") -> None:
        """Write an element that holds text, or nothing; `where` is what an error calls it."""
        head = f"<{element_name(name)}{attributes(attrs, where or name)}"
        self._line(f"{head}>{escape(text, where or name)}</{name}>" if text else f"{head}/>")

    def document(self) -> bytes:
        """The whole document; every element opened must be closed."""
        if self._names or len(self._parts) == 1:
            raise WriteError(f"the document is not finished: {', '.join(self._names) or 'a root'} is missing")
        return "".join(self._parts).encode()

    def _line(self, markup: str) -> None:
        self._parts.append("  " * len(self._names) + markup + "\n")


def element_name(name: str) -> str:
    """The name, when an element can have it; else a `WriteError`."""
    if not _NAME.fullmatch(name):
        raise WriteError(f"{shown(name)} is not a name an XML element can have")
    return name
