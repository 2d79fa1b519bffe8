"""How a report is to be shown: what only the door that asks for it can know."""

from dataclasses import dataclass

from waypost.check.rule import Severity

__all__ = ["View"]


@dataclass(frozen=True, slots=True)
class View:
    """The wishes of whoever reads the output; the defaults suit a file."""

    columns: int = 80
    has_colour: bool = False
    has_unicode: bool = True
    """False where the terminal's encoding has no letters beyond ASCII."""
    is_list: bool = False
    """A list of targets was checked, though perhaps a list of one."""
    fail_on: Severity | None = Severity.ERROR
    """The least severity that a gate stops on; None for a gate that looks at the verdict alone."""
