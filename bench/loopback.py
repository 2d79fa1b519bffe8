"""Servers on the loopback, and one keep-alive connection that asks them: what the serving figures are taken with."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
_ROOM = bytearray(1 << 20)


class Line:
    """One keep-alive connection. The first answer to a question is read with care, the others by its length."""

    def __init__(self, port: int, receive_buffer: int = 0) -> None:
        self._socket = socket.socket()
        if receive_buffer:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.settimeout(30)
        self._socket.connect(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lengths: dict[bytes, int] = {}
        self.local_port = int(self._socket.getsockname()[1])

    def say(self, question: bytes) -> None:
        """Ask, and leave the answer unread."""
        self._socket.sendall(question)

    def answer(self, question: bytes) -> tuple[bytes, bytes]:
        """Head and body (of a chunked one the chunks as they came)."""
        self._socket.sendall(question)
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more()
        head, _, body = data.partition(b"\r\n\r\n")
        lower = head.lower()
        if question.startswith(b"HEAD ") or b" 304 " in head.split(b"\r\n", 1)[0]:
            return head, body
        if b"transfer-encoding: chunked" in lower:
            while not body.endswith(b"0\r\n\r\n"):
                body += self._more()
            return head, body
        length = int(lower.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        while len(body) < length:
            body += self._more()
        return head, body

    def _more(self) -> bytes:
        piece = self._socket.recv(1 << 20)
        if not piece:
            raise ConnectionError("the server ended the connection")
        return piece

    def ask(self, question: bytes) -> None:
        """Ask and read the answer, whose length is known from the first time."""
        left = self._lengths.get(question)
        if left is None:
            self._lengths[question] = sum(map(len, self.answer(question))) + 4
            return
        self._socket.sendall(question)
        while left > 0:
            got = self._socket.recv_into(_ROOM)
            if not got:
                raise ConnectionError("the server ended the connection")
            left -= got

    def until_closed(self) -> None:
        """Read until the server hangs up."""
        with suppress(ConnectionError):
            while self._socket.recv_into(_ROOM):
                pass

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


def question(path: str, method: str = "GET", host: str = "example.com", **headers: str) -> bytes:
    """A request that keeps the connection."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: list[str], port: int, log: Path, seconds: float = 120) -> Iterator[subprocess.Popen[bytes]]:
    """A server until the block ends, once it listens."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HOME / "src"), str(HOME)])}
    with log.open("wb") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT, env=environment)
    try:
        end = time.monotonic() + seconds
        while not _listens(port):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{command[0]} does not listen: {log.read_text(errors='replace')[-2_000:]}")
            time.sleep(0.05)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@contextmanager
def waypost(root: Path, log: Path, *arguments: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """`waypost serve` of a root, and its port."""
    port = free_port()
    command = [sys.executable, "-m", "waypost", "serve", str(root), "--port", str(port), *arguments]
    with running(command, port, log) as process:
        yield port, process


BARE = """
import sys
from waypost.web import serve
{app}
serve.create = lambda *_, **__: app
serve.serve(serve.Service(".", None, "127.0.0.1", int(sys.argv[1]), 1), on_ready=print, progress=print)
"""


@contextmanager
def bare(app: str, log: Path) -> Iterator[int]:
    """An ASGI application of a few lines, under the very server and settings that `waypost serve` has."""
    port = free_port()
    with running([sys.executable, "-c", BARE.format(app=app), str(port)], port, log):
        yield port


NGINX = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000; server_tokens off;
  types {{ application/xml xml; }}
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ listen 127.0.0.1:{port}; root {folder}/static; {more} }}
}}
"""


@contextmanager
def nginx(binary: str, folder: Path, files: Mapping[str, bytes], more: str = "") -> Iterator[int]:
    """nginx with static files, one worker, sendfile on."""
    port = free_port()
    (folder / "static").mkdir(parents=True)
    for name, data in files.items():
        (folder / "static" / name).write_bytes(data)
    (folder / "static").chmod(0o755)
    config = folder / "nginx.conf"
    config.write_text(NGINX.format(folder=folder, port=port, more=more))
    with running([binary, "-p", str(folder), "-c", str(config)], port, folder / "nginx.log"):
        yield port
