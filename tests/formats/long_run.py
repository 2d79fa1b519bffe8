"""Mutated documents without end, by hand: python -m tests.formats.long_run FORMAT COUNT [FIRST].

FORMAT is a key of SEEDS_OF. Every document goes to its reader and to its streaming form in two chunks; an exception, a
different answer or a reading of over a second ends the run and shows the number that makes the document again.
"""

import sys
import time

from tests.formats.mutation import SEEDS, mutated
from tests.formats.test_neighbours_fuzz import READERS

SEEDS_OF = {
    "rss": ("feed", SEEDS[0]),
    "atom": ("feed", SEEDS[1]),
    "rdf": ("feed", SEEDS[2]),
    "atom03": ("feed", SEEDS[3]),
    "json": ("feed", SEEDS[4]),
    "opml": ("opml", SEEDS[5]),
    "xmlmap": ("xmlmap", SEEDS[6]),
}
SECONDS_MAX = 1.0


def one(name: str, data: bytes) -> bool:
    """Read one document both ways; whether it was complete."""
    read, reader_type, _ = READERS[name]
    started = time.process_time()
    result = read(data)
    assert time.process_time() - started < SECONDS_MAX, "too slow"
    if result.xml is not None:
        split = reader_type()
        split.feed(data[: len(data) // 2])
        split.feed(data[len(data) // 2 :])
        assert split.close() == result, "chunks changed the answer"
    return result.complete


def main(form: str, count: int, first: int = 0) -> int:
    """Run; the exit status says whether all went well."""
    name, seed = SEEDS_OF[form]
    complete = 0
    for number in range(first, first + count):
        data = mutated(seed, number)
        try:
            complete += one(name, data)
        except BaseException:
            print(f"{form} {number}: {data!r}")
            raise
    print(f"{form}: {count:,} mutated documents from {first:,}, {complete:,} of them complete, no exception")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:4])))
