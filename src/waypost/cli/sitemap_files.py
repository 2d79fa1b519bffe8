"""The files of `sitemap write`: all of them are written beside their places first, then put there, the index last."""

import os
import re
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from waypost.cli.console import fail
from waypost.formats.sitemapparts import Part

__all__ = ["left_over", "save"]


def save(parts: Iterable[Part], folder: Path) -> list[Part]:
    """Write parts into a folder; whatever goes wrong before the last is written, no file there has changed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            staged = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=".waypost-", dir=folder)))
            saved = []
            for part in parts:
                _write(staged / part.name, part.data)
                saved.append(part._replace(data=b""))
            for part in saved:
                (staged / part.name).replace(folder / part.name)
            return saved
    except OSError as error:
        fail(f"cannot write into {folder}: {(error.strerror or str(error)).lower()}")


def _write(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def left_over(folder: Path, saved: Iterable[Part], stem: str) -> list[str]:
    """Numbered parts of an earlier, larger sitemap, which no index names any more."""
    names = {part.name for part in saved}
    numbered = re.compile(re.escape(stem) + r"-\d{4,}\.xml(?:\.gz)?")
    return sorted(path.name for path in folder.iterdir() if numbered.fullmatch(path.name) and path.name not in names)
