"""Live gzip: level 1 of isal, which costs less than the bytes it saves; zlib's level 1 where it has no wheel."""

import zlib
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["gzip_body", "gzip_pieces"]

_zlib: Any
try:
    from isal import isal_zlib as _zlib
except ImportError:  # pragma: no cover - platforms without a wheel
    _zlib = zlib

_GZIP = 31
"""The window of zlib with a gzip header around it; the header has no time in it, so equal bodies stay equal."""
_BATCH_BYTES = 2_097_152
_FIRST_BATCH_BYTES = 524_288


def _compressor() -> Any:
    return _zlib.compressobj(1, zlib.DEFLATED, _GZIP)


def gzip_body(body: bytes) -> bytes:
    """A body in one member."""
    packer = _compressor()
    return bytes(packer.compress(body) + packer.flush())


def gzip_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """One member in pieces: each `next` compresses a batch of input, and no piece is empty."""
    packer = _compressor()
    packed: list[bytes] = []
    size, batch = 0, _FIRST_BATCH_BYTES
    for piece in pieces:
        packed.append(packer.compress(piece))
        size += len(piece)
        if size >= batch and any(packed):
            yield b"".join(packed)
            packed.clear()
            size, batch = 0, _BATCH_BYTES
    packed.append(packer.flush())
    yield b"".join(packed)
