"""What an entry's lastmod says (SMQ301 to SMQ308, SMQ320)."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from waypost.check.rule import Fix, Now, Rule, Severity, Step, rule
from waypost.check.survey import Survey
from waypost.dates import DateForm, DateReading, read_w3c
from waypost.formats.document import Document, Entry, Kind
from waypost.formats.entryruns import BLANKS
from waypost.formats.printable import clipped
from waypost.limits import LASTMOD_EARLIEST_S

__all__ = ["RULES", "moment"]

_DAY_S = 86_400.0
_YEAR_S = 365.25 * _DAY_S
_ZONES_AHEAD_S = 14 * 3_600.0
_CLOCK_SKEW_S = 300.0
_STAMP_ENTRIES_MIN = 50
_STAMP_PART = 0.9
_FEW_ENTRIES_MIN = 10
_SHOWN_CHARS = 60

reading = lru_cache(maxsize=65_536)(read_w3c)


def moment(text: str | None) -> float | None:
    """The moment a lastmod names, None where it names none."""
    return reading(text.strip(BLANKS)).timestamp if text is not None else None


def _form(text: str) -> DateReading:
    return reading(text.strip(BLANKS))


def _invalid(survey: Survey) -> Iterable[int]:
    return survey.rows(survey.document.lastmods, lambda text: _form(text).form is DateForm.INVALID)


@rule("SMQ301", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_invalid)
def invalid_lastmod(entry: Entry) -> str | None:
    """The lastmod is not a W3C date.

    Why: a crawler that cannot read the value ignores it, and may come to ignore all of them.

    Fix: Write YYYY-MM-DD, or a date-time with a zone: 2026-01-20T10:00:00Z.

    Bad:
        <url><loc>https://example.com/a</loc><lastmod>yesterday</lastmod></url>

    Bad:
        <url><loc>https://example.com/a</loc><lastmod>20240501</lastmod></url>

    Good:
        <url><loc>https://example.com/a</loc><lastmod>2026-01-20</lastmod></url>
    """
    if entry.lastmod is None or _form(entry.lastmod).form is not DateForm.INVALID:
        return None
    return f"lastmod “{clipped(entry.lastmod.strip(BLANKS), _SHOWN_CHARS)}” is no W3C date: {_form(entry.lastmod).why}"


def _ahead(survey: Survey, now: Now) -> Iterable[int]:
    return survey.rows(survey.document.lastmods, lambda text: _is_ahead(text, now))


def _is_ahead(text: str, now: float) -> bool:
    at = _form(text).timestamp
    return at is not None and at > now + (_CLOCK_SKEW_S if ":" in text else _ZONES_AHEAD_S)


@rule("SMQ302", Step.FIELD_QUALITY, Severity.WARN, column=_ahead)
def future_lastmod(entry: Entry, now: Now) -> str | None:
    """The lastmod lies in the future.

    Why: a page cannot have changed tomorrow; crawlers stop believing a sitemap that says so.

    Fix: Write when the page last changed, not when it will be published.

    Bad:
        <url><loc>https://example.com/a</loc><lastmod>2999-01-01</lastmod></url>

    Good:
        <url><loc>https://example.com/a</loc><lastmod>2026-01-20</lastmod></url>
    """
    if entry.lastmod is not None and _is_ahead(entry.lastmod, now):
        return f"lastmod {entry.lastmod.strip()} lies in the future"
    return None


@rule("SMQ303", Step.FIELD_QUALITY, Severity.WARN)
def build_stamp_lastmod(document: Document) -> str | None:
    """Nine entries of ten say that they changed in the same minute: a build stamp, not a date of change.

    Why: crawlers compare such dates with what they see, find them untrue, and ignore lastmod for the whole site.

    Fix: Take lastmod from the content's own date, and leave it out where there is none.

    Bad:
        <url><loc>https://example.com/{n}</loc><lastmod>2026-06-01T10:00:00Z</lastmod></url> × 60

    Good:
        <url><loc>https://example.com/{n}</loc><lastmod>2026-05-{n}</lastmod></url> × 28
    """
    if document.kind is not Kind.URLSET or len(document.locs) < _STAMP_ENTRIES_MIN:
        return None
    dated = [text for text in document.lastmods if text is not None and ":" in text]
    if len(dated) < _STAMP_PART * len(document.locs):
        return None
    minutes: Counter[int] = Counter()
    for text, times in Counter(dated).items():
        at = _form(text).timestamp
        if at is not None:
            minutes[int(at // 60)] += times
    top = max(minutes.values(), default=0)
    if top < _STAMP_PART * len(dated):
        return None
    return f"{top:,} of {len(document.locs):,} entries say that they changed in the same minute"


def _ancient(survey: Survey) -> Iterable[int]:
    return survey.rows(survey.document.lastmods, _is_ancient)


def _is_ancient(text: str) -> bool:
    at = _form(text).timestamp
    return at is not None and at < LASTMOD_EARLIEST_S


@rule("SMQ306", Step.FIELD_QUALITY, Severity.WARN, column=_ancient)
def ancient_lastmod(entry: Entry) -> str | None:
    """The lastmod lies before 1995, or is the epoch: an unset value, not a date.

    Why: it says that nobody knows when the page changed.

    Fix: Leave lastmod out where there is no date.

    Bad:
        <url><loc>https://example.com/a</loc><lastmod>1970-01-01</lastmod></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if entry.lastmod is not None and _is_ancient(entry.lastmod):
        return f"lastmod {entry.lastmod.strip()} lies before 1995"
    return None


def _tolerated(survey: Survey) -> Iterable[int]:
    return survey.rows(survey.document.lastmods, lambda text: _form(text).form is DateForm.TOLERATED)


@rule("SMQ307", Step.FIELD_QUALITY, Severity.INFO, fix=Fix.SAFE, column=_tolerated)
def loose_lastmod(entry: Entry) -> str | None:
    """The lastmod is a date-time that not every reader takes: no zone, a blank for T, +0200, 24:00:00 and the like.

    Why: without a zone nobody knows the moment; other loose spellings some readers refuse.

    Fix: Write the date-time as 2026-01-20T10:00:00Z or 2026-01-20T10:00:00+02:00.

    Bad:
        <url><loc>https://example.com/a</loc><lastmod>2026-01-20T10:00:00</lastmod></url>

    Good:
        <url><loc>https://example.com/a</loc><lastmod>2026-01-20T10:00:00Z</lastmod></url>
    """
    if entry.lastmod is None or _form(entry.lastmod).form is not DateForm.TOLERATED:
        return None
    return f"lastmod {entry.lastmod.strip()}: {_form(entry.lastmod).why}"


@rule("SMQ308", Step.FIELD_QUALITY, Severity.INFO)
def few_lastmods(document: Document) -> str | None:
    """Few entries, or none, of a longer sitemap have a lastmod.

    Why: lastmod is the one optional field crawlers use, to come back to what changed.

    Fix: Write lastmod where an honest date exists, and leave it out where none does.

    Bad:
        <url><loc>https://example.com/{n}</loc></url> × 20

    Good:
        <url><loc>https://example.com/{n}</loc><lastmod>2026-05-{n}</lastmod></url> × 20

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    entries = len(document.locs)
    dated = entries - document.lastmods.count(None)
    if document.kind is not Kind.URLSET or entries < _FEW_ENTRIES_MIN or dated * 2 >= entries:
        return None
    return f"{dated:,} of {entries:,} entries have a lastmod"


@rule("SMQ320", Step.FIELD_QUALITY, Severity.INFO)
def stale_set(document: Document, now: Now) -> str | None:
    """Over half of the dated entries last changed more than a year ago.

    Why: nothing is wrong with old pages; a sitemap nobody updates any more looks the same.

    Fix: Look whether lastmod still follows the content.

    Bad:
        <url><loc>https://example.com/{n}</loc><lastmod>2020-01-{n}</lastmod></url> × 20

    Good:
        <url><loc>https://example.com/{n}</loc><lastmod>2026-05-{n}</lastmod></url> × 20
    """
    counted = Counter(text for text in document.lastmods if text is not None)
    if document.kind is not Kind.URLSET or sum(counted.values()) < _FEW_ENTRIES_MIN:
        return None
    old = sum(times for text, times in counted.items() if _is_before(text, now - _YEAR_S))
    if old * 2 <= sum(counted.values()):
        return None
    return f"{old:,} of {sum(counted.values()):,} dated entries changed more than a year ago"


def _is_before(text: str, moment_s: float) -> bool:
    at = _form(text).timestamp
    return at is not None and at < moment_s


RULES: tuple[Rule, ...] = (
    invalid_lastmod,
    future_lastmod,
    build_stamp_lastmod,
    ancient_lastmod,
    loose_lastmod,
    few_lastmods,
    stale_set,
)
