"""What an entry's changefreq and priority say, and fields that come twice (SMQ311 to SMQ313, SMQ317, SMQ321)."""

import re
from collections.abc import Iterable

from waypost.check.rule import Fix, Hit, Now, Rule, Severity, Step, rule
from waypost.check.rules.fields.dates import moment
from waypost.check.rules.noted import noted
from waypost.check.survey import Survey
from waypost.formats.document import Document, Entry
from waypost.formats.entryruns import BLANKS
from waypost.formats.printable import clipped
from waypost.formats.sitemapnotes import FIELD_REPEATED
from waypost.formats.urlmarkup import CHANGEFREQS

__all__ = ["RULES", "is_no_frequency", "is_no_priority"]

_PRIORITY = re.compile(r"(?:0*(?:\.\d*)?|0*1(?:\.0*)?)", re.ASCII)
_MONTH_S = 31 * 86_400.0
_SHOWN_CHARS = 60


def is_no_frequency(text: str) -> bool:
    """Whether a changefreq is none of the seven words."""
    return text.strip(BLANKS) not in CHANGEFREQS


def _odd_frequencies(survey: Survey) -> Iterable[int]:
    return survey.rows(survey.document.changefreqs, is_no_frequency)


@rule("SMQ311", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.SAFE, column=_odd_frequencies)
def invalid_changefreq(entry: Entry) -> str | None:
    """The changefreq is none of its seven words.

    Why: the protocol knows always, hourly, daily, weekly, monthly, yearly and never, in lower case.

    Fix: Write one of the seven words, or leave changefreq out: big crawlers ignore it.

    Bad:
        <url><loc>https://example.com/a</loc><changefreq>Weekly</changefreq></url>

    Good:
        <url><loc>https://example.com/a</loc><changefreq>weekly</changefreq></url>
    """
    if entry.changefreq is None or not is_no_frequency(entry.changefreq):
        return None
    return f"changefreq “{clipped(entry.changefreq.strip(BLANKS), _SHOWN_CHARS)}” is none of the seven words"


def is_no_priority(text: str) -> bool:
    """Whether a priority is no number from 0.0 to 1.0."""
    value = text.strip(BLANKS)
    return not any(c.isdigit() for c in value) or not _PRIORITY.fullmatch(value)


def _odd_priorities(survey: Survey) -> Iterable[int]:
    return survey.rows(survey.document.priorities, is_no_priority)


@rule("SMQ312", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.SAFE, column=_odd_priorities)
def invalid_priority(entry: Entry) -> str | None:
    """The priority is no number from 0.0 to 1.0.

    Why: the protocol knows digits with an optional point, from 0.0 to 1.0, and nothing else.

    Fix: Write a number such as 0.5, or leave priority out: big crawlers ignore it.

    Bad:
        <url><loc>https://example.com/a</loc><priority>80%</priority></url>

    Bad:
        <url><loc>https://example.com/a</loc><priority>1.1</priority></url>

    Good:
        <url><loc>https://example.com/a</loc><priority>0.8</priority></url>
    """
    if entry.priority is None or not is_no_priority(entry.priority):
        return None
    return f"priority “{clipped(entry.priority.strip(BLANKS), _SHOWN_CHARS)}” is no number from 0.0 to 1.0"


@rule("SMQ313", Step.FIELD_QUALITY, Severity.INFO, fix=Fix.SAFE)
def ignored_hints(document: Document) -> str | None:
    """The sitemap carries changefreq or priority, which big crawlers ignore.

    Why: the bytes are sent to every crawler and read by few.

    Fix: Leave both out; lastmod is the field that is used.

    Bad:
        <url><loc>https://example.com/a</loc><priority>0.8</priority></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    entries = len(document.locs)
    frequencies = entries - document.changefreqs.count(None)
    priorities = entries - document.priorities.count(None)
    if not frequencies and not priorities:
        return None
    return f"{frequencies:,} changefreq and {priorities:,} priority elements"


@rule("SMQ317", Step.FIELD_QUALITY, Severity.WARN)
def repeated_field(document: Document) -> Iterable[Hit]:
    """An entry has lastmod, changefreq or priority more than once.

    Why: readers differ in which of them they take.

    Fix: Keep one of each.

    Bad:
        <url><loc>https://example.com/a</loc><priority>0.8</priority><priority>0.5</priority></url>

    Good:
        <url><loc>https://example.com/a</loc><priority>0.8</priority></url>
    """
    return noted(document, FIELD_REPEATED, "{} comes more than once in an entry")


def _restless(survey: Survey) -> Iterable[int]:
    return survey.rows(survey.document.changefreqs, lambda text: text.strip(BLANKS) in {"always", "hourly"})


@rule("SMQ321", Step.FIELD_QUALITY, Severity.INFO, fix=Fix.PROPOSED, column=_restless)
def restless_but_old(entry: Entry, now: Now) -> str | None:
    """The entry says that it changes always or hourly, and that it last changed over a month ago.

    Why: one of the two is untrue.

    Fix: Correct changefreq, or leave it out.

    Bad:
        <url><loc>https://example.com/a</loc><lastmod>2024-01-01</lastmod><changefreq>hourly</changefreq></url>

    Good:
        <url><loc>https://example.com/a</loc><lastmod>2026-06-10</lastmod><changefreq>hourly</changefreq></url>
    """
    changed = moment(entry.lastmod)
    if (
        changed is None
        or (entry.changefreq or "").strip(BLANKS) not in {"always", "hourly"}
        or changed > now - _MONTH_S
    ):
        return None
    return f"changefreq {(entry.changefreq or '').strip()}, but lastmod {(entry.lastmod or '').strip()}"


RULES: tuple[Rule, ...] = (
    invalid_changefreq,
    invalid_priority,
    ignored_hints,
    repeated_field,
    restless_but_old,
)
