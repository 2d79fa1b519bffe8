"""`waypost config`: the settings in force, and where each was set."""

import json
import os
from enum import Enum, StrEnum
from pathlib import Path
from typing import Any

import typer

from waypost.cli.console import fail, printable
from waypost.errors import ConfigError
from waypost.limits import CONFIG_BYTES_MAX
from waypost.site.config import CONFIG_FILE, Configuration, configure
from waypost.site.content import read_file
from waypost.site.settings import SETTINGS, TABLES, Settings

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Show the settings in force, and where each was set.")


class Format(StrEnum):
    """How the settings are printed."""

    TEXT = "text"
    JSON = "json"


@app.callback()
def config() -> None:
    """Show the settings in force, and where each was set."""


@app.command()
def show(
    folder: Path = typer.Argument(Path(), help="The root whose waypost.toml is read."),
    *,
    origin: bool = typer.Option(False, "--origin", help="Say of each where it was set."),
    explain: bool = typer.Option(False, "--help-lines", help="Say of each what it is for."),
    form: Format = typer.Option(Format.TEXT, "--format", help="Print for people or for programs."),
) -> None:
    """Print every setting: from waypost.toml, the WAYPOST_… environment, or its default."""
    found = _load(folder)
    if form is Format.JSON:
        rows = {
            row.name: {"value": _value(row.field, found), "origin": found.origins[row.name], "help": row.help}
            for row in SETTINGS
        }
        typer.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    for row in SETTINGS:
        said = json.dumps(_value(row.field, found), ensure_ascii=False)
        line = f"{row.name} = {said}"
        if origin:
            line = f"{line:<44} # {found.origins[row.name]}"
        typer.echo(printable(line) + (f"\n    {row.help}" if explain else ""))
    for name, about in TABLES.items():
        count = _count(name, found.settings)
        where = f" # {found.origins[name]}" if origin else ""
        typer.echo(printable(f"{name}: {count}{where}") + (f"\n    {about}" if explain else ""))


def _load(folder: Path) -> Configuration:
    if not folder.is_dir():
        fail(f"{folder} is {'a file' if folder.exists() else 'not there'}; name a folder")
    try:
        data, _ = read_file(str(folder / CONFIG_FILE), CONFIG_BYTES_MAX)
    except FileNotFoundError:
        data = None
    except OSError as error:
        fail(f"cannot read {folder / CONFIG_FILE}: {(error.strerror or str(error)).lower()}")
    try:
        return configure(data, environment=os.environ)
    except ConfigError as error:
        fail(str(error))


def _value(field: str, found: Configuration) -> Any:
    value = getattr(found.settings, field)
    return value.value if isinstance(value, Enum) else value


def _count(name: str, settings: Settings) -> str:
    count = len({"tags": settings.tags, "robots.group": settings.groups, "data": settings.data}[name])
    return f"{count} in the file" if count else "none"
