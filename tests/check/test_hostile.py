"""Every hostile behaviour through the client: bounded, never inside, named, no exception."""

import asyncio
import time
from collections import Counter
from dataclasses import replace

import pytest
from tests.hostile import AUTHORITY, BEHAVIOURS, HostileServer

from waypost.check.capture import ErrorKind, Family, Request
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
CALM = replace(QUICK, connect_s=10.0, first_byte_s=10.0, silence_s=3.0, request_s=30.0, site_s=40.0, rate_after_s=9.0)
"""For a behaviour that does answer: it may take its time where the machine is busy with other tests."""
ENDS_BY_TIME = {kind.word for kind in ErrorKind if kind.family is Family.TIMEOUT} | {ErrorKind.TLS_STALLED.word}
GRACE_S = 3.0


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


def settings_for(behaviour):
    return QUICK if ENDS_BY_TIME & set(behaviour.want) else CALM


async def ask(url, settings):
    async with Client(settings, policy_for(url)) as client:
        return await client.fetch(Request(url))


def test_there_are_enough_behaviours_and_every_name_is_used_once():
    assert len(BEHAVIOURS) >= 120
    assert [name for name, count in Counter(row.name for row in BEHAVIOURS).items() if count > 1] == []
    words = {kind.word for kind in ErrorKind}
    assert {word for row in BEHAVIOURS for word in row.want if isinstance(word, str)} <= words


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda row: row.name)
def test_a_hostile_behaviour_is_named_and_bounded(hostile, behaviour):
    started = time.monotonic()
    settings = settings_for(behaviour)
    capture = asyncio.run(ask(hostile.url(behaviour), settings))
    taken = time.monotonic() - started
    outcome = capture.error.kind.word if capture.error else capture.status
    assert outcome in behaviour.want, (outcome, capture.error)
    assert taken < settings.request_s + GRACE_S
    assert len(capture.body) <= SITEMAP_BYTES_MAX + 1
    assert capture.requests <= 6
    assert hostile.canary_hits == 0
