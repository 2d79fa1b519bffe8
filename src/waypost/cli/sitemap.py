"""`waypost sitemap`: read one, sum it up, compare two, write one."""

import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.console import counted, fail, say
from waypost.cli.emit import emit
from waypost.cli.exit_codes import ExitCode
from waypost.cli.paper_command import paper_command
from waypost.cli.sitemap_diff import changes, changes_json, changes_text
from waypost.cli.sitemap_files import left_over, save
from waypost.cli.sitemap_list import UrlList
from waypost.cli.sitemap_load import is_broken, load, summary
from waypost.cli.sitemap_rows import RowFormat, rows
from waypost.cli.sitemap_stats import stats
from waypost.errors import WriteError
from waypost.formats.sitemapparts import Part, write_parts
from waypost.formats.urlproof import require_url
from waypost.limits import SITEMAP_URLS_MAX
from waypost.urls import Origin

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True, add_completion=False, rich_markup_mode=None, help="Read, sum up, compare and write sitemaps."
)

_FILE = typer.Argument(help="A sitemap in any format, plain or gzipped, or its URL; - reads standard input.")


@app.command()
def read(
    file: Annotated[str, _FILE],
    form: Annotated[RowFormat, typer.Option("--format", "-f", help="For people or for programs.")] = RowFormat.TABLE,
) -> None:
    """List the entries of a sitemap.

    In CSV a cell that a spreadsheet would compute, because it starts with = + - or @, gets an apostrophe before it;
    `sitemap write` takes it away again. Exit 1: the sitemap is broken, and what could be read is listed.
    """
    document = load(file)
    emit(rows(document, form))
    if form is RowFormat.TABLE:
        say(summary(file, document))
    raise typer.Exit(int(ExitCode.FINDINGS if is_broken(document) else ExitCode.CLEAN))


@app.command("stats")
def sum_up(file: Annotated[str, _FILE]) -> None:
    """Count what a sitemap holds, host by host, and draw when its pages last changed."""
    document = load(file)
    emit(stats(file, document))
    raise typer.Exit(int(ExitCode.FINDINGS if is_broken(document) else ExitCode.CLEAN))


@app.command()
def diff(
    before: Annotated[str, typer.Argument(help="The sitemap as it was; - reads standard input.")],
    after: Annotated[str, typer.Argument(help="The sitemap as it is now.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Show which URLs were added and removed, and whose lastmod moved; exit 1 when anything differs."""
    if before == after == "-":
        fail("standard input can be read only once: name a file for one of the two")
    old, new = load(before), load(after)
    found = changes(old, new)
    emit([json.dumps(changes_json(found), indent=2)] if as_json else changes_text(found))
    differs = found.any or is_broken(old) or is_broken(new)
    raise typer.Exit(int(ExitCode.FINDINGS if differs else ExitCode.CLEAN))


@app.command()
def write(
    file: Annotated[str, typer.Argument(metavar="LIST.csv", help="The URLs; - reads standard input.")],
    *,
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the files go; made if missing.")],
    base: Annotated[str, typer.Option("--base", help="The URL the folder will have; else the first URL's host.")] = "",
    name: Annotated[str, typer.Option("--name", help="What the files are called.")] = "sitemap",
    gzip: Annotated[bool, typer.Option("--gzip", help="Compress the files.")] = False,
    per_file: Annotated[
        int, typer.Option("--per-file", min=1, max=SITEMAP_URLS_MAX, help="URLs in one file.")
    ] = SITEMAP_URLS_MAX,
) -> None:
    """Write a sitemap from a CSV list, in several parts with an index where one file cannot hold it.

    The first line names the columns: loc, and maybe lastmod, changefreq, priority; a list of bare URLs needs none.
    The files appear together, each of them whole, or not at all.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        fail(f"--name {name} cannot name files: letters, digits, . _ and - can")
    urls = UrlList(file)
    try:
        saved = save(_parts(urls, base, name, gzip=gzip, per_file=per_file), folder)
    except WriteError as error:
        fail(_with_line(str(error), urls))
    emit(_told(part, is_index=len(saved) > 1 and part is saved[-1]) for part in saved)
    for old in left_over(folder, saved, name):
        say(f"waypost: {old} is left from an earlier run; no index names it now")


def _parts(urls: UrlList, base: str, name: str, *, gzip: bool, per_file: int) -> Iterator[Part]:
    source = urls.rows()
    first = next(source, None)
    if first is None:
        fail("the list has no URLs: there is nothing to write")
    if not base:
        require_url(first[0] or "", "loc of entry 1")
        base = f"{Origin.parse(first[0] or '')}/"
    yield from write_parts(chain([first], source), base, stem=name, compress=gzip, urls_max=per_file)


def _told(part: Part, *, is_index: bool) -> str:
    return f"{part.name}  {counted(part.urls, 'sitemap' if is_index else 'URL')}"


def _with_line(sentence: str, urls: UrlList) -> str:
    """Where in the list the trouble is, for whoever has to mend it."""
    found = re.search(r"entry (\d+)", sentence)
    return f"line {urls.line(int(found[1])):,}: {sentence}" if found else sentence


app.command("check")(paper_command("sitemap", "Judge sitemaps by the rules of the sitemap check."))
