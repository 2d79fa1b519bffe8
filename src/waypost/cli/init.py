"""`waypost init FOLDER`: a small starter site that teaches by example."""

from pathlib import Path

import typer

from waypost.cli.console import fail, printable
from waypost.errors import ContentError, StoreError
from waypost.site.starter import write_starter

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def init(folder: Path = typer.Argument(help="Where to put it; the folder must be empty or not there yet.")) -> None:
    """Write a small starter site that teaches by example."""
    try:
        written = write_starter(folder)
    except (ContentError, StoreError) as error:
        fail(str(error))
    shown = printable(str(folder))
    for path in written:
        typer.echo(f"  {printable(str(path))}")
    typer.echo(f"\nwaypost serve {shown}\n    serves it; every change on the disk is there at the next request")
