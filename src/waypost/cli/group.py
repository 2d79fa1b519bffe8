"""The command group that imports a sub-command's module only when that sub-command runs."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Protocol

import typer
from typer.core import TyperGroup

from waypost import __version__

__all__ = ["command_of", "run"]


class _Row(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def module(self) -> str: ...
    @property
    def help(self) -> str: ...


def _group(rows: Iterable[_Row]) -> type[TyperGroup]:
    by_name = {row.name: row for row in rows}

    class LazyGroup(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
            return list(by_name)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
            row = by_name.get(cmd_name)
            if row is None:
                return None
            command = command_of(row)
            command.name, command.short_help = row.name, row.help
            return command

    return LazyGroup


def command_of(row: _Row) -> Any:
    """The command of a row, its help in plain text like everybody's."""
    app: typer.Typer = import_module(row.module).app
    app.rich_markup_mode = None
    app._add_completion = False  # noqa: SLF001 - the top command offers it
    return typer.main.get_command(app)


def _show_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"waypost {__version__}")
        raise typer.Exit


def run(rows: Sequence[_Row]) -> int:
    """Build the command line from the table and run it; the exit status comes back."""
    app = typer.Typer(cls=_group(rows), no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)

    @app.callback()
    def waypost(
        version: bool = typer.Option(
            False,
            "--version",
            callback=lambda value: _show_version(wanted=value),
            is_eager=True,
            help="Print the version.",
        ),
    ) -> None:
        """Publish what a web site tells crawlers, live from a folder, and check it anywhere."""

    result = app(prog_name="waypost", standalone_mode=True)
    return int(result or 0)
