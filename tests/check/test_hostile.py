"""Every hostile behaviour through the client: bounded, never inside, named, no exception."""

import asyncio
import time
from collections import Counter

import pytest
from tests.hostile import AUTHORITY, BEHAVIOURS, HostileServer

from waypost.check.capture import ErrorKind, Request
from waypost.check.fetch import Client
from waypost.check.place import Place, read_place
from waypost.check.policy import Policy
from waypost.check.settings import ClientSettings
from waypost.limits import SITEMAP_BYTES_MAX

QUICK = ClientSettings(
    connect_s=1.0,
    first_byte_s=1.0,
    silence_s=0.6,
    request_s=2.5,
    site_s=6.0,
    rate_after_s=0.5,
    ca_file=str(AUTHORITY),
)
SPENT_S_MAX = 2.5 + 3.0


@pytest.fixture(scope="module")
def hostile():
    with HostileServer(BEHAVIOURS) as server:
        yield server


def policy_for(url):
    place = read_place(url)
    assert isinstance(place, Place)
    policy = Policy()
    policy.admit_typed(place.host, place.port)
    return policy


async def ask(url):
    async with Client(QUICK, policy_for(url)) as client:
        return await client.fetch(Request(url))


def test_there_are_enough_behaviours_and_every_name_is_used_once():
    assert len(BEHAVIOURS) >= 120
    assert [name for name, count in Counter(row.name for row in BEHAVIOURS).items() if count > 1] == []
    words = {kind.word for kind in ErrorKind}
    assert {word for row in BEHAVIOURS for word in row.want if isinstance(word, str)} <= words


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda row: row.name)
def test_a_hostile_behaviour_is_named_and_bounded(hostile, behaviour):
    started = time.monotonic()
    capture = asyncio.run(ask(hostile.url(behaviour)))
    taken = time.monotonic() - started
    outcome = capture.error.kind.word if capture.error else capture.status
    assert outcome in behaviour.want, (outcome, capture.error)
    assert taken < SPENT_S_MAX
    assert len(capture.body) <= SITEMAP_BYTES_MAX + 1
    assert capture.requests <= 6
    assert hostile.canary_hits == 0
