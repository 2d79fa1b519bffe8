"""An HTTP server on the loopback around an ASGI application, in this very process, whose answers can be edited."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

from waypost.check.drive import Means, acheck
from waypost.check.fetch import Client, Resolver
from waypost.check.options import Options
from waypost.check.policy import Policy
from waypost.check.settings import ClientSettings


@dataclass
class Answer:
    """What an application said to one request; an edit changes it before it is sent."""

    path: str
    status: int
    headers: dict[str, str]
    body: bytes
    length: int | None = None
    """The Content-Length to announce; None is the true one."""
    hangs_up: bool = False
    """Close the connection instead of answering."""


Edit = Callable[[Answer], None]


@asynccontextmanager
async def served(app, edit: Edit | None = None) -> AsyncIterator[str]:
    """The application on a free port; what is yielded is `127.0.0.1:PORT`."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:  # until the client has no more to ask
            while head := await reader.readuntil(b"\r\n\r\n"):
                answer = await _asked(app, head, is_plain=edit is not None)
                if edit is not None:
                    edit(answer)
                if answer.hangs_up:
                    return
                writer.write(_written(answer))
                await writer.drain()
                if answer.length is not None:
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def _asked(app, head: bytes, *, is_plain: bool) -> Answer:
    line, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = line.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)}
    if is_plain:
        headers.pop("accept-encoding", None)
    path, _, query = target.partition("?")
    scope = {
        "type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path,
        "raw_path": path.encode(), "query_string": query.encode(), "root_path": "", "client": ("127.0.0.1", 9),
        "server": ("127.0.0.1", 80), "headers": [(n.encode(), v.encode("latin-1")) for n, v in headers.items()],
    }  # fmt: skip
    sent = []

    async def send(message) -> None:
        sent.append(message)

    await app(scope, None, send)
    named = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(path, sent[0]["status"], named, body)


def _written(answer: Answer) -> bytes:
    headers = {name: value for name, value in answer.headers.items() if name != "content-length"}
    headers["content-length"] = str(len(answer.body) if answer.length is None else answer.length)
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + answer.body


async def checked(host: str, now: float, **choices):
    """The result of a check of `http://HOST`, by the real client; every name means this machine."""
    settings = ClientSettings(site_s=300.0)
    async with Client(settings, Policy(["127.0.0.1"]), Resolver(lambda _: ["127.0.0.1"])) as client:
        return await acheck(f"http://{host}", Options(now=now, **choices), Means(settings=settings, fetcher=client))
