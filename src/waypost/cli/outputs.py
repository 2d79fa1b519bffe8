"""Several formats to several places: what `--format` and `--output` mean together, and the writing.

nothing                                     text on stdout
--format json                               JSON on stdout
--output report.html                        HTML into the file: its ending says the format
--format html --format sarif --output a.html --output b.sarif
                                            each format into the file whose ending is its own, else in order
--format text --output report.html          a format that is left without a file goes to stdout; only one can
"""

import os
import sys
from codecs import getincrementalencoder
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from waypost.check.result import Result
from waypost.cli.emit import stop_writing
from waypost.cli.writing import write_file
from waypost.errors import ConfigError, StoreError
from waypost.formats.printable import printable
from waypost.report.formats import FORMATS, Format, format_for_file, format_named
from waypost.report.view import View

__all__ = ["STDOUT", "Output", "Outputs", "plan", "terminal_view"]

STDOUT = "-"
_READ_ON_STDOUT = frozenset({"text", "github"})


@dataclass(frozen=True, slots=True)
class Output:
    """One format and where it goes: a file, or `-` for stdout."""

    format: Format
    place: str = STDOUT


def plan(formats: Iterable[str] = (), outputs: Iterable[str] = ()) -> tuple[Output, ...]:
    """Which format goes where; what cannot be meant is a `ConfigError`."""
    wanted = [format_named(name) for word in formats for name in word.split(",")]
    places = list(outputs)
    _refuse_repeats(wanted, places)
    if not wanted and not places:
        return (Output(format_named("text")),)
    rows = [Output(known, place) for known, place in _matched(wanted, places)]
    if sum(row.place == STDOUT for row in rows) > 1:
        names = [row.format.name for row in rows if row.place == STDOUT]
        raise ConfigError(
            f"{' and '.join(names)} cannot share the standard output: give all but one of them a file with --output"
        )
    return tuple(rows)


def _refuse_repeats(wanted: Sequence[Format], places: Sequence[str]) -> None:
    for place in places:
        if not place:
            raise ConfigError("--output needs the name of a file, or - for the standard output")
        if place != STDOUT and not Path(place).parent.is_dir():
            raise ConfigError(f"cannot write {printable(place)}: its directory does not exist")
        if places.count(place) > 1:
            raise ConfigError(f"--output {printable(place)} is given twice: each format needs a file of its own")
    for known in wanted:
        if wanted.count(known) > 1 and len(places) < len(wanted):
            raise ConfigError(f"--format {known.name} is given twice")


def _matched(wanted: Sequence[Format], places: Sequence[str]) -> Iterator[tuple[Format, str]]:
    # A file goes with the wanted format its ending names; the other files go with the other formats in order.
    formats, files = list(wanted), list(places)
    for place in places:
        known = format_for_file(place)
        if known in formats and known is not None:
            yield known, place
            formats.remove(known)
            files.remove(place)
    for place in files:
        known = format_for_file(place)
        # Text and annotations are read on stdout: they take no file whose ending is another format's.
        taken = next((one for one in formats if known is None or one.name not in _READ_ON_STDOUT), None)
        if taken is not None:
            formats.remove(taken)
            known = taken
        if known is None:
            names = ", ".join(row.name for row in FORMATS)
            raise ConfigError(f"the name {printable(place)} does not say its format: name one with --format ({names})")
        yield known, place
    for known in formats:
        yield known, STDOUT


def terminal_view(view: View | None = None) -> View:
    """How stdout likes it: its width and colours where it is a terminal that wants them, plain text elsewhere."""
    view = view or View()
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "").replace("_", "")
    view = replace(view, has_unicode=encoding.startswith(("utf", "gb18030")))
    if not sys.stdout.isatty():
        return view
    colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in {"", "dumb"}
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns or view.columns
    except (OSError, ValueError):
        columns = view.columns
    return replace(view, has_colour=colour, columns=columns)


class Outputs:
    """Takes results as they come, and writes each format to its place: streams at once, documents at the end."""

    def __init__(self, rows: Sequence[Output], view: View | None = None) -> None:
        self._rows = rows
        self._file_view = view or View()
        self._view = terminal_view(view)
        self._is_kept = any(row.place != STDOUT or not row.format.is_stream for row in rows)
        self._results: list[Result] = []
        self._streamed = 0

    @property
    def has_text(self) -> bool:
        """Whether stdout is for people."""
        return any(row.place == STDOUT and row.format.name == "text" for row in self._rows)

    def add(self, result: Result) -> None:
        """Take one more result."""
        if self._is_kept:
            self._results.append(result)
        for row in self._rows:
            if row.place == STDOUT and row.format.is_stream:
                gap = "\n" if self._streamed and row.format.name == "text" else ""
                _print(chain([gap], row.format.pieces([result], self._view)))
        self._streamed += 1

    def finish(self) -> list[str]:
        """Write what waits for the last result; the names of the files written come back."""
        written = []
        for row in self._rows:
            if row.place != STDOUT:
                pieces = row.format.pieces(self._results, self._file_view)
                write_file(row.place, (piece.encode("utf-8", "backslashreplace") for piece in pieces))
                written.append(row.place)
            elif not row.format.is_stream:
                _print(row.format.pieces(self._results, self._view))
        return written


def _print(pieces: Iterable[str]) -> None:
    # A renderer's text is whole: a terminal without its letters gets escapes, and line ends stay what they are.
    encoder = getincrementalencoder(getattr(sys.stdout, "encoding", None) or "utf-8")("backslashreplace")
    binary = getattr(sys.stdout, "buffer", None)
    try:
        sys.stdout.flush()
        for piece in pieces:
            if binary is None:
                sys.stdout.write(piece)
            else:
                binary.write(encoder.encode(piece))
        sys.stdout.flush()
    except BrokenPipeError:
        stop_writing()  # nobody reads on (`| head`): the files and the exit status are still worth finishing for
    except OSError as error:
        stop_writing()
        raise StoreError(f"cannot write the standard output: {(error.strerror or str(error)).lower()}") from None
