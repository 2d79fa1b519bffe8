"""Conditional requests and content codings: what the headers of an ask choose."""

import re

from waypost.dates import read_http
from waypost.publish.exchange import Ask

__all__ = ["accepts_gzip", "byte_range", "is_fresh", "prefers_markdown"]

_RANGE = re.compile(r"bytes=[ \t]*(\d{0,40})-(\d{0,40})[ \t]*", re.ASCII | re.IGNORECASE)
_WEIGHT = re.compile(r"[01](?:\.\d{0,3})?")


def accepts_gzip(header: str) -> bool:
    """Whether an Accept-Encoding takes gzip as gladly as plain bytes (RFC 9110, 12.5.3); a named one goes before `*`.

    >>> accepts_gzip("br, gzip;q=0.5"), accepts_gzip("gzip;q=0, *"), accepts_gzip("")
    (True, False, False)
    """
    if not header:
        return False
    weights = _weights(header)
    weight = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0)))
    return weight > 0 and weight >= weights.get("identity", 0.0)


def prefers_markdown(header: str) -> bool:
    """Whether an Accept asks for Markdown by name, and not for HTML rather.

    >>> prefers_markdown("text/markdown, */*;q=0.1"), prefers_markdown("text/html, text/markdown;q=0.9")
    (True, False)
    """
    if "text/markdown" not in header.lower():
        return False
    weights = _weights(header)
    return weights.get("text/markdown", 0.0) > weights.get("text/html", 0.0)


def _weights(header: str) -> dict[str, float]:
    """What a list with weights names, and how much each is wanted; a weight that is none wants nothing."""
    weights: dict[str, float] = {}
    for entry in header.split(","):
        name, _, parameters = entry.partition(";")
        pairs = (parameter.partition("=") for parameter in parameters.split(";"))
        weight = next((value.strip() for key, _, value in pairs if key.strip().lower() == "q"), "1")
        weights[name.strip().lower()] = float(weight) if _WEIGHT.fullmatch(weight) else 0.0
    return weights


def is_fresh(ask: Ask, etag: str, last_modified: str) -> bool:
    """Whether the client has the answer already (304): entity tags decide alone where the client sent any."""
    if ask.if_none_match:
        given = ask.if_none_match
        return given == etag or given.strip() == "*" or etag in _tags(given)
    if not ask.if_modified_since or not last_modified:
        return False
    # Equal, not later: a disk put back to an older state must not look unchanged.
    return ask.if_modified_since == last_modified or read_http(ask.if_modified_since) == read_http(last_modified)


def byte_range(ask: Ask, etag: str, size: int) -> range | None:
    """The one range of bytes a GET wants (RFC 9110, 14); an empty one lies outside.

    None means all of it: several ranges, what is no range of bytes, or a client that has another state of the file.
    Several would be legal to answer in parts, and are what makes servers send more than they hold.
    """
    found = _RANGE.fullmatch(ask.byte_range) if ask.byte_range and ask.method == "GET" else None
    if found is None or ask.if_range not in {"", etag}:
        return None
    first, last = found.groups()
    if not first:
        return range(max(0, size - int(last)), size) if last else None
    if last and int(last) < int(first):
        return None
    return range(min(int(first), size), min(int(last) + 1, size) if last else size)


def _tags(header: str) -> list[str]:
    return [tag.strip().removeprefix("W/") for tag in header.split(",")]
