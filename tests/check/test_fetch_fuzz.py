"""Whatever bytes a server sends, the client's answer is a capture with a named error, and never `internal`."""

import asyncio
import random

import pytest
from tests.hostile import Behaviour, HostileServer

from waypost.check.capture import ErrorKind, Request
from waypost.check.fetch import Client
from waypost.check.policy import Policy
from waypost.check.settings import ClientSettings

GOOD = [
    b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 9\r\n\r\n<urlset/>",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<url\r\n5;x=y\r\nset/>\r\n0\r\nX-T: a\r\n\r\n",
    b"HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0",
    b"HTTP/1.0 404 Not Found\r\nSet-Cookie: a=b\r\nRetry-After: 5\r\n\r\nnothing",
]
JUNK = [b"\r\n", b"\r\n\r\n", b"\0", b":", b" ", b"\x80", b"HTTP/1.1 200 OK\r\n", b"Content-Length: 5\r\n", b"Content-Length: -1\r\n", b"0\r\n\r\n", b"ffffffffffffffff\r\n", b"\t", b"chunked", b"9" * 30]  # fmt: skip
ROUNDS, AT_ONCE = 600, 40
SETTINGS = ClientSettings(
    connect_s=2, first_byte_s=0.4, silence_s=0.4, request_s=3, site_s=900, connections_max=AT_ONCE
)


def mutated(source):
    data = bytearray(source.choice(GOOD))
    for _ in range(source.randrange(1, 5)):
        at = source.randrange(len(data) + 1)
        act = source.randrange(4)
        if act == 0:
            data[at : at + source.randrange(1, 8)] = b""
        elif act == 1:
            data[at:at] = source.choice(JUNK)
        elif act == 2 and at < len(data):
            data[at] = source.randrange(256)
        else:
            data[at:at] = bytes(data[source.randrange(len(data) + 1) :][: source.randrange(40)])
    return bytes(data)


@pytest.mark.parametrize("seed", [1, 2])
def test_mutated_answers_have_named_errors(seed):
    source = random.Random(seed)

    async def answer(exchange):
        data = mutated(source)
        cut = source.randrange(len(data) + 1)
        await exchange.send(data[:cut], data[cut:])
        if source.random() < 0.1:
            await asyncio.sleep(1)

    async def run(base):
        async with Client(SETTINGS, Policy(["127.0.0.1"])) as client:
            return await asyncio.gather(*(client.fetch(Request(f"{base}/{n}")) for n in range(ROUNDS)))

    with HostileServer([Behaviour("fuzz", answer, (0,))]) as server:
        captures = asyncio.run(run(server.bases["fuzz"]))
    kinds = {capture.error.kind for capture in captures if capture.error}
    assert ErrorKind.INTERNAL not in kinds
    assert any(capture.error is None for capture in captures)
    assert len(kinds) > 3
