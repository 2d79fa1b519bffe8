"""Runs of entries that all have the shape of the first one, taken apart by column instead of event by event.

An event is the start of a known element (a small number), a text, or an end (a name, which holds a `SEPARATOR`). A
run is taken only where every event is of the kind the shape wants and every value is one plain text; everything else
is left to the walk, so a run never says anything the walk would not have said.
"""

from typing import NamedTuple, cast

from waypost.formats.xmlshort import SEPARATOR

__all__ = ["BLANKS", "CHANGEFREQ", "ENTRY", "LASTMOD", "LOC", "PRIORITY", "Event", "Run", "find_run"]

ENTRY, LOC, LASTMOD, CHANGEFREQ, PRIORITY = range(5)
"""The marks of known elements."""
BLANKS = " \t\r\n"
"""White space as XML knows it."""

Event = int | str


class Run(NamedTuple):
    """`entries` of one shape, events `first` up to `end`; the columns of their fields by mark."""

    first: int
    end: int
    entries: int
    fields: dict[int, list[str]]


def find_run(events: list[Event], start: int, value_chars_max: int) -> Run | None:
    """The run that begins with the first entry from `start` on, where it reaches to the last but one entry."""
    try:
        first = events.index(ENTRY, start)
        period = events.index(ENTRY, first + 1) - first
    except ValueError:
        return None
    entries = (len(events) - first) // period - 1
    shape = events[first : first + period]
    slots = _value_slots(shape)
    if entries < 1 or slots is None:
        return None
    end = first + entries * period
    fields = {mark: [""] * entries for mark, at in slots.items() if not at}
    marks = {at: mark for mark, at in slots.items() if at}
    for at, wanted in enumerate(shape):
        column = events[first + at : end : period]
        if at in marks:
            values = _plain_values(column, value_chars_max)
            if values is None:
                return None
            fields[marks[at]] = values
        elif not _is_like(column, wanted):
            return None
    return Run(first, end, entries, fields)


def _value_slots(shape: list[Event]) -> dict[int, int] | None:
    """Where the value of each field stands in the shape of an entry (0: it is empty); None for an odd entry."""
    slots: dict[int, int] = {}
    field = 0
    closed = False
    for at, event in enumerate(shape[1:], 1):
        if isinstance(event, int):
            if field or closed or event in slots:
                return None
            field = event
            slots[field] = 0
        elif SEPARATOR in event:
            closed = not field
            field = 0
        elif field and not slots[field]:
            slots[field] = at
        elif event.strip(BLANKS):
            return None
    return slots if closed and LOC in slots else None


def _plain_values(column: list[Event], value_chars_max: int) -> list[str] | None:
    """The column as values, where all of them are texts that need no stripping or cutting."""
    values = cast("list[str]", column)
    try:
        together = "".join(values)
    except TypeError:  # there was a mark among them
        return None
    if SEPARATOR in together or any(blank in together for blank in BLANKS):
        return None
    return values if max(map(len, values)) <= value_chars_max else None


def _is_like(column: list[Event], wanted: Event) -> bool:
    """Whether all events are the wanted start or end, or all are white space."""
    if column.count(wanted) == len(column):
        return True
    if isinstance(wanted, int) or SEPARATOR in wanted:
        return False
    return all(isinstance(event, str) and not event.strip(BLANKS) for event in set(column))
