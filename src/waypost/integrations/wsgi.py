"""A WSGI application gets robots.txt, sitemaps and robots.xml, true at every request, for whatever host asks."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from http import HTTPStatus
from inspect import iscoroutinefunction
from typing import Any

from waypost.errors import ConfigError
from waypost.integrations.pages import Pages, SiteMaker, answers, origin_of
from waypost.publish.respond import Ask, Reply, respond
from waypost.publish.settings import DataFile, RobotsGroup

__all__ = ["mount"]

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
App = Callable[[Environ, StartResponse], Iterable[bytes]]

_BAD_HOST = Reply(400, ((b"content-type", b"text/plain"), (b"content-length", b"9")), b"bad host\n")


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
    """The application with the publisher's documents in front of it; the parameters are those of `asgi.mount`."""
    if iscoroutinefunction(pages):
        raise ConfigError("pages is a coroutine function: a WSGI application needs a plain one")
    maker = SiteMaker(pages, reserved, admin_path, groups, data, title)

    def answer(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if not answers(path):
            return app(environ, start_response)
        origin = origin_of(environ.get("wsgi.url_scheme", "http"), [environ.get("HTTP_HOST", "")])
        reply = _BAD_HOST
        if origin is not None:
            given = maker.ask(origin.partition("://")[2])
            assert not isinstance(given, Awaitable)
            reply = respond(_ask(environ, origin, path), maker.site(given)) or _BAD_HOST
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in reply.headers]
        start_response(f"{reply.status} {HTTPStatus(reply.status).phrase}", headers)
        return (reply.body,) if isinstance(reply.body, bytes) else reply.body

    return answer


def _ask(environ: Environ, origin: str, path: str) -> Ask:
    tags = environ.get("HTTP_IF_NONE_MATCH", "")
    since = environ.get("HTTP_IF_MODIFIED_SINCE", "")
    return Ask(origin, environ.get("REQUEST_METHOD", ""), path, if_none_match=tags, if_modified_since=since)
