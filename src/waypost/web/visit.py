"""A request as ASGI hands it over becomes an ask, or the refusal it deserves: 400, 414, 431."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import time
from typing import Any

from waypost.limits import HEADERS_BYTES_MAX, HEADERS_MAX, TARGET_BYTES_MAX
from waypost.publish.respond import Ask
from waypost.urls import DEFAULT_PORTS, read_host
from waypost.web.proxies import FORWARDED, Client, Proxies
from waypost.web.replies import REFUSED, Reply

__all__ = ["Visit", "read_visit"]

_TARGET = re.compile(rb"/[!-~]*|\*|")
"""A path, `*` of OPTIONS, or nothing; never a byte that would have to be escaped in a header of ours."""
_KEPT = frozenset(
    {
        b"if-none-match", b"if-modified-since", b"accept-encoding", b"accept",
        b"range", b"if-range", b"content-length", b"transfer-encoding",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Visit:
    """A request that can be answered: by whom, to which host, and the ask itself."""

    ask: Ask
    host: str
    """Lower case, without port."""
    port: int | None
    """None for the default one."""
    client: str
    """The address of who asked; empty where nobody knows: on a local socket, and behind a proxy nobody trusts."""
    has_body: bool = False
    """Nothing here reads a body: the connection ends after the answer, so that nobody reads it as a request."""


def read_visit(scope: Mapping[str, Any], trusted: Callable[[], Proxies]) -> Visit | Reply:
    """Read the scope of an HTTP request. The path is the raw one: an escaped slash stays an escaped slash."""
    raw: bytes = scope["raw_path"]
    if len(raw) + len(scope["query_string"]) > TARGET_BYTES_MAX:
        return REFUSED[414]
    if not _TARGET.fullmatch(raw):
        return REFUSED[400]
    headers = scope["headers"]
    if len(headers) > HEADERS_MAX:
        return REFUSED[431]
    hosts: list[bytes] = []
    found: dict[bytes, str] = {}
    forwarded: dict[bytes, list[str]] = {}
    size = 0
    for name, value in headers:
        size += len(name) + len(value)
        if name == b"host":
            hosts.append(value)
        elif name in _KEPT:
            text = value.decode("latin-1")
            found[name] = f"{found[name]}, {text}" if name in found else text
        elif name in FORWARDED:
            forwarded.setdefault(name, []).append(value.decode("latin-1"))
    if size > HEADERS_BYTES_MAX:
        return REFUSED[431]
    if len(hosts) != 1:
        return REFUSED[400]
    peer = scope.get("client")
    address, scheme, said = peer[0] if peer else "", scope["scheme"], hosts[0]
    if forwarded:
        seen = Client(address, scheme, said)
        client = trusted().client(seen, forwarded)
        if client is None:
            return REFUSED[400]
        address, scheme, said = "" if client is seen else client.address, client.scheme, client.host
    parts = read_host(said)
    if parts is None:
        return REFUSED[400]
    host, port = parts
    if port is not None and port == DEFAULT_PORTS.get(scheme):
        port = None
    origin = f"{scheme}://{host}" if port is None else f"{scheme}://{host}:{port}"
    return Visit(_ask(scope, origin, found), host, port, address, _has_body(found))


def _ask(scope: Mapping[str, Any], origin: str, found: Mapping[bytes, str]) -> Ask:
    said = found.get
    return Ask(
        origin,
        scope["method"],
        scope["raw_path"].decode("latin-1"),
        scope["query_string"].decode("latin-1"),
        said(b"if-none-match", ""),
        said(b"if-modified-since", ""),
        said(b"accept-encoding", ""),
        said(b"accept", ""),
        time(),
        found.get(b"range", ""),
        found.get(b"if-range", ""),
    )


def _has_body(found: Mapping[bytes, str]) -> bool:
    return b"transfer-encoding" in found or found.get(b"content-length", "0") != "0"
