"""`waypost doctor`: look into a root, or the sites of a directory, and at what a server makes of it."""

import asyncio
import logging
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from waypost.check.means import Means, opened
from waypost.check.options import Options
from waypost.check.result import Result
from waypost.check.settings import DEFAULT_SETTINGS
from waypost.cli.check import GATES, Gate, exit_code
from waypost.cli.checkconfig import read_baselines, read_policing
from waypost.cli.console import fail, say
from waypost.cli.outputs import Outputs, plan
from waypost.errors import ConfigError, WaypostError
from waypost.limits import DOCTOR_PAGES_DEFAULT, DOCTOR_SECONDS_MAX
from waypost.report.formats import FORMATS
from waypost.report.view import View
from waypost.site.doctor.door import Server
from waypost.site.doctor.examine import Patient, examine
from waypost.site.tenants import SiteRow, Tenants
from waypost.web.app import create
from waypost.web.inside import Inside

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

_FORMAT_HELP = f"One of {', '.join(known.name for known in FORMATS)}; may be given several times."


@app.command()
def doctor(  # noqa: PLR0917 - every option of the command line is a parameter
    root: Annotated[str, typer.Argument(help="A runtime root, or any folder of Markdown.")] = "",
    sites: Annotated[str, typer.Option(help="A directory with a sites.toml: every site in it.")] = "",
    url: Annotated[str, typer.Option(help="A server that serves this: compare its answers, byte by byte.")] = "",
    pages: Annotated[int, typer.Option(min=0, help="How many listed pages to compare with the server.")] = (
        DOCTOR_PAGES_DEFAULT
    ),
    formats: Annotated[list[str] | None, typer.Option("--format", "-f", help=_FORMAT_HELP)] = None,
    outputs: Annotated[list[str] | None, typer.Option("--output", "-o", help="A file to write.")] = None,
    fail_on: Annotated[str, typer.Option(help="error, warn, info or never.")] = "error",
    min_score: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Fail below this score.")] = None,
    baseline: Annotated[str, typer.Option(help="An earlier report: only new findings fail.")] = "",
    allow_private: Annotated[
        list[str] | None, typer.Option(help="A private host or network that may be asked.")
    ] = None,
    all_findings: Annotated[bool, typer.Option("--all-findings", help="Show every place of a finding.")] = False,
    config: Annotated[str, typer.Option(help="A waypost.toml or pyproject.toml for severities and ignores.")] = "",
) -> None:
    """Say what is wrong with a folder before crawlers find out: its pages, its documents, its hosts, its server.

    waypost doctor site --url https://example.com
    """
    # What the log would say is in the report.
    logging.getLogger("waypost").addHandler(logging.NullHandler())
    try:
        if fail_on not in GATES:
            raise ConfigError(f"--fail-on {fail_on}: it is one of {', '.join(GATES)}")
        _refuse_misuse(root, sites)
        options = Options(
            now=time.time(),
            all_findings=all_findings,
            policing=read_policing(config, root or sites),
            baseline=read_baselines(baseline).of(root or sites, is_alone=True),
        )
        sinks = Outputs(plan(formats or (), outputs or ()), View(fail_on=GATES[fail_on]))
        result = asyncio.run(_examined(root, sites, _Asked(url, tuple(allow_private or ()), pages), options))
        sinks.add(result)
        for sentence in () if result.is_reached or sinks.has_text else result.notices[-1:]:
            say(f"waypost: {sentence}")
        for name in sinks.finish():
            say(f"wrote {name}")
    except WaypostError as error:
        fail(str(error))
    raise typer.Exit(int(exit_code(result, Gate(GATES[fail_on], min_score))))


def _refuse_misuse(root: str, sites: str) -> None:
    if bool(root) == bool(sites):
        raise ConfigError("say what to examine: a folder, or --sites with a directory that has a sites.toml")
    where = Path(root or sites)
    if not where.is_dir():
        raise ConfigError(f"{where} is {'a file' if where.exists() else 'not there'}; doctor takes a folder")
    if sites and not (where / "sites.toml").is_file():
        raise ConfigError(f"{where} has no sites.toml; for one root leave --sites out")


@dataclass(frozen=True, slots=True)
class _Asked:
    """The server to compare with, and how."""

    url: str
    allow_private: tuple[str, ...]
    pages: int


async def _examined(root: str, sites: str, asked: _Asked, options: Options) -> Result:
    name = (root or sites).rstrip("/") or "/"
    served = create(root or None, sites=sites or None)
    patient = Patient(name, Inside(served), _rows(sites) if sites else None, pages=asked.pages)
    try:
        async with AsyncExitStack() as stack:
            if asked.url:
                patient = replace(patient, server=await _server(asked, stack), url=asked.url)
            return await examine(patient, options)
    finally:
        served.hosts.close()


def _rows(sites: str) -> tuple[SiteRow, ...]:
    tenants = Tenants(sites)
    try:
        return tenants.rows()
    finally:
        tenants.close()


async def _server(asked: _Asked, stack: AsyncExitStack) -> Server:
    settings = replace(DEFAULT_SETTINGS, site_s=DOCTOR_SECONDS_MAX)
    opening = await stack.enter_async_context(opened(asked.url, Means(settings, asked.allow_private)))
    if opening.target.is_bare:
        raise ConfigError(f"--url {asked.url}: write it with http:// or https://")
    return Server(opening.fetcher)
