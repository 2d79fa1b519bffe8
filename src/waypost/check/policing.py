"""A project's own opinion about rules: other severities, and findings it lives with, some of them until a day."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from waypost.check.rule import Severity

__all__ = ["Ignore", "Policing"]


@dataclass(frozen=True, slots=True)
class Ignore:
    """A rule that is not reported, until the end of a day (seconds since 1970) when there is one."""

    code: str
    until: float | None = None
    reason: str = ""

    def holds(self, now: float) -> bool:
        """Whether it still counts."""
        return self.until is None or now < self.until


@dataclass(frozen=True, slots=True)
class Policing:
    """Severities and ignores by rule code."""

    severities: Mapping[str, Severity] = field(default_factory=dict)
    ignores: tuple[Ignore, ...] = ()

    def severity(self, code: str, default: Severity) -> Severity:
        """How much a finding matters here."""
        return self.severities.get(code, default)

    def is_ignored(self, code: str, now: float) -> bool:
        """Whether findings of a rule are left out today."""
        return any(ignore.code == code and ignore.holds(now) for ignore in self.ignores)
