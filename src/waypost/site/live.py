"""The configuration of a running root: true to the disk at each request, and the last good one where the disk is not.

It has an inotify instance of its own, so robots.txt never waits for a scan of the content.
"""

import logging
import os
from collections.abc import Mapping
from threading import RLock
from typing import Any

from waypost.errors import ConfigError
from waypost.formats.printable import log_line
from waypost.limits import SAID_CHARS_MAX
from waypost.site.access import Tag, narrowed, read_tags_yaml
from waypost.site.config import CONFIG_FILE, Configuration, configure, not_blank, read_config
from waypost.site.settings import Settings
from waypost.site.sidecar import Unreadable
from waypost.site.watch import (
    CREATE,
    EVERYTHING,
    MODIFY,
    NAMES_COME_AND_GO,
    SETTLES,
    Feed,
    Mode,
    filesystem_mode,
    watcher,
)
from waypost.site.writers import has_writer

__all__ = ["TAGS_FILE", "LiveConfig"]

TAGS_FILE = "state/sys/tags.yaml"

_log = logging.getLogger("waypost.site")
_LAST_GOOD = "what was last good stays in force"
_FOLDERS = (("", EVERYTHING), ("state", NAMES_COME_AND_GO), ("state/sys", EVERYTHING))
_NAMES = {"": {"waypost.toml", "content", "state"}, "state": {"sys"}, "state/sys": {"tags.yaml"}}


class LiveConfig:
    """Settings and tags of a root as they are now. At the start a broken `waypost.toml` raises ConfigError."""

    def __init__(
        self, root: str, *, environment: Mapping[str, str] | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        self.root = root
        self._stat = os.stat
        self.faults: dict[str, str] = {}
        """What is wrong now with a file whose last good content stays in force."""
        self.looks = 0
        """Counts how often the disk was looked at because something moved near the configuration."""
        self.lock = RLock()
        self.generation = 0
        """Counts the changes of settings and tags."""
        self.tags: Mapping[str, Tag] | None = {}
        self.changed_ns = 0
        """The latest time any of the files or their directories shows."""
        self.feed: Feed | None = None
        self._environment, self._options = dict(environment or {}), dict(options or {})
        self._folders: dict[int, str] = {}
        self._open: set[str] = set()
        self._identity: tuple[int, ...] = ()
        self._signature: tuple[int, ...] = ()
        self._file_tags: Mapping[str, Tag] | None = {}
        self._had_settings = self._had_tags = False
        self._settled: Mapping[str, Tag] = {}
        self._arm()
        try:
            self.configuration = self._first()
        except ConfigError:
            self.close()
            raise
        self._read_tags(first=True)
        self._combine()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.configuration.settings

    def refresh(self) -> bool:
        """Come in step with the disk; whether anything in force changed."""
        with self.lock:
            return self._refreshed()

    def is_elsewhere(self) -> bool:
        """Whether the root's own path leads to another directory than it did."""
        return self._identify() != self._identity

    def rearm(self) -> None:
        """After a fork: what was inherited belongs to the parent."""
        self.lock = RLock()
        self._arm()
        self._reload()

    def _refreshed(self) -> bool:
        if self.is_elsewhere():
            self._arm()
            return self._reload()
        if self.feed is None:
            return self._signs() != self._signature and self._reload()
        return self.feed.pending() and self._drain(self.feed) and self._reload()

    def close(self) -> None:
        """Give the descriptors back."""
        if self.feed is not None:
            self.feed.close()
            self.feed = None

    def _arm(self) -> None:
        self.close()
        self.faults.pop("watch", None)
        self._folders.clear()
        self._open.clear()
        self._identity = self._identify()
        if filesystem_mode(os.fsencode(self.root)) is not Mode.EXACT:
            return
        try:
            self.feed = Feed(watcher().config)
        except OSError as error:
            self._ask_times(error)
        else:
            self._watch_folders(self.feed)

    def _ask_times(self, error: OSError) -> None:
        self.faults["watch"] = f"the configuration is asked for its times: {error.strerror}"
        self.close()

    def _watch_folders(self, feed: Feed) -> None:
        # Again at each change, for a folder may have come or been replaced.
        for folder, mask in _FOLDERS:
            try:
                self._folders[feed.add(os.fsencode(os.path.join(self.root, folder)), mask)] = folder  # noqa: PTH118
            except (FileNotFoundError, NotADirectoryError, PermissionError):
                return
            except OSError as error:
                self._ask_times(error)
                return

    def _drain(self, feed: Feed) -> bool:
        """Whether an event concerns a file of ours."""
        concerns = False
        for event in feed.drain():
            folder = self._folders.get(event.watch)
            name = os.fsdecode(event.name)
            if folder is None or (name and name not in _NAMES[folder]):
                continue
            concerns = True
            path = f"{folder}/{name}" if folder else name
            if event.mask & (MODIFY | CREATE):
                self._open.add(path)
            elif event.mask & SETTLES:
                self._open.discard(path)
        if concerns:
            self._watch_folders(feed)
        return concerns

    def _signs(self) -> tuple[int, ...]:
        signs: list[int] = []
        for name in (CONFIG_FILE, TAGS_FILE):
            try:
                status = self._stat(f"{self.root}/{name}")
            except OSError:
                signs.append(0)
            else:
                signs += (status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size)
        return tuple(signs)

    def _first(self) -> Configuration:
        self._signature = self._signs()
        data = self._bytes(CONFIG_FILE)
        self._had_settings = _says(data)
        return configure(data, environment=self._environment, options=self._options)

    def _reload(self) -> bool:
        before = (self.configuration, self.tags)
        self.looks += 1
        self._open = {name for name in self._open if has_writer(f"{self.root}/{name}")}
        self._signature = self._signs()
        self._read_settings()
        self._read_tags()
        self._combine()
        if (self.configuration, self.tags) == before:
            return False
        self.generation += 1
        return True

    def _read_settings(self) -> None:
        try:
            data = self._written(CONFIG_FILE, is_wanted=self._had_settings)
            found = configure(data, environment=self._environment, options=self._options)
        except ConfigError as error:
            self._fault(CONFIG_FILE, str(error))
            return
        self._had_settings = _says(data)
        self.faults.pop(CONFIG_FILE, None)
        # Half a file may not name the admin path yet, and what stands below it would be listed for everybody.
        if CONFIG_FILE not in self._open or found.settings.admin_path == self.settings.admin_path:
            self.configuration = found

    def _read_tags(self, *, first: bool = False) -> None:
        try:
            data = self._written(TAGS_FILE, is_wanted=self._had_tags)
            tags = {} if data is None else read_tags_yaml(data)
        except (Unreadable, ConfigError) as error:
            where = f"{TAGS_FILE}:{error.line}: " if isinstance(error, Unreadable) else ""
            if first:
                self._file_tags = None
            follows = "every tagged object is withheld" if self._file_tags is None else _LAST_GOOD
            self._fault(TAGS_FILE, f"{where}{error}", follows)
            return
        self._had_tags = data is not None
        self.faults.pop(TAGS_FILE, None)
        self._file_tags = tags

    def _combine(self) -> None:
        """Make one table of tags; what is still being written may only narrow what was settled."""
        if self._file_tags is None:
            self.tags = None
            return
        tags = {**self._file_tags, **self.settings.tags}
        if self._open & {CONFIG_FILE, TAGS_FILE}:
            self.tags = narrowed(tags, self._settled)
        else:
            self.tags = self._settled = tags

    def _written(self, name: str, *, is_wanted: bool) -> bytes | None:
        """A file's bytes; one that is empty or gone and was good before is about to be written: it is no good."""
        data = self._bytes(name)
        return not_blank(data, name) if is_wanted else data

    def _bytes(self, name: str) -> bytes | None:
        found = read_config(f"{self.root}/{name}", name)
        if found is None:
            return None
        data, status = found
        self.changed_ns = max(self.changed_ns, status.st_mtime_ns, status.st_ctime_ns)
        return data

    def _fault(self, name: str, sentence: str, follows: str = _LAST_GOOD) -> None:
        if self.faults.get(name) != sentence:
            self.faults[name] = sentence
            _log.warning("%s; %s", log_line(sentence, SAID_CHARS_MAX), follows)

    def _identify(self) -> tuple[int, ...]:
        try:
            status = self._stat(self.root)
        except OSError:
            return ()
        return status.st_dev, status.st_ino


def _says(data: bytes | None) -> bool:
    """Whether a file is there and not blank."""
    return bool(data and data.strip())
