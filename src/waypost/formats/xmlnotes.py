"""What the XML reader may note about any document. Each kind is a constant here, and a row of `XML_NOTES`.

A document that was not read to its end (`complete` is false) carries one note of a kind in `XML_FATAL` that says why,
or passed a limit: `OVER_BYTES`, `TOO_DEEP`, `TOO_MANY_NAMES`.
"""

__all__ = [
    "BARE_AMPERSAND",
    "BYTE_ORDER_MARK",
    "CONTROL_CHARACTER",
    "DOCTYPE",
    "DOCTYPE_TOO_LONG",
    "EMPTY",
    "ENCODING_CONTRADICTED",
    "ENCODING_UNSUPPORTED",
    "ENTITY_DECLARED",
    "INVALID_BYTES",
    "JUNK_AFTER_ROOT",
    "NOT_UTF_8",
    "NOT_WELL_FORMED",
    "OVER_BYTES",
    "TEXT_BEFORE_DECLARATION",
    "TOO_DEEP",
    "TOO_MANY_NAMES",
    "TRUNCATED",
    "UNDECLARED_PREFIX",
    "UNDEFINED_ENTITY",
    "VALUE_TOO_LONG",
    "XML_FATAL",
    "XML_NOTES",
]

EMPTY = "empty"
NOT_WELL_FORMED = "not-well-formed"
BARE_AMPERSAND = "bare-ampersand"
CONTROL_CHARACTER = "control-character"
UNDECLARED_PREFIX = "undeclared-prefix"
UNDEFINED_ENTITY = "undefined-entity"
INVALID_BYTES = "invalid-bytes"
JUNK_AFTER_ROOT = "junk-after-root"
TEXT_BEFORE_DECLARATION = "text-before-declaration"
TRUNCATED = "truncated"
ENTITY_DECLARED = "entity-declared"
DOCTYPE_TOO_LONG = "doctype-too-long"
ENCODING_UNSUPPORTED = "encoding-unsupported"
TOO_DEEP = "too-deep"
TOO_MANY_NAMES = "too-many-names"
OVER_BYTES = "over-bytes"
DOCTYPE = "doctype"
BYTE_ORDER_MARK = "byte-order-mark"
NOT_UTF_8 = "not-utf-8"
ENCODING_CONTRADICTED = "encoding-contradicted"
VALUE_TOO_LONG = "value-too-long"

XML_FATAL = frozenset(
    {
        EMPTY,
        NOT_WELL_FORMED,
        BARE_AMPERSAND,
        CONTROL_CHARACTER,
        UNDECLARED_PREFIX,
        UNDEFINED_ENTITY,
        INVALID_BYTES,
        JUNK_AFTER_ROOT,
        TEXT_BEFORE_DECLARATION,
        TRUNCATED,
        ENTITY_DECLARED,
        DOCTYPE_TOO_LONG,
        ENCODING_UNSUPPORTED,
    }
)
"""Kinds that end the reading. `TOO_DEEP` and `TOO_MANY_NAMES` end it only at their second, far higher limit."""

XML_NOTES: dict[str, str] = {
    EMPTY: "there is nothing, or nothing but white space",
    NOT_WELL_FORMED: "the XML is broken here; the text is the parser's reason and the place",
    BARE_AMPERSAND: "broken by an ampersand that is not written &amp;",
    CONTROL_CHARACTER: "broken by a NUL, a control character, or a reference to a character XML does not allow",
    UNDECLARED_PREFIX: "broken by a namespace prefix that nothing declares",
    UNDEFINED_ENTITY: "broken by an entity that nothing defines, &nbsp; say",
    INVALID_BYTES: "broken by bytes that are no text in the document's encoding",
    JUNK_AFTER_ROOT: "something follows the end of the root element",
    TEXT_BEFORE_DECLARATION: "white space or text stands before the XML declaration",
    TRUNCATED: "the document ends before its root element does",
    ENTITY_DECLARED: "the document declares an entity; reading ended there, nothing was expanded",
    DOCTYPE_TOO_LONG: "the document type declaration does not end within the first MiB; reading ended there",
    ENCODING_UNSUPPORTED: "none of UTF-8, UTF-16, ISO-8859-1, Windows-1252, or a declaration that cannot be true",
    TOO_DEEP: "elements are nested deeper than is kept",
    TOO_MANY_NAMES: "more distinct names than are kept: extension records end here",
    OVER_BYTES: "the document is larger than the limit; what lies behind it was not read",
    DOCTYPE: "a document type declaration, ignored",
    BYTE_ORDER_MARK: "the document starts with a byte-order mark",
    NOT_UTF_8: "readable, but not UTF-8; the text is the encoding",
    ENCODING_CONTRADICTED: "the declared encoding is not the one of the byte-order mark, which was believed",
    VALUE_TOO_LONG: "a value is longer than is kept; its end was dropped",
}
"""Every kind of note the XML reader makes, with its meaning in a line."""
