"""`waypost page`: the objects of a root, and what they say of themselves."""

import json
import shlex
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import typer

from waypost.cli import page_files
from waypost.cli.console import fail, printable, say
from waypost.cli.page_root import FOLDER, PAGE, opened
from waypost.dates import write_w3c
from waypost.site.access import Access
from waypost.site.cache import PageMetaCache
from waypost.site.edit import find_object, set_alias, set_tags
from waypost.site.objects import NOINDEX, Entry
from waypost.site.standing import said_alias

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True, help="List the pages of a root, make, move and remove them, and change what they say."
)


for _name, _command in page_files.COMMANDS:
    app.command(name=_name)(_command)


class Format(StrEnum):
    """How objects are printed."""

    TEXT = "text"
    JSON = "json"


_FORMAT = typer.Option(Format.TEXT, "--format", help="Print for people or for programs.")


@app.command(name="list")
def list_pages(
    folder: Path = FOLDER,
    *,
    everything: bool = typer.Option(False, "--all", help="Files and withheld objects too."),
    form: Format = _FORMAT,
) -> None:
    """List the pages, by path; with --all whatever is in the root, and why it is withheld."""
    with opened(folder) as cache:
        entries = sorted(cache.catalog.entries(), key=lambda entry: (entry.path, entry.blob))
        entries = [entry for entry in entries if everything or entry.is_markdown]
        reports = cache.reports.every()
        if form is Format.JSON:
            typer.echo(json.dumps([_record(cache, entry) for entry in entries], indent=2, ensure_ascii=False))
            return
        for entry in entries:
            typer.echo(printable(f"{_standing(cache, entry):<10} {unquote(entry.path) or '-':<40} {entry.title}"))
        for report in reports:
            if everything:
                typer.echo(printable(f"{'withheld' if report.is_withheld else 'note':<10} {report}"))
        if reports and not everything:
            say(f"{len(reports)} more to say about the root; --all shows it")


@app.command()
def show(folder: Path = FOLDER, page: str = PAGE, *, form: Format = _FORMAT) -> None:
    """Show one object: where it is served, who may see it, and what is said of it."""
    with opened(folder) as cache:
        record = _record(cache, find_object(cache, page))
        if form is Format.JSON:
            typer.echo(json.dumps(record, indent=2, ensure_ascii=False))
            return
        for key, value in record.items():
            text = ", ".join(map(str, value)) if isinstance(value, list) else value
            if text not in {"", None}:
                typer.echo(printable(f"{key:<14} {text}"))


@app.command()
def alias(
    folder: Path = FOLDER,
    page: str = PAGE,
    alias: str | None = typer.Argument(None, help="The new alias: docs/intro.", show_default=False),
    *,
    none: bool = typer.Option(False, "--none", help="Take the alias away: the page lives at /id/… only."),
    derived: bool = typer.Option(False, "--derived", help="Go back to the alias that the file's path implies."),
) -> None:
    """Give a page another alias; a reserved one is refused in words."""
    if (alias is not None) + none + derived != 1:
        fail("say the new alias, or --none, or --derived")
    with opened(folder) as cache:
        entry = find_object(cache, page)
        before = entry.path
        said = said_alias(entry)
        set_alias(cache, entry, None if derived else alias or "")
        say(f"{before} is now at {_now(cache, entry).path}")
        back = "--derived" if said is None else said or "--none"
        words = map(shlex.quote, (str(folder), entry.blob, back))
        say(f"undo: waypost page alias {' '.join(words)}")


@app.command()
def retag(
    folder: Path = FOLDER,
    page: str = PAGE,
    tags: list[str] = typer.Argument(
        None, help="The tags it has from now on; none at all with --clear.", show_default=False
    ),
    *,
    add: list[str] = typer.Option([], "--add", help="A tag to add; may be given several times."),
    remove: list[str] = typer.Option([], "--remove", help="A tag to take away; may be given several times."),
    clear: bool = typer.Option(False, "--clear", help="Take every tag away."),
) -> None:
    """Give a page other tags; who may see it follows from them at once."""
    if bool(tags) + bool(add or remove) + clear != 1:
        fail("say the tags, or --add and --remove, or --clear")
    with opened(folder) as cache:
        entry = find_object(cache, page)
        kept = [tag for tag in entry.tags if tag not in remove] if add or remove else list(tags or [])
        set_tags(cache, entry, (*kept, *add))
        entry = _now(cache, entry)
        say(f"{entry.path}: {', '.join(entry.tags) or 'no tags'}; {_who(entry.access)}")


def _now(cache: PageMetaCache, entry: Entry) -> Entry:
    cache.rescan()
    return find_object(cache, entry.blob)


def _record(cache: PageMetaCache, entry: Entry) -> dict[str, Any]:
    said = entry.sayings
    return {
        "path": entry.path,
        "title": entry.title,
        "id": entry.key.hex(),
        "file": entry.blob,
        "sidecar": entry.sidecar,
        "mime": entry.mime,
        "standing": _standing(cache, entry),
        "access": _who(entry.access),
        "tags": list(entry.tags),
        "last_modified": write_w3c(entry.modified),
        "lang": said.lang or "",
        "description": said.description or "",
        "redirect_from": list(said.redirect_from),
    }


def _standing(cache: PageMetaCache, entry: Entry) -> str:
    if not entry.path:
        return "withheld"
    if not entry.access.is_public:
        return "restricted" if entry.access.roles else "denied"
    if not entry.is_markdown:
        return "file"
    return "noindex" if entry.flags & NOINDEX else "listed" if cache.catalog.is_listed(entry) else "withheld"


def _who(access: Access) -> str:
    if access.is_public:
        return "public"
    return "for " + ", ".join(sorted(access.roles)) if access.roles else "for nobody"
