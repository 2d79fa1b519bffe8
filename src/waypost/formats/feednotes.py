"""What the readers of feeds may note. Each kind is a constant here, and a row of `FEED_NOTES`.

A note's entry counts from 1 in the order of the document; 0 is the feed itself. What is wrong with the XML as such is
among the kinds of `xmlnotes`.
"""

from waypost.formats.xmltree import TOO_MANY_ELEMENTS, TOO_MANY_PIECES

__all__ = ["FEED_NOTES"]

ROOT_UNKNOWN = "root-unknown"
VERSION_OLD = "version-old"
VERSION_UNKNOWN = "version-unknown"
NAMESPACE_UNUSUAL = "namespace-unusual"
FIELD_MISSING = "field-missing"
FIELD_REPEATED = "field-repeated"
ENTRY_FIELD_MISSING = "entry-field-missing"
ENTRY_EMPTY = "entry-empty"
ENTRY_OUTSIDE = "entry-outside"
ID_REPEATED = "id-repeated"
GUID_MISSING = "guid-missing"
GUID_NO_URL = "guid-no-url"
LINK_MISSING = "link-missing"
LINK_RELATIVE = "link-relative"
LINK_REPEATED = "link-repeated"
LINK_WITHOUT_HREF = "link-without-href"
SELF_LINK_MISSING = "self-link-missing"
HUB_WITHOUT_SELF = "hub-without-self"
DATE_INVALID = "date-invalid"
DATE_TOLERATED = "date-tolerated"
ENCLOSURE_INCOMPLETE = "enclosure-incomplete"
CONTENT_RELATIVE = "content-relative"
CONTENT_ACTIVE = "content-active"
CONTENT_DROPPED = "content-dropped"
BASE_USED = "base-used"
TOO_MANY_ENTRIES = "too-many-entries"
TOO_MANY_PARTS = "too-many-parts"
JSON_BROKEN = "json-broken"
JSON_TOO_LARGE = "json-too-large"
JSON_TYPE = "json-type"

FEED_NOTES: dict[str, str] = {
    ROOT_UNKNOWN: "the root element, or the JSON, is of no feed format",
    VERSION_OLD: "RSS before 2.0, or Atom 0.3; the text is the version or its namespace",
    VERSION_UNKNOWN: "a version this format does not have, or none",
    NAMESPACE_UNUSUAL: "the root has a namespace its format does not use, or lacks the one it has",
    FIELD_MISSING: "the feed lacks what its format requires, or it is empty; the text is the name",
    FIELD_REPEATED: "something that stands once stands more often; the first counts",
    ENTRY_FIELD_MISSING: "an entry lacks what its format requires, or it is empty; the text is the name",
    ENTRY_EMPTY: "an RSS item has neither title nor description",
    ENTRY_OUTSIDE: "an RSS 2 item stands outside the channel; it was read",
    ID_REPEATED: "an entry has the id of an earlier one",
    GUID_MISSING: "an RSS item has no guid",
    GUID_NO_URL: "a guid is no URL but does not say isPermaLink=false",
    LINK_MISSING: "an entry leads to no page",
    LINK_RELATIVE: "a link is no absolute http(s) URL, after xml:base where there is one",
    LINK_REPEATED: "a second alternate link of the same type and language",
    LINK_WITHOUT_HREF: "a link says no address",
    SELF_LINK_MISSING: "the feed does not say its own URL",
    HUB_WITHOUT_SELF: "a WebSub hub is named, but not the URL to subscribe to",
    DATE_INVALID: "a date is none; the text is the field, the date and why",
    DATE_TOLERATED: "a date is understood though it is not as its format wants it; the text says why",
    ENCLOSURE_INCOMPLETE: "an enclosure lacks url, length or type, or its length is no number",
    CONTENT_RELATIVE: "a reference inside content needs a base nobody may know",
    CONTENT_ACTIVE: "content holds what a reader must take out: a script, a style, an event attribute",
    CONTENT_DROPPED: "there is more content than is kept; from here on it was dropped",
    BASE_USED: "xml:base resolves relative links here; many readers ignore it",
    TOO_MANY_ENTRIES: "more entries than are kept; the rest were counted only",
    TOO_MANY_PARTS: "more links, authors, categories or enclosures than are kept of one entry",
    TOO_MANY_ELEMENTS: "more elements than are read; reading ended there",
    TOO_MANY_PIECES: "more elements inside one entry than are kept",
    JSON_BROKEN: "the JSON is broken here; the text is the reason",
    JSON_TOO_LARGE: "the JSON holds more values than are read",
    JSON_TYPE: "a value has another type than the format says; it was not used",
}
"""Every kind of note a feed reader makes, with its meaning in a line."""
