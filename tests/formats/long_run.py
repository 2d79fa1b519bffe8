"""Mutated documents without end, by hand: python -m tests.formats.long_run FORM COUNT [FIRST].

FORM is a key of FORMS; `robots_mutations` and `sitemap_mutations` do the same for robots.txt, and for the fast path
against the exact one. Every document goes to its reader and to its streaming form in two chunks; an exception, a
different answer or a reading of over a second ends the run and shows the number that makes the document again.
"""

import gzip
import random
import sys
import time
import zlib
from collections.abc import Callable
from functools import partial
from unittest.mock import patch

from tests.formats.mutation import SEEDS, mutated
from tests.formats.sitemap_mutations import mutated as mutated_sitemap
from tests.formats.test_neighbours_fuzz import READERS

from waypost.formats import sitemap as sitemaps
from waypost.formats.inflate import Coding, Inflater
from waypost.formats.notes import Notes
from waypost.formats.sitemap import SitemapReader, read_sitemap
from waypost.formats.sniff import read_any

TEXT = "\ufeffhttps://e.org/a\r\nhttps://e.org/é?x=1\n\n# no URL\r  https://e.org/b \n\thttps://e.org/a\n".encode()
PACKED = gzip.compress(TEXT * 20, mtime=0) + gzip.compress(gzip.compress(TEXT, mtime=0), mtime=0)
SECONDS_MAX = 1.0


def neighbour(name: str, data: bytes) -> bool:
    """A feed, an OPML list or a robots.xml, whole and in two chunks; whether it was complete."""
    read, reader_type, _ = READERS[name]
    result = read(data)
    if result.xml is not None:
        split = reader_type()
        for half in halves(data):
            split.feed(half)
        assert split.close() == result, "chunks changed the answer"
    return result.complete


def sitemap(data: bytes) -> bool:
    """A sitemap by the exact reader, the same two ways; of a short head, or both halves were one chunk again."""
    with patch.object(sitemaps, "PROLOG_BYTES_MAX", 16):
        whole, split = read_sitemap(data, exact=True), SitemapReader()
        for half in halves(data):
            split.feed(half)
        chunked = split.close()
    assert chunked == whole, "chunks changed the answer"
    assert list(chunked.entries) == list(whole.entries), "chunks changed a line"
    return whole.complete


def deflated(coding: Coding, data: bytes) -> bool:
    """Packed bytes, the same two ways."""
    found = []
    for chunks in ([data], halves(data)):
        notes = Notes()
        inflater = Inflater(coding, notes, 20_000)
        pieces = [piece for chunk in chunks for piece in inflater.feed(chunk)] + [*inflater.close()]
        found.append((b"".join(pieces), inflater.complete, notes.freeze()))
    assert found[0] == found[1], "chunks changed the answer"
    assert len(found[0][0]) <= 20_002, "more came out than the limit"
    return found[0][1]


def anything(data: bytes) -> bool:
    """Bytes of any format, told apart by what they are; a robots.txt is always complete."""
    return bool(getattr(read_any(data), "complete", True))


def halves(data: bytes) -> list[bytes]:
    """The document in two chunks."""
    return [data[: len(data) // 2], data[len(data) // 2 :]]


Form = tuple[Callable[[int], bytes], Callable[[bytes], bool]]
FORMS: dict[str, Form] = {
    **{
        name: (partial(mutated, SEEDS[number]), partial(neighbour, "feed"))
        for number, name in enumerate(("rss", "atom", "rdf", "atom03", "json"))
    },
    "opml": (partial(mutated, SEEDS[5]), partial(neighbour, "opml")),
    "xmlmap": (partial(mutated, SEEDS[6]), partial(neighbour, "xmlmap")),
    "sitemap": (lambda number: mutated_sitemap(random.Random(number)), sitemap),
    "text": (partial(mutated, TEXT), sitemap),
    "gzip": (partial(mutated, PACKED), partial(deflated, Coding.GZIP)),
    "deflate": (partial(mutated, zlib.compress(TEXT * 20)), partial(deflated, Coding.DEFLATE)),
    "any": (lambda number: mutated(SEEDS[number % len(SEEDS)], number), anything),
}


def main(name: str, count: int, first: int = 0) -> int:
    """Run; the exit status says whether all went well."""
    make, look = FORMS[name]
    complete, worst = 0, 0.0
    for number in range(first, first + count):
        data = make(number)
        started = time.process_time()
        try:
            complete += look(data)
            took = time.process_time() - started
            assert took < SECONDS_MAX, "too slow"
        except BaseException:
            print(f"{name} {number}: {data!r}")
            raise
        worst = max(worst, took)
    told = f"{complete:,} of them complete, no exception, the slowest took {worst * 1e3:.0f} ms"
    print(f"{name}: {count:,} mutated documents from {first:,}, {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:4])))
