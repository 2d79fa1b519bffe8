"""Whether each loc is an absolute http(s) URL, and a good one (SMP212 to SMP222)."""

from collections.abc import Iterable

from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.noted import noted
from waypost.check.survey import Survey, has_spoilt_host, is_name
from waypost.formats.document import Document, Entry, Kind
from waypost.formats.printable import clipped
from waypost.formats.sitemapnotes import LOC_MISSING, LOC_PADDED, LOC_REPEATED
from waypost.urls import UrlFault, host_of, url_fault

__all__ = ["RULES"]

_URL_CHARS = 200
_INVALID = frozenset({UrlFault.HOST, UrlFault.PORT, UrlFault.CONTROL, UrlFault.BLANK, UrlFault.ESCAPE})
_FEEDS = frozenset({Kind.RSS, Kind.ATOM})


def _strange(survey: Survey) -> Iterable[int]:
    return survey.strange


def _told(entry: Entry, *faults: UrlFault) -> str | None:
    fault = url_fault(entry.loc)
    if fault not in faults:
        return None
    return f"{clipped(entry.loc, _URL_CHARS)} {fault.value}"


@rule("SMP212", Step.PARSE, Severity.ERROR)
def entry_without_loc(document: Document) -> Iterable[Hit]:
    """An entry has no loc.

    Why: loc is the one required element; an entry without it names no page.

    Fix: Give the entry a loc, or take it out.

    Bad:
        <url><lastmod>2026-01-20</lastmod></url>
        <url><loc>https://example.com/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if document.kind not in _FEEDS:
        yield from noted(document, LOC_MISSING, "an entry without loc")


@rule("SMP213", Step.PARSE, Severity.ERROR)
def several_locs(document: Document) -> Iterable[Hit]:
    """An entry has more than one loc.

    Why: crawlers take one of them, and not all take the same one.

    Fix: Write one entry for each URL.

    Bad:
        <url><loc>https://example.com/a</loc><loc>https://example.com/b</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
        <url><loc>https://example.com/b</loc></url>
    """
    return noted(document, LOC_REPEATED, "a second loc: {}")


@rule("SMP214", Step.PARSE, Severity.ERROR, column=_strange)
def empty_loc(entry: Entry) -> str | None:
    """A loc is empty.

    Why: the entry names no page.

    Fix: Look at what should have filled it, or take the entry out.

    Bad:
        <url><loc></loc></url>
        <url><loc>https://example.com/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return "loc is empty" if url_fault(entry.loc) is UrlFault.EMPTY else None


@rule("SMP215", Step.PARSE, Severity.ERROR, fix=Fix.SAFE, column=_strange)
def relative_loc(entry: Entry) -> str | None:
    """A loc is a relative URL.

    Why: a sitemap needs whole URLs, with scheme and host; crawlers drop the others.

    Fix: Write the whole URL: https://example.com/a for /a.

    Bad:
        <url><loc>/b</loc></url>
        <url><loc>https://example.com/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return _told(entry, UrlFault.RELATIVE)


@rule("SMP216", Step.PARSE, Severity.ERROR, column=_strange)
def other_scheme_loc(entry: Entry) -> str | None:
    """A loc has a scheme other than http or https.

    Why: crawlers read http and https only.

    Fix: Take the entry out.

    Bad:
        <url><loc>mailto:me@example.com</loc></url>
        <url><loc>https://example.com/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return _told(entry, UrlFault.SCHEME)


@rule("SMP217", Step.PARSE, Severity.ERROR, column=_strange)
def invalid_loc(entry: Entry) -> str | None:
    """A loc is no valid URL: its host, its port, an escape or a blank is wrong.

    Why: crawlers drop the entry, or each of them repairs it in its own way.

    Fix: Percent-encode blanks and stray percent signs (%20, %25), and correct host and port.

    Bad:
        <url><loc>https://example.com/a b</loc></url>

    Bad:
        <url><loc>https://example.com/100%-sure</loc></url>

    Good:
        <url><loc>https://example.com/a%20b</loc></url>
    """
    fault = url_fault(entry.loc)
    # An odd name made of ordinary letters is a host for all that this rule knows; scope has its word about it, and
    # about a second URL that runs into the host.
    is_told = (fault is UrlFault.HOST and is_name(host_of(entry.loc))) or has_spoilt_host(entry.loc)
    if fault not in _INVALID or is_told:
        return None
    return f"{clipped(entry.loc, _URL_CHARS)} {fault.value}"


@rule("SMP218", Step.FIELD_QUALITY, Severity.ERROR, column=_strange)
def long_loc(entry: Entry) -> str | None:
    """A loc has 2,048 characters or more.

    Why: the protocol allows fewer than 2,048.

    Fix: Shorten the URL, or leave it out.

    Bad:
        <url><loc>https://example.com/{2048 characters}</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if url_fault(entry.loc) is not UrlFault.LONG:
        return None
    return f"{clipped(entry.loc, _URL_CHARS)} has {len(entry.loc):,} characters, the limit is 2,047"


@rule("SMP219", Step.PARSE, Severity.INFO, fix=Fix.SAFE)
def padded_loc(document: Document) -> Iterable[Hit]:
    """White space stands around a URL.

    Why: every crawler trims it; a few compare before they do.

    Fix: Write the URL directly between the tags.

    Bad:
        <url><loc>
          https://example.com/a
        </loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return noted(document, LOC_PADDED, "white space around a URL")


@rule("SMP220", Step.PARSE, Severity.WARN, fix=Fix.SAFE, column=_strange)
def loc_with_fragment(entry: Entry) -> str | None:
    """A loc has a fragment.

    Why: crawlers cut it off; what stands before it may be listed already.

    Fix: List the URL without # and what follows.

    Bad:
        <url><loc>https://example.com/a#part</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return f"{clipped(entry.loc, _URL_CHARS)} has a fragment" if "#" in entry.loc else None


@rule("SMP221", Step.PARSE, Severity.ERROR, fix=Fix.SAFE, column=_strange)
def loc_with_credentials(entry: Entry) -> str | None:
    """A loc carries a user name or a password.

    Why: it publishes them to everybody.

    Fix: List the URL without them, and change the password.

    Bad:
        <url><loc>https://user:secret@example.com/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return _told(entry, UrlFault.CREDENTIALS)


@rule("SMP222", Step.PARSE, Severity.INFO, fix=Fix.SAFE, column=_strange)
def unescaped_characters(entry: Entry) -> str | None:
    """A loc has raw non-ASCII characters, or others that a URL must escape.

    Why: a legal IRI is fine for most crawlers; some want its escapes.

    Fix: Percent-encode them: /caf%C3%A9 for /café.

    Bad:
        <url><loc>https://example.com/café</loc></url>

    Good:
        <url><loc>https://example.com/caf%C3%A9</loc></url>
    """
    fault = url_fault(entry.loc)
    if fault is UrlFault.UNWISE or (fault is None and not entry.loc.isascii()):
        return f"{clipped(entry.loc, _URL_CHARS)} has characters that want escaping"
    return None


RULES: tuple[Rule, ...] = (
    entry_without_loc,
    several_locs,
    empty_loc,
    relative_loc,
    other_scheme_loc,
    invalid_loc,
    long_loc,
    padded_loc,
    loc_with_fragment,
    loc_with_credentials,
    unescaped_characters,
)
