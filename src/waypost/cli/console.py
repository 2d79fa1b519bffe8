"""How commands speak: results on stdout, everything else on stderr, and no control character ever raw."""

import sys
import traceback
from pathlib import Path
from typing import NoReturn

from waypost.cli.exit_codes import ExitCode
from waypost.formats.printable import printable

__all__ = ["bug_sentence", "counted", "fail", "is_url", "printable", "read_input", "say"]

_BUG_CHARS = 200
_READ_BYTES_MAX = 256 * 1024 * 1024


def say(sentence: str) -> None:
    """Write one line for the person at the terminal, on stderr; what it quotes may come from anybody."""
    sys.stderr.write(printable(sentence) + "\n")


def fail(sentence: str, code: ExitCode = ExitCode.USAGE) -> NoReturn:
    """Say what is wrong in one sentence on stderr, and end."""
    say(f"waypost: {sentence}")
    raise SystemExit(int(code))


def bug_sentence(error: BaseException) -> str:
    """What to say of an exception that should not have been: its kind, its words, and the line it came from."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    words = printable(f"{type(error).__name__}: {error}")[:_BUG_CHARS]
    where = f"{Path(at.filename).name}, line {at.lineno}"
    return f"an internal error, which is a bug of waypost: {words} ({where}; WAYPOST_TRACEBACK=1 shows more)"


def counted(count: int, noun: str) -> str:
    """A number of things, in words that agree with it."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def is_url(name: str) -> bool:
    """Whether what stands where a file is expected is a URL to fetch."""
    return name.lower().startswith(("http://", "https://"))


def read_input(name: str, *, bytes_max: int = _READ_BYTES_MAX) -> bytes:
    """Read a file, or standard input for `-`; a file that cannot be read is one sentence and exit 2."""
    if name == "-" and sys.stdin is None:
        fail("cannot read standard input: it is closed")
    try:
        if name == "-":
            data = sys.stdin.buffer.read(bytes_max + 1)
        else:
            with Path(name).open("rb") as stream:
                data = stream.read(bytes_max + 1)
    except OSError as error:
        called = "standard input" if name == "-" else name or "a file without a name"
        fail(f"cannot read {called}: {(error.strerror or str(error)).lower()}")
    if len(data) > bytes_max:
        fail(f"{name} is larger than {bytes_max:,} bytes, the most this command reads")
    return data
