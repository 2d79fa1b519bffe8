"""What the user typed, as an origin: reading a target, and settling which origin a bare name means."""

import re
from dataclasses import dataclass

from waypost.check.capture import Capture, Fetcher, FetchError, Purpose, Request
from waypost.check.hostname import is_localhost
from waypost.check.place import Place, read_place, registrable_domain
from waypost.check.policy import Policy, Reach, reach_of, read_address
from waypost.errors import ConfigError
from waypost.limits import HOME_BYTES_MAX
from waypost.urls import masked

__all__ = ["Settled", "Target", "read_target", "settle"]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_QUOTED_CHARS = 100


@dataclass(frozen=True, slots=True)
class Target:
    """A target as typed, and the places it may mean in the order they are tried; a URL means one."""

    typed: str
    places: tuple[Place, ...]
    is_bare: bool

    @property
    def origin(self) -> str:
        """The first origin it may mean."""
        return self.places[0].origin

    def admit(self, policy: Policy) -> None:
        """Let a policy know what was typed: it counts as asked for."""
        for place in self.places:
            policy.admit_typed(place.host, place.port)


@dataclass(frozen=True, slots=True)
class Settled:
    """The origin that is checked, what was asked to find it, and what to tell first.

    `home` is the answer of `/` on that origin when one was needed; `error` says why none of the places answered.
    """

    origin: str
    typed: str
    home: Capture | None = None
    requests: int = 0
    remark: str = ""
    error: FetchError | None = None


def read_target(text: str) -> Target:
    """The target that a text names; `ConfigError` with one sentence where it names none."""
    try:
        typed = str.strip(text)
    except TypeError:
        raise ConfigError(f"a target is a text, such as https://example.com, not {type(text).__name__}") from None
    shown = masked(typed)[:_QUOTED_CHARS]
    if not typed:
        raise ConfigError("no target: give a URL such as https://example.com or a name such as example.com")
    scheme = _SCHEME.match(typed)
    if scheme and scheme[1].lower() not in {"http", "https"}:
        raise ConfigError(f"{shown}: only http and https sites can be asked, not {scheme[1].lower()}")
    if scheme:
        return Target(typed, (_place(typed, shown),), is_bare=False)
    rest = typed.removeprefix("//")
    if rest.count(":") > 1 and not rest.startswith("["):
        rest = f"[{rest}]"  # an IPv6 address as people type it
    order = ("http", "https") if _is_at_home(rest) else ("https", "http")
    return Target(typed, tuple(_place(f"{scheme}://{rest}", shown) for scheme in order), is_bare=True)


def _place(url: str, shown: str) -> Place:
    place = read_place(url)
    if isinstance(place, Place) and not re.search(r"\s", url):
        return place
    why = place.detail if isinstance(place, FetchError) and place.detail else "it is no host name, address or URL"
    raise ConfigError(f"{shown}: not a site that can be asked ({why})")


def _is_at_home(authority: str) -> bool:
    """Whether a bare name means this very machine: what listens here speaks http more often than https."""
    host = re.split(r"[/?#]", authority, maxsplit=1)[0]
    if not host.endswith("]"):
        host = re.sub(r":\d*$", "", host)
    address = read_address(host)
    if address is not None:
        return reach_of(address) is Reach.LOOPBACK
    return is_localhost(host)


async def settle(target: Target, fetcher: Fetcher, *, follow_origin: bool = True) -> Settled:
    """Which origin a target means: a URL its own; a bare name the first that answers, or where its `/` ends.

    A redirect is followed to another origin only within the registrable domain (example.com to www.example.com).
    """
    if not target.is_bare:
        return Settled(target.origin, target.typed)
    spent, first_error = 0, None
    for place in target.places:
        home = await fetcher.fetch(Request(f"{place.origin}/", Purpose.HOME, HOME_BYTES_MAX, accept="text/html, */*"))
        spent += home.requests
        if home.hops and home.hops[0].status:
            return _settled(target, place, home, spent, follow_origin=follow_origin)
        first_error = first_error or home.error
    return Settled(target.origin, target.typed, requests=spent, error=first_error)


def _settled(target: Target, place: Place, home: Capture, spent: int, *, follow_origin: bool) -> Settled:
    ended = read_place(home.final_url)
    if not isinstance(ended, Place) or ended.origin == place.origin or not home.status:
        remark = "" if place == target.places[0] else f"{target.origin} does not answer; {place.origin} is checked"
        return Settled(place.origin, target.typed, home, spent, remark)
    if registrable_domain(ended.host) != registrable_domain(place.host):
        remark = f"{place.origin} redirects to {ended.origin}, another domain; {place.origin} is checked all the same"
        return Settled(place.origin, target.typed, home, spent, remark)
    if not follow_origin:
        remark = f"{place.origin} redirects to {ended.origin}; {place.origin} is checked, as asked"
        return Settled(place.origin, target.typed, home, spent, remark)
    return Settled(
        ended.origin, target.typed, home, spent, f"{target.typed} redirects to {ended.origin}; that origin is checked"
    )
