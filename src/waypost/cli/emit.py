"""Results on stdout, line by line: in its encoding, coloured where that is welcome, quiet when nobody reads on."""

import contextlib
import os
import shutil
import sys
from collections.abc import Iterable
from itertools import islice

from waypost.cli.exit_codes import ExitCode

__all__ = ["coloured", "columns", "emit", "has_blocks", "is_terminal", "stop_writing"]

_LINES_AT_ONCE = 1_000
_COLUMNS_DEFAULT = 80


def emit(lines: Iterable[str]) -> None:
    """Write lines to stdout; a reader that has gone away (`| head`) ends the command without a word."""
    source = iter(lines)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        while some := list(islice(source, _LINES_AT_ONCE)):
            sys.stdout.buffer.write("".join(f"{line}\n" for line in some).encode(encoding, "backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:
        stop_writing()
        raise SystemExit(int(ExitCode.CLEAN)) from None


def stop_writing() -> None:
    """Let what is still to be written go: Python flushes stdout once more when it ends, and would complain."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def is_terminal() -> bool:
    """Whether somebody looks at stdout."""
    return sys.stdout.isatty()


def columns() -> int:
    """How wide a line may be: the terminal's width up to 120, and 80 where there is none."""
    if not is_terminal():
        return _COLUMNS_DEFAULT
    return max(40, min(120, shutil.get_terminal_size((_COLUMNS_DEFAULT, 24)).columns))


def has_blocks() -> bool:
    """Whether stdout can show the characters bars are drawn with."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().startswith(("utf", "gb18030"))


def coloured(text: str) -> str:
    """The text in colour where a terminal wants colours (https://no-color.org)."""
    wanted = is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    return f"\x1b[36m{text}\x1b[0m" if wanted else text
