"""Sitemaps written: urlset, index and text.

A row is a URL, a `(loc, lastmod)` pair or a reader's entry. The same URL is written once, the first row wins;
`changefreq` and `priority` appear only where a row gives them. A value that would make an illegal document raises a
`WriteError`; what a stream has been given until then is no document.
"""

import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol, overload

from waypost.errors import WriteError
from waypost.formats.extensions import Extension
from waypost.formats.extensionwrite import NAMESPACES
from waypost.formats.urlmarkup import Row, RowMarkup, row_fields
from waypost.formats.urlproof import are_plain, require_url
from waypost.formats.xmlshort import SITEMAP_NAMESPACE
from waypost.formats.xmlwrite import DECLARATION
from waypost.limits import SITEMAP_BYTES_MAX, SITEMAP_URLS_MAX

__all__ = [
    "ROWS_AT_ONCE",
    "Sink",
    "extensions_in",
    "framed",
    "gzipped",
    "join_urls",
    "prepare_urls",
    "write_index",
    "write_text",
    "write_urlset",
]

ROWS_AT_ONCE = 5_000
"""Rows that are proven and joined together: where one of them is odd, so many are looked at one by one."""


class Sink(Protocol):
    """Where bytes go: any file object open for writing bytes."""

    def write(self, data: bytes, /) -> object:
        """Take some more bytes."""


@overload
def write_urlset(rows: Iterable[Row], stream: None = None, *, compress: bool = False) -> bytes:  # noqa: D418 - the house wants it
    """As bytes."""


@overload
def write_urlset(rows: Iterable[Row], stream: Sink, *, compress: bool = False) -> int:  # noqa: D418
    """To a stream."""


def write_urlset(rows: Iterable[Row], stream: Sink | None = None, *, compress: bool = False) -> bytes | int:
    """A sitemap of pages as bytes; or, written piece by piece to a stream, the number of bytes it took.

    >>> write_urlset([("https://example.com/", "2026-01-20")]).splitlines()[2]
    b'<url><loc>https://example.com/</loc><lastmod>2026-01-20</lastmod></url>'
    """
    markup = RowMarkup()
    pieces = _elements(rows, markup)
    waiting = pieces if stream is not None else list(pieces)  # in memory, the head may wait for the last row
    return _deliver(framed(waiting, markup.extensions), stream, compress=compress)


@overload
def write_index(rows: Iterable[Row], stream: None = None, *, compress: bool = False) -> bytes:  # noqa: D418 - the house wants it
    """As bytes."""


@overload
def write_index(rows: Iterable[Row], stream: Sink, *, compress: bool = False) -> int:  # noqa: D418
    """To a stream."""


def write_index(rows: Iterable[Row], stream: Sink | None = None, *, compress: bool = False) -> bytes | int:
    """An index of sitemaps, as `write_urlset` writes pages."""
    pieces = framed(_elements(rows, RowMarkup("sitemap")), (), "sitemapindex")
    return _deliver(pieces, stream, compress=compress)


@overload
def write_text(rows: Iterable[Row], stream: None = None, *, compress: bool = False) -> bytes:  # noqa: D418 - the house wants it
    """As bytes."""


@overload
def write_text(rows: Iterable[Row], stream: Sink, *, compress: bool = False) -> int:  # noqa: D418
    """To a stream."""


def write_text(rows: Iterable[Row], stream: Sink | None = None, *, compress: bool = False) -> bytes | int:
    """A text sitemap: one URL a line, in UTF-8; whatever else a row says is left out."""
    return _deliver(_text_lines(rows), stream, compress=compress)


def prepare_urls(rows: Iterable[Row]) -> list[bytes]:
    """Rows checked and escaped once, a line each: for whoever writes the same pages again and again by `join_urls`."""
    return [line.encode() for line in RowMarkup().lines(list(rows))]


def join_urls(lines: Sequence[bytes]) -> bytes:
    """A sitemap of prepared lines, in one join; it declares every extension, for nobody looks into the lines.

    >>> join_urls(prepare_urls(["https://example.com/"])).splitlines()[2]
    b'<url><loc>https://example.com/</loc></url>'
    """
    _require_room(len(lines))
    document = b"".join((_head("urlset", set(Extension)), *lines, _tail("urlset")))
    return next(_limited([document]))


def framed(pieces: Iterable[bytes], used: Collection[Extension], root: str = "urlset") -> Iterator[bytes]:
    """Lines of a sitemap with what comes before and after them.

    The root declares the extensions used when the first piece is there. `used` may grow while the pieces are made: an
    element that needs another extension declares it itself, so that nothing has to wait for the last row.
    """
    rest = iter(pieces)
    first = next(rest, b"")
    known = frozenset(used)
    yield _head(root, known)
    yield first
    for piece in rest:
        for extension in extensions_in(piece, set(used) - known):
            piece = _declared_inside(piece, extension)
        yield piece
    yield _tail(root)


def _head(root: str, extensions: Collection[Extension]) -> bytes:
    declared = "".join(_declaration(extension) for extension in Extension if extension in extensions)
    return f'{DECLARATION}<{root} xmlns="{SITEMAP_NAMESPACE}"{declared}>\n'.encode()


def _tail(root: str) -> bytes:
    return f"</{root}>\n".encode()


def extensions_in(lines: bytes, used: Iterable[Extension]) -> set[Extension]:
    """Which of the extensions used stand in these lines of a sitemap; a `<` can only be ours."""
    return {extension for extension in used if f"<{extension.value}:".encode() in lines}


def _declaration(extension: Extension) -> str:
    return f' xmlns:{extension.value}="{NAMESPACES[extension]}"'


def _declared_inside(lines: bytes, extension: Extension) -> bytes:
    opening = f"<{extension.value}:{extension.element}".encode()
    return re.sub(opening + b"(?=[ >])", opening + _declaration(extension).encode(), lines)


def gzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces as one gzip file, without a name or a time in its head: the same sitemap is the same bytes."""
    packer = zlib.compressobj(wbits=31)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def _deliver(pieces: Iterable[bytes], stream: Sink | None, *, compress: bool) -> bytes | int:
    packed = gzipped(_limited(pieces)) if compress else _limited(pieces)
    if stream is None:
        return b"".join(packed)
    written = 0
    for piece in packed:
        stream.write(piece)
        written += len(piece)
    return written


def _limited(pieces: Iterable[bytes]) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > SITEMAP_BYTES_MAX:
            raise WriteError(f"a sitemap holds {SITEMAP_BYTES_MAX:,} bytes at most: write_parts makes several")
        yield piece


def _elements(rows: Iterable[Row], markup: RowMarkup) -> Iterator[bytes]:
    source = iter(rows)
    while some := list(islice(source, ROWS_AT_ONCE)):
        text = markup.text(some)
        _require_room(markup.written)
        yield text.encode()


def _text_lines(rows: Iterable[Row]) -> Iterator[bytes]:
    seen: set[str] = set()
    source, first = iter(rows), 1
    while some := list(islice(source, ROWS_AT_ONCE)):
        locs = [row if type(row) is str else row_fields(row, number).loc for number, row in enumerate(some, first)]
        fresh = [loc for loc in dict.fromkeys(locs) if loc not in seen]
        if not are_plain(fresh):
            places = {loc: number for number, loc in reversed([*enumerate(locs, first)])}
            for loc in fresh:
                require_url(loc, f"URL of entry {places[loc]}")
        first += len(some)
        seen.update(fresh)
        _require_room(len(seen))
        yield "".join([loc + "\n" for loc in fresh]).encode()


def _require_room(urls: int) -> None:
    if urls > SITEMAP_URLS_MAX:
        raise WriteError(f"a sitemap lists {SITEMAP_URLS_MAX:,} URLs at most: write_parts makes several")
