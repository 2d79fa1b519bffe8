"""The ledger of IndexNow: which pages its engines were told of, and as of when each page was changed.

    # waypost indexnow 1
    1768903200.000000 /docs/intro
    - /docs/gone

Lines are added when a call was accepted, and count in their order; `-` says that the page's leaving was told. Whatever
is lost of it is told again: an engine hears of a page twice rather than never.
"""

import fcntl
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, Self

from waypost.errors import ConfigError, StoreError
from waypost.limits import INDEXNOW_LEDGER_BYTES_MAX
from waypost.site.content import read_file, write_file

__all__ = ["Ledger", "News"]

_HEAD = b"# waypost indexnow 1\n"
_LINE = re.compile(rb"(-|\d{1,12}\.\d{6}) (/[!-~]*)\n")
_SLACK_LINES = 1_000


class News(NamedTuple):
    """A page as it is now: its path, and when it was changed as the ledger spells it; "-" where it is gone."""

    path: str
    stamp: str

    @property
    def is_gone(self) -> bool:
        """Whether the page left."""
        return self.stamp == "-"


class Ledger:
    """One origin's ledger. One process at a time holds it; use it as a context manager."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.told: dict[str, str] = {}
        self.is_new = True
        """Whether nothing was ever told, nor taken as known."""
        self._lock = -1

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.read()
        except BlockingIOError:
            self.__exit__()
            raise ConfigError(f"another waypost indexnow is at work on {self.path}; let it finish") from None
        except OSError as error:
            self.__exit__()
            raise StoreError(f"cannot use {self.path}: {(error.strerror or str(error)).lower()}") from None
        except StoreError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def read(self) -> None:
        """Know what was told; nothing is written by whoever does not hold the ledger."""
        try:
            data, _ = read_file(str(self.path), INDEXNOW_LEDGER_BYTES_MAX + 1)
        except FileNotFoundError:
            return
        if not data.startswith(_HEAD) or len(data) > INDEXNOW_LEDGER_BYTES_MAX:
            raise StoreError(f"{self.path} is no ledger of this waypost; move it away to begin anew")
        self.is_new = False
        lines = 0
        for found in _LINE.finditer(data):
            lines += 1
            self._apply(News(found[2].decode(), found[1].decode()))
        if self._lock >= 0 and (lines > 2 * len(self.told) + _SLACK_LINES or not data.endswith(b"\n")):
            self._write()

    def _apply(self, news: News) -> None:
        if news.is_gone:
            self.told.pop(news.path, None)
        else:
            self.told[news.path] = news.stamp

    def begin(self, pages: Mapping[str, str]) -> None:
        """Take these pages as known, whatever was told before."""
        self.told = dict(pages)
        self.is_new = False
        self._write()

    def doubt(self) -> None:
        """Take every page as changed since it was told of."""
        self.told = dict.fromkeys(self.told, "")

    def add(self, told: Iterable[News]) -> None:
        """Remember what was told: on the disk when this returns."""
        if self.is_new:
            self.begin({})
        told = list(told)
        data = b"".join(f"{news.stamp} {news.path}\n".encode() for news in told)
        try:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(descriptor, view) :]
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise StoreError(f"cannot write {self.path}: {why}; what was told will be told again") from None
        for news in told:
            self._apply(news)

    def _write(self) -> None:
        lines = (f"{stamp} {path}\n".encode() for path, stamp in self.told.items())
        write_file(str(self.path), _HEAD + b"".join(lines))
