"""When files were last committed: for checkouts and images, where the disk only knows the time of the build."""

import contextlib
import logging
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from waypost.limits import GIT_BYTES_MAX, GIT_FILE_BYTES_MAX, GIT_SECONDS_MAX
from waypost.site.content import read_file

__all__ = ["GitDates", "commit_dates"]

_log = logging.getLogger("waypost.site")
_HARMLESS = ("-c", "log.showSignature=false", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never")
"""The configuration in a folder may name programs to check signatures, watch files or fetch what is missing: no."""


def commit_dates(folder: str) -> dict[str, float]:
    """The time of the last commit that touched each file below a folder, by path relative to it.

    One `git log`, bounded in time and bytes; an empty answer where there is no repository or no git.
    """
    command = (
        "git", "-C", folder, *_HARMLESS, "-c", "core.quotePath=false", "log", "--format=%x00%ct", "--name-only", "-z",
        "--no-renames", "--diff-filter=AMT", "--relative", "HEAD", "--", ".",
    )  # fmt: skip
    environment = {
        **os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1",
    }  # fmt: skip
    try:
        answer = subprocess.run(  # noqa: S603 - nothing in it comes from a stranger, and no shell reads it
            command, capture_output=True, timeout=GIT_SECONDS_MAX, check=True, env=environment, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError) as error:
        _log.warning("no dates from git: %s", type(error).__name__)
        return {}
    if len(answer.stdout) > GIT_BYTES_MAX:
        _log.warning("no dates from git: its log is longer than %d bytes", GIT_BYTES_MAX)
        return {}
    return read_log(answer.stdout)


def read_log(data: bytes) -> dict[str, float]:
    """The first, which is the newest, commit that names each file; fields are divided by NUL."""
    dates: dict[str, float] = {}
    time = 0.0
    fields = iter(data.split(b"\0"))
    for text in fields:
        if text == b"":
            # An empty field stands before the time of each commit.
            time = _time(next(fields, b""), time)
        else:
            dates.setdefault(os.fsdecode(text.lstrip(b"\n")), time)
    return dates


def _time(text: bytes, before: float) -> float:
    digits = text.strip()
    return float(digits) if digits.isdigit() else before


class GitDates:
    """The dates of one folder's repository, read again when its history moves."""

    def __init__(self) -> None:
        self.is_used = False
        """Whether the settings ask for dates from git at all."""
        self._seen: tuple[int, ...] | None = None

    def has_moved(self, folder: str) -> bool:
        """Whether dates are wanted and the history moved since they were read."""
        return self.is_used and _history_signs(folder) != self._seen

    def read(self, folder: str) -> Mapping[str, float]:
        """The dates as they are now; takes as long as git does."""
        self._seen = _history_signs(folder)
        return commit_dates(folder)


def _history_signs(folder: str) -> tuple[int, ...]:
    for above in (Path(folder), *Path(folder).parents):
        with contextlib.suppress(OSError, ValueError):
            try:
                status = above.joinpath(".git/logs/HEAD").stat()
            except NotADirectoryError:
                status = _elsewhere(above / ".git").joinpath("logs/HEAD").stat()
            return status.st_ino, status.st_mtime_ns, status.st_size
    return ()


def _elsewhere(file: Path) -> Path:
    """Where a checkout beside its repository has its own part of that: its `.git` is a file that says so."""
    data, _ = read_file(str(file), GIT_FILE_BYTES_MAX)
    return file.parent / os.fsdecode(data.removeprefix(b"gitdir:").strip())
