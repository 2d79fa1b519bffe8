"""How much of a hostile document a reader takes: one frozen value handed to every reader."""

from dataclasses import dataclass

from waypost.limits import (
    ENTRIES_KEPT_MAX,
    NAMES_MAX,
    RECORDS_KEPT_MAX,
    SITEMAP_BYTES_MAX,
    SITEMAP_URLS_MAX,
    VALUE_CHARS_MAX,
    XML_DEPTH_MAX,
    XML_NAMES_MAX,
    XML_OPEN_MAX,
)

__all__ = ["DEFAULT", "Bounds"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of one reading: `bytes_max`, `open_max`, `all_names_max` end it, the others end only the keeping."""

    bytes_max: int = SITEMAP_BYTES_MAX
    urls_max: int = SITEMAP_URLS_MAX
    entries_kept_max: int = ENTRIES_KEPT_MAX
    records_kept_max: int = RECORDS_KEPT_MAX
    depth_max: int = XML_DEPTH_MAX
    open_max: int = XML_OPEN_MAX
    value_chars_max: int = VALUE_CHARS_MAX
    names_max: int = NAMES_MAX
    all_names_max: int = XML_NAMES_MAX


DEFAULT = Bounds()
"""The limits of the protocol and of our own safety."""
