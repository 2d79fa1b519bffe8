"""URLs that come twice, and URLs that should not stand in a sitemap as they are (SMQ314, SMQ315, SMQ318, SMQ319)."""

import re
from collections import Counter
from collections.abc import Iterable

from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.survey import Survey
from waypost.formats.document import Document, Entry, Kind
from waypost.formats.printable import clipped
from waypost.urls import normalise, path_of

__all__ = ["RULES"]

_TRACKING = re.compile(
    r"[?&;](?:utm_[a-z]+|gclid|fbclid|msclkid|dclid|yclid|mc_eid|_ga|igshid|phpsessid|jsessionid|sid|sessionid)=",
    re.IGNORECASE,
)
_SESSION_PATH = re.compile(r";jsessionid=", re.IGNORECASE)
_URL_CHARS = 200
_MIXED_MIN = 5


@rule("SMQ314", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.SAFE)
def repeated_loc(document: Document) -> Iterable[Hit]:
    """The same URL stands in the file more than once.

    Why: it wastes the 50,000 places, and its copies may contradict each other.

    Fix: Keep one entry for each URL.

    Bad:
        <url><loc>https://example.com/a</loc></url>
        <url><loc>https://example.com/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
        <url><loc>https://example.com/b</loc></url>
    """
    locs = document.locs
    if len(set(locs)) == len(locs):
        return
    first: dict[str, int] = {}
    for number, loc in enumerate(locs, 1):
        before = first.setdefault(loc, number) if loc else number
        if before != number:
            line, column = document.place(number - 1)
            yield Hit(f"{clipped(loc, _URL_CHARS)} stands in entry {before} already", line, column, number)


@rule("SMQ315", Step.FIELD_QUALITY, Severity.INFO, fix=Fix.SAFE)
def repeated_after_normalising(document: Document, survey: Survey) -> Iterable[Hit]:
    """Two spellings of one URL stand in the file: case of the host, default port, escapes, or dot segments differ.

    Why: crawlers take them for one page, or read it twice.

    Fix: Keep the canonical spelling.

    Bad:
        <url><loc>https://example.com/%7Ea</loc></url>
        <url><loc>https://example.com/~a</loc></url>

    Good:
        <url><loc>https://example.com/~a</loc></url>
    """
    # Own URLs without escapes and dot segments have one spelling, and most files hold nothing else.
    if not survey.elsewhere and "%" not in survey.text and "/." not in survey.text and survey.text.isascii():
        return
    first: dict[str, tuple[str, int]] = {}
    for number, loc in enumerate(document.locs, 1):
        before, at = first.setdefault(_plain(loc), (loc, number))
        if before != loc:
            line, column = document.place(number - 1)
            yield Hit(f"{clipped(loc, _URL_CHARS)} is another spelling of entry {at}", line, column, number)


_USUAL = re.compile(r"https?://[a-z0-9.-]+(?<![.])/(?:[A-Za-z0-9_~!$&'()*+,;=:@?-]|/(?![.])|(?<!/)[.])*+")


def _plain(url: str) -> str:
    # Normalising is slow; a URL without a port, an escape, a dot or a capital in its host is its own normal form.
    return url if _USUAL.fullmatch(url) else normalise(url)


@rule("SMQ318", Step.FIELD_QUALITY, Severity.INFO)
def mixed_trailing_slash(document: Document, survey: Survey) -> str | None:
    """Some page URLs end with a slash and some do not.

    Why: a site that answers both spellings has every page twice; one that answers one of them redirects the other.

    Fix: Choose one form, and list it.

    Bad:
        <url><loc>https://example.com/a/{n}/</loc></url> × 6
        <url><loc>https://example.com/b/{n}</loc></url> × 6

    Good:
        <url><loc>https://example.com/a/{n}/</loc></url> × 12
    """
    if document.kind is not Kind.URLSET or survey.text.count("/\n") < _MIXED_MIN - 1:
        return None
    ends = Counter(_ending(loc) for loc in document.locs)
    slashed, bare = ends["/"], ends["-"]
    if min(slashed, bare) < _MIXED_MIN:
        return None
    return f"{slashed:,} URLs end with a slash, {bare:,} do not"


def _ending(loc: str) -> str:
    if loc.endswith("/"):
        return "/" if loc.count("/") > 3 else ""
    if "?" in loc or "#" in loc:
        return ""
    return "" if "." in loc.rpartition("/")[2] or loc.count("/") < 3 else "-"


def _tracked(survey: Survey) -> Iterable[int]:
    return [number for number, loc in enumerate(survey.document.locs) if "=" in loc and _carried(loc)]


def _carried(loc: str) -> str:
    found = _TRACKING.search(loc) or _SESSION_PATH.search(loc)
    return found[0].strip("?&;=") if found else ""


@rule("SMQ319", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_tracked)
def tracking_parameter(entry: Entry) -> str | None:
    """The URL carries a tracking parameter or a session id.

    Why: each value makes another URL of the same page, and a session id lists one visitor's view of it.

    Fix: List the URL without the parameter.

    Bad:
        <url><loc>https://example.com/a?utm_source=mail</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    carried = _carried(entry.loc)
    return f"{clipped(path_of(entry.loc), _URL_CHARS)} carries {carried}" if carried else None


RULES: tuple[Rule, ...] = (
    repeated_loc,
    repeated_after_normalising,
    mixed_trailing_slash,
    tracking_parameter,
)
