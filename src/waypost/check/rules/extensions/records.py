"""What the rules about extension records share."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from waypost.check.rule import Hit
from waypost.check.survey import Survey
from waypost.formats.document import Entry
from waypost.formats.extensions import Extension, Part, Record
from waypost.formats.printable import clipped
from waypost.urls import is_absolute

__all__ = ["having", "is_blank", "missing", "not_absolute", "of_kind", "shown"]

_SHOWN_CHARS = 120


def having(extension: Extension) -> Callable[..., Iterable[int]]:
    """The column form of rules about one extension: the entries that have a record of it."""

    def numbers(survey: Survey) -> Iterable[int]:
        return survey.having(extension)

    return numbers


def of_kind(entry: Entry, extension: Extension) -> Iterator[Record]:
    """An entry's records of one extension."""
    return (record for record in entry.extensions if record.extension is extension)


def is_blank(value: str | None) -> bool:
    """Whether a value is missing or empty."""
    return value is None or not value.strip()


def missing(entry: Entry, extension: Extension, name: str) -> Iterator[Hit]:
    """A hit for each record in which a required element is missing or empty."""
    for record in of_kind(entry, extension):
        if is_blank(record.value(name)):
            state = "is missing" if record.value(name) is None else "is empty"
            yield Hit(f"{extension.value}:{name.rpartition('/')[2]} {state}", record.line, record.column)


def not_absolute(entry: Entry, extension: Extension, names: Sequence[str]) -> Iterator[Hit]:
    """A hit for each URL in a record that is no absolute http(s) URL."""
    for record in of_kind(entry, extension):
        for part in record.parts:
            if part.name in names and not is_blank(part.value) and not is_absolute(part.value.strip()):
                yield Hit(f"{extension.value}:{part.name} {shown(part)} is no absolute URL", part.line, part.column)


def shown(part: Part) -> str:
    """A value as a message shows it."""
    return f"“{clipped(part.value.strip(), _SHOWN_CHARS)}”"
