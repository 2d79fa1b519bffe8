"""URLs for the wire, and where a Location leads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.check.capture import ErrorKind, Family, FetchError
from waypost.check.hostname import ascii_host
from waypost.check.place import OTHER_PROTOCOLS, Place, follow, read_place, registrable_domain


def place(url):
    found = read_place(url)
    assert isinstance(found, Place), found
    return found


@pytest.mark.parametrize(
    ("url", "wire"),
    [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://Example.COM:443/a", "https://example.com/a"),
        ("http://example.com:80?q", "http://example.com/?q"),
        ("http://example.com:8080/a?b#c", "http://example.com:8080/a?b"),
        ("  https://example.com/a\n", "https://example.com/a"),
        ("https://bücher.example/ü?ü", "https://xn--bcher-kva.example/%C3%BC?%C3%BC"),
        ("https://faß.de/", "https://xn--fa-hia.de/"),
        ("https://☃.example/", "https://xn--n3h.example/"),
        ("https://example.com./a", "https://example.com/a"),
        ("https://example.com/a b", "https://example.com/a%20b"),
        ('https://example.com/%zz/"<>\\^`{|}', "https://example.com/%zz/%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("http://[::1]:8000/", "http://[::1]:8000/"),
        ("http://[0:0::1]/", "http://[::1]/"),
        ("http://0x7f.1:8000/", "http://127.0.0.1:8000/"),
        ("http://１２７.0.0.1/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("https://a_b.example/", "https://a_b.example/"),
        ("https://example.com\\x", "https://example.com/%5Cx"),
    ],
)
def test_a_url_is_spelled_for_the_wire(url, wire):
    assert place(url).url == wire
    assert place(wire).url == wire


@pytest.mark.parametrize(
    "url",
    [
        "", "example.com", "/a", "//example.com/", "ftp://example.com/", "http:/example.com", "http:example.com",
        "http://", "http:///x", "https://user@example.com/", "https://user:pw@example.com/", "https://exa mple.com/",
        "https://example.com:0/", "https://example.com:65536/", "https://example.com:http/", "https://example.com:８/",
        "https://exam\0ple.com/", "https://example.com/a\x1bb", "https://-.example/", "https://..", "https://a..b/",
        "https://[::1", "https://[zz]/", "https://example.com:80:80/", "https://" + "a" * 64 + ".com/", "https://%00/",
        "https://a%2fb/", "http\u017f://example.com/", "https://\ud800.com/", "mailto:a@example.com", "https://" + "a." * 127 + "com/",
    ],
)  # fmt: skip
def test_what_leads_nowhere_is_an_error_and_no_exception(url):
    found = read_place(url)
    assert isinstance(found, FetchError)
    assert found.kind is ErrorKind.URL_INVALID


@given(
    st.text(max_size=60), st.sampled_from(["", "http://", "https://", "https://example.com", "http://[", "https://a@"])
)
def test_reading_any_text_gives_a_place_or_an_error(text, start):
    found = read_place(start + text)
    if isinstance(found, Place):
        assert found.url.isascii()
        assert found.url.isprintable()
        assert " " not in found.url
        assert place(found.url) == found
    else:
        assert isinstance(found, FetchError)


BASE = "https://example.com/dir/page?q"


@pytest.mark.parametrize(
    ("location", "ends"),
    [
        ("/x", "https://example.com/x"),
        ("x", "https://example.com/dir/x"),
        ("../x", "https://example.com/x"),
        ("?y", "https://example.com/dir/page?y"),
        ("#f", "https://example.com/dir/page?q"),
        ("//www.example.com/", "https://www.example.com/"),
        ("http://other.example/", "http://other.example/"),
        ("HTTP://OTHER.example:80", "http://other.example/"),
        ("  /x  ", "https://example.com/x"),
        ("/a b", "https://example.com/a%20b"),
        ("/a%20b", "https://example.com/a%20b"),
        ("/\xc3\xbc", "https://example.com/%C3%BC"),
        ("/\xfc", "https://example.com/%C3%BC"),
        ("\\\\evil.example\\", "https://example.com/dir/%5C%5Cevil.example%5C"),
        ("/\\evil.example", "https://example.com/%5Cevil.example"),
        ("./a:b", "https://example.com/dir/a:b"),
        ("//xn--bcher-kva.example", "https://xn--bcher-kva.example/"),
    ],
)
def test_a_location_is_followed(location, ends):
    found = follow(place(BASE), location)
    assert isinstance(found, Place), found
    assert found.url == ends


@pytest.mark.parametrize(
    ("location", "kind"),
    [
        ("", ErrorKind.REDIRECT_NOWHERE),
        ("  ", ErrorKind.REDIRECT_NOWHERE),
        ("/" + "a" * 2_048, ErrorKind.REDIRECT_LONG),
        ("ftp://example.com/", ErrorKind.REDIRECT_SCHEME),
        ("file:///etc/passwd", ErrorKind.REDIRECT_SCHEME),
        ("javascript:alert(1)", ErrorKind.REDIRECT_SCHEME),
        ("JavaScript://%0aalert(1)", ErrorKind.REDIRECT_SCHEME),
        ("data:,x", ErrorKind.REDIRECT_SCHEME),
        ("httpx://example.com/", ErrorKind.REDIRECT_SCHEME),
        ("http:///x", ErrorKind.REDIRECT_INVALID),
        ("http:/x", ErrorKind.REDIRECT_INVALID),
        ("http:x", ErrorKind.REDIRECT_INVALID),
        ("https:", ErrorKind.REDIRECT_INVALID),
        ("///x", ErrorKind.REDIRECT_INVALID),
        ("//", ErrorKind.REDIRECT_INVALID),
        ("http://a b/", ErrorKind.REDIRECT_INVALID),
        ("http://[::1/", ErrorKind.REDIRECT_INVALID),
        ("//[", ErrorKind.REDIRECT_INVALID),
        ("/a\x00b", ErrorKind.REDIRECT_INVALID),
        ("/a\tb", ErrorKind.REDIRECT_INVALID),
        ("http://user@example.com/", ErrorKind.REDIRECT_CREDENTIALS),
        ("//a:b@example.com/", ErrorKind.REDIRECT_CREDENTIALS),
        ("http://example.com:0/", ErrorKind.REDIRECT_INVALID),
    ],
)
def test_a_location_that_is_not_followed_says_why(location, kind):
    found = follow(place(BASE), location)
    assert isinstance(found, FetchError)
    assert found.kind is kind


def test_a_location_of_the_greatest_length_is_followed():
    assert isinstance(follow(place(BASE), "/" + "a" * 2_047), Place)


@given(st.text(alphabet=st.characters(max_codepoint=255), max_size=80))
def test_following_any_location_gives_a_place_or_an_error(location):
    found = follow(place(BASE), location)
    assert isinstance(found, Place) or found.family in {Family.REDIRECT, Family.URL}


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.example.com", "example.com"),
        ("example.com", "example.com"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("co.uk", "co.uk"),
        ("user.github.io", "user.github.io"),
        ("127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost"),
        ("www.bücher.de", "xn--bcher-kva.de"),
        ("not a host", "not a host"),
    ],
)
def test_the_registrable_domain(host, domain):
    assert registrable_domain(host) == domain


def test_hosts_are_names_without_ports():
    assert ascii_host("Example.COM.") == "example.com"
    assert ascii_host("i❤.ws") == "xn--i-7iq.ws"
    assert ascii_host("example.com:80") is None
    assert ascii_host("") is None
    assert ascii_host("\ud800") is None


def test_the_ports_of_other_protocols_are_not_the_web_ones():
    assert {22, 25, 6667} <= OTHER_PROTOCOLS
    assert not {80, 443, 8000, 8080, 8443, 3000, 5000} & OTHER_PROTOCOLS


def test_a_place_writes_its_origin():
    assert place("http://[::1]:80/a").origin == "http://[::1]"
    assert place("https://example.com:8443/a").origin == "https://example.com:8443"
