"""An application in this very process as a site: its test client answers, and no socket is opened.

The scan is driven without an event loop, in the caller's own thread: a framework's database may belong to that thread.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from waypost.check.body import BodyWriter
from waypost.check.capture import Body, Capture, ErrorKind, FetchError, Headers, Hop, Request
from waypost.check.decode import CodingError, Decoder, coding_of
from waypost.check.options import Options
from waypost.check.place import REDIRECTS, Place, onward, read_place
from waypost.check.result import Result
from waypost.check.scan import Scan
from waypost.formats.inflate import Coding
from waypost.urls import Origin, normalise

__all__ = ["Answer", "check_application"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What an application answered; `is_decoded` where its client has undone a Content-Encoding."""

    status: int
    headers: Iterable[tuple[str, str]]
    body: bytes
    is_decoded: bool = False


Ask = Callable[[str, str], Answer]
"""Asks the application for a URL with an Accept, and follows no redirect."""


def check_application(origin: str, ask: Ask, options: Options) -> Result:
    """Check an application as if it were served at an origin."""
    scan, own = Scan(origin, options), str(Origin.parse(origin))
    while wanted := scan.wants():
        for request in wanted:
            scan.receive(_fetched(ask, own, request))
    return scan.result()


def _fetched(ask: Ask, origin: str, request: Request) -> Capture:
    """The answer to a request, with redirects followed while they stay in the application."""
    hops: tuple[Hop, ...] = ()
    place = read_place(request.url)
    while isinstance(place, Place):
        if place.origin != origin:
            return Capture(request, hops, error=FetchError(ErrorKind.OUTSIDE_APPLICATION, place.origin))
        answer = ask(place.url, request.accept)
        hop = Hop(place.url, answer.status, Headers(tuple(answer.headers)))
        hops = (*hops, hop)
        if answer.status not in REDIRECTS:
            return _decoded(request, hops, answer)
        place = onward(place, hop.location, {normalise(one.url) for one in hops}, request.redirects_max)
    return Capture(request, hops, error=place)


def _decoded(request: Request, hops: tuple[Hop, ...], answer: Answer) -> Capture:
    headers = hops[-1].headers
    coding = None if answer.is_decoded else coding_of(headers.all("content-encoding"))
    if isinstance(coding, str):
        return Capture(request, hops, error=FetchError(ErrorKind.ENCODING_UNSUPPORTED, coding))
    try:
        body, has_trailing = _unpacked(answer.body, coding, request.bytes_max)
    except CodingError as error:
        return Capture(request, hops, error=FetchError(ErrorKind.ENCODING_BROKEN, str(error)))
    return Capture(
        request,
        hops,
        body,
        wire_bytes=len(answer.body),
        coding=headers.get("content-encoding"),
        has_trailing=has_trailing,
        truncated=len(body) > request.bytes_max,
    )


def _unpacked(data: bytes, coding: Coding | None, bytes_max: int) -> tuple[Body, bool]:
    decoder = Decoder(coding, bytes_max)
    with BodyWriter() as writer:
        for pieces in (decoder.feed(data), decoder.finish()):
            for piece in pieces:
                writer.write(piece[: bytes_max + 1 - len(writer)])
        return writer.finish(), decoder.has_trailing
