"""Many small sites on loopback, each with a port of its own, in the running event loop."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager

Routes = Mapping[str, tuple[str, bytes]]
"""Path → media type and body; every other path is 404."""


async def _converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, routes: Routes) -> None:
    try:
        while True:
            path = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode("latin-1")
            kind, body = routes.get(path, ("text/plain", b"not found\n"))
            status = "200 OK" if path in routes else "404 Not Found"
            head = f'HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nETag: "1"\r\nContent-Length: {len(body)}\r\n\r\n'
            writer.write(head.encode() + body)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


@asynccontextmanager
async def serving(sites: Iterable[Routes]) -> AsyncIterator[list[str]]:
    """The origins of some sites, as long as it is entered."""
    servers = [
        await asyncio.start_server(lambda r, w, routes=routes: _converse(r, w, routes), "127.0.0.1", 0)
        for routes in sites
    ]
    try:
        yield [f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}" for server in servers]
    finally:
        for server in servers:
            server.close()
