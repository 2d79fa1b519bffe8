"""Send a reply over ASGI: short bodies at once, long ones in pieces, compressed ones without holding the event loop."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Self

from waypost.limits import (
    LOOP_COMPRESS_BYTES_MAX,
    STREAM_CROWD_FROM,
    STREAM_CROWD_PIECE_BYTES,
    STREAM_PIECE_BYTES,
)
from waypost.publish.respond import Pieces, Reply
from waypost.web.compress import gzip_body, gzip_pieces
from waypost.web.files import FileReply

__all__ = ["Crowd", "Send", "send_reply"]

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Crowd:
    """The long bodies on their way out of a process.

    Few of them go in pieces that are quick to make. Each reader who stops reading costs some pieces, though, and many
    who start at once would keep everybody else waiting: many bodies go in short pieces, one in each turn of the loop.
    """

    def __init__(self) -> None:
        self._bodies = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def __enter__(self) -> Self:
        self._bodies += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._bodies -= 1

    def piece_bytes(self) -> int:
        """How long the next piece of a body is to be."""
        return STREAM_PIECE_BYTES if self._bodies < STREAM_CROWD_FROM else STREAM_CROWD_PIECE_BYTES

    async def turn(self) -> None:
        """Wait until the next piece may be made: at once, unless many bodies are on their way."""
        if self._bodies < STREAM_CROWD_FROM:
            return
        loop = asyncio.get_running_loop()
        mine = loop.create_future()
        self._waiting.append(mine)
        if len(self._waiting) == 1:
            loop.call_soon(self._next)
        await mine

    def _next(self) -> None:
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():
                first.set_result(None)
                break
        if self._waiting:
            self._waiting[0].get_loop().call_soon(self._next)


async def send_reply(reply: Reply | FileReply, send: Send, crowd: Crowd, *, is_head: bool = False) -> None:
    """Send the whole reply, or for HEAD its headers: the same ones."""
    if isinstance(reply, FileReply):
        await _send_file(reply, send)
        return
    body, headers = reply.body, reply.headers
    if reply.is_gzip and isinstance(body, bytes):
        is_short = len(body) <= LOOP_COMPRESS_BYTES_MAX
        body = gzip_body(body) if is_short else await asyncio.to_thread(gzip_body, body)
        headers = (*headers, (b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    if is_head or isinstance(body, bytes):
        await send({"type": "http.response.body", "body": b"" if is_head else body})
    elif reply.is_gzip:
        await _send_compressed(body, send)
    else:
        with crowd:
            await _send_pieces(body, send, crowd)


async def _send_pieces(body: Pieces, send: Send, crowd: Crowd) -> None:
    await crowd.turn()
    for piece in body.cut(crowd.piece_bytes):
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        await crowd.turn()
    await send({"type": "http.response.body", "body": b""})


async def _send_file(reply: FileReply, send: Send) -> None:
    with reply.opened:
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
        async for piece in reply.pieces():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _send_compressed(body: Pieces, send: Send) -> None:
    packed = gzip_pieces(body)
    while piece := await asyncio.to_thread(next, packed, b""):  # no piece is empty
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})
