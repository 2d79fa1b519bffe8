"""The starter site: a small root that teaches by example, kept as files beside this module."""

from importlib.resources import as_file, files
from pathlib import Path
from shutil import copyfile

from waypost.errors import ContentError, StoreError

__all__ = ["write_starter"]

_KIT = "starterkit"


def write_starter(folder: Path) -> list[Path]:
    """Copy the starter site into a folder that is empty or not there; the files written, in order.

    Raises ContentError where there is something already, StoreError where the disk refuses.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ContentError(f"{folder} is not an empty folder; nothing was written")
        with as_file(files("waypost.site") / _KIT) as kit:
            return [_copied(file, kit, folder) for file in sorted(kit.rglob("*")) if file.is_file()]
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {(error.strerror or str(error)).lower()}") from error


def _copied(file: Path, kit: Path, folder: Path) -> Path:
    target = folder / file.relative_to(kit)
    target.parent.mkdir(parents=True, exist_ok=True)
    copyfile(file, target)
    return target
