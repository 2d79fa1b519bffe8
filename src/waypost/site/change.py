"""Changes to the files of a root that can be taken back: what stood there is kept first, then files are replaced.

A change is a table of files and what they are to hold. Sidecars are written before their blobs and removed after them,
so whoever looks between two steps, or after a crash at any of them, sees the old object, the new one, or one that fewer
may see. What was there is kept outside the content, in `state/undo/` of a runtime root and in the user's state
directory for a bare folder, until it is taken back or a thousand changes came after it.
"""

import contextlib
import json
import os
import secrets
import shutil
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from waypost.errors import ContentError, StoreError
from waypost.limits import UNDO_KEPT_MAX
from waypost.site.content import NotRegularError, content_file, copy_file, sync_folder, write_file
from waypost.site.naming import sidecar_form

__all__ = ["Change", "Changed", "changes_kept", "undo"]

_JOURNAL = "journal.json"
_JOURNAL_BYTES_MAX = 1_048_576
_PIECE_BYTES = 1_048_576


@dataclass(frozen=True, slots=True)
class Changed:
    """A change that can be taken back: the word that names it, what it was, and when."""

    word: str
    what: str
    at: float


@dataclass(frozen=True, slots=True)
class Change:
    """What files below `content` are to hold: bytes, the bytes of another file of it (its path), or nothing (None)."""

    what: str
    files: Mapping[str, bytes | Path | None]

    def apply(self, content: str, state: Path) -> str:
        """Make the change; the word that takes it back. Where the disk will not take it nothing is changed."""
        word = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(3)}"
        try:
            kept = self._keep(content, state, word)
        except OSError as error:
            raise StoreError(f"cannot write below {state}: {_reason(error)}; nothing was changed") from error
        try:
            for name in _in_order(self.files):
                _put(f"{content}/{name}", self.files[name])
        except (OSError, StoreError) as error:
            with contextlib.suppress(OSError, StoreError):
                _restore(content, kept)
            why = _reason(error) if isinstance(error, OSError) else str(error).partition(": ")[2]
            raise StoreError(
                f"{self.what}: {why.removesuffix('; the old file is whole')}; it was taken back"
            ) from error
        return word

    def _keep(self, content: str, state: Path, word: str) -> Path:
        """Copy what is there to the state, flushed to the disk, with what will be there instead."""
        place = state / "undo" / word
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.mkdir(mode=0o700, parents=True)
        _forget_oldest(place.parent)
        rows = []
        for number, (name, data) in enumerate(self.files.items()):
            old = Path(content, name)
            row: dict[str, Any] = {"file": name, "before": _digest(old), "after": _digest(data)}
            if row["before"]:
                copy_file(str(old), str(place / str(number)))
                row["kept"] = str(number)
            rows.append(row)
        journal = {"what": self.what, "at": time.time(), "files": rows, "folders": _missing(content, self.files)}
        write_file(str(place / _JOURNAL), json.dumps(journal).encode())
        sync_folder(str(place.parent))
        return place


def changes_kept(state: Path) -> list[Changed]:
    """The changes that can be taken back, the newest first."""
    found = []
    for place in sorted((state / "undo").glob("*-*-*"), reverse=True):
        with contextlib.suppress(OSError, ValueError, KeyError):
            journal = json.loads((place / _JOURNAL).read_bytes()[:_JOURNAL_BYTES_MAX])
            found.append(Changed(place.name, str(journal["what"]), float(journal["at"])))
    return found


def undo(content: str, state: Path, word: str) -> str:
    """Take a change back: every file of it as it was, to the byte and its time; what the change was comes back.

    Raises ContentError where there is no such change or a file was changed since.
    """
    place = state / "undo" / word
    if not word or "/" in word or not (place / _JOURNAL).is_file():
        raise ContentError(f"there is no change {word!r} to take back; waypost page undo FOLDER lists what there is")
    try:
        journal = json.loads((place / _JOURNAL).read_bytes()[:_JOURNAL_BYTES_MAX])
        for row in journal["files"]:
            if _digest(Path(content, row["file"])) not in {row["before"], row["after"]}:
                raise ContentError(f"{row['file']} was changed since ({journal['what']}); what it was is in {place}")
        _restore(content, place)
    except OSError as error:
        raise StoreError(f"cannot take {word} back: {_reason(error)}; try again when there is room") from error
    return str(journal["what"])


def _restore(content: str, place: Path) -> None:
    journal = json.loads((place / _JOURNAL).read_bytes()[:_JOURNAL_BYTES_MAX])
    rows = {row["file"]: row for row in journal["files"]}
    for name in _in_order({name: Path() if row["before"] else None for name, row in rows.items()}):
        row, path = rows[name], Path(content, name)
        if _digest(path) != row["before"]:
            _put(str(path), place / row["kept"] if row["before"] else None)
    for folder in reversed(journal["folders"]):
        # A crash may have left a temporary file of ours in a folder that we made.
        with contextlib.suppress(OSError):
            for draft in Path(content, folder).glob(".*.tmp"):
                draft.unlink()
            Path(content, folder).rmdir()
    shutil.rmtree(place)
    for folder in (place.parent, place.parent.parent):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _in_order(files: Mapping[str, object]) -> list[str]:
    """What is written first, sidecars before blobs; then what is removed, blobs before sidecars."""

    def rank(name: str) -> tuple[bool, bool]:
        is_removed = files[name] is None
        return is_removed, bool(sidecar_form(name)) == is_removed

    return sorted(files, key=rank)


def _put(path: str, data: bytes | Path | None) -> None:
    folder = Path(path).parent
    if data is None:
        with contextlib.suppress(FileNotFoundError):
            Path(path).unlink()
            sync_folder(str(folder))
        return
    _make_folder(folder)
    if isinstance(data, bytes):
        write_file(path, data)
    else:
        copy_file(str(data), path)


def _make_folder(folder: Path) -> None:
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for path in reversed(missing):
        path.mkdir()
        sync_folder(str(path.parent))


def _missing(content: str, names: Iterable[str]) -> list[str]:
    """The folders that have to be made, those above first."""
    found: set[str] = set()
    for name in names:
        folder = Path(name).parent
        while str(folder) != "." and not Path(content, folder).is_dir():
            found.add(str(folder))
            folder = folder.parent
    return sorted(found)


def _digest(source: bytes | Path | None) -> str:
    """What a file holds, in a word; "" for no file."""
    if source is None:
        return ""
    seen = blake2b(digest_size=16)
    if isinstance(source, bytes):
        seen.update(source)
        return seen.hexdigest()
    try:
        with content_file(str(source)) as (descriptor, _):
            while piece := os.read(descriptor, _PIECE_BYTES):
                seen.update(piece)
    except FileNotFoundError:
        return ""
    except NotRegularError as error:
        raise ContentError(f"{source.name} is no regular file: {_reason(error)}") from None
    return seen.hexdigest()


def _forget_oldest(folder: Path) -> None:
    for old in sorted(folder.glob("*-*-*"))[:-UNDO_KEPT_MAX]:
        shutil.rmtree(old, ignore_errors=True)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
