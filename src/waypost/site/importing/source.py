"""The folder that is imported: read and never written, links ignored, a limit on everything."""

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from waypost.errors import ContentError
from waypost.limits import CONFIG_BYTES_MAX, FOLDER_DEPTH_MAX, IMPORT_FILES_MAX, IMPORT_PAGE_BYTES_MAX
from waypost.site.content import read_file
from waypost.site.importing.plan import Plan
from waypost.site.navigation import words_of
from waypost.site.notation import Unreadable, read_toml, read_yaml

__all__ = ["Source", "read_table", "tell_settings"]

_NEVER = frozenset({"node_modules", "__pycache__", "_site", "public", "resources", "vendor"})
"""Folders of what tools made, at the top of a source."""
_TAGS = re.compile(r"(?<![\w\"'])!(?:!python/\S+|ENV|relative|include)\b[^\n]*")
"""YAML that only another program's loader could make values of; what it stands for is unknown."""


class Source:
    """A folder: its regular files by their paths below it, sorted, and their bytes."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.links = 0
        """Symbolic links that were ignored."""
        self.files = tuple(sorted(self._walk()))
        self._known = frozenset(self.files)

    def _walk(self) -> list[str]:
        found: list[str] = []
        for above, folders, names in os.walk(self.folder):
            path = os.path.relpath(above, self.folder)
            path = "" if path == "." else f"{path}/"
            kept = [name for name in folders if not name.startswith(".") and not (not path and name in _NEVER)]
            self.links += sum(Path(above, name).is_symlink() for name in (*kept, *names))
            folders[:] = [name for name in kept if path.count("/") < FOLDER_DEPTH_MAX]
            for name in names:
                file = Path(above, name)
                if not name.startswith(".") and file.is_file() and not file.is_symlink():
                    found.append(path + name)
            if len(found) > IMPORT_FILES_MAX:
                raise ContentError(f"{self.folder} has more than {IMPORT_FILES_MAX:,} files, the most that is imported")
        return [name for name in found if _is_text(name)]

    @property
    def name(self) -> str:
        """The folder's name in words, for a site that says no title."""
        return words_of(Path(self.folder).resolve().name)

    def __contains__(self, path: str) -> bool:
        return path in self._known

    def has_folder(self, path: str) -> bool:
        """Whether there is a folder of this name that is no link."""
        full = Path(self.folder, path)
        return full.is_dir() and not full.is_symlink()

    def below(self, folder: str) -> list[str]:
        """The files below a folder; "" is the top."""
        start = f"{folder.strip('/')}/" if folder.strip("/") else ""
        return [name for name in self.files if name.startswith(start)]

    def text(self, path: str, bytes_max: int = IMPORT_PAGE_BYTES_MAX) -> str:
        """A file's text. Raises Unreadable where it is none, or too long."""
        try:
            data, _ = read_file(f"{self.folder}/{path}", bytes_max + 1)
        except OSError as error:
            raise Unreadable((error.strerror or str(error)).lower()).at(path) from None
        if len(data) > bytes_max:
            raise Unreadable(f"longer than {bytes_max:,} bytes").at(path)
        try:
            return data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise Unreadable("not UTF-8").at(path) from None

    def table(self, *names: str) -> tuple[str, dict[str, Any]]:
        """The first of these files of settings that is there, and its table; "" and nothing where none is."""
        name = next((name for name in names if name in self), "")
        return name, read_table(self.text(name, CONFIG_BYTES_MAX), name) if name else {}


def tell_settings(plan: Plan, name: str, text: str, keys: Iterable[str]) -> None:
    """Say which keys of a file of settings mean nothing here."""
    for key in keys:
        found = re.search(rf"^[ \t\[{{]*[\"']?{re.escape(key)}[\"']?[ \t]*[\].:=]", text, re.MULTILINE)
        line = text.count("\n", 0, found.start()) + 1 if found else 0
        plan.miss(name, "settings", f"{key:.80} means nothing here", line)


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return name.isprintable()


def read_table(text: str, name: str) -> dict[str, Any]:
    """A file of settings as a table. Raises Unreadable, with its name, where it is none."""
    try:
        if name.endswith(".toml"):
            value: object = read_toml(text.encode())
        elif name.endswith(".json"):
            value = json.loads(text)
        else:
            value = read_yaml(_TAGS.sub("", text).encode())
    except Unreadable as fault:
        raise fault.at(name) from None
    except (ValueError, RecursionError):
        raise Unreadable("not JSON", 1).at(name) from None
    if not isinstance(value, dict):
        raise Unreadable("not a table of keys", 1).at(name)
    return {str(key): said for key, said in value.items()}
