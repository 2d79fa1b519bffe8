"""The bytes of one page in a urlset, escaped once: what stands between one appearance of the origin and the next.

A fragment starts right behind its page's origin and ends right before the next one::

    /path</loc><lastmod>2026-01-20T10:00:00Z</lastmod></url>
    <url><loc>

so a whole document is `origin.join([HEAD, fragment, fragment, …])` with the last fragment's ending replaced. Where the
origin stands in a page's entry again (translations, images) the fragment is several pieces, cut there.
"""

import re
from functools import lru_cache

from waypost.dates import write_w3c
from waypost.errors import WriteError
from waypost.formats.extensions import Extension
from waypost.formats.extensionwrite import NAMESPACES
from waypost.formats.xmlshort import SITEMAP_NAMESPACE
from waypost.formats.xmlwrite import DECLARATION, escape
from waypost.limits import LASTMOD_EARLIEST_S
from waypost.publish.page import Page

__all__ = ["FRAME_BYTES_MAX", "OPEN", "TAIL", "Fragment", "fragment", "head", "lastmod_of"]

Fragment = bytes | tuple[bytes, ...]

OPEN = b"</url>\n<url><loc>"
TAIL = b"</url>\n</urlset>\n"
FRAME_BYTES_MAX = 512
"""Head and tail of a document are shorter than this together."""

_OPEN_TEXT = OPEN.decode()
_PLAIN = re.compile(r"/[A-Za-z0-9\-._~/]*")
_PATH = re.compile(r"/[A-Za-z0-9\-._~!$&'()*+,;=:@/%?]*")


def head(*, has_links: bool, has_images: bool) -> bytes:
    """A urlset's bytes before its first origin; only the namespaces that are used are declared."""
    used = [Extension.ALTERNATE] * has_links + [Extension.IMAGE] * has_images
    extensions = "".join(f' xmlns:{extension.value}="{NAMESPACES[extension]}"' for extension in used)
    return f'{DECLARATION}<urlset xmlns="{SITEMAP_NAMESPACE}"{extensions}>\n<url><loc>'.encode()


def fragment(page: Page, *, with_images: bool) -> Fragment:
    """A page's fragment: one piece of bytes, or several where the origin stands in its entry again."""
    path = page.path if _PLAIN.fullmatch(page.path) else _path(page.path)
    text = f"{path}</loc>{lastmod_of(page.last_modified)}"
    if not page.alternates and not (with_images and page.images):
        return f"{text}{_OPEN_TEXT}".encode()
    pieces = [text]
    for lang, path in page.alternates:
        pieces[-1] += f'<xhtml:link rel="alternate" hreflang="{escape(lang, "a language")}" href="'
        pieces.append(f'{_path(path)}"/>')
    for image in page.images if with_images else ():
        pieces[-1] += "<image:image><image:loc>"
        _add_image(pieces, image)
        pieces[-1] += "</image:loc></image:image>"
    *first, last = (piece.encode() for piece in pieces)
    return (*first, last + OPEN)


def _add_image(pieces: list[str], image: str) -> None:
    if image.startswith("/"):
        pieces.append(_path(image))
    else:
        pieces[-1] += escape(image, "an image")


def lastmod_of(timestamp: float | None) -> str:
    """The `<lastmod>` element of a moment; nothing for none, and for one too early to be true."""
    if timestamp is None or timestamp < LASTMOD_EARLIEST_S:
        return ""
    return _element(int(timestamp))


@lru_cache(maxsize=4_096)
def _element(timestamp: int) -> str:
    # Pages that came together share their seconds.
    days, seconds = divmod(timestamp, 86_400)
    minutes, second = divmod(seconds, 60)
    return f"<lastmod>{_day(days)}T{minutes // 60:02}:{minutes % 60:02}:{second:02}Z</lastmod>"


@lru_cache(maxsize=1_024)
def _day(days: int) -> str:
    # A calendar costs more than everything else in a fragment, and pages share their days.
    return write_w3c(days * 86_400)[:10]


def _path(path: str) -> str:
    if not _PATH.fullmatch(path):
        raise WriteError(f"{path[:80]!a} is not the path of a page: it must start with / and be percent-encoded")
    return path.replace("&", "&amp;").replace("'", "&apos;")
