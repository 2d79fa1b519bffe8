"""Every format a report can have: one table. A renderer is a module with `render(results, view)`.

It yields its text in pieces: a report may have 50,000 places of each problem, and is then longer than memory is free.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module

from waypost.check.result import Result
from waypost.errors import ConfigError
from waypost.report.view import View

__all__ = ["FORMATS", "Format", "format_for_file", "format_named"]


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its name, the endings of its files, its module, and its line in the help."""

    name: str
    endings: tuple[str, ...]
    module: str
    help: str
    is_stream: bool = False
    """Whether the outputs of several targets may simply follow each other, each as soon as it is known."""

    def pieces(self, results: Sequence[Result], view: View) -> Iterator[str]:
        """The results in this format, piece by piece; its module is imported now."""
        pieces: Iterator[str] = import_module(self.module).render(results, view)
        return pieces

    def render(self, results: Sequence[Result], view: View) -> str:
        """The results in this format as one text."""
        return "".join(self.pieces(results, view))


FORMATS = (
    Format("text", (".txt",), "waypost.report.as_text", "for people, in a terminal", is_stream=True),
    Format("json", (".json",), "waypost.report.as_json", "everything, as one document"),
    Format("jsonl", (".jsonl", ".ndjson"), "waypost.report.as_jsonl", "everything, a line a target", is_stream=True),
    Format("sarif", (".sarif", ".sarif.json"), "waypost.report.as_sarif", "SARIF 2.1.0, for code scanning"),
    Format("junit", (".xml",), "waypost.report.as_junit", "JUnit XML, a test a step"),
    Format("github", (), "waypost.report.as_github", "annotations of a GitHub workflow", is_stream=True),
    Format("markdown", (".md", ".markdown"), "waypost.report.as_markdown", "for a pull request or a job summary"),
    Format("csv", (".csv",), "waypost.report.as_csv", "findings, a row each"),
    Format("html", (".html", ".htm"), "waypost.report.as_html", "one self-contained page"),
)


def format_named(name: str) -> Format:
    """The format of that name."""
    for known in FORMATS:
        if known.name == name:
            return known
    raise ConfigError(f"there is no format {name!a}; there is {', '.join(known.name for known in FORMATS)}")


def format_for_file(name: str) -> Format | None:
    """The format that a file's ending asks for; the longest ending decides."""
    endings = [(len(ending), known) for known in FORMATS for ending in known.endings if name.lower().endswith(ending)]
    return max(endings, key=lambda row: row[0], default=(0, None))[1]
