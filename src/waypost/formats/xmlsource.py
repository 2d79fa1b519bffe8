"""Bytes into expat, guarded. What the elements mean is the business of whoever binds its functions to the parser.

A document type declaration is read once, for what it declares, and then blanked out: it can neither define nor hide
anything. Input is handed to expat in pieces of one size, so how it was chunked can never change an answer.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import dataclass
from pyexpat import ExpatError, ParserCreate, XMLParserType

from waypost.formats import xmlnotes as kinds
from waypost.formats.bounds import DEFAULT, Bounds
from waypost.formats.notes import Notes
from waypost.formats.xmlencoding import Encoding, Transcoder, decide_encoding
from waypost.formats.xmlfault import read_fault
from waypost.formats.xmlshort import SEPARATOR, SHORT, shorten, spell
from waypost.limits import FEED_PIECE_BYTES

__all__ = ["SEPARATOR", "Binder", "StopReading", "XmlOutcome", "XmlSource"]

_BEFORE_DOCTYPE = re.compile(rb"(?:[ \t\r\n]++|<!--.*?-->|<\?.*?\?>)*+", re.DOTALL)
_NOT_A_BREAK = re.compile(rb"[^\r\n]")
# What hides an entity's declaration goes first, and each ends, as expat has seen: nothing is looked through twice.
_ENTITY = re.compile(rb"<!--.*?-->|<\?.*?\?>|\"[^\"]*\"|'[^']*'|<!ENTITY\s+(?:%\s+)?(?P<name>[^\s\"'>]*)", re.DOTALL)
_HANDLERS = (
    "XmlDeclHandler",
    "ProcessingInstructionHandler",
    "StartDoctypeDeclHandler",
    "EndDoctypeDeclHandler",
    "EntityDeclHandler",
    "StartNamespaceDeclHandler",
    "StartElementHandler",
    "EndElementHandler",
    "CharacterDataHandler",
)
_TEXT_BUFFER_BYTES = 16_384

Binder = Callable[[XMLParserType, str, list[str]], Callable[[], None] | None]
"""Called when the root element starts, with its name and flat attributes: sets expat's three element handlers.

What it returns is called after each piece that was read without a fault.
"""


@dataclass(frozen=True, slots=True)
class XmlOutcome:
    """What is known when a document was read, or could not be read further (`complete` is false)."""

    complete: bool
    encoding: str
    bytes: int
    cut: bool
    root: str
    root_attributes: tuple[str, ...]
    root_line: int
    doctype: bool
    stylesheet: str
    version: str


class StopReading(Exception):  # noqa: N818 - no error: a reader has seen enough
    """Raised by a bound function to end the reading here, with the note that says why. It never leaves the reader.

    Without a place the note stands behind what was being read.
    """

    def __init__(self, kind: str, text: str, place: tuple[int, int] | None = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.text = text
        self.place = place


class _DoctypeRead(Exception):  # noqa: N818 - a signal out of expat
    """The document type declaration has ended."""


class XmlSource:
    """Bytes into expat, guarded. What elements mean is the binder's, who may ask for the short sitemap namespace."""

    def __init__(self, bind: Binder, notes: Notes, bounds: Bounds = DEFAULT, *, short: bool = False) -> None:
        self._bind = bind
        self._notes = notes
        self._bounds = bounds
        self._pending = bytearray()
        self._bytes = 0
        self._cut = self._ended = self._complete = False
        self._encoding: Encoding | None = None
        self._marked = False
        self._transcoder: Transcoder | None = None
        self._fed = 0
        self._short = short
        self._shortened = False
        self._doctype = False
        self._root: tuple[str, tuple[str, ...], int] = ("", (), 0)
        self._stylesheet = self._version = ""
        self._prolog = b""
        self._names: dict[str, str] = {}
        self._names_before = 0
        self._after_piece: Callable[[], None] | None = None
        self.parser = self._make_parser()

    @property
    def names_over(self) -> bool:
        """Whether there were more distinct names than are kept: extension records end."""
        return self._names_before > 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes, any number of them."""
        room = max(0, self._bounds.bytes_max + 1 - self._bytes)
        self._bytes += len(data)
        view = memoryview(data)[:room]
        self._cut = self._cut or len(data) > room
        if self._ended:
            return
        if self._pending:
            missing = FEED_PIECE_BYTES - len(self._pending)
            self._pending += view[:missing]
            view = view[missing:]
            if len(self._pending) < FEED_PIECE_BYTES:
                return
            self._piece(bytes(self._pending))
            self._pending.clear()
        while len(view) >= FEED_PIECE_BYTES:
            self._piece(bytes(view[:FEED_PIECE_BYTES]))
            view = view[FEED_PIECE_BYTES:]
        self._pending += view

    def close(self, *, broken_off: bool = False) -> XmlOutcome:
        """The end of the bytes: read what is left, and say what is known.

        Where they are `broken_off` the reason is noted already, and that the document does not end is no news.
        """
        self._piece(bytes(self._pending), final=not self._cut and not broken_off)
        self._pending.clear()
        self._ended = True
        self._after_piece = None
        for handler in _HANDLERS:
            setattr(self.parser, handler, None)  # they point back at us: a cycle only the collector could free
        if self._bytes > self._bounds.bytes_max:
            self._notes.add(kinds.OVER_BYTES, 0, f"more than {self._bounds.bytes_max:,} bytes")
        found = self._encoding or decide_encoding(b"")
        return XmlOutcome(
            complete=self._complete,
            encoding=found.name,
            bytes=self._bytes,
            cut=self._cut,
            root=self._root[0],
            root_attributes=self._root[1],
            root_line=self._root[2],
            doctype=self._doctype,
            stylesheet=self._stylesheet,
            version=self._version,
        )

    def _piece(self, piece: bytes, *, final: bool = False) -> None:
        if self._encoding is None:
            piece = self._open(piece)
        fault = ""
        if self._transcoder is not None:
            piece, fault = self._transcoder.take(piece, final=final)
        if not self._fed and self._marked and piece.startswith(BOM_UTF8):
            self._stop(kinds.TEXT_BEFORE_DECLARATION, "a second byte-order mark")  # expat would pass over it
        self._parse(piece, final=final and not fault)
        if fault:
            self._stop(kinds.INVALID_BYTES, fault)
        self._count_names()

    def _open(self, piece: bytes) -> bytes:
        """Settle the encoding by the first piece, and strip its byte-order mark."""
        found = self._encoding = decide_encoding(piece)
        self._marked = found.mark_bytes > 0
        if self._marked:
            self._notes.add(kinds.BYTE_ORDER_MARK, 1, found.name, 1)
        if found.codec is None:
            self._stop(kinds.ENCODING_UNSUPPORTED, f"the encoding {found.declared or found.name} cannot be read")
        elif found.codec != "utf-8":
            self._notes.add(kinds.NOT_UTF_8, 1, found.name, 1)
            self._transcoder = Transcoder(found.codec)
        if found.contradicted and found.codec:
            self._notes.add(kinds.ENCODING_CONTRADICTED, 1, f"{found.declared} declared, {found.name} read", 1)
        return piece[found.mark_bytes :]

    def _parse(self, piece: bytes, *, final: bool) -> None:
        if self._ended:
            return
        self._prolog = piece if not self._fed else b""
        try:
            self.parser.Parse(self._shorten(piece) if self._short and not self._fed else piece, final)
            if self._after_piece:
                self._after_piece()
        except ExpatError as error:
            self._fault(error.code, piece, final=final)
        except StopReading as stop:
            self._stop(stop.kind, stop.text, stop.place)
        except _DoctypeRead:
            self._read_again(piece, final=final)
        else:
            self._complete = final
            self._fed += len(piece)
            if self._doctype and not self._root[2]:
                self._late_doctype()

    def _shorten(self, piece: bytes) -> bytes:
        shorter = shorten(piece, len(_before_doctype(piece)))
        self._shortened = shorter is not None
        return shorter or piece

    def _fault(self, code: int, piece: bytes, *, final: bool) -> None:
        parser = self.parser
        at = parser.ErrorByteIndex - self._fed
        fault = read_fault(code, piece, at, first=self._fed == 0, final=final)
        self._notes.add(fault.kind, parser.ErrorLineNumber, fault.text, parser.ErrorColumnNumber + 1 - fault.back)
        self._ended = True

    def _stop(self, kind: str, text: str, place: tuple[int, int] | None = None) -> None:
        if not self._ended:
            line, column = place or (self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)
            self._notes.add(kind, line, text, column)
        self._ended = True

    def _count_names(self) -> None:
        """Expat interns names in our table; past the limit it is emptied, so that it cannot grow with the document."""
        seen = self._names_before + len(self._names)
        if seen <= self._bounds.names_max:
            return
        if not self._names_before:
            self._notes.add(kinds.TOO_MANY_NAMES, 0, f"more than {self._bounds.names_max:,} distinct names")
        if seen > self._bounds.all_names_max and not self._complete:
            self._stop(kinds.TOO_MANY_NAMES, f"more than {self._bounds.all_names_max:,} distinct names")
        self._names_before = seen
        self._names.clear()

    def _make_parser(self) -> XMLParserType:
        parser = ParserCreate("utf-8", SEPARATOR, self._names)
        parser.buffer_text = True
        parser.buffer_size = _TEXT_BUFFER_BYTES
        parser.ordered_attributes = True
        parser.specified_attributes = True
        parser.XmlDeclHandler = self._on_declaration
        parser.ProcessingInstructionHandler = self._on_instruction
        parser.StartDoctypeDeclHandler = self._on_doctype
        parser.EndDoctypeDeclHandler = self._on_doctype_end
        parser.EntityDeclHandler = self._on_entity
        if self._short:
            parser.StartNamespaceDeclHandler = self._on_namespace
        parser.StartElementHandler = self._on_root
        return parser

    def _read_again(self, piece: bytes, *, final: bool) -> None:
        """Read the first piece once more with its document type declaration blanked out."""
        end = piece.find(b">", self.parser.CurrentByteIndex) + 1
        start = len(_before_doctype(piece))
        # Expat says nothing of a second declaration of a name, nor of one after a parameter entity it cannot read.
        declared = (found["name"] for found in _ENTITY.finditer(piece, start, end))
        if entity := next(filter(None, declared), b""):
            self._stop(kinds.ENTITY_DECLARED, _refused(entity.decode("utf-8", "replace")))
            return
        self.parser = self._make_parser()
        self.parser.StartDoctypeDeclHandler = self._on_second_doctype
        self._parse(piece[:start] + _NOT_A_BREAK.sub(b" ", piece[start:end]) + piece[end:], final=final)

    def _late_doctype(self) -> None:
        if self.parser.StartDoctypeDeclHandler == self._on_doctype:
            self._stop(kinds.DOCTYPE_TOO_LONG, "the document type declaration does not end in the first MiB")

    def _on_declaration(self, version: str, _encoding: str | None, _standalone: int) -> None:
        self._version = version

    def _on_instruction(self, target: str, data: str) -> None:
        if target == "xml-stylesheet":
            self._stylesheet = data[: self._bounds.value_chars_max]

    def _on_doctype(self, name: str, system_id: str | None, _public_id: str | None, _internal: int) -> None:
        self._doctype = True
        text = f"{name} {system_id}" if system_id else name
        line, column = _end_of(_before_doctype(self._prolog))
        self._notes.add(kinds.DOCTYPE, line, text, column)
        if self._fed:
            self._late_doctype()

    def _on_second_doctype(self, name: str, *_more: object) -> None:
        raise StopReading(kinds.NOT_WELL_FORMED, f"a second document type declaration: {name}")

    def _on_doctype_end(self) -> None:
        raise _DoctypeRead

    def _on_entity(self, name: str, *_more: object) -> None:
        raise StopReading(kinds.ENTITY_DECLARED, _refused(name))

    def _on_namespace(self, _prefix: str | None, uri: str | None) -> None:
        if uri == SHORT and self._shortened and self._root[2]:
            raise StopReading(kinds.NOT_WELL_FORMED, "a namespace name that is no URI")

    def _on_root(self, name: str, attributes: list[str]) -> None:
        self._root = (spell(name), tuple(map(spell, attributes)), self.parser.CurrentLineNumber)
        self.parser.ProcessingInstructionHandler = None
        self.parser.StartElementHandler = None
        bind, self._bind = self._bind, _bound
        self._after_piece = bind(self.parser, name, attributes)


def _before_doctype(piece: bytes) -> bytes:
    found = _BEFORE_DOCTYPE.match(piece)
    return found[0] if found else b""


def _end_of(text: bytes) -> tuple[int, int]:
    """The line and column behind a text, as expat counts them."""
    lines = text.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return len(lines), len(lines[-1]) + 1


def _refused(entity: str) -> str:
    return f"entities are refused: {entity}"


def _bound(_parser: XMLParserType, _name: str, _attributes: list[str]) -> None:
    """Stands where the binder stood: a binder that points back at us would be a cycle."""
