"""The report as GitHub-flavoured Markdown: for a pull request, an issue or the summary of a job.

What a server wrote can neither become markup nor mention anybody.
"""

import re
from collections.abc import Iterator, Sequence

from waypost.check.contract import Outcome
from waypost.check.result import CheckResult, Finding, Result
from waypost.report import words
from waypost.report.view import View

__all__ = ["render"]

_SIGNS = {Outcome.PASS: "✅", Outcome.WARN: "⚠️", Outcome.FAIL: "❌", Outcome.SKIP: "⏭️"}
_MARKS = re.compile(r"([\\`*_{}\[\]()#+!|~:$^-])")
_BACKTICKS = re.compile(r"`+")


def render(results: Sequence[Result], view: View) -> Iterator[str]:  # noqa: ARG001 - every renderer is called alike
    """The reports one after the other."""
    for number, result in enumerate(results):
        if number:
            yield "\n"
        yield from (f"{line}\n" for line in _one(result))


def _one(result: Result) -> Iterator[str]:
    score = words.score_words(result.score)
    yield f"## {_SIGNS[result.status]} {_code(words.shown(result.target))} {result.status.value}, score {score}"
    yield ""
    yield _text(words.verdict_sentence(result))
    for sentence in (*(_text(notice) for notice in result.notices), *words.advice(result)):
        yield ""
        yield f"> {sentence}"
    for check in result.checks:
        yield from _check(check)
    yield from _trail(result)
    for crash in result.crashes:
        yield ""
        place = f"{_code(words.shown(crash.code))} on {_code(words.shown(crash.url))}"
        yield f"**waypost failed** in {place}: {_text(crash.error)}"


def _check(check: CheckResult) -> Iterator[str]:
    yield ""
    yield f"### {_text(check.spec.id)} {_text(check.spec.version)}: {words.findings_count(check.findings)}"
    if check.score is not None:
        yield ""
        yield "| step | outcome | weight × credit | earned |"
        yield "|---|---|---:|---:|"
        for term in words.terms(check):
            status = term.step.status
            weight, earned = words.score_words(term.step.weight), words.score_words(term.earned)
            yield f"| {_text(term.step.id)} | {_SIGNS[status]} {status.value} | {weight} × {term.credit:g} | {earned} |"
        yield f"| **score** | | | **{words.score_words(check.score)}** |"
        yield ""
        yield f"<sub>{words.credit_note(check)}</sub>"
    for finding in words.by_weight(check.findings):
        yield from _finding(finding)


def _finding(finding: Finding) -> Iterator[str]:
    tags = [finding.severity.value]
    tags += ["moves the score"] if finding.scored else []
    tags += [] if finding.is_new else ["known"]
    yield ""
    yield f"- **{_text(finding.code)} {_text(finding.name)}** ({', '.join(tags)}): {_text(finding.message)}"
    yield f"  - at {_code(words.places_words(finding))}"
    for place in finding.places[1:]:
        yield f"  - {_code(words.place_words(place))}" + (f": {_text(place.text)}" if place.text else "")
    if finding.fix:
        yield f"  - fix: {_text(finding.fix)}"


def _trail(result: Result) -> Iterator[str]:
    if not result.trail:
        return
    yield ""
    yield "<details><summary>Trail</summary>"
    yield ""
    yield "| status | URL | what came | headers |"
    yield "|---:|---|---|---|"
    for hop in result.trail:
        headers = ", ".join(f"{name}: {value}" for name, value in hop.headers.items())
        came = words.hop_words(hop) + (f"; begins {words.shown(hop.head)}" if words.is_surprising(hop) else "")
        cells = (words.shown(hop.url), came, words.shown(headers))
        yield f"| {hop.status or '—'} | {' | '.join(map(_cell, cells))} |"
    yield ""
    yield "</details>"


def _text(text: str) -> str:
    # Backslashes make every mark a letter; "@" and "www." would still be linked, but for a comment inside them.
    escaped = words.shown(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = _MARKS.sub(r"\\\1", escaped)
    return escaped.replace("@", "@<!-- -->").replace("www.", "www<!-- -->.")


def _code(content: str) -> str:
    # The content is shown already. A fence longer than any run of backticks inside is the one way to quote it.
    fence = "`" * (1 + max(map(len, _BACKTICKS.findall(content)), default=0))
    gap = " " if content.startswith("`") or content.endswith("`") else ""
    return f"{fence}{gap}{content}{gap}{fence}" if content else ""


def _cell(content: str) -> str:
    # In a table even a code span may be cut by a bar; GitHub takes the backslash away again.
    return _code(content).replace("|", "\\|")
