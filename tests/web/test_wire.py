"""Real servers, byte by byte: granian as `waypost serve` starts it, and uvicorn."""

import gzip
import json
import socket
import threading
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.web.client import parse, read_all
from tests.web.roots import STARTER_PAGES, write

LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
CASES = Path(__file__).parents[1] / "cases"
BAD_HOSTS = json.loads((CASES / "bad_hosts.json").read_text())["single"]


def request(path: str = "/robots.txt", *lines: str, host: str = "example.com", method: str = "GET") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *lines, "", ""]).encode("latin-1")


def test_every_document_is_answered_over_a_socket(server):
    assert server.ask("/robots.txt").text.endswith("\nSitemap: http://example.com/sitemap.xml\n")
    found = [element.text for element in ET.fromstring(server.ask("/sitemap.xml").body).iter(LOC)]
    assert found == [f"http://example.com{path}" for path in STARTER_PAGES]
    for path in ("/robots.xml", "/feeds.opml", "/sitemap.txt", "/feed.atom", *STARTER_PAGES):
        got, head = server.ask(path), server.ask(path, method="HEAD")
        assert (got.status, head.status, head.body) == (200, 200, b"")
        assert {k: v for k, v in got.headers.items() if k != "date"} == {
            k: v for k, v in head.headers.items() if k != "date"
        }
    assert server.ask("/internal").status == server.ask("/nope").status == 404
    assert server.ask("/healthz", host="127.0.0.1").status == 200


def test_an_escaped_slash_stays_an_escaped_slash(server):
    assert server.ask("/docs/intro").status == 200
    assert server.ask("/docs%2fintro").status == 404
    assert server.ask("/docs%2Fintro").status == 404


def test_conditional_and_compressed_answers_over_a_socket(server):
    tag = server.ask("/sitemap.xml").headers["etag"]
    for method in ("GET", "HEAD"):
        answer = server.ask("/sitemap.xml", method=method, if_none_match=tag)
        assert (answer.status, answer.body) == (304, b"")
    packed = server.ask("/sitemap.xml", accept_encoding="gzip")
    assert gzip.decompress(packed.body) == server.ask("/sitemap.xml").body
    assert packed.headers["etag"] == f'{tag[:-1]}-gz"'


def test_spec_200_bad_hosts_are_400_over_a_socket(server):
    asked = 0
    for host in BAD_HOSTS:
        if host.strip(" \t") == host and not set(host) & set("\r\n\0") and host.isascii():
            data = server.raw(request("/sitemap.xml", host=host), quiet=5)
            assert data.startswith(b"HTTP/1.1 400 "), (host, data[:100])
            assert b"<loc>" not in data
            asked += 1
    assert asked > 120
    for host in (b"ex\xc3\xa4mple.com", b"\xff", b"a\x00b", b"a\rb", b"", b" "):
        data = server.raw(b"GET /sitemap.xml HTTP/1.1\r\nHost: " + host + b"\r\n\r\n", quiet=5)
        assert data[:13] in {b"HTTP/1.1 400 ", b""}, (host, data[:100])


@pytest.mark.parametrize(
    "head",
    [
        b"GET /sitemap.xml HTTP/1.1\r\n\r\n",
        b"GET /sitemap.xml HTTP/1.0\r\n\r\n",
        b"GET /sitemap.xml HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n\r\n",
        b"GET /sitemap.xml HTTP/1.1\r\nHost: a.test\r\nHost: a.test\r\n\r\n",
        b"GET /sitemap.xml HTTP/1.1\r\nHost : a.test\r\n\r\n",
        b"GET /sitemap.xml HTTP/1.1\r\n Host: a.test\r\n\r\n",
    ],
)
def test_exactly_one_host_is_wanted(server, head):
    data = server.raw(head, quiet=5)
    assert b" 400 " in data[:20]
    assert b"<loc>" not in data


def test_too_long_is_414_or_431_and_the_connection_ends(server):
    cases = [
        request("/" + "a" * 8_192),
        request("/" + "a" * 70_000),
        request("/", "X-Long: " + "a" * 40_000),
        request("/", *(f"X-{number}: 1" for number in range(1_000))),
    ]
    for data in cases:
        answer = server.raw(data, timeout=10)
        assert answer[9:12] in {b"414", b"431", b"400"}, answer[:80]
        assert server.ask("/robots.txt").status == 200
    assert max(map(len, server.log.read_text().splitlines()), default=0) <= 1_024


SMUGGLED = b"GET /sitemap.txt HTTP/1.1\r\nHost: evil.test\r\n\r\n"
CHUNKED = b"0\r\n\r\n"


def _smuggling() -> list[bytes]:
    heads = []
    length = str(len(SMUGGLED)).encode()
    for lengths in (
        (length, b"0"),
        (b"0", length),
        (b"5", b"6"),
        (length + b", " + length,),
        (b"+" + length,),
        (b"-1",),
        (b"0x10",),
        (b"1 2",),
        (b"",),
        (b"a",),
        (b"9" * 30,),
    ):
        heads.append(b"".join(b"Content-Length: " + value + b"\r\n" for value in lengths))
    for coding in (
        b"chunked",
        b"Chunked",
        b"xchunked",
        b"chunked, identity",
        b"identity, chunked",
        b"gzip, chunked",
        b"chunked\x0b",
        b"\tchunked",
        b"chunked;x",
        b"cow",
        b'"chunked"',
        b"chunked, chunked",
    ):
        heads.append(b"Transfer-Encoding: " + coding + b"\r\nContent-Length: " + length + b"\r\n")
        heads.append(b"Transfer-Encoding: " + coding + b"\r\n")
    heads += [
        b"Transfer-Encoding : chunked\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n",
        b"Transfer_Encoding: chunked\r\nContent-Length: " + length + b"\r\n",
        b"X: y\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: 5\r\nContent-Length: 5\r\n",
        b"Content-Length : 5\r\n",
    ]
    return heads


@pytest.mark.parametrize("method", [b"GET", b"POST"])
def test_length_conflicts_have_one_reading_or_none(server, method):
    """What a proxy in front may have taken for a body must never be answered as a request of its own on this reading
    and as a body on another: an ambiguous message is 400, and the connection ends."""
    heads = _smuggling()
    assert len(heads) >= 30
    for head in heads:
        data = server.raw(
            method + b" /robots.txt HTTP/1.1\r\nHost: example.com\r\n" + head + b"\r\n" + SMUGGLED, quiet=1
        )
        count = data.count(b"HTTP/1.1 ")
        assert (
            count <= 1 or b"evil.test" not in data or head.startswith((b"Transfer_Encoding", b"Content-Length: 0\r\n"))
        ), (head, data)
        assert b" 500 " not in data[:20]


def test_pipelined_requests_are_answered_in_order(server):
    paths = ["/robots.txt", "/sitemap.xml", "/nope", "/docs/intro"] * 5
    data = b"".join(request(path) for path in paths[:-1]) + request(paths[-1], "Connection: close")
    received = server.raw(data)
    assert received.count(b"HTTP/1.1 ") == len(paths)
    assert [piece[:3] for piece in received.split(b"HTTP/1.1 ")[1:]] == [b"200", b"200", b"404", b"200"] * 5


def test_a_request_in_pieces_is_read(server):
    with server.connect() as connection:
        for byte in request("/robots.txt", "Connection: close"):
            connection.sendall(bytes([byte]))
        assert parse(read_all(connection)).status == 200


def test_what_another_client_changed_on_disk_is_in_the_next_answer(server, tmp_path_factory):
    root = next(path for path in tmp_path_factory.getbasetemp().glob("*/starter") if str(path) in _command(server))
    for number in range(200):
        write(root / "content/fresh.md", f"# Fresh {number}\n")
        assert f"Fresh {number}" in server.ask("/fresh").text
        assert "http://example.com/fresh" in server.ask("/sitemap.txt").text
        (root / "content/fresh.md").unlink()
        assert "http://example.com/fresh" not in server.ask("/sitemap.txt").text


def _command(server) -> str:
    pid = server.process.pid
    return (Path(f"/proc/{pid}/cmdline").read_text() + Path(f"/proc/{pid}/environ").read_text()).replace("\0", " ")


def test_clients_that_never_finish_their_heads_do_not_keep_others_out(server):
    slow = [server.connect() for _ in range(300)]
    try:
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: exam")
        began = time.monotonic()
        for _ in range(20):
            assert server.ask("/robots.txt").status == 200
        assert time.monotonic() - began < 5
    finally:
        for connection in slow:
            connection.close()


def test_range_and_validator_noise_never_makes_an_error(server):
    import random

    chance = random.Random(9)
    for _ in range(300):
        noise = "".join(chance.choice('W/"*,; -=bytes0123456789gzipGMT') for _ in range(chance.randrange(40)))
        name = chance.choice(
            ["range", "if_range", "if_none_match", "if_modified_since", "if_match", "accept", "accept_encoding", "te"]
        )
        path = chance.choice(["/sitemap.xml", "/robots.txt", "/docs/intro", "/style.css"])
        assert server.ask(path, **{name: noise}).status in {200, 304, 400}


def test_many_at_once_get_whole_answers(server):
    whole = server.ask("/sitemap.xml").body
    seen: list[bytes] = []

    def ask() -> None:
        for _ in range(20):
            seen.append(server.ask("/sitemap.xml").body)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(seen) == {whole}
    assert len(seen) == 160


def test_a_client_that_leaves_in_the_middle_hurts_nobody(server):
    for _ in range(50):
        with server.connect() as connection:
            connection.sendall(request("/sitemap.xml"))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert server.ask("/sitemap.xml").status == 200
