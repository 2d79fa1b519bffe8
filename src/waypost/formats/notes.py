"""Neutral facts seen while reading. Rules judge them; a reader only notes."""

from dataclasses import dataclass, field

from waypost.limits import NOTE_CHARS_MAX, NOTES_KEPT_PER_KIND

__all__ = ["Note", "Notes"]


@dataclass(frozen=True, slots=True)
class Note:
    """One fact about a document: its kind (a stable kebab-case word), where it is, and a short text.

    Lines, columns and entries count from 1; 0 means the whole document, or unknown.
    """

    kind: str
    line: int
    text: str
    column: int = 0
    entry: int = 0


@dataclass(slots=True)
class Notes:
    """Collects notes while a reader reads: the first of each kind are kept, all of them are counted."""

    kept: list[Note] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    kept_per_kind: int = NOTES_KEPT_PER_KIND

    def add(self, kind: str, line: int, text: str, column: int = 0, entry: int = 0) -> None:
        """Count a fact of this kind, and keep it while there are not too many of them."""
        seen = self.counts.get(kind, 0)
        self.counts[kind] = seen + 1
        if seen < self.kept_per_kind:
            self.kept.append(Note(kind, line, text[:NOTE_CHARS_MAX], column, entry))

    def freeze(self) -> tuple[Note, ...]:
        """The kept notes in the order of the document."""
        return tuple(sorted(self.kept, key=lambda note: (note.line, note.column)))
