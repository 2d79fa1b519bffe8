"""Asking: every document of an origin, the same from a server beside what waypost would answer, and forged headers."""

import random
from collections.abc import Iterable, Sequence
from ipaddress import ip_address, ip_network
from itertools import zip_longest

from waypost.formats.document import Kind
from waypost.formats.printable import clipped
from waypost.limits import SITEMAP_URLS_MAX
from waypost.publish.respond import ROUTES
from waypost.site.doctor.door import Answering, Door, Knock, Server, ask_all
from waypost.site.doctor.evidence import Answer, Answers, Forgeries, Forgery
from waypost.urls import absolute, path_of

__all__ = ["answers_of", "compared", "forgeries_of", "may_be_trusted", "sample"]

_STRANGERS = "203.0.113.9"
"""An address that belongs to nobody (RFC 5737), so no list of proxies has a reason to name it."""
_FORGED = "forged.invalid"
_SHOWN_CHARS = 120
_TRIES = 2


async def answers_of(door: Answering, origin: str) -> Answers:
    """Every document that is answered for an origin, the parts of its index included."""
    found = await ask_all(door, (Knock(origin, path) for path in ROUTES))
    found += await ask_all(door, (Knock(origin, path) for path in _parts(found, origin)))
    return Answers(origin, tuple(found))


def _parts(answers: Iterable[Answer], origin: str) -> list[str]:
    """The paths on this origin that the index at /sitemap.xml lists."""
    index = next((answer.sitemap for answer in answers if answer.path == "/sitemap.xml"), None)
    if index is None or index.kind is not Kind.INDEX:
        return []
    own = [loc for loc in index.locs[:SITEMAP_URLS_MAX] if loc.startswith(f"{origin}/")]
    return list(dict.fromkeys(map(path_of, own)))


async def compared(server: Server, door: Door, own: Answers, pages: Sequence[str]) -> Answers:
    """What a server answers to the same questions, and where that is something else, byte by byte."""
    first = await server.answer(Knock(own.origin, "/robots.txt"))
    if not server.is_reached:
        return Answers(own.origin, (first,))
    theirs = await answers_of(server, own.origin)
    by_path = {answer.path: answer for answer in theirs.answers}
    paths = dict.fromkeys([answer.path for answer in own.answers] + list(by_path) + list(pages))
    differences = []
    for path in paths:
        knock = Knock(own.origin, path)
        got = by_path.get(path) or await server.answer(knock)
        if said := await _difference(server, door, knock, got):
            differences.append((knock.url, said))
    return Answers(own.origin, theirs.answers, tuple(differences))


async def _difference(server: Server, door: Door, knock: Knock, got: Answer) -> str:
    """How an answer differs from what waypost says now; asked again, for a page may have changed in between."""
    said = ""
    for _ in range(_TRIES):
        said = _how(got, await door.answer(knock))
        if not said:
            return ""
        got = await server.answer(knock)
    return said


def _how(got: Answer, wanted: Answer) -> str:
    if not got.status:
        return "the server gives no whole answer"
    if got.status != wanted.status:
        return f"the server answers {got.status}, waypost would answer {wanted.status}"
    if got.location != (absolute(wanted.url, wanted.location) or wanted.location):
        return f"the server leads to {got.location}, waypost would lead to {wanted.location}"
    if wanted.status != 200:
        return ""
    if got.body != wanted.body:
        return _first_difference(got.body, wanted.body)
    if got.media.replace(" ", "").lower() != wanted.media.replace(" ", "").lower():
        return f"the server says Content-Type {got.media or 'nothing'}, waypost would say {wanted.media}"
    return ""


def _first_difference(got: bytes, wanted: bytes) -> str:
    pairs = zip_longest(got.split(b"\n"), wanted.split(b"\n"))
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            where = f"line {number}: the server says {_shown(one)}, waypost would say {_shown(other)}"
            return f"{len(got):,} bytes where waypost would send {len(wanted):,}; {where}"
    return ""


def _shown(line: bytes | None) -> str:
    return "nothing" if line is None else repr(clipped(line.decode("utf-8", "replace"), _SHOWN_CHARS))


def sample(paths: Sequence[str], count: int) -> list[str]:
    """Some pages to look at, the same ones each time, the first among them."""
    ordered = sorted(paths)
    return sorted({*ordered[:1], *random.Random(0).sample(ordered, min(count, len(ordered)))})  # noqa: S311 - no secret


async def forgeries_of(door: Answering, origin: str) -> Forgeries:
    """Which forged headers of an unknown peer show in robots.txt or the sitemap."""
    scheme, _, rest = origin.partition("://")
    other = {"http": "https", "https": "http"}[scheme]
    tries = (
        ("X-Forwarded-Host", _FORGED, _FORGED),
        ("Forwarded", f"host={_FORGED}", _FORGED),
        ("X-Forwarded-Proto", other, f"{other}://{rest}/"),
    )
    found = []
    for path in ("/robots.txt", "/sitemap.xml"):
        plain = await door.answer(Knock(origin, path, peer=_STRANGERS))
        for header, value, mark in tries:
            answer = await door.answer(Knock(origin, path, ((header, value),), peer=_STRANGERS))
            is_lost = answer.status == 421 and plain.status == 200
            if is_lost or (mark.encode() in answer.body and mark.encode() not in plain.body):
                found.append(Forgery(answer.url, header))
    return Forgeries(tuple(found))


def may_be_trusted(address: str, proxies: Iterable[str]) -> bool:
    """Whether a server at this address may see us as one of its trusted proxies, so that forging proves nothing."""
    try:
        found = ip_address(address)
        nets = [ip_network(proxy.strip(), strict=False) for proxy in proxies]
    except ValueError:
        return False
    return any(found.version == net.version and found in net for net in nets)
