"""The deadlines of one request."""

import asyncio
import time

import pytest

from waypost.check.capture import ErrorKind
from waypost.check.dial import Dial, Stage
from waypost.check.settings import ClientSettings

QUICK = ClientSettings(dns_s=0.1, connect_s=0.2, first_byte_s=0.1, silence_s=0.1, rate_after_s=0.1, rate_min=10)


def run(act, hard_s=9.0):
    async def within():
        dial = Dial("example.com", QUICK, time.monotonic() + hard_s, ErrorKind.REQUEST_TIMEOUT)
        try:
            async with asyncio.timeout(None) as dial.timer:
                await act(dial)
        except TimeoutError:
            return dial.timed_out().kind
        finally:
            dial.leave()
        return None

    return asyncio.run(within())


@pytest.mark.parametrize("stage", list(Stage))
def test_a_stage_that_takes_too_long_is_named(stage):
    async def stall(dial):
        dial.enter(stage)
        await asyncio.sleep(1)

    assert run(stall) is stage.kind


def test_going_on_in_time_is_fine():
    async def go_on(dial):
        for stage in (Stage.DNS, Stage.CONNECT, Stage.TLS, Stage.ANSWER, Stage.BODY, Stage.BODY, Stage.BODY):
            dial.enter(stage)
            await asyncio.sleep(0.05)

    assert run(go_on) is None


def test_all_addresses_of_a_name_share_the_time_to_connect():
    async def many(dial):
        for _ in range(10):
            dial.enter(Stage.CONNECT)
            await asyncio.sleep(0.05)

    assert run(many) is ErrorKind.CONNECT_TIMEOUT


def test_the_hard_end_comes_before_any_stage():
    async def go_on(dial):
        for _ in range(100):
            dial.enter(Stage.BODY)
            await asyncio.sleep(0.02)

    async def never_rest(dial):
        until = time.monotonic() + 2
        while time.monotonic() < until:
            dial.enter(Stage.BODY)
            await asyncio.sleep(0)

    assert run(never_rest, hard_s=0.1) is ErrorKind.REQUEST_TIMEOUT
    assert run(go_on, hard_s=0.2) is ErrorKind.REQUEST_TIMEOUT
    assert run(go_on, hard_s=-1.0) is ErrorKind.REQUEST_TIMEOUT


def test_a_process_that_was_busy_does_not_blame_the_server():
    async def busy(dial):
        loop = asyncio.get_running_loop()
        arrived = loop.create_future()
        dial.enter(Stage.BODY)
        loop.call_later(0.01, arrived.set_result, b"bytes")
        await asyncio.sleep(0)
        time.sleep(0.5)  # somebody else's document is read meanwhile
        await arrived
        dial.enter(Stage.BODY)

    assert run(busy) is None


def test_a_process_that_is_always_busy_ends_its_requests_all_the_same():
    async def busy(dial):
        dial.enter(Stage.BODY)
        until = time.monotonic() + 6
        while time.monotonic() < until:
            time.sleep(0.45)
            await asyncio.sleep(0)

    assert run(busy, hard_s=0.5) is ErrorKind.REQUEST_TIMEOUT


def test_a_rate_under_the_least_one_ends_the_answer():
    async def slow(dial):
        dial.check_rate(1, time.monotonic())
        dial.check_rate(1_000, time.monotonic() - 1)
        dial.check_rate(1, time.monotonic() - 1)

    assert run(slow) is ErrorKind.TOO_SLOW


def test_an_alarm_after_the_end_strikes_nobody():
    async def within():
        dial = Dial("example.com", QUICK, time.monotonic() + 9, ErrorKind.REQUEST_TIMEOUT)
        dial.enter(Stage.BODY)
        await asyncio.sleep(0.2)
        dial.leave()

    asyncio.run(within())
