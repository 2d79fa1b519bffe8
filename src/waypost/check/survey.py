"""One look over a document's columns: which entries are worth a closer one. Rules' column forms take it.

Nothing is judged here. An entry that is not named is certainly plain; one that is named may still be.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache

from waypost.check.contract import When
from waypost.check.hostname import ascii_host
from waypost.formats.document import Document
from waypost.formats.extensions import Extension
from waypost.limits import LOC_CHARS_MAX, SITEMAP_URLS_MAX
from waypost.urls import DEFAULT_PORTS, Origin, UrlFault, host_of, is_absolute, url_fault

__all__ = [
    "Survey",
    "authority",
    "has_spoilt_host",
    "host_in_ascii",
    "is_foreign",
    "is_glued",
    "is_name",
    "is_placeholder",
]

_ODD = re.compile(r"""[^\x21-\x7e\n]|%(?![0-9A-Fa-f]{2})|["<>\\^`{|}#@]""")
_ORDINARY = bytes(set(range(0x21, 0x7F)) - set(b'"<>\\^`{|}#@')) + b"\n"
_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*", re.ASCII)
_GLUED = re.compile(r"https?://[^/?#]*https?:(?://)?", re.IGNORECASE | re.ASCII)
_PORT = re.compile(r"https?://(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*)(?::(\d*))?(?=[/?#]|$)", re.IGNORECASE | re.ASCII)

_PLACEHOLDERS = ("example.com", "example.org", "example.net", "localhost", "127.0.0.1", "[::1]")
_PLACEHOLDER_TAILS = (
    ".example.com", ".example.org", ".example.net", ".example", ".test", ".invalid", ".localhost", ".local",
    ".internal", ".a.run.app",
)  # fmt: skip


@lru_cache(maxsize=SITEMAP_URLS_MAX)
def authority(url: str) -> tuple[str, int] | None:
    """Host (in ASCII) and port of an absolute URL, None where they cannot be read.

    Several rules ask the same of every foreign URL of a document: as many as one may list are remembered.
    """
    port = _PORT.match(url)
    host = host_in_ascii(host_of(url))
    if port is None or not _is_readable(url, host):
        return None
    scheme = url[:5].lower().rstrip(":")
    return host, int(port[1]) if port[1] else DEFAULT_PORTS[scheme]


@lru_cache(maxsize=4096)
def host_in_ascii(host: str) -> str:
    """The ASCII spelling of a host; one that IDNA cannot spell stays as it is."""
    return host if host.isascii() else ascii_host(host) or host


def _is_readable(url: str, host: str) -> bool:
    fault = url_fault(url)
    return bool(host) and fault is not UrlFault.PORT and (fault is not UrlFault.HOST or is_name(host))


def is_name(host: str) -> bool:
    """Whether a host is made of letters, digits and hyphens, whatever the name means (`www.127.0.0.1`, say)."""
    return _NAME.fullmatch(host) is not None


def is_placeholder(host: str) -> bool:
    """Whether a host is one that documentation, a developer's machine or an inner network uses."""
    return host in _PLACEHOLDERS or host.endswith(_PLACEHOLDER_TAILS)


def is_glued(url: str) -> bool:
    """Whether a second URL begins inside the host of an absolute one, as a join without a slash leaves it."""
    return _GLUED.match(url) is not None


def has_spoilt_host(url: str) -> bool:
    """Whether such a second URL leaves the first one without a host that is one."""
    return is_glued(url) and authority(url) is None


def is_foreign(url: str, origin: Origin) -> bool:
    """Whether an absolute URL names another host or port than an origin; http and https of one host are the same."""
    at = authority(url)
    if at is None:
        return False
    host, port = host_in_ascii(origin.host), origin.port
    ports = set(DEFAULT_PORTS.values()) if port == DEFAULT_PORTS[origin.scheme] else {port}
    return at[0] != host or at[1] not in ports


def _is_odd(loc: str) -> bool:
    return len(loc) >= LOC_CHARS_MAX or "\n" in loc or _ODD.search(loc) is not None


class Survey:
    """The columns of one document, seen from one origin."""

    def __init__(self, document: Document, origin: Origin) -> None:
        self.document = document
        self.origin = origin

    @cached_property
    def text(self) -> str:
        """Every loc, one a line."""
        return "\n".join(self.document.locs)

    @cached_property
    def strange(self) -> Sequence[int]:
        """Entries whose loc is not certainly a faultless URL of the scanned origin."""
        locs, outside = self.document.locs, self.elsewhere
        # Deleting what is ordinary leaves nothing of an ordinary column: far faster than searching for what is not.
        rest = self.text.encode("utf-8", "surrogatepass").translate(None, _ORDINARY)
        has_odd = bool(rest) or ("%" in self.text and _ODD.search(self.text) is not None)
        is_broken = self.text.count("\n") >= max(1, len(locs))  # a line break inside a loc, not between two
        is_plain = not has_odd and not is_broken and max(map(len, locs), default=0) < LOC_CHARS_MAX
        if is_plain:
            return outside
        named = set(outside)
        return [number for number, loc in enumerate(locs) if number in named or _is_odd(loc)]

    @cached_property
    def elsewhere(self) -> Sequence[int]:
        """Entries whose loc does not start with the scanned origin, spelled as it usually is."""
        netloc = self.origin.netloc
        own = (f"{self.origin}/", f"http://{netloc}/", f"https://{netloc}/")
        return [number for number, loc in enumerate(self.document.locs) if not loc.startswith(own)]

    @cached_property
    def out_of_scope(self) -> Sequence[int]:
        """Entries whose loc may not be of the scanned host, those that hold a second URL among them."""
        locs = self.document.locs
        first = self.text.count("\nhttp") + self.text.startswith("http")
        if self.text.count("http") == first:
            return self.elsewhere
        return sorted({*self.elsewhere, *(number for number, loc in enumerate(locs) if loc.find("http", 4) > 0)})

    @cached_property
    def foreign(self) -> Sequence[int]:
        """Entries whose URL names another host or port than the scanned one."""
        return [number for number in self.elsewhere if self.is_foreign(self.document.locs[number])]

    def is_foreign(self, loc: str) -> bool:
        """Whether an absolute URL names another host or port."""
        return is_foreign(loc, self.origin)

    @cached_property
    def has_good_url(self) -> bool:
        """Whether any entry has an absolute http(s) URL with a host."""
        return any(map(is_absolute, self.document.locs))

    def conditions(self) -> set[When]:
        """What holds of the document as a whole, for the steps that rules move."""
        holds = set() if self.has_good_url else {When.NO_GOOD_URL}
        if self.foreign:
            holds.add(When.OTHER_HOST)
        if any(has_spoilt_host(self.document.locs[number]) for number in self.out_of_scope):
            holds.add(When.SPOILT_HOST)
        return holds

    def having(self, extension: Extension) -> Sequence[int]:
        """Entries that have a record of an extension."""
        return self._by_extension.get(extension, ())

    @cached_property
    def _by_extension(self) -> dict[Extension, list[int]]:
        found: dict[Extension, list[int]] = {}
        for number, records in self.document.records.items():
            for extension in {record.extension for record in records}:
                found.setdefault(extension, []).append(number)
        return found

    def rows(self, column: Sequence[str | None], is_odd: Callable[[str], bool]) -> Iterable[int]:
        """Entries whose value in a column is odd; each distinct value is looked at once."""
        odd = {value for value in set(column) if value is not None and is_odd(value)}
        return [number for number, value in enumerate(column) if value in odd] if odd else ()
