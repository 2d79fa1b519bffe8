"""News records (SMX631 to SMX640)."""

from collections.abc import Iterable

from waypost.check.rule import Fix, Hit, Now, Rule, Severity, Step, rule
from waypost.check.rules.extensions.codes import language_fault
from waypost.check.rules.extensions.records import having, is_blank, missing, of_kind, shown
from waypost.check.rules.fields.dates import reading
from waypost.dates import DateForm
from waypost.formats.document import Entry
from waypost.formats.extensions import Extension, Record

__all__ = ["RULES"]

_news = having(Extension.NEWS)
_TWO_DAYS_S = 2 * 86_400.0
_RETIRED = frozenset({"access", "genres", "stock_tickers"})


def _has_publication(record: Record) -> bool:
    return any(part.name.partition("/")[0] == "publication" for part in record.parts)


@rule("SMX631", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_news)
def news_without_publication(entry: Entry) -> Iterable[Hit]:
    """A news record has no news:publication.

    Why: it is required.

    Fix: Write news:publication with news:name and news:language in it.

    Bad:
        <url><loc>https://example.com/a</loc><news:news>
        <news:publication_date>2026-06-10</news:publication_date><news:title>T</news:title></news:news></url>

    Good:
        <url><loc>https://example.com/a</loc><news:news>
        <news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-06-10</news:publication_date><news:title>T</news:title></news:news></url>
    """
    for record in of_kind(entry, Extension.NEWS):
        if not _has_publication(record):
            yield Hit("news:publication is missing", record.line, record.column)


def _missing_in_publication(entry: Entry, name: str) -> Iterable[Hit]:
    for record in of_kind(entry, Extension.NEWS):
        if _has_publication(record) and is_blank(record.value(f"publication/{name}")):
            yield Hit(f"news:publication has no news:{name}", record.line, record.column)


@rule("SMX632", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_news)
def publication_without_name(entry: Entry) -> Iterable[Hit]:
    """A news:publication has no news:name.

    Why: it is required, and must be the name as the news service knows it.

    Fix: Write <news:name> in news:publication.

    Bad:
        <url><loc>https://example.com/a</loc><news:news>
        <news:publication><news:language>en</news:language></news:publication>
        <news:publication_date>2026-06-10</news:publication_date><news:title>T</news:title></news:news></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return _missing_in_publication(entry, "name")


@rule("SMX633", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_news)
def publication_without_language(entry: Entry) -> Iterable[Hit]:
    """A news:publication has no news:language.

    Why: it is required.

    Fix: Write <news:language>en</news:language> in news:publication.

    Bad:
        <url><loc>https://example.com/a</loc><news:news>
        <news:publication><news:name>N</news:name></news:publication>
        <news:publication_date>2026-06-10</news:publication_date><news:title>T</news:title></news:news></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return _missing_in_publication(entry, "language")


@rule("SMX634", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_news)
def odd_news_language(entry: Entry) -> Iterable[Hit]:
    """A news:language is no ISO 639 code.

    Why: the news service cannot file the article.

    Fix: Write two or three letters: en, de, zh-cn, zh-tw.

    Bad:
        <url><loc>https://example.com/a</loc><news:news>
        <news:publication><news:name>N</news:name><news:language>english</news:language></news:publication>
        </news:news></url>

    Good:
        <url><loc>https://example.com/a</loc><news:news>
        <news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>
        </news:news></url>
    """
    for record in of_kind(entry, Extension.NEWS):
        for part in record.every("publication/language"):
            fault = "" if is_blank(part.value) else language_fault(part.value.strip())
            if fault:
                yield Hit(f"news:language {shown(part)}: {fault}", part.line, part.column)


@rule("SMX635", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_news)
def news_without_date(entry: Entry) -> Iterable[Hit]:
    """A news record has no news:publication_date.

    Why: it is required.

    Fix: Write when the article was first published.

    Bad:
        <url><loc>https://example.com/a</loc><news:news>
        <news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>
        <news:title>T</news:title></news:news></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return missing(entry, Extension.NEWS, "publication_date")


@rule("SMX636", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_news)
def invalid_news_date(entry: Entry) -> Iterable[Hit]:
    """A news:publication_date is no W3C date.

    Why: the news service drops the article.

    Fix: Write YYYY-MM-DD, or a date-time with a zone.

    Bad:
        <url><loc>https://example.com/a</loc><news:news>
        <news:publication_date>May 1</news:publication_date></news:news></url>

    Good:
        <url><loc>https://example.com/a</loc><news:news>
        <news:publication_date>2026-06-10</news:publication_date></news:news></url>
    """
    for record in of_kind(entry, Extension.NEWS):
        for part in record.every("publication_date"):
            date = reading(part.value.strip())
            if not is_blank(part.value) and date.form is DateForm.INVALID:
                yield Hit(f"news:publication_date {shown(part)}: {date.why}", part.line, part.column)


@rule("SMX637", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_news)
def news_without_title(entry: Entry) -> Iterable[Hit]:
    """A news record has no news:title.

    Why: it is required.

    Fix: Write the article's title as the page shows it.

    Bad:
        <url><loc>https://example.com/a</loc><news:news>
        <news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-06-10</news:publication_date></news:news></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return missing(entry, Extension.NEWS, "title")


@rule("SMX638", Step.FIELD_QUALITY, Severity.WARN, column=_news)
def several_news_records(entry: Entry) -> Iterable[Hit]:
    """An entry has several news records.

    Why: a page is one article; the others are dropped.

    Fix: Keep one.

    Bad:
        <url><loc>https://example.com/a</loc>
        <news:news><news:title>T</news:title></news:news><news:news><news:title>U</news:title></news:news></url>

    Good:
        <url><loc>https://example.com/a</loc><news:news><news:title>T</news:title></news:news></url>
    """
    records = list(of_kind(entry, Extension.NEWS))
    if len(records) > 1:
        yield Hit(f"{len(records)} news records in one entry", records[1].line, records[1].column)


@rule("SMX639", Step.FIELD_QUALITY, Severity.INFO, column=_news)
def old_news(entry: Entry, now: Now) -> Iterable[Hit]:
    """A news article is older than two days.

    Why: news services read the articles of the last two days.

    Fix: Take the news record out after two days; the page stays in the ordinary sitemap.

    Bad:
        <url><loc>https://example.com/a</loc>
        <news:news><news:publication_date>2024-05-01</news:publication_date></news:news></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <news:news><news:publication_date>2026-06-10</news:publication_date></news:news></url>
    """
    for record in of_kind(entry, Extension.NEWS):
        for part in record.every("publication_date"):
            at = reading(part.value.strip()).timestamp
            if at is not None and at < now - _TWO_DAYS_S:
                yield Hit(f"published {part.value.strip()}", part.line, part.column)


@rule("SMX640", Step.FIELD_QUALITY, Severity.INFO, column=_news)
def retired_news_tag(entry: Entry) -> Iterable[Hit]:
    """A news record has a tag that is no longer read: access, genres or stock_tickers.

    Why: news services stopped reading them.

    Fix: Take the tag out.

    Bad:
        <url><loc>https://example.com/a</loc><news:news><news:genres>Blog</news:genres></news:news></url>

    Good:
        <url><loc>https://example.com/a</loc><news:news><news:title>T</news:title></news:news></url>
    """
    for record in of_kind(entry, Extension.NEWS):
        for part in record.parts:
            if part.name in _RETIRED:
                yield Hit(f"news:{part.name} is no longer read", part.line, part.column)


RULES: tuple[Rule, ...] = (
    news_without_publication,
    publication_without_name,
    publication_without_language,
    odd_news_language,
    news_without_date,
    invalid_news_date,
    news_without_title,
    several_news_records,
    old_news,
    retired_news_tag,
)
