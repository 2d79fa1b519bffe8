"""Running rules over what was seen. The one place where a rule that throws is caught."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from waypost.check.result import Crash, Place
from waypost.check.rule import Hit, Rule, Severity, Step, hits
from waypost.formats.document import Document, Entry

__all__ = ["Bench", "Found"]

PLACES_KEPT = 5


@dataclass(frozen=True, slots=True)
class Found:
    """One rule's problem in one document or one site: how often, and the first few places."""

    rule: Rule
    severity: Severity
    """The gravest severity among its hits."""
    count: int
    places: tuple[Place, ...]
    about: str
    """The URL of that document; the whole site's where several documents were judged together."""

    @property
    def code(self) -> str:
        """The rule's code."""
        return self.rule.code


class Bench:
    """The rules that may speak, and what went wrong with them."""

    def __init__(self, rules: Iterable[Rule], *, places_kept: int | None = PLACES_KEPT) -> None:
        self._by_step: dict[Step, list[Rule]] = {}
        for rule in rules:
            self._by_step.setdefault(rule.step, []).append(rule)
        self._places_kept = places_kept
        self.crashes: list[Crash] = []

    def hear(self, seen: Mapping[type, Any], steps: Iterable[Step], url: str, *, prefix: str = "") -> list[Found]:
        """What the rules of these steps find in what was seen, given by type; `url` is what hits are about.

        A rule runs when everything its parameters ask for was seen; with a prefix, only when its code begins with it.
        """
        found = []
        known = {*seen, Entry}
        for rule in (rule for step in steps for rule in self._by_step.get(step, ())):
            if rule.code.startswith(prefix) and known.issuperset(rule.takes):
                try:
                    answer = self._asked(rule, seen, url)
                except Exception as error:  # noqa: BLE001 - a crashed rule is reported, whatever it threw
                    self.crashes.append(_crash(rule, url, error))
                    continue
                if answer is not None:
                    found.append(answer)
        return found

    def merged(self, found: Iterable[Found], site: str) -> list[Found]:
        """What one rule says of several documents of a site as one finding, where they share a cause."""
        by_code: dict[str, list[Found]] = {}
        for one in found:
            by_code.setdefault(one.code, []).append(one)
        return [self._joined(same, site) for same in by_code.values()]

    def _joined(self, same: Sequence[Found], site: str) -> Found:
        places = chain.from_iterable(one.places for one in same)
        gravest = max((one.severity for one in same), key=lambda severity: severity.rank)
        count = sum(one.count for one in same)
        return Found(same[0].rule, gravest, count, tuple(islice(places, self._places_kept)), site)

    def _asked(self, rule: Rule, seen: Mapping[type, Any], url: str) -> Found | None:
        if rule.looks_at is Entry and Document not in seen:
            return None
        answer = _entry_hits(rule, seen) if rule.looks_at is Entry else hits(rule.judge(*map(seen.get, rule.takes)))
        first = next(answer, None)
        if first is None:
            return None
        places: list[Place] = []
        count = 0
        severities = set()
        for hit in chain((first,), answer):
            count += 1
            severities.add(hit.severity or rule.severity)
            if self._places_kept is None or len(places) < self._places_kept:
                places.append(Place(hit.url or url, hit.line, hit.column, hit.entry, hit.text))
        return Found(rule, max(severities, key=lambda severity: severity.rank), count, tuple(places), url)


def _entry_hits(rule: Rule, seen: Mapping[type, Any]) -> Iterator[Hit]:
    document: Document = seen[Document]
    entries = document.entries
    beside = [seen[kind] for kind in rule.takes[1:]]
    for number in _suspects(rule, seen, entries):
        for hit in hits(rule.judge(entries[number], *beside)):
            line, column = (hit.line, hit.column) if hit.line else document.place(number)
            yield hit._replace(line=line, column=column, entry=number + 1)


def _suspects(rule: Rule, seen: Mapping[type, Any], entries: Sequence[Entry]) -> Iterable[int]:
    if rule.column is None:
        return range(len(entries))
    return rule.column(*(seen[kind] for kind in rule.column_takes))


def _crash(rule: Rule, url: str, error: Exception) -> Crash:
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    where = f"{frame.tb_frame.f_code.co_filename.rpartition('/')[2]}:{frame.tb_lineno}" if frame else ""
    return Crash(rule.code, url, f"{type(error).__name__}: {error}", where)
