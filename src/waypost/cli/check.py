"""`waypost check`: judge a site, a built folder, saved captures, or a list of sites."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from waypost.check.contract import Outcome
from waypost.check.drive import Means, acheck
from waypost.check.options import Options
from waypost.check.result import Result
from waypost.check.rule import Severity
from waypost.check.settings import DEFAULT_SETTINGS
from waypost.check.suite import LATEST, suite
from waypost.cli.checkconfig import read_baselines, read_policing, read_probe, read_seconds
from waypost.cli.console import bug_sentence, fail, read_input, say
from waypost.cli.exit_codes import ExitCode
from waypost.cli.outputs import Outputs, plan
from waypost.cli.progress import Progress
from waypost.errors import ConfigError, WaypostError
from waypost.report.formats import FORMATS
from waypost.report.view import View
from waypost.site.shape import content_of

__all__ = ["GATES", "Gate", "app", "exit_code", "worst"]

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

_AT_ONCE = 24
_DOCUMENT_ENDINGS = (".xml", ".txt", ".gz", ".atom", ".rss")
_OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""Of what a check makes, hardly anything goes in circles: looking for those less often is a tenth of a list's time."""
GATES = {"error": Severity.ERROR, "warn": Severity.WARN, "info": Severity.INFO, "never": None}
"""What `--fail-on` may say."""
_MILDEST_FIRST = (ExitCode.CLEAN, ExitCode.UNREACHABLE, ExitCode.FINDINGS, ExitCode.USAGE, ExitCode.INTERNAL)
_FORMAT_HELP = f"One of {', '.join(known.name for known in FORMATS)}; may be given several times."


_Asked = tuple[str, Options]
"""A target and how it is checked."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What makes the command fail."""

    fail_on: Severity | None
    min_score: float | None = None


def exit_code(result: Result, gate: Gate) -> ExitCode:
    """The exit status one result asks for."""
    if result.crashes:
        return ExitCode.INTERNAL
    if not result.is_reached:
        return ExitCode.UNREACHABLE
    least = gate.fail_on
    grave = (finding for _, finding in result.findings() if least and finding.severity.rank >= least.rank)
    has_grave = any(finding.is_new for finding in grave)
    is_low = gate.min_score is not None and result.score < gate.min_score
    return ExitCode.FINDINGS if result.status is Outcome.FAIL or has_grave or is_low else ExitCode.CLEAN


def worst(codes: Sequence[ExitCode]) -> ExitCode:
    """The exit status of a list: the worst of 4 > 2 > 1 > 3 > 0."""
    return max(codes, key=_MILDEST_FIRST.index, default=ExitCode.CLEAN)


@app.command()
def check(  # noqa: PLR0917 - every option of the command line is a parameter
    target: Annotated[str, typer.Argument(help="A URL, a domain name, a folder (with --base), or - for a list.")] = "",
    base: Annotated[str, typer.Option(help="The URL a folder is served at.")] = "",
    formats: Annotated[list[str] | None, typer.Option("--format", "-f", help=_FORMAT_HELP)] = None,
    outputs: Annotated[list[str] | None, typer.Option("--output", "-o", help="A file to write.")] = None,
    fail_on: Annotated[str, typer.Option(help="error, warn, info or never.")] = "error",
    min_score: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Fail below this score.")] = None,
    baseline: Annotated[str, typer.Option(help="An earlier report: only new findings fail.")] = "",
    suite_date: Annotated[str, typer.Option("--suite", help="The suite to run, by its date.")] = LATEST,
    deep: Annotated[bool, typer.Option("--deep", help="Read children of a sitemap index, too.")] = False,
    probe: Annotated[str, typer.Option(help="Ask for this many listed pages, or all.")] = "0",
    seed: Annotated[int, typer.Option(help="Which sample --deep and --probe take.")] = 0,
    save: Annotated[str, typer.Option(help="Keep every exchange in this folder.")] = "",
    replay: Annotated[str, typer.Option(help="Answer from such a folder; nothing is asked.")] = "",
    allow_private: Annotated[
        list[str] | None, typer.Option(help="A private host or network that may be asked.")
    ] = None,
    follow_origin: Annotated[bool, typer.Option(help="Check where a bare domain's / leads on its site.")] = True,
    user_agent: Annotated[str, typer.Option(help="The User-Agent to send.")] = "",
    delay: Annotated[str, typer.Option(help="A pause between requests: 500ms, 2s.")] = "0s",
    wait: Annotated[str, typer.Option(help="Wait this long until a server answers: 30s.")] = "0s",
    all_findings: Annotated[bool, typer.Option("--all-findings", help="Show every place of a finding.")] = False,
    config: Annotated[str, typer.Option(help="A waypost.toml or pyproject.toml for severities and ignores.")] = "",
) -> None:
    """Say whether crawlers can find what a site offers, where it fails, and how to mend it.

    waypost check example.com --format html --output report.html
    """
    try:
        if fail_on not in GATES:
            raise ConfigError(f"--fail-on {fail_on}: it is one of {', '.join(GATES)}")
        suite(suite_date)
        settings = replace(DEFAULT_SETTINGS, delay_s=read_seconds("--delay", delay))
        settings = replace(settings, user_agent=user_agent) if user_agent else settings
        options = Options(
            now=time.time(),
            suite=suite_date,
            follow_origin=follow_origin,
            deep=deep,
            probe=read_probe(probe),
            seed=seed,
            all_findings=all_findings,
            policing=read_policing(config),
        )
        earlier = read_baselines(baseline)
        means = Means(settings, tuple(allow_private or ()), "", replay, save, read_seconds("--wait", wait))
        targets, means = _targets(target, base, means)
        sinks = Outputs(plan(formats or (), outputs or ()), View(is_list=target == "-", fail_on=GATES[fail_on]))
        gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
        gate = Gate(GATES[fail_on], min_score)
        asked = [(name, replace(options, baseline=earlier.of(name, is_alone=len(targets) == 1))) for name in targets]
        codes = asyncio.run(_all(asked, means, sinks, gate))
        for name in sinks.finish():
            say(f"wrote {name}")
    except WaypostError as error:
        fail(str(error))
    raise typer.Exit(int(worst(codes)))


def _targets(target: str, base: str, means: Means) -> tuple[list[str], Means]:
    """The targets meant, and for a folder where its answers come from."""
    if base and target in {"", "-"}:
        raise ConfigError(f"--base {base} says where a folder is served: name the folder, or leave --base out")
    if target == "-":
        lines = read_input("-").decode("utf-8", "replace").splitlines()
        listed = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
        if not listed:
            raise ConfigError("the list on the standard input names no target")
        return list(dict.fromkeys(listed)), means
    if base or (target and "://" not in target and Path(target).is_dir()):
        if not base:
            raise ConfigError(f"{target} is {_how_to_check(target)}")
        return [base], replace(means, folder=target)
    if target.endswith(_DOCUMENT_ENDINGS) and Path(target).is_file():
        kind = "robots" if Path(target).name == "robots.txt" else "sitemap"
        raise ConfigError(f"{target} is one document: waypost {kind} check judges it; this command judges sites")
    if not target and not means.replay:
        raise ConfigError("name a site to check: waypost check example.com")
    return [target], means


def _how_to_check(folder: str) -> str:
    _, is_bare = content_of(folder)
    if is_bare:
        return "a folder: say with --base URL where it is served"
    doctor = f"waypost doctor {folder} looks into it"
    return f"a root to serve, not what it serves: {doctor}, or serve it and check its URL"


async def _all(asked: Sequence[_Asked], means: Means, sinks: Outputs, gate: Gate) -> list[ExitCode]:
    codes = []
    with Progress(len(asked)) as progress:
        async for target, found in _results(asked, means):
            progress.hide()
            if isinstance(found, Result):
                sinks.add(found)
                codes.append(exit_code(found, gate))
                for sentence in () if found.is_reached or sinks.has_text else found.notices[-1:]:
                    say(f"waypost: {sentence}")
            elif isinstance(found, WaypostError):
                say(f"waypost: {found}")
                codes.append(ExitCode.USAGE)
            else:
                say(f"waypost: {target}: {bug_sentence(found)}")
                codes.append(ExitCode.INTERNAL)
            progress.advance(target)
    return codes


async def _results(asked: Sequence[_Asked], means: Means) -> AsyncIterator[tuple[str, Result | Exception]]:
    """Each target's result in the order of the list, many at once."""
    seats = asyncio.Semaphore(_AT_ONCE)

    async def one(number: int, target: str, options: Options) -> Result | Exception:
        own = means if len(asked) == 1 else _numbered(means, number)
        async with seats:
            try:
                return await acheck(target, options, own)
            except Exception as error:  # whatever goes wrong with one target, the others are judged
                if len(asked) == 1:
                    raise
                return error

    running = [asyncio.ensure_future(one(number, *each)) for number, each in enumerate(asked, 1)]
    try:
        for (target, _), task in zip(asked, running, strict=True):
            yield target, await task
    finally:
        for task in running:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*running, return_exceptions=True)


def _numbered(means: Means, number: int) -> Means:
    """The means of one target of a list: each has a folder of captures of its own."""
    save, replay = (f"{folder}/{number:04d}" if folder else "" for folder in (means.save, means.replay))
    return replace(means, save=save, replay=replay)
