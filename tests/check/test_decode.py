"""One Content-Encoding layer, undone in steps."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.check.decode import CodingError, Decoder, coding_of
from waypost.formats.inflate import Coding

PLAIN = b"<urlset>" + b" " * 3_000 + b"</urlset>"
BOUND = 1 << 20


def decoded(coding, wire, size=7, bound=BOUND):
    decoder = Decoder(coding, bound)
    pieces = [piece for at in range(0, len(wire), size) for piece in decoder.feed(wire[at : at + size])]
    return b"".join([*pieces, *decoder.finish()]), decoder


@pytest.mark.parametrize(
    ("values", "coding"),
    [
        ((), None),
        (("identity",), None),
        (("", " , "), None),
        (("gzip",), Coding.GZIP),
        ((" GZip ",), Coding.GZIP),
        (("x-gzip",), Coding.GZIP),
        (("deflate",), Coding.DEFLATE),
        (("identity, gzip",), Coding.GZIP),
        (("br",), "br"),
        (("gzip, gzip",), "gzip, gzip"),
        (("gzip", "br"), "gzip, br"),
        (("x" * 200,), "x" * 80),
    ],
)
def test_the_coding_that_fields_name(values, coding):
    assert coding_of(values) == coding


@given(st.binary(max_size=5_000), st.integers(1, 600), st.sampled_from(list(Coding)))
def test_what_was_packed_comes_out_however_it_is_cut(data, size, coding):
    wire = gzip.compress(data, mtime=0) if coding is Coding.GZIP else zlib.compress(data)
    assert decoded(coding, wire, size)[0] == data


def test_plain_bytes_pass():
    body, decoder = decoded(None, PLAIN)
    assert body == PLAIN
    assert not decoder.has_trailing


def test_spec_an_empty_answer_is_empty_whatever_its_coding():
    assert decoded(Coding.GZIP, b"")[0] == b""
    assert decoded(Coding.DEFLATE, b"")[0] == b""


def test_raw_deflate_and_members_are_read():
    packer = zlib.compressobj(wbits=-15)
    assert decoded(Coding.DEFLATE, packer.compress(PLAIN) + packer.flush())[0] == PLAIN
    assert decoded(Coding.GZIP, gzip.compress(PLAIN, mtime=0) * 3)[0] == PLAIN * 3


@pytest.mark.parametrize("tail", [b"junk", b"\x1f", b"x" * 70_000])
def test_what_follows_the_stream_is_left_out_and_noted(tail):
    body, decoder = decoded(Coding.GZIP, gzip.compress(PLAIN, mtime=0) + tail, 5_000)
    assert body == PLAIN
    assert decoder.has_trailing


@pytest.mark.parametrize(
    ("coding", "wire"),
    [
        (Coding.GZIP, b"<urlset/>"),
        (Coding.GZIP, b"x"),
        (Coding.GZIP, b"\x1f"),
        (Coding.GZIP, gzip.compress(PLAIN, mtime=0)[:-9]),
        (Coding.GZIP, gzip.compress(PLAIN, mtime=0)[:-8] + bytes(8)),
        (Coding.GZIP, gzip.compress(PLAIN, mtime=0)[:12] + b"\xff" * 40),
        (Coding.DEFLATE, zlib.compress(PLAIN)[:-2]),
        (Coding.DEFLATE, b"\xff" * 900),
    ],
)
@pytest.mark.parametrize("size", [1, 1_000])
def test_spec_bytes_that_are_not_what_they_say_are_an_error(coding, wire, size):
    with pytest.raises(CodingError):
        decoded(coding, wire, size)


def test_a_bomb_stops_a_little_after_the_bound():
    body, _ = decoded(Coding.GZIP, gzip.compress(b" " * (5 * BOUND)), 100)
    assert BOUND < len(body) <= BOUND + 2
