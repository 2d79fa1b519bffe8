"""Why a URL may or may not be fetched: the deciding line, and the rule that nearly decided."""

from dataclasses import dataclass
from enum import StrEnum

from waypost.formats.notes import Note

__all__ = ["NearMiss", "Reason", "Verdict"]


class Reason(StrEnum):
    """What decided."""

    RULE = "rule"
    """The rule on `line`."""
    EMPTY = "empty"
    """Nothing but a rule without a value, which forbids nothing."""
    NO_MATCH = "no-match"
    """The crawler's group has no rule for this URL."""
    NO_GROUP = "no-group"
    """No group is meant for this crawler."""
    ROBOTS_TXT = "robots-txt"
    """RFC 9309: /robots.txt itself may always be fetched."""
    STATUS = "status"
    """The server's answer for robots.txt, not its text."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A rule that did not decide but nearly did: where it is, and what kept it from deciding."""

    kind: str
    line: int
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer with its evidence. Lines count from 1, 0 is none.

    `rule` is the deciding line as it is written, `pattern` what was compared, `group_line` the line of the User-agent
    that led there, `agents` all the agents of that group.
    """

    allowed: bool
    rule: str = ""
    line: int = 0
    group_line: int = 0
    agents: tuple[str, ...] = ()
    pattern: str = ""
    reason: Reason = Reason.NO_MATCH
    near_miss: NearMiss | None = None
    notes: tuple[Note, ...] = ()
