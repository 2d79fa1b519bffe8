"""Undoing one Content-Encoding layer, a bounded step at a time, whatever the ratio."""

import zlib
from collections.abc import Iterator
from typing import Protocol

from waypost.limits import CODING_MEMBERS_MAX, DECODE_STEP_BYTES

__all__ = ["CodingError", "Decoder", "coding_of", "decoder_for"]

_GZIP_MAGIC = b"\x1f\x8b"
_SLICE_BYTES = 16_384
"""How much of the wire a stream object sees at once: what follows a finished member is copied, so it must be short."""


class CodingError(Exception):
    """The bytes are not what their Content-Encoding says; the message says how."""


class Decoder(Protocol):
    """Turns wire bytes into body bytes, at most a step at a time."""

    trailing_bytes: int

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The body bytes that these wire bytes give, in steps; the caller may stop between two."""
        ...

    def finish(self) -> None:
        """Say that the wire has ended; raises `CodingError` in the middle of a stream."""
        ...


def coding_of(values: tuple[str, ...]) -> str | None:
    """The one coding that Content-Encoding fields name: "" for none, None for several or one that is not known."""
    tokens = [token.strip().lower() for value in values for token in value.split(",")]
    codings = [token for token in tokens if token not in {"", "identity"}]
    if not codings:
        return ""
    known = {"gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate"}.get(codings[0])
    return known if len(codings) == 1 else None


def decoder_for(coding: str) -> Decoder:
    """The decoder of a coding that `coding_of` gave."""
    if coding == "gzip":
        return _Gzip()
    return _Deflate() if coding == "deflate" else _Plain()


class _Plain:
    trailing_bytes = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data

    def finish(self) -> None:
        pass


class _Gzip:
    """Members one after another; what follows the last one is counted and left out, as browsers do."""

    def __init__(self) -> None:
        self.trailing_bytes = 0
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._members = 0
        self._held = b""  # a byte that may begin the next member
        self._between = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), _SLICE_BYTES):
            yield from self._feed_slice(data[start : start + _SLICE_BYTES])

    def _feed_slice(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self.trailing_bytes:
                self.trailing_bytes += len(data)
                return
            if self._between and not self._begins_member(data):
                return
            if self._between:
                data, self._held, self._between = self._held + data, b"", False
                self._next_member()
            yield from _steps(self._stream, data)
            data = self._stream.unused_data
            self._between = self._stream.eof

    def _begins_member(self, data: bytes) -> bool:
        start = (self._held + data)[:2]
        if start == _GZIP_MAGIC:
            return True
        if start == _GZIP_MAGIC[:1]:
            self._held = start
        else:
            self.trailing_bytes += len(self._held) + len(data)
            self._held = b""
        return False

    def _next_member(self) -> None:
        self._members += 1
        if self._members >= CODING_MEMBERS_MAX:
            raise CodingError(f"more than {CODING_MEMBERS_MAX:,} gzip members")
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)

    def finish(self) -> None:
        self.trailing_bytes += len(self._held)
        if not self._between and not self.trailing_bytes:
            raise CodingError("the gzip stream ends too early")


class _Deflate:
    """The zlib format, or the raw deflate that some servers send under the same name."""

    def __init__(self) -> None:
        self.trailing_bytes = 0
        self._start = b""
        self._stream: zlib._Decompress | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._stream is None:
            self._start += data
            if len(self._start) < 2:
                return
            data = self._start
            is_zlib = data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS)
        if self._stream.eof:
            self.trailing_bytes += len(data)
            return
        yield from _steps(self._stream, data)
        self.trailing_bytes += len(self._stream.unused_data)

    def finish(self) -> None:
        if self._stream is None or not self._stream.eof:
            raise CodingError("the deflate stream ends too early")


def _steps(stream: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    try:
        while data and not stream.eof:
            piece = stream.decompress(data, DECODE_STEP_BYTES)
            data = stream.unconsumed_tail
            if piece:
                yield piece
    except zlib.error as error:
        raise CodingError(str(error).rpartition(": ")[2]) from None
