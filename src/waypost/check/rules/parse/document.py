"""Whether the document is a sitemap (SMP207 to SMP211, SMP223 to SMP230)."""

from collections.abc import Iterable

from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.noted import noted
from waypost.formats.document import Document, Kind
from waypost.formats.inflate import GZIP_BROKEN, GZIP_TRUNCATED
from waypost.formats.printable import clipped
from waypost.formats.signature import Format
from waypost.formats.sitemapnotes import (
    CHILD_FOREIGN,
    CHILD_WRONG,
    ELEMENT_IN_VALUE,
    ELEMENT_UNKNOWN,
    EXTENSION_MISPLACED,
    LINE_NO_URL,
    LOC_MISSING,
    NAMESPACE_FOREIGN,
    NAMESPACE_MISSING,
    NAMESPACE_NEAR,
    NOT_A_SITEMAP,
    TEXT_OUTSIDE,
)
from waypost.formats.xmlnotes import XML_FATAL
from waypost.urls import is_absolute, normalise

__all__ = ["RULES"]

_TEXT_CHARS = 120
_FORMATS = frozenset(known.value for known in Format)
_FEEDS = frozenset({Kind.RSS, Kind.ATOM})
_BROKEN = XML_FATAL | {GZIP_BROKEN, GZIP_TRUNCATED}


def _is_broken(document: Document) -> bool:
    return not _BROKEN.isdisjoint(document.counts)


@rule("SMP207", Step.PARSE, Severity.ERROR)
def no_sitemap_format(document: Document) -> Iterable[Hit]:
    """The body is no sitemap: its root is none of urlset, sitemapindex, rss, feed and RDF, and it is no list of URLs.

    Why: HTML, JSON, Markdown, CSV and other XML are read by no crawler as a sitemap.

    Fix: Serve XML with a urlset or sitemapindex root, a feed, or plain text with one URL a line.

    Bad:
        <opml version="2.0"><body><outline xmlUrl="https://example.com/f"/></body></opml>

    Bad:
        - https://example.com/a
        - https://example.com/b

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if document.format is Format.HTML or _is_broken(document) or document.kind is not Kind.NONE:
        return
    is_named = any(note.kind == NOT_A_SITEMAP and note.text.partition(",")[0] in _FORMATS for note in document.notes)
    yield from noted(document, NOT_A_SITEMAP, f"this is no sitemap: {'' if is_named else 'its root element is '}{{}}")
    if NOT_A_SITEMAP not in document.counts:
        yield Hit("this is no sitemap")


@rule("SMP208", Step.PARSE, Severity.WARN, fix=Fix.SAFE)
def wrong_namespace(document: Document) -> Iterable[Hit]:
    """The root's namespace is missing, is none of a sitemap's, or is not that of the entries.

    Why: the namespace says what urlset means; without it crawlers guess, with another one it is another vocabulary.

    Fix: Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" on the root element.

    Bad:
        <urlset><url><loc>https://example.com/a</loc></url></urlset>

    Bad:
        <urlset xmlns="urn:mine"><url><loc>https://example.com/a</loc></url></urlset>

    Bad:
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url xmlns=""><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if NAMESPACE_FOREIGN in document.counts:
        yield from noted(document, NAMESPACE_FOREIGN, "the namespace {} is none of a sitemap's", Severity.ERROR)
        return
    yield from noted(document, NAMESPACE_MISSING, "the root element has no namespace")
    yield from noted(document, CHILD_FOREIGN, "<{}> is not in the namespace of the root")


@rule("SMP209", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.SAFE)
def near_namespace(document: Document) -> Iterable[Hit]:
    """The root's namespace is a relative of the right one: spelled with https, an old version, or the schema's address.

    Why: a namespace is compared letter by letter; strict readers refuse the file.

    Fix: Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9", with http and without a file name.

    Bad:
        <urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return noted(document, NAMESPACE_NEAR, "the namespace is {}")


@rule("SMP211", Step.PARSE, Severity.ERROR)
def no_entries(document: Document) -> str | None:
    """The sitemap has no entries at all.

    Why: an empty sitemap says that there is nothing to crawl; search consoles call it an error.

    Fix: List at least the home page, or serve no sitemap.

    Bad:
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>

    Good:
        <url><loc>https://example.com/</loc></url>
    """
    if document.kind in _FEEDS or document.kind is Kind.NONE or document.entry_count or _is_broken(document):
        return None
    if {LOC_MISSING, CHILD_WRONG, LINE_NO_URL} & set(document.counts):
        return None
    return "there is no entry"


@rule("SMP223", Step.PARSE, Severity.WARN)
def unknown_element(document: Document) -> Iterable[Hit]:
    """An element of the sitemap's or an extension's namespace is not known there.

    Why: search consoles call it an invalid tag; crawlers skip it.

    Fix: Take the element out, or give it a namespace of its own.

    Bad:
        <url><loc>https://example.com/a</loc><author>me</author></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    yield from noted(document, ELEMENT_UNKNOWN, "<{}> is not known here")
    yield from noted(document, EXTENSION_MISPLACED, "<{}> of an extension stands outside its record")


@rule("SMP224", Step.PARSE, Severity.ERROR, fix=Fix.SAFE)
def wrong_children(document: Document) -> Iterable[Hit]:
    """A urlset has sitemap elements, or a sitemapindex has url elements.

    Why: crawlers look for url in a urlset and for sitemap in an index, and find nothing here.

    Fix: Name the root after its children: sitemapindex for sitemap elements, urlset for url elements.

    Bad:
        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></sitemapindex>

    Good:
        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>
    """
    return noted(document, CHILD_WRONG, f"<{{}}> in a {document.format.value}")


@rule("SMP226", Step.PARSE, Severity.ERROR, fix=Fix.PROPOSED)
def index_lists_itself(document: Document) -> Iterable[Hit]:
    """The sitemap index lists itself.

    Why: an index may list sitemaps only; one that lists itself has no end.

    Fix: Take the entry out.

    Bad:
        <sitemap><loc>https://example.com/sitemap.xml</loc></sitemap>
        <sitemap><loc>https://example.com/a.xml</loc></sitemap>

    Good:
        <sitemap><loc>https://example.com/a.xml</loc></sitemap>
    """
    if document.kind is not Kind.INDEX or not document.url:
        return
    own = normalise(document.url)
    tail = document.url.rpartition("/")[2]
    for number, loc in enumerate(document.locs):
        if tail in loc and normalise(loc) == own:
            line, column = document.place(number)
            yield Hit("the index lists itself", line, column, number + 1)


@rule("SMP227", Step.PARSE, Severity.ERROR, fix=Fix.PROPOSED)
def line_without_url(document: Document) -> Iterable[Hit]:
    """A line of a text sitemap is no URL.

    Why: a text sitemap is one absolute URL a line, and nothing else: no headings, no comments.

    Fix: Take the line out, or write the whole URL.

    Bad:
        https://example.com/a
        # more pages
        https://example.com/b

    Good:
        https://example.com/a
        https://example.com/b
    """
    return noted(document, LINE_NO_URL, "“{}” is no URL")


@rule("SMP228", Step.PARSE, Severity.ERROR)
def feed_without_links(document: Document) -> str | None:
    """The feed that serves as a sitemap has no item links.

    Why: the pages a feed names are its items' links; the channel's own link is none of them.

    Fix: Give every item a link, or serve a urlset.

    Bad:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link></channel></rss>

    Good:
        <rss version="2.0"><channel><title>t</title><link>https://example.com/</link>
        <item><link>https://example.com/a</link></item></channel></rss>
    """
    if document.kind not in _FEEDS or document.entry_count or _is_broken(document):
        return None
    return "no item has a link"


@rule("SMP229", Step.PARSE, Severity.WARN)
def odd_schema_location(document: Document) -> str | None:
    """The root's schemaLocation is no list of pairs.

    Why: it pairs a namespace with the address of its schema; validators stop at anything else.

    Fix: Write the namespace and the schema's address with a blank between, or take the attribute out.

    Bad:
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    words = document.schema_location.split()
    return f"schemaLocation has {len(words)} words" if len(words) % 2 else None


@rule("SMP230", Step.PARSE, Severity.WARN)
def stray_content(document: Document) -> Iterable[Hit]:
    """Text stands where only elements belong, or an element stands inside a value.

    Why: crawlers skip it; it is often a template that was never filled in.

    Fix: Put every URL in a loc, and nothing but text in a value.

    Bad:
        <url><loc>https://example.com/a</loc>news</url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    # A URL that lost its loc is an entry without loc already.
    lost = LOC_MISSING in document.counts
    for note in document.notes:
        if note.kind == TEXT_OUTSIDE and not (lost and is_absolute(note.text.strip())):
            yield Hit(f"bare text: {clipped(note.text, _TEXT_CHARS)}", note.line, note.column, note.entry)
    yield from noted(document, ELEMENT_IN_VALUE, "<{}> inside a value")


RULES: tuple[Rule, ...] = (
    no_sitemap_format,
    wrong_namespace,
    near_namespace,
    no_entries,
    unknown_element,
    wrong_children,
    index_lists_itself,
    line_without_url,
    feed_without_links,
    odd_schema_location,
    stray_content,
)
