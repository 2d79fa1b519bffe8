"""Reading and writing the files of a root: regular files only, never through a link, and written all or nothing."""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from waypost.errors import StoreError
from waypost.site.shard import FOLDER_FLAGS, READ_FLAGS

__all__ = [
    "NotRegularError",
    "content_file",
    "copy_file",
    "is_short",
    "open_folder",
    "read_file",
    "sync_folder",
    "write_file",
]

_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_ROOM_BYTES = 65_536


_SHORT = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOMEM))


class NotRegularError(OSError):
    """A FIFO, a socket, a device, a directory or a link stands where a file was expected."""


def is_short(error: Exception) -> bool:
    """Whether this machine had no descriptor or memory to spare: what was asked for may be in order."""
    return isinstance(error, OSError) and error.errno in _SHORT


def open_folder(root: str, path: str) -> int:
    """A descriptor of a folder below a root; a link in the place of any folder on the way is refused."""
    descriptor = os.open(root, FOLDER_FLAGS)
    for name in path.split("/") if path else ():
        above = descriptor
        try:
            descriptor = os.open(name, FOLDER_FLAGS, dir_fd=above)
        finally:
            os.close(above)
    return descriptor


@contextlib.contextmanager
def content_file(path: str, root: str = "") -> Iterator[tuple[int, os.stat_result]]:
    """An open descriptor of a regular file and its status: the same bytes whatever is renamed over it meanwhile.

    With a root the path is one below it, and no folder on the way may be a link.
    """
    descriptor = _open_below(root, path) if root else open_file(path)
    try:
        yield descriptor, regular(descriptor, path)
    finally:
        os.close(descriptor)


def _open_below(root: str, path: str) -> int:
    above, _, name = path.rpartition("/")
    folder = open_folder(root, above)
    try:
        return open_file(name, folder)
    finally:
        os.close(folder)


def open_file(path: str, folder: int | None = None) -> int:
    """Open for reading without waiting for a FIFO's writer and without following a link."""
    try:
        return os.open(path, READ_FLAGS, dir_fd=folder)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENXIO}:
            raise NotRegularError(error.errno, "not a regular file", path) from None
        raise


def regular(descriptor: int, path: str) -> os.stat_result:
    """The status of an open file, which has to be a regular one."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise NotRegularError(errno.EINVAL, "not a regular file", path)
    return status


def read_file(path: str, bytes_max: int, root: str = "") -> tuple[bytes, os.stat_result]:
    """Up to `bytes_max` bytes of a regular file from its beginning, with the status it had when opened."""
    with content_file(path, root) as (descriptor, status):
        data = os.read(descriptor, min(bytes_max, max(status.st_size + 1, 4096)))
        if len(data) < bytes_max and len(data) > status.st_size:
            data = _rest(descriptor, data, bytes_max)
        return data, status


def _rest(descriptor: int, data: bytes, bytes_max: int) -> bytes:
    # The file grew while it was read.
    pieces, size = [data], len(data)
    while size < bytes_max and (piece := os.read(descriptor, min(_ROOM_BYTES, bytes_max - size))):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def write_file(path: str, data: bytes) -> None:
    """Replace or make a file so that after a crash at any moment the old one or the new one is there, whole.

    A temporary file beside it (its name is one that scans ignore) is written, flushed to the disk, renamed over it, and
    the directory is flushed. Raises StoreError, and leaves no temporary file, when the disk will not take it.
    """
    _replace(path, lambda temporary: _write_new(temporary, [data], _mode_of(path)))


def copy_file(source: str, path: str) -> None:
    """The same with the bytes of another file, and its time of modification and mode."""
    with content_file(source) as (descriptor, status):

        def write(temporary: str) -> None:
            _write_new(temporary, _pieces(descriptor), stat.S_IMODE(status.st_mode))
            os.utime(temporary, ns=(status.st_atime_ns, status.st_mtime_ns))

        _replace(path, write)


def _pieces(descriptor: int) -> Iterator[bytes]:
    while piece := os.read(descriptor, _ROOM_BYTES):
        yield piece


def _replace(path: str, write: Callable[[str], None]) -> None:
    target = Path(path)
    # Names have at most 255 bytes, and a letter of a name up to four.
    temporary = target.with_name(f".{target.name[:50]}.{secrets.token_hex(6)}.tmp")
    try:
        write(str(temporary))
        temporary.rename(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise StoreError(
            f"cannot write {path}: {(error.strerror or str(error)).lower()}; the old file is whole"
        ) from error
    try:
        sync_folder(str(target.parent))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise StoreError(f"{path} is written, but might not survive a loss of power: {why}") from error


def _mode_of(path: str) -> int | None:
    with contextlib.suppress(OSError):
        return stat.S_IMODE(os.lstat(path).st_mode)
    return None


def _write_new(path: str, pieces: Iterable[bytes], mode: int | None) -> None:
    descriptor = os.open(path, _WRITE, 0o666)
    try:
        if mode is not None:
            os.fchmod(descriptor, mode)
        for piece in pieces:
            view = memoryview(piece)
            while view:
                view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: str) -> None:
    """Flush a directory, so that a rename in it survives a loss of power; not every file system offers it."""
    descriptor = os.open(folder, _FOLDER)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
            raise
    finally:
        os.close(descriptor)
