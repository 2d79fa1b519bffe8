"""Files of a root: whole, one state of them, and never anything a browser would run in our name."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass

from waypost.limits import STREAM_ABOVE_BYTES, STREAM_PIECE_BYTES
from waypost.publish.exchange import Headers
from waypost.publish.negotiate import is_fresh
from waypost.publish.respond import Ask, Reply

__all__ = ["FileReply", "file_reply"]

_PASSIVE = frozenset({"text/plain", "text/css", "text/csv", "application/pdf", "application/json", "application/zip"})
_PASSIVE_KINDS = ("image/", "audio/", "video/", "font/")
_ACTIVE = frozenset({"image/svg+xml"})


@dataclass(frozen=True, slots=True)
class FileReply:
    """A long file that is read while it is sent, from a descriptor: whatever is renamed over it meanwhile."""

    status: int
    headers: Headers
    descriptor: int
    size: int
    opened: ExitStack

    async def pieces(self) -> AsyncIterator[bytes]:
        """The file as it was when it was opened, and not a byte more."""
        place = 0
        while place < self.size:
            wanted = min(STREAM_PIECE_BYTES, self.size - place)
            piece = await asyncio.to_thread(os.pread, self.descriptor, wanted, place)
            if not piece:
                raise OSError("the file was cut while it was sent")
            place += len(piece)
            yield piece


async def file_reply(
    file: AbstractContextManager[tuple[int, os.stat_result]], mime: str, ask: Ask
) -> Reply | FileReply:
    """The answer for a file. Raises OSError where it cannot be opened."""
    with ExitStack() as opened:
        descriptor, status = opened.enter_context(file)
        etag = f'"{status.st_mtime_ns:x}-{status.st_size:x}-{status.st_ino:x}"'
        headers: Headers = (
            (b"etag", etag.encode()),
            (b"cache-control", b"no-cache"),
            (b"x-content-type-options", b"nosniff"),
        )
        if is_fresh(ask, etag, ""):
            return Reply(304, headers, b"")
        headers = (*_kind(mime), (b"content-length", b"%d" % status.st_size), *headers)
        if ask.method == "HEAD":
            return Reply(200, headers, b"")
        if status.st_size <= STREAM_ABOVE_BYTES:
            body = os.pread(descriptor, status.st_size, 0)
            if len(body) == status.st_size:
                return Reply(200, headers, body)
            raise OSError("the file was cut while it was read")
        return FileReply(200, headers, descriptor, status.st_size, opened.pop_all())


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
