"""An ASGI application gets robots.txt, sitemaps and robots.xml, true at every request, for whatever host asks."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from typing import Any

from waypost.integrations.pages import Pages, SiteMaker, answers, origin_of
from waypost.publish.respond import Ask, Reply, respond
from waypost.publish.settings import DataFile, RobotsGroup, Site

__all__ = ["mount"]

Message = MutableMapping[str, Any]
App = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]

_TOLD = (b"content-type", b"text/plain"), (b"connection", b"close"), (b"content-length", b"9")
_BAD_HOST = Reply(400, _TOLD, b"bad host\n")


def mount(
    app: App,
    *,
    pages: Pages,
    reserved: Sequence[str] = (),
    admin_path: str = "",
    groups: Sequence[RobotsGroup] = (),
    data: Sequence[DataFile] = (),
    title: str = "",
) -> App:
    """The application with the publisher's documents in front of it; everything else is the application's.

    `pages` is a list of paths, (path, last change) pairs or `Page`s, or a callable, `async` or not, that gets the host
    or nothing and returns one at every request. `reserved` paths are neither listed nor crawled, nor is the
    `admin_path`, which is never told either.
    """
    maker = SiteMaker(pages, reserved, admin_path, groups, data, title)

    async def answer(scope: Message, receive: Any, send: Callable[[Message], Awaitable[None]]) -> None:
        path = _path(scope) if scope["type"] == "http" else ""
        if not answers(path):
            await app(scope, receive, send)
            return
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        origin = origin_of(scope.get("scheme", "http"), hosts)
        reply = _BAD_HOST
        if origin is not None:
            site = maker.site(given) if not callable(given := maker.pages) else await _asked(maker, origin)
            reply = respond(_ask(scope, origin, path), site) or _BAD_HOST
        await _send(reply, send)

    return answer


async def _asked(maker: SiteMaker, origin: str) -> Site:
    # Whatever is asked may wait for a database, which only a coroutine may do on the event loop.
    given = await asyncio.to_thread(maker.ask, origin.partition("://")[2])
    return await asyncio.to_thread(maker.site, await given if isinstance(given, Awaitable) else given)


def _path(scope: Message) -> str:
    raw: bytes | None = scope.get("raw_path")
    path = scope["path"] if raw is None else raw.partition(b"?")[0].decode("latin-1")
    return str(path.removeprefix(scope.get("root_path", "")))


def _ask(scope: Message, origin: str, path: str) -> Ask:
    def header(wanted: bytes) -> str:
        return ", ".join(value.decode("latin-1") for name, value in scope["headers"] if name == wanted)

    since, tags = header(b"if-modified-since"), header(b"if-none-match")
    return Ask(origin, scope["method"], path, if_none_match=tags, if_modified_since=since)


async def _send(reply: Reply, send: Callable[[Message], Awaitable[None]]) -> None:
    await send({"type": "http.response.start", "status": reply.status, "headers": list(reply.headers)})
    pieces: Iterable[bytes] = (reply.body,) if isinstance(reply.body, bytes) else reply.body
    for piece in pieces:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})
