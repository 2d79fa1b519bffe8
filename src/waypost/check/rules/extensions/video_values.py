"""What a video record's optional values say (SMX617 to SMX623); all of it advice."""

import re
from collections.abc import Callable, Iterable, Iterator

from waypost.check.rule import Hit, Now, Rule, Severity, Step, rule
from waypost.check.rules.extensions.records import having, of_kind, shown
from waypost.check.rules.fields.dates import reading
from waypost.dates import DateForm
from waypost.formats.document import Entry
from waypost.formats.extensions import Extension, Part

__all__ = ["RULES"]

_videos = having(Extension.VIDEO)
_DURATION_MAX_S = 28_800
_RATING = re.compile(r"[0-4](?:\.\d+)?|5(?:\.0+)?", re.ASCII)
_TAGS_MAX = 32
_DESCRIPTION_CHARS_MAX = 2_048
_RETIRED = frozenset({"category", "gallery_loc", "price", "tvshow"})
_YES_NO = frozenset({"family_friendly", "requires_subscription", "live"})


def _parts(entry: Entry, names: Iterable[str], is_odd: Callable[[Part], bool]) -> Iterator[Part]:
    wanted = frozenset(names)
    for record in of_kind(entry, Extension.VIDEO):
        for part in record.parts:
            if part.name in wanted and is_odd(part):
                yield part


def _is_odd_duration(part: Part) -> bool:
    text = part.value.strip()
    return not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= _DURATION_MAX_S)


@rule("SMX617", Step.FIELD_QUALITY, Severity.WARN, column=_videos)
def odd_video_duration(entry: Entry) -> Iterable[Hit]:
    """A video's duration is no whole number of seconds from 1 to 28,800.

    Why: crawlers drop the value.

    Fix: Write seconds, at most eight hours of them.

    Bad:
        <url><loc>https://example.com/a</loc><video:video><video:duration>2:30</video:duration></video:video></url>

    Good:
        <url><loc>https://example.com/a</loc><video:video><video:duration>150</video:duration></video:video></url>
    """
    for part in _parts(entry, ("duration",), _is_odd_duration):
        yield Hit(f"duration {shown(part)}", part.line, part.column)


@rule("SMX618", Step.FIELD_QUALITY, Severity.WARN, column=_videos)
def odd_video_rating(entry: Entry) -> Iterable[Hit]:
    """A video's rating is no number from 0.0 to 5.0.

    Why: crawlers drop the value.

    Fix: Write a number from 0.0 to 5.0.

    Bad:
        <url><loc>https://example.com/a</loc><video:video><video:rating>9.1</video:rating></video:video></url>

    Good:
        <url><loc>https://example.com/a</loc><video:video><video:rating>4.5</video:rating></video:video></url>
    """
    for part in _parts(entry, ("rating",), lambda part: not _RATING.fullmatch(part.value.strip())):
        yield Hit(f"rating {shown(part)}", part.line, part.column)


@rule("SMX619", Step.FIELD_QUALITY, Severity.WARN, column=_videos)
def odd_video_date(entry: Entry, now: Now) -> Iterable[Hit]:
    """A video's publication or expiration date is no W3C date, or it has expired.

    Why: an expired video is not shown; a date nobody can read is dropped.

    Fix: Correct the date, or take the record out.

    Bad:
        <url><loc>https://example.com/a</loc>
        <video:video><video:expiration_date>2020-01-01</video:expiration_date></video:video></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <video:video><video:expiration_date>2999-01-01</video:expiration_date></video:video></url>
    """
    for part in _parts(entry, ("publication_date", "expiration_date"), lambda _: True):
        date = reading(part.value.strip())
        if date.form is DateForm.INVALID:
            yield Hit(f"{part.name} {shown(part)}: {date.why}", part.line, part.column)
        elif part.name == "expiration_date" and date.timestamp is not None and date.timestamp < now:
            yield Hit(f"expired on {part.value.strip()}", part.line, part.column)


@rule("SMX620", Step.FIELD_QUALITY, Severity.INFO, column=_videos)
def many_video_tags(entry: Entry) -> Iterable[Hit]:
    """A video has more than 32 tags.

    Why: crawlers read 32.

    Fix: Keep the tags that matter.

    Bad:
        <url><loc>https://example.com/a</loc><video:video>{33 tags}</video:video></url>

    Good:
        <url><loc>https://example.com/a</loc><video:video><video:tag>a</video:tag></video:video></url>
    """
    for record in of_kind(entry, Extension.VIDEO):
        tags = len(record.every("tag"))
        if tags > _TAGS_MAX:
            yield Hit(f"{tags} tags, crawlers read {_TAGS_MAX}", record.line, record.column)


@rule("SMX621", Step.FIELD_QUALITY, Severity.INFO, column=_videos)
def long_video_description(entry: Entry) -> Iterable[Hit]:
    """A video's description has more than 2,048 characters.

    Why: crawlers cut it.

    Fix: Shorten it.

    Bad:
        <url><loc>https://example.com/a</loc>
        <video:video><video:description>{2049 characters}</video:description></video:video></url>

    Good:
        <url><loc>https://example.com/a</loc><video:video><video:description>D</video:description></video:video></url>
    """
    for part in _parts(entry, ("description",), lambda part: len(part.value) > _DESCRIPTION_CHARS_MAX):
        yield Hit(f"{len(part.value):,} characters, crawlers read {_DESCRIPTION_CHARS_MAX:,}", part.line, part.column)


@rule("SMX622", Step.FIELD_QUALITY, Severity.INFO, column=_videos)
def retired_video_tag(entry: Entry) -> Iterable[Hit]:
    """A video record has a tag that is no longer read: category, gallery_loc, price or tvshow.

    Why: search engines stopped reading them in 2022.

    Fix: Take the tag out.

    Bad:
        <url><loc>https://example.com/a</loc><video:video><video:category>Cats</video:category></video:video></url>

    Good:
        <url><loc>https://example.com/a</loc><video:video><video:tag>cats</video:tag></video:video></url>
    """
    for part in _parts(entry, _RETIRED, lambda _: True):
        yield Hit(f"video:{part.name} is no longer read", part.line, part.column)


@rule("SMX623", Step.FIELD_QUALITY, Severity.WARN, column=_videos)
def odd_video_choice(entry: Entry) -> Iterable[Hit]:
    """A value must be yes or no, or a relationship allow or deny, and is neither.

    Why: crawlers drop the value, and show the video where it should not be shown.

    Fix: Write yes or no; relationship="allow" or "deny".

    Bad:
        <url><loc>https://example.com/a</loc><video:video><video:live>true</video:live></video:video></url>

    Good:
        <url><loc>https://example.com/a</loc><video:video><video:live>no</video:live></video:video></url>
    """
    for part in _parts(entry, _YES_NO, lambda part: part.value.strip().lower() not in {"yes", "no"}):
        yield Hit(f"video:{part.name} {shown(part)} is neither yes nor no", part.line, part.column)
    for part in _parts(entry, ("restriction", "platform"), _is_odd_relationship):
        yield Hit(f"video:{part.name} needs relationship allow or deny", part.line, part.column)


def _is_odd_relationship(part: Part) -> bool:
    attributes = dict(zip(part.attributes[::2], part.attributes[1::2], strict=True))
    return attributes.get("relationship", "").strip() not in {"allow", "deny"}


RULES: tuple[Rule, ...] = (
    odd_video_duration,
    odd_video_rating,
    odd_video_date,
    many_video_tags,
    long_video_description,
    retired_video_tag,
    odd_video_choice,
)
