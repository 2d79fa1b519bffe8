"""Reads the entries of a urlset or a sitemapindex: the exact reader, as fast as expat's events allow.

Expat appends what it sees to one list, most of it without running any Python: a small number where an element of the
protocol starts, texts, and names where elements end. Once a piece the list is interpreted. A run of entries that all
have the same shape, which is what programs write, is taken apart by column; anything else is walked through event by
event. Both ways say the same of the same events.
"""

from collections.abc import Callable
from pyexpat import XMLParserType

from waypost.formats import sitemapnotes as kinds
from waypost.formats.bounds import Bounds
from waypost.formats.document import Columns, Kind, PlaceArrays
from waypost.formats.entryruns import BLANKS, CHANGEFREQ, ENTRY, LASTMOD, LOC, PRIORITY, Event, Run, find_run
from waypost.formats.notes import Notes
from waypost.formats.records import Records
from waypost.formats.xmlnotes import TOO_DEEP, VALUE_TOO_LONG
from waypost.formats.xmlshort import SEPARATOR, SHORT, SITEMAP_NAMESPACE, spell
from waypost.formats.xmlsource import StopReading

__all__ = ["EntryReader", "is_core", "note_namespace"]

_RELATIVES = frozenset(
    f"{scheme}{rest}"
    for scheme in ("http://", "https://")
    for rest in (
        "www.sitemaps.org/schemas/sitemap/0.9",
        "www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd",
        "www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "www.sitemaps.org/schemas/sitemap/0.84",
        "www.google.com/schemas/sitemap/0.84",
        "www.google.com/schemas/sitemap/0.84/siteindex.xsd",
        "www.google.com/schemas/sitemap/0.84/sitemap.xsd",
    )
) - {SITEMAP_NAMESPACE}

_NAMES = ("url", "loc", "lastmod", "changefreq", "priority")
_MARKS = {
    Kind.URLSET: {"url": ENTRY, "loc": LOC, "lastmod": LASTMOD, "changefreq": CHANGEFREQ, "priority": PRIORITY},
    Kind.INDEX: {"sitemap": ENTRY, "loc": LOC, "lastmod": LASTMOD},
}
_END = "\0" + SEPARATOR
"""Stands for the end of any element, where names of ends could be mistaken for texts."""

_ROOT, _IN_ENTRY, _IN_FIELD, _ODD = 1, 2, 3, 10
"""Where the walk is: in the root, an entry, a field; from `_ODD` up inside a known element in the wrong place."""


class EntryReader:
    """Reads the elements of one urlset or sitemapindex into columns."""

    def __init__(self, kind: Kind, notes: Notes, bounds: Bounds, names_over: Callable[[], bool]) -> None:
        self._kind = kind
        self._notes = notes
        self._bounds = bounds
        self._names_over = names_over
        self._places = PlaceArrays()
        self.columns = Columns(places=self._places)
        self.count = 0
        self._events: list[Event] = []
        self._seen = PlaceArrays()
        self._seen_at = 0
        self._level = self._back = _ROOT
        self._field = 0
        self._place = (0, 0)
        self._values: list[str | None] = [None] * 5
        self._texts: list[str] = []

    def bind(self, parser: XMLParserType, name: str, _attributes: list[str]) -> Callable[[], None]:
        """Take expat's handlers at the root element; what is returned is called after each piece."""
        self._namespace = name.rpartition(SEPARATOR)[0]
        self._namespaces = {self._namespace, SITEMAP_NAMESPACE} if self._namespace == SHORT else {self._namespace}
        self._marks = {
            f"{namespace}{SEPARATOR}{local}".removeprefix(SEPARATOR): mark
            for namespace in self._namespaces
            for local, mark in _MARKS[self._kind].items()
        }
        self._records = Records(parser, self._notes, self._bounds, self._names_over)
        self._parser = parser
        self._place = (parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        self._on_start = self._make_start()
        self._on_end = self._events.append if self._namespace else self._append_end
        self._resume()
        return self.drain

    def drain(self) -> None:
        """Interpret the events so far."""
        self._interpret()
        if self._level - _ODD > self._bounds.open_max:
            raise StopReading(TOO_DEEP, f"more than {self._bounds.open_max:,} elements in each other")

    def finish(self, *, complete: bool) -> None:
        """The end of the document; where it broke inside an entry whose `loc` had ended, that is an entry."""
        self._interpret()
        if not complete and self._level >= _IN_ENTRY and self._values[LOC] is not None:
            self._end_entry()

    def _make_start(self) -> Callable[[str, list[str]], None]:
        """The start handler as a closure: it runs once an element."""
        parser, marks, other = self._parser, self._marks, self._other
        append, add_line, add_column = self._events.append, self._seen.lines.append, self._seen.columns.append

        def start(name: str, attributes: list[str]) -> None:
            try:
                mark = marks[name]
            except KeyError:
                other(name, attributes)
                return
            append(mark)
            if not mark:
                add_line(parser.CurrentLineNumber)
                add_column(parser.CurrentColumnNumber)

        return start

    def _resume(self) -> None:
        self._parser.StartElementHandler = self._on_start
        self._parser.EndElementHandler = self._on_end
        self._parser.CharacterDataHandler = self._events.append

    def _append_end(self, _name: str) -> None:
        self._events.append(_END)

    def _other(self, name: str, attributes: list[str]) -> None:
        """An element starts that is none of ours by name; by now it is known where it stands."""
        self.drain()
        namespace, _, local = name.rpartition(SEPARATOR)
        ours = namespace in self._namespaces
        if not ours and is_core(namespace):
            ours = True
            if (mark := _MARKS[self._kind].get(local)) is not None:
                self._adopt(name, mark)
                self._on_start(name, attributes)
                return
        if self._level in {_ROOT, _IN_ENTRY} and not ours:
            self._records.read(name, attributes, (self.count + 1) * (self._level == _IN_ENTRY), self._resume)
            return
        if self._level == _IN_FIELD:
            self._records.note(kinds.ELEMENT_IN_VALUE, local, self.count + 1)
        elif self._level < _ODD:
            wrong = self._level == _ROOT and local in {"url", "sitemap"}
            entry = (self.count + 1) * (self._level == _IN_ENTRY)
            self._records.note(kinds.CHILD_WRONG if wrong else kinds.ELEMENT_UNKNOWN, local, entry)
        self._records.pass_over(self._resume)

    def _adopt(self, name: str, mark: int) -> None:
        """Take an element of another sitemap namespace for ours. Its end may look like a text: mark the ends."""
        self._marks[name] = mark
        if not self._notes.counts.get(kinds.CHILD_FOREIGN):
            self._records.note(kinds.CHILD_FOREIGN, spell(name), 0)
        self._on_end = self._append_end
        self._parser.EndElementHandler = self._on_end

    def _interpret(self) -> None:
        events, start = self._events, 0
        if self._level != _ROOT:
            start = events.index(ENTRY) if ENTRY in events else len(events)
            self._walk(events[:start])
        if self._level == _ROOT and (run := find_run(events, start, self._bounds.value_chars_max)):
            self._walk(events[start : run.first])
            start = run.end if self._take_run(run) else run.first
        self._walk(events[start:])
        events.clear()
        del self._seen.lines[:], self._seen.columns[:]
        self._seen_at = 0

    def _walk(self, events: list[Event]) -> None:
        level, texts = self._level, self._texts
        for event in events:
            if isinstance(event, int):
                if level == _ROOT and event == ENTRY:
                    level = _IN_ENTRY
                    self._place = self._seen[self._seen_at]
                    self._seen_at += 1
                elif level == _IN_ENTRY and event != ENTRY:
                    level = _IN_FIELD
                    self._field = event
                else:
                    level = self._odd_start(level, event)
            elif SEPARATOR in event:
                if level == _IN_FIELD:
                    level = _IN_ENTRY
                    self._end_field()
                elif level == _IN_ENTRY:
                    level = _ROOT
                    self._end_entry()
                else:
                    level = self._back if level == _ODD else level - 1
            elif level == _IN_FIELD:
                texts.append(event)
            elif level < _ODD and event.strip(BLANKS):
                self._note(kinds.TEXT_OUTSIDE, event.strip(BLANKS), in_entry=level == _IN_ENTRY)
        self._level = level

    def _take_run(self, run: Run) -> bool:
        """Append a run by column, where it passes no limit on its way."""
        count = self.count + run.entries
        if any(self.count <= limit < count for limit in (self._bounds.urls_max, self._bounds.entries_kept_max)):
            return False
        if count <= self._bounds.entries_kept_max:
            absent: list[str | None] = [None] * run.entries
            self.columns.locs += run.fields[LOC]
            self.columns.lastmods += run.fields.get(LASTMOD, absent)
            self.columns.changefreqs += run.fields.get(CHANGEFREQ, absent)
            self.columns.priorities += run.fields.get(PRIORITY, absent)
            self._places.lines += self._seen.lines[self._seen_at : self._seen_at + run.entries]
            self._places.columns += self._seen.columns[self._seen_at : self._seen_at + run.entries]
        self._seen_at += run.entries
        self.count = count
        return True

    def _odd_start(self, level: int, mark: int) -> int:
        """One of ours starts where it has no business; everything in it is passed over."""
        self._seen_at += mark == ENTRY
        if level >= _ODD:
            return level + 1
        self._back = level
        kind = kinds.ELEMENT_IN_VALUE if level == _IN_FIELD else kinds.ELEMENT_UNKNOWN
        name = next(name for name, known in _MARKS[self._kind].items() if known == mark)
        self._note(kind, name, in_entry=level != _ROOT)
        return _ODD

    def _end_field(self) -> None:
        texts, field = self._texts, self._field
        raw = texts[0] if len(texts) == 1 else "".join(texts)
        texts.clear()
        value = raw.strip(BLANKS)
        if len(value) > self._bounds.value_chars_max:
            self._note(VALUE_TOO_LONG, _NAMES[field])
            value = value[: self._bounds.value_chars_max]
        if self._values[field] is not None:
            self._note(
                kinds.LOC_REPEATED if field == LOC else kinds.FIELD_REPEATED, value if field == LOC else _NAMES[field]
            )
            return
        self._values[field] = value
        if field == LOC and value and len(raw.strip(BLANKS)) != len(raw):
            self._note(kinds.LOC_PADDED, value)

    def _end_entry(self) -> None:
        _, loc, lastmod, changefreq, priority = self._values
        records = self._records.finish_entry()
        if loc is None:
            self._note(kinds.LOC_MISSING, "", in_entry=False)
        else:
            self.count += 1
            if self.count == self._bounds.urls_max + 1:
                limit = f"more than {self._bounds.urls_max:,} entries"
                self._notes.add(kinds.OVER_ENTRIES, self._place[0], limit, self._place[1], self.count)
            if self.count <= self._bounds.entries_kept_max:
                self.columns.locs.append(loc)
                self.columns.lastmods.append(lastmod)
                self.columns.changefreqs.append(changefreq)
                self.columns.priorities.append(priority)
                self._places.lines.append(self._place[0])
                self._places.columns.append(self._place[1] - 1)
                if records:
                    self.columns.records[self.count - 1] = records
        self._values[:] = (None,) * 5

    def _note(self, kind: str, text: str, *, in_entry: bool = True) -> None:
        """Note something at the place of the entry that is, or was last, being read; before the first, of the root."""
        self._notes.add(kind, self._place[0], text, self._place[1], (self.count + 1) * in_entry)


def is_core(namespace: str) -> bool:
    """Whether this is a namespace of the sitemap protocol: the right one, none at all, or a relative."""
    return not namespace or namespace == SITEMAP_NAMESPACE or namespace in _RELATIVES


def note_namespace(namespace: str, notes: Notes, place: tuple[int, int]) -> None:
    """Note what is unusual about the namespace of a root element."""
    line, column = place
    if not namespace:
        notes.add(kinds.NAMESPACE_MISSING, line, "", column)
    elif namespace in _RELATIVES:
        notes.add(kinds.NAMESPACE_NEAR, line, namespace, column)
    elif namespace != SITEMAP_NAMESPACE:
        notes.add(kinds.NAMESPACE_FOREIGN, line, namespace, column)
