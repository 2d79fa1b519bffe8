"""The hostile server: every behaviour on a port of its own, and a canary that must never be asked."""

import asyncio
import contextlib
import socket
import ssl
import threading
import weakref
from collections.abc import Iterable
from pathlib import Path

from tests.hostile.compression import warm_up
from tests.hostile.kit import Behaviour, Exchange

CERTS = Path(__file__).parent / "certs"
AUTHORITY = CERTS / "ca.pem"


class HostileServer:
    """Serves behaviours from a thread while it is entered; `bases` maps a behaviour's name to its origin."""

    def __init__(self, behaviours: Iterable[Behaviour]) -> None:
        self.behaviours = tuple(behaviours)
        self.bases: dict[str, str] = {}
        self.requests: dict[str, list[str]] = {}
        self.canary = ""
        self.canary_hits = 0
        self._writers: weakref.WeakSet[asyncio.StreamWriter] = weakref.WeakSet()
        self._held: list[socket.socket] = []
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()), daemon=True)

    def __enter__(self) -> "HostileServer":
        warm_up()
        self._thread.start()
        assert self._ready.wait(20), "the hostile server did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def url(self, behaviour: Behaviour) -> str:
        return self.bases[behaviour.name] + behaviour.asked

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(lambda *_: None)
        self._stop = asyncio.Event()
        servers = [await asyncio.start_server(self._bite, "127.0.0.1", 0)]
        self.canary = f"http://127.0.0.1:{servers[0].sockets[0].getsockname()[1]}"
        for behaviour in self.behaviours:
            opened = await self._open(behaviour)
            servers += [opened] if opened else []
        self._ready.set()
        await self._stop.wait()
        for opened in (*servers, *self._held):
            opened.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in list(self._writers):
            writer.transport.abort()
        await asyncio.sleep(0.05)

    async def _open(self, behaviour: Behaviour) -> asyncio.Server | None:
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(("127.0.0.1", 0))
        scheme = "https" if behaviour.tls else "http"
        self.bases[behaviour.name] = f"{scheme}://127.0.0.1:{sock.getsockname()[1]}"
        self.requests[behaviour.name] = []
        context = None
        if behaviour.tls not in {"", "none"}:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTS / f"{behaviour.tls}.pem")

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._serve(behaviour, reader, writer)

        if "closed" in behaviour.marks:
            self._held.append(sock)  # bound, so nobody else gets the port, and never listening
            return None
        return await asyncio.start_server(serve, sock=sock, ssl=context, backlog=200)

    async def _serve(self, behaviour: Behaviour, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        exchange = Exchange(reader, writer, self.bases[behaviour.name], self.canary)
        with contextlib.suppress(OSError, EOFError, asyncio.LimitOverrunError):
            if not behaviour.raw:
                await exchange.read_head()
                self.requests[behaviour.name].append(exchange.path)
            if behaviour.path and exchange.path.split("?")[0] != behaviour.path and "follows" not in behaviour.marks:
                await exchange.answer(b"not found", "404 Not Found", kind="text/plain")
            else:
                await behaviour.serve(exchange)
        with contextlib.suppress(OSError):
            writer.close()

    async def _bite(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.canary_hits += 1
        writer.close()
