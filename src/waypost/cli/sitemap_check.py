"""`waypost sitemap check`: the rules on one sitemap, and its safe fixes."""

from typing import Annotated

import typer

from waypost.check.capture import Purpose
from waypost.check.fixes.sitemap import fix_sitemap
from waypost.check.single import check_sitemap_file
from waypost.cli.paper import run_paper_check

__all__ = ["check_file"]


def check_file(  # noqa: PLR0917 - every option of the command line is a parameter
    file: Annotated[str, typer.Argument(help="A file, a URL, or - for the standard input.")],
    base: Annotated[str, typer.Option(help="The URL the file is served at.")] = "",
    formats: Annotated[list[str] | None, typer.Option("--format", "-f", help="As of waypost check.")] = None,
    outputs: Annotated[list[str] | None, typer.Option("--output", "-o", help="A file to write.")] = None,
    fail_on: Annotated[str, typer.Option(help="error, warn, info or never.")] = "error",
    fix: Annotated[bool, typer.Option("--fix", help="Write the safe fixes into the file.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change; exit 1 if anything.")] = False,
    allow_private: Annotated[list[str] | None, typer.Option(help="A private host that may be asked.")] = None,
    config: Annotated[str, typer.Option(help="A waypost.toml or pyproject.toml.")] = "",
) -> None:
    """Judge one sitemap by the rules of the sitemap check."""
    run_paper_check(
        file,
        check_sitemap_file,
        fix_sitemap,
        purpose=Purpose.SITEMAP,
        base=base,
        formats=formats or (),
        outputs=outputs or (),
        fail_on=fail_on,
        wants_fix=fix,
        wants_diff=diff,
        allow_private=allow_private or (),
        config=config,
    )
