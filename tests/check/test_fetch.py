"""The client against servers that mean well: what it sends, what it keeps, whom it refuses, when it stops."""

import asyncio
import gzip
import os
import socket
import ssl
import time

import pytest
from tests.hostile import AUTHORITY, Behaviour, HostileServer
from tests.hostile.kit import document, redirects

from waypost.check.capture import ErrorKind, Purpose, Request
from waypost.check.faults import connection_fault, dns_fault, tls_fault
from waypost.check.fetch import Client
from waypost.check.policy import Policy
from waypost.check.resolve import Resolver
from waypost.check.settings import ClientSettings
from waypost.errors import ConfigError

BODY = b"<urlset/>"
GROUPS = "".join(f"User-agent: a{n}\r\nDisallow: /\r\n\r\n" for n in range(100))
HEADS = []


async def echo(exchange):
    HEADS.append(exchange.head.decode("latin-1"))
    await exchange.answer(BODY, headers="Set-Cookie: id=1; Path=/\r\nX-Two: a\r\nX-Two: b\r\n")


async def keeps_alive(exchange):
    while True:
        HEADS.append(exchange.writer.get_extra_info("peername"))
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        await exchange.read_head()


async def closes_what_it_kept(exchange):
    for number in range(2):
        HEADS.append(exchange.head)
        if number == 0:
            await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await exchange.read_head()


async def closes(exchange):
    HEADS.append(exchange.head)


async def slow(exchange):
    await asyncio.sleep(0.25)
    await exchange.answer(BODY)


async def dawdles_with_its_head(exchange):
    body = GROUPS.encode()
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n" % len(body))
    await asyncio.sleep(0.05)
    await exchange.send(b"\r\n")
    await asyncio.sleep(0.05)
    await exchange.send(body)


async def large(exchange):
    await exchange.answer(gzip.compress(bytes(20 << 20)), headers="Content-Encoding: gzip\r\n")


ROWS = (
    Behaviour("echo", echo, (200,)),
    Behaviour("keeps_alive", keeps_alive, (200,)),
    Behaviour("closes_what_it_kept", closes_what_it_kept, (200,)),
    Behaviour("closes", closes, ("closed",)),
    Behaviour("slow", slow, (200,)),
    Behaviour("large", large, (200,)),
    Behaviour("dawdles_with_its_head", dawdles_with_its_head, (200,)),
    Behaviour("moves", redirects(lambda x: f"http://other.test:{x.port}/there"), (200,), path="/sitemap.xml"),
    Behaviour("busy", document(b"", "Retry-After: 120\r\n", status="503 Busy"), (503,)),
    Behaviour("secure", echo, (200,), tls="good"),
)
NAMES = {
    "site.test": ["127.0.0.1"],
    "other.test": ["127.0.0.1"],
    "localhost": ["127.0.0.1"],
    "inside.test": ["10.0.0.1"],
    "mixed.test": ["93.184.215.14", "127.0.0.1"],
    "many.test": [f"203.0.113.{n}" for n in range(30)],
    "empty.test": [],
}


def lookup(host):
    if host == "later.test":
        raise socket.gaierror(socket.EAI_AGAIN, "try again")
    if host == "stuck.test":
        time.sleep(0.6)
    if host not in NAMES:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")
    return NAMES[host]


@pytest.fixture(scope="module")
def web():
    with HostileServer(ROWS) as server:
        yield server


@pytest.fixture(autouse=True)
def _no_heads():
    HEADS.clear()


def fetch(*requests, allow=("127.0.0.1", "localhost"), typed=None, **settings):
    async def run():
        policy = Policy(allow)
        if typed:
            policy.admit_typed(*typed)
        async with Client(ClientSettings(ca_file=str(AUTHORITY), **settings), policy, Resolver(lookup)) as client:
            return await asyncio.gather(*(client.fetch(r if isinstance(r, Request) else Request(r)) for r in requests))

    return asyncio.run(run())


def kind_of(capture):
    assert capture.error is not None
    return capture.error.kind


def test_it_says_who_it_is_and_sends_nothing_it_was_not_told_to(web):
    fetch(web.bases["echo"] + "/a?b=1", web.bases["echo"] + "/a?b=1")
    lines = HEADS[0].split("\r\n")
    assert lines[0] == "GET /a?b=1 HTTP/1.1"
    names = sorted(line.partition(":")[0].lower() for line in lines[1:] if line)
    assert names == ["accept", "accept-encoding", "host", "user-agent"]
    agent = next(line for line in lines if line.lower().startswith("user-agent"))
    assert agent.startswith("User-Agent: waypost/")
    assert "(+https://" in agent
    assert "Accept-Encoding: gzip" in lines


def test_cookies_are_never_sent_back(web):
    fetch(web.bases["echo"] + "/")
    fetch(web.bases["echo"] + "/", web.bases["echo"] + "/b")
    assert "cookie" not in "".join(HEADS).lower()


def test_a_request_may_bring_its_own_headers_and_agent(web):
    request = Request(web.bases["echo"] + "/", accept="text/xml", headers=(("X-Own", "1"), ("User-Agent", "Other/2")))
    fetch(request, user_agent="Mine/1")
    assert "Accept: text/xml" in HEADS[0]
    assert "X-Own: 1" in HEADS[0]
    assert "User-Agent: Other/2" in HEADS[0]
    assert "Mine/1" not in HEADS[0]


@pytest.mark.parametrize("agent", ["", "a\r\nEvil: 1", "a\0", "日本"])
def test_an_agent_that_no_header_can_hold_is_refused(agent):
    with pytest.raises(ConfigError, match="--user-agent"):
        ClientSettings(user_agent=agent)


def test_a_capture_tells_the_whole_exchange(web):
    (capture,) = fetch(Request(web.bases["echo"] + "/", Purpose.ROBOTS))
    assert capture.is_success
    assert capture.body.read() == BODY
    assert capture.headers.all("x-two") == ("a", "b")
    assert capture.address == "127.0.0.1"
    assert capture.wire_bytes == len(BODY)
    assert 0 < capture.hops[0].elapsed_s <= capture.elapsed_s < 1


def test_blank_lines_of_a_body_are_no_heads_however_the_head_came(web):
    (capture,) = fetch(web.bases["dawdles_with_its_head"] + "/robots.txt")
    assert capture.error is None
    assert capture.body.read() == GROUPS.encode()


def test_a_head_request_has_no_body(web):
    (capture,) = fetch(Request(web.bases["echo"] + "/", method="HEAD"))
    assert HEADS[0].startswith("HEAD / ")
    assert (capture.status, len(capture.body)) == (200, 0)


def test_one_connection_serves_many_requests(web):
    async def run():
        async with Client(ClientSettings(), Policy(["127.0.0.1"])) as client:
            for _ in range(5):
                assert (await client.fetch(Request(web.bases["keeps_alive"] + "/"))).is_success

    asyncio.run(run())
    assert len(HEADS) == 5
    assert len(set(HEADS)) == 1


def test_no_request_is_sent_again_without_being_counted(web):
    (capture,) = fetch(web.bases["closes"] + "/")
    assert kind_of(capture) is ErrorKind.CLOSED
    assert (len(HEADS), capture.requests) == (1, 1)


@pytest.mark.parametrize(("redirects_max", "seen"), [(5, [(200, 1), (200, 2)]), (0, [(200, 1), (0, 1)])])
def test_rfc9112_a_connection_that_was_closed_while_it_waited_is_made_anew_and_counted(web, redirects_max, seen):
    async def run():
        async with Client(ClientSettings(), Policy(["127.0.0.1"])) as client:
            asked = Request(web.bases["closes_what_it_kept"] + "/", redirects_max=redirects_max)
            return [await client.fetch(asked) for _ in range(2)]

    captures = asyncio.run(run())
    assert [(capture.status, capture.requests) for capture in captures] == seen
    assert len(HEADS) == sum(capture.requests for capture in captures)


def test_tls_is_verified_and_spoken(web):
    (capture,) = fetch(web.bases["secure"] + "/")
    assert capture.is_success
    (named,) = fetch(web.bases["secure"].replace("127.0.0.1", "localhost") + "/")
    assert named.is_success
    (wrong,) = fetch(web.bases["secure"].replace("127.0.0.1", "site.test") + "/", allow=["site.test"])
    assert kind_of(wrong) is ErrorKind.TLS_NAME


def test_an_authority_that_is_not_trusted_is_not_trusted(web):
    async def run():
        async with Client(ClientSettings(), Policy(["127.0.0.1"])) as client:
            return await client.fetch(Request(web.bases["secure"] + "/"))

    assert kind_of(asyncio.run(run())) is ErrorKind.TLS_UNTRUSTED


def named(web, row, host):
    return f"{web.bases[row].replace('127.0.0.1', host)}/sitemap.xml"


def test_every_hop_is_resolved_and_judged_by_its_own_name(web):
    (both,) = fetch(named(web, "moves", "site.test"), allow=["site.test", "other.test"])
    assert both.error is None
    assert [hop.status for hop in both.hops] == [302, 404]
    (one,) = fetch(named(web, "moves", "site.test"), allow=["site.test"])
    assert kind_of(one) is ErrorKind.ADDRESS_INSIDE
    assert one.error.detail == "127.0.0.1 is a loopback address; --allow-private other.test admits it"
    assert [hop.status for hop in one.hops] == [302, 0]


def test_a_typed_address_does_not_admit_the_same_address_under_a_name(web):
    port = int(web.bases["echo"].rpartition(":")[2])
    (direct,) = fetch(web.bases["echo"] + "/", allow=(), typed=("127.0.0.1", port))
    assert direct.is_success
    (other,) = fetch(web.bases["slow"] + "/", allow=(), typed=("127.0.0.1", port))
    assert kind_of(other) is ErrorKind.ADDRESS_INSIDE


@pytest.mark.parametrize("host", ["inside.test", "mixed.test"])
def test_a_whole_answer_with_an_inside_address_is_refused(host, monkeypatch):
    dialled = []
    monkeypatch.setattr(Client, "_socket", lambda _, info: dialled.append(info))
    (capture,) = fetch(f"http://{host}/", allow=())
    assert kind_of(capture) is ErrorKind.ADDRESS_INSIDE
    assert dialled == []


def test_at_most_eight_addresses_of_a_name_are_tried(monkeypatch):
    dialled = []

    def refuse(_, info):
        dialled.append(info[4][0])
        raise OSError(111, "refused")

    monkeypatch.setattr(Client, "_socket", refuse)
    (capture,) = fetch("http://many.test/", allow=["many.test"])
    assert kind_of(capture) is ErrorKind.REFUSED
    assert len(set(dialled)) == 8


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        ("nowhere.test", ErrorKind.DNS_NO_NAME),
        ("empty.test", ErrorKind.DNS_NO_NAME),
        ("later.test", ErrorKind.DNS_FAILED),
        ("stuck.test", ErrorKind.DNS_TIMEOUT),
    ],
)
def test_a_name_that_does_not_resolve_is_named(host, kind):
    (capture,) = fetch(f"http://{host}/", dns_s=0.3)
    assert kind_of(capture) is kind
    assert capture.hops[0].status == 0


def test_ports_of_other_protocols_are_asked_only_when_typed():
    (capture,) = fetch("http://127.0.0.1:25/")
    assert kind_of(capture) is ErrorKind.PORT_FOREIGN
    (typed,) = fetch("http://127.0.0.1:25/", typed=("127.0.0.1", 25))
    assert kind_of(typed) in {ErrorKind.REFUSED, ErrorKind.NOT_HTTP}


def test_a_bad_url_costs_nothing(web):
    (capture,) = fetch("http://[x/")
    assert kind_of(capture) is ErrorKind.URL_INVALID
    assert capture.hops == ()


def test_the_budget_of_a_caller_is_not_the_servers_fault(web):
    request = Request(named(web, "moves", "site.test"), redirects_max=0)
    (capture,) = fetch(request, allow=["site.test", "other.test"])
    assert kind_of(capture) is ErrorKind.BUDGET
    assert capture.requests == 1


def test_retry_after_is_reported_and_not_slept_on(web):
    started = time.monotonic()
    (capture,) = fetch(web.bases["busy"] + "/")
    assert capture.headers.get("retry-after") == "120"
    assert time.monotonic() - started < 2


def test_a_delay_spaces_requests_and_is_not_taken_from_the_site(web):
    started = time.monotonic()
    captures = fetch(*[web.bases["echo"] + "/"] * 4, delay_s=0.2, site_s=0.4)
    assert time.monotonic() - started >= 0.6
    assert [capture.error for capture in captures] == [None] * 4


def test_the_time_of_a_site_ends_its_requests(web):
    captures = fetch(*[web.bases["slow"] + "/"] * 4, connections_max=1, site_s=0.6)
    assert [capture.status for capture in captures] == [200, 200, 0, 0]
    assert {kind_of(capture) for capture in captures[2:]} == {ErrorKind.SITE_TIMEOUT}


def test_waiting_for_a_seat_is_not_the_requests_time(web):
    captures = fetch(*[web.bases["slow"] + "/"] * 4, connections_max=1, request_s=0.5)
    assert [capture.status for capture in captures] == [200] * 4


def test_a_large_body_goes_to_disk_and_small_ones_stay(web):
    large_one, small = fetch(web.bases["large"] + "/", web.bases["echo"] + "/")
    assert large_one.body.is_spooled
    assert len(large_one.body) == 20 << 20
    assert not small.body.is_spooled


def test_a_bound_is_kept_to_the_byte(web):
    exact, over = fetch(*(Request(web.bases["echo"] + "/", bytes_max=n) for n in (len(BODY), len(BODY) - 1)))
    assert (len(exact.body), exact.truncated) == (len(BODY), False)
    assert (len(over.body), over.truncated) == (len(BODY), True)


def test_environment_proxies_are_not_used(web, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    (capture,) = fetch(web.bases["echo"] + "/")
    assert capture.is_success


def test_a_failure_inside_a_library_is_a_field(web, monkeypatch):
    def burst(*_):
        raise LookupError("odd")

    monkeypatch.setattr("waypost.check.fetch.onward", burst)
    (capture,) = fetch(named(web, "moves", "127.0.0.1"))
    assert capture.error is None or kind_of(capture) is ErrorKind.INTERNAL


def test_giving_up_from_outside_leaves_nothing_open(web):
    async def run():
        async with Client(ClientSettings(), Policy(["127.0.0.1"])) as client:
            task = asyncio.create_task(client.fetch(Request(web.bases["slow"] + "/")))
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    before = len(os.listdir("/proc/self/fd"))
    asyncio.run(run())
    assert len(os.listdir("/proc/self/fd")) <= before + 1


def test_system_errors_have_our_words():
    assert connection_fault(OSError(113, "No route to host"), in_handshake=False).kind is ErrorKind.UNREACHABLE
    assert connection_fault(OSError(101, "Network unreachable"), in_handshake=False).kind is ErrorKind.UNREACHABLE
    assert connection_fault(ConnectionResetError(104, "x"), in_handshake=False).kind is ErrorKind.RESET
    assert connection_fault(ConnectionResetError(104, "x"), in_handshake=True).kind is ErrorKind.TLS_FAILED
    assert connection_fault(OSError(110, "x"), in_handshake=True).kind is ErrorKind.CONNECT_TIMEOUT
    assert connection_fault(ssl.SSLError(1, "x"), in_handshake=True).kind is ErrorKind.TLS_FAILED
    several = OSError(
        "Multiple exceptions: [Errno 111] Connect call failed ('::1', 1), [Errno 101] Connect call failed"
    )
    assert connection_fault(several, in_handshake=False).kind is ErrorKind.REFUSED
    assert connection_fault(OSError("odd"), in_handshake=False).kind is ErrorKind.UNREACHABLE
    assert dns_fault(UnicodeError("x"), "a").kind is ErrorKind.DNS_NO_NAME
    assert dns_fault(None, "a").kind is ErrorKind.DNS_FAILED
    assert tls_fault(OSError("x")).kind is ErrorKind.TLS_FAILED


@pytest.mark.slow
def test_a_server_that_never_answers_takes_no_longer_than_the_default_says(web):
    with HostileServer([Behaviour("mute", lambda exchange: exchange.stall(), (0,))]) as server:
        started = time.monotonic()
        (capture,) = fetch(server.bases["mute"] + "/")
    assert kind_of(capture) is ErrorKind.ANSWER_TIMEOUT
    assert 9.9 < time.monotonic() - started < 12
