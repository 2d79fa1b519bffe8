"""Aliases and paths: one spelling, one URL."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.publish.canonical import (
    AliasFault,
    alias_path,
    canonical_alias,
    claim_rank,
    id_path,
    read_id,
    read_path,
)


@pytest.mark.parametrize(
    ("text", "alias"),
    [
        ("docs/intro", "docs/intro"),
        (" /Docs//Intro/ ", "docs/intro"),
        ("/", ""),
        ("", ""),
        ("a:b@c", "a:b@c"),
        ("a!$&'()*+,;=b", "a!$&'()*+,;=b"),
        ("A~B_C-D.E", "a~b_c-d.e"),
    ],
)
def test_spec_an_alias_has_one_canonical_form(text, alias):
    assert canonical_alias(text) == alias


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a\x00b", AliasFault.CONTROL),
        ("a\nb", AliasFault.CONTROL),
        ("a\x85b", AliasFault.CONTROL),
        ("a\\b", AliasFault.BACKSLASH),
        ("../a", AliasFault.DOTS),
        ("a/./b", AliasFault.DOTS),
        ("a/..", AliasFault.DOTS),
        ("100%", AliasFault.PERCENT),
        ("a%2fb", AliasFault.PERCENT),
        ("café", AliasFault.CHARACTER),
        ("a b", AliasFault.CHARACTER),
        ("a?b", AliasFault.CHARACTER),
        ("a#b", AliasFault.CHARACTER),
        ('a"b', AliasFault.CHARACTER),
        ("<a>", AliasFault.CHARACTER),
        ("a" * 1_701, AliasFault.LONG),
    ],
)
def test_spec_what_cannot_be_an_alias_has_a_reason(text, fault):
    assert canonical_alias(text) is fault
    assert fault.value


@pytest.mark.parametrize(
    ("text", "alias"),
    [("Über uns/Team", "über-uns/team"), ("Cafe\u0301", "caf\u00e9"), ("a \u00a0 b", "a-b"), ("日本/語", "日本/語")],
)
def test_spec_an_alias_from_a_path_may_hold_unicode_as_nfc_and_blanks_become_hyphens(text, alias):
    assert canonical_alias(text, derived=True) == alias


def test_a_mark_joins_the_small_letter_also_where_it_joins_no_capital():
    letters = [letter for letter in map(chr, range(0x250)) if letter != letter.lower()]
    for text in (letter + mark for letter in letters for mark in map(chr, range(0x300, 0x345))):
        alias = canonical_alias(text, derived=True)
        assert read_path(alias_path(alias)) == alias == unicodedata.normalize("NFC", alias)
    assert canonical_alias("T\u0308est", derived=True) == "\u1e97est"


def test_a_derived_alias_is_measured_as_its_url_carries_it():
    assert canonical_alias("é" * 300, derived=True) is AliasFault.LONG


@given(st.text(max_size=30), st.booleans())
def test_the_canonical_form_is_its_own_canonical_form(text, derived):
    alias = canonical_alias(text, derived=derived)
    if isinstance(alias, str):
        assert canonical_alias(alias, derived=derived) == alias
        assert read_path(alias_path(alias)) == alias
        assert alias_path(alias).isascii()


def test_spec_the_slash_policy_is_one():
    assert alias_path("") == alias_path("", always_slash=True) == "/"
    assert alias_path("a/b") == "/a/b"
    assert alias_path("a/b", always_slash=True) == "/a/b/"
    assert alias_path("é b") == "/%C3%A9%20b"
    assert id_path(b"\x00\x01\x02\x03\x04\x05\x06\xff") == "/id/00010203040506ff"
    assert id_path(b"\0" * 8, always_slash=True) == "/id/0000000000000000/"


@pytest.mark.parametrize(
    ("raw", "alias"),
    [
        ("/", ""),
        ("/a", "a"),
        ("/A//b/", "a/b"),
        ("//a", "a"),
        ("/caf%C3%A9", "café"),
        ("/caf%c3%a9", "café"),
        ("/%41", "a"),
        ("/a%20b", "a-b"),
        ("/a+b", "a+b"),
        ("/a%20", "a"),
    ],
)
def test_other_spellings_mean_the_same_page(raw, alias):
    assert read_path(raw) == alias


@pytest.mark.parametrize(
    "raw",
    ["", "*", "a", "/a%2Fb", "/a%2fb", "/%00", "/a%0ab", "/a%5Cb", "/a\\b", "/..", "/../etc/passwd", "/a/%2e%2e/b",
     "/%252e%252e/a", "/a%", "/%ff", "/%c0%af", "/é", "/a%C2%85", "/%ED%A0%80"],
)  # fmt: skip
def test_what_names_no_page_means_nothing(raw):
    assert read_path(raw) is None


def test_spec_an_id_is_sixteen_lower_case_digits():
    assert read_id("id/00000000000000ff") == b"\0\0\0\0\0\0\0\xff"
    for text in (
        "id/00000000000000FF",
        "id/0000000000000ff",
        "id/00000000000000ff0",
        "id/",
        "id/00000000000000fg",
        "x",
    ):
        assert read_id(text) is None


def test_spec_an_explicit_alias_beats_a_derived_one_then_the_lowest_id_keeps_it():
    ranks = [
        claim_rank(b"\x02", is_explicit=False),
        claim_rank(b"\x01", is_explicit=False),
        claim_rank(b"\xff", is_explicit=True),
    ]
    assert sorted(ranks) == [ranks[2], ranks[1], ranks[0]]
