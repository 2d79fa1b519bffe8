"""Every kind of note has a line that earns it, and lines that are fine earn none."""

import pytest

from waypost.formats.robots import read_robots
from waypost.formats.robots_notes import KINDS

UA = "User-agent: *\n"
# kind → document, line, column
SAMPLES: dict[str, tuple[str | bytes, int, int]] = {
    "empty": ("", 0, 0),
    "byte-order-mark": (b"\xef\xbb\xbf" + UA.encode(), 1, 1),
    "utf-16": ("User-agent: *\nDisallow: /\n".encode("utf-16"), 1, 1),
    "binary": (bytes(range(1, 32)), 1, 1),
    "html-body": ("<!DOCTYPE html><html><head><title>404</title></head></html>", 1, 1),
    "not-utf-8": (UA.encode() + b"Disallow: /caf\xe9\n", 2, 15),
    "too-large": ("# " + "x" * 600_000, 0, 0),
    "nul-byte": (UA + "Disallow: /a\0b", 2, 13),
    "control-character": (UA + "Disallow: /a\x07b", 2, 13),
    "long-line": (UA + "Disallow: /" + "a" * 17_000, 2, 1),
    "not-understood": (UA + "Disallow /a b c", 2, 1),
    "missing-colon": (UA + "Disallow /a", 2, 9),
    "accepted-typo": (UA + " Dissallow: /a", 2, 2),
    "unknown-key": (UA + "Clacks: x", 2, 1),
    "likely-typo": (UA + "Alow: /a", 2, 1),
    "rule-before-agent": ("\n  Disallow: /", 2, 3),
    "field-before-agent": ("Crawl-delay: 1", 1, 1),
    "agent-empty": ("User-agent:\nDisallow: /", 1, 1),
    "agent-header": ("User-agent: Mozilla/5.0 (compatible; bot/1)\nDisallow: /", 1, 13),
    "agent-list": ("User-agent: a, b\nDisallow: /", 1, 13),
    "agent-version": ("User-agent: a/1.0\nDisallow: /", 1, 13),
    "agent-wildcard": ("User-agent: a*\nDisallow: /", 1, 13),
    "agent-unusable": ("User-agent: 007\nDisallow: /", 1, 13),
    "star-with-text": ("User-agent: * everyone\nDisallow: /", 1, 13),
    "header-left-open": ("User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /", 3, 1),
    "blank-in-header": ("User-agent: a\n\nDisallow: /", 2, 0),
    "pattern-no-slash": (UA + "Disallow: admin", 2, 11),
    "pattern-absolute-url": (UA + "Disallow: https://h/admin", 2, 11),
    "pattern-dollar-inside": (UA + "Disallow: /a$b", 2, 13),
    "pattern-trailing-star": (UA + "Disallow: /a*", 2, 13),
    "pattern-blank": (UA + "Disallow: /a b", 2, 13),
    "pattern-non-ascii": (UA + "Disallow: /ä", 2, 11),
    "pattern-bad-escape": (UA + "Disallow: /100%", 2, 15),
    "pattern-lower-case-escape": (UA + "Disallow: /%2fa", 2, 12),
    "pattern-unreserved-escape": (UA + "Disallow: /%41", 2, 12),
    "pattern-cut-by-hash": (UA + "Disallow: /a#b", 2, 13),
    "sitemap-empty": ("Sitemap:", 1, 1),
    "sitemap-scheme-lost": ("Sitemap https://h/s.xml", 1, 15),
}


def test_every_kind_has_a_sample() -> None:
    assert SAMPLES.keys() == KINDS.keys()
    assert all(kind == kind.lower() and meaning[-1] not in ".!" for kind, meaning in KINDS.items())


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_sample_earns_its_note_at_its_place(kind: str) -> None:
    data, line, column = SAMPLES[kind]
    robots = read_robots(data)
    found = [note for note in robots.notes if note.kind == kind]
    assert [(note.line, note.column) for note in found] == [(line, column)]
    assert robots.counts[kind] == 1
    assert found[0].text
    assert len(found[0].text) <= 200


CLEAN = """
# welcome
USER-AGENT:Googlebot   # no blank, capitals
Disallow:
User-agent: bing-bot_x
Disallow: /cart        # a comment
Allow: /*.css$
Crawl-delay: 2
Content-Signal: search=yes, ai-train=no

User-agent: *
# a comment in the header
Disallow: /%7Bx%7D/%C3%A9
Allow: *draft
Sitemap: https://h.test/s.xml
Host: h.test
License: https://h.test/rsl.xml
Clean-param: a&b /c
"""


def test_what_is_fine_earns_no_note() -> None:
    assert read_robots(CLEAN).notes == ()
    assert read_robots(CLEAN.replace("\n", "\r\n")).notes == ()


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("User-agent: a/1.0 (x)", {"agent-header"}),
        ("User-agent: mozilla/5.0", {"agent-header"}),
        ("User-agent: a b", {"agent-list"}),
        ("User-agent: a/1; b", {"agent-list"}),
        ("User-agent: **", {"agent-wildcard"}),
        ("User-agent: a.b", {"agent-version"}),
        ("User-agent: *", set()),
        ("Disallowed: /", {"accepted-typo"}),
        ("Crawl delay: 1", {"unknown-key", "likely-typo"}),
        ("Content-Signals: search=yes", {"unknown-key", "likely-typo"}),
        ("X: 1", {"unknown-key"}),
        ("A very long key that nobody can mean: 1", {"unknown-key"}),
        (": /", {"not-understood"}),
        ("Disallow: /a # b", set()),
        ("Disallow: #b", set()),
        ("Disallow:#b", set()),
        ("Allow: /$", set()),
        ("Allow: *", set()),
        ("Allow: /%2F%7B", set()),
        ("Sitemap: //h/s.xml", set()),
        ("Sitemap /s.xml", {"missing-colon"}),
        ("Disallow: /\t\xa0", {"pattern-non-ascii", "pattern-blank"}),
    ],
)
def test_kinds_of_a_single_line(line: str, kinds: set[str]) -> None:
    assert {note.kind for note in read_robots(f"User-agent: q\nDisallow:\n{line}").notes} == kinds


def test_rfc9309_has_no_longest_line() -> None:
    text = UA + "Disallow: /" + "a" * 17_000
    assert "long-line" not in read_robots(text, profile="rfc").counts
    assert read_robots(text).lines[1].is_cut


def test_a_partial_byte_order_mark_is_noted_too() -> None:
    assert read_robots(b"\xefUser-agent: *").notes[0].text == "a part of EF BB BF"


def test_utf_16_is_seen_without_a_mark() -> None:
    assert "utf-16" in read_robots("Disallow: /".encode("utf-16-le")).counts
    assert "utf-16" in read_robots("Disallow: /".encode("utf-16-be")).counts
    assert "utf-16" not in read_robots(b"\0\0\0\0\0").counts
    assert read_robots(b"\0\0\0\0\0").is_binary


@pytest.mark.parametrize("data", [b"<html>", b"\0\0\0\0\0", "Disallow: /".encode("utf-16")])
def test_text_is_what_is_no_page_no_utf_16_and_not_binary(data: bytes) -> None:
    assert not read_robots(data).is_text
    assert read_robots("User-agent: *").is_text


def test_blanks_are_an_empty_file() -> None:
    assert read_robots(" \r\n\t").notes[0].text == "nothing but blanks"


def test_guessing_ends_in_a_file_of_endless_keys() -> None:
    counts = read_robots(
        UA
        + "".join(f"crawl-dela{letter}{digit}: /\n" for letter in "abcdefghijklmnopqrstuvwxyz" for digit in range(10))
    ).counts
    assert counts["unknown-key"] == 260
    assert counts["likely-typo"] == 200


def test_other_fields_only_count_between_the_agents_of_one_header() -> None:
    text = "Sitemap: https://h/s.xml\nUser-agent: a\nDisallow: /\nCrawl-delay: 1\n\nUser-agent: b\nUser-agent: c\nDisallow: /\n"
    assert read_robots(text).notes == ()
