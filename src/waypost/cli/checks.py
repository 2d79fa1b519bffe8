"""`waypost checks`: every check of every suite, with its contracts and steps."""

from typing import Annotated

import typer

from waypost.check.suite import LATEST, SUITES, suite
from waypost.cli.catalogue import FORMAT_HELP, check_row, dumped, is_json, page_of
from waypost.cli.console import fail
from waypost.errors import ConfigError

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command()
def checks(
    check_id: Annotated[str, typer.Argument(help="Only this check, with its page.")] = "",
    suite_date: Annotated[str, typer.Option("--suite", help="The suite, by its date.")] = LATEST,
    format_: Annotated[str, typer.Option("--format", "-f", help=FORMAT_HELP)] = "text",
) -> None:
    """List the checks of a suite: category, maturity, scope, weight, contracts, and steps."""
    try:
        found = suite(suite_date)
    except ConfigError as error:
        fail(str(error))
    listed = [check for check in found.checks if check_id in {"", check.id, check.key}]
    if not listed:
        fail(f"suite {suite_date} has no check {check_id}; it has {', '.join(check.id for check in found.checks)}")
    if is_json(format_):
        dates = [known.date for known in SUITES]
        typer.echo(dumped({"suite": found.date, "suites": dates, "checks": [check_row(check) for check in listed]}))
        return
    typer.echo(f"suite {found.date}")
    for check in listed:
        typer.echo(f"\n{check.key}  {check.title}")
        typer.echo(f"  {check.category} / {check.subcategory}, group {check.group} ({check.group_id})")
        typer.echo(f"  {check.maturity}, scope {check.scope}, weight {check.weight:g}, runs {check.mode.value}")
        typer.echo(f"  {check.input} -> {check.output}")
        for step in check.steps:
            typer.echo(f"  {step.id:<14} {step.weight:.2f}  passes when {step.passes_when}")
        if check_id:
            typer.echo("\n" + page_of(check))
