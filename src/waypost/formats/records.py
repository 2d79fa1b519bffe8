"""Reads what stands in an entry beside the protocol's own elements: extension records, and what is passed over.

`Records.read` takes expat's handlers at the start of one foreign element and gives them back, through `done`, at its
end.
"""

from collections.abc import Callable
from pyexpat import XMLParserType

from waypost.formats import sitemapnotes as kinds
from waypost.formats.bounds import Bounds
from waypost.formats.entryruns import BLANKS
from waypost.formats.extensions import EXTENSION_NAMESPACES, Extension, Part, Record, near_extension
from waypost.formats.notes import Notes
from waypost.formats.xmlnotes import TOO_DEEP, VALUE_TOO_LONG
from waypost.formats.xmlshort import SEPARATOR, spell
from waypost.formats.xmlsource import StopReading

__all__ = ["Records"]

_PATH_MAX = 3
_NAMESPACES_TOLD_MAX = 100
_ATTRIBUTE_TEXTS_MAX = 64
_SHARED_MAX = 10_000
_SHORT_CHARS = 20

Done = Callable[[], None]


class Records:
    """The extension records of a document's entries, as they come by."""

    def __init__(self, parser: XMLParserType, notes: Notes, bounds: Bounds, names_over: Callable[[], bool]) -> None:
        self.parser = parser
        self._notes = notes
        self.bounds = bounds
        self._names_over = names_over
        self._room = bounds.records_kept_max
        self._told: set[str] = set()
        self._shared: dict[str, str] = {}
        self._read: list[Record] = []
        self._reader: _RecordReader | None = None

    def read(self, name: str, attributes: list[str], entry: int, done: Done) -> None:
        """Read the foreign element that starts here to its end. `entry` is the entry it stands in, or 0."""
        namespace, _, local = name.rpartition(SEPARATOR)
        extension = EXTENSION_NAMESPACES.get(namespace)
        place = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        if extension is None:
            self._tell_unknown(namespace)
        elif local != extension.element or not entry:
            self.note(kinds.EXTENSION_MISPLACED, f"{extension.value}:{local}", entry)
        elif self.take():
            if extension is not Extension.ALTERNATE:
                self._reader = _RecordReader(self, namespace, Record(extension, *place), entry, done)
                return
            self._read.append(Record(extension, *place, attributes=self.attributes(attributes)))
        self.pass_over(done)

    def pass_over(self, done: Done) -> None:
        """Read over the element that starts here, to its end."""
        _PassOver(self, done)

    def take(self) -> bool:
        """Whether one more record or part may be kept; the first that may not is noted."""
        kept = self._room > 0 and not self._names_over()
        self._room -= kept
        if not kept and not self._notes.counts.get(kinds.RECORDS_DROPPED):
            self.note(kinds.RECORDS_DROPPED, "extension records end here", 0)
        return kept

    def note(self, kind: str, text: str, entry: int) -> None:
        """Note something about the element expat is at."""
        self._notes.add(kind, self.parser.CurrentLineNumber, text, self.parser.CurrentColumnNumber + 1, entry)

    def attributes(self, attributes: list[str]) -> tuple[str, ...]:
        """The attributes as they are kept; short texts, which repeat, are kept once."""
        longest, shared = self.bounds.value_chars_max, self._shared
        kept = [spell(text)[:longest] for text in attributes[:_ATTRIBUTE_TEXTS_MAX]]
        if len(shared) > _SHARED_MAX:
            shared.clear()
        return tuple(shared.setdefault(text, text) if len(text) < _SHORT_CHARS else text for text in kept)

    def finish_record(self, record: Record) -> None:
        """One more record of the entry that is being read."""
        self._reader = None
        self._read.append(record)

    def finish_entry(self) -> tuple[Record, ...]:
        """The records of the entry that ends here; the open one too, where the document broke inside it."""
        if self._reader is not None:
            self.finish_record(self._reader.record())
        records = tuple(self._read)
        self._read.clear()
        return records

    def _tell_unknown(self, namespace: str) -> None:
        if namespace in self._told or len(self._told) >= _NAMESPACES_TOLD_MAX:
            return
        self._told.add(namespace)
        self.note(kinds.EXTENSION_MISSPELT if near_extension(namespace) else kinds.EXTENSION_UNKNOWN, namespace, 0)


class _RecordReader:
    """Reads one image, video or news element."""

    def __init__(self, records: Records, namespace: str, record: Record, entry: int, done: Done) -> None:
        self._records = records
        self._namespace = namespace
        self._record = record
        self._entry = entry
        self._done = done
        self._parts: list[Part] = []
        self._open: list[tuple[int, list[str]]] = []
        self._passed = 0
        self._sizes: list[int] = []
        self._bounds = records.bounds
        self._parser = parser = records.parser
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def record(self) -> Record:
        """The record as far as it was read; a part that did not end is no part."""
        unfinished = {index for index, _ in self._open}
        return self._record._replace(parts=tuple(p for i, p in enumerate(self._parts) if i not in unfinished))

    def _start(self, name: str, attributes: list[str]) -> None:
        namespace, _, local = name.rpartition(SEPARATOR)
        if self._passed or namespace != self._namespace or len(self._open) == _PATH_MAX or not self._records.take():
            self._passed += 1
            if self._passed > self._bounds.open_max:
                raise StopReading(TOO_DEEP, f"more than {self._bounds.open_max:,} elements in each other")
            return
        path = f"{self._parts[self._open[-1][0]].name}/{local}" if self._open else local
        self._open.append((len(self._parts), []))
        self._sizes.append(0)
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        self._parts.append(Part(path, "", line, column, self._records.attributes(attributes)))

    def _end(self, _name: str) -> None:
        if self._passed:
            self._passed -= 1
        elif self._open:
            index, texts = self._open.pop()
            value = "".join(texts).strip(BLANKS)[: self._bounds.value_chars_max]
            if self._sizes.pop() > self._bounds.value_chars_max:
                self._records.note(VALUE_TOO_LONG, self._parts[index].name, self._entry)
            self._parts[index] = self._parts[index]._replace(value=value)
        else:
            self._records.finish_record(self.record())
            self._done()

    def _text(self, data: str) -> None:
        if self._open and not self._passed:
            if self._sizes[-1] <= self._bounds.value_chars_max:
                self._open[-1][1].append(data)
            self._sizes[-1] += len(data)


class _PassOver:
    """Reads over one element and everything in it."""

    def __init__(self, records: Records, done: Done) -> None:
        self._records = records
        self._bounds = records.bounds
        self._done = done
        self._depth = 1
        parser = records.parser
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = None

    def _start(self, _name: str, _attributes: list[str]) -> None:
        self._depth += 1
        if self._depth == self._bounds.depth_max:
            self._records.note(TOO_DEEP, f"more than {self._bounds.depth_max:,} elements in each other", 0)
        if self._depth > self._bounds.open_max:
            raise StopReading(TOO_DEEP, f"more than {self._bounds.open_max:,} elements in each other")

    def _end(self, _name: str) -> None:
        self._depth -= 1
        if not self._depth:
            self._done()
