"""Records of the four sitemap extensions: image, video, news, and hreflang alternates. Read, not judged.

A record keeps every element inside it by its name without prefix, in order, with its place: `thumbnail_loc`, or with
a slash where one stands in another: `publication/name`. An alternate keeps the attributes of its `xhtml:link`.
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
    re.IGNORECASE | re.ASCII,
)


class Part(NamedTuple):
    """One element inside a record; attributes are flat: name, value, name, value."""

    name: str
    value: str
    line: int
    column: int
    attributes: tuple[str, ...] = ()

    def attribute(self, name: str) -> str | None:
        """The value of an attribute, or None."""
        return _attribute(self.attributes, name)


class Record(NamedTuple):
    """One image, video, news article or alternate of an entry. An alternate has attributes, the others have parts."""

    extension: Extension
    line: int
    column: int
    parts: tuple[Part, ...] = ()
    attributes: tuple[str, ...] = ()

    def value(self, name: str) -> str | None:
        """The first part or the attribute of that name: "" where it is empty, None where there is none."""
        found = next((part.value for part in self.parts if part.name == name), None)
        return found if found is not None else _attribute(self.attributes, name)

    def every(self, name: str) -> tuple[Part, ...]:
        """All parts of that name."""
        return tuple(part for part in self.parts if part.name == name)


def _attribute(attributes: tuple[str, ...], name: str) -> str | None:
    return next((value for key, value in zip(attributes[::2], attributes[1::2], strict=True) if key == name), None)


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
