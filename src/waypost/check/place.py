"""Where a URL leads, spelled for the wire: reading one URL, following one Location, and whose domain a host is of.

The only importer of `publicsuffixlist`.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote, urljoin

from waypost.check.capture import ErrorKind, FetchError
from waypost.check.hostname import ascii_host
from waypost.check.policy import read_address
from waypost.limits import LOCATION_BYTES_MAX, REDIRECTS_MAX
from waypost.urls import normalise

__all__ = ["Place", "follow", "onward", "read_place", "registrable_domain"]

_PORTS = {"http": 80, "https": 443}
_URL = re.compile(r"(https?)://([^/?#\\]*)([^#]*)", re.IGNORECASE | re.ASCII | re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(?=:)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_TARGET_SAFE = "%/:?@!$&'()*+,;=-._~[]"

REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""The statuses whose Location is followed."""
# No browser asks these by HTTP either (WHATWG Fetch, bad port): a redirect there speaks to another protocol.
OTHER_PROTOCOLS = frozenset((
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
    109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
    526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
    3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
))  # fmt: skip
"""Ports that belong to other protocols."""


@dataclass(frozen=True, slots=True)
class Place:
    """A URL for the wire: ASCII host (an address in its one canonical spelling), port, escaped path and query."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def netloc(self) -> str:
        """Host and port as a URL writes them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole URL."""
        return f"{self.scheme}://{self.netloc}{self.target}"

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.netloc}"


def read_place(url: str) -> Place | FetchError:
    """Where an absolute http(s) URL leads, or why it leads nowhere."""
    found = _URL.fullmatch(url.strip(" \t\r\n\f").partition("#")[0])
    if not found:
        return FetchError(ErrorKind.URL_INVALID)
    scheme, authority = found[1].lower(), found[2]
    if "@" in authority:
        return FetchError(ErrorKind.URL_INVALID, "it holds a user name or password")
    if _CONTROL.search(found[0]):
        return FetchError(ErrorKind.URL_INVALID, "it holds a control character")
    parts = _host_and_port(authority)
    if parts is None:
        return FetchError(ErrorKind.URL_INVALID, "it has no usable host")
    return Place(scheme, parts[0], parts[1] or _PORTS[scheme], _target(found[3]))


def _host_and_port(authority: str) -> tuple[str, int] | None:
    host, colon, port = authority.rpartition(":")
    if not colon or authority.endswith("]"):
        host, port = authority, ""
    if port and not (port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) <= 65_535):
        return None
    address = read_address(host) if host.startswith("[") or ":" not in host else None
    name = str(address) if address is not None else ascii_host(host)
    return (name, int(port or 0)) if name else None


def _target(rest: str) -> str:
    return quote(rest if rest.startswith("/") else "/" + rest, safe=_TARGET_SAFE, errors="replace")


def follow(place: Place, location: str) -> Place | FetchError:
    """Where a Location (as latin-1 text) leads from a place, or why it is not followed.

    A scheme without an authority is refused before joining: `http:///x` would silently become this very host.
    """
    raw = location.strip(" \t")
    if not raw:
        return FetchError(ErrorKind.REDIRECT_NOWHERE)
    if len(raw) > LOCATION_BYTES_MAX:
        return FetchError(ErrorKind.REDIRECT_LONG, f"{len(raw):,} bytes")
    text = _decoded(raw)
    if _CONTROL.search(text):
        return FetchError(ErrorKind.REDIRECT_INVALID, "it holds a control character")
    scheme = _SCHEME.match(text)
    if scheme and scheme[0].lower() not in _PORTS:
        return FetchError(ErrorKind.REDIRECT_SCHEME, f"{scheme[0].lower()[:40]}:")
    if scheme and not _URL.match(text):
        return FetchError(ErrorKind.REDIRECT_INVALID, "it has a scheme but no host")
    return _joined(place, text, is_absolute=bool(scheme))


def onward(place: Place, location: str, seen: Collection[str], redirects_max: int) -> Place | FetchError:
    """Where a redirect leads after the (normalised) URLs already seen, or why it is not followed."""
    found = follow(place, location)
    if not isinstance(found, Place):
        return found
    if normalise(found.url) in seen:
        return FetchError(ErrorKind.REDIRECT_LOOP, found.url)
    if len(seen) > redirects_max:
        is_ours = redirects_max < REDIRECTS_MAX
        return FetchError(ErrorKind.BUDGET if is_ours else ErrorKind.REDIRECT_COUNT, f"{len(seen)} redirects")
    return found


def _joined(place: Place, text: str, *, is_absolute: bool) -> Place | FetchError:
    if text.startswith("//"):
        text, is_absolute = f"{place.scheme}:{text}", True
    try:
        target = text if is_absolute else urljoin(place.url, text.replace("\\", "%5C"))
    except ValueError:
        return FetchError(ErrorKind.REDIRECT_INVALID)
    found = read_place(target)
    if isinstance(found, Place):
        return found
    authority = target.partition("//")[2].partition("/")[0]
    return FetchError(ErrorKind.REDIRECT_CREDENTIALS if "@" in authority else ErrorKind.REDIRECT_INVALID)


def _decoded(latin1: str) -> str:
    """Header bytes that are UTF-8 mean UTF-8; servers send such Locations, and browsers read them so."""
    try:
        return latin1.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return latin1


@cache
def _suffixes(*, only_icann: bool) -> Any:
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - 40 ms that most checks never need

    return PublicSuffixList(only_icann=only_icann)


def registrable_domain(host: str, *, only_icann: bool = False) -> str:
    """The domain somebody registered (`example.co.uk` of `www.example.co.uk`); the host itself where there is none.

    With `only_icann` a service that gives names to its customers, github.io say, is one domain.
    """
    name = ascii_host(host)
    if name is None or read_address(name) is not None:
        return host.lower()
    return str(_suffixes(only_icann=only_icann).privatesuffix(name) or name)
