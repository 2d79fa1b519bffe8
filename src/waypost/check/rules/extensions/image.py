"""Image records, and extensions that are not judged (SMX601 to SMX603, SMX671)."""

from collections.abc import Iterable

from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.extensions.records import having, missing, not_absolute, of_kind
from waypost.check.rules.noted import noted
from waypost.formats.document import Document, Entry
from waypost.formats.extensions import Extension
from waypost.formats.sitemapnotes import EXTENSION_MISSPELT, EXTENSION_UNKNOWN

__all__ = ["RULES"]

_RETIRED = ("caption", "title", "geo_location", "license")
_images = having(Extension.IMAGE)


@rule("SMX601", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_images)
def image_without_loc(entry: Entry) -> Iterable[Hit]:
    """An image record has no image:loc.

    Why: the image's URL is all that the record says; without it there is no image.

    Fix: Write <image:loc>https://example.com/photo.jpg</image:loc> in the record.

    Bad:
        <url><loc>https://example.com/a</loc><image:image></image:image></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <image:image><image:loc>https://example.com/a.jpg</image:loc></image:image></url>
    """
    return missing(entry, Extension.IMAGE, "loc")


@rule("SMX602", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_images)
def image_not_absolute(entry: Entry) -> Iterable[Hit]:
    """An image:loc is no absolute http(s) URL.

    Why: crawlers do not resolve it against the page.

    Fix: Write the whole URL of the image.

    Bad:
        <url><loc>https://example.com/a</loc>
        <image:image><image:loc>/a.jpg</image:loc></image:image></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <image:image><image:loc>https://cdn.example.net/a.jpg</image:loc></image:image></url>
    """
    return not_absolute(entry, Extension.IMAGE, ("loc",))


@rule("SMX603", Step.FIELD_QUALITY, Severity.INFO, column=_images)
def retired_image_tag(entry: Entry) -> Iterable[Hit]:
    """An image record has a tag that is no longer read: caption, title, geo_location or license.

    Why: search engines stopped reading them in 2022.

    Fix: Take the tag out; structured data in the page says the same.

    Bad:
        <url><loc>https://example.com/a</loc><image:image>
        <image:loc>https://example.com/a.jpg</image:loc><image:caption>A</image:caption></image:image></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <image:image><image:loc>https://example.com/a.jpg</image:loc></image:image></url>
    """
    for record in of_kind(entry, Extension.IMAGE):
        for part in record.parts:
            if part.name in _RETIRED:
                yield Hit(f"image:{part.name} is no longer read", part.line, part.column)


@rule("SMX671", Step.FIELD_QUALITY, Severity.INFO)
def custom_namespace(document: Document) -> Iterable[Hit]:
    """The sitemap has an extension that is not judged here; where its namespace is nearly a known one, it is misspelt.

    Why: an unknown extension does no harm. A misspelt one is lost: a namespace is compared letter by letter.

    Fix: Correct the namespace, where one of the known extensions was meant.

    Bad:
        <url><loc>https://example.com/a</loc><m:mark xmlns:m="urn:mine"/></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    yield from noted(document, EXTENSION_UNKNOWN, "{} is not judged")
    yield from noted(document, EXTENSION_MISSPELT, "{} is nearly a known extension, but is not", Severity.WARN)


RULES: tuple[Rule, ...] = (image_without_loc, image_not_absolute, retired_image_tag, custom_namespace)
