"""How far a list has come: one line on stderr, on a terminal only, gone when the command ends."""

import sys
from types import TracebackType
from typing import Self

from waypost.formats.printable import clipped
from waypost.urls import masked

__all__ = ["Progress"]

_CLEAR = "\r\x1b[2K"
_NAME_CHARS = 50


class Progress:
    """Shows how many targets are done."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._is_shown = sys.stderr.isatty()

    def __enter__(self) -> Self:
        self._show("…")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hide()

    def hide(self) -> None:
        """Make room: what is written next, on whichever stream, begins on an empty line."""
        if self._is_shown:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()

    def advance(self, name: str) -> None:
        """One more is done."""
        self._done += 1
        self._show(clipped(masked(name), _NAME_CHARS))

    def _show(self, name: str) -> None:
        if self._is_shown:
            sys.stderr.write(f"{_CLEAR}checking {self._done} of {self._total}  {name}")
            sys.stderr.flush()
