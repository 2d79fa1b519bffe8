"""The `waypost` command: a table of sub-commands, each imported only when it is asked for."""

import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from waypost import __version__

__all__ = ["COMMANDS", "Command", "main"]


class Command(NamedTuple):
    """One sub-command: its name, the module with its typer `app`, its line in the help, and the extra it needs."""

    name: str
    module: str
    help: str
    extra: str = "serve,check"


COMMANDS: tuple[Command, ...] = (
    Command("init", "waypost.cli.init", "Write a small starter site.", "serve"),
    Command("serve", "waypost.cli.serve", "Serve a folder: robots.txt, sitemaps, feeds and pages, live.", "serve"),
    Command("page", "waypost.cli.page", "List, make, move and remove the pages of a root.", "serve"),
    Command("import", "waypost.cli.importing", "Make a root of a Hugo, Jekyll or MkDocs site, or of notes.", "serve"),
    Command("config", "waypost.cli.config", "Show the settings in force, and where each was set.", "serve"),
    Command("indexnow", "waypost.cli.indexnow", "Tell search engines which pages changed."),
    Command("robots", "waypost.cli.robots", "Check a robots.txt, ask it why, and compare two of them.", "check"),
    Command("sitemap", "waypost.cli.sitemap", "Read, sum up, compare and write sitemaps.", "check"),
    Command("report", "waypost.cli.report", "Show an earlier report again, in any format.", "check"),
    Command("check", "waypost.cli.check", "Judge a site: can crawlers find what it offers?", "check"),
    Command("explain", "waypost.cli.explain", "Say why crawlers find a page, or do not.", "check"),
    Command("doctor", "waypost.cli.doctor", "Look into a folder, and at what a server makes of it."),
    Command("discover", "waypost.cli.discover", "List everything a site offers to machines.", "check"),
    Command("feeds", "waypost.cli.feeds", "List the feeds of a site.", "check"),
    Command("checks", "waypost.cli.checks", "List the checks, their steps and contracts.", "check"),
    Command("rule", "waypost.cli.rule", "Say what one rule finds and how to mend it.", "check"),
    Command("rules", "waypost.cli.rules", "List every rule.", "check"),
    Command("demo", "waypost.cli.demo", "Serve, check and break a small site, to see what waypost does."),
)


def main() -> None:
    """Run the command line; `--version` answers without importing anything else."""
    _open_what_is_closed()
    if sys.argv[1:] == ["--version"]:
        with suppress(OSError):  # what went wrong is said below, as for every command
            sys.stdout.write(f"waypost {__version__}\n")
            sys.stdout.flush()
            return
    run = import_module("waypost.cli.group").run
    sys.exit(run(COMMANDS))


def _open_what_is_closed() -> None:
    """Let go what is said to an output that was closed before the start (`>&-`), where Python has no stream at all."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open until the end
