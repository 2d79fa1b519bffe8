"""What one fetched service says of itself: its kind by its bytes, its title, its last change."""

from collections.abc import Iterable
from dataclasses import replace

from waypost.check.capture import Capture
from waypost.check.services import KIND_OF_FORMAT, NAMESPACES, FoundService, ServiceKind
from waypost.dates import DateReading, read_http, read_rfc822, read_w3c, write_w3c
from waypost.errors import WriteError
from waypost.formats.feeddates import read_feed_date
from waypost.formats.feeds import read_feed
from waypost.formats.opml import Opml
from waypost.formats.signature import Format, sniff
from waypost.formats.sitemap import read_sitemap
from waypost.limits import PROLOG_BYTES_MAX

__all__ = ["date_of", "format_of", "looked_at"]

_SPELLED = {"http://purl.org/rss/1.0/"}


def format_of(capture: Capture) -> Format:
    """The format of an answer, by its bytes."""
    return sniff(capture.body.head(PROLOG_BYTES_MAX))


def date_of(reading: DateReading) -> str:
    """A date that was read, as W3C has it; empty where it is none."""
    if reading.timestamp is None:
        return ""
    try:
        return write_w3c(reading.timestamp)
    except (WriteError, ValueError, OverflowError):
        return ""


def looked_at(service: FoundService, capture: Capture, opml: Opml | None = None) -> FoundService:
    """A service with what its own answer says; what it says of itself counts more than what others say of it."""
    service = replace(service, status=capture.status)
    if not capture.is_success:
        error = capture.error.sentence if capture.error else f"it answers with status {capture.status}"
        return replace(service, error=error)
    seen_as = format_of(capture)
    kind = KIND_OF_FORMAT.get(seen_as)
    if kind is None:
        if service.kind in {ServiceKind.DATA, ServiceKind.ROBOTS}:
            namespace = service.namespace or NAMESPACES.get(service.kind, "")
            return _dated(replace(service, namespace=namespace), _header_date(capture))
        return replace(service, error=f"it is {_named(seen_as)}, not what it is listed as")
    if service.kind is not kind and not (service.namespace in _SPELLED and kind is ServiceKind.RSS):
        service = replace(service, namespace=NAMESPACES.get(kind, ""))
    service = replace(service, kind=kind, namespace=service.namespace or NAMESPACES.get(kind, ""))
    if kind.is_feed:
        return _feed(service, capture)
    if opml is not None:
        date = date_of(read_rfc822((opml.date_modified or "").strip()))
        return _dated(replace(service, title=_line(opml.title) or service.title), date or _header_date(capture))
    return _dated(service, _sitemap_date(capture) if kind is ServiceKind.SITEMAP else _header_date(capture))


def _feed(service: FoundService, capture: Capture) -> FoundService:
    feed = read_feed(capture.body.read(), url=capture.final_url)
    date = date_of(read_feed_date((feed.updated or "").strip())) or _newest(
        date_of(read_feed_date((entry.updated or entry.published or "").strip())) for entry in feed.entries
    )
    titled = replace(service, title=_line(feed.title) or service.title, home=feed.link or service.home)
    return _dated(titled, date or _header_date(capture))


def _sitemap_date(capture: Capture) -> str:
    document = read_sitemap(capture.body.read(), url=capture.final_url)
    return _newest(date_of(read_w3c(text)) for text in set(document.columns.lastmods) if text) or _header_date(capture)


def _newest(dates: Iterable[str]) -> str:
    return max(dates, default="")


def _dated(service: FoundService, date: str) -> FoundService:
    return replace(service, last_change=date or service.last_change)


def _header_date(capture: Capture) -> str:
    timestamp = read_http(capture.headers.get("last-modified"))
    return write_w3c(timestamp) if timestamp is not None else ""


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


def _named(seen_as: Format) -> str:
    return {
        Format.EMPTY: "empty",
        Format.HTML: "an HTML page",
        Format.ROBOTS: "a robots.txt",
        Format.JSON: "JSON of another kind",
        Format.XML: "XML of another kind",
        Format.BINARY: "a binary file",
    }.get(seen_as, "text of another kind")
