"""Files: parts of them by byte ranges, whole however long, and the icons browsers look for."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.web.client import waypost
from tests.web.roots import write

from waypost.publish.exchange import Ask
from waypost.publish.negotiate import byte_range

DATA = bytes(range(256)) * 4


@pytest.fixture
def file(starter, here):
    (starter / "content/film.mp4").write_bytes(DATA)
    return here


@pytest.mark.parametrize(
    ("asked", "part"),
    [("bytes=0-0", (0, 1)), ("bytes=0-", (0, 1024)), ("bytes=1023-", (1023, 1024)), ("bytes=100-199", (100, 200)),
     ("bytes=1000-9999999", (1000, 1024)), ("bytes=-1", (1023, 1024)), ("bytes=-5000", (0, 1024)), ("Bytes=5-6", (5, 7)),
     ("bytes= 5-6 ", (5, 7)), (f"bytes=0-{'9' * 40}", (0, 1024))],
)  # fmt: skip
def test_rfc9110_one_range_is_answered_with_its_bytes(file, asked, part):
    first, end = part
    answer = file.ask("/film.mp4", range=asked)
    assert answer.status == 206
    assert answer.body == DATA[first:end]
    assert answer.headers["content-range"] == f"bytes {first}-{end - 1}/1024"
    assert answer.headers["content-length"] == str(end - first)
    assert answer.headers["accept-ranges"] == "bytes"
    assert answer.headers["content-type"] == "video/mp4"


@pytest.mark.parametrize("asked", ["bytes=1024-", "bytes=5000-6000", "bytes=-0", f"bytes={'9' * 30}-"])
def test_rfc9110_a_range_outside_is_416_with_the_length(file, asked):
    answer = file.ask("/film.mp4", range=asked)
    assert (answer.status, answer.body) == (416, b"")
    assert answer.headers["content-range"] == "bytes */1024"


@pytest.mark.parametrize(
    "asked",
    ["bytes=0-1,5-6", "bytes=-", "bytes=", "bytes=6-5", "bytes=a-b", "lines=0-1", "bytes=0-1 x", "0-1", "bytes=1-2-3", "bytes=٠-١".encode().decode("latin-1"),
     "bytes=" + ",".join(f"{n}-{n}" for n in range(2_000)), f"bytes=0-{'9' * 5_000}"],
)  # fmt: skip
def test_whatever_is_not_one_range_is_answered_whole(file, asked):
    answer = file.ask("/film.mp4", range=asked)
    assert (answer.status, answer.body) == (200, DATA)
    assert "content-range" not in answer.headers


def test_rfc9110_if_range_guards_against_halves_of_two_files(file, starter):
    whole = file.ask("/film.mp4")
    tag = whole.headers["etag"]
    assert file.ask("/film.mp4", range="bytes=0-1", if_range=tag).status == 206
    for other in ('"else"', f"W/{tag}", "Tue, 20 Jan 2026 10:00:00 GMT", tag.strip('"')):
        answer = file.ask("/film.mp4", range="bytes=0-1", if_range=other)
        assert (answer.status, answer.body) == (200, DATA), other
    (starter / "content/film.mp4").write_bytes(DATA[::-1])
    assert file.ask("/film.mp4", range="bytes=0-1", if_range=tag).body == DATA[::-1]


def test_a_range_counts_for_get_alone_and_after_what_the_client_has(file):
    head = file.ask("/film.mp4", method="HEAD", range="bytes=0-1")
    assert (head.status, head.headers["content-length"], head.body) == (200, "1024", b"")
    tag = head.headers["etag"]
    assert file.ask("/film.mp4", range="bytes=0-1", if_none_match=tag).status == 304
    assert file.ask("/docs/intro", range="bytes=0-1").status == 200


def test_an_empty_file_has_no_range(starter, here):
    write(starter / "content/empty.txt", "")
    assert here.ask("/empty.txt").status == 200
    for asked in ("bytes=0-", "bytes=-1", "bytes=0-0"):
        assert here.ask("/empty.txt", range=asked).status == 416


@given(st.text("bytes=-0123456789, \t", max_size=20), st.integers(0, 50))
def test_any_range_header_means_a_part_of_the_file_or_nothing(text, size):
    part = byte_range(Ask("http://x", "GET", "/f", byte_range=text), '"e"', size)
    assert part is None or (0 <= part.start <= part.stop <= size and part.step == 1)
    assert byte_range(Ask("http://x", "HEAD", "/f", byte_range=text), '"e"', size) is None


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """A real server with a file that is sent in pieces, and what is in it."""
    place: Path = tmp_path_factory.mktemp("files")
    data = random.Random(5).randbytes(5_000_000)
    write(place / "site/index.md", "# Home\n")
    (place / "site/big.bin.zip").write_bytes(data)
    with waypost(str(place / "site"), log=place / "log") as running:
        yield running, data


@pytest.mark.parametrize(
    ("asked", "part"),
    [("", slice(None)), ("bytes=10-", slice(10, None)), ("bytes=3-4000000", slice(3, 4_000_001)),
     ("bytes=-2000000", slice(-2_000_000, None)), ("bytes=4999999-", slice(4_999_999, None))],
)  # fmt: skip
def test_a_real_server_streams_any_part_of_a_long_file(long, asked, part):
    server, data = long
    answer = server.ask("/big.bin.zip", range=asked) if asked else server.ask("/big.bin.zip")
    assert answer.status == (206 if asked else 200)
    assert answer.body == data[part]
    assert server.ask("/big.bin.zip", method="HEAD").headers["content-length"] == "5000000"
    assert server.ask("/big.bin.zip", range="bytes=5000000-").status == 416


def test_a_download_that_broke_off_goes_on_where_it_was(long):
    server, data = long
    half = server.ask("/big.bin.zip", range="bytes=0-2499999")
    rest = server.ask("/big.bin.zip", range="bytes=2500000-", if_range=half.headers["etag"])
    assert half.body + rest.body == data


def test_a_browser_that_looks_for_an_icon_always_finds_one(starter, here):
    built_in = here.ask("/favicon.ico")
    assert (built_in.status, built_in.body[:4]) == (200, b"\0\0\1\0")
    assert built_in.headers["content-type"].startswith("image/")
    assert here.ask("/favicon.ico", if_none_match=built_in.headers["etag"]).status == 304
    head = here.ask("/favicon.ico", method="HEAD")
    assert (head.headers, head.body) == (built_in.headers, b"")
    write(starter / "themes/favicon.ico", "a theme's")
    assert here.ask("/favicon.ico").body == b"a theme's"
    write(starter / "content/favicon.ico", "the owner's")
    assert here.ask("/favicon.ico").body == b"the owner's"
    write(starter / "content/favicon.ico.toml", 'tags = ["staff-only"]\n')
    assert here.ask("/favicon.ico").body == b"a theme's"


def test_pages_link_the_icons_that_are_there(starter, here):
    assert 'rel="icon" href="/_waypost/icon.' in here.ask("/").text
    write(starter / "content/apple-touch-icon.png", "png")
    write(starter / "content/site.webmanifest", "{}")
    page = here.ask("/").text
    assert '<link rel="apple-touch-icon" href="/apple-touch-icon.png">' in page
    assert '<link rel="manifest" href="/site.webmanifest">' in page
    assert 'rel="icon" href="/_waypost/icon.' in page
    write(starter / "content/favicon.ico", "ico")
    write(starter / "content/favicon.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    page = here.ask("/").text
    assert '<link rel="icon" href="/favicon.svg" type="image/svg+xml">' in page
    assert '<link rel="icon" href="/favicon.ico" sizes="32x32">' in page
    assert "/_waypost/icon." not in page
    types = {path: here.ask(path).headers["content-type"] for path in ("/apple-touch-icon.png", "/site.webmanifest", "/favicon.svg")}  # fmt: skip
    assert list(types.values()) == ["image/png", "application/manifest+json", "image/svg+xml"]
    assert "content-disposition" not in here.ask("/site.webmanifest").headers
    for path in ("/favicon.ico", "/apple-touch-icon.png", "/site.webmanifest"):
        assert path not in here.ask("/sitemap.xml").text


def test_a_file_that_is_not_to_be_indexed_says_so(starter, file):
    assert "x-robots-tag" not in file.ask("/film.mp4").headers
    write(starter / "content/film.mp4.toml", "noindex = true\n")
    answer = file.ask("/film.mp4", range="bytes=0-1")
    assert (answer.status, answer.headers["x-robots-tag"]) == (206, "noindex")
