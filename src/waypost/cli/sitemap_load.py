"""A sitemap for a command: read, or refused in one sentence."""

from waypost.cli.console import counted, fail, is_url, printable, read_input, say
from waypost.formats.document import Document, Kind
from waypost.formats.notes import Note
from waypost.formats.signature import Format
from waypost.formats.sitemap import read_sitemap
from waypost.formats.xmlnotes import OVER_BYTES, XML_FATAL

__all__ = ["is_broken", "load", "shown_name", "summary"]

_SEEN_AS = {
    Format.EMPTY: "is empty",
    Format.BINARY: "is a binary file, not a sitemap",
    Format.HTML: "is an HTML page, not a sitemap",
    Format.ROBOTS: "is a robots.txt, not a sitemap",
    Format.OPML: "is an OPML list, not a sitemap",
    Format.XMLMAP: "is a robots.xml, not a sitemap",
    Format.JSONFEED: "is a JSON Feed, which no crawler takes for a sitemap",
}


def load(name: str) -> Document:
    """Read a sitemap from a file, a URL, or standard input for `-`; what is none ends the command."""
    document = _read(name)
    if document.kind is Kind.NONE:
        fail(f"{shown_name(name)} {_SEEN_AS.get(document.format, 'is no sitemap')}{_why(document)}")
    if is_broken(document):
        say(f"waypost: {shown_name(name)} is broken, what was read is shown{_why(document)}")
    return document


def _read(name: str) -> Document:
    if not is_url(name):
        return read_sitemap(read_input(name))
    # The client is loaded only where something is fetched.
    from waypost.cli.fetching import fetch_document  # noqa: PLC0415

    capture = fetch_document(name)
    return read_sitemap(capture.body.read(), url=capture.final_url)


def is_broken(document: Document) -> bool:
    """Whether the document was not read to its end."""
    return not document.complete


def summary(name: str, document: Document) -> str:
    """One line on what it is."""
    state = "complete" if document.complete else "broken"
    what = "child sitemap" if document.kind is Kind.INDEX else "URL"
    packed = f", {document.packed_bytes:,} packed" if document.gzip_layers else ""
    size = f"{document.bytes:,} bytes{packed}, {document.encoding}"
    return f"{shown_name(name)}: {document.kind.value}, {counted(document.entry_count, what)}, {size}, {state}"


def shown_name(name: str) -> str:
    """What messages call a file, or standard input."""
    return "standard input" if name == "-" else printable(name)


def _why(document: Document) -> str:
    for note in document.notes:
        if note.kind in XML_FATAL or note.kind == OVER_BYTES:
            return f": {_place(note)}{printable(note.text)}"
    return ""


def _place(note: Note) -> str:
    return f"line {note.line}, column {note.column}: " if note.line else ""
