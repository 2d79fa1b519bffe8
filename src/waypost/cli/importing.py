"""`waypost import DIR -o ROOT`: a folder of another program becomes a runtime root, and everything about it is said."""

import json
import os
import shlex
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from waypost.cli.console import fail, printable
from waypost.errors import WaypostError
from waypost.site.cache import PageMetaCache
from waypost.site.doctor.gather import facts_of
from waypost.site.importing.plan import Plan, Shape
from waypost.site.importing.recognise import plan_import
from waypost.site.importing.write import refuse_target, write_plan
from waypost.site.live import LiveConfig
from waypost.site.watch import Mode

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

_SHOWN_MAX = 40


class Format(StrEnum):
    """How the report is printed."""

    TEXT = "text"
    JSON = "json"


@app.command()
def import_folder(
    folder: Annotated[Path, typer.Argument(help="What to import; it is read and never written.", metavar="DIR")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The new root; an empty folder or none yet.")] = None,
    shape: Annotated[Shape | None, typer.Option("--from", help="What it is, where that is not recognised.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and write nothing.")] = False,
    form: Annotated[Format, typer.Option("--format", help="Report for people or for programs.")] = Format.TEXT,
) -> None:
    """Make a runtime root of a Hugo, Jekyll or MkDocs site, an Obsidian vault, or a folder of Markdown.

    Pages keep their addresses. What was not understood is listed, and hidden from readers rather than shown to them.
    """
    if out is None and not dry_run:
        fail("say where the new root goes with -o, or --dry-run")
    if not folder.is_dir():
        fail(f"{folder} is {'a file' if folder.exists() else 'not there'}; name a folder")
    try:
        if out is not None:
            refuse_target(str(folder), str(out))
        plan = plan_import(str(folder), shape)
        if out is not None and not dry_run:
            write_plan(plan, str(folder), str(out))
            _look(plan, out)
    except WaypostError as error:
        fail(str(error))
    if form is Format.JSON:
        typer.echo(json.dumps(_record(plan, out if not dry_run else None), indent=2, ensure_ascii=False))
        return
    for line in _lines(plan):
        typer.echo(printable(line) if line else "")
    if out is not None and not dry_run:
        typer.echo(f"\nwaypost serve {printable(shlex.quote(str(out)))}\n    serves it")


def _look(plan: Plan, out: Path) -> None:
    """Look at the new root as its server will: addresses that are not had, links that lead nowhere."""
    cache = PageMetaCache(str(out), LiveConfig(str(out), environment=os.environ), best=Mode.STAT)
    cache.reports.is_quiet = True
    try:
        cache.open()
        for report in cache.reports.every():
            plan.miss(f"{out}/content/{report.file}", "served", str(report).partition(": ")[2], report.line)
        for link in facts_of(cache, str(out)).dead_links:
            plan.miss(link.file, "link", f"{link.target} names nothing that is served", link.line)
    finally:
        cache.close()
        cache.config.close()


def _record(plan: Plan, out: Path | None) -> dict[str, Any]:
    drafts = sum(leaf.is_hidden for leaf in plan.leaves)
    return {
        "shape": plan.shape.value,
        "recognised_by": plan.why,
        "title": plan.title,
        "lang": plan.lang,
        "slash": "always" if plan.has_slashes else "never",
        "root": None if out is None else str(out),
        "pages": plan.pages,
        "drafts": drafts,
        "files": len(plan.copies),
        "understood": dict(sorted(plan.understood.items())),
        "made": plan.made,
        "not_understood": [
            {"file": remark.file, "line": remark.line, "topic": remark.topic, "text": remark.text}
            for remark in plan.remarks
        ],
        "not_understood_more": plan.more,
        "addresses": {leaf.source: leaf.url for leaf in plan.leaves if leaf.source and leaf.url is not None},
    }


def _lines(plan: Plan) -> Iterator[str]:
    title = f": {plan.title}" if plan.title else ""
    yield f"{plan.shape.label} ({plan.why}){title}"
    drafts = sum(leaf.is_hidden for leaf in plan.leaves)
    pages = f"{plan.pages:,} page{'' if plan.pages == 1 else 's'}"
    files = f"{len(plan.copies):,} file{'' if len(plan.copies) == 1 else 's'}"
    yield f"  {pages}{f', {drafts:,} of them hidden as drafts' if drafts else ''}; {files} copied"
    if plan.understood:
        yield "understood"
        yield from (f"  {count:>6,} × {what}" for what, count in sorted(plan.understood.items()))
    if plan.made:
        yield "made"
        yield from (f"  {what}" for what in plan.made)
    count = len(plan.remarks) + plan.more
    yield "not understood" if count else "everything was understood"
    for remark in plan.remarks[:_SHOWN_MAX]:
        where = f"{remark.file}:{remark.line}" if remark.line else remark.file
        yield f"  {remark.topic}: {where}{': ' if where else ''}{remark.text}"
    if count > _SHOWN_MAX:
        yield f"  and {count - _SHOWN_MAX:,} more; --format json has them all"
