"""Behaviours of TLS: certificates that are wrong in one way each, and handshakes that do not happen."""

import asyncio

from tests.hostile.kit import Behaviour, Exchange, document, sends, urlset

FINE = document(lambda exchange: urlset(exchange.base))
UNTIL_CLOSE = b"HTTP/1.1 200 OK\r\n\r\n<urlset/>"


async def _stall(exchange: Exchange) -> None:
    await exchange.stall()


async def _stall_after_hello(exchange: Exchange) -> None:
    await exchange.reader.read(100)
    await exchange.send(b"\x16\x03\x03\x40\x00")
    await exchange.stall()


async def _drip_record(exchange: Exchange) -> None:
    await exchange.send(b"\x16\x03\x03\x40\x00")
    while True:
        await exchange.send(b"\x02")
        await asyncio.sleep(0.05)


async def _reset(exchange: Exchange) -> None:
    await exchange.reader.read(100)
    exchange.reset()


async def _close(exchange: Exchange) -> None:
    await exchange.reader.read(100)


async def _cut(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<urlset/>")
    exchange.writer.transport.abort()


PLAIN = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
ALERT = b"\x15\x03\x03\x00\x02\x02\x28"

BEHAVIOURS = (
    Behaviour("tls_fine", FINE, (200,), tls="good"),
    Behaviour("tls_until_close", sends(UNTIL_CLOSE), (200,), tls="good"),
    Behaviour("tls_self_signed", FINE, ("tls-self-signed",), tls="self_signed"),
    Behaviour("tls_expired", FINE, ("tls-expired",), tls="expired"),
    Behaviour("tls_not_yet", FINE, ("tls-not-yet",), tls="not_yet"),
    Behaviour("tls_wrong_host", FINE, ("tls-name",), tls="wrong_host"),
    Behaviour("tls_untrusted", FINE, ("tls-untrusted",), tls="untrusted"),
    Behaviour("tls_plaintext", sends(PLAIN), ("tls-plaintext",), tls="none", raw=True),
    Behaviour("tls_stall", _stall, ("tls-stalled",), tls="none", raw=True),
    Behaviour("tls_stall_after_hello", _stall_after_hello, ("tls-stalled",), tls="none", raw=True),
    Behaviour("tls_drip", _drip_record, ("tls-stalled", "tls-failed", "tls-plaintext"), tls="none", raw=True),
    Behaviour("tls_reset", _reset, ("tls-failed",), tls="none", raw=True),
    Behaviour("tls_close", _close, ("tls-failed",), tls="none", raw=True),
    Behaviour("tls_alert", sends(ALERT), ("tls-failed",), tls="none", raw=True),
    Behaviour("tls_junk", sends(b"\0" * 5_000), ("tls-plaintext", "tls-failed"), tls="none", raw=True),
    Behaviour("tls_cut_in_body", _cut, ("body-short", "reset"), tls="good"),
    Behaviour(
        "tls_stall_in_body",
        sends(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<", then="stall"),
        ("silence",),
        tls="good",
    ),
)
