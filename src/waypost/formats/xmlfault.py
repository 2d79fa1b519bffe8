"""Why expat stopped: its error code and the bytes around it become the kind of a note."""

import re
from pyexpat import ErrorString, errors
from typing import NamedTuple

from waypost.formats import xmlnotes as kinds

__all__ = ["Fault", "read_fault"]

_CODES = {
    errors.codes[message]: kind
    for message, kind in (
        (errors.XML_ERROR_UNBOUND_PREFIX, kinds.UNDECLARED_PREFIX),
        (errors.XML_ERROR_UNDEFINED_ENTITY, kinds.UNDEFINED_ENTITY),
        (errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT, kinds.JUNK_AFTER_ROOT),
        (errors.XML_ERROR_MISPLACED_XML_PI, kinds.TEXT_BEFORE_DECLARATION),
        (errors.XML_ERROR_BAD_CHAR_REF, kinds.CONTROL_CHARACTER),
    )
}
_AT_THE_END = {
    errors.codes[message]
    for message in (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_PARTIAL_CHAR,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
}
_INVALID_TOKEN = errors.codes[errors.XML_ERROR_INVALID_TOKEN]
_CONTROLS = frozenset(range(32)) - {9, 10, 13}
_OPEN_REFERENCE = re.compile(rb"&[^&<>;\s]{0,64}\Z")
_DECLARATION = re.compile(rb"<\?xml\s+version\s*=")
_EXCERPT_BYTES = 60


class Fault(NamedTuple):
    """The kind of note a broken document earns, its text, and how many characters before the place it begins."""

    kind: str
    text: str
    back: int = 0


def read_fault(code: int, piece: bytes, at: int, *, first: bool, final: bool) -> Fault:
    """Name the fault expat found at offset `at` of `piece`, which may be the `first` and the `final` one."""
    inside = 0 <= at <= len(piece)
    before, after = (piece[max(0, at - _EXCERPT_BYTES) : at], piece[at : at + _EXCERPT_BYTES]) if inside else (b"", b"")
    kind = _kind(code, piece, at, before, after, first=first, final=final)
    reference = _OPEN_REFERENCE.search(before) if kind == kinds.BARE_AMPERSAND else None
    return Fault(kind, _text(code, before, after), len(reference[0].decode("utf-8", "replace")) if reference else 0)


def _kind(code: int, piece: bytes, at: int, before: bytes, after: bytes, *, first: bool, final: bool) -> str:
    kind = _CODES.get(code)
    if kind is None and final and code in _AT_THE_END:
        kind = kinds.TRUNCATED if piece.strip() or not first else kinds.EMPTY
    if first and kind in {None, kinds.JUNK_AFTER_ROOT} and _late_declaration(piece, at):
        return kinds.TEXT_BEFORE_DECLARATION
    if kind is None and code == _INVALID_TOKEN:
        kind = _invalid_token(before, after)
    return kind or kinds.NOT_WELL_FORMED


def _late_declaration(piece: bytes, at: int) -> bool:
    """Whether an XML declaration stands behind the fault: a server's notice was printed before the document, say."""
    found = _DECLARATION.search(piece, max(0, at))
    return found is not None and found.start() > 0


def _invalid_token(before: bytes, after: bytes) -> str | None:
    if after[:1] and after[0] in _CONTROLS:
        return kinds.CONTROL_CHARACTER
    if after[:1] and after[0] >= 0x80 and not _is_text(after):
        return kinds.INVALID_BYTES
    if _OPEN_REFERENCE.search(before) or after[:1] == b"&":
        return kinds.BARE_AMPERSAND
    return None


def _is_text(after: bytes) -> bool:
    """Whether these bytes start with a whole UTF-8 character."""
    for length in (2, 3, 4):
        try:
            after[:length].decode("utf-8")
        except UnicodeDecodeError:
            continue
        return True
    return False


def _text(code: int, before: bytes, after: bytes) -> str:
    """Expat's reason, and the line it stands on around the place."""
    left = before.rpartition(b"\n")[2].decode("utf-8", "replace")
    right = after.partition(b"\n")[0].decode("utf-8", "replace")
    return f"{ErrorString(code)}: {left}⟨here⟩{right}" if left or right else ErrorString(code) or ""
