"""Names to addresses: once for all who ask, remembered for a while, never in the way."""

import asyncio
import socket
import threading

import pytest

from waypost.check.resolve import Resolver, system_lookup


class Names:
    def __init__(self, table):
        self.table = table
        self.asked = []

    def __call__(self, host):
        self.asked.append(host)
        answer = self.table.get(host, socket.gaierror(socket.EAI_NONAME, "no"))
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_addresses_come_in_order_and_once():
    names = Names({"a.example": ["192.0.2.1", "2001:db8::1", "192.0.2.1", "fe80::1%eth0"]})
    found = asyncio.run(Resolver(names).resolve("A.example"))
    assert [str(address) for address in found] == ["192.0.2.1", "2001:db8::1", "fe80::1"]


def test_many_who_ask_at_once_cost_one_question():
    names = Names({"a.example": ["192.0.2.1"]})

    async def run():
        resolver = Resolver(names)
        await asyncio.gather(*(resolver.resolve("a.example") for _ in range(50)))
        await resolver.resolve("a.example")

    asyncio.run(run())
    assert names.asked == ["a.example"]


def test_an_answer_is_forgotten_after_its_time():
    names = Names({"a.example": ["192.0.2.1"]})

    async def run():
        resolver = Resolver(names, kept_s=0)
        await resolver.resolve("a.example")
        await asyncio.sleep(0.01)
        await resolver.resolve("a.example")

    asyncio.run(run())
    assert len(names.asked) == 2


@pytest.mark.parametrize(
    "answer", [socket.gaierror(socket.EAI_AGAIN, "later"), [], ["not an address"], UnicodeError("x")]
)
def test_a_failure_belongs_to_whoever_asks_and_is_kept_for_a_moment(answer):
    names = Names({"a.example": answer})

    async def run():
        resolver = Resolver(names)
        for _ in range(3):
            with pytest.raises((OSError, ValueError)):
                await resolver.resolve("a.example")

    asyncio.run(run())
    assert len(names.asked) == 1


def test_one_resolver_serves_loop_after_loop():
    names = Names({"a.example": ["192.0.2.1"]})
    resolver = Resolver(names)
    assert asyncio.run(resolver.resolve("a.example")) == asyncio.run(resolver.resolve("a.example"))
    assert len(names.asked) == 1


def test_giving_up_on_a_dead_name_leaves_the_others_alone():
    release = threading.Event()
    ended = []

    def lookup(host):
        if host.startswith("dead"):
            release.wait(20)
            ended.append(host)
        return ["192.0.2.1"]

    async def run():
        resolver = Resolver(lookup)

        async def give_up(n):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await resolver.resolve(f"dead{n}.example")

        dead = [asyncio.create_task(give_up(n)) for n in range(30)]
        await asyncio.sleep(0.02)
        await resolver.resolve("quick.example")
        ended_before = list(ended)
        await asyncio.gather(*dead)
        return ended_before

    ended_before = asyncio.run(run())
    release.set()
    assert ended_before == []


def test_a_name_left_pending_by_a_closed_loop_is_asked_again():
    release = threading.Event()
    asked = []

    def lookup(host):
        asked.append(host)
        release.wait(20)
        return ["192.0.2.1"]

    resolver = Resolver(lookup)

    async def give_up():
        async with asyncio.timeout(0.05):
            await resolver.resolve("slow.example")

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    release.set()
    assert str(asyncio.run(resolver.resolve("slow.example"))[0]) == "192.0.2.1"
    assert len(asked) == 2


def test_what_is_remembered_has_a_bound(monkeypatch):
    monkeypatch.setattr("waypost.check.resolve.DNS_KEPT_MAX", 10)
    names = Names({f"{n}.example": ["192.0.2.1"] for n in range(40)})

    async def run():
        resolver = Resolver(names)
        for n in range(40):
            await resolver.resolve(f"{n}.example")
        return len(resolver._known)

    assert asyncio.run(run()) <= 10


def test_the_system_knows_this_machine():
    assert "127.0.0.1" in system_lookup("localhost")


def test_rfc6761_names_below_localhost_are_this_machine():
    assert "127.0.0.1" in system_lookup("anna.blog.localhost")
    assert "127.0.0.1" in system_lookup("anna.localhost.")
