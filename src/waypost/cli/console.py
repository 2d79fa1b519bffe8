"""How commands speak: results on stdout, everything else on stderr, and no control character ever raw."""

import sys
from pathlib import Path
from typing import NoReturn

from waypost.cli.exit_codes import ExitCode
from waypost.formats.printable import printable

__all__ = ["counted", "fail", "is_url", "printable", "read_input", "say"]

_READ_BYTES_MAX = 256 * 1024 * 1024


def say(sentence: str) -> None:
    """Write one line for the person at the terminal, on stderr."""
    sys.stderr.write(sentence + "\n")


def fail(sentence: str, code: ExitCode = ExitCode.USAGE) -> NoReturn:
    """Say what is wrong in one sentence on stderr, and end."""
    say(f"waypost: {sentence}")
    raise SystemExit(int(code))


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
        called = "standard input" if name == "-" else printable(name) or "a file without a name"
        fail(f"cannot read {called}: {(error.strerror or str(error)).lower()}")
    if len(data) > bytes_max:
        fail(f"{printable(name)} is larger than {bytes_max:,} bytes, the most this command reads")
    return data
