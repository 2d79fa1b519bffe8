"""Files a command writes for its user: the old one or the new one, never half of it, and nothing beside it."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from waypost.errors import StoreError
from waypost.formats.printable import printable

__all__ = ["write_file"]


def write_file(name: str, data: Iterable[bytes]) -> None:
    """Write a file whole, through links and with the mode it has; what cannot be written is a `StoreError`."""
    path = Path(name)
    try:
        if path.is_dir():
            raise StoreError(f"cannot write {printable(name)}: it is a directory")
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                file.writelines(data)
        else:
            _replace(path, data)
    except OSError as error:
        raise StoreError(f"cannot write {printable(name)}: {(error.strerror or str(error)).lower()}") from None


def _replace(path: Path, data: Iterable[bytes]) -> None:
    path = path.resolve()
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".waypost-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(data)
        Path(beside).chmod(mode)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
