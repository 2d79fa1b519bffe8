"""What rules share: from a reader's notes to hits, and sentences that several of them say."""

import re
from collections.abc import Iterator

from waypost.check.capture import Capture
from waypost.check.rule import Hit, Severity
from waypost.formats.notes import Note
from waypost.formats.printable import clipped

__all__ = ["charset_contradiction", "content_type_told", "noted"]

_SHOWN_CHARS = 120
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9_.:-]+)", re.IGNORECASE)
_SAME_CHARSET = {"utf8": "utf-8", "iso-8859-1": "windows-1252", "latin-1": "windows-1252", "us-ascii": "utf-8"}


def noted(
    document: object, kinds: str | tuple[str, ...], sentence: str = "{}", severity: Severity | None = None
) -> Iterator[Hit]:
    """A hit for every note of some kinds; `{}` in the sentence stands for the note's text.

    Notes beyond those that were kept count as hits without a place.
    """
    wanted = (kinds,) if isinstance(kinds, str) else kinds
    notes: tuple[Note, ...] = getattr(document, "notes", ())
    counts: dict[str, int] = dict(getattr(document, "counts", {}) or {})
    shown = 0
    for note in notes:
        if note.kind in wanted:
            shown += 1
            yield Hit(
                sentence.format(clipped(note.text, _SHOWN_CHARS)), note.line, note.column, note.entry, "", severity
            )
    for _ in range(sum(counts.get(kind, 0) for kind in wanted) - shown):
        yield Hit(sentence.format("…"), severity=severity)


def content_type_told(capture: Capture) -> str:
    """What an answer says its media type is, for a rule that finds it wrong."""
    kind = clipped(capture.content_type, _SHOWN_CHARS)
    return f"Content-Type is {kind}" if kind else "there is no Content-Type"


def charset_contradiction(capture: Capture, encoding: str) -> str | None:
    """How the charset of a Content-Type contradicts the encoding that was read, where it does."""
    said = _CHARSET.search(capture.headers.get("content-type"))
    if not said or not encoding or _charset(said[1]) == _charset(encoding):
        return None
    return f"the header says {clipped(said[1], 40)}, the document is {encoding}"


def _charset(name: str) -> str:
    low = name.strip().lower()
    return _SAME_CHARSET.get(low, low)
