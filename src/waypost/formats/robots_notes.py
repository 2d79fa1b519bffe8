"""The neutral facts of a robots.txt: what a careful reader would point at. Rules judge them; nothing here does.

Every kind is in `KINDS` with its meaning; kinds are stable.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from waypost.formats.notes import Notes
from waypost.formats.robots_guess import Guesser
from waypost.formats.robots_lines import GROUP_FIELDS, Line, LineKind
from waypost.formats.robots_text import EVERYBODY, agent_token
from waypost.urls import BAD_ESCAPE

__all__ = ["KINDS", "is_binary", "is_markup", "note_document", "note_lines"]

KINDS: dict[str, str] = {
    "empty": "the file has no bytes, or nothing but blanks",
    "byte-order-mark": "the file begins with a UTF-8 byte-order mark, or a part of one",
    "utf-16": "the text is UTF-16, which no crawler reads",
    "binary": "the file is no text at all",
    "html-body": "the file is markup, an error page for example",
    "not-utf-8": "the line has bytes that are not UTF-8",
    "too-large": "the file is longer than what is read of it",
    "nul-byte": "the line has a NUL; readers stop there",
    "control-character": "the line has a control character",
    "long-line": "the line is longer than Google reads",
    "not-understood": "the line has no separator, or nothing before it",
    "missing-colon": "key and value are parted by a blank only",
    "accepted-typo": "the key is misspelled, but Google accepts it",
    "unknown-key": "nobody is known to read the key",
    "likely-typo": "the key is not accepted, but nearly a known one",
    "rule-before-agent": "an Allow or Disallow before any User-agent binds nobody",
    "field-before-agent": "a field of a group stands before any User-agent",
    "agent-empty": "a User-agent line without a value",
    "agent-header": "a whole User-Agent header instead of a product token",
    "agent-list": "several names in one User-agent line; only the first counts",
    "agent-version": "a version after the product token, which is ignored",
    "agent-wildcard": "a star inside a User-agent value, where it means nothing",
    "agent-unusable": "a User-agent value that begins with no product token",
    "star-with-text": "a star with text after it is read as everybody",
    "header-left-open": "only other fields stand between two User-agent lines, so the rules below bind both",
    "blank-in-header": "a blank line between a User-agent and its rules; old readers end the group there",
    "pattern-no-slash": "a value that begins with neither a slash nor a star matches nothing",
    "pattern-absolute-url": "a whole URL as a value matches nothing",
    "pattern-dollar-inside": "a dollar sign before the end is only a character",
    "pattern-trailing-star": "a star at the end changes nothing but the length",
    "pattern-blank": "a blank inside the value matches no URL",
    "pattern-non-ascii": "the value has characters that must be escaped",
    "pattern-bad-escape": "the value has a percent sign that begins no escape",
    "pattern-lower-case-escape": "the value has an escape in small letters",
    "pattern-unreserved-escape": "the value escapes a character that needs none",
    "pattern-cut-by-hash": "a number sign ends the value in the middle of a word",
    "sitemap-empty": "a Sitemap line without a value",
    "sitemap-scheme-lost": "without a colon after the key, the scheme's own colon was taken for it",
}
"""What each kind of note says."""

_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MARKUP = re.compile(
    rb"[ \t\r\n\xef\xbb\xbf]*<(?:!doctype|html|head|body|\?xml|!--|title|meta|script|div|p|h1)", re.IGNORECASE
)
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile("%(?:2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe])")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SECOND_NAME = re.compile(r"[A-Za-z_-]+(?:/[\w.]+)?(?:[ \t]*[,;][ \t]*|[ \t]+)[A-Za-z_*-]", re.ASCII)

_Found = Iterator[tuple[str, str, int]]


def is_markup(data: bytes) -> bool:
    """Whether a file begins as HTML or XML does."""
    return _MARKUP.match(data[:1024]) is not None


def is_binary(data: bytes) -> bool:
    """Whether more than a tenth of the first bytes are control characters, and it is not for being UTF-16."""
    head = data[:4096]
    return len(_CONTROLS.findall(head)) * 10 > len(head) and not _is_utf16(head)


def _is_utf16(head: bytes) -> bool:
    """A byte-order mark, or a NUL in every other place."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    return len(head) >= 4 and (not any(head[::2]) or not any(head[1::2])) and any(head)


def note_document(notes: Notes, data: bytes, *, truncated: bool) -> None:
    """Note what is true of the file as a whole."""
    if not data.strip():
        notes.add("empty", 0, "nothing but blanks" if data else "no bytes")
    if data.startswith(b"\xef"):
        whole = data.startswith(b"\xef\xbb\xbf")
        notes.add("byte-order-mark", 1, "EF BB BF" if whole else "a part of EF BB BF", 1)
    if _is_utf16(data[:200]):
        notes.add("utf-16", 1, data[:8].hex(" "), 1)
    if is_binary(data):
        notes.add("binary", 1, data[:8].hex(" "), 1)
    if is_markup(data):
        notes.add("html-body", 1, data[:80].decode("utf-8", "replace").strip(), 1)
    if truncated:
        notes.add("too-large", 0, f"{len(data):,} bytes are read")


def note_lines(notes: Notes, lines: Sequence[Line]) -> None:
    """Note what is true of single lines and their neighbours."""
    guesser = Guesser()
    for line in lines:
        for kind, text, column in _facts(line, guesser):
            notes.add(kind, line.number, text, column)
    for kind, line in _header_facts(lines):
        notes.add(kind, line.number, line.raw.strip() or "blank line", line.column)


def _facts(line: Line, guesser: Guesser) -> _Found:
    yield from _text_facts(line)
    yield from _key_facts(line, guesser)
    if line.kind is LineKind.AGENT:
        yield from _agent_facts(line)
    elif line.is_rule:
        yield from _pattern_facts(line)
    elif line.kind is LineKind.SITEMAP:
        yield from _sitemap_facts(line)


def _text_facts(line: Line) -> _Found:
    if "\ufffd" in line.raw:
        yield "not-utf-8", line.raw.strip(), line.raw.index("\ufffd") + 1
    if "\0" in line.raw:
        yield "nul-byte", line.raw.partition("\0")[0], line.raw.index("\0") + 1
    elif line.is_cut:
        yield "long-line", line.raw[:80], 1
    if found := _CONTROL.search(line.raw):
        yield "control-character", f"U+{ord(found[0]):04X}", found.start() + 1


def _key_facts(line: Line, guesser: Guesser) -> _Found:
    if line.kind is LineKind.NOT_UNDERSTOOD:
        yield "not-understood", line.raw.strip(), 1
    if line.is_missing_colon:
        yield "missing-colon", line.raw.strip(), line.column + len(line.key)
    if line.is_typo:
        yield "accepted-typo", f"{line.key} is read as {line.kind.value}", line.column
    if line.kind is LineKind.UNKNOWN:
        nearest = guesser.nearest(line.key)
        yield "unknown-key", line.key, line.column
        if nearest:
            yield "likely-typo", f"{line.key} is nearly {nearest}", line.column
    if line.group < 0 and line.kind in GROUP_FIELDS:
        yield "rule-before-agent" if line.is_rule else "field-before-agent", line.raw.strip(), line.column


def _agent_facts(line: Line) -> _Found:
    value, column = line.value, line.value_column
    token = agent_token(value)
    if not value:
        yield "agent-empty", line.raw.strip(), line.column
    elif token == EVERYBODY:
        if len(value) > 1:
            yield "star-with-text", value, column
    elif "(" in value or value.lower().startswith("mozilla/"):
        yield "agent-header", value, column
    elif "*" in value:
        yield "agent-wildcard", value, column
    elif not token:
        yield "agent-unusable", value, column
    elif _SECOND_NAME.match(value):
        yield "agent-list", value, column
    elif len(token) < len(value):
        yield "agent-version", value, column


def _pattern_facts(line: Line) -> _Found:
    value, column = line.value, line.value_column
    if line.comment is not None and line.raw.partition("#")[0][-1:].strip() and value:
        yield "pattern-cut-by-hash", value + "#" + line.comment, column + len(value)
    if not value:
        return
    if _URL.match(value):
        yield "pattern-absolute-url", value, column
    elif not value.startswith(("/", "*")):
        yield "pattern-no-slash", value, column
    if "$" in value[:-1]:
        yield "pattern-dollar-inside", value, column + value.index("$")
    if len(value) > 1 and value.endswith("*"):
        yield "pattern-trailing-star", value, column + len(value) - 1
    if found := re.search(r"\s", value):
        yield "pattern-blank", value, column + found.start()
    yield from _spelling_facts(value, column)


def _spelling_facts(value: str, column: int) -> _Found:
    if not value.isascii():
        yield "pattern-non-ascii", value, column
    if found := BAD_ESCAPE.search(value):
        yield "pattern-bad-escape", value, column + found.start()
    lower = next((found for found in _ESCAPE.finditer(value) if found[1] != found[1].upper()), None)
    if lower:
        yield "pattern-lower-case-escape", value, column + lower.start()
    if found := _UNRESERVED.search(value):
        yield "pattern-unreserved-escape", value, column + found.start()


def _sitemap_facts(line: Line) -> _Found:
    if not line.value:
        yield "sitemap-empty", line.raw.strip(), line.column
    elif line.value.startswith("//") and line.key.lower().endswith(("http", "https")):
        yield "sitemap-scheme-lost", line.raw.strip(), line.value_column


def _header_facts(lines: Iterable[Line]) -> Iterator[tuple[str, Line]]:
    """What stands between the User-agent lines of one header, and between a header and its first rule."""
    other: Line | None = None
    blank: Line | None = None
    is_open = False
    for line in lines:
        if line.kind is LineKind.AGENT:
            if is_open and other is not None:
                yield "header-left-open", line
            is_open, other, blank = True, None, None
        elif line.is_rule:
            if is_open and blank is not None:
                yield "blank-in-header", blank
            is_open = False
        elif line.kind is LineKind.BLANK:
            blank = blank or line
        elif line.kind is not LineKind.COMMENT:
            other = line
