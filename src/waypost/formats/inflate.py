"""Bounded gzip and deflate. Little more than the limit comes out, whatever the ratio, and it never raises.

Packed bytes are unpacked in blocks of one size, and a damaged block again byte by byte: what was good is kept to the
last byte, and how the input was chunked changes nothing.
"""

import zlib
from collections.abc import Iterator
from enum import Enum

from waypost.formats.notes import Notes
from waypost.limits import FEED_PIECE_BYTES, SITEMAP_BYTES_MAX

__all__ = [
    "GZIP_BROKEN",
    "GZIP_MAGIC",
    "GZIP_TRAILING",
    "GZIP_TRUNCATED",
    "GZIP_TWICE",
    "INFLATE_NOTES",
    "Coding",
    "Inflater",
    "Unpacker",
]

GZIP_MAGIC = b"\x1f\x8b"
GZIP_BROKEN = "gzip-broken"
GZIP_TRUNCATED = "gzip-truncated"
GZIP_TRAILING = "gzip-trailing-bytes"
GZIP_TWICE = "gzip-twice"

INFLATE_NOTES: dict[str, str] = {
    GZIP_BROKEN: "the compressed data is damaged; what came before the damage was read",
    GZIP_TRUNCATED: "the compressed data ends too early; what there was was read",
    GZIP_TRAILING: "bytes that are no compressed data follow the end of the stream, and were ignored",
    GZIP_TWICE: "what was inside the compressed data was compressed again, and was opened too",
}
"""Every kind of note the inflater makes, with its meaning in a line."""

_BLOCK_BYTES = 65_536
_GZIP_WINDOW = 31
_LAYERS_MAX = 2


class Coding(Enum):
    """How bytes are compressed. HTTP's deflate is a zlib stream or, from servers that got it wrong, a bare one."""

    GZIP = "gzip"
    DEFLATE = "deflate"


class Inflater:
    """Unpacks one compressed stream fed in any chunks; gzip may have several members.

    At most `bytes_max + 2` bytes come out, so that whoever counts them sees that the limit was passed and not just met.
    """

    def __init__(self, coding: Coding, notes: Notes, bytes_max: int = SITEMAP_BYTES_MAX) -> None:
        self._coding = coding
        self._notes = notes
        self._room = bytes_max + 2
        self._held = bytearray()
        self._stream = zlib.decompressobj(_GZIP_WINDOW) if coding is Coding.GZIP else None
        self._members = 0
        self._ended = False
        self.complete = False
        """Whether the stream ended as it should, or at the limit (known after `close`)."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What these bytes unpack to, in pieces of at most a MiB."""
        self._held += data
        while len(self._held) >= _BLOCK_BYTES and not self._ended:
            block = bytes(self._held[:_BLOCK_BYTES])
            del self._held[:_BLOCK_BYTES]
            yield from self._block(block, final=False)
        if self._ended:
            self._held.clear()

    def close(self) -> Iterator[bytes]:
        """The end of the packed bytes: what they still unpack to."""
        yield from self._block(bytes(self._held), final=True)
        self._held.clear()
        yield from self._drain()
        if self._ended:
            return
        self._ended = True
        self.complete = self._members > 0 and self._stream is None
        if not self.complete:
            self._notes.add(GZIP_TRUNCATED, 0, f"the {self._coding.value} data ends too early")

    def _block(self, data: bytes, *, final: bool) -> Iterator[bytes]:
        while data and not self._ended:
            if self._stream is None:
                data = self._between(data, final=final)
            else:
                piece, data = self._inflate(self._stream, data)
                yield piece

    def _drain(self) -> Iterator[bytes]:
        """What zlib still holds, where all bytes were taken and a piece was full: a bare stream has no trailer."""
        while self._stream is not None and not self._ended:
            piece, _ = self._inflate(self._stream, b"")
            if not piece:
                return
            yield piece

    def _inflate(self, stream: "zlib._Decompress", data: bytes) -> tuple[bytes, bytes]:
        """Unpack some of the data: what came out, and what is still to do."""
        before = stream.copy()
        try:
            piece = stream.decompress(data, min(FEED_PIECE_BYTES, self._room))
        except zlib.error as error:
            self._notes.add(GZIP_BROKEN, 0, str(error))
            self._ended = True
            return _good_part(before, data)[: self._room], b""
        self._room -= len(piece)
        if self._room == 0:
            self._ended = self.complete = True
        if stream.eof:
            self._stream = None
            self._members += 1
            return piece, stream.unused_data
        return piece, stream.unconsumed_tail

    def _between(self, data: bytes, *, final: bool) -> bytes:
        """Before a stream or behind its end: begin the next one, or note that there is none."""
        data = data.lstrip(b"\0") if self._members else data  # tapes and some writers pad with NUL
        if len(data) == 1 and not final:
            self._held[:0] = data
            return b""
        if self._coding is Coding.DEFLATE and not self._members:
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if _is_zlib(data) else -zlib.MAX_WBITS)
        elif self._coding is Coding.GZIP and data.startswith(GZIP_MAGIC):
            self._stream = zlib.decompressobj(_GZIP_WINDOW)
        elif data:
            self._notes.add(GZIP_TRAILING, 0, f"{data[:20]!r}")
            self._ended = self.complete = True
        return data


def _is_zlib(data: bytes) -> bool:
    """Whether the data starts with the two bytes of a zlib header (RFC 1950)."""
    return len(data) > 1 and data[0] & 0x0F == zlib.DEFLATED and (data[0] * 256 + data[1]) % 31 == 0


def _good_part(stream: "zlib._Decompress", data: bytes) -> bytes:
    """What comes out before the damage, byte by byte."""
    out = bytearray()
    try:
        for at in range(len(data)):
            out += stream.decompress(data[at : at + 1])
    except zlib.error:
        pass
    return bytes(out)


class Unpacker:
    """Opens what is gzip by its first bytes, whatever its name; anything else passes through as it is."""

    def __init__(self, notes: Notes, bytes_max: int = SITEMAP_BYTES_MAX, *, layer: int = 0) -> None:
        self._notes = notes
        self._bytes_max = bytes_max
        self._layer = layer
        self._head = b""
        self._inflater: Inflater | None = None
        self._inner: Unpacker | None = None
        self._plain = layer == _LAYERS_MAX

    @property
    def layers(self) -> int:
        """How many layers of gzip were opened."""
        return self._inner.layers if self._inner else self._layer

    @property
    def complete(self) -> bool:
        """After `close`: whether every layer ended as it should."""
        return self._inflater is None or self._inner is None or (self._inflater.complete and self._inner.complete)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The plain bytes in these, in pieces."""
        if self._plain:
            yield data
        elif self._inflater is not None and self._inner is not None:
            for piece in self._inflater.feed(data):
                yield from self._inner.feed(piece)
        elif len(self._head) + len(data) < len(GZIP_MAGIC):
            self._head += data
        else:
            data, self._head = self._head + data, b""
            self._settle(data)
            yield from self.feed(data)

    def close(self) -> Iterator[bytes]:
        """The end of the bytes: what is still to come."""
        if self._inflater is not None and self._inner is not None:
            for piece in self._inflater.close():
                yield from self._inner.feed(piece)
            yield from self._inner.close()
        elif self._head:
            yield self._head

    def _settle(self, data: bytes) -> None:
        if not data.startswith(GZIP_MAGIC):
            self._plain = True
            return
        if self._layer:
            self._notes.add(GZIP_TWICE, 0, "gzip inside gzip")
        self._inflater = Inflater(Coding.GZIP, self._notes, self._bytes_max)
        self._inner = Unpacker(self._notes, self._bytes_max, layer=self._layer + 1)
