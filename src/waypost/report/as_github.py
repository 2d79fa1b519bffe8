"""The report as annotations of a GitHub workflow: one workflow command a line, which the runner reads from stdout.

    ::error title=SMQ301 invalid-lastmod::The lastmod “yesterday” is not a W3C date, at https://…, line 3

`file`, `line` and `col` are named where the place is a file of the repository; the runner would look for a URL there.
"""

from collections.abc import Iterator, Sequence

from waypost.check.contract import Outcome
from waypost.check.result import Finding, Result
from waypost.check.rule import Severity
from waypost.formats.printable import printable
from waypost.report import words
from waypost.report.view import View

__all__ = ["render"]

_COMMANDS = {Severity.ERROR: "error", Severity.WARN: "warning", Severity.INFO: "notice"}
_VERDICTS = {Outcome.PASS: "notice", Outcome.WARN: "warning", Outcome.FAIL: "error", Outcome.SKIP: "notice"}


def render(results: Sequence[Result], view: View) -> Iterator[str]:  # noqa: ARG001 - every renderer is called alike
    """A line for the verdict, then one for each finding, weightiest first: the runner shows only the first ten."""
    return (f"{line}\n" for result in results for line in _lines(result))


def _lines(result: Result) -> Iterator[str]:
    sentence = f"{result.target}: {result.status.value}, score {words.score_words(result.score)}"
    yield _command(_VERDICTS[result.status], {"title": "waypost"}, f"{sentence}; {words.verdict_words(result)}")
    for crash in result.crashes:
        yield _command("error", {"title": f"waypost failed in {crash.code}"}, f"{crash.error} on {crash.url}")
    for finding in words.by_weight([finding for _, finding in result.findings()]):
        yield _annotation(finding)


def _annotation(finding: Finding) -> str:
    properties = {"title": f"{finding.code} {finding.name}"}
    place = finding.where
    if place.url and "://" not in place.url:
        numbers = {"line": place.line, "col": place.column}
        properties = {"file": place.url, **{k: str(v) for k, v in numbers.items() if v}, **properties}
    sentences = [f"{finding.message}, at {words.places_words(finding)}", finding.fix]
    return _command(_COMMANDS[finding.severity], properties, ". ".join(part.rstrip(".") for part in sentences if part))


def _command(name: str, properties: dict[str, str], message: str) -> str:
    fields = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{name} {fields}::{_data(message)}"


def _data(text: str) -> str:
    # printable() leaves no line end, so only the escape character itself is left to escape.
    return printable(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
