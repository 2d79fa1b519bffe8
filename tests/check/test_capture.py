"""One exchange as a value: what it derives from its hops, and bodies in memory and on disk."""

import gc
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.check.body import Body, BodyWriter
from waypost.check.capture import (
    Capture,
    ErrorKind,
    Family,
    FetchError,
    Headers,
    Hop,
    Purpose,
    Request,
    answered,
    unanswered,
)


def test_every_error_kind_has_its_own_word_and_a_sentence() -> None:
    words = [kind.word for kind in ErrorKind]
    assert len(set(words)) == len(words)
    assert {kind.family for kind in ErrorKind} == set(Family)
    for kind in ErrorKind:
        assert kind.word == kind.word.lower()
        assert " " not in kind.word
        assert kind.sentence[0].islower()
        assert not kind.sentence.endswith(".")
        assert ErrorKind(kind.value) is kind


def test_an_error_says_its_particulars_when_it_has_some() -> None:
    assert FetchError(ErrorKind.REFUSED).sentence == "the server refused the connection"
    detailed = FetchError(ErrorKind.REDIRECT_COUNT, "6 hops")
    assert detailed.sentence.endswith("are followed (6 hops)")
    assert detailed.family is Family.REDIRECT


def test_headers_compare_names_without_case_and_keep_repeats_in_order() -> None:
    headers = Headers((("Content-Type", "text/plain"), ("link", "<a>"), ("Link", "<b>")))
    assert headers.get("content-type") == "text/plain"
    assert headers.all("LINK") == ("<a>", "<b>")
    assert headers.get("etag") == ""
    assert headers.get("etag", "none") == "none"
    assert "LINK" in headers
    assert "etag" not in headers
    assert 3 not in headers
    assert len(headers) == 3
    assert next(iter(headers)) == ("Content-Type", "text/plain")


def test_a_capture_speaks_for_its_last_hop() -> None:
    hops = (
        Hop("https://example.com/a", 301, Headers((("Location", "/b"),)), 0.1, "192.0.2.1"),
        Hop("https://example.com/b", 200, Headers((("Content-Type", "Text/XML; charset=utf-8"),)), 0.2, "192.0.2.2"),
    )
    capture = Capture(Request("https://example.com/a", Purpose.ROBOTS), hops, Body(b"x"))
    assert capture.url == "https://example.com/a"
    assert capture.final_url == "https://example.com/b"
    assert capture.status == 200
    assert capture.address == "192.0.2.2"
    assert capture.content_type == "text/xml"
    assert capture.was_redirected
    assert capture.requests == 2
    assert capture.is_success
    assert hops[0].location == "/b"


def test_a_capture_without_hops_has_no_status_and_still_cost_one_request() -> None:
    capture = unanswered("https://example.com/a", ErrorKind.DNS_NO_NAME, "example.com")
    assert (capture.status, capture.final_url, capture.address) == (0, "https://example.com/a", "")
    assert capture.requests == 1
    assert not capture.is_success
    assert not capture.was_redirected
    assert len(capture.headers) == 0
    assert capture.content_type == ""
    assert capture.error is not None
    assert capture.error.kind is ErrorKind.DNS_NO_NAME


def test_answered_takes_mappings_pairs_bytes_and_bodies() -> None:
    first = answered("https://example.com/", b"abc", headers={"a": "b"})
    second = answered(Request("https://example.com/"), Body(b"abc"), headers=[("a", "b")])
    assert first == second
    assert first.is_success
    assert first.wire_bytes == 3
    assert not answered("https://example.com/", status=404).is_success


@given(st.lists(st.binary(max_size=40)), st.integers(0, 100), st.integers(1, 30))
def test_a_body_is_the_same_in_memory_and_on_disk(pieces: list[bytes], memory: int, size: int) -> None:
    writer = BodyWriter(memory_bytes_max=memory)
    for piece in pieces:
        writer.write(piece)
    whole = b"".join(pieces)
    assert len(writer) == len(whole)
    body = writer.finish()
    assert body.is_spooled == (len(whole) > memory)
    assert body.read() == whole
    assert len(body) == len(whole)
    assert bool(body) == bool(whole)
    assert b"".join(body.chunks(size)) == whole
    assert all(len(chunk) <= size for chunk in body.chunks(size))
    assert body.head(7) == whole[:7]
    assert body == Body(whole)
    assert hash(body) == hash(Body(whole))
    assert body.sha256 == Body(whole).sha256
    assert len(writer) == 0
    assert writer.finish().read() == b""


def test_a_spooled_body_lets_go_of_its_file_when_nobody_holds_it() -> None:
    before = len(os.listdir("/proc/self/fd"))
    writer = BodyWriter(memory_bytes_max=1)
    writer.write(b"abc")
    body: Body | None = writer.finish()
    assert body is not None
    assert body.is_spooled
    assert "spooled" in repr(body)
    body = None
    gc.collect()
    with BodyWriter(memory_bytes_max=0) as left:
        left.write(b"abc")
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("other", [b"abc", None, Body(b"abd"), Body(b"ab")])
def test_bodies_differ_by_their_bytes(other: object) -> None:
    assert Body(b"abc") != other
    assert repr(Body(b"abc")) == "Body(3 bytes)"
