"""The limits of the protocol (SML4xx)."""

from collections.abc import Iterable

from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.formats.document import Document, Kind
from waypost.formats.extensions import Extension
from waypost.formats.robots import Robots
from waypost.limits import SITEMAP_BYTES_MAX, SITEMAP_URLS_MAX

__all__ = ["RULES"]

_NEAR = 0.9
_NEWS_MAX = 1_000
_IMAGES_MAX = 1_000
_CONSOLE_SITEMAPS_MAX = 1_000


@rule("SML401", Step.FIELD_QUALITY, Severity.ERROR, fix=Fix.SAFE)
def too_many_urls(document: Document) -> str | None:
    """The sitemap lists more than 50,000 URLs.

    Why: crawlers refuse the whole file, or read the first 50,000 and drop the rest.

    Fix: Split it into parts of at most 50,000 URLs, and list the parts in a sitemap index.

    Bad:
        <url><loc>https://example.com/{n}</loc></url> × 50001

    Good:
        <url><loc>https://example.com/{n}</loc></url> × 3
    """
    if document.kind in {Kind.INDEX, Kind.NONE} or document.entry_count <= SITEMAP_URLS_MAX:
        return None
    return f"{document.entry_count:,} URLs, the limit is {SITEMAP_URLS_MAX:,}"


@rule("SML402", Step.FIELD_QUALITY, Severity.ERROR, fix=Fix.SAFE)
def too_many_children(document: Document) -> str | None:
    """The sitemap index lists more than 50,000 sitemaps.

    Why: crawlers refuse the whole file, or read the first 50,000 and drop the rest.

    Fix: Split it into several indexes, and name each of them in robots.txt.

    Bad:
        <sitemap><loc>https://example.com/{n}.xml</loc></sitemap> × 50001

    Good:
        <sitemap><loc>https://example.com/{n}.xml</loc></sitemap> × 3
    """
    if document.kind is not Kind.INDEX or document.entry_count <= SITEMAP_URLS_MAX:
        return None
    return f"{document.entry_count:,} sitemaps, the limit is {SITEMAP_URLS_MAX:,}"


@rule("SML403", Step.FIELD_QUALITY, Severity.ERROR, fix=Fix.SAFE)
def too_many_bytes(document: Document) -> str | None:
    """The sitemap has more than 50 MB (52,428,800 bytes) when it is unpacked.

    Why: crawlers refuse it, compressed or not.

    Fix: Split it into parts, and list them in a sitemap index.

    Bad:
        <url><loc>https://example.com/{n}</loc><!--{filler}--></url> × 55

    Good:
        <url><loc>https://example.com/{n}</loc></url> × 3
    """
    if document.bytes <= SITEMAP_BYTES_MAX:
        return None
    return f"over {SITEMAP_BYTES_MAX:,} bytes unpacked, which is the limit; what lies behind it was not read"


@rule("SML404", Step.FIELD_QUALITY, Severity.INFO, fix=Fix.PROPOSED)
def near_a_limit(document: Document) -> str | None:
    """The sitemap is above nine tenths of a limit.

    Why: one more busy month, and crawlers refuse the whole file.

    Fix: Split it before it grows over the limit.

    Bad:
        <url><loc>https://example.com/{n}</loc></url> × 46000

    Good:
        <url><loc>https://example.com/{n}</loc></url> × 3
    """
    if _NEAR * SITEMAP_URLS_MAX < document.entry_count <= SITEMAP_URLS_MAX:
        return f"{document.entry_count:,} of {SITEMAP_URLS_MAX:,} entries"
    if _NEAR * SITEMAP_BYTES_MAX < document.bytes <= SITEMAP_BYTES_MAX:
        return f"{document.bytes:,} of {SITEMAP_BYTES_MAX:,} bytes"
    return None


@rule("SML405", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.SAFE)
def too_many_news(document: Document) -> str | None:
    """The file has more than 1,000 news entries.

    Why: news crawlers read 1,000 of a file.

    Fix: Split the news into parts, and keep only the last two days in them.

    Bad:
        <url><loc>https://example.com/{n}</loc><news:news><news:title>T</news:title></news:news></url> × 1001

    Good:
        <url><loc>https://example.com/{n}</loc><news:news><news:title>T</news:title></news:news></url> × 3
    """
    news = sum(any(one.extension is Extension.NEWS for one in records) for records in document.records.values())
    return f"{news:,} news entries, crawlers read {_NEWS_MAX:,}" if news > _NEWS_MAX else None


@rule("SML406", Step.FIELD_QUALITY, Severity.WARN)
def too_many_images(document: Document) -> Iterable[Hit]:
    """An entry has more than 1,000 images.

    Why: crawlers read 1,000 of one page.

    Fix: List the images that matter.

    Bad:
        <url><loc>https://example.com/a</loc>{1001 images}</url>

    Good:
        <url><loc>https://example.com/a</loc>{3 images}</url>
    """
    for number, records in document.records.items():
        images = sum(one.extension is Extension.IMAGE for one in records)
        if images > _IMAGES_MAX:
            line, column = document.place(number)
            yield Hit(f"{images:,} images, crawlers read {_IMAGES_MAX:,}", line, column, number + 1)


@rule("SML407", Step.DISCOVER, Severity.INFO, fix=Fix.PROPOSED)
def more_sitemaps_than_consoles_show(robots: Robots) -> str | None:
    """The robots.txt names more than 1,000 sitemaps.

    Why: search consoles show reports for 1,000 of a site.

    Fix: List the sitemaps in an index, and name the index.

    Bad:
        Sitemap: https://example.com/{n}.xml × 1001

    Good:
        Sitemap: https://example.com/sitemap.xml
    """
    named = len(robots.sitemaps)
    return (
        f"{named:,} Sitemap lines, consoles show {_CONSOLE_SITEMAPS_MAX:,}" if named > _CONSOLE_SITEMAPS_MAX else None
    )


RULES: tuple[Rule, ...] = (
    too_many_urls,
    too_many_children,
    too_many_bytes,
    near_a_limit,
    too_many_news,
    too_many_images,
    more_sitemaps_than_consoles_show,
)
