"""`robots check` and `sitemap check`: the rules on single files or URLs, and the safe fixes of files."""

import difflib
import time
from collections.abc import Callable, Mapping, Sequence

import typer

from waypost.check.fixes.robots import fix_robots
from waypost.check.fixes.sitemap import fix_sitemap
from waypost.check.options import Options
from waypost.check.result import Result
from waypost.check.single import Paper, check_robots_file, check_sitemap_file
from waypost.cli.check import GATES, Gate, exit_code, worst
from waypost.cli.checkconfig import read_policing
from waypost.cli.console import fail, is_url, printable, read_input, say
from waypost.cli.exit_codes import ExitCode
from waypost.cli.fetching import fetch_document
from waypost.cli.outputs import Outputs, plan
from waypost.cli.writing import write_file
from waypost.errors import ConfigError, WaypostError
from waypost.limits import SITEMAP_BYTES_MAX
from waypost.report.view import View
from waypost.urls import is_absolute, masked

__all__ = ["finding_lines", "run_paper_check"]


_JUDGES: Mapping[str, Callable[[Paper, Options], Result]] = {
    "robots": check_robots_file,
    "sitemap": check_sitemap_file,
}
_FIXES: Mapping[str, Callable[[bytes, str], bytes]] = {"robots": fix_robots, "sitemap": fix_sitemap}


def run_paper_check(
    kind: str,
    names: Sequence[str],
    *,
    base: str,
    formats: Sequence[str],
    outputs: Sequence[str],
    fail_on: str,
    wants_fix: bool,
    wants_diff: bool,
    all_findings: bool,
    allow_private: Sequence[str],
    config: str,
) -> None:
    """Judge documents, mend them if asked to, and end with the worst exit status of what is left."""
    try:
        if fail_on not in GATES:
            raise ConfigError(f"--fail-on {fail_on}: it is one of {', '.join(GATES)}")
        if base and len(names) > 1:
            raise ConfigError("--base says where one file is served: name one file")
        if wants_fix and wants_diff:
            raise ConfigError("--fix writes what --diff only shows: leave one of them out")
        options = Options(now=time.time(), all_findings=all_findings, policing=read_policing(config))
        results, codes = [], []
        for name in dict.fromkeys(names):
            paper = _paper(name, base, allow_private)
            if wants_diff:
                codes.append(_show_diff(paper, _FIXES[kind]))
                continue
            if wants_fix:
                paper = _mended(paper, _FIXES[kind])
            results.append(_JUDGES[kind](paper, options))
            codes.append(exit_code(results[-1], Gate(GATES[fail_on])))
        if results:
            _show(results, formats, outputs, fail_on)
    except WaypostError as error:
        fail(str(error))
    raise typer.Exit(int(worst(codes)))


def _paper(name: str, base: str, allow_private: Sequence[str]) -> Paper:
    if base and not is_absolute(base):
        raise ConfigError(f"--base {printable(masked(base))}: write a whole http or https URL")
    if not is_url(name):
        return Paper(read_input(name), name, base)
    capture = fetch_document(name, allow_private, bytes_max=SITEMAP_BYTES_MAX + 1)
    return Paper(capture.body.read(), name, base or capture.final_url, capture)


def _mended(paper: Paper, fix: Callable[[bytes, str], bytes]) -> Paper:
    mended = _fixed(paper, fix)
    if mended != paper.data:
        write_file(paper.name, [mended])
        say(f"mended {paper.name}")
    return Paper(mended, paper.name, paper.url)


def _show_diff(paper: Paper, fix: Callable[[bytes, str], bytes]) -> ExitCode:
    mended = _fixed(paper, fix)
    before, after = (data.decode("utf-8", "backslashreplace").splitlines() for data in (paper.data, mended))
    for line in difflib.unified_diff(before, after, paper.name, paper.name, lineterm=""):
        typer.echo(printable(line))
    return ExitCode.CLEAN if mended == paper.data else ExitCode.FINDINGS


def _fixed(paper: Paper, fix: Callable[[bytes, str], bytes]) -> bytes:
    if paper.capture is not None or paper.name == "-":
        raise ConfigError("--fix and --diff mend files on disk: name one")
    return fix(paper.data, paper.url)


def _show(results: Sequence[Result], formats: Sequence[str], outputs: Sequence[str], fail_on: str) -> None:
    if not formats and not outputs:
        for line in (line for result in results for line in finding_lines(result)):
            typer.echo(line)
        return
    sinks = Outputs(plan(formats, outputs), View(is_list=len(results) > 1, fail_on=GATES[fail_on]))
    for result in results:
        sinks.add(result)
    for written in sinks.finish():
        say(f"wrote {written}")


def finding_lines(result: Result) -> list[str]:
    """Findings as compilers print them, so that editors can jump to the place."""
    lines = []
    for _, finding in result.findings():
        for place in finding.places:
            where = f"{printable(place.url)}:{max(1, place.line)}:{max(1, place.column)}"
            lines.append(f"{where}: {finding.severity.value} {finding.code} {printable(place.text)}")
        if finding.count > len(finding.places):
            lines.append(f"    and {finding.count - len(finding.places):,} more of {finding.code}")
        if finding.fix:
            lines.append(f"    {finding.fix}")
    lines += [f"waypost itself failed in rule {crash.code}: {printable(crash.error)}" for crash in result.crashes]
    lines.append(f"{printable(result.given)}: {result.status.value}")
    return lines
