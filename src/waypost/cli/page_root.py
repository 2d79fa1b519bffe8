"""The root that the commands of `waypost page` work on, opened as it is now."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import typer

from waypost.cli.console import fail
from waypost.errors import WaypostError
from waypost.site.cache import PageMetaCache
from waypost.site.live import LiveConfig
from waypost.site.watch import Mode

__all__ = ["FOLDER", "PAGE", "opened"]

FOLDER = typer.Argument(help="A runtime root, or any folder of Markdown.", show_default=False)
PAGE = typer.Argument(help="The page: its path (/docs/intro), its id, or its file below content/.")


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[PageMetaCache]:
    """The cache of a root; what goes wrong with it is one sentence and exit 2."""
    if not folder.is_dir():
        fail(f"{folder} is {'a file' if folder.exists() else 'not there'}; name a folder")
    try:
        cache = PageMetaCache(str(folder), LiveConfig(str(folder), environment=os.environ), best=Mode.STAT)
        cache.reports.is_quiet = True
        cache.open()
        yield cache
        cache.close()
        cache.config.close()
    except WaypostError as error:
        fail(str(error))
