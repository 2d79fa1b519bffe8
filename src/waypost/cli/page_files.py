"""`waypost page new|move|rm|undo`: files made, moved and removed, each with the command that takes it back."""

import shlex
import time
from collections.abc import Callable
from pathlib import Path

import typer

from waypost.cli.console import printable, say
from waypost.cli.page_root import FOLDER, PAGE, opened
from waypost.site.change import changes_kept
from waypost.site.edit import find_object
from waypost.site.links import linking
from waypost.site.rearrange import below, changed, move, new_page, remove, state_of, taken_back

__all__ = ["COMMANDS"]

_SHOWN_MAX = 10


def new(
    folder: Path = FOLDER,
    path: str = typer.Argument(help="Where the page shall be: docs/intro.", show_default=False),
    *,
    title: str = typer.Option("", help="Its title; without one, the last part of the path in words."),
    draft: bool = typer.Option(False, "--draft", help="Nobody sees it until the draft line goes."),
) -> None:
    """Make a page: a Markdown file with a title, to be filled."""
    with opened(folder) as cache:
        change, file = new_page(cache, path, title, is_draft=draft)
        word = changed(cache, change)
        cache.rescan()
        where = find_object(cache, file).path
        typer.echo(printable(f"{cache.tree.root}/{file}"))
        say(f"it is at {where}{' once it is no draft' if draft else ''}")
        _say_undo(folder, word)


def move_page(
    folder: Path = FOLDER,
    page: str = PAGE,
    path: str = typer.Argument(help="Where it shall be: docs/start, or docs/ for the same name there."),
) -> None:
    """Move a page: its old address redirects to the new one, and links to it, and in it, go on working."""
    with opened(folder) as cache:
        entry = find_object(cache, page)
        before, linkers, staying = entry.path, linking(cache, entry), below(cache, entry)
        moved = move(cache, entry, path)
        word = changed(cache, moved.change)
        cache.rescan()
        say(f"{before} is now at {find_object(cache, moved.file).path}")
        _say_files(linkers, "to it: the links go on working", "links", "link")
        _say_files(staying, "below it: they stay where they are", "", "")
        for target in moved.lost:
            say(f"a link in it names something else now: {target}")
        _say_undo(folder, word)


def rm(
    folder: Path = FOLDER,
    page: str = PAGE,
    *,
    to: str = typer.Option("", "--to", help="A page that its addresses lead to from now on."),
) -> None:
    """Remove a page; nothing is lost: the command that brings it back is printed."""
    with opened(folder) as cache:
        entry = find_object(cache, page)
        heir = find_object(cache, to) if to else None
        linkers = linking(cache, entry)
        word = changed(cache, remove(cache, entry, heir))
        where = f"; its addresses lead to {heir.path}" if heir else ""
        say(f"{entry.path} ({entry.blob}) is removed{where}")
        _say_files(linkers, f"to it{'' if heir else ': their links lead nowhere now'}", "links", "link")
        _say_undo(folder, word)


def undo(
    folder: Path = FOLDER,
    change: str = typer.Argument("", help="The change, as it was named when it was made.", show_default=False),
) -> None:
    """Take a change back, to the byte; without one, list those that can be."""
    with opened(folder) as cache:
        if change:
            say(f"taken back: {taken_back(cache, change)}")
            return
        for kept in changes_kept(state_of(cache)):
            made = time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.at))
            typer.echo(printable(f"{kept.word}  {made}  {kept.what}"))


def _say_undo(folder: Path, word: str) -> None:
    say(f"undo: waypost page undo {shlex.quote(str(folder))} {word}")


def _say_files(files: list[str], end: str, one: str, many: str) -> None:
    if files:
        shown = ", ".join(files[:_SHOWN_MAX]) + (" …" if len(files) > _SHOWN_MAX else "")
        say(f"{len(files)} {(f'page {one}' if len(files) == 1 else f'pages {many}').strip()} {end} ({shown})")


COMMANDS: tuple[tuple[str, Callable[..., None]], ...] = (
    ("new", new),
    ("move", move_page),
    ("rm", rm),
    ("undo", undo),
)
"""The commands by name."""
