"""`waypost serve`: a folder, or the sites of a directory, on a port of this machine."""

import logging
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from waypost.cli.console import fail, say
from waypost.errors import ConfigError
from waypost.site.importing.recognise import glance
from waypost.web.app import create
from waypost.web.hosts import Hosts
from waypost.web.serve import Service, free_port, serve

__all__ = ["app"]

app = typer.Typer(add_completion=False)

_BIG_SCAN_OBJECTS = 2_000


@app.command()
def command(  # noqa: PLR0917 - options are positional for typer only
    folder: Path | None = typer.Argument(None, help="A runtime root, or any folder of Markdown.", show_default=False),
    sites: Path | None = typer.Option(None, "--sites", help="A directory with a sites.toml: many hosts."),
    port: int | None = typer.Option(None, "--port", min=0, max=65_535, help="The port; 0 for any free one. [8000]"),
    host: str | None = typer.Option(None, "--host", help="The address to listen on. [127.0.0.1]"),
    workers: int | None = typer.Option(None, "--workers", min=1, max=256, help="Worker processes. [1]"),
    access_log: bool = typer.Option(False, "--access-log", help="Write a line for each request."),
) -> None:
    """Serve robots.txt, sitemaps, robots.xml and the pages themselves, live from a folder."""
    if (folder is None) == (sites is None):
        fail("say what to serve: a folder, or --sites with a directory that has a sites.toml")
    where = folder or sites
    assert where is not None
    if not where.is_dir():
        fail(f"{where} is {'a file' if where.exists() else 'not there'}; serve takes a folder")
    logging.basicConfig(format="%(levelname)s %(message)s", level=logging.WARNING, stream=sys.stderr)
    options: dict[str, Any] = {"server.host": host, "server.port": port, "server.workers": workers}
    try:
        _start(folder, sites, {name: value for name, value in options.items() if value is not None}, access_log)
    except ConfigError as error:
        fail(str(error))


def _start(folder: Path | None, sites: Path | None, options: dict[str, Any], access_log: bool) -> None:
    root = None if folder is None else str(folder)
    directory = None if sites is None else str(sites)
    said = logging.getLogger("waypost.site")
    said.setLevel(logging.ERROR)  # the worker says it
    first = create(root, sites=directory, options=options)
    settings = first.hosts.settings()
    first.hosts.close()
    said.setLevel(logging.NOTSET)
    port = free_port(settings.host, settings.port)
    service = Service(root, directory, settings.host, port, settings.workers, options, access_log)
    bar = _ScanBar()

    def ready(hosts: Hosts) -> None:
        bar.end()
        for line in _greeting(service, hosts):
            say(line)

    serve(service, on_ready=ready, progress=bar.show)


class _ScanBar:
    """How far the first scan is: only for a person at a terminal, and only where it takes a moment."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._task = TaskID(0)

    def show(self, objects: int) -> None:
        """So many objects are known by now."""
        if objects < _BIG_SCAN_OBJECTS or not sys.stderr.isatty():
            return
        if self._progress is None:
            columns = (
                SpinnerColumn(),
                TextColumn("reading the folder: {task.completed:,.0f} objects"),
                TimeElapsedColumn(),
            )
            self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._progress.add_task("scan", total=None)
            self._progress.start()
        self._progress.update(self._task, completed=objects)

    def end(self) -> None:
        """The scan is complete."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None


def _greeting(service: Service, hosts: Hosts) -> Iterator[str]:
    """Where to look, in a few lines."""
    name = f"[{service.host}]" if ":" in service.host else service.host
    base = f"http://{name}" if service.port == 80 else f"http://{name}:{service.port}"
    roots = [root for _, root in hosts.roots()]
    pages = sum(len(root.catalog.table) for root in roots)
    withheld = sum(report.is_withheld for root in roots for report in root.reports.every())
    what = service.root or service.sites
    yield f"waypost serves {what}: {pages:,} page{'' if pages == 1 else 's'}"
    yield f"  look at  {base}/   {base}/sitemap.xml   {base}/robots.txt"
    if withheld:
        yield f"  {withheld:,} object{' is' if withheld == 1 else 's are'} withheld: {base}/readyz says which and why"
    shape = glance(service.root) if service.root else None
    if shape is not None:
        folder = shlex.quote(str(service.root))
        yield f"  a {shape.label}: waypost import {folder} -o NEW brings its files and addresses along, too"
    yield "  Ctrl-C ends it"
