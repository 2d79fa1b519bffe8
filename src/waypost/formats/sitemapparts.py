"""A sitemap of any size, split within the protocol's limits into numbered parts under an index."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain, islice
from typing import NamedTuple

from waypost.dates import read_w3c
from waypost.errors import WriteError
from waypost.formats.extensions import Extension
from waypost.formats.sitemapwrite import ROWS_AT_ONCE, extensions_in, framed, gzipped, write_index
from waypost.formats.urlmarkup import Row, RowMarkup
from waypost.formats.urlproof import require_url
from waypost.limits import SITEMAP_BYTES_MAX, SITEMAP_URLS_MAX

__all__ = ["Part", "write_parts"]

_LASTMOD = re.compile(rb"<lastmod>([^<]*)<")


class Part(NamedTuple):
    """One file of a split sitemap: its name, its bytes, how many URLs it lists, and the newest date among them."""

    name: str
    data: bytes
    urls: int
    lastmod: str | None


def write_parts(
    rows: Iterable[Row],
    base: str,
    *,
    stem: str = "sitemap",
    compress: bool = False,
    urls_max: int = SITEMAP_URLS_MAX,
    bytes_max: int = SITEMAP_BYTES_MAX,
) -> Iterator[Part]:
    """Any number of pages as `stem-0001.xml`, `stem-0002.xml`, … and at the end `stem.xml`, the index of them.

    Rows that fit into one sitemap are `stem.xml` itself. `base` is the URL of the directory the files will be found in.
    Three parts are in memory at most: the first two, as there must be two for an index, and the one that is written.

    >>> rows = [f"https://example.com/{number}" for number in range(5)]
    >>> [(part.name, part.urls) for part in write_parts(rows, "https://example.com/maps/", urls_max=3)]
    [('sitemap-0001.xml', 3), ('sitemap-0002.xml', 2), ('sitemap.xml', 2)]
    """
    suffix = ".xml.gz" if compress else ".xml"
    base = base if base.endswith("/") else base + "/"
    require_url(f"{base}{stem}{suffix}", "the URL of the sitemap")
    documents = _documents(rows, urls_max, bytes_max)
    first, second = next(documents), next(documents, None)
    if second is None:
        yield _part(stem + suffix, *first, compress=compress)
        return
    children: list[Row] = []
    for number, document in enumerate(chain((first, second), documents), 1):
        part = _part(f"{stem}-{number:04}{suffix}", *document, compress=compress)
        children.append((base + part.name, part.lastmod))
        yield part
    yield _part(stem + suffix, write_index(children), len(children), compress=compress)


def _part(name: str, data: bytes, urls: int, *, compress: bool) -> Part:
    dates = {found.decode() for found in _LASTMOD.findall(data)}
    newest = max(dates, key=lambda text: read_w3c(text).timestamp or 0, default=None)
    return Part(name, b"".join(gzipped([data])) if compress else data, urls, newest)


class _Body:
    """The lines of the document that is being filled."""

    def __init__(self, bytes_max: int, used: Collection[Extension]) -> None:
        self._bytes_max = bytes_max
        self._used = used
        self._lines: list[bytes] = []
        self._bytes = 0
        self._extensions: set[Extension] = set()
        self.urls = 0

    def takes(self, lines: bytes) -> bool:
        """Whether so many bytes still fit, with what they need declared."""
        needed = self._extensions | extensions_in(lines, self._used)
        return self._bytes + len(lines) + _frame_bytes(frozenset(needed)) <= self._bytes_max

    def add(self, lines: bytes, urls: int) -> None:
        """Take some lines, one for each URL."""
        if not self.takes(lines):
            raise WriteError(f"one entry alone is larger than a sitemap may be: {len(lines):,} bytes")
        self._lines.append(lines)
        self._bytes += len(lines)
        self._extensions |= extensions_in(lines, self._used)
        self.urls += urls

    def close(self) -> tuple[bytes, int]:
        """The document so far and its number of URLs; the body is empty again."""
        document = b"".join(framed([b"".join(self._lines)], self._extensions)), self.urls
        self._lines, self._bytes, self._extensions, self.urls = [], 0, set(), 0
        return document


@cache
def _frame_bytes(extensions: frozenset[Extension]) -> int:
    """How long what stands around the lines is that use these extensions."""
    needed = b"".join(f"<{each.value}:".encode() for each in extensions)
    return sum(map(len, framed([needed], extensions))) - len(needed)


def _documents(rows: Iterable[Row], urls_max: int, bytes_max: int) -> Iterator[tuple[bytes, int]]:
    """Whole urlsets within both limits, at least one, each with its number of URLs."""
    if not 0 < urls_max <= SITEMAP_URLS_MAX or not 0 < bytes_max <= SITEMAP_BYTES_MAX:
        raise WriteError(f"a part holds 1 to {SITEMAP_URLS_MAX:,} URLs and {SITEMAP_BYTES_MAX:,} bytes at most")
    source, markup = iter(rows), RowMarkup()
    body = _Body(bytes_max, markup.extensions)
    closed = 0
    while some := list(islice(source, min(ROWS_AT_ONCE, urls_max - body.urls))):
        before = markup.written
        lines = markup.text(some).encode()
        fits = body.takes(lines)
        for piece in [lines] if fits else lines.splitlines(keepends=True):
            if not body.takes(piece) and body.urls:
                yield body.close()
                closed += 1
            body.add(piece, markup.written - before if fits else 1)
        if body.urls == urls_max:
            yield body.close()
            closed += 1
    if body.urls or not closed:
        yield body.close()
