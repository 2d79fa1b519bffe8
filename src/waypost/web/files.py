"""Files of a root: whole, one state of them, and never anything a browser would run in our name."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass

from waypost.limits import STREAM_ABOVE_BYTES, STREAM_PIECE_BYTES
from waypost.publish.exchange import Headers
from waypost.publish.negotiate import byte_range, is_fresh
from waypost.publish.respond import Ask, Reply

__all__ = ["FileReply", "file_reply"]

_PASSIVE = frozenset(
    {
        "text/plain",
        "text/css",
        "text/csv",
        "application/pdf",
        "application/json",
        "application/zip",
        "application/manifest+json",
    }
)
_PASSIVE_KINDS = ("image/", "audio/", "video/", "font/")
_ACTIVE = frozenset({"image/svg+xml"})


@dataclass(frozen=True, slots=True)
class FileReply:
    """Much of a file, read while it is sent, from a descriptor: whatever is renamed over it meanwhile."""

    status: int
    headers: Headers
    descriptor: int
    part: range
    """Which bytes."""
    opened: ExitStack

    async def pieces(self) -> AsyncIterator[bytes]:
        """The bytes as they were when the file was opened, and not one more."""
        place = self.part.start
        while place < self.part.stop:
            wanted = min(STREAM_PIECE_BYTES, self.part.stop - place)
            piece = await asyncio.to_thread(os.pread, self.descriptor, wanted, place)
            if not piece:
                raise OSError("the file was cut while it was sent")
            place += len(piece)
            yield piece


async def file_reply(
    file: AbstractContextManager[tuple[int, os.stat_result]], mime: str, ask: Ask
) -> Reply | FileReply:
    """The answer for a file, or for the part of it that is asked for. Raises OSError where it cannot be opened."""
    with ExitStack() as opened:
        descriptor, status = opened.enter_context(file)
        size = status.st_size
        etag = f'"{status.st_mtime_ns:x}-{size:x}-{status.st_ino:x}"'
        headers: Headers = (
            (b"etag", etag.encode()),
            (b"cache-control", b"no-cache"),
            (b"accept-ranges", b"bytes"),
            (b"x-content-type-options", b"nosniff"),
        )
        if is_fresh(ask, etag, ""):
            return Reply(304, headers, b"")
        part = byte_range(ask, etag, size)
        if part is not None and not part:
            return Reply(416, ((b"content-range", b"bytes */%d" % size), (b"content-length", b"0"), *headers), b"")
        code = 200 if part is None else 206
        if part is not None:
            headers = ((b"content-range", b"bytes %d-%d/%d" % (part.start, part.stop - 1, size)), *headers)
        part = part or range(size)
        headers = (*_kind(mime), (b"content-length", b"%d" % len(part)), *headers)
        if ask.method == "HEAD":
            return Reply(code, headers, b"")
        if len(part) > STREAM_ABOVE_BYTES:
            return FileReply(code, headers, descriptor, part, opened.pop_all())
        body = os.pread(descriptor, len(part), part.start)
        if len(body) < len(part):
            raise OSError("the file was cut while it was read")
        return Reply(code, headers, body)


def _kind(mime: str) -> Headers:
    media = f"{mime}; charset=utf-8" if mime.startswith("text/") else mime
    if mime not in _ACTIVE and (mime in _PASSIVE or mime.startswith(_PASSIVE_KINDS)):
        return ((b"content-type", media.encode("latin-1", "replace")),)
    # A document that could run scripts here is handed out, not shown.
    return (
        (b"content-type", media.encode("latin-1", "replace")),
        (b"content-disposition", b"attachment"),
        (b"content-security-policy", b"sandbox; default-src 'none'"),
    )
