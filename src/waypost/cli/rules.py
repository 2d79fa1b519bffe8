"""`waypost rules`: every rule in a line."""

from typing import Annotated

import typer

from waypost.cli.catalogue import EVERY_RULE, FORMAT_HELP, dumped, is_json, rule_row, scored_steps

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command()
def rules(format_: Annotated[str, typer.Option("--format", "-f", help=FORMAT_HELP)] = "text") -> None:
    """List every rule: code, severity, and the problem; a star marks those that can move a score."""
    if is_json(format_):
        typer.echo(dumped([rule_row(rule) for rule in EVERY_RULE]))
        return
    for rule in EVERY_RULE:
        mark = "*" if scored_steps(rule.code) else " "
        typer.echo(f"{rule.code} {mark} {rule.severity.value:<5}  {rule.name:<34} {rule.title}")
