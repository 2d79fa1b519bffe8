"""Typed lines and groups: numbers, columns, keys as written, and which group each line belongs to."""

import pytest

from waypost.formats.robots import read_robots
from waypost.formats.robots_groups import Extra, Group, Rule
from waypost.formats.robots_guess import distance
from waypost.formats.robots_lines import LineKind, kind_of_key

TEXT = """\ufeffUser-agent: Googlebot/2.1 # main
useragent : *
  Dissallow\t: /é/x # why
Allow /b

Crawl-delay: 2
what is this
Sitemap: https://h/é.xml
Wert: 1"""


def test_every_line_says_what_and_where_it_is() -> None:
    lines = read_robots(TEXT).lines
    assert [(line.number, line.kind) for line in lines] == [
        (1, LineKind.AGENT), (2, LineKind.AGENT), (3, LineKind.DISALLOW), (4, LineKind.ALLOW), (5, LineKind.BLANK),
        (6, LineKind.CRAWL_DELAY), (7, LineKind.NOT_UNDERSTOOD), (8, LineKind.SITEMAP), (9, LineKind.UNKNOWN),
    ]  # fmt: skip
    third = lines[2]
    assert (third.key, third.value, third.column, third.value_column, third.comment) == (
        "Dissallow",
        "/é/x",
        3,
        15,
        " why",
    )
    assert (third.is_typo, third.is_missing_colon, third.is_rule, third.raw) == (
        True,
        False,
        True,
        "  Dissallow\t: /é/x # why",
    )
    assert (lines[3].key, lines[3].value, lines[3].is_missing_colon, lines[3].value_column) == ("Allow", "/b", True, 7)
    assert lines[1].is_typo
    assert not lines[0].is_typo
    assert [line.group for line in lines] == [0, 0, 0, 0, -1, 0, -1, -1, -1]


def test_columns_count_characters_behind_wide_ones() -> None:
    line = read_robots("é: 1\nUser-agent: *\nclé : é x").lines[2]
    assert (line.key, line.column, line.value_column, line.value) == ("clé", 1, 7, "é x")


def test_comments_blanks_and_the_last_line() -> None:
    lines = read_robots("# one\n \t\n#\r\n").lines
    assert [(line.kind, line.comment) for line in lines] == [
        ("comment", " one"),
        ("blank", None),
        ("comment", ""),
        ("blank", None),
    ]


def test_bytes_that_are_no_utf_8_are_the_escapes_they_are_compared_as() -> None:
    lines = read_robots(b"User-agent: \xe9\nDisallow: /\xe9\xc3\xa9\n").lines
    assert (lines[0].value, lines[1].value) == ("\ufffd", "/%E9é")


def test_what_stands_behind_a_nul_is_not_read() -> None:
    line = read_robots("User-agent: *\nDisallow: /a\0b # c").lines[1]
    assert (line.value, line.comment, line.is_cut, line.raw) == ("/a", None, True, "Disallow: /a\0b # c")


@pytest.mark.parametrize(
    ("key", "kind", "typo"),
    [
        ("User-Agent", "user-agent", False), ("user agent string", "user-agent", True), ("useragent", "user-agent", True), ("User_agent", "unknown", False),
        ("ALLOW", "allow", False), ("Allowed", "allow", True), ("disallaw", "disallow", True), ("Site-map", "sitemap", True), ("Sitemaps", "sitemap", True),
        ("crawl-delay", "crawl-delay", False), ("Crawl-delays", "unknown", False), ("Request-Rate", "request-rate", False), ("visit-time", "visit-time", False),
        ("NoIndex", "noindex", False), ("content-signal", "content-signal", False), ("content-usage", "content-usage", False), ("Clean-Param", "clean-param", False),
        ("host", "host", False), ("License", "license", False), ("unknown", "unknown", False), ("comment", "unknown", False), ("Noınde\u212a", "unknown", False), ("Allow\xe9", "allow", True), ("USER-AGENT\u2028x", "user-agent", True),
    ],
)  # fmt: skip
def test_google_keys_are_compared_by_prefix_and_others_whole(key: str, kind: str, typo: bool) -> None:
    assert kind_of_key(key) == (kind, typo)


def test_groups_are_in_order_and_not_merged() -> None:
    text = "User-agent: A/1\nUser-agent: 9\nCrawl-delay: 3\nDisallow: /x\nUser-agent: *\n\nAllow: /\nUser-agent: a\nUser-agent: a\nDisallow:\n"
    assert read_robots(text).groups == (
        Group(("A",), (Rule(False, "/x", 4),), (Extra("Crawl-delay", "3", 3),), 1),
        Group(("*",), (Rule(True, "/", 7),), (), 5),
        Group(("a",), (Rule(False, "", 10),), (), 8),
    )


def test_a_group_that_names_nobody_is_there_with_no_agents() -> None:
    assert read_robots("User-agent: 9\nDisallow: /").groups == (Group((), (Rule(False, "/", 2),), (), 1),)


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [
        ("", "", 0),
        ("a", "", 1),
        ("allow", "alow", 1),
        ("disallow", "dsiallow", 1),
        ("host", "most", 1),
        ("ab", "ba", 1),
        ("abc", "cba", 2),
        ("kitten", "sitting", 3),
    ],
)
def test_distance(one: str, other: str, steps: int) -> None:
    assert distance(one, other) == distance(other, one) == steps
