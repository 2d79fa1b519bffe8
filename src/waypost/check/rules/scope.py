"""Whether listed URLs belong to the scanned host (SMS5xx). One URL gets the one code that says most about it."""

from collections.abc import Iterable
from enum import Enum

from waypost.check.evidence import Candidate, Source
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.survey import Survey, authority, host_in_ascii, is_foreign, is_glued, is_placeholder
from waypost.formats.document import Document, Entry, Kind
from waypost.formats.printable import clipped
from waypost.urls import Origin, host_of, path_of

__all__ = ["RULES"]

_URL_CHARS = 200


class _Why(Enum):
    """Why a URL is not of the scanned host, the most telling first."""

    TWICE = "SMS510"
    PLACEHOLDER = "SMS509"
    WWW = "SMS502"
    PORT = "SMS507"
    HOST = "SMS501"


def _why(loc: str, origin: Origin) -> _Why | None:
    if is_glued(loc) or _doubled(loc):
        return _Why.TWICE
    at = authority(loc) if is_foreign(loc, origin) else None
    if at is None:
        return None
    own = host_in_ascii(origin.host)
    if at[0] == own:
        return _Why.PORT
    if at[0].removeprefix("www.") == own.removeprefix("www."):
        return _Why.WWW
    if is_placeholder(at[0]):
        return _Why.PLACEHOLDER
    return _Why.HOST


def _doubled(loc: str) -> bool:
    """Whether the path starts with the URL's own scheme and host again, as a wrong join leaves it."""
    path = path_of(loc)[1:]
    return path.startswith(("http://", "https://")) and host_of(path) == host_of(loc)


def _out_of_scope(survey: Survey) -> Iterable[int]:
    return survey.out_of_scope


def _hosts(entry: Entry, origin: Origin) -> str:
    return f"{clipped(entry.loc, _URL_CHARS)} is not on {origin.netloc}"


@rule("SMS501", Step.SCOPE, Severity.WARN, column=_out_of_scope)
def foreign_page(entry: Entry, document: Document, origin: Origin) -> str | None:
    """A listed page is on another host.

    Why: a sitemap speaks for its own host; crawlers drop other hosts' URLs unless those hosts' robots.txt names it.

    Fix: List the page in a sitemap of its own host, or name this sitemap in that host's robots.txt.

    Bad:
        <url><loc>https://other.example.edu/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if document.kind is not Kind.INDEX and _why(entry.loc, origin) is _Why.HOST:
        return _hosts(entry, origin)
    return None


@rule("SMS502", Step.SCOPE, Severity.WARN, fix=Fix.SAFE, column=_out_of_scope)
def www_and_apex(entry: Entry, origin: Origin) -> str | None:
    """A URL has www where the site has none, or the reverse.

    Why: for crawlers the two are different hosts.

    Fix: List the host that is scanned, or redirect it to the one that is listed.

    Bad:
        <url><loc>https://www.example.com/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return _hosts(entry, origin) if _why(entry.loc, origin) is _Why.WWW else None


def _other_scheme(survey: Survey) -> Iterable[int]:
    own = f"{survey.origin.scheme}:"
    return [number for number, loc in enumerate(survey.document.locs) if not loc.startswith(own)]


@rule("SMS503", Step.SCOPE, Severity.WARN, fix=Fix.SAFE, column=_other_scheme)
def other_scheme(entry: Entry, origin: Origin) -> str | None:
    """A URL of the same host has the other scheme: http on an https site, or the reverse.

    Why: the URL redirects, or is a second copy of the page.

    Fix: List the scheme the site is served with.

    Bad:
        <url><loc>http://example.com/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    own = Origin.parse(entry.loc)
    if own is None or own.scheme == origin.scheme or is_foreign(entry.loc, origin):
        return None
    return f"{clipped(entry.loc, _URL_CHARS)} on an {origin.scheme} site"


@rule("SMS504", Step.SCOPE, Severity.INFO)
def outside_directory(document: Document, candidate: Candidate, origin: Origin) -> Iterable[Hit]:
    """A URL is outside the directory of its sitemap.

    Why: by the protocol a sitemap speaks for its directory and below, unless robots.txt names it.

    Fix: Put the sitemap at the root of the host, or name it in robots.txt.

    Bad:
        GET /sitemap.xml → 301
        Location: /maps/all.xml

        GET /maps/all.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        GET /robots.txt → 200 text/plain

        Sitemap: https://example.com/maps/all.xml

        GET /maps/all.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    directory = path_of(document.url or "").partition("?")[0].rpartition("/")[0] + "/"
    is_named = candidate.source is Source.ROBOTS
    if is_named or directory == "/" or document.kind is Kind.INDEX or is_foreign(document.url or "", origin):
        return
    netloc = origin.netloc
    inside = tuple(f"{scheme}://{netloc}{directory}" for scheme in ("https", "http"))
    own = tuple(f"{scheme}://{netloc}/" for scheme in ("https", "http"))
    for number, loc in enumerate(document.locs):
        if loc.startswith(own) and not loc.startswith(inside):
            line, column = document.place(number)
            yield Hit(f"{clipped(loc, _URL_CHARS)} is outside {directory}", line, column, number + 1)


@rule("SMS505", Step.SCOPE, Severity.WARN, column=_out_of_scope)
def foreign_child(entry: Entry, document: Document, origin: Origin) -> str | None:
    """A sitemap that the index lists is on another host.

    Why: an index speaks for its own host; crawlers drop children of other hosts unless those hosts name them.

    Fix: Serve the sitemap on the scanned host, or name it in that host's own robots.txt.

    Bad:
        <sitemap><loc>https://other.example.edu/a.xml</loc></sitemap>

    Good:
        <sitemap><loc>https://example.com/a.xml</loc></sitemap>
    """
    if document.kind is Kind.INDEX and _why(entry.loc, origin) is _Why.HOST:
        return _hosts(entry, origin)
    return None


@rule("SMS507", Step.SCOPE, Severity.WARN, column=_out_of_scope)
def other_port(entry: Entry, origin: Origin) -> str | None:
    """A URL has another port than the scanned origin.

    Why: another port is another server for crawlers, and often one that only its developers can reach.

    Fix: List the URL with the port the site is served on.

    Bad:
        <url><loc>https://example.com:8443/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return _hosts(entry, origin) if _why(entry.loc, origin) is _Why.PORT else None


@rule("SMS509", Step.SCOPE, Severity.ERROR, fix=Fix.SAFE, column=_out_of_scope)
def placeholder_host(entry: Entry, origin: Origin) -> str | None:
    """A URL has a placeholder for its host: example.org, localhost, or an internal name.

    Why: the generator was never told the site's address; no crawler will find the page there.

    Fix: Set the site's public address where the sitemap is made.

    Bad:
        <url><loc>http://localhost:3000/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    return _hosts(entry, origin) if _why(entry.loc, origin) is _Why.PLACEHOLDER else None


@rule("SMS510", Step.SCOPE, Severity.ERROR, fix=Fix.SAFE, column=_out_of_scope)
def host_twice(entry: Entry, origin: Origin) -> str | None:
    """A URL has its scheme and host twice.

    Why: an absolute URL was joined to another one; the page is not there.

    Fix: Join only relative URLs to the site's address.

    Bad:
        <url><loc>https://example.com/https://example.com/a</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    if _why(entry.loc, origin) is _Why.TWICE:
        return f"{clipped(entry.loc, _URL_CHARS)} has scheme and host twice"
    return None


RULES: tuple[Rule, ...] = (
    foreign_page,
    www_and_apex,
    other_scheme,
    outside_directory,
    foreign_child,
    other_port,
    placeholder_host,
    host_twice,
)
