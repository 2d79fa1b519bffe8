"""The `check` command of `waypost robots` and `waypost sitemap`: its options; the work is loaded when it runs."""

from collections.abc import Callable
from importlib import import_module
from typing import Annotated

import typer

__all__ = ["paper_command"]


def paper_command(kind: str, summary: str) -> Callable[..., None]:
    """The command for one kind of document, `robots` or `sitemap`."""

    def check(  # noqa: PLR0917 - every option of the command line is a parameter
        files: Annotated[list[str], typer.Argument(help="Files, URLs, or - for the standard input.")],
        base: Annotated[str, typer.Option(help="The URL the file is served at.")] = "",
        formats: Annotated[list[str] | None, typer.Option("--format", "-f", help="As of waypost check.")] = None,
        outputs: Annotated[list[str] | None, typer.Option("--output", "-o", help="A file to write.")] = None,
        fail_on: Annotated[str, typer.Option(help="error, warn, info or never.")] = "error",
        fix: Annotated[bool, typer.Option("--fix", help="Write the safe fixes into the file.")] = False,
        diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change; exit 1 if anything.")] = False,
        all_findings: Annotated[bool, typer.Option("--all-findings", help="Show every place of a finding.")] = False,
        allow_private: Annotated[list[str] | None, typer.Option(help="A private host that may be asked.")] = None,
        config: Annotated[str, typer.Option(help="A waypost.toml or pyproject.toml.")] = "",
    ) -> None:
        import_module("waypost.cli.paper").run_paper_check(
            kind,
            files,
            base=base,
            formats=formats or (),
            outputs=outputs or (),
            fail_on=fail_on,
            wants_fix=fix,
            wants_diff=diff,
            all_findings=all_findings,
            allow_private=allow_private or (),
            config=config,
        )

    check.__doc__ = f"""{summary}

    Exit 1: a finding at or above --fail-on. --fix writes what is safe to mend into files on disk, --diff shows it.
    """
    return check
