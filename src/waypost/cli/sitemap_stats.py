"""What a sitemap amounts to: counts, hosts, and when its pages last changed, drawn for a terminal."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta

from waypost.cli.console import counted
from waypost.cli.emit import coloured, columns, has_blocks
from waypost.cli.sitemap_load import summary
from waypost.dates import DateForm
from waypost.formats.document import Document
from waypost.formats.extensions import Extension
from waypost.formats.feeddates import read_feed_date
from waypost.formats.printable import clipped
from waypost.urls import is_absolute

__all__ = ["dated", "histogram", "stats"]

_HOSTS_SHOWN = 10
_BARS_MAX = 24
_EIGHTHS = " ▏▎▍▌▋▊▉"
_FULL = "█"
_RECORDS = {
    Extension.IMAGE: "image",
    Extension.VIDEO: "video",
    Extension.NEWS: "news article",
    Extension.ALTERNATE: "alternate",
}


def stats(name: str, document: Document) -> Iterator[str]:
    """All there is to say about a sitemap, line by line."""
    yield summary(name, document)
    yield from _section("", _counts(document))
    yield from _section("hosts", _hosts(document.locs))
    if document.counts:
        yield from _section("noted while reading", [(kind, count) for kind, count in sorted(document.counts.items())])
    texts = _date_texts(document)
    days, invalid = dated(texts)
    if texts:
        yield ""
        yield "last changed"
        yield from histogram(days)
        if invalid:
            yield f"  {invalid:,} of {len(texts):,} dates cannot be read"


def _section(title: str, rows: Iterable[tuple[str, int]]) -> Iterator[str]:
    rows = list(rows)
    widest = max((len(f"{count:,}") for _, count in rows), default=0)
    yield from ("", title) if title else ("",)
    for text, count in rows:
        yield f"  {count:>{widest},}  {clipped(text, columns() - widest - 4)}"


def _counts(document: Document) -> Iterator[tuple[str, int]]:
    total, distinct = len(document.locs), len(set(document.locs))
    yield "distinct URL" if distinct == 1 else "distinct URLs", distinct
    if total > distinct:
        yield "repeated", total - distinct
    fields = {
        "with lastmod": document.lastmods,
        "with changefreq": document.changefreqs,
        "with priority": document.priorities,
    }
    for label, column in fields.items():
        if given := sum(value is not None for value in column):
            yield label, given
    records = Counter(record.extension for found in document.records.values() for record in found)
    for extension in Extension:
        if count := records[extension]:
            yield counted(count, _RECORDS[extension]).partition(" ")[2], count


def _hosts(locs: Iterable[str]) -> Iterator[tuple[str, int]]:
    counts = Counter("/".join(loc.split("/", 3)[:3]).lower() if is_absolute(loc) else "no absolute URL" for loc in locs)
    ranked = counts.most_common()
    yield from ranked[:_HOSTS_SHOWN]
    if rest := ranked[_HOSTS_SHOWN:]:
        yield f"on {len(rest):,} more", sum(count for _, count in rest)


def _date_texts(document: Document) -> list[str]:
    if document.feed is None:
        return [text for text in document.lastmods if text is not None]
    return [text for entry in document.feed.entries if (text := entry.updated or entry.published)]


def dated(texts: Iterable[str]) -> tuple[Counter[date], int]:
    """How many dates fall on each day, in UTC, and how many texts are no date."""
    days: Counter[date] = Counter()
    invalid = 0
    for text, count in Counter(texts).items():
        reading = read_feed_date(text)
        if reading.form is DateForm.INVALID or reading.timestamp is None:
            invalid += count
        else:
            days[_day(reading.timestamp)] += count
    return days, invalid


def _day(timestamp: float) -> date:
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=timestamp)).date()
    except OverflowError:  # a zone can push the first and the last day of the calendar over its ends
        return date.min if timestamp < 0 else date.max


def histogram(days: Mapping[date, int]) -> Iterator[str]:
    """Bars by day, month or year, whichever gives at most two dozen."""
    bins = _bins(days)
    most = max(bins.values(), default=0)
    label_width = max(map(len, bins), default=0)
    count_width = len(f"{most:,}")
    room = columns() - label_width - count_width - 6
    for label, count in bins.items():
        yield f"  {label:<{label_width}}  {count:>{count_width},}  {coloured(_bar(count / most * room))}".rstrip()


def _bar(width: float) -> str:
    if not has_blocks():
        return "#" * max(1 if width else 0, round(width))
    whole, part = divmod(round(width * 8), 8)
    bar = _FULL * whole + _EIGHTHS[part].strip()
    return bar or ("▏" if width else "")


def _bins(days: Mapping[date, int]) -> dict[str, int]:
    if not days:
        return {}
    first, last = min(days), max(days)
    if (last - first).days < _BARS_MAX:
        every = [(first + timedelta(days=ahead)).isoformat() for ahead in range((last - first).days + 1)]
        return _filled(days, every, len("YYYY-MM-DD"))
    months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    if len(months) <= _BARS_MAX:
        return _filled(days, [f"{month // 12:04}-{month % 12 + 1:02}" for month in months], len("YYYY-MM"))
    years = sorted({day.year for day in days})
    bins = _filled(days, [f"{year:04}" for year in years], len("YYYY"))
    if len(years) <= _BARS_MAX:
        return bins
    kept = list(bins)[1 - _BARS_MAX :]
    return {"earlier": sum(bins.values()) - sum(bins[year] for year in kept), **{year: bins[year] for year in kept}}


def _filled(days: Mapping[date, int], labels: Iterable[str], length: int) -> dict[str, int]:
    bins = dict.fromkeys(labels, 0)
    for day, count in days.items():
        bins[day.isoformat()[:length]] += count
    return bins
