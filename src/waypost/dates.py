"""Dates as sitemaps, feeds and HTTP write them: own grammars, read and write, no clock.

W3C date-time (a profile of ISO 8601), as sitemaps use it::

    date = YYYY | YYYY-MM | YYYY-MM-DD | YYYY-MM-DD "T" hh ":" mm [":" ss ["." digit+]] zone
    zone = "Z" | ("+" | "-") hh ":" mm

Tolerated, and said: no zone, a blank for `T`, `+0200`, a lower-case `z`, second 60, `24:00:00`.
Everything else is no date: `20240501`, `2024-W18-3`, `2024-05-01T10`, the empty text.

RFC 822 dates, as RSS uses them, are `[weekday ","] day month year hh ":" mm [":" ss] zone`.
"""

import re
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from waypost.limits import DATE_EARLIEST_S, DATE_LATEST_S

__all__ = ["DateForm", "DateReading", "read_http", "read_rfc822", "read_w3c", "write_http", "write_rfc822", "write_w3c"]


class DateForm(Enum):
    """How well a text keeps to the grammar it should."""

    EXACT = "exact"
    TOLERATED = "tolerated"
    INVALID = "invalid"


class DateReading(NamedTuple):
    """What a text says as a date: its form, seconds since 1970 in UTC (None when invalid), and why it is not exact."""

    form: DateForm
    timestamp: float | None
    why: str = ""


_W3C = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(Z|z|[+-]\d\d:?\d\d)?)?)?)?",
    re.ASCII,
)
_ZONE_MINUTES_MAX = 14 * 60


def read_w3c(text: str) -> DateReading:
    """Read a W3C date or date-time.

    >>> read_w3c("2026-01-20").form
    <DateForm.EXACT: 'exact'>
    >>> read_w3c("2026-01-20 10:00:00").why
    'a blank stands where T should; no time zone'
    >>> read_w3c("yesterday").form
    <DateForm.INVALID: 'invalid'>
    """
    found = _W3C.fullmatch(text)
    if not found:
        return _invalid("empty" if not text.strip() else "not of the form YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ")
    year, month, day, mark, hour, minute, second, fraction, zone = found.groups()
    try:
        moment = datetime(int(year), int(month or 1), int(day or 1), tzinfo=UTC)
    except ValueError:
        return _invalid("no such day in the calendar")
    if not mark:
        return DateReading(DateForm.EXACT, moment.timestamp())
    return _date_time(moment, mark, (int(hour), int(minute), int(second or 0), float(fraction or 0)), zone)


def _date_time(day: datetime, mark: str, clock: tuple[int, int, int, float], zone: str | None) -> DateReading:
    hour, minute, second, fraction = clock
    whys = ["a blank stands where T should"] if mark == " " else []
    if (hour, minute, second, fraction) == (24, 0, 0, 0.0):
        whys.append("24:00:00 is midnight of the next day")
    elif hour > 23 or minute > 59 or second > 60:
        return _invalid("no such time of day")
    elif second == 60:
        whys.append("second 60 is a leap second")
    offset = _offset_minutes(zone or "Z")
    if offset is None:
        return _invalid("no such time zone")
    if zone is None:
        whys.append("no time zone")
    elif zone == "z":
        whys.append("the zone is a lower-case z")
    elif zone != "Z" and ":" not in zone:
        whys.append("the zone has no colon")
    seconds = (hour * 60 + minute - offset) * 60 + second + fraction
    return _reading(day.timestamp() + seconds, whys)


def _reading(timestamp: float, whys: list[str]) -> DateReading:
    if not DATE_EARLIEST_S <= timestamp < DATE_LATEST_S + 1:
        return _invalid("in UTC before the year 1 or after 9999")
    return DateReading(DateForm.TOLERATED if whys else DateForm.EXACT, timestamp, "; ".join(whys))


def _offset_minutes(zone: str) -> int | None:
    if zone in "Zz":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    total = hours * 60 + minutes
    if minutes > 59 or total > _ZONE_MINUTES_MAX:
        return None
    return -total if zone[0] == "-" else total


def _invalid(why: str) -> DateReading:
    return DateReading(DateForm.INVALID, None, why)


def write_w3c(timestamp: float) -> str:
    """Seconds since 1970 as a W3C date-time in UTC, to the second.

    >>> write_w3c(1768903200)
    '2026-01-20T10:00:00Z'
    """
    return _utc(timestamp).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def _utc(timestamp: float) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(timestamp // 1))


_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ZONES = {
    "UT": 0, "GMT": 0, "Z": 0, "UTC": 0,
    "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420,
}  # fmt: skip
_RFC822 = re.compile(
    r"(?:([A-Za-z]{3,9}),?\s+)?(\d{1,2})\s+([A-Za-z]{3,9})\s+(\d{4}|\d\d)\s+(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s+([A-Za-z]{1,5}|[+-]\d{4}))?",
    re.ASCII,
)


def read_rfc822(text: str) -> DateReading:
    """Read an RFC 822 date with RFC 2822's four-digit years; a wrong weekday or a loose spelling is tolerated and said.

    >>> read_rfc822("Tue, 20 Jan 2026 10:00:00 GMT")
    DateReading(form=<DateForm.EXACT: 'exact'>, timestamp=1768903200.0, why='')
    """
    found = _RFC822.fullmatch(text)
    if not found:
        return _invalid("empty" if not text.strip() else "not of the form Tue, 20 Jan 2026 10:00:00 GMT")
    weekday, day, month, year, hour, minute, second, zone = found.groups()
    if month[:3].lower() not in _MONTHS or (weekday and weekday[:3].lower() not in _WEEKDAYS):
        return _invalid("no such month or weekday")
    offset = _rfc822_offset(zone or "GMT")
    if offset is None:
        return _invalid("no such time zone")
    full_year = int(year) if len(year) == 4 else int(year) + (2000 if int(year) < 50 else 1900)
    try:
        on = date(full_year, _MONTHS.index(month[:3].lower()) + 1, int(day))
        moment = datetime(on.year, on.month, on.day, int(hour), int(minute), min(int(second or 0), 59), tzinfo=UTC)
    except ValueError:
        return _invalid("no such day or time")
    if int(second or 0) > 60:
        return _invalid("no such day or time")
    is_leap = second == "60"
    whys = ["second 60 is a leap second"] if is_leap else []
    if weekday and _WEEKDAYS[on.weekday()] != weekday[:3].lower():
        whys.append("the weekday is wrong")
    if len(month) > 3 or (weekday and len(weekday) > 3):
        whys.append("day and month names have three letters")
    if zone is None:
        whys.append("no time zone")
    return _reading(moment.timestamp() - offset * 60 + is_leap, whys)


def _rfc822_offset(zone: str) -> int | None:
    return _offset_minutes(zone) if zone[0] in "+-" else _ZONES.get(zone.upper())


def write_rfc822(timestamp: float) -> str:
    """Seconds since 1970 as an RFC 822 date in UTC.

    >>> write_rfc822(1768903200)
    'Tue, 20 Jan 2026 10:00:00 +0000'
    """
    return f"{_spelled(int(timestamp // 1))} +0000"


def write_http(timestamp: float) -> str:
    """Seconds since 1970 as an HTTP date (RFC 9110's IMF-fixdate).

    >>> write_http(1768903200)
    'Tue, 20 Jan 2026 10:00:00 GMT'
    """
    return f"{_spelled(int(timestamp // 1))} GMT"


@lru_cache(maxsize=64)
def _spelled(timestamp: int) -> str:
    # strftime follows the machine's locale; these names must not.
    moment = _utc(timestamp)
    weekday, month = _WEEKDAYS[moment.weekday()].capitalize(), _MONTHS[moment.month - 1].capitalize()
    return f"{weekday}, {moment.day:02} {month} {moment.year:04} {moment:%H:%M:%S}"


_HTTP_OLD = re.compile(r"[A-Za-z]+, (\d\d)-([A-Za-z]{3})-(\d\d) (\d\d:\d\d:\d\d) GMT", re.ASCII)
_HTTP_ASCTIME = re.compile(r"[A-Za-z]{3} ([A-Za-z]{3}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})", re.ASCII)


def read_http(text: str) -> float | None:
    """Seconds since 1970 of an HTTP date in any of the three forms RFC 9110 asks a recipient to accept."""
    if old := _HTTP_OLD.fullmatch(text):
        text = "{} {} {} {} GMT".format(*old.groups())
    elif ansi := _HTTP_ASCTIME.fullmatch(text):
        month, day, clock, year = ansi.groups()
        text = f"{day.strip()} {month} {year} {clock} GMT"
    elif not text.endswith(" GMT"):
        return None
    return read_rfc822(text).timestamp
