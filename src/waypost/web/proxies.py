"""Forwarded headers: believed from configured proxies alone, and of several values only the right-most untrusted one.

A chain is read from the right. The peer is a trusted proxy, or nothing is believed; each entry of `X-Forwarded-For`
that is a trusted proxy itself is one hop further; the value that counts stands as many hops from the right.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from waypost.errors import ConfigError
from waypost.formats.printable import clipped
from waypost.limits import FORWARDED_HOPS_MAX

__all__ = ["FORWARDED", "Client", "Proxies"]

FORWARDED = frozenset({b"forwarded", b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host"})
"""The headers that say what a proxy saw."""

_log = logging.getLogger("waypost.web")
_SAID = {"for": b"x-forwarded-for", "proto": b"x-forwarded-proto", "host": b"x-forwarded-host"}
_HIDE = str.maketrans({",": "\0", ";": "\1", "\\": None})
_SHOW = str.maketrans("\0\1\2\3", ',;"\\')
_PAIR = re.compile(r'\\(["\\])')
_SHOWN_CHARS_MAX = 60
_Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class Client:
    """Who asked, as far as we believe it, with the scheme and the Host value they used."""

    address: str
    scheme: str
    host: bytes


@dataclass(slots=True)
class Proxies:
    """The proxies whose word counts."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    _told: set[bytes] = field(default_factory=set)

    @classmethod
    def of(cls, addresses: Iterable[str]) -> "Proxies":
        """Read addresses and networks as the settings spell them."""
        try:
            return cls(tuple(ip_network(address.strip(), strict=False) for address in addresses))
        except ValueError as error:
            raise ConfigError(
                f"server.trusted_proxies: {error}; write addresses or networks such as 10.0.0.0/8"
            ) from None

    def trusts(self, address: str) -> bool:
        """Whether an address is that of a trusted proxy."""
        found = _address(address) if self.networks else None
        return found is not None and any(found.version == net.version and found in net for net in self.networks)

    def client(self, seen: Client, forwarded: dict[bytes, list[str]]) -> Client | None:
        """Who asked; None where a trusted proxy says two different things, or nothing that makes sense."""
        if not self.trusts(seen.address):
            self._tell_ignored(seen, forwarded)
            return seen
        believed = _read_forwarded(forwarded.pop(b"forwarded", []))
        for name, values in forwarded.items():
            plain = _entries(values)
            if believed.setdefault(name, plain) != plain:
                return None
        hops = self._hops(believed.get(b"x-forwarded-for", []))
        address = _counted(believed.get(b"x-forwarded-for", []), hops) or seen.address
        scheme = (_counted(believed.get(b"x-forwarded-proto", []), hops) or seen.scheme).lower()
        host = _counted(believed.get(b"x-forwarded-host", []), hops)
        if scheme not in {"http", "https"}:
            return None
        return Client(_bare(address), scheme, host.encode("latin-1", "replace") if host else seen.host)

    def _hops(self, addresses: list[str]) -> int:
        for hops, address in enumerate(reversed(addresses)):
            if not self.trusts(_bare(address)):
                return hops
        return max(0, len(addresses) - 1)

    def _tell_ignored(self, seen: Client, forwarded: dict[bytes, list[str]]) -> None:
        for name in forwarded.keys() - self._told:
            self._told.add(name)
            title = name.decode().title()
            _log.warning(
                "%s from %s ignored: your sitemap says %s; see trusted_proxies",
                title, clipped(seen.address, _SHOWN_CHARS_MAX), seen.scheme,
            )  # fmt: skip


def _entries(values: list[str]) -> list[str]:
    entries = [entry.strip(" \t\"'") for entry in ",".join(values).split(",")]
    return entries[-FORWARDED_HOPS_MAX:]


def _read_forwarded(values: list[str]) -> dict[bytes, list[str]]:
    """The elements of `Forwarded` (RFC 7239) as lists, one entry a hop; what no element says is left out."""
    text = _PAIR.sub(lambda found: "\2" if found[1] == '"' else "\3", ",".join(values))
    pieces = text.split('"')
    # Between an odd and an even quote a comma or semicolon is text; quotes never nest, so one pass sorts them.
    pieces[1::2] = [piece.translate(_HIDE) for piece in pieces[1::2]]
    elements = [dict(_pairs(element)) for element in "".join(pieces).split(",")][-FORWARDED_HOPS_MAX:]
    lists = {name: [element.get(key, "") for element in elements] for key, name in _SAID.items()}
    return {name: entries for name, entries in lists.items() if any(entries)}


def _pairs(element: str) -> Iterator[tuple[str, str]]:
    for pair in element.split(";"):
        key, _, value = pair.partition("=")
        yield key.strip().lower(), value.strip().translate(_SHOW)


def _counted(entries: list[str], hops: int) -> str:
    return entries[max(0, len(entries) - 1 - hops)] if entries else ""


def _bare(address: str) -> str:
    """An address without brackets and port."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def _address(text: str) -> _Address | None:
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found
