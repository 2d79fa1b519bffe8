"""RFC 9309, sentence by sentence, in the profile that follows it."""

import pytest

from waypost.formats.robots import Robots, read_robots


def rfc(text: str) -> Robots:
    return read_robots(text, profile="rfc")


@pytest.mark.parametrize("line", ["User-Agent: ExampleBot", "user-agent:examplebot", "USER-AGENT:\tEXAMPLEBOT"])
def test_rfc9309_2_2_1_tokens_are_compared_without_case(line: str) -> None:
    assert not rfc(f"{line}\nDisallow: /foo").allowed("ExampleBot", "/foo")


def test_rfc9309_2_2_1_groups_of_the_same_token_are_merged() -> None:
    robots = rfc("user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: ExampleBot\ndisallow: /baz\n")
    assert robots.allowed_many("examplebot", ["/foo", "/bar", "/baz", "/qux"]) == [False, False, False, True]


def test_rfc9309_2_2_1_the_star_group_is_for_crawlers_without_one() -> None:
    robots = rfc("user-agent: *\ndisallow: /a\nuser-agent: own\ndisallow: /b\n")
    assert robots.allowed_many("own", ["/a", "/b"]) == [True, False]
    assert robots.allowed_many("other", ["/a", "/b"]) == [False, True]
    assert rfc("user-agent: own\ndisallow: /").allowed("other", "/")


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz", True),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%E3%83%84", "/foo/bar/ツ", True),
        ("/foo/bar/ツ", "/foo/bar/%e3%83%84", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),
        ("/foo/bar/baz", "/foo/bar/%62%61%7A", True),
        ("/foo/bar/%7E", "/foo/bar/~", True),
        ("/foo%2Fbar", "/foo/bar", False),
        ("/foo%2fbar", "/foo%2Fbar", True),
        ("/Foo", "/foo", False),
    ],
)
def test_rfc9309_2_2_2_paths_are_compared_after_escapes_are_made_alike(pattern: str, url: str, matches: bool) -> None:
    assert rfc(f"User-agent: *\nDisallow: {pattern}").allowed("x", f"https://h.test{url}") is not matches


def test_rfc9309_2_2_2_the_longest_match_counts_and_allow_wins_a_tie() -> None:
    robots = rfc(
        "User-agent: *\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\nAllow: /tie\nDisallow: /tie"
    )
    assert robots.allowed_many("x", ["/example/page/", "/example/page/disallowed.gif", "/tie", "/else"]) == [
        True,
        False,
        True,
        True,
    ]


def test_rfc9309_2_2_2_robots_txt_is_always_allowed() -> None:
    assert rfc("User-agent: *\nDisallow: /").allowed_many("x", ["https://h/robots.txt", "https://h/robots.txt/x"]) == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        ("/this/is/*/test", "/this/is/a/b/test", True),
        ("/*.php$", "/index.php", True),
        ("/*.php$", "/index.php?a", False),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-%2a.html", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-x.html", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/path/foo-%24", "/path/foo-$bar", True),
        ("/path/foo-%24", "/path/foo-", False),
        ("/a$b", "/a$b", True),
        ("/a$b", "/a%24b", True),
        ("/a$$", "/a$", True),
        ("/a$$", "/a$$", False),
    ],
)
def test_rfc9309_2_2_3_special_characters(pattern: str, url: str, matches: bool) -> None:
    assert rfc(f"User-agent: *\nDisallow: {pattern}").allowed("x", url) is not matches


@pytest.mark.parametrize("other", ["Sitemap: https://h/s.xml", "Crawl-delay: 1", "# comment", "", "Something: else"])
def test_rfc9309_2_2_4_other_records_do_not_end_a_group(other: str) -> None:
    robots = rfc(f"User-agent: a\n{other}\nUser-agent: b\nDisallow: /x\n{other}\nDisallow: /y\n")
    assert robots.allowed_many("a", ["/x", "/y"]) == robots.allowed_many("b", ["/x", "/y"]) == [False, False]


def test_rfc9309_2_5_at_least_500_kib_are_read() -> None:
    text = "User-agent: *\n" + "#" * 79 + "\n"
    text += ("#" * 79 + "\n") * ((500 * 1024 - len(text) - 12) // 80) + "Disallow: /x\n"
    assert len(text) <= 500 * 1024
    assert not rfc(text).allowed("x", "/x")


def test_rfc9309_5_1_simple_example() -> None:
    robots = rfc(
        "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n"
        "User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n"
        "User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n"
    )
    assert robots.allowed_many("foobot", ["/example/page.html", "/example/allowed.gif", "/a"]) == [True, True, False]
    for agent in ("barbot", "bazbot"):
        assert robots.allowed_many(agent, ["/example/page.html", "/example/a.gif"]) == [False, True]
    assert robots.allowed_many("quxbot", ["/example/", "/a.gif"]) == [True, True]
    assert robots.allowed_many("other", ["/a.gif", "/example/x", "/publications/x.gif", "/x"]) == [
        False,
        False,
        True,
        True,
    ]
