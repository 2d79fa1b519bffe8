"""The command group that imports a sub-command's module only when that sub-command runs."""

import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Protocol

import typer
from typer.core import TyperGroup

from waypost import __version__
from waypost.cli.console import bug_sentence, fail
from waypost.cli.emit import stop_writing
from waypost.cli.exit_codes import ExitCode

__all__ = ["command_of", "run"]


class _Row(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def module(self) -> str: ...
    @property
    def help(self) -> str: ...
    @property
    def extra(self) -> str: ...


def _group(rows: Iterable[_Row]) -> type[TyperGroup]:
    by_name = {row.name: row for row in rows}

    class LazyGroup(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
            return list(by_name)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
            row = by_name.get(cmd_name)
            if row is None:
                return None
            try:
                command = command_of(row)
            except ModuleNotFoundError as error:
                command = _absent(_lacking(row, error))
            command.name, command.short_help = row.name, row.help
            return command

    return LazyGroup


def command_of(row: _Row) -> Any:
    """The command of a row, its help in plain text like everybody's."""
    app: typer.Typer = import_module(row.module).app
    app.rich_markup_mode = None
    app._add_completion = False  # noqa: SLF001 - the top command offers it
    return typer.main.get_command(app)


def _lacking(row: _Row, error: ModuleNotFoundError) -> str:
    """What to say of a command whose packages are not installed; a module of our own that is missing is a bug."""
    package = (error.name or "waypost").partition(".")[0]
    if package == "waypost":
        raise error
    return f"waypost {row.name} needs {package}, which is not installed: pip install 'waypost[{row.extra}]'"


def _absent(sentence: str) -> Any:
    """A command that can only say what it lacks, whatever words come after it."""
    app = typer.Typer(add_completion=False)

    @app.command(add_help_option=False, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
    def absent() -> None:
        fail(sentence)

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

    try:
        return int(app(prog_name="waypost", standalone_mode=True) or 0)
    except ModuleNotFoundError as error:
        # Some packages are only loaded once they are needed.
        row = next((row for row in rows if row.name in sys.argv[1:2]), None)
        if row is None:
            raise
        return fail(_lacking(row, error))
    except OSError as error:
        # A command says itself what it cannot read or write; this is a stdout that takes no more, on a full disk say.
        stop_writing()
        where = f" {error.filename}" if error.filename else ""
        return fail(f"cannot go on{where}: {(error.strerror or str(error)).lower()}")
    except Exception as error:  # a bug of ours is no finding: exit 1 would say that a site is at fault
        if os.environ.get("WAYPOST_TRACEBACK"):
            raise
        return fail(bug_sentence(error), ExitCode.INTERNAL)
