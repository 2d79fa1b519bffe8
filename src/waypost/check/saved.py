"""Captures as a folder: one file each and an index, to attach to a report, to replay, to score again years later.

    index.json              {"format": "waypost-captures", "version": 1, "about": {…}, "captures": [{"file", "url"}, …]}
    0001-robots.capture     one line of JSON (request, hops, error, figures), a line feed, then the body byte for byte

A folder may come from a stranger: it is read within bounds, no name leads out of it, and what is odd is one sentence.
"""

import json
import os
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from waypost.check.body import Body, BodyWriter
from waypost.check.capture import Capture, ErrorKind, Fetcher, Request, unanswered
from waypost.check.savedform import read_capture, write_capture
from waypost.errors import ConfigError, StoreError
from waypost.limits import CAPTURE_HEAD_BYTES_MAX, CAPTURES_MAX, FEED_PIECE_BYTES, SITEMAP_BYTES_MAX

__all__ = ["Recorder", "ReplayFetcher", "SavedCaptures", "load_captures"]

FORMAT, VERSION = "waypost-captures", 1
_INDEX = "index.json"
_NAME = re.compile(r"[0-9]{4,6}-[a-z]{1,20}\.capture", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    body_at: int
    body_bytes: int
    capture: Capture


@dataclass(frozen=True, slots=True)
class SavedCaptures:
    """What a folder of captures holds; bodies are read when they are asked for."""

    about: Mapping[str, str]
    entries: tuple[_Entry, ...]


class Recorder:
    """A fetcher that writes down whatever another one gives; `finish` writes the index.

    An older set of captures in the folder is replaced, and a folder that holds anything else is refused.
    """

    def __init__(self, fetcher: Fetcher, folder: str | os.PathLike[str], about: Mapping[str, str]) -> None:
        self._fetcher = fetcher
        self._writer = _Writer(Path(folder))
        self._about = about

    async def fetch(self, request: Request) -> Capture:
        """The other fetcher's answer, kept."""
        capture = await self._fetcher.fetch(request)
        self._writer.add(capture)
        return capture

    def finish(self) -> None:
        """Write the index: only now is the folder one that can be replayed."""
        self._writer.finish(self._about)


class _Writer:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rows: list[dict[str, str]] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            paths = sorted(folder.iterdir())
            foreign = [path.name for path in paths if path.name != _INDEX and not _NAME.fullmatch(path.name)]
            if foreign:
                raise ConfigError(f"--save {folder}: the folder holds other files ({foreign[0]}); give a new one")
            for path in paths:
                path.unlink()
        except OSError as error:
            raise _cannot_write(folder, error) from None

    def add(self, capture: Capture) -> None:
        name = f"{len(self._rows) + 1:04d}-{capture.request.purpose.value}.capture"
        head = json.dumps(write_capture(capture), ensure_ascii=True, separators=(",", ":"), sort_keys=True)
        try:
            with (self._folder / name).open("xb") as stream:
                stream.write(head.encode("ascii") + b"\n")
                for chunk in capture.body.chunks():
                    stream.write(chunk)
        except OSError as error:
            raise _cannot_write(self._folder, error) from None
        self._rows.append({"file": name, "url": capture.url})

    def finish(self, about: Mapping[str, str]) -> None:
        document = {"format": FORMAT, "version": VERSION, "about": dict(about), "captures": self._rows}
        text = json.dumps(document, ensure_ascii=True, indent=1, sort_keys=True) + "\n"
        try:
            fresh = self._folder / f".{_INDEX}.new"
            fresh.write_text(text, encoding="ascii")
            fresh.replace(self._folder / _INDEX)
        except OSError as error:
            raise _cannot_write(self._folder, error) from None


def _cannot_write(folder: Path, error: OSError) -> StoreError:
    return StoreError(f"cannot save captures in {folder}: {(error.strerror or str(error)).lower()}")


def load_captures(folder: str | os.PathLike[str]) -> SavedCaptures:
    """Read a folder of captures; `ConfigError` with one sentence where it is none, or not a sound one."""
    root = Path(folder)
    index = _json(_read(root / _INDEX, CAPTURE_HEAD_BYTES_MAX), root / _INDEX)
    if index.get("format") != FORMAT:
        raise ConfigError(f"{root}: not a folder of waypost captures")
    if index.get("version") != VERSION:
        found = str(index.get("version"))[:20]
        raise ConfigError(f"{root}: its captures have version {found}; this waypost reads version {VERSION}")
    rows, about = index.get("captures"), index.get("about")
    if not isinstance(rows, list) or not isinstance(about, dict) or len(rows) > CAPTURES_MAX:
        raise ConfigError(f"{root / _INDEX}: its list of captures is not one that waypost wrote")
    entries = tuple(_entry(root, row) for row in rows)
    return SavedCaptures({str(key)[:100]: str(value)[:2_000] for key, value in about.items()}, entries)


def _entry(root: Path, row: object) -> _Entry:
    name = row.get("file") if isinstance(row, dict) else None
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ConfigError(f"{root / _INDEX}: it names a file that no capture can have")
    path = root / name
    with _open(path) as stream:
        line = stream.readline(CAPTURE_HEAD_BYTES_MAX)
        body_bytes = os.fstat(stream.fileno()).st_size - len(line)
    if not line.endswith(b"\n"):
        raise ConfigError(f"{path}: its first line is cut or too long")
    if body_bytes > SITEMAP_BYTES_MAX + 1:
        raise ConfigError(f"{path}: its body has {body_bytes:,} bytes, more than any capture can have")
    try:
        capture = read_capture(_json(line, path))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ConfigError(f"{path}: its first line is not one that waypost wrote") from None
    return _Entry(path, len(line), body_bytes, capture)


def _open(path: Path) -> IO[bytes]:
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        stream = os.fdopen(opened, "rb")
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    if not path.is_file():
        stream.close()
        raise ConfigError(f"cannot read {path}: not a regular file")
    return stream


def _read(path: Path, bytes_max: int) -> bytes:
    with _open(path) as stream:
        data = stream.read(bytes_max + 1)
    if len(data) > bytes_max:
        raise ConfigError(f"{path}: larger than {bytes_max:,} bytes, the most it may have")
    return data


def _json(data: bytes, path: Path) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise ConfigError(f"{path}: not JSON") from None
    if not isinstance(value, dict):
        raise ConfigError(f"{path}: not a JSON object")
    return value


def _with_body(entry: _Entry) -> Capture:
    with _open(entry.path) as stream, BodyWriter() as writer:
        stream.seek(entry.body_at)
        while len(writer) < entry.body_bytes:
            piece = stream.read(min(FEED_PIECE_BYTES, entry.body_bytes - len(writer)))
            if not piece:
                break
            writer.write(piece)
        return replace(entry.capture, body=writer.finish())


class ReplayFetcher:
    """Answers from saved captures alone; a URL asked again gets its later captures in turn, then the last one again."""

    def __init__(self, saved: SavedCaptures) -> None:
        self._waiting: dict[tuple[object, ...], list[_Entry]] = defaultdict(list)
        for entry in saved.entries:
            self._waiting[_key(entry.capture.request)].append(entry)

    async def fetch(self, request: Request) -> Capture:
        """What was answered when this was captured."""
        waiting = self._waiting.get(_key(request))
        if not waiting:
            return unanswered(request, ErrorKind.NOT_CAPTURED)
        entry = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        capture = _with_body(entry)
        if len(capture.body) <= request.bytes_max + 1:
            return replace(capture, request=request)
        return replace(capture, request=request, body=Body(capture.body.head(request.bytes_max + 1)), truncated=True)


def _key(request: Request) -> tuple[object, ...]:
    return request.method, request.url, request.headers
