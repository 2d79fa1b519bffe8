"""Replies that are not documents: refusals, redirects, and the headers every answer carries."""

from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from types import MappingProxyType
from urllib.parse import quote

from waypost.publish.exchange import Headers
from waypost.publish.respond import Reply
from waypost.web.files import FileReply

__all__ = ["CLOSE", "NOINDEX", "REFUSED", "Reply", "bare", "moved", "with_headers"]

NOINDEX = (b"x-robots-tag", b"noindex")
_PRINTABLE = "".join(map(chr, range(ord("!"), ord("~") + 1)))
_TEXT = b"text/plain; charset=utf-8"


def bare(status: int, *headers: tuple[bytes, bytes]) -> Reply:
    """A reply that says its status and nothing else.

    It is never to be indexed: what goes wrong on a preview may go wrong before anybody knows whose host it is.
    """
    body = f"{status} {HTTPStatus(status).phrase}\n".encode()
    length = (b"content-length", b"%d" % len(body))
    safe = (b"x-content-type-options", b"nosniff")
    return Reply(
        status, ((b"content-type", _TEXT), length, (b"cache-control", b"no-store"), safe, NOINDEX, *headers), body
    )


CLOSE = (b"connection", b"close")

REFUSED: Mapping[int, Reply] = MappingProxyType(
    {
        400: bare(400, CLOSE),
        405: bare(405, (b"allow", b"GET, HEAD")),
        414: bare(414, CLOSE),
        421: bare(421),
        431: bare(431, CLOSE),
        500: bare(500),
        503: bare(503, (b"retry-after", b"1")),
    }
)
"""Refusals by their status; none of them repeats anything the client sent."""


def moved(location: str) -> Reply:
    """The one canonical URL is elsewhere, for good and for every method; bytes no URL has are escaped."""
    return Reply(
        308,
        (
            (b"location", quote(location.encode("latin-1"), safe=_PRINTABLE).encode()),
            (b"content-length", b"0"),
            (b"cache-control", b"no-cache"),
            (b"x-content-type-options", b"nosniff"),
        ),
        b"",
    )


def with_headers(reply: Reply | FileReply, *headers: tuple[bytes, bytes]) -> Reply | FileReply:
    """The reply with more headers; one it has already stays as it is."""
    present = {name for name, _ in reply.headers}
    more: Headers = tuple(header for header in headers if header[0] not in present)
    return replace(reply, headers=reply.headers + more)
