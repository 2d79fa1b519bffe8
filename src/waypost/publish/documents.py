"""The documents the publisher makes, each for one origin. Every one of them is made anew for each request."""

from collections.abc import Sequence

from waypost.formats.xmlmap import Service, write_xmlmap
from waypost.formats.xmlshort import SITEMAP_NAMESPACE
from waypost.formats.xmlwrite import DECLARATION, escape
from waypost.limits import STREAM_ABOVE_BYTES
from waypost.publish.exchange import Pieces
from waypost.publish.feeds import FEEDS, Channel
from waypost.publish.fragments import lastmod_of
from waypost.publish.paths import names_admin
from waypost.publish.run import Run
from waypost.publish.settings import Site

__all__ = ["index", "joined", "part_path", "robots_xml"]


def part_path(part: int) -> str:
    """The path of a part, counted from 0.

    >>> part_path(0)
    '/sitemaps/sitemap-0001.xml'
    """
    return f"/sitemaps/sitemap-{part + 1:04}.xml"


def joined(body: bytes | Pieces) -> bytes | Pieces:
    """A short body in one join; a long one stays in pieces that are made while they are sent."""
    if isinstance(body, bytes) or len(body) > STREAM_ABOVE_BYTES:
        return body
    return b"".join(body.shot.joined(body.origin))


def index(runs: Sequence[Run], origin: str, gone_at: float) -> bytes:
    """The index of a split sitemap; a part's date is when anything in it changed or left."""
    prefix = escape(origin)
    lines = [f'{DECLARATION}<sitemapindex xmlns="{SITEMAP_NAMESPACE}">\n']
    for part, run in enumerate(runs):
        if run.pages:
            lastmod = lastmod_of(max(run.newest, gone_at))
            lines.append(f"<sitemap><loc>{prefix}{part_path(part)}</loc>{lastmod}</sitemap>\n")
    lines.append("</sitemapindex>\n")
    return "".join(lines).encode()


def robots_xml(site: Site, origin: str, *, newest: float | None, offered: Sequence[Channel]) -> bytes:
    """What the site offers to machines: robots.txt, the sitemap, the feeds and the list of them, the owner's data."""
    services = [Service(f"{origin}/robots.txt", "http://www.robotstxt.org/")]
    if newest is not None:
        services.append(Service(f"{origin}/sitemap.xml", SITEMAP_NAMESPACE, newest or None))
    if offered:
        services.append(Service(f"{origin}/feeds.opml", "http://www.opml.org/spec2"))
    for channel in offered:
        services += [Service(f"{origin}{channel.path(form)}", form.namespace) for form in FEEDS]
    if site.settings.with_llms and newest is not None:
        services.append(Service(f"{origin}/llms.txt", "https://llmstxt.org/"))
    for declared in site.settings.data:
        entry = declared if site.data_of is None else site.data_of(declared)
        if entry is not None and not names_admin(entry.loc, site.settings.admin_path):
            loc = f"{origin}{entry.loc}" if entry.loc.startswith("/") else entry.loc
            services.append(Service(loc, entry.namespace, entry.lastmod))
    return write_xmlmap(services)
