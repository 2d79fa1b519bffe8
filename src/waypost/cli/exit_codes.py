"""What the exit status of every command means: one table for code, docs and tests."""

from enum import IntEnum

__all__ = ["ExitCode"]


class ExitCode(IntEnum):
    """The exit status of a command."""

    CLEAN = 0
    """Clean at the chosen level."""
    FINDINGS = 1
    """A finding at or above `--fail-on`, a verdict of fail, or a score below `--min-score`."""
    USAGE = 2
    """A usage or configuration error."""
    UNREACHABLE = 3
    """The target could not be reached at all, so a job may try again."""
    INTERNAL = 4
    """We could not judge: an internal error or a crashed rule."""
