"""Which format is this? Told from the first 64 KiB, whatever the file's name and the server's label say."""

import re
from enum import StrEnum

from waypost.formats.inflate import Unpacker
from waypost.formats.notes import Notes
from waypost.formats.xmlencoding import decide_encoding
from waypost.limits import PROLOG_BYTES_MAX
from waypost.urls import is_absolute

__all__ = ["Format", "is_table", "look", "sniff"]


class Format(StrEnum):
    """What a crawler may find under an address."""

    EMPTY = "empty"
    URLSET = "urlset"
    INDEX = "sitemapindex"
    TEXT = "text"
    """A list of URLs, one a line."""
    RSS = "rss"
    ATOM = "atom"
    RDF = "rdf"
    """RSS 0.9 and 1.0."""
    OPML = "opml"
    XMLMAP = "xmlmap"
    JSONFEED = "jsonfeed"
    ROBOTS = "robots"
    HTML = "html"
    JSON = "json"
    MARKDOWN = "markdown"
    CSV = "csv"
    XML = "xml"
    """XML of another vocabulary, or one whose root does not show."""
    PROSE = "prose"
    """Text of another kind."""
    BINARY = "binary"


_ROOTS = {
    "urlset": Format.URLSET,
    "sitemapindex": Format.INDEX,
    "rss": Format.RSS,
    "feed": Format.ATOM,
    "RDF": Format.RDF,
    "opml": Format.OPML,
    "xmlmap": Format.XMLMAP,
}
_BLANKS = " \t\r\n\ufeff"
_PROLOG = re.compile(
    r"(?:\s++|<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*+)?>)*+", re.DOTALL | re.IGNORECASE | re.ASCII
)
_TAG = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")
_LATE_XML = re.compile(r"<\?xml\s|<(?:\w+:)?(?:urlset|sitemapindex|rss|feed|RDF|opml|xmlmap)[\s>]")
_LATE_ROOT = re.compile(r"<(?:\w+:)?(urlset|sitemapindex)[\s>]")
_HTML_PAGE = re.compile(r"<!doctype\s+html\b|<html\b", re.IGNORECASE | re.ASCII)
_HTML = re.compile(
    r"<(?:head|body|script|style|title|meta|link|div|span|p|a|b|br|hr|h\d|center|table)\b", re.IGNORECASE | re.ASCII
)
_ROBOTS = re.compile(r"(?:user-?agent|(?:dis)?allow|sitemap|crawl-delay|host)\s*:", re.IGNORECASE | re.ASCII)
_AGENT = re.compile(r"user-?agent\s*:", re.IGNORECASE | re.ASCII)
_DATE_CELL = re.compile(r'\s*"?(?:\d{4}-\d\d(?:-\d\d.*)?)?"?\s*')
_MARKDOWN = re.compile(r"#{1,6}\s|[-*+]\s|>\s|\d+\.\s|.*\]\(|```")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_LINES_LOOKED_AT = 50


def sniff(data: bytes) -> Format:
    """The format of these bytes, or of what is packed in them.

    >>> sniff(b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>")
    <Format.URLSET: 'urlset'>
    """
    return look(_unpacked_head(data))


def look(head: bytes) -> Format:
    """The format of a document that starts like this and is not packed."""
    text = _text(head).lstrip(_BLANKS)
    if not text:
        return Format.EMPTY
    if text.startswith("<"):
        return _markup(text)
    if late := _LATE_XML.search(text):
        return _markup(text[late.start() :])
    if _CONTROL.search(text):
        return Format.BINARY
    if text[0] in "{[":
        return Format.JSONFEED if "jsonfeed.org/version" in text else Format.JSON
    return _lines([line.strip() for line in _LINE_BREAK.split(text) if line.strip()])


def _unpacked_head(data: bytes) -> bytes:
    unpacker = Unpacker(Notes(), PROLOG_BYTES_MAX)
    head = b"".join(unpacker.feed(bytes(data[:PROLOG_BYTES_MAX])))
    return (head + b"".join(unpacker.close()))[:PROLOG_BYTES_MAX]


def _text(head: bytes) -> str:
    return head.decode(decide_encoding(head).codec or "utf-8", "replace")


def _markup(text: str) -> Format:
    prolog = _PROLOG.match(text)
    start = prolog.end() if prolog else 0
    tag = _TAG.match(text, start)
    if tag and tag[1] in _ROOTS:
        return _ROOTS[tag[1]]
    if _HTML_PAGE.match(text) or _HTML_PAGE.match(text, start):
        return Format.HTML
    if late := _LATE_ROOT.search(text, start):  # behind a notice some server printed
        return _ROOTS[late[1]]
    return Format.HTML if _HTML.match(text, start) else Format.XML


def _lines(lines: list[str]) -> Format:
    lines = lines[:_LINES_LOOKED_AT]
    said = [line for line in lines if not line.startswith("#")]
    if said and (_ROBOTS.match(said[0]) or any(map(_AGENT.match, said))):
        return Format.ROBOTS
    if is_table(lines):
        return Format.CSV
    if 2 * sum(map(is_absolute, lines)) >= len(lines):
        return Format.TEXT
    return Format.MARKDOWN if any(map(_MARKDOWN.match, lines)) else Format.PROSE


def is_table(lines: list[str]) -> bool:
    """Whether these lines, none of them blank, are rows of a CSV: the same commas in each, and a heading or dates.

    >>> is_table(["loc,lastmod", "https://example.com/a,2026-01-20"])
    True
    >>> is_table(["https://example.com/a,12.html", "https://example.com/b,34.html"])
    False
    """
    for comma in ",;\t":
        if len({line.count(comma) for line in lines}) == 1 and comma in lines[0]:
            has_heading = len(lines) > 1 and not is_absolute(lines[0])
            return has_heading or all(_DATE_CELL.fullmatch(line.rpartition(comma)[2]) for line in lines)
    return False
