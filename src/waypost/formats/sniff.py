"""Read anything a crawler may find: the format is told from the bytes, then its reader is asked."""

from waypost.formats.document import Document
from waypost.formats.feedmodel import Feed
from waypost.formats.feeds import read_feed
from waypost.formats.inflate import GZIP_MAGIC, Unpacker
from waypost.formats.notes import Notes
from waypost.formats.octets import Octets, octets
from waypost.formats.opml import Opml, read_opml
from waypost.formats.robots import Robots, read_robots
from waypost.formats.signature import Format, sniff
from waypost.formats.sitemap import read_sitemap
from waypost.formats.xmlmap import Xmlmap, read_xmlmap

__all__ = ["Format", "read_any", "sniff"]

_FEEDS = {Format.RSS, Format.ATOM, Format.RDF, Format.JSONFEED}


def read_any(data: Octets, *, url: str | None = None) -> Robots | Document | Feed | Opml | Xmlmap:
    r"""What these bytes say, in the words of their own format; a `Document` that is no sitemap where nothing else fits.

    >>> type(read_any(b"User-agent: *\nDisallow: /private/\n")).__name__
    'Robots'
    >>> type(read_any(b"<opml version='2.0'><body/></opml>")).__name__
    'Opml'
    """
    data = octets(data)
    seen = sniff(data)
    if seen is Format.ROBOTS:
        return read_robots(_plain(data), url=url)
    if seen in _FEEDS:
        return read_feed(_plain(data), url=url)
    if seen is Format.OPML:
        return read_opml(_plain(data), url=url)
    if seen is Format.XMLMAP:
        return read_xmlmap(_plain(data), url=url)
    return read_sitemap(data, url=url)


def _plain(data: bytes) -> bytes:
    """What is packed in the bytes, where they are packed."""
    if not data.startswith(GZIP_MAGIC):
        return data
    unpacker = Unpacker(Notes())
    return b"".join((*unpacker.feed(data), *unpacker.close()))
