"""What is written reads back as what was meant; what cannot be written is refused."""

from urllib.parse import quote

import pytest

from waypost.errors import WriteError
from waypost.formats.robots import read_robots
from waypost.formats.robots_groups import Extra, Group, Rule
from waypost.formats.robots_write import write_robots

GROUPS = [
    Group(
        ("Googlebot", "bing-bot_x"),
        (Rule(False, "/cart"), Rule(True, "/cart/*.html$"), Rule(False, "")),
        (Extra("Crawl-delay", "2.5"),),
    ),
    Group(("*",), (), (Extra("Content-Signal", "search=yes, ai-train=no"),)),
    Group(("last",)),
]


def bare(groups: object) -> list[tuple]:
    return [(g.agents, [(r.allow, r.pattern) for r in g.rules], [(e.key, e.value) for e in g.extras]) for g in groups]  # type: ignore[attr-defined]


def test_round_trip_of_made_groups() -> None:
    data = write_robots(GROUPS, sitemaps=["https://h.test/s.xml", "https://h.test/t.xml"])
    robots = read_robots(data)
    with_rule = [GROUPS[0], Group(("*",), (Rule(False, ""),), GROUPS[1].extras), Group(("last",), (Rule(False, ""),))]
    assert bare(robots.groups) == bare(with_rule)
    assert robots.sitemaps == ["https://h.test/s.xml", "https://h.test/t.xml"]
    assert robots.notes == ()
    assert write_robots(robots) == data


def test_a_group_without_rules_does_not_take_those_of_the_next() -> None:
    robots = read_robots(write_robots([Group(("a",)), Group(("b",), (Rule(False, "/"),))]))
    assert (robots.allowed("a", "/x"), robots.allowed("b", "/x")) == (True, False)


def test_nothing_is_an_empty_file() -> None:
    assert write_robots([]) == b""
    assert write_robots(read_robots(b"\xff\xfe\x00")) == b""


def test_characters_over_ascii_are_written_as_they_are_compared() -> None:
    data = write_robots([Group(("*",), (Rule(False, "/café\U0001f6ab"),))])
    assert data == b"User-agent: *\nDisallow: /caf%C3%A9%F0%9F%9A%AB\n"
    assert not read_robots(data).allowed("x", "https://h/caf%C3%A9%F0%9F%9A%AB/1")


@pytest.mark.parametrize("character", ["\x80", "\x85", "\x9f", "\xa0", "\u2028", "\u2029", "\u3000"])
def test_characters_that_end_a_line_elsewhere_are_written_as_escapes(character: str) -> None:
    for data in (f"User-agent: *\nDisallow: /a{character}b\n", f"User-agent: *\nDisallow: /a{character}\n"):
        written = write_robots(read_robots(data))
        assert written.decode().isascii()
        assert not read_robots(written).allowed("x", f"https://h/a{quote(character)}b")


def test_a_rule_whose_escapes_are_too_long_for_a_line_is_written_without_them() -> None:
    data = f"User-agent: *\nDisallow: /a\u2028{'é' * 8_000}\u3000\n"
    written = write_robots(read_robots(data)).decode()
    assert written == f"User-agent: *\nDisallow: /a%E2%80%A8{'é' * 8_000}%E3%80%80\n"
    assert write_robots(read_robots(written)).decode() == written
    with pytest.raises(WriteError, match="longer than crawlers read"):
        write_robots([rule("/" + "é" * 9_000)])


def rule(pattern: str) -> Group:
    return Group(("*",), (Rule(False, pattern),))


@pytest.mark.parametrize(
    "group",
    [
        rule("/a\nDisallow: /"), rule("/a\rDisallow: /"), rule("/a\0"), rule("/a#b"), rule("/a "), rule(" /a"), rule("/\ud800"),
        rule("a"), rule("https://h/a"), rule("$"), rule("\n"), Group(()), Group(("",)), Group(("a b",)), Group(("a\nDisallow: /",)), Group(("Googlebot/2.1",)), Group(("a*",)),
        Group(("*",), (), (Extra("Crawl-delay", "1\nDisallow: /"),)), Group(("*",), (), (Extra("Crawl-delay: 1\nDisallow", "/"),)), Group(("*",), (), (Extra("", "x"),)),
        Group(("*",), (), (Extra("Disallow", "/"),)), Group(("*",), (), (Extra("allowed", "/"),)), Group(("*",), (), (Extra("User-agent", "x"),)), Group(("*",), (), (Extra("Sitemap", "x"),)),
    ],
)  # fmt: skip
def test_injection_and_what_no_crawler_would_match_is_refused(group: Group) -> None:
    with pytest.raises(WriteError):
        write_robots([group])


def test_a_line_that_would_be_cut_is_refused() -> None:
    longest = "/" + "a" * (16_663 - len("Disallow: /"))
    assert read_robots(write_robots([rule(longest)]), limit=None).groups[0].rules[0].pattern == longest
    with pytest.raises(WriteError, match="crawlers read a line"):
        write_robots([rule(longest + "a")])
    text = b"User-agent: *\nDisallow: /b\nDisallow: /\xe0" + b"a" * 16_650
    assert write_robots(read_robots(text)) == b"User-agent: *\nDisallow: /b\n"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/s.xml",
        "ftp://h/s.xml",
        "https://h/s.xml\nDisallow: /",
        "https://h/s.xml#x",
        "https://h/a b",
        "https://u:p@h/s.xml",
    ],
)
def test_sitemaps_must_be_good_urls(url: str) -> None:
    with pytest.raises(WriteError, match="Sitemap"):
        write_robots([], sitemaps=[url])


@pytest.mark.parametrize(
    "pattern",
    ["/secret-door", "/secret-door/", "/secret-door/x", "/*/secret-door$", "/SECRET-door?x", "/%73ecret-door"],
)
def test_spec_robots_never_discloses_admin(pattern: str) -> None:
    with pytest.raises(WriteError, match="administration") as caught:
        write_robots([rule(pattern)], secrets=["/secret-door/"])
    assert "secret-door" not in str(caught.value)


def test_spec_robots_never_discloses_admin_in_a_sitemap_or_extra() -> None:
    with pytest.raises(WriteError):
        write_robots([], sitemaps=["https://h/secret-door/s.xml"], secrets=["secret-door"])
    with pytest.raises(WriteError):
        write_robots([Group(("*",), (), (Extra("Clean-param", "a /secret-door"),))], secrets=["/secret-door"])


@pytest.mark.parametrize("pattern", ["/größe", "/gr%C3%B6%c3%9fe/x", "/GRÖSSE$"])
def test_spec_robots_never_discloses_admin_in_other_letters(pattern: str) -> None:
    with pytest.raises(WriteError):
        write_robots([rule(pattern)], secrets=["größe"])


def test_other_paths_are_no_disclosure() -> None:
    assert (
        write_robots([rule("/secret-doors"), rule("/"), rule("/secret")], secrets=["/secret-door", "/", ""]).count(
            b"Disallow"
        )
        == 3
    )


def test_rfc9309_what_is_said_between_two_agents_is_written_there() -> None:
    for last, of_b in (("Crawl-delay: 7\n", 7.0), ("", None)):
        robots = read_robots(
            "User-agent: c\nDisallow: /c\n\nUser-agent: 9\nCrawl-delay: 9\nUser-agent: a\nCrawl-delay: 5\n"
            f"User-agent: b\nUser-agent: a\n{last}Disallow: /\n"
        )
        again = read_robots(write_robots(robots))
        for agent, delay in (("a", 7.0 if last else 5.0), ("b", of_b), ("c", None)):
            assert robots.crawl_delay(agent) == again.crawl_delay(agent) == delay


def test_a_document_that_was_read_is_written_without_what_says_nothing() -> None:
    text = (
        "User-agent: 9\nDisallow: /nobody\n\nUser-agent: Bot/2.1 # v\ndisalow: /a\nDisallow: nowhere\nAllow: /b c\nDisallow: /\xe9\nCrawl-delay: 3\nUnknown: 1\n"
        "Sitemap: s.xml\nSitemap:\n"
    )
    written = write_robots(read_robots(text.encode("latin-1")))
    assert written == b"User-agent: Bot\nCrawl-delay: 3\nDisallow: /a\nAllow: /b c\nDisallow: /%E9\n\nSitemap: s.xml\n"
