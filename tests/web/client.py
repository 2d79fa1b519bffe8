"""Asking: an application in this process, or a real server over a socket, byte by byte where it matters."""

import asyncio
import os
import re
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

SOURCE = Path(__file__).parents[2] / "src"


class Answer(NamedTuple):
    """What came back; `closed` tells whether the server ended the connection."""

    status: int
    headers: dict[str, str]
    body: bytes
    closed: bool = False

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def all_bytes(self) -> bytes:
        return repr(sorted(self.headers.items())).encode() + self.body


class InProcess:
    """An ASGI application, asked without a socket."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.loop = asyncio.new_event_loop()

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        host: str | bytes | None = "example.com",
        scheme: str = "http",
        client: str = "192.0.2.7",
        query: str = "",
        more: tuple[tuple[str, str], ...] = (),
        **headers: str,
    ) -> Answer:
        pairs = (
            [] if host is None else [(b"host", host if isinstance(host, bytes) else host.encode("latin-1", "replace"))]
        )
        pairs += [
            (name.replace("_", "-").lower().encode(), value.encode("latin-1"))
            for name, value in (*headers.items(), *more)
        ]
        scope = {
            "type": "http", "http_version": "1.1", "method": method, "scheme": scheme, "path": path, "raw_path": path.encode("latin-1"),
            "query_string": query.encode(), "root_path": "", "headers": pairs, "client": (client, 1234) if client else None, "server": ("127.0.0.1", 80),
        }  # fmt: skip
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        self.loop.run_until_complete(self.app(scope, None, send))
        body = b"".join(message.get("body", b"") for message in sent[1:])
        names = [name for name, _ in sent[0]["headers"]]
        assert len(set(names)) == len(names), names
        return Answer(sent[0]["status"], {k.decode(): v.decode("latin-1") for k, v in sent[0]["headers"]}, body)

    def close(self) -> None:
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A running server: where it is, and its process."""

    def __init__(self, port: int, process: subprocess.Popen[bytes], log: Path) -> None:
        self.port, self.process, self.log = port, process, log

    def connect(self, timeout: float = 20.0) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def raw(self, data: bytes, timeout: float = 20.0, quiet: float = 0.0) -> bytes:
        """Everything the server sends for these bytes until it closes, or has been quiet for so long."""
        with self.connect(timeout) as connection:
            with suppress(OSError):
                connection.sendall(data)
            return read_all(connection, quiet)

    def ask(
        self, path: str, *, method: str = "GET", host: str = "example.com", timeout: float = 20.0, **headers: str
    ) -> Answer:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        return parse(self.raw("\r\n".join([*lines, "", ""]).encode("latin-1"), timeout), is_head=method == "HEAD")

    def wait(self, path: str = "/robots.txt", host: str = "example.com", seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.ask(path, host=host, timeout=5).status < 500:
                    return
            except OSError:
                pass
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def stop(self, seconds: float = 15.0) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(seconds)


def read_all(connection: socket.socket, quiet: float = 0.0) -> bytes:
    received = []
    while True:
        if quiet and not select.select([connection], [], [], quiet)[0]:
            break
        try:
            piece = connection.recv(1 << 20)
        except ConnectionError:
            break
        if not piece:
            break
        received.append(piece)
    return b"".join(received)


def parse(data: bytes, *, is_head: bool = False) -> Answer:
    if not data:
        raise ConnectionError("the server closed the connection without a word")
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        assert name.lower() not in headers, f"{name} comes twice"
        headers[name.lower()] = value.strip()
    if headers.get("transfer-encoding") == "chunked":
        body = unchunked(body)
    elif "content-length" in headers and not is_head:
        assert len(body) == int(headers["content-length"]), (len(body), headers)
    return Answer(int(first.split()[1]), headers, body, closed=True)


def unchunked(data: bytes) -> bytes:
    out = []
    while True:
        size, _, data = data.partition(b"\r\n")
        length = int(size, 16)
        if not length:
            return b"".join(out)
        out.append(data[:length])
        data = data[length + 2 :]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONWARNINGS": "ignore", **more}


@contextmanager
def waypost(*arguments: str, log: Path, within: tuple[str, ...] = (), **more: str) -> Iterator[Server]:
    """`waypost serve …` on a free port, as a person starts it; `within` is a command that runs another one."""
    command = [*within, sys.executable, "-m", "waypost", "serve", "--port", "0", *arguments]
    with log.open("wb") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT, env=environment(**more))
    server = Server(0, process, log)
    try:
        end = time.monotonic() + 90
        while not (found := re.search(r"http://[^/ ]+:(\d+)/", log.read_text())):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        server.port = int(found[1])
        server.wait("/healthz", host="127.0.0.1")
        yield server
    finally:
        finish(process)


@contextmanager
def uvicorn(log: Path, *arguments: str, **more: str) -> Iterator[Server]:
    """The same application under uvicorn, with its own proxy headers switched off."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "--factory",
        "waypost.web.app:create",
        "--port",
        str(port),
        "--no-proxy-headers",
        "--no-access-log",
        *arguments,
    ]
    with log.open("wb") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT, env=environment(**more))
    try:
        server = Server(port, process, log)
        server.wait("/healthz", host="127.0.0.1")
        yield server
    finally:
        finish(process)


def finish(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(5)


@contextmanager
def held(lock: Any) -> Iterator[None]:
    """Another thread holds a lock meanwhile."""
    has, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            has.set()
            may_end.wait(20)

    thread = threading.Thread(target=hold)
    thread.start()
    has.wait()
    try:
        yield
    finally:
        may_end.set()
        thread.join()
