"""What hostile behaviours are made of: one exchange with a client, and small makers of behaviours."""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


def urlset(base: str, inside: str = "") -> bytes:
    return f"{XML}<urlset {NS}><url><loc>{base}/a</loc></url>{inside}</urlset>".encode()


@dataclass
class Exchange:
    """One request as the server sees it; `base` is the hostile origin, `canary` an inside origin nobody may ask."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    base: str
    canary: str
    head: bytes = b""

    @property
    def path(self) -> str:
        words = self.head.split(b" ", 2)
        return words[1].decode("latin-1") if len(words) > 2 else ""

    @property
    def port(self) -> int:
        return int(self.base.rpartition(":")[2])

    @property
    def canary_port(self) -> int:
        return int(self.canary.rpartition(":")[2])

    async def read_head(self) -> bool:
        self.head = await self.reader.readuntil(b"\r\n\r\n")
        return True

    async def send(self, *parts: bytes) -> None:
        for part in parts:
            self.writer.write(part)
            await self.writer.drain()

    async def answer(
        self, body: bytes = b"", status: str = "200 OK", headers: str = "", kind: str = "application/xml"
    ) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{headers}\r\n"
        await self.send(head.encode("latin-1") + body)

    def reset(self) -> None:
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def stall(self) -> None:
        await asyncio.sleep(3_600)


Serve = Callable[[Exchange], Awaitable[object]]
Text = bytes | Callable[[Exchange], bytes]


@dataclass(frozen=True)
class Behaviour:
    """One way to be nasty, under a name; `want` holds the error words and whole-answer statuses the client may report."""

    name: str
    serve: Serve
    want: tuple[str | int, ...]
    path: str = ""
    tls: str = ""
    raw: bool = False
    marks: frozenset[str] = field(default_factory=frozenset)

    @property
    def asked(self) -> str:
        """The path that shows the behaviour; without one it shows everywhere."""
        return self.path or "/sitemap.xml"


def _of(content: Text, exchange: Exchange) -> bytes:
    return content(exchange) if callable(content) else content


def sends(*parts: Text, then: str = "close") -> Serve:
    """Raw bytes, then close, stall or reset."""

    async def serve(exchange: Exchange) -> None:
        await exchange.send(*(_of(part, exchange) for part in parts))
        if then == "stall":
            await exchange.stall()
        if then == "reset":
            await asyncio.sleep(0.02)
            exchange.reset()

    return serve


def repeats(start: bytes, piece: Text, end: bytes = b"", times: int = 1 << 62, pause_s: float = 0.0) -> Serve:
    """A start, then one piece again and again: endless unless `times` says otherwise."""

    async def serve(exchange: Exchange) -> None:
        await exchange.send(start)
        data = _of(piece, exchange)
        for _ in range(times):
            await exchange.send(data)
            await asyncio.sleep(pause_s)
        await exchange.send(end)

    return serve


def document(body: Text, headers: str = "", kind: str = "application/xml", status: str = "200 OK") -> Serve:
    """A well-sent answer with a nasty body."""

    async def serve(exchange: Exchange) -> None:
        await exchange.answer(_of(body, exchange), status, headers, kind)

    return serve


def redirects(location: str | Callable[[Exchange], str], status: str = "302 Found", *, headers: str = "") -> Serve:
    """A redirect to one place."""

    async def serve(exchange: Exchange) -> None:
        place = location(exchange) if callable(location) else location
        await exchange.answer(b"", status, f"Location: {place}\r\n{headers}")

    return serve
