"""What a door asks and what it gets back. Both are values: any server can make the one and send the other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

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

    def __len__(self) -> int:
        return self.shot.length(self.origin)

    def __iter__(self) -> Iterator[bytes]:
        """The body in pieces, each one join of about STREAM_PIECE_BYTES; nothing sent is kept."""
        return self.cut(lambda: STREAM_PIECE_BYTES)

    def cut(self, wanted: Callable[[], int]) -> Iterator[bytes]:
        """The body in pieces of about as many bytes as are wanted when a piece is made, and at most a third more."""
        for joined in self.shot.joined(self.origin, wanted):
            most = wanted() * 4 // 3
            if len(joined) <= most:
                yield joined
            else:
                for start in range(0, len(joined), most):
                    yield joined[start : start + most]


@dataclass(frozen=True, slots=True)
class Reply:
    """A response before it is sent."""

    status: int
    headers: Headers
    body: bytes | Pieces
    is_gzip: bool = False
    """The door compresses the body: the headers speak of the compressed form already, but for its length."""
