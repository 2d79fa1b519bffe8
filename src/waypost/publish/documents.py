"""The documents the publisher makes, each for one origin. Every one of them is made anew for each request."""

from collections.abc import Sequence

from waypost.formats.xmlwrite import DECLARATION, escape
from waypost.limits import STREAM_ABOVE_BYTES
from waypost.publish.exchange import Pieces
from waypost.publish.fragments import lastmod_of
from waypost.publish.run import Run

__all__ = ["index", "joined", "part_path"]


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
    return body.origin.join(body.shot.pieces)


def index(runs: Sequence[Run], origin: str, gone_at: float) -> bytes:
    """The index of a split sitemap; a part's date is when anything in it changed or left."""
    prefix = escape(origin)
    lines = [f'{DECLARATION}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n']
    for part, run in enumerate(runs):
        if run.pages:
            lastmod = lastmod_of(max(run.newest, gone_at))
            lines.append(f"<sitemap><loc>{prefix}{part_path(part)}</loc>{lastmod}</sitemap>\n")
    lines.append("</sitemapindex>\n")
    return "".join(lines).encode()
