"""What the body is, before anything is read of it (SMF109 to SMF115)."""

from itertools import chain

from waypost.check.capture import Capture, ErrorKind
from waypost.check.evidence import Candidate
from waypost.check.rule import Answer, Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.noted import content_type_told
from waypost.formats.document import Document, Kind
from waypost.formats.inflate import GZIP_BROKEN, GZIP_TRAILING, GZIP_TRUNCATED, GZIP_TWICE, Unpacker
from waypost.formats.notes import Notes
from waypost.formats.printable import clipped
from waypost.formats.signature import Format
from waypost.formats.xmlnotes import EMPTY

__all__ = ["RULES"]

_TYPES = frozenset(
    {
        "application/xml",
        "text/xml",
        "text/plain",
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/x-rss+xml",
    }
)
_PACKED_TYPES = frozenset(
    {
        "application/gzip",
        "application/x-gzip",
        "application/octet-stream",
        "application/x-gunzip",
        "binary/octet-stream",
    }
)
_HEAD_BYTES = 60
_PACKED_HEAD_BYTES = 4_096


@rule("SMF109", Step.PARSE, Severity.ERROR)
def empty_body(document: Document) -> str | None:
    """The sitemap's body is empty.

    Why: an empty answer with status 200 tells crawlers nothing, and hides that something broke.

    Fix: Look at what makes the sitemap: a template or a query that came back with nothing.

    Bad:
        GET /sitemap.xml → 200 application/xml

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return "the body is empty" if EMPTY in document.counts else None


@rule("SMF110", Step.FETCH, Severity.WARN, fix=Fix.SAFE)
def wrong_content_type(capture: Capture, document: Document) -> str | None:
    """The sitemap's Content-Type is not XML, text or a feed type.

    Why: most crawlers look at the bytes; some trust the header and drop the file.

    Fix: Send application/xml for XML, text/plain for a list of URLs, application/gzip for a .gz file.

    Bad:
        GET /sitemap.xml → 200 text/html

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    kind = capture.content_type
    if document.kind is Kind.NONE or kind in _TYPES or (document.gzip_layers and kind in _PACKED_TYPES):
        return None
    return content_type_told(capture)


@rule("SMF111", Step.PARSE, Severity.ERROR)
def html_page(document: Document, capture: Capture) -> Answer:
    """An HTML page answers where a sitemap should: an error page with status 200, or an application's shell.

    Why: crawlers find no sitemap there, and the status tells nobody.

    Fix: Answer 404 where there is no sitemap; keep the application's catch-all route away from its path.

    Bad:
        GET /sitemap.xml → 200 text/html

        <!doctype html><html><head><title>My app</title></head><body><div id="root"></div></body></html>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if document.format is not Format.HTML:
        return None
    unpacker = Unpacker(Notes(), _PACKED_HEAD_BYTES)
    plain = b"".join(chain(unpacker.feed(capture.body.head(_PACKED_HEAD_BYTES)), unpacker.close()))
    head = clipped(" ".join(plain[:_HEAD_BYTES].decode("utf-8", "replace").split()), _HEAD_BYTES)
    return Hit(f"{capture.final_url} answers {capture.status} with an HTML page: {head}", line=1)


@rule("SMF112", Step.PARSE, Severity.ERROR, fix=Fix.PROPOSED)
def broken_compression(candidate: Candidate) -> str | None:
    """The compressed data cannot be unpacked to its end.

    Why: crawlers drop the whole file.

    Fix: Compress the file again; look whether an upload or a proxy cuts it.

    Bad:
        GET /sitemap.xml → encoding-broken

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    capture, document = candidate.capture, candidate.document
    if capture is not None and capture.error is not None and capture.error.kind is ErrorKind.ENCODING_BROKEN:
        return capture.error.sentence
    if document is not None and {GZIP_BROKEN, GZIP_TRUNCATED} & set(document.counts):
        return "the gzip data is damaged" if GZIP_BROKEN in document.counts else "the gzip data ends too early"
    return None


@rule("SMF113", Step.FETCH, Severity.INFO, fix=Fix.PROPOSED)
def plain_body_in_gz(capture: Capture, document: Document) -> str | None:
    """The name ends in .gz but the body is not compressed.

    Why: every crawler reads it by its bytes; a person who downloads it is surprised.

    Fix: Compress the file, or drop .gz from its name.

    Bad:
        GET /robots.txt → 200 text/plain

        Sitemap: https://example.com/sitemap.xml.gz

        GET /sitemap.xml.gz → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    named = capture.url.partition("?")[0].endswith(".gz")
    # A server that unpacks its own .gz file in transport serves a compressed body all the same.
    if not named or document.kind is Kind.NONE or document.gzip_layers or capture.coding:
        return None
    return f"{capture.url} is not compressed"


@rule("SMF114", Step.FETCH, Severity.WARN, fix=Fix.PROPOSED)
def bytes_after_gzip(capture: Capture, document: Document) -> str | None:
    """Bytes follow the end of the gzip stream.

    Why: strict readers refuse the file.

    Fix: Compress the file again, and do not pad it.

    Bad:
        GET /sitemap.xml → 200 application/xml
        Body: gzip, then 4 more bytes

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if capture.has_trailing:
        return "bytes follow the compressed body"
    return "bytes follow the end of the gzip stream" if GZIP_TRAILING in document.counts else None


@rule("SMF115", Step.FETCH, Severity.WARN, fix=Fix.PROPOSED)
def compressed_twice(capture: Capture, document: Document) -> str | None:
    """The sitemap is compressed twice: a .gz file that is compressed again in transport, or in itself.

    Why: crawlers unpack the transport's layer and one .gz; not all of them unpack both.

    Fix: Serve .gz files as they are, without Content-Encoding.

    Bad:
        GET /sitemap.xml → 200 application/gzip
        Body: gzip twice

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if GZIP_TWICE in document.counts or (capture.coding and document.gzip_layers):
        return f"{capture.url} is compressed twice"
    return None


RULES: tuple[Rule, ...] = (
    empty_body,
    wrong_content_type,
    html_page,
    broken_compression,
    plain_body_in_gz,
    bytes_after_gzip,
    compressed_twice,
)
