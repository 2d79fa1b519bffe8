"""`waypost report`: an earlier report in another format, without asking any server again."""

from typing import Annotated

import typer

from waypost.cli.console import fail, read_input, say
from waypost.cli.outputs import Outputs, plan
from waypost.errors import WaypostError
from waypost.report.as_json import schema_text
from waypost.report.formats import FORMATS
from waypost.report.reading import read_report
from waypost.report.view import View

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

_FORMAT_HELP = f"One of {', '.join(known.name for known in FORMATS)}; may be given several times."


@app.command()
def report(
    file: Annotated[
        str, typer.Argument(help="A report that waypost wrote: HTML, JSON or JSON lines; - for stdin.")
    ] = "",
    formats: Annotated[list[str] | None, typer.Option("--format", "-f", help=_FORMAT_HELP)] = None,
    outputs: Annotated[
        list[str] | None, typer.Option("--output", "-o", help="A file to write; its ending may say the format.")
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of a JSON report instead.")] = False,
) -> None:
    """Show an earlier report again, in any format.

    waypost report report.html --format sarif --output report.sarif
    """
    if schema:
        typer.echo(schema_text(), nl=False)
        return
    if not file:
        fail("name the report to open, or - for the standard input")
    try:
        rows = plan(formats or (), outputs or ())
        results, is_list = read_report(read_input(file))
        sinks = Outputs(rows, View(is_list=is_list))
        for result in results:
            sinks.add(result)
        for name in sinks.finish():
            say(f"wrote {name}")
    except WaypostError as error:
        fail(str(error))
