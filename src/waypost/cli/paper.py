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
from waypost.urls import is_absolute

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
        options = Options(now=time.time(), all_findings=all_findings, policing=read_policing(config))
        results, codes = [], []
        for name in dict.fromkeys(names):
            paper, changed = _paper(name, base, allow_private), False
            if wants_fix or wants_diff:
                paper, changed = _mended(paper, _FIXES[kind], writes=wants_fix)
            results.append(_JUDGES[kind](paper, options))
            code = exit_code(results[-1], Gate(GATES[fail_on]))
            codes.append(ExitCode.FINDINGS if wants_diff and changed else code)
        if not wants_diff:
            _show(results, formats, outputs, fail_on)
    except WaypostError as error:
        fail(str(error))
    raise typer.Exit(int(worst(codes)))


def _paper(name: str, base: str, allow_private: Sequence[str]) -> Paper:
    if base and not is_absolute(base):
        raise ConfigError(f"--base {printable(base)}: write a whole http or https URL")
    if not is_url(name):
        return Paper(read_input(name), name, base)
    capture = fetch_document(name, allow_private, bytes_max=SITEMAP_BYTES_MAX + 1)
    return Paper(capture.body.read(), name, base or capture.final_url, capture)


def _mended(paper: Paper, fix: Callable[[bytes, str], bytes], *, writes: bool) -> tuple[Paper, bool]:
    if paper.capture is not None or paper.name == "-":
        raise ConfigError("--fix and --diff mend files on disk: name one")
    mended = fix(paper.data, paper.url)
    changed = mended != paper.data
    if not writes:
        typer.echo(_diff(paper, mended), nl=False)
    elif changed:
        write_file(paper.name, [mended])
        say(f"mended {printable(paper.name)}")
    return (Paper(mended, paper.name, paper.url) if writes else paper), changed


def _diff(paper: Paper, mended: bytes) -> str:
    before, after = (data.decode("utf-8", "backslashreplace").splitlines() for data in (paper.data, mended))
    lines = difflib.unified_diff(before, after, paper.name, paper.name, lineterm="")
    return "".join(f"{printable(line)}\n" for line in lines)


def _show(results: Sequence[Result], formats: Sequence[str], outputs: Sequence[str], fail_on: str) -> None:
    if not formats and not outputs:
        for line in (line for result in results for line in finding_lines(result)):
            typer.echo(line)
        return
    sinks = Outputs(plan(formats, outputs), View(is_list=len(results) > 1, fail_on=GATES[fail_on]))
    for result in results:
        sinks.add(result)
    for written in sinks.finish():
        say(f"wrote {printable(written)}")


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
