"""The trail: every request of a scan, with what mattered of its answer."""

from collections.abc import Iterator

from waypost.check.capture import Capture, Hop
from waypost.check.result import TrailHop

__all__ = ["hops_of"]

_HEADERS = (
    "content-type",
    "content-encoding",
    "content-length",
    "location",
    "etag",
    "last-modified",
    "cache-control",
    "retry-after",
    "x-robots-tag",
    "link",
    "server",
)
_VALUE_CHARS = 300
_HEAD_BYTES = 120


def hops_of(capture: Capture) -> Iterator[TrailHop]:
    """One exchange as its requests; the error and the first bytes stand at the last of them."""
    hops = capture.hops or (Hop(capture.url),)
    error = capture.error.sentence if capture.error else ""
    for number, hop in enumerate(hops, 1):
        is_last = number == len(hops)
        yield TrailHop(
            purpose=capture.request.purpose.value,
            url=hop.url,
            status=hop.status,
            elapsed_s=round(hop.elapsed_s, 4),
            address=hop.address,
            headers={name: hop.headers.get(name)[:_VALUE_CHARS] for name in _HEADERS if name in hop.headers},
            error=error if is_last else "",
            bytes=len(capture.body) if is_last else 0,
            head=capture.body.head(_HEAD_BYTES).decode("utf-8", "replace") if is_last else "",
        )
