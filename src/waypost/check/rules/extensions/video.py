"""What a video record must have (SMX611 to SMX616)."""

from collections.abc import Iterable

from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.extensions.records import having, is_blank, missing, not_absolute, of_kind
from waypost.formats.document import Entry
from waypost.formats.extensions import Extension

__all__ = ["RULES"]

_videos = having(Extension.VIDEO)


@rule("SMX611", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_videos)
def video_without_thumbnail(entry: Entry) -> Iterable[Hit]:
    """A video record has no video:thumbnail_loc.

    Why: it is required; without a picture the video is not shown.

    Fix: Write <video:thumbnail_loc>https://example.com/v.jpg</video:thumbnail_loc>.

    Bad:
        <url><loc>https://example.com/a</loc><video:video><video:title>T</video:title>
        <video:description>D</video:description>
        <video:content_loc>https://example.com/v.mp4</video:content_loc></video:video></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <video:video><video:thumbnail_loc>https://example.com/v.jpg</video:thumbnail_loc>
        <video:title>T</video:title><video:description>D</video:description>
        <video:content_loc>https://example.com/v.mp4</video:content_loc></video:video></url>
    """
    return missing(entry, Extension.VIDEO, "thumbnail_loc")


@rule("SMX612", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_videos)
def video_without_title(entry: Entry) -> Iterable[Hit]:
    """A video record has no video:title.

    Why: it is required.

    Fix: Write <video:title>, in the words of the page.

    Bad:
        <url><loc>https://example.com/a</loc>
        <video:video><video:thumbnail_loc>https://example.com/v.jpg</video:thumbnail_loc>
        <video:description>D</video:description>
        <video:content_loc>https://example.com/v.mp4</video:content_loc></video:video></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return missing(entry, Extension.VIDEO, "title")


@rule("SMX613", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_videos)
def video_without_description(entry: Entry) -> Iterable[Hit]:
    """A video record has no video:description.

    Why: it is required.

    Fix: Write <video:description>, at most 2,048 characters.

    Bad:
        <url><loc>https://example.com/a</loc>
        <video:video><video:thumbnail_loc>https://example.com/v.jpg</video:thumbnail_loc><video:title>T</video:title>
        <video:content_loc>https://example.com/v.mp4</video:content_loc></video:video></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return missing(entry, Extension.VIDEO, "description")


@rule("SMX614", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_videos)
def video_without_location(entry: Entry) -> Iterable[Hit]:
    """A video record has neither video:content_loc nor video:player_loc.

    Why: one of the two is required; without it nobody finds the video.

    Fix: Write the file's URL as video:content_loc, or the player's as video:player_loc.

    Bad:
        <url><loc>https://example.com/a</loc>
        <video:video><video:thumbnail_loc>https://example.com/v.jpg</video:thumbnail_loc><video:title>T</video:title>
        <video:description>D</video:description></video:video></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    for record in of_kind(entry, Extension.VIDEO):
        if is_blank(record.value("content_loc")) and is_blank(record.value("player_loc")):
            yield Hit("neither video:content_loc nor video:player_loc", record.line, record.column)


@rule("SMX615", Step.FIELD_QUALITY, Severity.WARN, column=_videos)
def video_is_the_page(entry: Entry) -> Iterable[Hit]:
    """A video's location is the page's own URL.

    Why: the location must be the video file or its player, not the page around it.

    Fix: Write the URL of the file or of the player.

    Bad:
        <url><loc>https://example.com/a</loc>
        <video:video><video:thumbnail_loc>https://example.com/v.jpg</video:thumbnail_loc><video:title>T</video:title>
        <video:description>D</video:description><video:content_loc>https://example.com/a</video:content_loc>
        </video:video></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    for record in of_kind(entry, Extension.VIDEO):
        for part in (*record.every("content_loc"), *record.every("player_loc")):
            if part.value.strip() == entry.loc:
                yield Hit(f"video:{part.name} is the page's own URL", part.line, part.column)


@rule("SMX616", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_videos)
def video_not_absolute(entry: Entry) -> Iterable[Hit]:
    """A URL in a video record is no absolute http(s) URL.

    Why: crawlers do not resolve it against the page.

    Fix: Write the whole URL.

    Bad:
        <url><loc>https://example.com/a</loc>
        <video:video><video:thumbnail_loc>v.jpg</video:thumbnail_loc><video:title>T</video:title>
        <video:description>D</video:description>
        <video:content_loc>https://example.com/v.mp4</video:content_loc></video:video></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return not_absolute(entry, Extension.VIDEO, ("thumbnail_loc", "content_loc", "player_loc"))


RULES: tuple[Rule, ...] = (
    video_without_thumbnail,
    video_without_title,
    video_without_description,
    video_without_location,
    video_is_the_page,
    video_not_absolute,
)
