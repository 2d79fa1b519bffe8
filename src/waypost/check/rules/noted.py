"""What rules share: from a reader's notes to hits, and sentences that several of them say."""

from collections.abc import Iterator

from waypost.check.capture import Capture
from waypost.check.rule import Hit, Severity
from waypost.formats.notes import Note
from waypost.formats.printable import clipped

__all__ = ["content_type_told", "noted"]

_SHOWN_CHARS = 120


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
