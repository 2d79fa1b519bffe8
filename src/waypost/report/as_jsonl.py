"""The result as JSON Lines: one report a line, so that a list of targets can be read while it is written."""

from collections.abc import Iterator, Sequence

from waypost.check.result import Result
from waypost.report.as_json import chunks, document
from waypost.report.view import View

__all__ = ["render"]


def render(results: Sequence[Result], view: View) -> Iterator[str]:  # noqa: ARG001 - every renderer is called alike
    """One line a target."""
    for result in results:
        yield from chunks(document(result))
        yield "\n"
