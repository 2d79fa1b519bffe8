"""The bytes of an answer: in memory while they are few, in an unlinked temporary file when they are many."""

import hashlib
import os
import tempfile
import weakref
from collections.abc import Iterator
from typing import IO, Self

from waypost.limits import BODY_MEMORY_BYTES_MAX, FEED_PIECE_BYTES

__all__ = ["Body", "BodyWriter"]


class Body:
    """The decoded bytes of one answer; it never changes, may be read many times, and lets go of its file by itself."""

    __slots__ = ("__weakref__", "_bytes", "_digest", "_length", "_spool")

    def __init__(self, data: bytes = b"", *, spool: IO[bytes] | None = None, length: int = 0) -> None:
        self._bytes = data
        self._spool = spool
        self._length = length if spool is not None else len(data)
        self._digest: str | None = None
        if spool is not None:
            weakref.finalize(self, spool.close)

    def __len__(self) -> int:
        return self._length

    def __bool__(self) -> bool:
        return self._length > 0

    def __repr__(self) -> str:
        return f"Body({self._length} bytes{', spooled' if self.is_spooled else ''})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and len(self) == len(other) and self.sha256 == other.sha256

    def __hash__(self) -> int:
        return hash((self._length, self.sha256))

    @property
    def is_spooled(self) -> bool:
        """Whether the bytes stand in a file and not in memory."""
        return self._spool is not None

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes in hexadecimal."""
        if self._digest is None:
            digest = hashlib.sha256()
            for chunk in self.chunks():
                digest.update(chunk)
            self._digest = digest.hexdigest()
        return self._digest

    def head(self, size: int) -> bytes:
        """The first `size` bytes, or fewer where there are fewer."""
        return self._slice(0, size)

    def read(self) -> bytes:
        """All bytes, in memory: at most what the request allowed."""
        return b"".join(self.chunks()) if self._spool is not None else self._bytes

    def chunks(self, size: int = FEED_PIECE_BYTES) -> Iterator[bytes]:
        """The bytes in pieces of `size`, without holding all of them."""
        for start in range(0, self._length, size):
            yield self._slice(start, size)

    def _slice(self, start: int, size: int) -> bytes:
        if self._spool is None:
            return self._bytes[start : start + size]
        # pread keeps no position, so two readers (threads too) never disturb each other.
        return os.pread(self._spool.fileno(), min(size, self._length - start), start)


class BodyWriter:
    """Collects a body piece by piece, and moves it to disk when it outgrows the memory it may have."""

    __slots__ = ("_length", "_memory_bytes_max", "_pieces", "_spool")

    def __init__(self, *, memory_bytes_max: int = BODY_MEMORY_BYTES_MAX) -> None:
        self._pieces: list[bytes] = []
        self._spool: IO[bytes] | None = None
        self._length = 0
        self._memory_bytes_max = memory_bytes_max

    def __len__(self) -> int:
        return self._length

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.discard()

    def write(self, data: bytes) -> None:
        """Add bytes at the end."""
        self._length += len(data)
        if self._spool is not None:
            self._spool.write(data)
            return
        self._pieces.append(data)
        if self._length > self._memory_bytes_max:
            # The file has no name once it is open, so nothing is left behind whatever ends this process.
            self._spool = tempfile.TemporaryFile(prefix="waypost-")  # noqa: SIM115 - the Body closes it
            self._spool.writelines(self._pieces)
            self._pieces.clear()

    def finish(self) -> Body:
        """The body, once; the writer is empty afterwards."""
        spool, length, data = self._spool, self._length, b"".join(self._pieces)
        self._spool, self._length = None, 0
        self._pieces.clear()
        if spool is not None:
            spool.flush()
        return Body(data, spool=spool, length=length)

    def discard(self) -> None:
        """Let go of what was collected and not finished."""
        if self._spool is not None:
            self._spool.close()
        self._spool, self._length = None, 0
        self._pieces.clear()
