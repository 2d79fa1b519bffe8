"""What a door asks and what it gets back. Both are values: any server can make the one and send the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from waypost.formats.xmlwrite import escape
from waypost.limits import STREAM_PIECE_BYTES
from waypost.publish.run import Shot

__all__ = ["Ask", "Headers", "Pieces", "Reply"]

Headers = tuple[tuple[bytes, bytes], ...]
"""Names in lower case, in the order to send them."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A request, as far as an answer depends on it."""

    origin: str
    """`https://example.com`: scheme, host and any port but the default one, checked by the door."""
    method: str
    path: str
    """As it was sent, undecoded."""
    query: str = ""
    if_none_match: str = ""
    if_modified_since: str = ""
    accept_encoding: str = ""
    accept: str = ""
    now: float = 0.0
    """The moment of the request; 0.0 where the door does not say: no Last-Modified then."""
    byte_range: str = ""
    if_range: str = ""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A long body that is made while it is sent; its length is known before."""

    shot: Shot
    origin: bytes

    @classmethod
    def of(cls, shot: Shot, origin: str) -> Self:
        """The pieces of an XML document for an origin."""
        return cls(shot, escape(origin).encode())

    def __len__(self) -> int:
        return self.shot.length(self.origin)

    def __iter__(self) -> Iterator[bytes]:
        """The body in pieces of about STREAM_PIECE_BYTES, each one join; nothing sent is kept."""
        pieces, place = self.shot.pieces, 0
        step = max(1, STREAM_PIECE_BYTES * len(pieces) // len(self))
        while place < len(pieces):
            group = pieces[place : place + step]
            joined = self.origin.join([b"", *group] if place else group)
            place += step
            for start in range(0, len(joined), 2 * STREAM_PIECE_BYTES):
                yield joined[start : start + 2 * STREAM_PIECE_BYTES]
            # Entries differ in length along the alphabet: the next group follows what this one came to.
            step = max(1, min(2 * step, step * STREAM_PIECE_BYTES // len(joined)))


@dataclass(frozen=True, slots=True)
class Reply:
    """A response before it is sent."""

    status: int
    headers: Headers
    body: bytes | Pieces
    is_gzip: bool = False
    """The door compresses the body: the headers speak of the compressed form already, but for its length."""
