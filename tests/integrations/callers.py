"""Servers in miniature: one request to an ASGI or WSGI application, without a socket."""

import asyncio
from typing import Any, NamedTuple
from wsgiref.util import setup_testing_defaults


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def ask_asgi(
    app: Any,
    path: str,
    *,
    method: str = "GET",
    hosts: tuple[str, ...] = ("example.com",),
    scheme: str = "https",
    root_path: str = "",
    **headers: str,
) -> Answer:
    pairs = [(b"host", host.encode("latin-1")) for host in hosts]
    pairs += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": scheme,
        "path": root_path + path, "raw_path": (root_path + path).encode(), "query_string": b"", "root_path": root_path,
        "headers": pairs, "client": ("192.0.2.1", 1), "server": ("127.0.0.1", 80),
    }  # fmt: skip
    sent: list[dict[str, Any]] = []

    arriving: list[dict[str, Any]] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not arriving:
            await asyncio.Event().wait()
        return arriving.pop()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(sent[0]["status"], {k.decode().lower(): v.decode() for k, v in sent[0]["headers"]}, body)


def ask_wsgi(
    app: Any, path: str, *, method: str = "GET", host: str = "example.com", scheme: str = "https", **headers: str
) -> Answer:
    environ: dict[str, Any] = {
        "PATH_INFO": path,
        "REQUEST_METHOD": method,
        "HTTP_HOST": host,
        "wsgi.url_scheme": scheme,
        "QUERY_STRING": "",
    }
    environ |= {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    setup_testing_defaults(environ)
    started: list[Any] = []
    answer = app(environ, lambda status, fields, exc_info=None: started.extend((status, fields)))
    body = b"".join(answer)
    if hasattr(answer, "close"):
        answer.close()
    return Answer(int(started[0].split()[0]), {k.lower(): v for k, v in started[1]}, body)
