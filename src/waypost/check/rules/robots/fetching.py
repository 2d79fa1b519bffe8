"""Fetching robots.txt (RBT101 to RBT113)."""

from collections.abc import Iterable

from waypost.check.capture import Capture, Family
from waypost.check.place import registrable_domain
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.noted import content_type_told, noted
from waypost.formats.robots import Robots
from waypost.limits import ROBOTS_BYTES_DEFAULT
from waypost.urls import host_of

__all__ = ["RULES"]

_REPORTED = frozenset({401, 403, 404, 410})
"""What RBT103 and RBT104 say of an answer; its body then decides nothing."""


@rule("RBT101", Step.ROBOTS, Severity.ERROR)
def robots_unreachable(capture: Capture) -> str | None:
    """The robots.txt cannot be reached or read: no address, no connection, no TLS, no whole answer in time.

    Why: a crawler that cannot reach robots.txt must assume that everything is disallowed.

    Fix: Make robots.txt answer as reliably as the pages; 404 is a good answer where there is none.

    Bad:
        GET /robots.txt → connect-timeout

    Good:
        GET /robots.txt → 404
    """
    error = capture.error
    if error is None or error.family is Family.REDIRECT or capture.status in _REPORTED:
        return None
    return error.sentence


@rule("RBT102", Step.ROBOTS, Severity.ERROR)
def robots_server_error(capture: Capture) -> str | None:
    """The robots.txt answers 5xx or 429.

    Why: crawlers treat the site as fully disallowed until robots.txt answers again.

    Fix: Serve robots.txt from something that cannot fail with the application, a static file say.

    Bad:
        GET /robots.txt → 503

    Good:
        GET /robots.txt → 404
    """
    if capture.error is None and (capture.status >= 500 or capture.status == 429):
        return f"answers {capture.status}"
    return None


@rule("RBT103", Step.ROBOTS, Severity.INFO)
def no_robots(capture: Capture) -> str | None:
    """There is no robots.txt, which allows everything.

    Why: nothing is wrong with that; a Sitemap line in one would tell crawlers where the sitemap is.

    Fix: Write a robots.txt with a Sitemap line, if you like.

    Bad:
        GET /robots.txt → 404

    Good:
        User-agent: *
        Disallow:
    """
    return f"answers {capture.status}" if capture.status in {404, 410} else None


@rule("RBT104", Step.ROBOTS, Severity.WARN)
def robots_forbidden(capture: Capture) -> str | None:
    """The robots.txt answers 401 or 403.

    Why: its owner may think that this keeps crawlers out; to them it means that everything is allowed.

    Fix: Let everybody read robots.txt, and say in it what is disallowed.

    Bad:
        GET /robots.txt → 403

    Good:
        GET /robots.txt → 404
    """
    return f"answers {capture.status}" if capture.status in {401, 403} else None


@rule("RBT105", Step.ROBOTS, Severity.WARN)
def robots_redirects_too_often(capture: Capture) -> str | None:
    """The robots.txt redirects more than five times, in a circle, or nowhere.

    Why: crawlers follow five redirects, and then read no robots.txt.

    Fix: Answer at /robots.txt itself.

    Bad:
        GET /robots.txt → redirect-loop

    Good:
        User-agent: *
        Disallow:
    """
    if capture.error is not None and capture.error.family is Family.REDIRECT:
        return capture.error.sentence
    return None


@rule("RBT106", Step.ROBOTS, Severity.WARN)
def robots_of_another_host(capture: Capture) -> str | None:
    """The robots.txt redirects to another site, or a sub-domain takes another host's rules.

    Why: crawlers apply what they find there to this host.

    Fix: Give every host a robots.txt of its own.

    Bad:
        GET /robots.txt → 301
        Location: https://other.example.edu/robots.txt

        GET https://other.example.edu/robots.txt → 200 text/plain

        User-agent: *
        Disallow: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    here, there = host_of(capture.url), host_of(capture.final_url)
    if not capture.is_success or here == there:
        return None
    if registrable_domain(here) == registrable_domain(there) and here.removeprefix("www.") == there.removeprefix(
        "www."
    ):
        return None
    return f"{here} takes the rules of {there}"


@rule("RBT107", Step.ROBOTS, Severity.WARN, fix=Fix.SAFE)
def robots_content_type(capture: Capture, robots: Robots) -> str | None:
    """The robots.txt's Content-Type is not text/plain.

    Why: RFC 9309 asks for text/plain; some crawlers drop anything else.

    Fix: Send Content-Type: text/plain; charset=utf-8.

    Bad:
        GET /robots.txt → 200 text/html

        User-agent: *
        Disallow: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    if capture.content_type == "text/plain" or robots.is_markup:
        return None
    return content_type_told(capture)


@rule("RBT108", Step.ROBOTS, Severity.ERROR)
def robots_is_html(robots: Robots) -> Iterable[Hit]:
    """A page answers where robots.txt should: an error page with status 200, or an application's shell.

    Why: crawlers read no rule in it, so everything is allowed, whatever was meant.

    Fix: Serve the file, or answer 404.

    Bad:
        GET /robots.txt → 200 text/html

        <!doctype html><html><head><title>My app</title></head><body></body></html>

    Good:
        User-agent: *
        Disallow: /a
    """
    return noted(robots, "html-body", "the file begins {}")


@rule("RBT109", Step.ROBOTS, Severity.INFO)
def empty_robots(robots: Robots) -> str | None:
    """The robots.txt is empty, which allows everything.

    Why: nothing is wrong with that; it may not be what was meant.

    Fix: Write what was meant, or nothing at all.

    Bad:
        GET /robots.txt → 200 text/plain

    Good:
        User-agent: *
        Disallow:
    """
    return "the file has nothing in it" if "empty" in robots.counts else None


@rule("RBT110", Step.ROBOTS, Severity.ERROR, fix=Fix.PROPOSED)
def robots_too_large(robots: Robots) -> str | None:
    """The robots.txt is larger than 500 KiB.

    Why: crawlers ignore what lies behind that.

    Fix: Say the same with fewer rules: patterns with * cover many paths.

    Bad:
        # {filler to 512001 bytes}

    Good:
        User-agent: *
        Disallow: /a
    """
    return f"only the first {ROBOTS_BYTES_DEFAULT:,} bytes are read" if robots.truncated else None


@rule("RBT111", Step.ROBOTS, Severity.WARN, fix=Fix.SAFE)
def robots_not_utf_8(robots: Robots) -> Iterable[Hit]:
    """A line of robots.txt is not UTF-8.

    Why: its letters match no URL.

    Fix: Save the file as UTF-8, or percent-encode the path.

    Bad:
        GET /robots.txt → 200 text/plain
        Body: latin-1

        User-agent: *
        Disallow: /café

    Good:
        User-agent: *
        Disallow: /caf%C3%A9
    """
    if robots.is_binary or "utf-16" in robots.counts:
        return ()
    return noted(robots, "not-utf-8", "bytes that are not UTF-8: {}")


@rule("RBT112", Step.ROBOTS, Severity.INFO, fix=Fix.SAFE)
def robots_byte_order_mark(robots: Robots) -> Iterable[Hit]:
    """The robots.txt begins with a byte-order mark.

    Why: Google skips it; for other readers it spoils the first line.

    Fix: Save the file as UTF-8 without a mark.

    Bad:
        GET /robots.txt → 200 text/plain
        Body: utf-8-sig

        User-agent: *
        Disallow: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    return noted(robots, "byte-order-mark", "the file begins with {}")


@rule("RBT113", Step.ROBOTS, Severity.ERROR, fix=Fix.PROPOSED)
def robots_binary(robots: Robots) -> Iterable[Hit]:
    """The robots.txt has NULs or control characters, is UTF-16, or is no text at all.

    Why: crawlers stop reading a line at a NUL, and read nothing of UTF-16.

    Fix: Save the file as UTF-8 text.

    Bad:
        GET /robots.txt → 200 text/plain
        Body: utf-16

        User-agent: *
        Disallow: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    if robots.is_binary or "utf-16" in robots.counts:
        yield from noted(robots, ("binary", "utf-16"), "the file begins {}")
        return
    yield from noted(robots, "nul-byte", "a NUL in the line")
    yield from noted(robots, "control-character", "a control character in the line")


RULES: tuple[Rule, ...] = (
    robots_unreachable,
    robots_server_error,
    no_robots,
    robots_forbidden,
    robots_redirects_too_often,
    robots_of_another_host,
    robots_content_type,
    robots_is_html,
    empty_robots,
    robots_too_large,
    robots_not_utf_8,
    robots_byte_order_mark,
    robots_binary,
)
