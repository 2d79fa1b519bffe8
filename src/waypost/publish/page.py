"""What the publisher knows of a page: facts of the disk in the form the documents need, nothing of any host."""

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Page", "PageText", "date_of"]


@dataclass(frozen=True, slots=True)
class Page:
    """One public page under its one canonical path.

    `path` starts with `/` and is percent-encoded ASCII, so that `origin + path` is the URL the server answers with 200.
    """

    key: bytes
    """The object's id: 8 raw bytes."""
    path: str
    last_modified: float | None
    """Seconds since 1970; None where nothing true is known. Never in the future: the source sees to that."""
    title: str = ""
    lang: str = ""
    alternates: tuple[tuple[str, str], ...] = ()
    """(language, path) of every translation, the page itself included."""
    images: tuple[str, ...] = ()
    """Paths on this host, or absolute URLs, of the images a page declares."""
    published: float | None = None
    updated: float | None = None
    description: str = ""


class PageText(NamedTuple):
    """What stands on a page, for feeds: safe HTML whose links are absolute, and its first words as plain text."""

    html: str
    summary: str


def date_of(page: Page) -> float:
    """The date a page carries in a feed: the one its owner gave, else the disk's."""
    return page.published or page.updated or page.last_modified or 0.0
