"""Images of other hosts, which no page may load: each becomes a link to what it shows, with the words it has."""

import re
from collections.abc import Iterator
from html import unescape

__all__ = ["linking_images"]

_PLACES = re.compile(r'<(?:a(?= )[^>]*|(/a)|img((?: [a-z-]++(?:="[^"]*+")?)*+) ?/?)>')
_SOURCE = re.compile(r' src="([^"]*+)"')
_MARK = ' src="'
_WORDS = re.compile(r' alt="([^"]++)"')
_ELSEWHERE = re.compile(r"https?:|[/\\]{2}", re.IGNORECASE)
_UNSEEN = dict.fromkeys([*range(0x21), 0x7F])
"""What browsers leave out of the beginning of a URL, or of all of it."""


def _is_elsewhere(source: str) -> bool:
    return bool(_ELSEWHERE.match(unescape(source).translate(_UNSEEN)))


def _sources(html: str) -> Iterator[str]:
    start = html.find(_MARK)
    while start >= 0:
        end = html.find('"', start + len(_MARK))
        yield html[start + len(_MARK) : end]
        start = html.find(_MARK, end) if end >= 0 else -1


def linking_images(html: str, origin: str) -> str:
    """A page's HTML without images from elsewhere than its own origin; in a link they leave their words.

    >>> linking_images('<img src="https://other.example/a.png" alt="A" />', "https://example.com")
    '<a href="https://other.example/a.png">A</a>'
    """
    if not any(map(_is_elsewhere, _sources(html))):
        return html
    is_in_link = False

    def place(found: re.Match[str]) -> str:
        nonlocal is_in_link
        closing, attributes = found.groups()
        if attributes is None:
            is_in_link = closing is None
            return found[0]
        source = _SOURCE.search(attributes)
        if source is None or not _is_elsewhere(source[1]) or source[1].lower().startswith(f"{origin}/"):
            return found[0]
        said = _WORDS.search(attributes)
        words = said[1] if said else source[1].rstrip("/").rpartition("/")[2]
        return words if is_in_link else f'<a href="{source[1]}">{words}</a>'

    return _PLACES.sub(place, html)
