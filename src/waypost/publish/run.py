"""A run: the pages of one urlset in the order of their URLs, their fragments beside them."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple, Self

from waypost.limits import ORIGIN_CHARS_MAX, STREAM_PIECE_BYTES
from waypost.publish.fragments import OPEN, TAIL, Fragment, head
from waypost.publish.page import Page

__all__ = ["HASH_MODULUS", "Line", "Run", "Shot", "fragment_hash"]

HASH_MODULUS = 1 << 128
_USUAL_ORIGIN_BYTES = 24
_PATH = attrgetter("path")
_LINE_PATH = attrgetter("page.path")


class Line(NamedTuple):
    """A page and its fragment."""

    page: Page
    fragment: Fragment


@dataclass(frozen=True, slots=True)
class Shot:
    """A document at one moment, as pieces to be joined by an origin; what changes later does not touch it.

    The pieces stand in groups, each to be joined by itself: all groups but the first begin with an empty piece, for an
    origin stands before them.
    """

    groups: Sequence[Sequence[bytes]]
    origins: int
    fixed_bytes: int

    @classmethod
    def of(cls, pieces: Sequence[bytes]) -> Self:
        """Group the pieces of a document, so that a group comes to about STREAM_PIECE_BYTES for a usual origin."""
        ends = list(accumulate(map(len, pieces)))
        share = max(1, STREAM_PIECE_BYTES * ends[-1] // (ends[-1] + _USUAL_ORIGIN_BYTES * len(pieces)))
        groups: list[Sequence[bytes]] = []
        start = 0
        while start < len(pieces):
            end = bisect_right(ends, (ends[start - 1] if start else 0) + share, start + 1)
            groups.append([b"", *pieces[start:end]] if start else pieces[:end])
            start = end
        return cls(groups, len(pieces) - 1, ends[-1])

    def length(self, origin: bytes) -> int:
        """How many bytes the document has for this origin, without making it."""
        return self.fixed_bytes + len(origin) * self.origins

    def joined(self, origin: bytes, wanted: Callable[[], int] = lambda: STREAM_PIECE_BYTES) -> Iterator[bytes]:
        """The document for an origin, group by group or, where shorter pieces are wanted, by less; nothing is kept."""
        for group in self.groups:
            parts = STREAM_PIECE_BYTES // wanted()
            if parts < 2:
                yield origin.join(group)
                continue
            share = -(-len(group) // parts)
            for start in range(0, len(group), share):
                cut = group[start : start + share]
                yield origin.join([b"", *cut] if start else cut)


def fragment_hash(fragment: Fragment) -> int:
    """128 bits of a fragment; their sum says which fragments there are, in whatever order they came."""
    data = fragment if isinstance(fragment, bytes) else b"\0".join(fragment)
    return int.from_bytes(blake2b(data, digest_size=16).digest(), "little")


class Run:
    """Pages sorted by path and their fragments; sums are kept in step so that no request has to count."""

    __slots__ = ("_newest", "_shot", "bytes", "fragments", "gone_at", "images", "links", "origins", "pages", "set_hash")

    def __init__(self, lines: Iterable[Line] = (), *, gone_at: float = 0.0) -> None:
        ordered = sorted(lines, key=_LINE_PATH)
        self.pages: list[Page] = [line.page for line in ordered]
        self.fragments: list[Fragment] = [line.fragment for line in ordered]
        self.bytes = self.origins = self.links = self.images = self.set_hash = 0
        self.gone_at = gone_at
        """When a page was last taken out, as far as the source knows."""
        self._newest: float | None = None
        self._shot: Shot | None = None
        self.count_all()

    @classmethod
    def merged(cls, *runs: Self) -> "Run":
        """The pages of several runs in one."""
        return Run((line for run in runs for line in run.lines()), gone_at=max(run.gone_at for run in runs))

    def lines(self) -> Iterable[Line]:
        """The pages with their fragments, in order."""
        return map(Line, self.pages, self.fragments)

    def place_of(self, path: str) -> int:
        """Where a path stands in the order of the pages, or would."""
        return bisect_left(self.pages, path, key=_PATH)

    def append(self, page: Page, fragment: Fragment) -> None:
        """Put a page behind the others, in the order of paths; `count_all` is called when all of them are there."""
        self.pages.append(page)
        self.fragments.append(fragment)

    def insert(self, page: Page, fragment: Fragment) -> None:
        """Put a page in its place; its path is in no other page of this run."""
        place = self.place_of(page.path)
        self.pages.insert(place, page)
        self.fragments.insert(place, fragment)
        self._count(fragment, 1)

    def remove(self, page: Page) -> None:
        """Take a page out that is in this run."""
        place = self.place_of(page.path)
        del self.pages[place]
        self._count(self.fragments.pop(place), -1)

    def count_all(self, counted: int = 0) -> None:
        """Count the pages that stand behind so many that were counted before, and put all of them in order."""
        self._shot = self._newest = None
        new = self.fragments[counted:]
        single = [fragment for fragment in new if isinstance(fragment, bytes)]
        self.bytes += sum(map(len, single))
        self.origins += len(single)
        self.set_hash = (self.set_hash + sum(map(fragment_hash, single))) % HASH_MODULUS
        if len(single) < len(new):
            for fragment in new:
                if not isinstance(fragment, bytes):
                    self._count(fragment, 1)
        if counted and new:
            paths = [page.path for page in self.pages]
            order = sorted(range(len(paths)), key=paths.__getitem__)
            self.pages = [self.pages[place] for place in order]
            self.fragments = [self.fragments[place] for place in order]

    def _count(self, fragment: Fragment, sign: int) -> None:
        self._shot = self._newest = None
        self.set_hash = (self.set_hash + sign * fragment_hash(fragment)) % HASH_MODULUS
        if isinstance(fragment, bytes):
            self.bytes += sign * len(fragment)
            self.origins += sign
            return
        self.bytes += sign * sum(map(len, fragment))
        self.origins += sign * len(fragment)
        self.links += sign * any(b"<xhtml:link" in piece for piece in fragment)
        self.images += sign * any(b"<image:image>" in piece for piece in fragment)

    @property
    def body_bytes(self) -> int:
        """The most bytes the entries can take, whatever host asks; the frame around them is not counted."""
        return self.bytes + self.origins * ORIGIN_CHARS_MAX

    @property
    def newest(self) -> float:
        """When anything in this run last changed, as far as is known; 0.0 for never."""
        if self._newest is None:
            self._newest = max((page.last_modified or 0.0 for page in self.pages), default=0.0)
        return max(self._newest, self.gone_at)

    def shot(self) -> Shot:
        """The document as it is now; the same value until a page changes. There must be a page."""
        if self._shot is None:
            self._shot = self._taken()
        return self._shot

    def _taken(self) -> Shot:
        pieces = [self._head()]
        for fragment in self.fragments:
            if isinstance(fragment, bytes):
                pieces.append(fragment)
            else:
                pieces.extend(fragment)
        pieces[-1] = pieces[-1].removesuffix(OPEN) + TAIL
        return Shot.of(pieces)

    def _head(self) -> bytes:
        return head(has_links=self.links > 0, has_images=self.images > 0)
