"""`waypost rule CODE`: the page of one rule."""

from typing import Annotated

import typer

from waypost.cli.catalogue import FORMAT_HELP, dumped, find_rule, is_json, rule_row, scored_steps

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command()
def rule(
    code: Annotated[str, typer.Argument(help="A code such as SMQ301, or a name such as invalid-lastmod.")],
    format_: Annotated[str, typer.Option("--format", "-f", help=FORMAT_HELP)] = "text",
) -> None:
    """Say what a rule finds, why it matters, and how to mend it, with samples."""
    found = find_rule(code)
    if is_json(format_):
        typer.echo(dumped(rule_row(found) | {"page": found.page}))
        return
    moves = ", ".join(scored_steps(found.code)) or "nothing (advice)"
    typer.echo(f"{found.code} {found.name}")
    typer.echo(f"severity {found.severity.value}, step {found.step.value}, moves {moves}, fix {found.fix.value}\n")
    typer.echo(found.page)
