"""Ask → Reply: the routes of everything the publisher makes, validators, 304, HEAD. Nothing made is kept.

The routes come from the registry of reserved paths; a door asks `respond` first and looks for a page where the answer
is None.
"""

import re
from collections.abc import Callable, Mapping
from hashlib import blake2b
from math import inf
from types import MappingProxyType
from typing import NamedTuple

from waypost.dates import write_http
from waypost.formats.xmlwrite import escape
from waypost.limits import COMPRESS_FROM_BYTES, ORIGIN_CHARS_MAX, SITEMAP_BYTES_MAX, SITEMAP_URLS_MAX
from waypost.publish.documents import index, joined, part_path, robots_xml
from waypost.publish.exchange import Ask, Headers, Pieces, Reply
from waypost.publish.feeds import FEEDS, FeedForm, channels, feed, opml, site_title
from waypost.publish.llms import llms_txt
from waypost.publish.negotiate import accepts_gzip, is_fresh
from waypost.publish.paths import RESERVED, Form, Resource
from waypost.publish.robots import robots_txt
from waypost.publish.run import Shot
from waypost.publish.settings import Publishing, Site

__all__ = ["PART", "ROUTES", "Ask", "Pieces", "Publishing", "Reply", "Site", "respond", "route"]

_FORMAT = "1"
"""Part of every validator: to be raised when the same pages come to other bytes."""
_SETTLED_S = 2
_XML = b"application/xml; charset=utf-8"
_TEXT = b"text/plain; charset=utf-8"
_OPML = b"text/x-opml; charset=utf-8"
_DEFAULTS = Publishing()
PART = re.compile(r"/sitemaps/sitemap-(\d{4,9})\.xml")
"""The path of a part; whatever else stands below its folder is nothing."""
_SAFE: Headers = ((b"x-content-type-options", b"nosniff"),)
_LIVE: Headers = ((b"cache-control", b"no-cache"), (b"vary", b"accept-encoding"), *_SAFE)
_CLOSED: Headers = (*_LIVE, (b"x-robots-tag", b"noindex"))
_NOT_ALLOWED = Reply(405, ((b"allow", b"GET, HEAD"), (b"content-length", b"0"), *_SAFE), b"")
_NOT_FOUND = Reply(404, ((b"content-type", _TEXT), (b"content-length", b"10"), *_SAFE), b"not found\n")


class _Made(NamedTuple):
    """A document for one origin, or the shot it is joined from, and what identifies it."""

    media: bytes
    body: bytes | Shot
    identity: bytes
    last_modified: float | None = None

    def sized(self, origin: str) -> bytes | Pieces:
        """The body, whose length is known; a shot is joined while it is sent."""
        if not isinstance(self.body, Shot):
            return self.body
        return Pieces(self.body, (escape(origin) if self.media is _XML else origin).encode())


_Maker = Callable[[Ask, Site], _Made | Reply]


def route(path: str, settings: Publishing = _DEFAULTS) -> Resource | None:
    """What the publisher makes at a raw path under these settings; None for every path that is not its own."""
    found = ROUTES.get(path)
    if found is not None:
        return found if found is not Resource.LLMS or settings.with_llms else None
    if path.startswith(_PARTS):
        return Resource.PART
    if settings.indexnow_key and path == f"/{settings.indexnow_key}.txt":
        return Resource.KEY
    return _REPEATED.get(path[path.rindex("/") :]) if settings.with_folder_feeds and _folder_of(path) else None


def _folder_of(path: str) -> str:
    """The one folder that a path's last segment stands in; "" where it stands in none, or deeper."""
    folder, _, name = path[1:].partition("/")
    return folder if name and "/" not in name else ""


def respond(ask: Ask, site: Site) -> Reply | None:
    """The answer to an ask for one of the publisher's documents; None for every other path."""
    resource = route(ask.path, site.settings)
    if resource is None:
        return None
    if ask.method not in {"GET", "HEAD"}:
        return _NOT_ALLOWED
    make, name = _MAKERS[resource]
    made = make(ask, site)
    return made if isinstance(made, Reply) else _reply(ask, made, name, is_closed=site.settings.is_closed)


def _reply(ask: Ask, made: _Made, resource: str, *, is_closed: bool) -> Reply:
    is_gzip = accepts_gzip(ask.accept_encoding) and len(made.sized(ask.origin)) >= COMPRESS_FROM_BYTES
    name = f"{_FORMAT} {resource} {ask.origin} ".encode()
    digest = blake2b(name + made.identity, digest_size=16).hexdigest()
    etag = f'"{digest}-gz"' if is_gzip else f'"{digest}"'
    headers: Headers = ((b"etag", etag.encode()), *(_CLOSED if is_closed else _LIVE))
    if ask.if_none_match and is_fresh(ask, etag, ""):
        return Reply(304, headers, b"")  # with an entity tag nothing else is said of it (RFC 9110, 15.4.5)
    modified = _last_modified(ask, made)
    if modified:
        headers = (*headers, (b"last-modified", modified.encode()))
    if ask.if_modified_since and is_fresh(ask, etag, modified):
        return Reply(304, headers, b"")
    body = made.sized(ask.origin)
    form = (b"content-encoding", b"gzip") if is_gzip else (b"content-length", b"%d" % len(body))
    headers = ((b"content-type", made.media), form, *headers)
    if ask.method == "HEAD" and not is_gzip:
        return Reply(200, headers, b"")
    # The length of a compressed body is known to whoever compresses it: a door that does needs it for HEAD too.
    return Reply(200, headers, joined(body), is_gzip)


def _last_modified(ask: Ask, made: _Made) -> str:
    """The date as a validator: only once its second is over, for another change in that second would look the same."""
    if made.last_modified is None or ask.now < made.last_modified // 1 + _SETTLED_S:
        return ""
    return write_http(made.last_modified)


def _robots(ask: Ask, site: Site) -> _Made:
    body = robots_txt(site.settings, ask.origin, has_sitemap=site.source.has_pages())
    return _Made(_TEXT, body, body)


def _sitemap(ask: Ask, site: Site) -> _Made | Reply:
    table = site.source.table()
    with table.lock:
        if table.is_split:
            return _index(ask, site)
        if not table.has_pages():
            return _NOT_FOUND
        return _Made(_XML, table.runs[0].shot(), b"%032x" % table.set_hash, table.changed_at)


def _index(ask: Ask, site: Site) -> _Made | Reply:
    table = site.source.table()
    with table.lock:
        if table.is_split:
            body = index(table.runs, ask.origin, table.gone_at)
            return _Made(_XML, body, body, table.changed_at)
        return _moved("/sitemap.xml") if len(table) else _NOT_FOUND


def _part(ask: Ask, site: Site) -> _Made | Reply:
    found = PART.fullmatch(ask.path)
    if not found or ask.path != part_path(int(found[1]) - 1):
        return _NOT_FOUND
    table = site.source.table()
    with table.lock:
        number = int(found[1])
        if not table.is_split or not 1 <= number <= len(table.runs) or not table.runs[number - 1].pages:
            return _NOT_FOUND
        run = table.runs[number - 1]
        return _Made(_XML, run.shot(), b"%032x" % run.set_hash, table.changed_at)


def _text(_ask: Ask, site: Site) -> _Made | Reply:
    table = site.source.table()
    with table.lock:
        if not 0 < len(table) <= SITEMAP_URLS_MAX:
            return _NOT_FOUND
        shot = table.text_shot()
        # Whether there is one must not depend on who asks: counted with the longest host, as parts are.
        if shot.fixed_bytes + len(table) * ORIGIN_CHARS_MAX > SITEMAP_BYTES_MAX:
            return _NOT_FOUND
        return _Made(_TEXT, shot, b"%032x" % table.set_hash, table.changed_at)


def _robots_xml(ask: Ask, site: Site) -> _Made:
    table = site.source.table()
    with table.lock:
        newest = max(run.newest for run in table.runs) if len(table) else None
        offered = channels(table, site.settings, ask.now or inf)
    body = robots_xml(site, ask.origin, newest=newest, offered=offered)
    return _Made(_XML, body, body)


def _feed(form: FeedForm) -> _Maker:
    def make(ask: Ask, site: Site) -> _Made | Reply:
        body = feed(form, _folder_of(ask.path), ask, site)
        return _NOT_FOUND if body is None else _Made(form.media, body, body)

    return make


def _opml(ask: Ask, site: Site) -> _Made | Reply:
    table = site.source.table()
    with table.lock:
        offered = channels(table, site.settings, ask.now or inf)
        title = site_title(site.settings, table, ask.origin)
    if not offered:
        return _NOT_FOUND
    body = opml(offered, title, ask.origin)
    return _Made(_OPML, body, body)


def _llms(ask: Ask, site: Site) -> _Made | Reply:
    table, now = site.source.table(), ask.now or inf
    with table.lock:
        if not len(table):
            return _NOT_FOUND
        has_feed = bool(site.settings.feed_count) and table.has_feed(now=now)
        body = llms_txt(table, site.settings, ask.origin, has_feed=has_feed)
    return _Made(_TEXT, body, body)


def _key(_: Ask, site: Site) -> _Made:
    body = site.settings.indexnow_key.encode()
    return _Made(_TEXT, body, body)


def _moved(path: str) -> Reply:
    return Reply(308, ((b"location", path.encode()), (b"content-length", b"0"), *_SAFE), b"")


_MAKERS: Mapping[Resource, tuple[_Maker, str]] = MappingProxyType(
    {
        resource: (maker, resource.value)
        for resource, maker in (
            (Resource.ROBOTS, _robots),
            (Resource.SITEMAP, _sitemap),
            (Resource.INDEX, _index),
            (Resource.PART, _part),
            (Resource.TEXT, _text),
            (Resource.XMLMAP, _robots_xml),
            (Resource.OPML, _opml),
            (Resource.LLMS, _llms),
            (Resource.KEY, _key),
            *((form.resource, _feed(form)) for form in FEEDS),
        )
    }
)
"""Who makes a resource, and its name in validators."""


def _paths() -> dict[str, Resource]:
    rows = [row for row in RESERVED if row.resource in _MAKERS]
    return {row.path: row.resource for row in rows if row.path}


ROUTES: Mapping[str, Resource] = MappingProxyType(_paths())
"""Every single path the publisher answers, made from the registry; parts stand below `/sitemaps/`."""
_REPEATED = {row.path: row.resource for row in RESERVED if row.form is Form.REPEATED}
_PARTS = next(f"/{row.name}/" for row in RESERVED if row.resource is Resource.PART)
