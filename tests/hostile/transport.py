"""Behaviours below the document: connections, heads, lengths, chunks, keep-alive."""

import asyncio

from tests.hostile.kit import Behaviour, Exchange, document, repeats, sends, urlset

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
BODY = b"<urlset/>"


def _with_length(length: bytes) -> bytes:
    return OK + b"Content-Length: " + length + b"\r\n\r\n"


def _status(line: bytes) -> bytes:
    return line + b"\r\nContent-Length: 9\r\n\r\n" + BODY


async def _reset_at_once(exchange: Exchange) -> None:
    exchange.reset()


async def _close_at_once(exchange: Exchange) -> None:
    exchange.writer.close()


async def _stall(exchange: Exchange) -> None:
    await exchange.stall()


async def _drip(exchange: Exchange, data: bytes, pause_s: float) -> None:
    for byte in data:
        await exchange.send(bytes([byte]))
        await asyncio.sleep(pause_s)


async def _drip_head(exchange: Exchange) -> None:
    await _drip(exchange, OK + b"X: " + b"x" * 100_000, 0.02)


async def _drip_body(exchange: Exchange) -> None:
    await exchange.send(_with_length(b"100000"))
    await _drip(exchange, b"x" * 100_000, 0.05)


async def _drip_body_that_ends(exchange: Exchange) -> None:
    await exchange.send(_with_length(b"9"))
    await _drip(exchange, BODY, 0.02)


async def _answers_before_it_is_asked(exchange: Exchange) -> None:
    await exchange.send(_with_length(b"9") + BODY)
    await exchange.read_head()
    await exchange.send(_with_length(b"9") + b"<other />")


async def _pushes_a_second_answer(exchange: Exchange) -> None:
    await exchange.send(_with_length(b"9") + BODY + _with_length(b"9") + b"<evil11/>")
    await asyncio.sleep(0.1)


def _lf_only(exchange: Exchange) -> bytes:
    body = urlset(exchange.base)
    return b"HTTP/1.1 200 OK\nContent-Type: application/xml\nContent-Length: %d\n\n" % len(body) + body


RAW = (
    Behaviour("refuse", _stall, ("refused",), raw=True, marks=frozenset({"closed"})),
    Behaviour("close_at_once", _close_at_once, ("closed", "reset"), raw=True),
    Behaviour("reset_at_once", _reset_at_once, ("closed", "reset"), raw=True),
    Behaviour("stall_after_accept", _stall, ("answer-timeout",), raw=True),
    Behaviour("answer_before_asked", _answers_before_it_is_asked, (200, "closed", "reset", "not-http"), raw=True),
    Behaviour("banner_ssh", sends(b"SSH-2.0-OpenSSH_9.7\r\n", then="stall"), ("not-http", "answer-timeout"), raw=True),
    Behaviour("banner_smtp", sends(b"220 mail.example ESMTP\r\n"), ("not-http", "reset", "closed"), raw=True),
    Behaviour("binary_junk", sends(bytes(range(256)) * 40), ("not-http", "reset", "head-too-large"), raw=True),
)

HEADS = (
    Behaviour("reset_after_request", _reset_at_once, ("closed", "reset")),
    Behaviour("close_after_request", _close_at_once, ("closed", "reset")),
    Behaviour("stall_after_request", _stall, ("answer-timeout",)),
    Behaviour("stall_in_status_line", sends(b"HTTP/1.1 20", then="stall"), ("answer-timeout",)),
    Behaviour("stall_in_headers", sends(OK + b"X-A: ", then="stall"), ("answer-timeout",)),
    Behaviour("close_in_status_line", sends(b"HTTP/1.1 20"), ("closed", "reset", "not-http")),
    Behaviour("close_in_headers", sends(OK + b"X-A: "), ("closed", "reset", "not-http")),
    Behaviour("drip_head", _drip_head, ("answer-timeout", "head-too-large")),
    Behaviour("endless_headers", repeats(OK, b"X-Filler: aaaaaaaaaaaaaaaa\r\n" * 100), ("head-too-large",)),
    Behaviour("endless_header_line", repeats(OK + b"X: ", b"a" * 65_536), ("head-too-large",)),
    Behaviour("endless_header_name", repeats(OK, b"a" * 65_536), ("head-too-large", "not-http")),
    Behaviour("endless_status_line", repeats(b"HTTP/1.1 200 ", b"a" * 65_536), ("head-too-large", "not-http")),
    Behaviour(
        "endless_nothing", repeats(b"", b"\r\n" * 10_000), ("answer-timeout", "not-http", "closed", "head-too-large")
    ),
    Behaviour("headers_5000", sends(OK + b"A: b\r\n" * 5_000 + b"\r\n"), ("head-too-large",)),
    Behaviour("cookies_100", document(BODY, "Set-Cookie: a=b; Path=/\r\n" * 100), (200,)),
    Behaviour("bad_status_line", sends(b"HELO there\r\n\r\n"), ("not-http",)),
    Behaviour("status_without_version", sends(b"200 OK\r\n\r\n"), ("not-http",)),
    Behaviour("status_letters", sends(_status(b"HTTP/1.1 abc OK")), ("not-http",)),
    Behaviour("status_0", sends(_status(b"HTTP/1.1 000 Zero")), ("not-http", 0)),
    Behaviour("status_99", sends(_status(b"HTTP/1.1 99 Low")), ("not-http", 99)),
    Behaviour("status_999", sends(_status(b"HTTP/1.1 999 Denied")), (999, "not-http")),
    Behaviour("status_1000", sends(_status(b"HTTP/1.1 1000 High")), ("not-http",)),
    Behaviour("status_negative", sends(_status(b"HTTP/1.1 -200 OK")), ("not-http",)),
    Behaviour("status_no_reason", sends(_status(b"HTTP/1.1 200")), (200,)),
    Behaviour("status_binary_reason", sends(_status(b"HTTP/1.1 200 \xff\xfe\x01")), (200, "not-http")),
    Behaviour("version_0_9", sends(b"<urlset/>"), ("not-http",)),
    Behaviour("version_2", sends(_status(b"HTTP/2.0 200 OK")), (200, "not-http")),
    Behaviour("version_9_9", sends(_status(b"HTTP/9.9 200 OK")), (200, "not-http")),
    Behaviour("version_1_0_until_close", sends(b"HTTP/1.0 200 OK\r\n\r\n" + BODY), (200,)),
    Behaviour("nul_in_header", sends(OK + b"X: a\0b\r\nContent-Length: 9\r\n\r\n" + BODY), (200, "not-http")),
    Behaviour("nul_in_header_name", sends(OK + b"X\0Y: a\r\nContent-Length: 9\r\n\r\n" + BODY), ("not-http",)),
    Behaviour("control_in_header", sends(OK + b"X: \x1b[31m\r\nContent-Length: 9\r\n\r\n" + BODY), (200, "not-http")),
    Behaviour("header_without_colon", sends(OK + b"nonsense\r\nContent-Length: 9\r\n\r\n" + BODY), ("not-http",)),
    Behaviour("header_without_name", sends(OK + b": x\r\nContent-Length: 9\r\n\r\n" + BODY), ("not-http",)),
    Behaviour("folded_header", sends(OK + b"X: a\r\n  b\r\nContent-Length: 9\r\n\r\n" + BODY), (200, "not-http")),
    Behaviour("blank_before_colon", sends(OK + b"Content-Length : 9\r\n\r\n" + BODY), (200, "not-http")),
    Behaviour("line_feeds_only", sends(_lf_only), (200, "not-http")),
    Behaviour("carriage_returns_only", sends(b"HTTP/1.1 200 OK\rContent-Length: 0\r\r"), ("not-http", "closed")),
    Behaviour("flood_100", repeats(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 500), ("head-too-large",)),
    Behaviour("flood_103", repeats(b"", b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n" * 500), ("head-too-large",)),
    Behaviour("one_103", sends(b"HTTP/1.1 103 Early Hints\r\n\r\n" + _with_length(b"9") + BODY), (200,)),
    Behaviour(
        "switching_101",
        sends(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\njunk"),
        (101, "not-http"),
    ),
    Behaviour("retry_after_a_year", document(b"", "Retry-After: 31536000\r\n", status="503 Busy"), (503,)),
    Behaviour(
        "retry_after_junk", document(b"", "Retry-After: soon\x7f\r\n", status="429 Slow down"), (429, "not-http")
    ),
    Behaviour("status_407", document(b"", "Proxy-Authenticate: Basic\r\n", status="407 Proxy"), (407,)),
    Behaviour("status_401", document(b"", "WWW-Authenticate: Negotiate\r\n", status="401 No"), (401,)),
    Behaviour("status_204_with_body", sends(b"HTTP/1.1 204 No\r\nContent-Length: 9\r\n\r\n" + BODY), (204,)),
    Behaviour("status_304_with_body", sends(b"HTTP/1.1 304 Same\r\nContent-Length: 9\r\n\r\n" + BODY), (304,)),
)

BODIES = (
    Behaviour("stall_after_head", sends(_with_length(b"100"), then="stall"), ("silence",)),
    Behaviour("stall_in_body", sends(_with_length(b"100") + BODY, then="stall"), ("silence",)),
    Behaviour("stall_in_chunk_size", sends(CHUNKED + b"9\r\n" + BODY + b"\r\n1", then="stall"), ("silence",)),
    Behaviour("stall_before_last_chunk", sends(CHUNKED + b"9\r\n" + BODY + b"\r\n", then="stall"), ("silence",)),
    Behaviour("reset_in_body", sends(_with_length(b"100") + BODY, then="reset"), ("reset", "body-short")),
    Behaviour("drip_body", _drip_body, ("too-slow", "request-timeout")),
    Behaviour("drip_body_that_ends", _drip_body_that_ends, (200,)),
    Behaviour("length_too_long", sends(_with_length(b"1000") + BODY), ("body-short",)),
    Behaviour("length_too_short", sends(_with_length(b"4") + BODY), (200,)),
    Behaviour("length_zero", sends(_with_length(b"0") + BODY), (200,)),
    Behaviour("length_negative", sends(_with_length(b"-9") + BODY), ("not-http",)),
    Behaviour("length_text", sends(_with_length(b"nine") + BODY), ("not-http",)),
    Behaviour("length_plus", sends(_with_length(b"+9") + BODY), ("not-http",)),
    Behaviour("length_hex", sends(_with_length(b"0x9") + BODY), ("not-http",)),
    Behaviour("length_huge", sends(_with_length(b"9" * 40) + BODY), ("not-http",)),
    Behaviour("length_lies_by_gigabytes", sends(_with_length(b"99999999999") + BODY), ("body-short",)),
    Behaviour(
        "length_twice_same", sends(OK + b"Content-Length: 9\r\nContent-Length: 9\r\n\r\n" + BODY), (200, "not-http")
    ),
    Behaviour(
        "length_twice_other", sends(OK + b"Content-Length: 9\r\nContent-Length: 4\r\n\r\n" + BODY), ("not-http",)
    ),
    Behaviour(
        "length_and_chunks",
        sends(CHUNKED[:-2] + b"Content-Length: 4\r\n\r\n9\r\n" + BODY + b"\r\n0\r\n\r\n"),
        (200, "not-http"),
    ),
    Behaviour("until_close", sends(OK + b"\r\n" + BODY), (200,)),
    Behaviour("chunk_size_text", sends(CHUNKED + b"zz\r\n" + BODY), ("bad-chunks", "not-http")),
    Behaviour("chunk_size_negative", sends(CHUNKED + b"-9\r\n" + BODY), ("bad-chunks", "not-http")),
    Behaviour("chunk_size_huge", sends(CHUNKED + b"f" * 30 + b"\r\n" + BODY), ("bad-chunks", "not-http")),
    Behaviour(
        "chunk_size_endless",
        repeats(CHUNKED, b"0" * 65_536),
        ("bad-chunks", "not-http", "silence", "head-too-large", "request-timeout", "too-slow"),
    ),
    Behaviour(
        "chunk_longer_than_said", sends(CHUNKED + b"4\r\n" + BODY + b"\r\n0\r\n\r\n"), ("bad-chunks", "not-http")
    ),
    Behaviour("chunk_shorter_than_said", sends(CHUNKED + b"ff\r\n" + BODY), ("bad-chunks", "body-short")),
    Behaviour("chunk_none_last", sends(CHUNKED + b"9\r\n" + BODY + b"\r\n"), ("bad-chunks", "body-short")),
    Behaviour(
        "chunk_extension_endless",
        repeats(CHUNKED + b"9;", b"a" * 65_536),
        ("bad-chunks", "not-http", "head-too-large", "silence", "request-timeout"),
    ),
    Behaviour(
        "chunk_trailers_endless",
        repeats(CHUNKED + b"9\r\n" + BODY + b"\r\n0\r\n", b"X: y\r\n" * 1_000),
        (200, "bad-chunks", "not-http", "head-too-large", "silence", "request-timeout"),
    ),
    Behaviour(
        "chunks_of_one_byte", sends(CHUNKED + b"".join(b"1\r\n%c\r\n" % c for c in BODY * 9_000) + b"0\r\n\r\n"), (200,)
    ),
    Behaviour("transfer_coding_unknown", sends(OK + b"Transfer-Encoding: rot13\r\n\r\n" + BODY), (200, "not-http")),
    Behaviour(
        "transfer_coding_twice",
        sends(OK + b"Transfer-Encoding: chunked, chunked\r\n\r\n9\r\n" + BODY + b"\r\n0\r\n\r\n"),
        (200, "bad-chunks", "not-http"),
    ),
    Behaviour("junk_after_body", sends(_with_length(b"9") + BODY + b"\0" * 5_000), (200,)),
    Behaviour("pushes_second_answer", _pushes_a_second_answer, (200,)),
    Behaviour("endless_body", repeats(OK + b"\r\n<urlset>", b" " * 262_144), (200,), path="/sitemap.xml"),
    Behaviour("endless_chunks", repeats(CHUNKED, b"40000\r\n" + b" " * 262_144 + b"\r\n"), (200,), path="/sitemap.xml"),
    Behaviour("empty_body", document(b""), (200,)),
    Behaviour("refusal_with_endless_body", repeats(b"HTTP/1.1 404 No\r\n\r\n", b"x" * 65_536), (404,)),
    Behaviour("refusal_that_stalls", sends(b"HTTP/1.1 500 No\r\nContent-Length: 99\r\n\r\n", then="stall"), (500,)),
)

BEHAVIOURS = RAW + HEADS + BODIES
