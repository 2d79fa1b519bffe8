"""Send a reply over ASGI: short bodies at once, long ones in pieces, compressed ones without holding the event loop."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from waypost.limits import LOOP_COMPRESS_BYTES_MAX
from waypost.publish.respond import Pieces, Reply
from waypost.web.compress import gzip_body, gzip_pieces
from waypost.web.files import FileReply

__all__ = ["Send", "send_reply"]

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


async def send_reply(reply: Reply | FileReply, send: Send, *, is_head: bool = False) -> None:
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
        await _send_pieces(body, send)


async def _send_pieces(body: Pieces, send: Send) -> None:
    for piece in body:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
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
