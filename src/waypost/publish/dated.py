"""The pages that their owners dated, in the order of their dates: what feeds are made of."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable

from waypost.publish.page import Page, date_of
from waypost.publish.paths import top_folder

__all__ = ["DatedPages"]

_Line = tuple[float, str]
_LAST_PATH = "\x7f"
"""Sorts behind every path."""


class DatedPages:
    """Dates and paths by top folder, oldest first; the whole site stands under "". A page without a date is no part."""

    __slots__ = ("_lines",)

    def __init__(self) -> None:
        self._lines: dict[str, list[_Line]] = {}

    def __bool__(self) -> bool:
        return bool(self._lines)

    def add(self, page: Page) -> None:
        """Take a page in."""
        for folder in _folders_of(page):
            insort(self._lines.setdefault(folder, []), (date_of(page), page.path))

    def discard(self, page: Page) -> None:
        """Let a page go that was taken in."""
        for folder in _folders_of(page):
            lines = self._lines[folder]
            del lines[bisect_left(lines, (date_of(page), page.path))]
            if not lines:
                del self._lines[folder]

    def load(self, pages: Iterable[Page]) -> None:
        """Take in all pages of a first scan."""
        for page in pages:
            for folder in _folders_of(page) if page.published or page.updated else ():
                self._lines.setdefault(folder, []).append((date_of(page), page.path))
        for lines in self._lines.values():
            lines.sort()

    def newest(self, folder: str, count: int, now: float) -> list[str]:
        """The paths of the newest pages whose date has come, newest first."""
        lines = self._lines.get(folder, [])
        due = bisect_right(lines, (now, _LAST_PATH))
        return [path for _, path in reversed(lines[max(0, due - count) : due])]

    def folders(self, now: float) -> list[str]:
        """The top folders with a page whose date has come, in order."""
        return sorted(folder for folder, lines in self._lines.items() if folder and lines[0][0] <= now)


def _folders_of(page: Page) -> tuple[str, ...]:
    if not page.published and not page.updated:
        return ()
    folder = top_folder(page.path)
    return ("", folder) if folder else ("",)
