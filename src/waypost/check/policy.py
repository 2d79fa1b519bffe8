"""Which addresses the client may dial: one verdict function for every address in every spelling.

An address is judged by all its readings: itself, and the IPv4 address it carries (mapped, compatible, translated,
NAT64, 6to4, Teredo, ISATAP). It is public only when every reading is. `ipaddress.is_global` and `is_private` are no
guard: the first is true for 64:ff9b::7f00:1 and 224.0.0.1, the second false for them and for 100.64.0.1.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from urllib.parse import unquote

from waypost.check.hostname import ascii_host, is_localhost
from waypost.errors import ConfigError

__all__ = ["Address", "Policy", "Reach", "Verdict", "allowance", "reach_of", "read_address"]

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Reach(Enum):
    """Where an address leads, with the words for it."""

    PUBLIC = "a public address"
    UNSPECIFIED = "the unspecified address"
    METADATA = "a cloud metadata address"
    LINK_LOCAL = "a link-local address"
    MULTICAST = "a multicast address"
    LOOPBACK = "a loopback address"
    PRIVATE = "a private address"
    RESERVED = "a reserved address"
    SPECIAL = "a special-purpose address"


NEVER = frozenset({Reach.UNSPECIFIED, Reach.METADATA, Reach.LINK_LOCAL, Reach.MULTICAST})
"""What no option admits."""
ASKED_FOR = frozenset({Reach.LOOPBACK, Reach.PRIVATE})
"""What typing the very address admits."""

_TABLE: tuple[tuple[Reach, str], ...] = (
    # The first row that holds an address wins, so single addresses stand before the networks around them.
    (Reach.METADATA, "169.254.169.254/32 169.254.170.2/32 169.254.170.23/32 169.254.169.123/32 169.254.169.253/32"),
    (Reach.METADATA, "168.63.129.16/32 100.100.100.200/32 192.0.0.192/32"),
    (Reach.METADATA, "fd00:ec2::254/128 fd00:ec2::23/128 fd20:ce::254/128 fd00:42::42/128"),
    (Reach.UNSPECIFIED, "0.0.0.0/8 ::/128"),
    (Reach.LOOPBACK, "127.0.0.0/8 ::1/128"),
    (Reach.LINK_LOCAL, "169.254.0.0/16 fe80::/10"),
    (Reach.MULTICAST, "224.0.0.0/4 ff00::/8"),
    (Reach.PRIVATE, "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10"),
    (Reach.PRIVATE, "fc00::/7 fec0::/10 64:ff9b:1::/48"),
    (Reach.RESERVED, "240.0.0.0/4"),
    # Protocol assignments, documentation, benchmarks, the retired 6to4 relay; Teredo, ORCHID, and their block.
    (Reach.SPECIAL, "192.0.0.0/24 192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 198.18.0.0/15 192.88.99.0/24"),
    (Reach.SPECIAL, "2001::/23 2001:db8::/32 3fff::/20"),
    # Global unicast is 2000::/3 and nothing else; the rest of the space is somebody's private meaning or nobody's.
    (Reach.PUBLIC, "0.0.0.0/0 2000::/3 64:ff9b::/96 ::ffff:0:0/96"),
    (Reach.RESERVED, "::/0"),
)
_ROWS: dict[int, tuple[tuple[int, int, Reach], ...]] = {
    version: tuple(
        (int(network.network_address), int(network.netmask), reach)
        for reach, networks in _TABLE
        for network in map(ipaddress.ip_network, networks.split())
        if network.version == version
    )
    for version in (4, 6)
}

_MAPPED, _COMPATIBLE, _TRANSLATED, _NAT64 = 0xFFFF, 0, 0xFFFF_0000, 0x0064_FF9B << 64
_LOCAL_NAT64 = 0x0064_FF9B_0001
"""The block of RFC 8215 for a network's own translators: what they translate to stands last, as in 64:ff9b::/96."""
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE, 0x0100_5EFE, 0x0300_5EFE})
_LOW = 0xFFFF_FFFF


def _own_reach(address: Address) -> Reach:
    number = int(address)
    return next(reach for base, mask, reach in _ROWS[address.version] if number & mask == base)


def _carried(address: Address) -> Iterator[ipaddress.IPv4Address]:
    """The IPv4 addresses an IPv6 address may be a spelling of."""
    if address.version == 4:
        return
    number = int(address)
    is_wrapped = number >> 32 in {_MAPPED, _COMPATIBLE, _TRANSLATED, _NAT64} or number >> 80 == _LOCAL_NAT64
    if is_wrapped and number > 1:
        yield ipaddress.IPv4Address(number & _LOW)
    elif number >> 112 == 0x2002:
        yield ipaddress.IPv4Address(number >> 80 & _LOW)
    elif number >> 96 == 0x2001_0000:  # Teredo: its server, and the client with every bit turned
        yield ipaddress.IPv4Address(number >> 64 & _LOW)
        yield ipaddress.IPv4Address(number & _LOW ^ _LOW)
    if number >> 32 & _LOW in _ISATAP:
        yield ipaddress.IPv4Address(number & _LOW)


def _readings(address: Address) -> Iterator[tuple[Address, Reach]]:
    # What an address carries says more ("loopback") than the block it stands in ("reserved"), so it comes first.
    for inner in _carried(address):
        yield inner, _own_reach(inner)
    yield address, _own_reach(address)


def reach_of(address: Address) -> Reach:
    """Where an address leads in truth: public only when every reading of it is public."""
    found = [reach for _, reach in _readings(address) if reach is not Reach.PUBLIC]
    return next((reach for reach in found if reach in NEVER), found[0]) if found else Reach.PUBLIC


def read_address(host: str) -> Address | None:
    """The address a host text means, in any spelling a resolver or browser would take; None for a name.

    Dotted, one number, octal, hexadecimal, short forms, digits that normalise to ASCII, percent-escapes, brackets.
    """
    text = unicodedata.normalize("NFKC", unquote(host)).replace("。", ".").strip().removesuffix(".")
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    if ":" in text:
        return _read_v6(text)
    return _read_v4(text)


def _read_v6(text: str) -> Address | None:
    try:
        return ipaddress.IPv6Address(text.partition("%")[0])
    except ValueError:
        return None


_V4_PART = re.compile(r"0[xX][0-9a-fA-F]{0,16}|[0-9]{1,40}", re.ASCII)


def _read_v4(text: str) -> Address | None:
    parts = text.split(".")
    if len(parts) > 4 or not all(_V4_PART.fullmatch(part) for part in parts):
        return None
    try:
        *front, last = [_number(part) for part in parts]
    except ValueError:
        return None
    if any(part > 255 for part in front) or last >= 256 ** (4 - len(front)):
        return None
    return ipaddress.IPv4Address(sum(part << 8 * (3 - place) for place, part in enumerate(front)) + last)


def _number(part: str) -> int:
    if part[:2].lower() == "0x":
        return int(part[2:] or "0", 16)
    return int(part, 8) if len(part) > 1 and part[0] == "0" else int(part)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an address may be dialled, and where it leads."""

    may_dial: bool
    reach: Reach
    address: str
    advice: str = ""

    @property
    def sentence(self) -> str:
        """The address and its kind, and what would admit it."""
        return f"{self.address} is {self.reach.value}" + (f"; {self.advice}" if self.advice else "")


def allowance(text: str) -> str | _Network:
    """What one `--allow-private` value admits: a network (an address is one of its own size) or a host name."""
    value = text.strip()
    if "/" in value:
        try:
            return _not_never(value, ipaddress.ip_network(value, strict=False))
        except ValueError:
            raise ConfigError(f"--allow-private {value}: not a network; write one as 10.0.0.0/8 or fd00::/8") from None
    address = read_address(value)
    if address is not None:
        return _not_never(value, ipaddress.ip_network(address))
    name = ascii_host(value)
    if name is None:
        raise ConfigError(f"--allow-private {value}: give a host name, an address or a network, without scheme or port")
    return name


def _not_never(value: str, network: _Network) -> _Network:
    """The network, unless all of it is what no option admits."""
    first = reach_of(network.network_address)
    if first in NEVER and reach_of(network.broadcast_address) is first:
        raise ConfigError(f"--allow-private {value}: {first.value} is never asked")
    return network


class Policy:
    """What one site's client may dial: public addresses, what the user typed, and what `--allow-private` admits."""

    __slots__ = ("_hosts", "_networks", "_typed_addresses", "_typed_loopback_ports", "_typed_ports")

    def __init__(self, allow_private: Iterable[str] = ()) -> None:
        allowed = [allowance(text) for text in allow_private]
        self._hosts = frozenset(item for item in allowed if isinstance(item, str))
        self._networks = tuple(item for item in allowed if not isinstance(item, str))
        self._typed_addresses: set[tuple[Address, int]] = set()
        self._typed_loopback_ports: set[int] = set()
        self._typed_ports: set[int] = set()

    def admit_typed(self, host: str, port: int) -> None:
        """Note a host and port that the user typed; only an address, or `localhost`, admits anything."""
        self._typed_ports.add(port)
        address = read_address(host)
        if address is not None:
            self._typed_addresses.add((_unmapped(address), port))
        elif is_localhost(host):
            self._typed_loopback_ports.add(port)

    def was_typed_port(self, port: int) -> bool:
        """Whether the user typed this port; one that belongs to another protocol is asked only then."""
        return port in self._typed_ports

    def judge(self, address: Address, port: int, host: str = "") -> Verdict:
        """Whether this address may be dialled at this port for this host."""
        reach = reach_of(address)
        if reach is Reach.PUBLIC:
            return Verdict(may_dial=True, reach=reach, address=str(address))
        may_dial = reach not in NEVER and (
            self._was_typed(address, port, host, reach) or self._is_allowed(address, host)
        )
        return Verdict(may_dial, reach, str(address), "" if may_dial else _advice(address, reach, host))

    def _was_typed(self, address: Address, port: int, host: str, reach: Reach) -> bool:
        if reach not in ASKED_FOR:
            return False
        if (_unmapped(address), port) in self._typed_addresses:
            return True
        return reach is Reach.LOOPBACK and port in self._typed_loopback_ports and is_localhost(host)

    def _is_allowed(self, address: Address, host: str) -> bool:
        if ascii_host(host) in self._hosts:
            return True
        if self._holds(address):
            return True
        # A compatible or translated address is nothing but its IPv4 address; any other reading must be admitted itself.
        inside = [(reading, reach) for reading, reach in _readings(address) if reach is not Reach.PUBLIC]
        wanted = [reading for reading, reach in inside if reading != address or reach is not Reach.RESERVED]
        return bool(wanted) and all(self._holds(reading) for reading in wanted)

    def _holds(self, address: Address) -> bool:
        return any(address.version == network.version and address in network for network in self._networks)


def _unmapped(address: Address) -> Address:
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _advice(address: Address, reach: Reach, host: str) -> str:
    if reach in NEVER:
        return "no option admits it"
    return f"--allow-private {host if host and read_address(host) is None else address} admits it"
