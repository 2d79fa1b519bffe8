from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.urls import (
    Origin,
    UrlFault,
    absolute,
    host_of,
    is_absolute,
    normalise,
    path_of,
    quote_path,
    read_host,
    same_host,
    url_fault,
)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://example.com", "https://example.com"),
        ("HTTPS://Example.COM:443/a?b#c", "https://example.com"),
        ("http://example.com:8000/", "http://example.com:8000"),
        ("http://user:pw@example.com/", "http://example.com"),
        ("http://[::1]:80/", "http://[::1]"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://example.com./a", "http://example.com"),
    ],
)
def test_origin_of_a_url(url, origin):
    assert str(Origin.parse(url)) == origin


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "//example.com",
        "ftp://example.com",
        "http:///a",
        "http://a b/",
        "http://exa<mple/",
        "http://h:99999/",
        "http\u017f://example.com/",  # a letter that case folding takes for an s
    ],
)
def test_no_origin(url):
    assert Origin.parse(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "http://example.com/a?b=c#d",
        "https://bücher.example/ä",
        "http://[2001:db8::1]:8080/",
        "http://1.2.3.4/",
        "http://a_b.example./",
        "https://h/%C3%A4",
        "http://h:80",
    ],
)
def test_good_urls_have_no_fault(url):
    assert url_fault(url) is None
    assert is_absolute(url)


@pytest.mark.parametrize(
    ("url", "fault", "is_absolute_all_the_same"),
    [
        ("", UrlFault.EMPTY, False),
        ("  ", UrlFault.EMPTY, False),
        ("/a", UrlFault.RELATIVE, False),
        ("//h/a", UrlFault.RELATIVE, False),
        ("www.example.com/a", UrlFault.RELATIVE, False),
        ("mailto:a@b", UrlFault.SCHEME, False),
        ("javascript:alert(1)", UrlFault.SCHEME, False),
        ("http:///a", UrlFault.HOST, False),
        ("http\u017f://h/a", UrlFault.RELATIVE, False),
        ("http:/h/a", UrlFault.HOST, False),
        ("http://:80/", UrlFault.HOST, False),
        ("http://a..b/", UrlFault.HOST, True),
        ("http://999.1.1.1/", UrlFault.HOST, True),
        ("http://[::g]/", UrlFault.HOST, True),
        ("http://[::1/", UrlFault.HOST, True),
        ("http://bü cher/", UrlFault.BLANK, True),
        ("http://bü@@x/", UrlFault.HOST, True),
        ("http://" + "a" * 64 + ".example/", UrlFault.HOST, True),
        ("http://h:99999/", UrlFault.PORT, True),
        ("http://h:8x/", UrlFault.PORT, True),
        ("http://h:0/", UrlFault.PORT, True),
        ("http://h/a\x00", UrlFault.CONTROL, True),
        ("http://h\x07/a", UrlFault.CONTROL, True),
        ("http://h/a b", UrlFault.BLANK, True),
        ("http://h/100%-sure", UrlFault.ESCAPE, True),
        ("http://h/" + "a" * 2048, UrlFault.LONG, True),
        ("http://u:p@h/", UrlFault.CREDENTIALS, True),
        ("http://h/{{ url }}", UrlFault.BLANK, True),
        ("http://h/{id}", UrlFault.UNWISE, True),
    ],
)
def test_faults_are_named(url, fault, is_absolute_all_the_same):
    assert url_fault(url) is fault
    assert is_absolute(url) is is_absolute_all_the_same


def test_sitemaps_org_a_loc_is_shorter_than_2048():
    assert url_fault("http://h/" + "a" * (2047 - 9)) is None
    assert url_fault("http://h/" + "a" * (2048 - 9)) is UrlFault.LONG


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("example.com", ("example.com", None)),
        (b"EXAMPLE.com:8000", ("example.com", 8000)),
        ("localhost", ("localhost", None)),
        ("127.0.0.1:1", ("127.0.0.1", 1)),
        ("[::1]:8000", ("[::1]", 8000)),
        ("example.com.", ("example.com", None)),
        ("example.com:", ("example.com", None)),
        ("xn--bcher-kva.example", ("xn--bcher-kva.example", None)),
    ],
)
def test_rfc9110_hosts_that_are_read(raw, read):
    assert read_host(raw) == read


@pytest.mark.parametrize(
    "raw",
    [
        "", " ", "a b", "a\r\nb", "a\x00b", 'a"b', "a'b", "a<b", "a@b", "a%0d", "a/b", "a?b", "a#b", "1.2.3.4:99999", "1.2.3", "256.1.1.1", "bücher.example",
        "[::1", "::1", "[::g]", "[fe80::1%25eth0]", "a:b", "a:-1", "a: 80", ":80", ".", "a..b", ".a", "-a", "a-", "a" * 256, "a" * 64, "http://a", "a,b", "a;b", "a\\b",
        "0x7f.1", "a:８０", "a:80:80",
    ],
)  # fmt: skip
def test_hosts_that_are_refused(raw):
    assert read_host(raw) is None
    assert read_host(raw.encode("utf-8")) is None


@given(st.text() | st.binary())
def test_any_host_is_read_or_refused_without_raising(raw):
    read = read_host(raw)
    if read:
        host, port = read
        assert read_host(host if port is None else f"{host}:{port}") == read
        assert Origin.parse(f"http://{host}" + ("" if port is None else f":{port}")) is not None


@pytest.mark.parametrize(
    ("reference", "joined"),
    [
        ("b", "https://h/x/b"),
        ("/b", "https://h/b"),
        ("../b", "https://h/b"),
        ("?q", "https://h/x/a?q"),
        ("//o/b", "https://o/b"),
        ("http://o/b", "http://o/b"),
        (" /b\n", "https://h/b"),
        ("http:///b", None),
        ("http:b", None),
        ("ftp://o/b", None),
        ("javascript:1", None),
        ("//[::1", None),
        ("", "https://h/x/a"),
    ],
)
def test_rfc3986_joining(reference, joined):
    assert absolute("https://h/x/a", reference) == joined


SEGMENTS = st.lists(st.text("aB0._~-", max_size=3) | st.sampled_from([".", "..", "...", "a.b"]), max_size=5)


@given(SEGMENTS, SEGMENTS, st.booleans(), st.booleans())
def test_a_path_is_joined_as_the_standard_library_does(below, segments, is_whole, ends_open):
    base = f"https://h:8000/{'/'.join(below).lstrip('/')}"
    reference = f"{'/' * is_whole}{'/'.join(segments)}{'/' * ends_open}"
    assert absolute(base, reference) == urljoin(base, reference)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://h/", "https://h/a", True),
        ("http://H./", "http://h", True),
        ("http://h:80/", "https://h:443/", True),
        ("http://h:81/", "http://h/", False),
        ("http://www.h/", "http://h/", False),
        ("/a", "/b", False),
        ("http://exa/", "http://exa[mple/x", False),
        ("http://exa[mple/", "http://exa[mple/", False),
        ("http://h:080/", "http://h/", True),
        ("http\u017f://h/", "http\u017f://h/", False),
    ],
)
def test_spec_scope_compares_hosts_and_ports(one, other, same):
    assert same_host(one, other) is same


def test_parts_of_a_url():
    assert host_of("http://U@H:80/a") == "h"
    assert host_of("/a") == ""
    assert host_of("http://exa[mple/") == ""
    assert path_of("http://h") == "/"
    assert path_of("http://h?q#f") == "/?q"
    assert path_of("/a") == "/"
    assert quote_path("/ä b") == "/%C3%A4%20b"


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTP://Example.com:80", "http://example.com/"),
        ("http://h/%7ea", "http://h/~a"),
        ("http://h/%c3%a4", "http://h/%C3%A4"),
        ("http://h/ä", "http://h/%C3%A4"),
        ("http://h/a/./b/../c", "http://h/a/c"),
        ("http://h/a/..", "http://h/"),
        ("http://h/a/b/..", "http://h/a/"),
        ("http://u@h:81/a?b=%2f#c", "http://u@h:81/a?b=%2F#c"),
        ("nonsense", "nonsense"),
        ("http://h:080/", "http://h/"),
        ("http://h:00081/", "http://h:81/"),
        ("http://h:/", "http://h/"),
        ("http://exa[mple/%7ea", "http://exa[mple/%7ea"),
        ("http\u017f://h/../a", "http\u017f://h/../a"),
    ],
)
def test_rfc3986_one_spelling(url, normal):
    assert normalise(url) == normal
    assert normalise(normal) == normal


PIECES = [
    "http",
    "https",
    "://",
    "h",
    "example.com",
    "A",
    ".",
    "..",
    ":80",
    ":443",
    ":8000",
    "/",
    "//",
    "a",
    "%7e",
    "~",
    "é",
]


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_the_short_way_for_plain_urls_is_the_long_way(url):
    assert normalise(f"{url}?") == f"{normalise(url)}?" or "://" not in url


@given(st.text())
def test_any_text_has_a_fault_or_none_and_joins_without_raising(text):
    if url_fault(text) is None:
        assert is_absolute(text)
    absolute("https://h/", text)
    normalise(text)
    same_host(text, text)
