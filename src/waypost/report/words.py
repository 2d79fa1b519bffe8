"""What a report says in words, once for every renderer that people read."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from waypost.check.capture import Purpose
from waypost.check.contract import Outcome
from waypost.check.result import CheckResult, Finding, Place, Result, StepResult, TrailHop
from waypost.check.rule import Severity
from waypost.formats.printable import clipped, printable

__all__ = [
    "SHOWN_CHARS_MAX",
    "SMALL_SITE_NOTE",
    "Term",
    "advice",
    "by_weight",
    "credit_note",
    "evidence_words",
    "findings_count",
    "hop_words",
    "is_judged",
    "is_surprising",
    "next_commands",
    "place_words",
    "places_words",
    "score_words",
    "shown",
    "step_of",
    "terms",
    "verdict_sentence",
    "verdict_words",
]

SHOWN_CHARS_MAX = 600
"""How much of one value is shown; JSON holds all of it."""

_CREDIT = "A step that passes earns its weight, one that warns half of it, one that fails or is skipped nothing"
_OUR_READING = (
    "; this credit, and how points are settled that the criteria leave open, are waypost's reading: "
    "waypost checks sitemap"
)
SMALL_SITE_NOTE = (
    "A small site whose pages link to each other loses little without a sitemap: crawlers follow links. The verdict "
    "says what the check found, not how many readers it costs."
)
_VERDICTS = {
    Outcome.PASS: "crawlers can find what this site offers",
    Outcome.WARN: "crawlers can find what this site offers, with reservations",
    Outcome.FAIL: "crawlers cannot rely on this site's sitemap",
    Outcome.SKIP: "nothing could be judged",
}
_PUBLISHED = _VERDICTS | {
    Outcome.PASS: "what is published is what is on the disk",
    Outcome.WARN: "what is published is what is on the disk, with reservations",
    Outcome.FAIL: "what is published is not what is on the disk, or not what may be published",
}
"""The same of an owner's folder."""
_IN_ORDER = {
    Outcome.PASS: "the sitemap is in order, but",
    Outcome.WARN: "the sitemap is in order with reservations, but",
}
"""What is said instead where something beside the sitemap keeps crawlers from finding the site."""
_COMMANDS_MAX = 4
_PAGE_PURPOSES = frozenset({Purpose.HOME.value, Purpose.PAGE.value})


class Term(NamedTuple):
    """One term of a score's sum."""

    step: StepResult
    credit: float
    earned: float


def shown(text: str) -> str:
    """A value as people may see it: escaped, one line, and not without end."""
    return clipped(text, SHOWN_CHARS_MAX)


def score_words(score: float) -> str:
    """A score with the digits it has, two at least: 1.00, 0.45, 0.875."""
    text = f"{score:.4f}".rstrip("0")
    return text + "0" * max(0, 2 - len(text.partition(".")[2]))


def terms(check: CheckResult) -> tuple[Term, ...]:
    """The arithmetic of a scored check, step by step."""
    return tuple(Term(step, step.status.credit, step.weight * step.status.credit) for step in check.steps)


def credit_note(check: CheckResult) -> str:
    """What the arithmetic goes by."""
    return f"{_CREDIT}{_OUR_READING if check.spec.id == 'sitemap' else ''}."


def is_judged(result: Result) -> bool:
    """Whether there is anything to show: a folder is looked at even when the server it is compared with is silent."""
    return result.is_reached or result.check("sitemap") is None


def verdict_words(result: Result) -> str:
    """The verdict as a sentence without its full stop."""
    if not is_judged(result):
        return "no server could be reached, so nothing could be judged"
    if result.check("publisher") is not None:
        return _PUBLISHED[result.status]
    gravest = _gravest_beside(result)
    if gravest is None or result.status not in _IN_ORDER:
        return _VERDICTS[result.status]
    title = shown(gravest.title)
    is_word = title[1:2].islower() or title[1:2] == " "
    return f"{_IN_ORDER[result.status]}: {title[:1].lower() + title[1:] if is_word else title}"


def verdict_sentence(result: Result) -> str:
    """The verdict as a sentence by itself."""
    said = verdict_words(result)
    return f"{said[:1].upper()}{said[1:]}."


def _gravest_beside(result: Result) -> Finding | None:
    """The weightiest error of a check that has no part in the score, where the baseline does not know it."""
    beside = [finding for check, finding in result.findings() if check.score is None and finding.is_new]
    return next((one for one in by_weight(beside) if one.severity is Severity.ERROR), None)


def advice(result: Result) -> Iterator[str]:
    """What keeps the verdict in proportion."""
    sitemap = result.check("sitemap")
    if sitemap is None or not result.is_reached:
        return
    fetch = next((step for step in sitemap.steps if step.id == "fetch"), None)
    if fetch is not None and fetch.status is Outcome.FAIL:
        yield SMALL_SITE_NOTE


def evidence_words(evidence: Mapping[str, object]) -> Iterator[str]:
    """What a step saw, in a few words each: how many of what, and what it is called."""
    for key, value in evidence.items():
        name = key.replace("_", " ")
        if isinstance(value, Mapping):
            yield from evidence_words(value)
        elif isinstance(value, bool) or value is None or value == "":
            continue
        elif isinstance(value, list | tuple):
            yield f"{len(value):,} {name}"
        elif isinstance(value, int):
            yield f"{value:,} {name}"
        elif "://" not in str(value):
            yield shown(str(value))


def step_of(check: CheckResult, finding: Finding) -> str:
    """The id of the step that a finding belongs to, or nothing where the check has no step for it."""
    for step in check.spec.steps:
        if step.id == finding.step.value or (step.rules and finding.code.startswith(step.rules)):
            return step.id
    return ""


def by_weight(findings: Sequence[Finding]) -> list[Finding]:
    """Findings as a reader wants them: what is new and what counts first."""
    return sorted(findings, key=lambda f: (not f.is_new, -f.severity.rank, not f.scored, f.code, f.where.url))


def findings_count(findings: Sequence[Finding]) -> str:
    """How many findings of each severity: 1 error, 3 warnings."""
    words = {
        Severity.ERROR: ("error", "errors"),
        Severity.WARN: ("warning", "warnings"),
        Severity.INFO: ("note", "notes"),
    }
    counts = [(sum(f.severity is severity for f in findings), names) for severity, names in words.items()]
    return ", ".join(f"{count:,} {names[count != 1]}" for count, names in counts if count) or "nothing to report"


def place_words(place: Place) -> str:
    """Where something is: the URL, then what is known of line, column and entry."""
    numbers = (("line", place.line), ("column", place.column), ("entry", place.entry))
    return ", ".join([shown(place.url), *(f"{word} {number:,}" for word, number in numbers if number)])


def places_words(finding: Finding) -> str:
    """Where a finding is, and how often."""
    more = finding.count - 1
    return place_words(finding.where) + (
        f"; and {more:,} more {'place' if more == 1 else 'places'}" if more > 0 else ""
    )


def hop_words(hop: TrailHop) -> str:
    """What came of one request, beside its status, in a few words."""
    parts = [shown(hop.error)] if hop.error else []
    parts.append(f"{hop.elapsed_s * 1000:,.0f} ms")
    parts.append(f"{hop.bytes:,} bytes" if hop.bytes else "")
    return ", ".join(part for part in parts if part)


def is_surprising(hop: TrailHop) -> bool:
    """Whether a successful answer's first bytes are not what its URL or its header promised."""
    head = hop.head.lstrip("\ufeff \t\r\n").lower()
    if not head or not 200 <= hop.status < 300:
        return False
    claim = " ".join(value for name, value in hop.headers.items() if name.lower() == "content-type").lower()
    is_page = head.startswith(("<!doctype html", "<html"))
    is_markup = head.startswith("<")
    return (is_page and hop.purpose not in _PAGE_PURPOSES) or (not is_markup and ("xml" in claim or "html" in claim))


def next_commands(result: Result, *, is_page: bool = False) -> list[tuple[str, str]]:
    """Commands worth trying next, each with what it is for."""
    target = shlex.quote(printable(result.target))
    findings = [finding for _, finding in result.findings() if finding.severity is not Severity.INFO]
    worst = by_weight(findings)[:1]
    commands = [
        (f"waypost rule {shlex.quote(shown(finding.code))}", "what this finding means, with samples")
        for finding in worst
    ]
    if not is_judged(result):
        commands.append((f"waypost check {target} --wait 30s", "keep trying until a server answers"))
        return commands
    if result.check("sitemap") is None:
        return commands  # another command made this report
    if any(finding.count > len(finding.places) for _, finding in result.findings()):
        commands.append((f"waypost check {target} --all-findings", "every place, not only the first few"))
    goes_deep = result.check("sitemap-deep") is not None and result.check("pages") is not None
    if result.status is Outcome.PASS and not goes_deep:
        commands.append((f"waypost check {target} --deep --probe 20", "look into children, and ask for some pages"))
    if not is_page:
        commands.append((f"waypost check {target} --output report.html", "the same with pictures, in one file"))
    return commands[:_COMMANDS_MAX]
