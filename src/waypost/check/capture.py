"""One exchange with a site, raw: what was asked, every hop, the decoded bytes, and what went wrong as a field.

    Request   what to ask, and the bounds of this one answer
    Capture   what came: hops, body, error; the same value whether it was fetched, loaded from a folder or replayed
    Fetcher   whoever turns the one into the other

Nothing here opens a socket, and a fetch problem is never an exception.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from waypost.check.body import Body
from waypost.limits import REDIRECTS_MAX, SITEMAP_BYTES_MAX

__all__ = [
    "Body",
    "Capture",
    "ErrorKind",
    "Family",
    "FetchError",
    "Fetcher",
    "Headers",
    "Hop",
    "Purpose",
    "Request",
    "answered",
    "unanswered",
]


class Purpose(Enum):
    """What an answer is wanted for; it stands in saved captures and in the trail."""

    ROBOTS = "robots"
    SITEMAP = "sitemap"
    CHILD = "child"
    XMLMAP = "xmlmap"
    FEED = "feed"
    OPML = "opml"
    HOME = "home"
    PAGE = "page"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Request:
    """One URL to ask for, and the bounds of its answer.

    `bytes_max` is what the answer may have, on the wire and unpacked: one byte more is read, so that a reader sees that
    it is too large. `redirects_max` is lowered by a caller whose budget of requests does not hold five more.
    """

    url: str
    purpose: Purpose = Purpose.SITEMAP
    bytes_max: int = SITEMAP_BYTES_MAX
    accept: str = "*/*"
    method: str = "GET"
    redirects_max: int = REDIRECTS_MAX
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    """What is sent along; no check sends anything, and captures are saved without it."""


class Family(Enum):
    """Whose department an error is; rules go by the family, people read the kind's sentence."""

    URL = "url"
    ADDRESS = "address"
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    HTTP = "http"
    REDIRECT = "redirect"
    ENCODING = "encoding"
    SHORT = "short"
    BUDGET = "budget"
    CAPTURE = "capture"
    INTERNAL = "internal"


class ErrorKind(Enum):
    """Everything that can keep an answer from us: a stable word, its family, and a sentence."""

    URL_INVALID = ("url-invalid", Family.URL, "the URL is not an absolute http(s) URL")
    ADDRESS_INSIDE = ("address-inside", Family.ADDRESS, "the host is an address of a private or special network")

    PORT_FOREIGN = ("port-foreign", Family.ADDRESS, "the port belongs to another protocol")

    DNS_NO_NAME = ("dns-no-name", Family.DNS, "the host name does not resolve")
    DNS_FAILED = ("dns-failed", Family.DNS, "the name servers gave no usable answer")

    REFUSED = ("refused", Family.CONNECT, "the server refused the connection")
    UNREACHABLE = ("unreachable", Family.CONNECT, "there is no route to the server")
    RESET = ("reset", Family.CONNECT, "the server reset the connection")
    CLOSED = ("closed", Family.CONNECT, "the server closed the connection without an answer")

    TLS_SELF_SIGNED = ("tls-self-signed", Family.TLS, "the certificate is self-signed")
    TLS_EXPIRED = ("tls-expired", Family.TLS, "the certificate has expired")
    TLS_NOT_YET = ("tls-not-yet", Family.TLS, "the certificate is not valid yet")
    TLS_NAME = ("tls-name", Family.TLS, "the certificate is for another host name")
    TLS_UNTRUSTED = ("tls-untrusted", Family.TLS, "the certificate has no issuer that is trusted here")
    TLS_STALLED = ("tls-stalled", Family.TLS, "the TLS handshake stalled")
    TLS_PLAINTEXT = ("tls-plaintext", Family.TLS, "the server does not speak TLS on this port")
    TLS_FAILED = ("tls-failed", Family.TLS, "the TLS handshake failed")

    DNS_TIMEOUT = ("dns-timeout", Family.TIMEOUT, "the name servers did not answer in time")
    CONNECT_TIMEOUT = ("connect-timeout", Family.TIMEOUT, "the connection was not accepted in time")
    ANSWER_TIMEOUT = ("answer-timeout", Family.TIMEOUT, "the server did not begin to answer in time")
    SILENCE = ("silence", Family.TIMEOUT, "the server fell silent in the middle of its answer")
    TOO_SLOW = ("too-slow", Family.TIMEOUT, "the answer came slower than the minimum rate")
    REQUEST_TIMEOUT = ("request-timeout", Family.TIMEOUT, "the request took longer than it may")
    SITE_TIMEOUT = ("site-timeout", Family.TIMEOUT, "the time for the whole site was used up")

    NOT_HTTP = ("not-http", Family.HTTP, "the answer is not valid HTTP")
    HEAD_TOO_LARGE = ("head-too-large", Family.HTTP, "the answer's header section is too large")
    BAD_CHUNKS = ("bad-chunks", Family.HTTP, "the answer's transfer coding is broken")

    REDIRECT_COUNT = ("redirect-count", Family.REDIRECT, "there were more redirects than are followed")
    REDIRECT_LOOP = ("redirect-loop", Family.REDIRECT, "the redirects go in a circle")
    REDIRECT_NOWHERE = ("redirect-nowhere", Family.REDIRECT, "a redirect has no Location")
    REDIRECT_LONG = ("redirect-long", Family.REDIRECT, "a redirect's Location is too long")
    REDIRECT_SCHEME = ("redirect-scheme", Family.REDIRECT, "a redirect leads away from http and https")
    REDIRECT_CREDENTIALS = (
        "redirect-credentials",
        Family.REDIRECT,
        "a redirect's Location holds a user name or password",
    )
    REDIRECT_INVALID = ("redirect-invalid", Family.REDIRECT, "a redirect's Location is not a valid URL")

    ENCODING_UNSUPPORTED = (
        "encoding-unsupported",
        Family.ENCODING,
        "the Content-Encoding is none that was asked for, and cannot be decoded",
    )
    ENCODING_BROKEN = ("encoding-broken", Family.ENCODING, "the body does not decode as its Content-Encoding says")
    BODY_SHORT = ("body-short", Family.SHORT, "the body ended before the length the server had announced")

    BUDGET = ("budget", Family.BUDGET, "the number of requests for this site was used up")
    NOT_CAPTURED = ("not-captured", Family.CAPTURE, "the saved capture holds no answer for this URL")
    OUTSIDE_FOLDER = ("outside-folder", Family.CAPTURE, "the URL is outside the folder that is checked")
    OUTSIDE_APPLICATION = (
        "outside-application",
        Family.CAPTURE,
        "the URL is not of the application that is checked",
    )
    FILE_UNREADABLE = ("file-unreadable", Family.CAPTURE, "the file cannot be read")
    INTERNAL = ("internal", Family.INTERNAL, "the client itself failed; this is a bug in waypost")

    def __init__(self, word: str, family: Family, sentence: str) -> None:
        self.word = word
        self.family = family
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class FetchError:
    """Why there is no (whole) answer: a kind, and the particulars in words, already safe to show after escaping."""

    kind: ErrorKind
    detail: str = ""

    @property
    def family(self) -> Family:
        """The family of its kind."""
        return self.kind.family

    @property
    def sentence(self) -> str:
        """The kind's sentence with the particulars."""
        return f"{self.kind.sentence} ({self.detail})" if self.detail else self.kind.sentence


@dataclass(frozen=True, slots=True)
class Headers:
    """Header fields in the order they came, as sent; names compare without case. Values are latin-1 text."""

    pairs: tuple[tuple[str, str], ...] = ()

    def get(self, name: str, default: str = "") -> str:
        """The first value of a field."""
        return next(self._values(name), default)

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a field, one for each time it came."""
        return tuple(self._values(name))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and next(self._values(name), None) is not None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def _values(self, name: str) -> Iterator[str]:
        wanted = name.lower()
        return (value for key, value in self.pairs if key.lower() == wanted)


@dataclass(frozen=True, slots=True)
class Hop:
    """One request of an exchange and the head of its answer; `status` 0 when there was none."""

    url: str
    status: int = 0
    headers: Headers = field(default_factory=Headers)
    elapsed_s: float = 0.0
    address: str = ""

    @property
    def location(self) -> str:
        """Where a redirect says to go, as sent."""
        return self.headers.get("location")


@dataclass(frozen=True, slots=True)
class Capture:
    """One exchange: the request, each hop it took, the last answer's body, and the error if there was one.

    `body` holds the decoded bytes (`coding` says what was decoded) and is kept as far as it came when an error cut it;
    `wire_bytes` is what came before decoding, `has_trailing` that something stood after the coded stream;
    `truncated` says that the answer is longer than `request.bytes_max`, and `body` then ends one byte after it.
    """

    request: Request
    hops: tuple[Hop, ...] = ()
    body: Body = field(default_factory=Body)
    error: FetchError | None = None
    elapsed_s: float = 0.0
    wire_bytes: int = 0
    coding: str = ""
    has_trailing: bool = False
    truncated: bool = False
    repeats: int = 0
    """How often a request was sent again, because the connection it went out on had been closed meanwhile."""

    @property
    def url(self) -> str:
        """The URL that was asked for."""
        return self.request.url

    @property
    def final_url(self) -> str:
        """The URL that gave the last answer."""
        return self.hops[-1].url if self.hops else self.request.url

    @property
    def status(self) -> int:
        """The status of the last answer, 0 for none."""
        return self.hops[-1].status if self.hops else 0

    @property
    def headers(self) -> Headers:
        """The header fields of the last answer."""
        return self.hops[-1].headers if self.hops else Headers()

    @property
    def address(self) -> str:
        """The address that gave the last answer."""
        return self.hops[-1].address if self.hops else ""

    @property
    def is_success(self) -> bool:
        """Whether a whole answer with a 2xx status came."""
        return self.error is None and 200 <= self.status < 300

    @property
    def was_asked(self) -> bool:
        """Whether anybody was to answer: the budget reached so far, and a folder or a replay can hold this URL."""
        return self.error is None or self.error.family not in {Family.BUDGET, Family.CAPTURE}

    @property
    def was_redirected(self) -> bool:
        """Whether more than one URL was asked."""
        return len(self.hops) > 1

    @property
    def requests(self) -> int:
        """How many requests this exchange cost: one for each hop, and never less than one; repeats count."""
        return max(1, len(self.hops)) + self.repeats

    @property
    def content_type(self) -> str:
        """The media type of the last answer, lower case and without parameters."""
        return self.headers.get("content-type").partition(";")[0].strip().lower()


class Fetcher(Protocol):
    """Turns a request into a capture: the network, a folder of files, or a folder of saved captures."""

    async def fetch(self, request: Request) -> Capture:
        """The answer; whatever goes wrong is a field of it."""
        ...


def answered(
    request: Request | str,
    body: bytes | Body = b"",
    *,
    status: int = 200,
    headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    elapsed_s: float = 0.0,
) -> Capture:
    """A capture of one plain answer, for fetchers that are no network and for tests."""
    asked = Request(request) if isinstance(request, str) else request
    pairs = tuple(headers.items()) if isinstance(headers, Mapping) else tuple(headers)
    content = body if isinstance(body, Body) else Body(body)
    hop = Hop(asked.url, status, Headers(pairs), elapsed_s)
    return Capture(asked, (hop,), content, elapsed_s=elapsed_s, wire_bytes=len(content))


def unanswered(request: Request | str, kind: ErrorKind, detail: str = "", hops: tuple[Hop, ...] = ()) -> Capture:
    """A capture of an exchange that failed."""
    asked = Request(request) if isinstance(request, str) else request
    return Capture(asked, hops, error=FetchError(kind, detail))
