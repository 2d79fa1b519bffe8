"""Dates of feeds: RFC 822 in RSS, RFC 3339 in Atom and JSON Feed, and whatever a writer is given."""

import re
from collections.abc import Callable
from datetime import date, datetime

from waypost.dates import DateForm, DateReading, read_rfc822, read_w3c, write_rfc822, write_w3c
from waypost.errors import WriteError
from waypost.formats.xmlwrite import shown

__all__ = ["read_feed_date", "read_rfc3339", "rfc822_text", "rfc3339_text", "timestamp_of"]

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)", re.ASCII)


def read_rfc3339(text: str) -> DateReading:
    """Read the date of an Atom or JSON feed: a W3C date with a time to the second and a zone; less is tolerated.

    >>> read_rfc3339("2026-01-20").why
    'no time of day to the second'
    """
    reading = read_w3c(text)
    if reading.form is DateForm.EXACT and not _RFC3339.fullmatch(text):
        return DateReading(DateForm.TOLERATED, reading.timestamp, "no time of day to the second")
    return reading


def read_feed_date(text: str) -> DateReading:
    """Read a date of any feed, whichever of the two forms it has."""
    reading = read_rfc3339(text)
    if reading.form is not DateForm.INVALID:
        return reading
    other = read_rfc822(text)
    return reading if other.form is DateForm.INVALID else other


def timestamp_of(value: object, where: str) -> float:
    """Seconds since 1970 of a date given to a writer: a text in either form, a number, a date or an aware datetime."""
    moment: float | None = None
    if isinstance(value, str):
        moment = read_feed_date(value).timestamp
    elif isinstance(value, datetime):
        moment = value.timestamp() if value.tzinfo else None
    elif isinstance(value, date):
        moment = read_w3c(value.isoformat()).timestamp
    elif isinstance(value, int | float):
        moment = float(value)
    if moment is None:
        raise WriteError(f"{where} {shown(str(value))} is no date with a time zone")
    return moment


def rfc822_text(value: object, where: str) -> str:
    """A date as RSS and OPML want it; a text that is exact is kept."""
    if isinstance(value, str) and read_rfc822(value).form is DateForm.EXACT:
        return value
    return _written(write_rfc822, value, where)


def rfc3339_text(value: object, where: str) -> str:
    """A date as Atom and JSON Feed want it; a text that is exact is kept."""
    if isinstance(value, str) and read_rfc3339(value).form is DateForm.EXACT:
        return value
    return _written(write_w3c, value, where)


def _written(write: Callable[[float], str], value: object, where: str) -> str:
    try:
        return write(timestamp_of(value, where))
    except (ValueError, OverflowError) as error:
        raise WriteError(f"{where} {shown(str(value))} is no date: {error}") from None
