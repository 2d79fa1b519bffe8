"""The report for people in a terminal: the verdict first, then why, where, and what to do.

Colour repeats what words and signs say, so nothing is lost in a pipe, under NO_COLOR, or to a reader who sees no
colours. Long URLs are never broken, so that they can be copied.
"""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from waypost.check.contract import Outcome
from waypost.check.result import CheckResult, Finding, Result, StepResult, TrailHop
from waypost.check.rule import Severity
from waypost.report import words
from waypost.report.view import View

__all__ = ["render"]

_SIGNS = {Outcome.PASS: "✓", Outcome.WARN: "!", Outcome.FAIL: "✗", Outcome.SKIP: "–"}
_STYLES = {Outcome.PASS: "bold green", Outcome.WARN: "bold yellow", Outcome.FAIL: "bold red", Outcome.SKIP: "dim"}
_SEVERITIES = {
    Severity.ERROR: ("error", "bold red"),
    Severity.WARN: ("warn", "bold yellow"),
    Severity.INFO: ("info", "cyan"),
}
_COLUMNS_MIN, _COLUMNS_MAX = 40, 100
_STEP_COLUMNS = 15
_SEEN_CHARS_MAX = 32
_HEADERS_TOLD = frozenset({"content-type", "content-encoding", "location", "retry-after", "x-robots-tag"})
"""The header fields that decide something; the other outputs show all that were kept."""
_WORD = re.compile(r" *[^ ]+ *")
_ASCII = str.maketrans({"✓": "+", "✗": "x", "–": "-", "×": "x", "·": "-", "…": "...", "→": "->", "“": '"', "”": '"'})


class _Line(NamedTuple):
    """A paragraph, how far it stands in, and how much further its second line stands."""

    text: Text
    indent: int = 0
    hang: int = 0


_GAP = _Line(Text())


def render(results: Sequence[Result], view: View) -> Iterator[str]:
    """The reports one after the other."""
    for number, result in enumerate(results):
        if number:
            yield "\n"
        for line in _one(result, view):
            yield line if view.has_unicode else line.translate(_ASCII).encode("ascii", "backslashreplace").decode()


def _one(result: Result, view: View) -> Iterator[str]:
    columns = max(_COLUMNS_MIN, min(view.columns, _COLUMNS_MAX))
    lines = (line for paragraph in _report(result) for line in _laid_out(paragraph, columns))
    return _coloured(lines) if view.has_colour else (f"{line.plain}\n" for line in lines)


def _coloured(lines: Iterable[Text]) -> Iterator[str]:
    sink = io.StringIO()
    console = Console(file=sink, force_terminal=True, no_color=False, color_system="standard", legacy_windows=False)
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True)
        yield sink.getvalue()
        sink.seek(0)
        sink.truncate()


def _laid_out(paragraph: _Line, columns: int) -> Iterator[Text]:
    text, indent, hang = paragraph
    for number, line in enumerate(_wrapped(text, columns - indent - hang)):
        yield Text(" " * (indent + hang * bool(number))) + line if line.plain else line


def _wrapped(text: Text, columns: int) -> Iterator[Text]:
    # rich would break or crop a word that is longer than the line; a URL must stay whole to be copied.
    breaks: list[int] = []
    used = 0
    for word in _WORD.finditer(text.plain):
        cells = cell_len(word[0].rstrip())
        if used and used + cells > columns:
            breaks.append(word.start())
            used = 0
        used += cell_len(word[0])
    for line in text.divide(breaks):
        line.rstrip()
        yield line


def _report(result: Result) -> Iterator[_Line]:
    yield _headline(result)
    for notice in result.notices:
        yield _Line(Text(words.shown(notice)), 2)
    yield _Line(Text(words.verdict_sentence(result)), 2)
    for sentence in words.advice(result):
        yield _Line(Text(sentence, "dim"), 2)
    if words.is_judged(result):  # else the sentences above say all there is
        for check in result.checks:
            yield from _check(check)
        yield from _trail(result.trail)
    yield from _crashes(result)
    yield from _next(result)


def _headline(result: Result) -> _Line:
    return _line(
        (words.shown(result.target), "bold"),
        (f"  {_SIGNS[result.status]} {result.status.value}", _STYLES[result.status]),
        (f"  score {words.score_words(result.score)}", "bold"),
        (" of 1.00", "dim"),
    )


def _line(*parts: str | tuple[str, str], indent: int = 0, hang: int = 0) -> _Line:
    return _Line(Text.assemble(*parts), indent, hang)


def _check(check: CheckResult) -> Iterator[_Line]:
    yield _GAP
    name = f"{words.shown(check.spec.id)} {words.shown(check.spec.version)}"
    yield _line((name, "bold"), (f"  {words.findings_count(check.findings)}", "dim"))
    if check.score is not None:
        yield from _arithmetic(check, check.score)
    for finding in words.by_weight(check.findings):
        yield from _finding(finding)


def _arithmetic(check: CheckResult, score: float) -> Iterator[_Line]:
    for term in words.terms(check):
        status, style = term.step.status, _STYLES[term.step.status]
        weight, earned = words.score_words(term.step.weight), words.score_words(term.earned)
        yield _line(
            (f"{_SIGNS[status]} ", style),
            f"{words.shown(term.step.id):<{_STEP_COLUMNS}}",
            (f"{status.value:<6}", style),
            (f"{weight} × {term.credit:<3g} = {earned}", "dim"),
            (_seen(term.step), "dim"),
            indent=2,
        )
    yield _line((f"{'score':<{_STEP_COLUMNS + 17}}= {words.score_words(score)}", "bold"), indent=4)
    yield _line((words.credit_note(check), "dim"), indent=2)


def _seen(step: StepResult) -> str:
    text = ""
    for part in words.evidence_words(step.evidence):
        if len(text) + len(part) > _SEEN_CHARS_MAX:
            break
        text += f", {part}" if text else f"  {part}"
    return text


def _finding(finding: Finding) -> Iterator[_Line]:
    word, style = _SEVERITIES[finding.severity]
    tags = [tag for tag, holds in (("moves the score", finding.scored), ("known", not finding.is_new)) if holds]
    yield _GAP
    yield _line(
        (f"{word:<6}", style),
        (f"{words.shown(finding.code)} {words.shown(finding.name)}", "bold"),
        (f"  {', '.join(tags)}" if tags else "", "dim"),
        indent=2,
    )
    yield _line(words.shown(finding.message), indent=8)
    yield _line(("at ", "dim"), words.places_words(finding), indent=8, hang=3)
    # A note is for the curious: its first place is enough here, and JSON holds them all.
    for place in finding.places[1:] if finding.severity is not Severity.INFO else ():
        yield _line("   ", words.place_words(place), (_because(finding, place.text), "dim"), indent=8, hang=3)
    if finding.fix:
        yield _line(("fix ", "bold"), words.shown(finding.fix), indent=8, hang=4)


def _because(finding: Finding, text: str) -> str:
    return f": {words.shown(text)}" if text and text != finding.message else ""


def _trail(trail: Sequence[TrailHop]) -> Iterator[_Line]:
    if not trail:
        return
    yield _GAP
    yield _line(("trail", "bold"))
    for hop in trail:
        style = "red" if hop.error or hop.status >= 500 else "yellow" if hop.status >= 400 else "green"
        yield _line((f"{hop.status or '---':<4}", style), words.shown(hop.url), indent=2, hang=4)
        facts = [words.hop_words(hop)]
        told = {name: value for name, value in hop.headers.items() if name.lower() in _HEADERS_TOLD}
        facts += [f"{words.shown(name)}: {words.shown(value)}" for name, value in told.items()]
        yield _line((" · ".join(facts), "dim"), indent=6)
        if words.is_surprising(hop):
            yield _line(("begins ", "dim"), words.shown(hop.head), indent=6, hang=7)


def _crashes(result: Result) -> Iterator[_Line]:
    for crash in result.crashes:
        place = f"{words.shown(crash.code)} on {words.shown(crash.url)}"
        yield _GAP
        yield _line(
            ("waypost failed  ", "bold red"),
            f"{place}: {words.shown(crash.error)} ({words.shown(crash.where)}). "
            "This is a bug of waypost, not of the site.",
        )


def _next(result: Result) -> Iterator[_Line]:
    commands = words.next_commands(result)
    if not commands:
        return
    yield _GAP
    yield _line(("next", "bold"))
    for command, purpose in commands:
        yield _line(command, indent=2)
        yield _line((purpose, "dim"), indent=6)
