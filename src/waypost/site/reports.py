"""What is said to the owner about the root: once each, with file, line and reason, until it is mended."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass

from waypost.formats.printable import log_line
from waypost.limits import SAID_CHARS_MAX

__all__ = ["Report", "Reports"]

_log = logging.getLogger("waypost.site")


@dataclass(frozen=True, slots=True)
class Report:
    """One thing an owner should know: which file and line (0: all of it), why, and whether an object is withheld."""

    file: str
    line: int
    reason: str
    is_withheld: bool

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.reason}{'; withheld' if self.is_withheld else ''}"


class Reports:
    """The reports in force, by the object they are about and the topic."""

    def __init__(self) -> None:
        self._by_object: dict[str, dict[str, Report]] = {}
        self.told: tuple[Report, ...] = ()
        """All of them, by file, as they were when whoever changes them was last done."""
        self._is_changed = False
        self.is_quiet = False
        """Whether nothing is written to the log: whoever asks shows the reports."""

    def __len__(self) -> int:
        return sum(map(len, self._by_object.values()))

    def say(
        self, subject: str, topic: str, reason: str, *, file: str = "", line: int = 0, withheld: bool = False
    ) -> None:
        """Report on an object."""
        report = Report(file or subject, line, reason, withheld)
        self._by_object.setdefault(subject, {})[topic] = report
        self._is_changed = True

    def settle(self, subject: str, topic: str) -> None:
        """A topic is in order now."""
        topics = self._by_object.get(subject)
        if topics is not None and topics.pop(topic, None) is not None:
            self._is_changed = True
            if not topics:
                del self._by_object[subject]

    def forget(self, subject: str) -> None:
        """The object is gone, and so is what there was to say."""
        if self._by_object.pop(subject, None) is not None:
            self._is_changed = True

    def forget_below(self, folder: str) -> None:
        """A folder is gone with everything in it."""
        start = f"{folder}/" if folder else ""
        for subject in [name for name in self._by_object if name.startswith(start)]:
            del self._by_object[subject]
            self._is_changed = True

    def clear(self) -> None:
        """Everything is judged anew; what was told and still holds will not be told again."""
        self._by_object.clear()
        self._is_changed = True

    def tell(self) -> None:
        """Write to the log what is in force and was not when this was last done."""
        if not self._is_changed or self.is_quiet:
            return
        self._is_changed = False
        before, self.told = set(self.told), tuple(self.every())
        for report in sorted(set(self.told) - before, key=str):
            _log.warning("%s", log_line(str(report), SAID_CHARS_MAX))

    def topics(self) -> Iterator[tuple[str, Report]]:
        """All reports with what each is about: the reading of a file, an alias, an id and so on."""
        for topics in self._by_object.values():
            yield from topics.items()

    def every(self) -> list[Report]:
        """All reports, by file."""
        found = [report for topics in self._by_object.values() for report in topics.values()]
        return sorted(found, key=lambda report: (report.file, report.line, report.reason))
