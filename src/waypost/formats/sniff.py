"""Read anything a crawler may find: the format is told from the bytes, then its reader is asked."""

from collections.abc import Callable
from dataclasses import replace

from waypost.formats.document import Document
from waypost.formats.feedmodel import Feed
from waypost.formats.feeds import read_feed
from waypost.formats.inflate import Unpacker
from waypost.formats.notes import Notes
from waypost.formats.octets import Octets, octets
from waypost.formats.opml import Opml, read_opml
from waypost.formats.robots import Robots, read_robots
from waypost.formats.signature import Format, sniff
from waypost.formats.sitemap import read_sitemap
from waypost.formats.xmlmap import Xmlmap, read_xmlmap

__all__ = ["Format", "read_any", "sniff"]

_READERS: dict[Format, Callable[..., Feed | Opml | Xmlmap]] = {
    **dict.fromkeys((Format.RSS, Format.ATOM, Format.RDF, Format.JSONFEED), read_feed),
    Format.OPML: read_opml,
    Format.XMLMAP: read_xmlmap,
}


def read_any(data: Octets, *, url: str | None = None) -> Robots | Document | Feed | Opml | Xmlmap:
    r"""What these bytes say, in the words of their own format; a `Document` that is no sitemap where nothing else fits.

    >>> type(read_any(b"User-agent: *\nDisallow: /private/\n")).__name__
    'Robots'
    >>> type(read_any(b"<opml version='2.0'><body/></opml>")).__name__
    'Opml'
    """
    data = octets(data)
    seen = sniff(data)
    if seen is not Format.ROBOTS and seen not in _READERS:
        return read_sitemap(data, url=url)
    notes = Notes()
    unpacker = Unpacker(notes)
    plain = b"".join((*unpacker.feed(data), *unpacker.close()))
    if seen is Format.ROBOTS:
        return read_robots(plain, url=url)
    found = _READERS[seen](plain, url=url)
    if not notes.counts:
        return found
    return replace(
        found,
        notes=(*notes.freeze(), *found.notes),
        counts={**notes.counts, **(found.counts or {})},
        complete=found.complete and unpacker.complete,
    )
