"""What strangers write is shown, never obeyed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.formats.printable import clipped, log_line, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://example.com/a b", "https://example.com/a b"),
        ("", ""),
        ("Größe 日本語 عربي 👍 👍🏽", "Größe 日本語 عربي 👍 👍🏽"),
        ("a\x1b[31mred\x1b[0m", "a\\x1b[31mred\\x1b[0m"),
        ("one\ntwo\r\tthree\x00\x7f", "one\\ntwo\\r\\tthree\\x00\\x7f"),
        ("\x85\x9b31m", "\\x85\\x9b31m"),
        ("user\u202egpj.exe\u2066\u2069", "user\\u202egpj.exe\\u2066\\u2069"),
        ("pay\u200bpal\ufeff\u00ad\u2060", "pay\\u200bpal\\ufeff\\xad\\u2060"),
        ("\u2028\u2029\u00a0\u3000", "\\u2028\\u2029\\xa0\\u3000"),
        ("\u3164\u115f\u2800\u034f", "\\u3164\\u115f\\u2800\\u034f"),
        ("tag\U000e0041\U000e007f", "tag\\U000e0041\\U000e007f"),
        ("\ud800 alone", "\\ud800 alone"),
        ("a\ufe01b\U000e0100", "a\\ufe01b\\U000e0100"),
        ("❤\ufe0f", "❤\ufe0f"),
    ],
)
def test_printable_shows_escapes_and_keeps_every_script(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_nothing_printed_can_be_obeyed_or_overlooked(text: str) -> None:
    shown = printable(text)
    assert all(c == " " or unicodedata.category(c)[0] not in "CZ" for c in shown)
    assert printable(shown) == shown
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("short", 9, "short"),
        ("exactly 9", 9, "exactly 9"),
        ("0123456789", 9, "012345…89"),
        ("0123456789", 2, "0…"),
        ("\x00" * 20, 4, "\\x00\\x00…\\x00"),
    ],
)
def test_clipped_keeps_both_ends(text: str, limit: int, shown: str) -> None:
    assert clipped(text, limit) == shown


@given(st.text(max_size=60), st.integers(1, 40))
def test_a_line_of_a_log_is_never_longer_than_it_may_be(text: str, limit: int) -> None:
    shown = log_line(text, limit)
    assert len(shown) <= limit
    assert "\n" not in shown
