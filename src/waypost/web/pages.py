"""Pages as the theme shows them, search, the Markdown of pages, and the answer where there is nothing."""

import asyncio
from collections.abc import Mapping
from functools import partial
from hashlib import blake2b, sha256
from math import inf
from typing import Any
from urllib.parse import parse_qs

from waypost.errors import ContentError
from waypost.formats.printable import clipped
from waypost.limits import COMPRESS_FROM_BYTES, LISTED_PAGES_MAX, LOOP_RENDER_CHARS_MAX, SAID_CHARS_MAX
from waypost.publish.exchange import Headers
from waypost.publish.feeds import FEEDS, channels_at
from waypost.publish.negotiate import accepts_gzip, is_fresh, prefers_markdown
from waypost.publish.page import Page
from waypost.publish.respond import Ask, Reply
from waypost.site.cache import PageMetaCache
from waypost.site.links import resolver
from waypost.site.lookup import Found, Kind
from waypost.site.markdown import render
from waypost.site.navigation import pages_below
from waypost.site.objects import NOINDEX, Entry
from waypost.site.search import excerpts, search, suggest
from waypost.web.files import FileReply, file_reply
from waypost.web.hosts import Place
from waypost.web.replies import NOINDEX as NO_INDEX
from waypost.web.replies import REFUSED, moved, with_headers
from waypost.web.settling import Settling
from waypost.web.theme import asset_at, asset_named, render_safely
from waypost.web.views import SEARCH_PATH, by_folder, contents, listed, page_values, site_values

__all__ = ["default_icon", "look", "not_found", "of_the_theme"]

_READS_MAX = 3
"""How often a file is read anew because it changed meanwhile."""
_WITH_CONTENT = frozenset({200, 206})
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
_FOR_EVER = (b"cache-control", b"public, max-age=31536000, immutable")


async def look(place: Place, ask: Ask, settling: Settling) -> Reply | FileReply | None:
    """The answer for what a path means, None where it means nothing.

    What is read after coming in step may be newer than the verdict on it: it counts if that still stands afterwards. Of
    what somebody replaces all the time both verdicts have to let it be shown.
    """
    find = partial(place.root.find, ask.path)
    found = await settling.step(place.root, find, is_in_step=True)
    for left in reversed(range(_READS_MAX)):
        if found is None:
            return None
        entry = found.entry
        if entry is None:
            return await _listing(place, ask, settling)
        if found.kind is Kind.MOVED:
            return moved(f"{found.location}?{ask.query}" if ask.query else found.location)
        try:
            is_file = found.kind is Kind.FILE
            read = (
                await file_reply(place.root.opened(entry), entry.mime, ask)
                if is_file
                else place.root.read_page(entry)[0]
            )
        except (OSError, ContentError):
            return REFUSED[503]
        is_bare = ask.method == "HEAD" or (not isinstance(read, str) and read.status not in _WITH_CONTENT)
        before, found = found, found if is_bare else await settling.step(place.root, find)
        if found == before or (not left and _is_same(found, before)):
            if isinstance(read, str):
                return await _page(read, entry, place, ask, settling)
            return with_headers(read, NO_INDEX) if entry.flags & NOINDEX else read
        if isinstance(read, FileReply):
            read.opened.close()
    return REFUSED[503]


def _is_same(found: Found | None, before: Found) -> bool:
    """Whether it is the same object, though it was replaced."""
    return (
        found is not None
        and found.kind is before.kind
        and found.entry is not None
        and before.entry is not None
        and found.entry.key == before.entry.key
    )


async def _page(text: str, entry: Entry, place: Place, ask: Ask, settling: Settling) -> Reply | None:
    """A page with this text; None where it is gone when that is formatted."""
    root = place.root
    is_source = ask.path.endswith(".md") or prefers_markdown(ask.accept)
    made = partial(render, text, resolver(root, entry), origin=ask.origin)
    is_long = not is_source and len(text) > LOOP_RENDER_CHARS_MAX
    long = await asyncio.to_thread(made) if is_long else None

    def known() -> tuple[Entry, tuple[bytes, bytes], dict[str, Any]] | None:
        found = root.find(ask.path)
        now = found.entry if found is not None else None
        if now is None or now.key != entry.key:
            return None
        if is_source:
            return now, _links(place, ask, now), {}
        rendered = (long or made()) if text.strip() else contents(pages_below(root.catalog, now.path))
        return now, _links(place, ask, now), page_values(place, ask, now, rendered)

    facts = await settling.step(root, known, is_in_step=True)
    if facts is None:
        return None
    now, link, values = facts
    if is_source:
        return _answer(ask, text.encode(), _MARKDOWN, now, link)
    return _answer(ask, _shown(place, "page.html", values, now.sayings.theme or ""), _HTML, now, link)


def _shown(place: Place, template: str, values: Mapping[str, Any], theme: str = "") -> bytes:
    own = place.templates(theme)
    body, fault = render_safely(template, own, values)
    if own is not None:
        _report(place.root, f"{theme}/{template}", fault)
    return body


def _report(root: PageMetaCache, subject: str, fault: str) -> None:
    """Say once what is wrong with a root's own template, and no more when it is mended; no scan is waited for."""
    if not root.lock.acquire(blocking=False):
        return  # a later page says it
    try:
        if fault:
            where, _, why = fault.partition(": ")
            said = f"{clipped(why, SAID_CHARS_MAX)}; the built-in template is shown"
            root.reports.say(f"themes/{subject}", "theme", said, file=f"themes/{where}")
        else:
            root.reports.settle(f"themes/{subject}", "theme")
        root.reports.tell()
    finally:
        root.lock.release()


def _links(place: Place, ask: Ask, entry: Entry) -> tuple[bytes, bytes]:
    """The Link header: this page's one URL, and where the sitemap and the feeds are."""
    table = place.root.catalog.table
    links = [f'<{ask.origin}{entry.path}>; rel="canonical"']
    if table.has_pages():
        links.append(f'<{ask.origin}/sitemap.xml>; rel="sitemap"; type="application/xml"')
    for channel in channels_at(entry.path, table, place.publishing, ask.now or inf):
        links += [f'<{ask.origin}{channel.path(form)}>; rel="alternate"; type="{form.media_type}"' for form in FEEDS]
    return b"link", ", ".join(links).encode()


def _answer(ask: Ask, body: bytes, media: bytes, entry: Entry | None, *more: tuple[bytes, bytes]) -> Reply:
    is_gzip = len(body) >= COMPRESS_FROM_BYTES and accepts_gzip(ask.accept_encoding)
    digest = sha256(media + body).hexdigest()[:32]  # of long bodies the quickest, where processors know it
    etag = f'"{digest}-gz"' if is_gzip else f'"{digest}"'
    headers: Headers = ((b"etag", etag.encode()), (b"vary", b"accept, accept-encoding"), *_SAFE, *more)
    if entry is None or entry.flags & NOINDEX:
        headers = (*headers, NO_INDEX)
    if is_fresh(ask, etag, ""):
        return Reply(304, headers, b"")
    form = (b"content-encoding", b"gzip") if is_gzip else (b"content-length", b"%d" % len(body))
    policy = (_POLICY,) if media is _HTML else ()
    return Reply(200, ((b"content-type", media), form, *headers, *policy), body, is_gzip)


async def _listing(place: Place, ask: Ask, settling: Settling) -> Reply:
    def known() -> tuple[list[Page], dict[str, Any]]:
        pages = sorted(place.root.catalog.table, key=lambda page: page.path)[:LISTED_PAGES_MAX]
        return pages, site_values(place, ask)

    pages, values = await settling.step(place.root, known, is_in_step=True)
    values |= {"title": values["site"]["title"], "parts": by_folder(pages)}
    return _answer(ask, _shown(place, "listing.html", values), _HTML, None)


async def of_the_theme(place: Place, ask: Ask, settling: Settling) -> Reply | None:
    """What answers below `/_waypost/`: search, and assets under the hash of what is in them."""
    if ask.path == SEARCH_PATH:
        return await _search(place, ask, settling)
    asset = asset_at(ask.path, place.templates())
    if asset is None:
        return None
    headers: Headers = (
        (b"content-type", asset.media.encode()),
        (b"content-length", b"%d" % len(asset.body)),
        _FOR_EVER,
    )
    return Reply(200, (*headers, (b"x-content-type-options", b"nosniff")), asset.body)


def default_icon(place: Place, ask: Ask) -> Reply:
    """What browsers find at `/favicon.ico` where the content has none: the theme's."""
    icon = asset_named("favicon.ico", place.templates())
    etag = f'"{blake2b(icon.body, digest_size=16).hexdigest()}"'
    headers: Headers = ((b"etag", etag.encode()), (b"cache-control", b"no-cache"), *_SAFE[1:])
    if is_fresh(ask, etag, ""):
        return Reply(304, headers, b"")
    length = (b"content-length", b"%d" % len(icon.body))
    return Reply(200, ((b"content-type", icon.media.encode()), length, *headers), icon.body)


async def _search(place: Place, ask: Ask, settling: Settling) -> Reply:
    query = (parse_qs(ask.query, max_num_fields=8).get("q") or [""])[0].strip()
    results, total = await asyncio.to_thread(_found, place, query)
    values = await settling.step(place.root, partial(site_values, place, ask), is_in_step=True)
    values |= {"title": "Search", "query": query, "results": results, "total": total}
    return _answer(ask, _shown(place, "search.html", values), _HTML, None)


def _found(place: Place, query: str) -> tuple[list[dict[str, Any]], int]:
    hits = search(place.root, query)
    lines = zip(listed(hits.pages), excerpts(place.root, hits.pages, query), strict=True)
    return [line | {"excerpt": pieces} for line, pieces in lines], hits.total


async def not_found(place: Place, ask: Ask, settling: Settling) -> Reply:
    """The answer of every path that means nothing, or nothing this asker may see: the same for both."""

    def known() -> tuple[dict[str, Any], list[Page]]:
        return site_values(place, ask), suggest(place.root, ask.path)

    values, near = await settling.step(place.root, known, is_in_step=True)
    sentence = "There is no page at this address."
    values |= {"title": "Not found", "status": 404, "sentence": sentence, "suggestions": listed(near)}
    body = _shown(place, "error.html", values)
    length = (b"content-length", b"%d" % len(body))
    headers = ((b"content-type", _HTML), length, (b"cache-control", b"no-store"), *_SAFE[1:], _POLICY)
    return Reply(404, headers, body)
