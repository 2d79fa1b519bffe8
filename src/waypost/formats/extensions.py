"""Records of the four sitemap extensions: image, video, news, and hreflang alternates. Read, not judged.

A record keeps every element inside it by its name without prefix, in order, with its place: `thumbnail_loc`, or with
a slash where one stands in another: `publication/name`. An alternate keeps the attributes of its `xhtml:link` the same
way: `rel`, `hreflang`, `href`.
"""

import re
from enum import Enum
from typing import NamedTuple

__all__ = ["EXTENSION_NAMESPACES", "Extension", "Part", "Record", "near_extension"]


class Extension(Enum):
    """An extension of a sitemap entry that search engines document; the value is its usual prefix."""

    IMAGE = "image"
    VIDEO = "video"
    NEWS = "news"
    ALTERNATE = "xhtml"

    @property
    def element(self) -> str:
        """The element that holds one record."""
        return "link" if self is Extension.ALTERNATE else self.value


EXTENSION_NAMESPACES: dict[str, Extension] = {
    "http://www.google.com/schemas/sitemap-image/1.1": Extension.IMAGE,
    "http://www.google.com/schemas/sitemap-video/1.1": Extension.VIDEO,
    "http://www.google.com/schemas/sitemap-news/0.9": Extension.NEWS,
    "http://www.w3.org/1999/xhtml": Extension.ALTERNATE,
}
"""The exact namespaces. Anything else is an unknown extension: kept out of the records, and never judged."""

_NEAR = re.compile(
    r"https?:/*(?:www\.)?(?:google\.com/schemas?/sitemaps?[-_/]?(?P<google>image|video|news)s?\b.*"
    r"|w3\.org/(?:1999/xhtml|tr/xhtml).*)",
    re.IGNORECASE,
)


class Part(NamedTuple):
    """One element inside a record, or one attribute of an alternate."""

    name: str
    value: str
    line: int
    column: int
    attributes: tuple[str, ...] = ()


class Record(NamedTuple):
    """One image, video, news article or alternate of an entry."""

    extension: Extension
    line: int
    column: int
    parts: tuple[Part, ...]

    def value(self, name: str) -> str | None:
        """The first value of that name; "" where the element is empty, None where there is none."""
        return next((part.value for part in self.parts if part.name == name), None)

    def every(self, name: str) -> tuple[Part, ...]:
        """All parts of that name."""
        return tuple(part for part in self.parts if part.name == name)


def near_extension(namespace: str) -> Extension | None:
    """The extension a namespace was probably meant for, where it is misspelt.

    >>> near_extension("https://www.google.com/schemas/sitemap-image/1.1/")
    <Extension.IMAGE: 'image'>
    """
    if namespace in EXTENSION_NAMESPACES:
        return None
    found = _NEAR.fullmatch(namespace.strip())
    if found is None:
        return None
    google = found["google"]
    return Extension(google.lower()) if google else Extension.ALTERNATE
