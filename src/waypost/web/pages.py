"""Pages as HTML in one small template; files; the Markdown of pages; and the answer where there is nothing."""

import asyncio
import re
from hashlib import blake2b
from importlib.resources import files
from urllib.parse import unquote

from jinja2 import Environment
from markupsafe import Markup

from waypost.errors import ContentError
from waypost.limits import COMPRESS_FROM_BYTES, LISTED_PAGES_MAX, LOOP_RENDER_CHARS_MAX
from waypost.publish.exchange import Headers
from waypost.publish.negotiate import accepts_gzip, is_fresh, prefers_markdown
from waypost.publish.respond import Ask, Reply
from waypost.site.cache import PageMetaCache
from waypost.site.lookup import Found, Kind
from waypost.site.markdown import Resolve, render
from waypost.site.objects import NOINDEX, Entry
from waypost.site.references import relative_name
from waypost.web.files import FileReply, file_reply
from waypost.web.hosts import Place
from waypost.web.replies import REFUSED, moved

__all__ = ["look", "not_found"]

_TEMPLATE = Environment(autoescape=True, trim_blocks=False).from_string(
    (files("waypost.web") / "templates" / "page.html").read_text("utf-8")
)
_RELATIVE = re.compile(r"([^/?#:][^?#:]*)([?#].*)?", re.DOTALL)
_HTML = b"text/html; charset=utf-8"
_MARKDOWN = b"text/markdown; charset=utf-8"
_POLICY = (
    b"content-security-policy",
    b"default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
)
_SAFE = (
    (b"cache-control", b"no-cache"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"strict-origin-when-cross-origin"),
)


async def look(found: Found, place: Place, ask: Ask) -> Reply | FileReply:
    """The answer for what a path means."""
    entry = found.entry
    if found.kind is Kind.MOVED:
        return moved(f"{found.location}?{ask.query}" if ask.query else found.location)
    if entry is None:
        return _listing(place, ask)
    try:
        if found.kind is Kind.FILE:
            return await file_reply(place.root.file_path(entry), entry.mime, ask)
        text, _modified = place.root.read_page(entry)
    except (OSError, ContentError):
        return REFUSED[503]
    if found.kind is Kind.SOURCE or prefers_markdown(ask.accept):
        return _answer(ask, text.encode(), _MARKDOWN, entry)
    resolve = _resolver(place.root, entry)
    is_long = len(text) > LOOP_RENDER_CHARS_MAX
    rendered = await asyncio.to_thread(render, text, resolve) if is_long else render(text, resolve)
    return _answer(ask, _page(place, ask, entry, rendered.html), _HTML, entry)


def _resolver(root: PageMetaCache, entry: Entry) -> Resolve:
    """From a relative link of a page to the canonical URL of what it names; None where that is nothing public."""

    def resolve(target: str) -> str | None:
        found = _RELATIVE.fullmatch(target)
        if found is None:
            return None
        named = root.named(relative_name(entry, unquote(found[1])))
        return named.path + (found[2] or "") if named is not None and named.access.is_public and named.path else None

    return resolve


def _page(place: Place, ask: Ask, entry: Entry, body: str) -> bytes:
    listed = place.root.catalog.table.by_key(entry.key)
    return _TEMPLATE.render(
        title=entry.title,
        site=place.settings.title,
        lang=entry.sayings.lang or place.settings.lang,
        description=entry.sayings.description or "",
        noindex=bool(entry.flags & NOINDEX) or place.publishing.is_closed,
        canonical=ask.origin + entry.path,
        alternates=[(lang, ask.origin + path) for lang, path in (listed.alternates if listed else ())],
        body=Markup(body),  # noqa: S704 - sanitised where it was rendered
    ).encode()


def _answer(ask: Ask, body: bytes, media: bytes, entry: Entry | None) -> Reply:
    is_gzip = len(body) >= COMPRESS_FROM_BYTES and accepts_gzip(ask.accept_encoding)
    digest = blake2b(media + body, digest_size=16).hexdigest()
    etag = f'"{digest}-gz"' if is_gzip else f'"{digest}"'
    headers: Headers = ((b"etag", etag.encode()), (b"vary", b"accept, accept-encoding"), *_SAFE)
    if entry is not None:
        headers = (*headers, (b"link", f'<{ask.origin}{entry.path}>; rel="canonical"'.encode()))
    if entry is None or entry.flags & NOINDEX:
        headers = (*headers, (b"x-robots-tag", b"noindex"))
    if is_fresh(ask, etag, ""):
        return Reply(304, headers, b"")
    form = (b"content-encoding", b"gzip") if is_gzip else (b"content-length", b"%d" % len(body))
    policy = (_POLICY,) if media is _HTML else ()
    return Reply(200, ((b"content-type", media), form, *headers, *policy), body, is_gzip)


def _listing(place: Place, ask: Ask) -> Reply:
    with place.root.lock:
        pages = sorted((page.path, page.title) for page in place.root.catalog.table)[:LISTED_PAGES_MAX]
    items = Markup("\n").join(
        Markup('<li><a href="{}">{}</a></li>').format(path, title or path) for path, title in pages
    )
    body = Markup("<h1>{}</h1>\n<ul>\n{}\n</ul>").format(place.settings.title or "Pages", items)
    text = _TEMPLATE.render(
        title=place.settings.title or "Pages", lang=place.settings.lang, noindex=True, alternates=(), body=body
    )
    return _answer(ask, text.encode(), _HTML, None)


def not_found(place: Place) -> Reply:
    """The answer of every path that means nothing, or nothing this asker may see: always the same bytes."""
    body = Markup('<h1>Not found</h1>\n<p>There is no page here. <a href="/">{}</a></p>').format("Start page")
    text = _TEMPLATE.render(
        title="Not found", site=place.settings.title, noindex=True, alternates=(), body=body
    ).encode()
    headers = (
        (b"content-type", _HTML),
        (b"content-length", b"%d" % len(text)),
        (b"cache-control", b"no-store"),
        *_SAFE[1:],
        _POLICY,
    )
    return Reply(404, headers, text)
