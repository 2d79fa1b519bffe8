"""The first line of a saved capture: a `Capture` without its body as plain JSON values, and back.

Numbers are written as they are and read strictly, so a capture that was loaded and saved again is the same file.
"""

from typing import Any

from waypost.check.capture import Capture, ErrorKind, FetchError, Headers, Hop, Purpose, Request
from waypost.limits import JSON_NUMBER_MAX

__all__ = ["read_capture", "write_capture"]

_KINDS = {kind.word: kind for kind in ErrorKind}
_HOPS_MAX = 64
_PAIRS_MAX = 4_096


def write_capture(capture: Capture) -> dict[str, Any]:
    """The plain values of a capture."""
    request, error = capture.request, capture.error
    return {
        "request": {
            "url": request.url,
            "purpose": request.purpose.value,
            "bytes_max": request.bytes_max,
            "accept": request.accept,
            "method": request.method,
            "redirects_max": request.redirects_max,
            "headers": _pairs(request.headers),
        },
        "hops": [_write_hop(hop) for hop in capture.hops],
        "error": None if error is None else {"kind": error.kind.word, "detail": error.detail},
        "elapsed_s": capture.elapsed_s,
        "wire_bytes": capture.wire_bytes,
        "coding": capture.coding,
        "has_trailing": capture.has_trailing,
        "truncated": capture.truncated,
        "repeats": capture.repeats,
    }


def _write_hop(hop: Hop) -> dict[str, Any]:
    return {
        "url": hop.url,
        "status": hop.status,
        "headers": _pairs(hop.headers.pairs),
        "elapsed_s": hop.elapsed_s,
        "address": hop.address,
    }


def _pairs(pairs: tuple[tuple[str, str], ...]) -> list[list[str]]:
    return [list(pair) for pair in pairs]


def read_capture(row: dict[str, Any]) -> Capture:
    """A capture from its plain values; KeyError, TypeError or ValueError where they are none."""
    error = row["error"]
    hops = _list(row["hops"], _HOPS_MAX)
    return Capture(
        _read_request(row["request"]),
        tuple(_read_hop(hop) for hop in hops),
        error=None if error is None else FetchError(_KINDS[_text(error["kind"])], _text(error["detail"])),
        elapsed_s=_seconds(row["elapsed_s"]),
        wire_bytes=_count(row["wire_bytes"]),
        coding=_text(row["coding"]),
        has_trailing=row["has_trailing"] is True,
        truncated=row["truncated"] is True,
        repeats=_count(row.get("repeats", 0)),
    )


def _read_request(row: dict[str, Any]) -> Request:
    return Request(
        _text(row["url"]),
        Purpose(row["purpose"]),
        _count(row["bytes_max"]),
        _text(row["accept"]),
        _text(row["method"]),
        _count(row["redirects_max"]),
        _read_pairs(row["headers"]),
    )


def _read_hop(row: dict[str, Any]) -> Hop:
    status = _count(row["status"])
    if status > 999:
        raise ValueError(status)
    headers = Headers(_read_pairs(row["headers"]))
    return Hop(_text(row["url"]), status, headers, _seconds(row["elapsed_s"]), _text(row["address"]))


def _read_pairs(rows: object) -> tuple[tuple[str, str], ...]:
    return tuple((_text(name), _text(value)) for name, value in _list(rows, _PAIRS_MAX))


def _list(value: object, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise TypeError(value)
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= JSON_NUMBER_MAX:
        raise TypeError(value)
    return value


def _seconds(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e9:
        raise TypeError(value)
    return float(value)
