"""The safe fixes of a sitemap on disk, in its text: everything that needs none stays as it is written.

What comes out is read again; a fix that would lose a URL or break the document is not made at all.
"""

import html
import re
from collections.abc import Callable
from urllib.parse import quote
from xml.sax.saxutils import escape

from waypost.check.rules.fields.hints import is_no_frequency, is_no_priority
from waypost.dates import DateForm, read_w3c, write_w3c
from waypost.formats.document import Document, Kind
from waypost.formats.entryruns import BLANKS
from waypost.formats.sitemap import read_sitemap
from waypost.formats.xmlshort import SITEMAP_NAMESPACE
from waypost.urls import absolute, is_absolute

__all__ = ["fix_sitemap"]

# What is never closed reaches to the end, and blanks are taken from their first: nothing is looked through twice.
_PROTECTED = re.compile(r"(<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z))", re.DOTALL)
_BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)")
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]));"
)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_PATH = re.compile(r"/(?!/)\S*")
_DECLARATION = re.compile(r"""\A(<\?xml\b[^>]*?encoding\s*=\s*)(["'])[^"']*\2""")
_ROOT = re.compile(r"<((?:[\w.-]+:)?)(urlset|sitemapindex)\b([^<>]*)>")
_XMLNS = re.compile(r"""(\sxmlns(?::[\w.-]+)?\s*=\s*)(["'])([^"']*)\2""")
_NEAR = re.compile(r"https?://(?:www\.)?(?:sitemaps\.org|google\.com)/schemas/sitemap/0\.\d+.*", re.IGNORECASE)
_UNWISE = frozenset('"<>\\^`{|}')


def fix_sitemap(data: bytes, base: str = "") -> bytes:
    """The document with its safe fixes; `base` is the URL it is served at, to make URLs whole."""
    before = read_sitemap(data, url=base or None)
    if before.gzip_layers:
        return data
    text = _decoded(data, before.encoding)
    if text is None:
        return data
    fixed = _fix_lines(text, base) if before.kind is Kind.TEXT else _fix_xml(text, base)
    made = fixed.encode()
    return made if made != data and _is_better(before, read_sitemap(made, url=base or None)) else data


def _is_better(before: Document, after: Document) -> bool:
    """Whether nothing was lost: still a sitemap, read to its end, with every URL that was read before."""
    wanted = {_url(loc, before.url or "") for loc in before.locs if loc}
    return after.kind is not Kind.NONE and after.complete and wanted <= set(after.locs)


def _decoded(data: bytes, encoding: str) -> str | None:
    for name in (encoding or "utf-8", "utf-8"):
        try:
            return data.decode("utf-8-sig" if name.lower() in {"utf-8", "utf8"} else name)
        except (LookupError, UnicodeDecodeError):
            continue
    return None


def _fix_lines(text: str, base: str) -> str:
    """The lines that are URLs, or paths from the root of a site, each once; what else stands there is left alone."""
    known: set[str] = set()
    kept = []
    for raw in _LINE.findall(text):
        line = raw.strip(BLANKS)
        if is_absolute(line) or (base and _PATH.fullmatch(line)):
            url = _url(line, base)
            if url in known:
                continue
            known.add(url)
            raw = url + raw[len(raw.rstrip("\r\n")) :]
        kept.append(raw)
    return "".join(kept)


def _fix_xml(text: str, base: str) -> str:
    stripped = text.lstrip(" \t\r\n\ufeff")
    text = stripped if stripped.startswith("<?xml") else text
    text = _outside(text, lambda part: _BARE_AMPERSAND.sub("&amp;", _CONTROL.sub("", part)))
    text = _DECLARATION.sub(r"\1\2UTF-8\2", text, count=1)
    root = _ROOT.search(text)
    if root is None:
        return text
    prefix, name, attributes = root.groups()
    text = text[: root.start()] + f"<{prefix}{name}{_namespaced(prefix, attributes)}>" + text[root.end() :]
    element = re.compile(
        rf"<!--.*?(?:-->|\Z)|(?<!\s)(\s*)<({re.escape(prefix)}(loc|lastmod|changefreq|priority))\s*>([^<]*)</\2\s*>",
        re.DOTALL,
    )
    text = element.sub(lambda found: _field(found, base), text)
    return _without_repeats(text, prefix)


def _outside(text: str, fix: Callable[[str], str]) -> str:
    """Fix what stands outside comments, CDATA and processing instructions."""
    parts = _PROTECTED.split(text)
    return "".join(part if number % 2 else fix(part) for number, part in enumerate(parts))


def _namespaced(prefix: str, attributes: str) -> str:
    wanted = f"xmlns:{prefix[:-1]}" if prefix else "xmlns"
    for found in _XMLNS.finditer(attributes):
        if found[1].strip().rstrip("= \t\r\n") == wanted:
            if found[3] == SITEMAP_NAMESPACE or not _NEAR.fullmatch(found[3]):
                return attributes
            start, end = found.span(3)
            return attributes[:start] + SITEMAP_NAMESPACE + attributes[end:]
    return f' xmlns="{SITEMAP_NAMESPACE}"{attributes}' if not prefix else attributes


def _field(found: re.Match[str], base: str) -> str:
    if found[2] is None:
        return found[0]
    blank, tag, name, raw = found[1], found[2], found[3], found[4]
    value = html.unescape(raw).strip()
    fixed = _url(value, base) if name == "loc" else _OPTIONAL[name](value)
    if fixed is None:
        return ""
    return found[0] if fixed == html.unescape(raw) else f"{blank}<{tag}>{escape(fixed)}</{tag}>"


def _url(value: str, base: str) -> str:
    """A URL made whole, without fragment and credentials, with what must be escaped escaped."""
    whole = (absolute(base, value) if base and value else None) or value
    whole = whole.partition("#")[0].rstrip(BLANKS)
    whole = re.sub(r"^(https?://)[^/?#@]*@", r"\1", whole, flags=re.IGNORECASE)
    # Blanks and stray percent signs stay: only their author knows what was meant.
    return "".join(quote(c, safe="") if not c.isascii() or c in _UNWISE else c for c in whole)


def _lastmod(value: str) -> str:
    date = read_w3c(value)
    return write_w3c(date.timestamp) if date.form is DateForm.TOLERATED and date.timestamp is not None else value


def _changefreq(value: str) -> str | None:
    return None if is_no_frequency(value.lower()) else value.lower()


def _priority(value: str) -> str | None:
    return None if is_no_priority(value) else value


_OPTIONAL: dict[str, Callable[[str], str | None]] = {
    "lastmod": _lastmod,
    "changefreq": _changefreq,
    "priority": _priority,
}


def _without_repeats(text: str, prefix: str) -> str:
    """Leave out whole entries whose URL stands in an earlier one, where there are such."""
    loc = re.compile(rf"<{re.escape(prefix)}loc\s*>([^<]*)</")
    urls = loc.findall(text)
    if len(set(urls)) == len(urls):
        return text
    known: set[str] = set()
    entry = re.compile(rf"(?<!\s)\s*<({re.escape(prefix)}(?:url|sitemap))\b[^<>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL)

    def kept(found: re.Match[str]) -> str:
        url = loc.search(found[0])
        is_repeat = url is not None and url[1] in known
        known.add(url[1] if url else "")
        return "" if is_repeat else found[0]

    return entry.sub(kept, text)
