"""Bounded gzip and deflate: members, damage, limits, layers."""

import gzip
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.formats import inflate
from waypost.formats.inflate import Coding, Inflater, Unpacker
from waypost.formats.notes import Notes
from waypost.limits import FEED_PIECE_BYTES

TEXT = b"".join(b"<loc>https://example.com/%d</loc>\n" % number for number in range(20_000))


def unpack(*chunks, bytes_max=10_000_000):
    notes = Notes()
    unpacker = Unpacker(notes, bytes_max)
    out = [piece for chunk in chunks for piece in unpacker.feed(chunk)]
    out += unpacker.close()
    return b"".join(out), unpacker, notes


def inflated(coding, *chunks, bytes_max=10_000_000):
    notes = Notes()
    inflater = Inflater(coding, notes, bytes_max)
    out = [piece for chunk in chunks for piece in inflater.feed(chunk)]
    out += inflater.close()
    return b"".join(out), inflater, notes


def test_plain_bytes_pass_through():
    out, unpacker, notes = unpack(b"", b"x", b"", b"yz")
    assert (out, unpacker.layers, unpacker.complete, notes.counts) == (b"xyz", 0, True, {})
    assert unpack(b"\x1f")[0] == b"\x1f"


def test_members_follow_each_other_and_nul_padding_is_fine():
    out, unpacker, notes = unpack(gzip.compress(TEXT) + gzip.compress(b"two") + b"\0" * 300)
    assert out == TEXT + b"two"
    assert (unpacker.layers, unpacker.complete, notes.counts) == (1, True, {})


@pytest.mark.parametrize("trailing", [b"x", b"junk", b"\x1f", b"\0\0junk"])
def test_trailing_bytes_are_noted_and_ignored(trailing):
    out, unpacker, notes = unpack(gzip.compress(TEXT) + trailing + b"", b"")
    assert out == TEXT
    assert unpacker.complete
    assert notes.counts == {inflate.GZIP_TRAILING: 1}


def test_gzip_inside_gzip_is_opened_and_noted_but_not_a_third():
    twice = gzip.compress(gzip.compress(TEXT))
    out, unpacker, notes = unpack(twice)
    assert (out, unpacker.layers, notes.counts) == (TEXT, 2, {inflate.GZIP_TWICE: 1})
    thrice, unpacker, _ = unpack(gzip.compress(twice))
    assert (gzip.decompress(thrice), unpacker.layers) == (TEXT, 2)


@pytest.mark.parametrize("cut", [3, 20, 500, -8, -1])
def test_a_truncated_stream_keeps_what_was_there(cut):
    packed = gzip.compress(TEXT)[:cut]
    out, unpacker, notes = unpack(packed)
    assert TEXT.startswith(out)
    assert len(out) >= len(packed) // 2 - 20
    assert not unpacker.complete
    assert notes.counts == {inflate.GZIP_TRUNCATED: 1}


def test_a_damaged_stream_keeps_what_came_before_the_damage():
    packed = bytearray(gzip.compress(TEXT))
    packed[-3] ^= 0xFF
    out, unpacker, notes = unpack(bytes(packed))
    assert out == TEXT
    assert not unpacker.complete
    assert notes.counts == {inflate.GZIP_BROKEN: 1}


def test_a_member_that_starts_at_the_edge_of_a_block_is_found(monkeypatch):
    members = gzip.compress(b"one", mtime=0) + gzip.compress(b"two", mtime=0)
    for size in range(2, 40):
        monkeypatch.setattr(inflate, "_BLOCK_BYTES", size)
        out, unpacker, notes = unpack(members)
        assert (out, unpacker.complete, notes.counts) == (b"onetwo", True, {})


def test_undamaged_data_is_good_to_its_end():
    assert inflate._good_part(zlib.decompressobj(31), gzip.compress(b"whole")) == b"whole"


def test_damage_never_brings_more_than_the_limit():
    packed = bytearray(gzip.compress(b"a" * 500_000))
    packed[-3] ^= 0xFF
    assert len(unpack(bytes(packed), bytes_max=1_000)[0]) == 1_002


def test_a_bomb_stops_a_little_over_the_limit():
    packed = gzip.compress(b"\0" * 30_000_000, 1)
    out, unpacker, notes = unpack(packed, packed, bytes_max=2_000_000)
    assert len(out) == 2_000_002
    assert unpacker.complete
    assert notes.counts == {}


@pytest.mark.parametrize("wbits", [zlib.MAX_WBITS, -zlib.MAX_WBITS])
def test_both_things_called_deflate_are_read(wbits):
    packer = zlib.compressobj(wbits=wbits)
    packed = packer.compress(TEXT) + packer.flush()
    out, inflater, notes = inflated(Coding.DEFLATE, packed[:1], packed[1:])
    assert (out, inflater.complete, notes.counts) == (TEXT, True, {})
    assert inflated(Coding.DEFLATE, packed + b"xx")[2].counts == {inflate.GZIP_TRAILING: 1}


@pytest.mark.parametrize("over", [-1, 0, 1, 200, FEED_PIECE_BYTES])
@pytest.mark.parametrize("room", [0, 100, 3 * FEED_PIECE_BYTES])
def test_a_bare_stream_is_read_to_its_end_however_full_the_last_piece_is(over, room):
    text = b"a" * (FEED_PIECE_BYTES + over)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(text) + packer.flush()
    out, inflater, notes = inflated(Coding.DEFLATE, packed, bytes_max=FEED_PIECE_BYTES + room)
    assert out == text[: FEED_PIECE_BYTES + room + 2]
    assert (inflater.complete, notes.counts) == (True, {})


@pytest.mark.parametrize("coding", list(Coding))
def test_nothing_at_all_is_truncated(coding):
    out, inflater, notes = inflated(coding)
    assert (out, inflater.complete, notes.counts) == (b"", False, {inflate.GZIP_TRUNCATED: 1})


def test_what_is_no_gzip_is_broken():
    assert inflated(Coding.GZIP, b"not gzip")[2].counts == {inflate.GZIP_BROKEN: 1}


def test_every_kind_of_note_is_documented():
    assert {
        value for name, value in vars(inflate).items() if name.startswith("GZIP_") and isinstance(value, str)
    } == set(inflate.INFLATE_NOTES)


@settings(max_examples=300)
@given(st.data())
def test_any_bytes_in_any_chunks_never_raise_and_unpack_the_same(data):
    packed = bytearray(
        data.draw(
            st.sampled_from([gzip.compress(TEXT[:900]), gzip.compress(b"a") * 3, gzip.compress(gzip.compress(b"b"))])
        )
    )
    for at, byte in data.draw(st.lists(st.tuples(st.integers(0, len(packed) - 1), st.integers(0, 255)), max_size=3)):
        packed[at] = byte
    packed += data.draw(st.binary(max_size=5))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(packed)), max_size=5)))
    chunks = [bytes(packed[start:end]) for start, end in zip([0, *cuts], [*cuts, len(packed)], strict=True)]
    whole, chunked = unpack(bytes(packed)), unpack(*chunks)
    assert whole[0] == chunked[0]
    assert whole[1].complete == chunked[1].complete
    assert whole[2].freeze() == chunked[2].freeze()
