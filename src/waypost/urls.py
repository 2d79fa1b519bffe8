"""URLs as crawlers use them: origins, joining, what is wrong with one, and the grammar of a Host header.

Only `http` and `https` exist here. A URL is *absolute* when it has such a scheme, `://` and a host; it may still have
faults, which `url_fault` names. Nothing is looked up, and nothing is decoded that need not be.
"""

import re
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Address, IPv6Address
from typing import Self
from urllib.parse import quote, urljoin

from waypost.limits import HOST_BYTES_MAX, LOC_CHARS_MAX

__all__ = [
    "BAD_ESCAPE", "Origin", "UrlFault", "absolute", "host_of", "is_absolute", "masked", "normalise", "path_of",
    "quote_path", "read_host", "same_host", "url_fault",
]  # fmt: skip

DEFAULT_PORTS = {"http": 80, "https": 443}

_ABSOLUTE = re.compile(r"(https?)://(?:([^/?#@]*)@)?([^/?#]*)([^#]*)(#.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)
_AUTHORITY = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::(.*))?", re.DOTALL)
_PLAIN_HOST = re.compile(
    r"((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){0,8}[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?::([1-9][0-9]{0,3}))?"
)
"""What nearly every Host header is, and nothing that has to be looked at twice."""
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?", re.ASCII)
_NUMERIC_LABEL = re.compile(r"\d+|0x[0-9a-f]*", re.ASCII)
_LABEL_CHARS_MAX = 63
_NAME_CHARS_MAX = 253
BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
"""A % that escapes nothing."""
_BLANK = re.compile(r"[ \t\n\r\f\v\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_UNWISE = re.compile(r'["<>\\^`{|}]')


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host and port: the part of a URL that names a server. The port is always a number.

    >>> str(Origin.parse("HTTPS://Example.com:443/a"))
    'https://example.com'
    """

    scheme: str
    host: str
    port: int

    @classmethod
    def parse(cls, url: str) -> Self | None:
        """The origin of an absolute http(s) URL, or None where it has none."""
        found = _ABSOLUTE.fullmatch(url.strip())
        parts = read_host(found[3]) if found else None
        if not found or parts is None:
            return None
        scheme = found[1].lower()
        return cls(scheme, parts[0], DEFAULT_PORTS[scheme] if parts[1] is None else parts[1])

    @property
    def netloc(self) -> str:
        """Host and port as a URL writes them: the default port is left out."""
        return self.host if self.port == DEFAULT_PORTS[self.scheme] else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.netloc}"


class UrlFault(Enum):
    """What keeps a text from being a good absolute http(s) URL, worst first; the value is a sentence's middle."""

    EMPTY = "is empty"
    RELATIVE = "is relative"
    SCHEME = "has a scheme other than http or https"
    HOST = "has no usable host"
    PORT = "has a bad port"
    CONTROL = "has a control character in it"
    BLANK = "has a blank in it"
    ESCAPE = "has a bad percent escape"
    LONG = f"has {LOC_CHARS_MAX:,} characters or more"
    CREDENTIALS = "carries a user name or password"
    UNWISE = "has a character that must be escaped"


def masked(text: str) -> str:
    """A URL or a bare name as it may be shown: without the user name and password in front of its host.

    >>> masked("https://me:secret@example.com/a")
    'https://***@example.com/a'
    """
    return _CREDENTIALS.sub(r"\1***@", text, count=1)


_CREDENTIALS = re.compile(r"^\s*((?:[A-Za-z][A-Za-z0-9+.-]*:)?//|)(?:[^/?#:]*:(?!\d*[/?#]).*|[^/?#]*)@", re.DOTALL)
"""A colon behind which no port stands begins a password, whatever is in it."""


def is_absolute(text: str) -> bool:
    """Whether a text is an absolute http(s) URL with a host, faulty otherwise or not."""
    found = _ABSOLUTE.match(text)
    return bool(found and found[3] and not found[3].startswith(":"))


def url_fault(text: str) -> UrlFault | None:
    """The worst fault of a text as an absolute http(s) URL; None for a good one. Non-ASCII (an IRI) is no fault.

    >>> url_fault("https://example.com/a b")
    <UrlFault.BLANK: 'has a blank in it'>
    """
    found = _ABSOLUTE.match(text)
    if not found:
        return _no_url(text)
    if not found[3]:
        return UrlFault.HOST
    return _authority_fault(found[3]) or _character_fault(text, has_userinfo=found[2] is not None)


def _no_url(text: str) -> UrlFault:
    if not text.strip():
        return UrlFault.EMPTY
    scheme = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text)
    if not scheme:
        return UrlFault.RELATIVE
    return UrlFault.HOST if scheme[0].lower() in {"http:", "https:"} else UrlFault.SCHEME


def _authority_fault(authority: str) -> UrlFault | None:
    if _CONTROL.search(authority):
        return UrlFault.CONTROL
    if _BLANK.search(authority):
        return UrlFault.BLANK
    parts = _AUTHORITY.fullmatch(authority)
    if not parts:
        return UrlFault.HOST
    if not _is_port(parts[2] or ""):
        return UrlFault.PORT
    host = parts[1].lower()
    good = _is_ipv6(host) if host.startswith("[") else _is_name(host) or (not host.isascii() and _is_iri_name(host))
    return None if good else UrlFault.HOST


def _character_fault(text: str, *, has_userinfo: bool) -> UrlFault | None:
    if _CONTROL.search(text):
        return UrlFault.CONTROL
    if _BLANK.search(text):
        return UrlFault.BLANK
    if "%" in text and BAD_ESCAPE.search(text):
        return UrlFault.ESCAPE
    if len(text) >= LOC_CHARS_MAX:
        return UrlFault.LONG
    if has_userinfo:
        return UrlFault.CREDENTIALS
    return UrlFault.UNWISE if _UNWISE.search(text) else None


def _is_port(text: str) -> bool:
    return not text or (text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) <= 65_535)


def _is_ipv6(bracketed: str) -> bool:
    try:
        return bool(IPv6Address(bracketed[1:-1])) and "%" not in bracketed
    except ValueError:
        return False


def _is_name(host: str) -> bool:
    name = host.removesuffix(".")
    labels = name.split(".")
    if len(name) > _NAME_CHARS_MAX or not all(_LABEL.fullmatch(x) and len(x) <= _LABEL_CHARS_MAX for x in labels):
        return False
    return not _NUMERIC_LABEL.fullmatch(labels[-1]) or _is_ipv4(name)


def _is_ipv4(text: str) -> bool:
    try:
        return bool(IPv4Address(text)) or text == "0.0.0.0"  # noqa: S104 - a spelling, never bound
    except ValueError:
        return False


def _is_iri_name(host: str) -> bool:
    labels = host.removesuffix(".").split(".")
    return all(0 < len(x) <= _LABEL_CHARS_MAX and not re.search(r"[\x00-,/:-@\[-^`{-\x7f]", x) for x in labels)


def read_host(raw: str | bytes) -> tuple[str, int | None] | None:
    """Host and port of a Host header or authority, lower-cased, without a final dot; None where it must be refused.

    >>> read_host("Example.com:8000")
    ('example.com', 8000)
    >>> read_host("exa<mple") is None
    True
    """
    text = raw.decode("latin-1") if isinstance(raw, bytes) else raw
    if len(text) <= _NAME_CHARS_MAX and (plain := _PLAIN_HOST.fullmatch(text)):
        return plain[1], int(plain[2]) if plain[2] else None
    if not text.isascii() or not 0 < len(text) <= HOST_BYTES_MAX:
        return None
    parts = _AUTHORITY.fullmatch(text.lower())
    if not parts or not _is_port(parts[2] or ""):
        return None
    host = parts[1]
    if not (_is_ipv6(host) if host.startswith("[") else _is_name(host)):
        return None
    return host.removesuffix("."), int(parts[2]) if parts[2] else None


def host_of(url: str) -> str:
    """The lower-case host of an absolute URL, without port, user name or final dot; empty where there is none."""
    found = _ABSOLUTE.match(url)
    parts = _AUTHORITY.fullmatch(found[3]) if found else None
    return parts[1].lower().removesuffix(".") if parts else ""


def same_host(one: str, other: str) -> bool:
    """Whether two absolute URLs name one host and port (http and https of one host are the same)."""
    return _host_port(one) == _host_port(other) != ("", "")


def _host_port(url: str) -> tuple[str, str]:
    found = _ABSOLUTE.match(url)
    parts = _AUTHORITY.fullmatch(found[3]) if found else None
    if not found or not parts:
        return "", ""
    port = parts[2] or ""
    if port.isascii() and port.isdigit():
        port = port.lstrip("0") or "0"
    default = str(DEFAULT_PORTS[found[1].lower()])
    return parts[1].lower().removesuffix("."), "" if port == default else port


def path_of(url: str) -> str:
    """Path and query of an absolute URL, at least `/`; the fragment is left out."""
    found = _ABSOLUTE.match(url)
    rest = found[4] if found else ""
    return rest if rest.startswith("/") else "/" + rest


def absolute(base: str, reference: str) -> str | None:
    """Resolve a reference against an absolute base (RFC 3986); None where the result is no http(s) URL with a host.

    A scheme without `://host` is refused before joining: `http:///x` must not silently become the base's host.
    """
    if _PATH_ALONE.fullmatch(reference) and (found := _PLAIN_BASE.fullmatch(base)):
        return found[1] + _without_dots(reference if reference.startswith("/") else found[2] + reference)
    reference = reference.strip(" \t\r\n\f")
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", reference):
        return reference if is_absolute(reference) else None
    try:
        joined = urljoin(base, reference)
    except ValueError:
        return None
    return joined if is_absolute(joined) else None


_PATH_ALONE = re.compile(r"/?[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*/?", re.ASCII)
_PLAIN_BASE = re.compile(r"(https?://[a-z0-9.:-]+)((?:/[A-Za-z0-9._~-]+)*/)[A-Za-z0-9._~-]*", re.ASCII)
"""A reference that is a path and nothing else, and a base it is simply joined to: most links of most pages."""
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


_PLAIN = re.compile(r"https?://[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::(?!80/|443/|0)\d+)?/[A-Za-z0-9._~/-]*", re.ASCII)
"""What is in its one spelling already, as nearly all URLs are; dot segments are looked for apart."""


def _plain_escape(found: re.Match[str]) -> str:
    byte = int(found[1], 16)
    return chr(byte) if byte in _UNRESERVED else f"%{byte:02X}"


def normalise(url: str) -> str:
    """One spelling for URLs that are the same by RFC 3986: case, default port, escapes, dot segments, empty path.

    >>> normalise("HTTP://Example.com:80/%7ea/../b")
    'http://example.com/b'
    """
    if _PLAIN.fullmatch(url) and "/." not in url:
        return url
    found = _ABSOLUTE.fullmatch(url)
    if not found:
        return url
    scheme = found[1].lower()
    host, port = _host_port(url)
    if not host:
        return url
    rest = _ESCAPE.sub(_plain_escape, quote(found[4], safe="%/:?#[]@!$&'()*+,;=-._~", errors="replace"))
    path, mark, query = rest.partition("?")
    user = f"{found[2]}@" if found[2] is not None else ""
    authority = user + host + (f":{port}" if port else "")
    return f"{scheme}://{authority}{_without_dots(path or '/')}{mark}{query}{found[5] or ''}"


def _without_dots(path: str) -> str:
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            kept[-1:] = []
        elif segment != ".":
            kept.append(segment)
    ends_open = path.endswith(("/.", "/.."))
    return "/" + "/".join(kept) + ("/" if ends_open and kept else "")


def quote_path(text: str) -> str:
    """A path in Unicode as a URL carries it: UTF-8, everything percent-encoded but unreserved, sub-delims, `:@/`."""
    return quote(text, safe="/:@!$&'()*+,;=-._~")
