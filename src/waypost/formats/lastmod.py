"""The dates our XML lists carry, from whatever a writer is given."""

from datetime import date, datetime

from waypost.dates import DateForm, read_w3c, write_w3c
from waypost.errors import WriteError
from waypost.formats.xmlwrite import shown

__all__ = ["Lastmod", "date_text"]

Lastmod = str | float | date | None
"""A W3C date as text, seconds since 1970, a date, or a datetime with a zone."""


def date_text(value: object, where: str) -> str:
    """A date as W3C text: a text is proven exact and kept, anything else is written in UTC."""
    if isinstance(value, str):
        reading = read_w3c(value)
        if reading.form is DateForm.EXACT:
            return value
        raise WriteError(f"{where} {shown(value)} is not a W3C date: {reading.why}")
    try:
        return _written_date(value)
    except (ValueError, OverflowError, TypeError) as error:
        raise WriteError(f"{where} {shown(str(value))} is not a date: {error}") from None


def _written_date(value: object) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("it has no time zone")
        return write_w3c(value.timestamp())
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float):
        return write_w3c(value)
    raise TypeError(f"it is {type(value).__name__}")
