"""Linear hashing: which page stands in which part of a split sitemap.

A pure function of a page's id and the size of the whole: no state, so every worker and every restart agrees. One page
added, removed or edited touches one part; growing by a part cuts one other part in two.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import repeat

from waypost.limits import SITEMAP_BYTES_MAX, SITEMAP_URLS_MAX

__all__ = ["FILL", "count_for", "is_over", "mixed", "parent_of", "part_of", "parts_of"]

FILL = 0.485
"""How full parts are on average. Parts not yet cut are up to twice as full: this leaves 3 % for chance."""


def mixed(key: bytes) -> int:
    """An id's bits, shuffled: ids that are all multiples of 2^16 would otherwise fall into one part."""
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "little")


def count_for(pages: int, size_bytes: int, part_size: int) -> int:
    """How many parts a sitemap of so many pages and bytes is cut into, before any part proves too full."""
    by_pages = _ceil(pages / (FILL * part_size))
    by_bytes = _ceil(size_bytes / (FILL * SITEMAP_BYTES_MAX))
    return min(max(1, by_pages, by_bytes), SITEMAP_URLS_MAX)


def _ceil(value: float) -> int:
    return -int(-value // 1)


def part_of(mix: int, count: int) -> int:
    """The part, counted from 0, of a page whose mixed id this is, where there are `count` parts."""
    level = 1 << (count.bit_length() - 1)
    low = mix % (2 * level)
    return low if low < count else mix % level


def parts_of(keys: Iterable[bytes], count: int) -> Iterator[int]:
    """The parts of many pages, by their ids."""
    if count == 1:
        return repeat(0)
    level = 1 << (count.bit_length() - 1)
    rest, whole = level - 1, 2 * level - 1
    return (low if (low := mixed(key) & whole) < count else low & rest for key in keys)


def parent_of(part: int) -> int:
    """The part that was cut in two when this one was made."""
    return part - (1 << (part.bit_length() - 1))


def is_over(pages: int, size_bytes: int) -> bool:
    """Whether a part breaks a limit of the protocol, so that the whole needs one part more."""
    return pages > SITEMAP_URLS_MAX or size_bytes > SITEMAP_BYTES_MAX
