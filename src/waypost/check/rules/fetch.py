"""Fetching a sitemap: what the exchange itself says (SMF1xx)."""

from waypost.check.capture import Capture, ErrorKind, Family
from waypost.check.rule import Fix, Rule, Severity, Step, rule
from waypost.urls import same_host

__all__ = ["RULES"]

_SLOW_S = 5.0


def _failed(capture: Capture, *families: Family) -> str | None:
    error = capture.error
    if error is None or error.family not in families:
        return None
    return error.sentence


@rule("SMF101", Step.FETCH, Severity.ERROR)
def not_successful(capture: Capture) -> str | None:
    """The sitemap does not answer with a 2xx status.

    Why: crawlers read a sitemap only from a successful answer; redirects they follow five times.

    Fix: Serve the sitemap with status 200, or take its Sitemap line out of robots.txt.

    Bad:
        GET /sitemap.xml → 500 text/html

        GET /robots.txt → 200 text/plain

        Sitemap: https://example.com/sitemap.xml

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    if told := _failed(capture, Family.REDIRECT, Family.URL, Family.BUDGET, Family.CAPTURE, Family.INTERNAL):
        return told
    if capture.error is None and not capture.is_success and capture.status not in {401, 403}:
        return f"answers {capture.status}"
    return None


@rule("SMF102", Step.FETCH, Severity.ERROR)
def name_does_not_resolve(capture: Capture) -> str | None:
    """The sitemap's host name does not resolve.

    Why: without an address nothing on the host can be read by anybody.

    Fix: Correct the host name, or publish an A or AAAA record for it.

    Bad:
        GET /sitemap.xml → dns-no-name

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    return _failed(capture, Family.DNS)


@rule("SMF103", Step.FETCH, Severity.ERROR)
def connection_fails(capture: Capture) -> str | None:
    """The connection for the sitemap is refused, reset or cut, or what comes back is not HTTP.

    Why: a crawler that cannot read the answer keeps what it knew, and forgets it in time.

    Fix: Look at the server, its firewall and its proxy: the log line of this request shows who closed the connection.

    Bad:
        GET /sitemap.xml → refused

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    return _failed(capture, Family.CONNECT, Family.HTTP)


@rule("SMF104", Step.FETCH, Severity.ERROR)
def tls_fails(capture: Capture) -> str | None:
    """The TLS connection for the sitemap fails.

    Why: crawlers do not read past an expired, foreign or self-signed certificate.

    Fix: Renew or correct the certificate, and send its whole chain.

    Bad:
        GET /sitemap.xml → tls-expired

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    return _failed(capture, Family.TLS)


@rule("SMF105", Step.FETCH, Severity.ERROR)
def times_out(capture: Capture) -> str | None:
    """The sitemap does not arrive in time.

    Why: crawlers give up on a server that is silent or too slow.

    Fix: Make the sitemap cheap to produce, or split it into parts under an index.

    Bad:
        GET /sitemap.xml → answer-timeout

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    return _failed(capture, Family.TIMEOUT)


@rule("SMF106", Step.FETCH, Severity.INFO, fix=Fix.PROPOSED)
def redirected(capture: Capture) -> str | None:
    """The sitemap's URL redirects.

    Why: each crawler pays the redirect on each visit, and some follow fewer than others.

    Fix: Name the final URL in robots.txt.

    Bad:
        GET /sitemap.xml → 301
        Location: /maps/all.xml

        GET /maps/all.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    if capture.is_success and capture.was_redirected and same_host(capture.url, capture.final_url):
        return f"leads to {capture.final_url}"
    return None


@rule("SMF107", Step.FETCH, Severity.WARN)
def redirected_to_another_host(capture: Capture) -> str | None:
    """The sitemap's URL redirects to another host.

    Why: a sitemap speaks for the host it is served from; behind such a redirect crawlers may drop URLs of the first.

    Fix: Serve the sitemap on the host whose pages it lists, or name it in that host's robots.txt.

    Bad:
        GET /sitemap.xml → 301
        Location: https://cdn.example.net/all.xml

        GET https://cdn.example.net/all.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    if capture.is_success and not same_host(capture.url, capture.final_url):
        return f"leads to {capture.final_url}"
    return None


@rule("SMF108", Step.FETCH, Severity.ERROR)
def needs_login(capture: Capture) -> str | None:
    """The sitemap answers 401 or 403: it asks for a login, or a wall stands before it.

    Why: a crawler has no login, and a wall that stops this reader stops others too.

    Fix: Let everybody read the sitemap; a firewall rule for bots needs an exception for its path.

    Bad:
        GET /sitemap.xml → 403 text/html

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    if capture.error is None and capture.status in {401, 403}:
        return f"answers {capture.status}"
    return None


@rule("SMF117", Step.FETCH, Severity.WARN)
def unsupported_content_encoding(capture: Capture) -> str | None:
    """The sitemap's Content-Encoding is one that crawlers cannot decode.

    Why: gzip is what every crawler asks for and reads; a body in another coding is noise to it.

    Fix: Send gzip or no coding at all, whatever the default of the server.

    Bad:
        GET /sitemap.xml → encoding-unsupported

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    if capture.error is not None and capture.error.kind is ErrorKind.ENCODING_UNSUPPORTED:
        return _failed(capture, Family.ENCODING)
    return None


@rule("SMF118", Step.FETCH, Severity.ERROR)
def body_cut_short(capture: Capture) -> str | None:
    """The sitemap's body is shorter than its Content-Length.

    Why: half a sitemap is not well-formed, and crawlers drop it whole.

    Fix: Look for a proxy that cuts answers, or for a length that was counted before the body changed.

    Bad:
        GET /sitemap.xml → body-short

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    return _failed(capture, Family.SHORT)


@rule("SMF119", Step.FETCH, Severity.INFO)
def slow_sitemap(capture: Capture) -> str | None:
    """The sitemap takes over five seconds to its last byte.

    Why: a slow server is crawled less.

    Fix: Make the sitemap cheap to produce, compress it, or split it into parts under an index.

    Bad:
        GET /sitemap.xml → 200 application/xml in 7 s

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        GET /sitemap.xml → 200 application/xml in 0.2 s

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    if capture.is_success and capture.elapsed_s > _SLOW_S:
        return f"took {capture.elapsed_s:.1f} s"
    return None


@rule("SMF120", Step.FETCH, Severity.INFO, fix=Fix.SAFE)
def no_validator(capture: Capture) -> str | None:
    """The sitemap's answer has neither ETag nor Last-Modified.

    Why: with a validator a crawler asks whether anything changed and reads nothing when not.

    Fix: Send an ETag or a Last-Modified header, and answer 304 to a request that has it.

    Bad:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>

    Good:
        GET /sitemap.xml → 200 application/xml
        ETag: "1"

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    if capture.is_success and not {"etag", "last-modified"} & {name.lower() for name, _ in capture.headers}:
        return "has no ETag and no Last-Modified"
    return None


@rule("SMF121", Step.FETCH, Severity.ERROR)
def inside_address(capture: Capture) -> str | None:
    """The sitemap's host is an address of a private or special network.

    Why: nobody outside that network can read it, and nothing inside is asked without being told to.

    Fix: Name a public host. To check a site of your own network, allow it with --allow-private.

    Bad:
        GET /sitemap.xml → address-inside

    Good:
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc></url></urlset>
    """
    return _failed(capture, Family.ADDRESS)


RULES: tuple[Rule, ...] = (
    not_successful,
    name_does_not_resolve,
    connection_fails,
    tls_fails,
    times_out,
    redirected,
    redirected_to_another_host,
    needs_login,
    unsupported_content_encoding,
    body_cut_short,
    slow_sitemap,
    no_validator,
    inside_address,
)
