"""Long bodies on their way: few in long pieces, many in short ones, one of them in each turn of the loop."""

import asyncio
from typing import Any

import pytest

from waypost.limits import STREAM_ABOVE_BYTES, STREAM_CROWD_FROM, STREAM_CROWD_PIECE_BYTES, STREAM_PIECE_BYTES
from waypost.publish.exchange import Pieces, Reply
from waypost.publish.page import Page
from waypost.publish.table import PageTable
from waypost.web.send import Crowd, send_reply


@pytest.fixture(scope="module")
def body() -> Pieces:
    table = PageTable(Page(n.to_bytes(8, "big"), f"/section/a-page-with-a-title-{n}", None) for n in range(20_000))
    return Pieces(table.runs[0].shot(), b"https://example.com")


class Reader:
    """A server's side of one reader, who stops reading after so many pieces until he is let go on."""

    def __init__(self, pieces: int = 1_000) -> None:
        self.pieces, self.goes_on = pieces, asyncio.Event()
        self.got: list[bytes] = []

    async def send(self, message: Any) -> None:
        await asyncio.sleep(0)
        if message.get("body"):
            self.got.append(message["body"])
            if len(self.got) == self.pieces:
                await self.goes_on.wait()


async def _settled() -> None:
    for _ in range(2_000):
        await asyncio.sleep(0)


def test_one_body_goes_in_long_pieces(body: Pieces) -> None:
    reader = Reader()
    asyncio.run(send_reply(Reply(200, (), body), reader.send, Crowd()))
    assert b"".join(reader.got) == b"".join(body)
    assert len(body) > STREAM_ABOVE_BYTES
    assert max(map(len, reader.got)) > STREAM_PIECE_BYTES // 2


def test_of_many_readers_who_stop_only_the_first_hold_long_pieces(body: Pieces) -> None:
    async def ask() -> None:
        crowd, readers = Crowd(), [Reader(6) for _ in range(50)]
        tasks = [asyncio.ensure_future(send_reply(Reply(200, (), body), one.send, crowd)) for one in readers]
        await _settled()
        held = [sum(map(len, one.got)) for one in readers]
        assert sum(size > 8 * STREAM_CROWD_PIECE_BYTES for size in held) < STREAM_CROWD_FROM
        assert sum(held) < 50 * 6 * STREAM_CROWD_PIECE_BYTES * 4 // 3 + STREAM_CROWD_FROM * 6 * 262_144
        for one in readers:
            one.goes_on.set()
        await asyncio.gather(*tasks)
        assert {b"".join(one.got) for one in readers} == {b"".join(body)}
        # Whoever comes after them finds no crowd.
        last = Reader()
        await send_reply(Reply(200, (), body), last.send, crowd)
        assert max(map(len, last.got)) > STREAM_PIECE_BYTES // 2

    asyncio.run(ask())


def test_a_crowd_lets_others_in_after_each_piece(body: Pieces) -> None:
    """A stranger's request waits for one piece, not for one of each reader."""

    async def ask() -> None:
        crowd, readers = Crowd(), [Reader() for _ in range(40)]
        tasks = [asyncio.ensure_future(send_reply(Reply(200, (), body), one.send, crowd)) for one in readers]
        while not all(one.got for one in readers):
            await asyncio.sleep(0)
        most, before = 0, sum(len(one.got) for one in readers)
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0)
            now = sum(len(one.got) for one in readers)
            most, before = max(most, now - before), now
            if sum(task.done() for task in tasks) > len(tasks) - STREAM_CROWD_FROM:
                break
        assert most == 1
        await asyncio.gather(*tasks)

    asyncio.run(ask())


def test_who_hangs_up_while_waiting_for_a_turn_keeps_nobody_waiting(body: Pieces) -> None:
    async def ask() -> None:
        crowd, readers = Crowd(), [Reader() for _ in range(30)]
        tasks = [asyncio.ensure_future(send_reply(Reply(200, (), body), one.send, crowd)) for one in readers]
        for _ in range(20):
            await asyncio.sleep(0)
        for task in tasks[10:20]:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert sum(isinstance(one, asyncio.CancelledError) for one in done) == 10
        assert {len(b"".join(one.got)) for one in readers[:10] + readers[20:]} == {len(body)}

    asyncio.run(ask())
