"""Forwarded headers: nothing is believed but from configured proxies, and then the right-most untrusted value."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.web.client import InProcess
from tests.web.roots import write

from waypost.errors import ConfigError
from waypost.web.app import create
from waypost.web.proxies import Client, Proxies

SEEN = Client("10.0.0.2", "http", b"inside.test")
FOR, PROTO, HOST, FORWARDED = b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"forwarded"


def believed(trusted: str = "10.0.0.0/8", seen: Client = SEEN, **headers: str | list[str]) -> Client | None:
    names = {"xff": FOR, "proto": PROTO, "host": HOST, "forwarded": FORWARDED}
    values = {names[key]: [value] if isinstance(value, str) else list(value) for key, value in headers.items()}
    return Proxies.of(trusted.split()).client(seen, values)


SPOOFS = [
    {"x_forwarded_host": "evil.test"},
    {"x_forwarded_host": "evil.test, example.com"},
    {"x_forwarded_host": "example.com, evil.test"},
    {"x_forwarded_proto": "https"},
    {"x_forwarded_proto": "https, http"},
    {"x_forwarded_proto": "gopher"},
    {"x_forwarded_for": "127.0.0.1"},
    {"x_forwarded_for": "::1"},
    {"x_forwarded_for": "evil.test"},
    {"x_forwarded_port": "8443"},
    {"x_forwarded_server": "evil.test"},
    {"x_forwarded_ssl": "on"},
    {"x_forwarded_scheme": "https"},
    {"x_forwarded_prefix": "/evil"},
    {"x_original_host": "evil.test"},
    {"x_original_url": "/internal"},
    {"x_rewrite_url": "/internal"},
    {"x_host": "evil.test"},
    {"x_real_ip": "127.0.0.1"},
    {"forwarded": "for=127.0.0.1;host=evil.test;proto=https"},
    {"forwarded": 'for="[::1]";host="evil.test"'},
    {"front_end_https": "on"},
    {"x_url_scheme": "https"},
    {"true_client_ip": "127.0.0.1"},
    {"via": "1.1 evil.test"},
]


def _without_dates(answer):
    return answer.status, answer.headers, answer.body


@pytest.mark.parametrize("spoof", SPOOFS)
def test_spec_no_forwarded_header_has_any_effect_by_default(here, spoof):
    for path in ("/sitemap.xml", "/robots.txt", "/", "/healthz", "/nope", "/old-place"):
        for client in ("192.0.2.7", "10.0.0.2"):
            assert _without_dates(here.ask(path, client=client, **spoof)) == _without_dates(
                here.ask(path, client=client)
            )


def test_spec_an_ignored_header_is_logged_once(here, caplog):
    with caplog.at_level(logging.WARNING, "waypost.web"):
        for client in ("10.0.0.2", "10.0.0.3"):
            for _ in range(3):
                here.ask("/sitemap.xml", client=client, x_forwarded_proto="https")
    said = [record.getMessage() for record in caplog.records if record.name == "waypost.web"]
    assert said == ["X-Forwarded-Proto from 10.0.0.2 ignored: your sitemap says http; see trusted_proxies"]


def test_behind_a_trusted_proxy_the_document_shows_the_public_origin(here, starter):
    write(starter / "waypost.toml", '[server]\ntrusted_proxies = ["10.0.0.0/8"]\n')
    text = here.ask("/sitemap.xml", client="10.0.0.2", x_forwarded_proto="https", x_forwarded_host="Public.test").text
    assert "<loc>https://public.test/</loc>" in text
    assert "http://example" not in text
    assert "http://example.com/" in here.ask("/sitemap.xml", client="192.0.2.1", x_forwarded_proto="https").text
    for wrong in (
        {"x_forwarded_host": "e<vil"},
        {"x_forwarded_proto": "gopher"},
        {"x_forwarded_host": "a.test", "forwarded": "host=b.test"},
    ):
        assert here.ask("/sitemap.xml", client="10.0.0.2", **wrong).status == 400
    assert here.ask("/healthz", client="10.0.0.2", x_forwarded_for="127.0.0.1").status == 200
    assert here.ask("/healthz", client="127.0.0.1", x_forwarded_for="192.0.2.1").status == 404


def test_a_loopback_proxy_that_is_trusted_hands_on_who_asked(starter):
    client = InProcess(create(str(starter), environment={}, options={"server.trusted_proxies": ["127.0.0.1"]}))
    assert client.ask("/healthz", client="127.0.0.1", x_forwarded_for="192.0.2.1").status == 404
    assert client.ask("/healthz", client="127.0.0.1").status == 200
    client.app.hosts.close()
    client.close()


@pytest.mark.parametrize(
    ("headers", "client"),
    [
        ({"xff": "1.2.3.4"}, Client("1.2.3.4", "http", b"inside.test")),
        ({"xff": "6.6.6.6, 1.2.3.4"}, Client("1.2.3.4", "http", b"inside.test")),
        ({"xff": ["6.6.6.6", "1.2.3.4"]}, Client("1.2.3.4", "http", b"inside.test")),
        ({"xff": "6.6.6.6, 1.2.3.4, 10.0.0.9"}, Client("1.2.3.4", "http", b"inside.test")),
        ({"xff": "10.0.0.8, 10.0.0.9"}, Client("10.0.0.8", "http", b"inside.test")),
        ({"xff": " 1.2.3.4 ,"}, Client("10.0.0.2", "http", b"inside.test")),
        ({"xff": "1.2.3.4:5678"}, Client("1.2.3.4", "http", b"inside.test")),
        ({"xff": '"[2001:db8::1]:80"'}, Client("2001:db8::1", "http", b"inside.test")),
        ({"proto": "https"}, Client("10.0.0.2", "https", b"inside.test")),
        ({"proto": "HTTPS"}, Client("10.0.0.2", "https", b"inside.test")),
        ({"proto": "http, https"}, Client("10.0.0.2", "https", b"inside.test")),
        ({"proto": "https, http", "xff": "1.2.3.4, 10.0.0.9"}, Client("1.2.3.4", "https", b"inside.test")),
        ({"proto": "https", "xff": "1.2.3.4, 10.0.0.9"}, Client("1.2.3.4", "https", b"inside.test")),
        ({"host": "evil.test, a.test"}, Client("10.0.0.2", "http", b"a.test")),
        ({"host": "a.test, inner.test", "xff": "1.2.3.4, 10.0.0.9"}, Client("1.2.3.4", "http", b"a.test")),
        ({"forwarded": "for=1.2.3.4;proto=https;host=a.test"}, Client("1.2.3.4", "https", b"a.test")),
        ({"forwarded": 'For="[2001:db8::1]:80"; Proto=https'}, Client("2001:db8::1", "https", b"inside.test")),
        ({"forwarded": "for=6.6.6.6;host=evil.test, for=1.2.3.4;host=a.test"}, Client("1.2.3.4", "http", b"a.test")),
        ({"forwarded": 'host="a\\.test", for=10.0.0.9'}, Client("10.0.0.2", "http", b"a.test")),
        ({"forwarded": "for=1.2.3.4", "xff": "1.2.3.4"}, Client("1.2.3.4", "http", b"inside.test")),
        ({"forwarded": "nonsense"}, Client("10.0.0.2", "http", b"inside.test")),
        ({"forwarded": 'host="a\\"b"'}, Client("10.0.0.2", "http", b'a"b')),
        ({"forwarded": 'host="a\\\\";proto=https'}, Client("10.0.0.2", "https", b"a\\")),
        ({"forwarded": 'host="a,b.test"'}, Client("10.0.0.2", "http", b"a,b.test")),
        ({"forwarded": "for=1.2.3.4", "xff": "9.9.9.9"}, None),
        ({"proto": "ftp"}, None),
    ],
)
def test_spec_only_the_right_most_untrusted_value_counts(headers, client):
    assert believed(**headers) == client


def test_a_stranger_behind_a_proxy_nobody_trusts_is_no_operator(here, starter):
    unknown = here.ask("/surely-unknown")
    for header in ({"x_forwarded_for": "8.8.8.8"}, {"forwarded": "for=127.0.0.1"}, {"x_forwarded_proto": "http"}):
        for path in ("/healthz", "/readyz", "/metrics"):
            assert here.ask(path, client="127.0.0.1", **header) == unknown
    write(starter / "waypost.toml", '[server]\ntrusted_proxies = ["127.0.0.1"]\n')
    assert here.ask("/healthz", client="127.0.0.1", x_forwarded_for="8.8.8.8").status == 404
    assert here.ask("/healthz", client="127.0.0.1", x_forwarded_for="127.0.0.1").status == 200


def test_an_unknown_peer_changes_nothing():
    seen = Client("192.0.2.1", "http", b"a.test")
    assert believed(seen=seen, host="evil.test", proto="https", xff="127.0.0.1") == seen
    for address in ("", "unix", "not-an-address", "10.0.0.2.evil"):
        seen = Client(address, "http", b"a.test")
        assert believed(seen=seen, host="evil.test") == seen


@pytest.mark.parametrize("address", ["10.1.2.3", "::ffff:10.1.2.3", "fd00::7", "fd00::7%eth0"])
def test_networks_of_both_families_are_compared_with_their_own(address):
    assert Proxies.of(["10.0.0.0/8", "fd00::/8"]).trusts(address)
    assert not Proxies.of(["192.168.0.0/16"]).trusts(address)
    assert not Proxies.of([]).trusts(address)


def test_what_is_no_network_is_said():
    with pytest.raises(ConfigError, match="trusted_proxies"):
        Proxies.of(["everybody"])


@given(
    st.dictionaries(
        st.sampled_from([FOR, PROTO, HOST, FORWARDED]), st.lists(st.text(max_size=80), min_size=1, max_size=3)
    )
)
def test_no_forwarded_header_makes_it_raise(headers):
    client = Proxies.of(["10.0.0.0/8"]).client(SEEN, headers)
    assert client is None or client.scheme in {"http", "https"}
