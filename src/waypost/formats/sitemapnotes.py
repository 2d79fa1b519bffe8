"""What the sitemap reader may note, beside what `xmlnotes` and `inflate` list: constants, and rows of `SITEMAP_NOTES`.

What can be read off the columns of a `Document` is not noted: an empty, relative or faulty `loc`, a bad date, a
repeated URL. A note with an entry number is about that entry (from 1, as `Document.entries` counts them); its place is
the element's own.
"""

from waypost.formats.inflate import INFLATE_NOTES
from waypost.formats.xmlnotes import XML_NOTES

__all__ = [
    "CHILD_FOREIGN",
    "CHILD_WRONG",
    "ELEMENT_IN_VALUE",
    "ELEMENT_UNKNOWN",
    "EXTENSION_MISPLACED",
    "EXTENSION_MISSPELT",
    "EXTENSION_UNKNOWN",
    "FIELD_REPEATED",
    "LINE_NO_URL",
    "LOC_MISSING",
    "LOC_PADDED",
    "LOC_REPEATED",
    "NAMESPACE_FOREIGN",
    "NAMESPACE_MISSING",
    "NAMESPACE_NEAR",
    "NOT_A_SITEMAP",
    "OVER_ENTRIES",
    "READING_NOTES",
    "RECORDS_DROPPED",
    "SITEMAP_NOTES",
    "TEXT_OUTSIDE",
]

NOT_A_SITEMAP = "not-a-sitemap"
NAMESPACE_MISSING = "namespace-missing"
NAMESPACE_NEAR = "namespace-near"
NAMESPACE_FOREIGN = "namespace-foreign"
CHILD_WRONG = "child-wrong"
CHILD_FOREIGN = "child-foreign"
ELEMENT_UNKNOWN = "element-unknown"
ELEMENT_IN_VALUE = "element-in-value"
TEXT_OUTSIDE = "text-outside"
LOC_MISSING = "loc-missing"
LOC_REPEATED = "loc-repeated"
LOC_PADDED = "loc-padded"
FIELD_REPEATED = "field-repeated"
OVER_ENTRIES = "over-entries"
LINE_NO_URL = "line-no-url"
EXTENSION_UNKNOWN = "extension-unknown"
EXTENSION_MISSPELT = "extension-misspelt"
EXTENSION_MISPLACED = "extension-misplaced"
RECORDS_DROPPED = "records-dropped"

SITEMAP_NOTES: dict[str, str] = {
    NOT_A_SITEMAP: "no format of a sitemap; the text is what it is, or the name of its root element",
    NAMESPACE_MISSING: "the root element has no namespace",
    NAMESPACE_NEAR: "the root's namespace is a relative of the right one: an old version, https, the schema's address",
    NAMESPACE_FOREIGN: "the root's namespace is none of a sitemap's",
    CHILD_WRONG: "a sitemap element in a urlset, or a url element in a sitemapindex; it is not an entry",
    CHILD_FOREIGN: "an entry in another namespace than its root; it is read as an entry. Once a document",
    ELEMENT_UNKNOWN: "an element of the sitemap namespace that does not exist, or not here; the text is its name",
    ELEMENT_IN_VALUE: "an element inside a loc, lastmod, changefreq or priority; the text is its name",
    TEXT_OUTSIDE: "bare text where only elements belong",
    LOC_MISSING: "a url, sitemap or feed entry without a URL; it is no entry and has no number",
    LOC_REPEATED: "a second loc in one entry; the text is its value, the first one counts",
    LOC_PADDED: "white space around the URL, which was dropped",
    FIELD_REPEATED: "a second lastmod, changefreq or priority in one entry; the text is its name, the first one counts",
    OVER_ENTRIES: "the first entry over the limit of 50,000; Document.entry_count has them all",
    LINE_NO_URL: "a line of a text sitemap that is no absolute http(s) URL; the text is the line",
    EXTENSION_UNKNOWN: "an extension that is not judged; the text is its namespace. Once a namespace",
    EXTENSION_MISSPELT: "nearly the namespace of a known extension; the text is what stands there. Once a namespace",
    EXTENSION_MISPLACED: "an element of a known extension outside its record; the text is its name",
    RECORDS_DROPPED: "more extension records than are kept; from here on they are dropped",
}
"""Every kind of note the sitemap reader makes itself, with its meaning in a line."""

READING_NOTES: dict[str, str] = {**XML_NOTES, **INFLATE_NOTES, **SITEMAP_NOTES}
"""Every kind of note a `Document` may carry."""
