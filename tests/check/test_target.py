"""What a user types, and which origin it comes to mean."""

import asyncio
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import waypost
from waypost.check.capture import Capture, ErrorKind, Headers, Hop, Purpose, answered, unanswered
from waypost.check.policy import Policy, read_address
from waypost.check.target import read_target, settle
from waypost.errors import ConfigError


@pytest.mark.parametrize(
    ("typed", "origins"),
    [
        ("https://example.com", ["https://example.com"]),
        ("http://127.0.0.1:8000/a/b", ["http://127.0.0.1:8000"]),
        ("example.com", ["https://example.com", "http://example.com"]),
        (" Example.COM. ", ["https://example.com", "http://example.com"]),
        ("//example.com/a", ["https://example.com", "http://example.com"]),
        ("example.com:8443", ["https://example.com:8443", "http://example.com:8443"]),
        ("example.com/sitemap.xml", ["https://example.com", "http://example.com"]),
        ("bücher.example", ["https://xn--bcher-kva.example", "http://xn--bcher-kva.example"]),
        ("localhost", ["http://localhost", "https://localhost"]),
        ("localhost:8000", ["http://localhost:8000", "https://localhost:8000"]),
        ("app.localhost", ["http://app.localhost", "https://app.localhost"]),
        ("127.0.0.1:5000", ["http://127.0.0.1:5000", "https://127.0.0.1:5000"]),
        ("::1", ["http://[::1]", "https://[::1]"]),
        ("[::1]:8000", ["http://[::1]:8000", "https://[::1]:8000"]),
        ("2001:db8::1", ["https://[2001:db8::1]", "http://[2001:db8::1]"]),
        ("8.8.8.8", ["https://8.8.8.8", "http://8.8.8.8"]),
    ],
)
def test_spec_a_target_means_its_origins_in_this_order(typed, origins):
    target = read_target(typed)
    assert [place.origin for place in target.places] == origins
    assert target.origin == origins[0]
    assert target.is_bare == (len(origins) == 2)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "no target"),
        ("   ", "no target"),
        ("ftp://example.com", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("https://user:pw@example.com", "user name"),
        ("user@example.com", "user name"),
        ("exa mple.com", "not a site"),
        ("https://", "not a site"),
        ("https:///x", "not a site"),
        ("example.com:99999", "not a site"),
        ("..", "not a site"),
        ("mailto:a@example.com", "not a site"),
        ("a" * 500, "not a site"),
    ],
)
def test_a_bad_target_is_one_sentence(typed, says):
    with pytest.raises(ConfigError, match=says) as caught:
        read_target(typed)
    assert len(str(caught.value)) < 300


@given(st.text(max_size=50))
def test_reading_any_target_gives_one_or_a_config_error(text):
    with contextlib.suppress(ConfigError):
        assert read_target(text).places


@pytest.mark.parametrize(
    "typed",
    [
        "https://me:secret@example.com/",
        "me:secret@example.com",
        "//me:secret@h",
        "ftp://me:secret@h",
        "http://me:secret/1@h/a b",
    ],
)
def test_no_password_of_a_target_is_repeated(typed):
    with pytest.raises(ConfigError, match=r"\*\*\*@") as caught:
        read_target(typed)
    assert "secret" not in str(caught.value)


def test_a_target_that_is_no_text_is_one_sentence():
    for target in (None, b"example.com", 1):
        with pytest.raises(ConfigError, match=r"a target is a text, such as https://example\.com"):
            waypost.check(target)


def test_a_target_admits_what_was_typed():
    policy = Policy()
    read_target("127.0.0.1:8000").admit(policy)
    address = read_address("127.0.0.1")
    assert address is not None
    assert policy.judge(address, 8000).may_dial
    assert not policy.judge(address, 80).may_dial


class Web:
    """Answers from a table: a URL's status, the Location it redirects to, or the error it ends with."""

    def __init__(self, table):
        self.table = table
        self.asked = []

    async def fetch(self, request):
        self.asked.append(request.url)
        assert request.purpose is Purpose.HOME
        hops, url = [], request.url
        while True:
            meaning = self.table.get(url, ErrorKind.REFUSED)
            if isinstance(meaning, ErrorKind):
                return unanswered(request, meaning, hops=(*hops, Hop(url)))
            if isinstance(meaning, int):
                return Capture(request, (*hops, Hop(url, meaning)))
            hops.append(Hop(url, 301, Headers((("Location", meaning),))))
            url = meaning


def settled(typed, table, **options):
    web = Web(table)
    return asyncio.run(settle(read_target(typed), web, **options)), web


def test_spec_a_url_is_taken_as_given_and_costs_no_request():
    found, web = settled("http://example.com/x", {"http://example.com/": "https://www.example.com/"})
    assert (found.origin, found.remark, found.requests, web.asked) == ("http://example.com", "", 0, [])


def test_spec_a_bare_name_is_https_when_that_answers():
    found, web = settled("example.com", {"https://example.com/": 404})
    assert (found.origin, found.remark, found.requests) == ("https://example.com", "", 1)
    assert web.asked == ["https://example.com/"]
    assert found.home is not None


def test_spec_a_bare_name_falls_back_to_http_and_the_report_says_so():
    found, _ = settled("example.com", {"http://example.com/": 200})
    assert found.origin == "http://example.com"
    assert found.remark == "https://example.com does not answer; http://example.com is checked"
    assert found.requests == 2


@pytest.mark.parametrize(
    "end", ["https://www.example.com/", "https://www.example.com/en/", "https://shop.example.com:8443/"]
)
def test_spec_a_redirect_within_the_registrable_domain_is_followed(end):
    found, _ = settled("example.com", {"https://example.com/": end, end: 200})
    assert found.origin == end.partition("//")[0] + "//" + end.split("/")[2]
    assert found.remark == f"example.com redirects to {found.origin}; that origin is checked"


def test_spec_no_follow_origin_keeps_the_letter():
    table = {"https://example.com/": "https://www.example.com/", "https://www.example.com/": 200}
    found, _ = settled("example.com", table, follow_origin=False)
    assert found.origin == "https://example.com"
    assert "as asked" in found.remark


def test_spec_a_redirect_to_another_domain_is_told_and_not_followed():
    found, _ = settled("example.com", {"https://example.com/": "https://other.example/", "https://other.example/": 200})
    assert found.origin == "https://example.com"
    assert "another domain" in found.remark


def test_http_that_redirects_to_https_of_the_same_name_is_followed():
    table = {"http://localhost:80/": 500, "http://localhost/": "https://localhost/", "https://localhost/": 200}
    found, _ = settled("localhost", table)
    assert found.origin == "https://localhost"


def test_a_redirect_that_ends_in_an_error_leaves_the_first_origin():
    found, _ = settled("example.com", {"https://example.com/": "https://www.example.com/"})
    assert found.origin == "https://example.com"
    assert found.error is None


def test_nothing_that_answers_is_said_with_the_first_error():
    found, web = settled("dead.example", {"https://dead.example/": ErrorKind.DNS_NO_NAME})
    assert found.error is not None
    assert found.error.kind is ErrorKind.DNS_NO_NAME
    assert found.origin == "https://dead.example"
    assert len(web.asked) == 2


def test_answered_captures_settle_too():
    class One:
        async def fetch(self, request):
            return answered(request)

    assert asyncio.run(settle(read_target("example.com"), One())).origin == "https://example.com"
