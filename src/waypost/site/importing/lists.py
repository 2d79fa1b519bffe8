"""Lists of pages as Markdown: the newest first, the others by their order and title."""

import re
from collections.abc import Iterable, Iterator
from posixpath import relpath
from urllib.parse import quote

from waypost.dates import read_w3c
from waypost.limits import IMPORT_LIST_MAX
from waypost.site.importing.plan import Leaf

__all__ = ["listed"]

_NOT_IN_LINK = re.compile(r"[%?#<>\\]")
"""What would end or change the path of a link between angles."""


def listed(leaves: Iterable[Leaf], target: str, most: int = IMPORT_LIST_MAX) -> Iterator[str]:
    """A line with a link for each page, as a page at `target` has it."""
    ranked = sorted(leaves, key=_rank)
    for leaf in ranked[:most]:
        path = relpath(leaf.target, target.rpartition("/")[0] or ".")
        day = str(leaf.head.get("published", ""))[:10]
        title = leaf.title.replace("[", "\\[").replace("]", "\\]")
        yield f"- [{title}](<{_NOT_IN_LINK.sub(lambda found: quote(found[0]), path)}>){f' · {day}' if day else ''}"
    if len(ranked) > most:
        yield f"\nand {len(ranked) - most:,} more"


def _rank(leaf: Leaf) -> tuple[float, int, str]:
    day = leaf.head.get("published")
    moment = read_w3c(day).timestamp if isinstance(day, str) else None
    order = leaf.head.get("nav_order")
    return -(moment or 0.0), order if isinstance(order, int) else 1 << 40, leaf.title.casefold()
