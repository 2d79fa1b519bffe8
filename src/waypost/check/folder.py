"""A built site's files, read as if a web server served them: never outside the folder, never through a link."""

import errno
import os
import stat
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path, PurePosixPath
from urllib.parse import unquote_to_bytes

from waypost.check.body import Body, BodyWriter
from waypost.check.capture import Capture, ErrorKind, Headers, Hop, Request, unanswered
from waypost.check.place import Place, read_place
from waypost.errors import ConfigError
from waypost.limits import FEED_PIECE_BYTES

__all__ = ["FolderFetcher"]

CONTENT_TYPES = {
    ".atom": "application/atom+xml",
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".gif": "image/gif",
    ".gz": "application/gzip",
    ".htm": "text/html; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".opml": "text/x-opml",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".rss": "application/rss+xml",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webp": "image/webp",
    ".xhtml": "application/xhtml+xml",
    ".xml": "application/xml",
}
"""What a static host says of a file, by the end of its name."""

_NO_LINKS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NOT_THERE = frozenset({errno.ELOOP, errno.ENAMETOOLONG, errno.ENXIO, errno.EINVAL})
_INDEX = "index.html"


class FolderFetcher:
    """Answers from the files of a folder as if they stood at `base_url`, which has no path."""

    def __init__(self, folder: str | os.PathLike[str], base_url: str) -> None:
        base = read_place(base_url)
        if not isinstance(base, Place):
            raise ConfigError(
                f"--base {base_url[:100]}: give the URL the folder is served at, such as https://example.com"
            )
        if not Path(folder).is_dir():
            raise ConfigError(f"{folder}: not a folder")
        if (path := base.target.partition("?")[0]) != "/":
            raise ConfigError(
                f"--base {base_url[:100]}: a check begins at {base.origin}/robots.txt, so it takes the folder of the "
                f"whole site: put this one into an empty folder as {path.strip('/')[:100]}, and check that one with "
                f"--base {base.origin}"
            )
        self._root = Path(folder)
        self._origin = base.origin

    async def fetch(self, request: Request) -> Capture:
        """The file a URL means, with the status and headers a static host would give it."""
        place = read_place(request.url)
        if not isinstance(place, Place):
            return unanswered(request, place.kind, place.detail)
        path = place.target.partition("?")[0]
        if place.origin != self._origin:
            return unanswered(request, ErrorKind.OUTSIDE_FOLDER)
        try:
            return self._answer(request, place, path)
        except OSError as error:
            return unanswered(request, ErrorKind.FILE_UNREADABLE, (error.strerror or "").lower())

    def _answer(self, request: Request, place: Place, path: str) -> Capture:
        names = _segments(path.removeprefix("/"))
        if names is None:
            return self._missing(request, place)
        if path.endswith("/") or not names:
            found = _open(self._root, [*names, _INDEX])
            return _served(request, Hop(place.url, 200), _INDEX, found) if found else self._missing(request, place)
        for name in (names[-1], f"{names[-1]}.html"):
            if found := _open(self._root, [*names[:-1], name]):
                return _served(request, Hop(place.url, 200), name, found)
        if found := _open(self._root, [*names, _INDEX]):
            moved = Hop(place.url, 301, Headers((("Location", f"{path}/"),)))
            return _served(request, Hop(f"{place.origin}{path}/", 200), _INDEX, found, before=(moved,))
        return self._missing(request, place)

    def _missing(self, request: Request, place: Place) -> Capture:
        hop = Hop(place.url, 404, Headers((("Content-Type", CONTENT_TYPES[".txt"]),)))
        if found := _open(self._root, ["404.html"]):
            return _served(request, hop, "404.html", found)
        return Capture(request, (hop,), Body(b"not found\n"), wire_bytes=10)


def _segments(path: str) -> list[str] | None:
    """The names a path is made of; None for one that no file of a built site can have."""
    names = [os.fsdecode(unquote_to_bytes(part)) for part in path.split("/")]
    if names and names[-1] == "":
        names.pop()
    is_hidden = any(name.startswith(".") and name != ".well-known" for name in names)
    is_odd = any(not name or "/" in name or "\0" in name for name in names)
    return None if is_hidden or is_odd else names


def _open(root: Path, names: list[str]) -> int | None:
    """Open a regular file below a folder name by name, so that no link on the way can lead out of it."""
    holder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for name in names[:-1]:
            inner = os.open(name, _NO_LINKS | os.O_DIRECTORY, dir_fd=holder)
            os.close(holder)
            holder = inner
        found = os.open(names[-1], _NO_LINKS, dir_fd=holder)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        if error.errno in _NOT_THERE:
            return None
        raise
    finally:
        os.close(holder)
    if stat.S_ISREG(os.fstat(found).st_mode):
        return found
    os.close(found)
    return None


def _served(request: Request, hop: Hop, name: str, opened: int, before: tuple[Hop, ...] = ()) -> Capture:
    with os.fdopen(opened, "rb") as stream, BodyWriter() as writer:
        facts = os.fstat(stream.fileno())
        while request.method != "HEAD" and len(writer) <= request.bytes_max:
            piece = stream.read(min(FEED_PIECE_BYTES, request.bytes_max + 1 - len(writer)))
            if not piece:
                break
            writer.write(piece)
        pairs = (
            ("Content-Type", CONTENT_TYPES.get(PurePosixPath(name).suffix.lower(), "application/octet-stream")),
            ("Content-Length", str(facts.st_size)),
            ("Last-Modified", formatdate(facts.st_mtime, usegmt=True)),
        )
        length = len(writer)
        hops = (*before, replace(hop, headers=Headers(pairs)))
        return Capture(request, hops, writer.finish(), wire_bytes=length, truncated=length > request.bytes_max)
