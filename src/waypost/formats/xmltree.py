"""Small bounded trees out of one streaming pass: a feed's entry or a map's `url` at a time, never a whole document.

The elements around them (`rss`, `channel`, `feed`, …) are containers: they are announced when they open, and each of
their children is handed over, whole, when it has closed. A child that the document's end cuts off is never handed over.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urljoin

from waypost.formats.markup import html_from_text
from waypost.formats.notes import Notes
from waypost.formats.xmlsource import StopReading
from waypost.limits import LOC_CHARS_MAX, TREE_ELEMENTS_MAX, TREE_PIECES_MAX

__all__ = ["TOO_MANY_ELEMENTS", "TOO_MANY_PIECES", "XML_BASE", "Element", "TreeReader", "joined"]

TOO_MANY_ELEMENTS = "too-many-elements"
"""The kind of note for a document whose reading ended because it would have taken too long."""

TOO_MANY_PIECES = "too-many-pieces"
"""The kind of note for a child with more elements and texts inside it than are kept."""
XML_BASE = "http://www.w3.org/XML/1998/namespace base"

_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


@dataclass(slots=True)
class Base:
    """An `xml:base` inside others: joined when somebody asks for it, and once, as most are never asked for."""

    outer: "Base | None"
    document: str
    """Where the document is, which the outermost one is relative to."""
    reference: str
    joined: str | None = None

    @property
    def url(self) -> str:
        """What it and those further out make of each other."""
        waiting: list[Base] = []
        base: Base | None = self
        while base is not None and base.joined is None:
            waiting.append(base)
            base = base.outer
        url = base.joined if base else ""
        for base in reversed(waiting):
            url = base.joined = joined(url or base.document, base.reference)[:LOC_CHARS_MAX]
        return url or ""


@dataclass(slots=True)
class Element:
    """An element with everything in it, in order."""

    name: str
    """"namespace local", or "local" where it has no namespace."""
    attributes: dict[str, str]
    line: int
    column: int
    bases: Base | None = None
    """The innermost `xml:base`, here or further out."""
    parts: list["str | Element"] = field(default_factory=list)

    @property
    def local(self) -> str:
        """The name without its namespace."""
        return self.name.rpartition(" ")[2]

    @property
    def namespace(self) -> str:
        """The namespace, or "" for none."""
        return self.name.rpartition(" ")[0]

    @property
    def children(self) -> Iterator["Element"]:
        """The elements directly inside."""
        return (part for part in self.parts if isinstance(part, Element))

    @property
    def text(self) -> str:
        """The text directly inside, without white space around it."""
        return "".join(part for part in self.parts if isinstance(part, str)).strip()

    def get(self, name: str) -> str | None:
        """An attribute, without white space around it."""
        value = self.attributes.get(name)
        return None if value is None else value.strip()

    @property
    def base(self) -> str:
        """What a relative reference is resolved against; empty where there is no `xml:base`."""
        return self.bases.url if self.bases else ""

    @property
    def own_base(self) -> str | None:
        """The `xml:base` of this very element."""
        return self.get(XML_BASE)

    @property
    def place(self) -> tuple[int, int]:
        """Line and column."""
        return self.line, self.column

    def resolve(self, reference: str) -> str:
        """The reference as `xml:base` resolves it; unchanged where there is no base or it cannot be joined."""
        return joined(base, reference) if (base := self.base) else reference

    def markup(self) -> str:
        """What is inside as HTML: local names, everything escaped. However deep it is, nothing recurses."""
        out: list[str] = []
        unfinished = [(iter(self.parts), "")]
        while unfinished:
            inside, end = unfinished[-1]
            for part in inside:
                if isinstance(part, str):
                    out.append(html_from_text(part))
                    continue
                is_void = part.local in _VOID
                out.append(f"<{part.local}{part.attribute_markup()}{'/>' if is_void else '>'}")
                if not is_void:
                    unfinished.append((iter(part.parts), f"</{part.local}>"))
                    break
            else:
                out.append(end)
                unfinished.pop()
        return "".join(out)

    def attribute_markup(self) -> str:
        """The attributes as HTML, with a blank before each."""
        return "".join(
            f' {name.rpartition(" ")[2]}="{html_from_text(value).replace(chr(34), "&quot;")}"'
            for name, value in self.attributes.items()
        )


def joined(base: str, reference: str) -> str:
    """A reference against a base, each possibly relative; the reference itself where they cannot be joined."""
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


class TreeReader:
    """The handler for the XML reader that builds the trees.

    The root is a container; `is_container(outer, element)` says whether an element inside these open ones is one, too.
    `opened` is told of each, and `taken(container, child)` gets each child that is none.
    """

    def __init__(
        self,
        is_container: Callable[[Sequence[Element], Element], bool],
        opened: Callable[[Element], None],
        taken: Callable[[Element, Element], None],
        notes: Notes,
        url: str | None = None,
    ) -> None:
        self._is_container, self._opened, self._taken = is_container, opened, taken
        self._notes = notes
        self._url = url or ""
        self._containers: list[Element] = []
        self._open: list[Element] = []
        self._pieces = 0
        self._elements = 0

    def start(self, name: str, attributes: Sequence[str], line: int, column: int) -> None:
        """An element starts."""
        self._elements += 1
        if self._elements > TREE_ELEMENTS_MAX:
            raise StopReading(TOO_MANY_ELEMENTS, f"more than {TREE_ELEMENTS_MAX:,} elements")
        outer = self._open or self._containers
        pairs = dict(zip(attributes[::2], attributes[1::2], strict=True)) if attributes else {}
        element = Element(name, pairs, line, column, outer[-1].bases if outer else None)
        if len(own := pairs.get(XML_BASE, "")) in range(1, LOC_CHARS_MAX):
            element.bases = Base(element.bases, self._url, own.strip())
        if self._open:
            self._keep(element)
        elif not self._containers or self._is_container(self._containers, element):
            self._containers.append(element)
            self._opened(element)
            return
        self._open.append(element)

    def end(self, _name: str) -> None:
        """An element ends."""
        if not self._open:
            self._containers.pop()
            return
        element = self._open.pop()
        if not self._open:
            self._pieces = 0
            self._taken(self._containers[-1], element)

    def text(self, data: str) -> None:
        """Some text."""
        if self._open:
            self._keep(data)

    def _keep(self, part: str | Element) -> None:
        self._pieces += 1
        if self._pieces <= TREE_PIECES_MAX:
            self._open[-1].parts.append(part)
        elif self._pieces == TREE_PIECES_MAX + 1:
            child = self._open[0]
            limit = f"more than {TREE_PIECES_MAX:,} elements and texts in one {child.local}"
            self._notes.add(TOO_MANY_PIECES, child.line, limit, child.column)
