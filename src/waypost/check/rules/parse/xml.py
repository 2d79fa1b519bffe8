"""Whether the XML can be read (SMP201 to SMP206, SMP210, SMP231, SMP232)."""

import re
from collections.abc import Iterable, Iterator

from waypost.check.capture import Capture
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.noted import charset_contradiction, noted
from waypost.formats.document import Document
from waypost.formats.inflate import GZIP_BROKEN, GZIP_TRUNCATED
from waypost.formats.printable import clipped
from waypost.formats.signature import Format
from waypost.formats.xmlnotes import (
    BARE_AMPERSAND,
    CONTROL_CHARACTER,
    DOCTYPE,
    ENCODING_CONTRADICTED,
    ENCODING_UNSUPPORTED,
    ENTITY_DECLARED,
    INVALID_BYTES,
    JUNK_AFTER_ROOT,
    NOT_UTF_8,
    NOT_WELL_FORMED,
    TEXT_BEFORE_DECLARATION,
    TOO_DEEP,
    TOO_MANY_NAMES,
    TRUNCATED,
    UNDECLARED_PREFIX,
    UNDEFINED_ENTITY,
)
from waypost.urls import absolute, same_host

__all__ = ["RULES"]

_BROKEN = (NOT_WELL_FORMED, UNDEFINED_ENTITY, INVALID_BYTES, JUNK_AFTER_ROOT, TRUNCATED, ENCODING_UNSUPPORTED)
_HREF = re.compile(r"""href\s*=\s*["']([^"']*)""")


def _told(document: Document, kinds: str | tuple[str, ...], sentence: str = "{}") -> Iterator[Hit]:
    """Notes about broken XML, where the body is meant to be XML: an HTML page is another rule's."""
    if document.format is not Format.HTML:
        yield from noted(document, kinds, sentence)


@rule("SMP201", Step.PARSE, Severity.ERROR, fix=Fix.PROPOSED)
def not_well_formed(document: Document) -> Iterable[Hit]:
    """The XML is not well-formed.

    Why: crawlers drop a broken file, whole or from the break on.

    Fix: Write the file with an XML writer; the place is where the reader could not go on.

    Bad:
        <url><loc>https://example.com/a</url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if {GZIP_BROKEN, GZIP_TRUNCATED} & set(document.counts):
        return
    yield from _told(document, _BROKEN)
    if not document.complete:
        yield from _told(document, (TOO_DEEP, TOO_MANY_NAMES))


@rule("SMP202", Step.PARSE, Severity.ERROR, fix=Fix.SAFE)
def control_character(document: Document) -> Iterable[Hit]:
    """A NUL or control character, or a reference to one, stands in the XML.

    Why: XML has no such characters in any form, so the file is broken there.

    Fix: Take the character out where the text comes from.

    Bad:
        <url><loc>https://example.com/a&#11;b</loc></url>

    Good:
        <url><loc>https://example.com/ab</loc></url>
    """
    return _told(document, CONTROL_CHARACTER)


@rule("SMP203", Step.PARSE, Severity.ERROR, fix=Fix.SAFE)
def bare_ampersand(document: Document) -> Iterable[Hit]:
    """An ampersand is not written &amp;amp;.

    Why: the XML is broken there, and crawlers drop the file.

    Fix: Write &amp; for every & in a URL.

    Bad:
        <url><loc>https://example.com/?a=1&b=2</loc></url>

    Good:
        <url><loc>https://example.com/?a=1&amp;b=2</loc></url>
    """
    return _told(document, BARE_AMPERSAND)


@rule("SMP204", Step.PARSE, Severity.ERROR, fix=Fix.SAFE)
def text_before_declaration(document: Document) -> Iterable[Hit]:
    """White space or text stands before the XML declaration.

    Why: the declaration must be the very first bytes, else the file is not XML.

    Fix: Look for a blank line or a message printed before the template; begin the file with <?xml.

    Bad:
        GET /sitemap.xml → 200 application/xml
        Body: blank line first

        <?xml version="1.0"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <?xml version="1.0"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    return _told(document, TEXT_BEFORE_DECLARATION)


@rule("SMP205", Step.PARSE, Severity.WARN, fix=Fix.SAFE)
def not_utf_8(document: Document) -> Iterable[Hit]:
    """The sitemap is not UTF-8.

    Why: the protocol asks for UTF-8; another encoding is read by few crawlers.

    Fix: Write the file in UTF-8 and say so, or say nothing, in its declaration.

    Bad:
        <?xml version="1.0" encoding="ISO-8859-1"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return noted(document, NOT_UTF_8, "the encoding is {}")


@rule("SMP206", Step.PARSE, Severity.WARN, fix=Fix.SAFE)
def encoding_contradicted(document: Document, capture: Capture) -> Iterable[Hit]:
    """The charset of the Content-Type, or the declaration, contradicts the encoding of the bytes.

    Why: by the standards the header wins, so strict readers misread every letter that is not ASCII.

    Fix: Send charset=utf-8, or no charset at all.

    Bad:
        GET /sitemap.xml → 200 application/xml; charset=koi8-r

        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if told := charset_contradiction(capture, document.encoding):
        yield Hit(told)
    yield from noted(document, ENCODING_CONTRADICTED)


@rule("SMP210", Step.PARSE, Severity.WARN)
def document_type(document: Document) -> Iterable[Hit]:
    """The XML has a document type declaration, or declares an entity.

    Why: a sitemap needs neither; an entity is refused by every careful reader, because it can be made to explode.

    Fix: Take the DOCTYPE out, and write characters instead of entities.

    Bad:
        <?xml version="1.0"?>
        <!DOCTYPE urlset [<!ENTITY site "https://example.com">]>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>&site;/a</loc></url></urlset>

    Bad:
        <?xml version="1.0"?>
        <!DOCTYPE urlset>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if ENTITY_DECLARED in document.counts:
        return noted(document, ENTITY_DECLARED, severity=Severity.ERROR)
    return _told(document, DOCTYPE, "there is a document type declaration")


@rule("SMP231", Step.PARSE, Severity.ERROR, fix=Fix.SAFE)
def undeclared_prefix(document: Document) -> Iterable[Hit]:
    """A namespace prefix is used that nothing declares.

    Why: the XML is broken there, and crawlers drop the file.

    Fix: Declare the prefix on the root: xmlns:image="http://www.google.com/schemas/sitemap-image/1.1", say.

    Bad:
        <?xml version="1.0"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc><image:image/></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return _told(document, UNDECLARED_PREFIX)


@rule("SMP232", Step.PARSE, Severity.INFO, fix=Fix.PROPOSED)
def foreign_stylesheet(document: Document) -> str | None:
    """The XML names a stylesheet on another host.

    Why: browsers refuse such a stylesheet, so people see bare XML; crawlers do not care.

    Fix: Serve the stylesheet from the host of the sitemap.

    Bad:
        <?xml version="1.0"?>
        <?xml-stylesheet type="text/xsl" href="https://cdn.example.net/s.xsl"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <?xml version="1.0"?>
        <?xml-stylesheet type="text/xsl" href="/s.xsl"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    href = _HREF.search(document.xml.stylesheet if document.xml else "")
    url = absolute(document.url or "", href[1]) if href else None
    if url is None or same_host(url, document.url or ""):
        return None
    return f"the stylesheet is {clipped(url, 120)}"


RULES: tuple[Rule, ...] = (
    not_well_formed,
    control_character,
    bare_ampersand,
    text_before_declaration,
    not_utf_8,
    encoding_contradicted,
    document_type,
    undeclared_prefix,
    foreign_stylesheet,
)
