"""robots.txt as it is published."""

import re

import pytest

from waypost.errors import WriteError
from waypost.formats.robots import read_robots
from waypost.publish.robots import group_fault, robots_txt
from waypost.publish.settings import Publishing, RobotsGroup

DEFAULT = """User-agent: *
Disallow: /login/
Disallow: /api/
Disallow: /builtin/
Allow: /

Sitemap: https://example.com/sitemap.xml
"""


def published(*groups: RobotsGroup, **settings) -> str:
    return robots_txt(Publishing(groups=groups, **settings), "https://example.com", has_sitemap=True).decode()


def test_spec_the_default_body():
    assert published() == DEFAULT


def test_spec_no_page_no_sitemap_line():
    assert "Sitemap" not in robots_txt(Publishing(), "https://example.com", has_sitemap=False).decode()


def test_spec_a_preview_disallows_everything():
    assert published(is_closed=True) == "User-agent: *\nDisallow: /\n"


def test_spec_the_registrys_rules_stay_in_every_group():
    text = published(
        RobotsGroup(("GPTBot", "CCBot"), disallow=("/",), content_signal="ai-train=no"),
        RobotsGroup(("Bingbot",), disallow=("/drafts/",), allow=("/drafts/open/",), crawl_delay=2.5),
    )
    assert text.count("Disallow: /login/") == 3
    assert "User-agent: GPTBot\nUser-agent: CCBot\n" in text
    assert "Content-Signal: ai-train=no" in text
    assert "Crawl-delay: 2.5\n" in text
    robots = read_robots(text)
    for agent in ("GPTBot", "CCBot", "Bingbot", "Other"):
        assert not robots.allowed(agent, "https://example.com/login/x")
    assert not robots.allowed("GPTBot", "https://example.com/")
    assert robots.allowed("Bingbot", "https://example.com/drafts/open/a")
    assert not robots.allowed("Bingbot", "https://example.com/drafts/a")
    assert robots.allowed("Other", "https://example.com/drafts/a")
    assert list(robots.sitemaps) == ["https://example.com/sitemap.xml"]


def test_an_owners_group_for_everybody_takes_the_place_of_the_default_one():
    text = published(RobotsGroup(("*",), disallow=("/private/", "", "/login/")))
    assert text.count("User-agent") == 1
    assert text.count("Disallow: /login/") == 1
    assert "Disallow: \n" not in text
    assert text.count("Allow: /\n") == 1


def test_whoever_disallows_everything_and_allows_everything_gets_both():
    text = published(RobotsGroup(("*",), disallow=("/",), allow=("/",)))
    assert text.count("Allow: /\n") == 1
    assert "Disallow: /\n" in text


@pytest.mark.parametrize(
    ("group", "word"),
    [
        (RobotsGroup(()), "at least one agent"),
        (RobotsGroup(("Bot\nDisallow: /",)), "token"),
        (RobotsGroup(("Bot/1.0",)), "token"),
        (RobotsGroup(("*",), disallow=("/a\nAllow: /",)), "end or change its line"),
        (RobotsGroup(("*",), allow=("/a#b",)), "#"),
        (RobotsGroup(("*",), allow=("a",)), "begins with neither"),
        (RobotsGroup(("*",), disallow=("/hidden-door",)), "admin path"),
        (RobotsGroup(("*",), allow=("/*/Hidden-Door/",)), "admin path"),
        (RobotsGroup(("*", "Hidden-Door")), "admin path"),
        (RobotsGroup(("*",), content_signal="search=yes /hidden-door/"), "admin path"),
        (RobotsGroup(("*",), content_signal="search=yes, Hidden-Door, ai-train=no"), "admin path"),
        (RobotsGroup(("*",), crawl_delay=-1.0), "delay"),
        (RobotsGroup(("*",), crawl_delay=float("nan")), "delay"),
        (RobotsGroup(("*",), content_signal="a\nb"), "Content-Signal"),
        (RobotsGroup(("*",), allow=("/a ",)), "end or change its line"),
        (RobotsGroup(("*",), allow=("/" + "a" * 20_000,)), "longer"),
    ],
)
def test_spec_robots_never_discloses_admin_and_takes_no_foreign_line(group, word):
    fault = group_fault(group, "hidden-door")
    assert fault is not None
    assert word in fault
    with pytest.raises(WriteError, match=re.escape(word)):
        published(group, admin_path="hidden-door")


def test_a_signal_that_begins_like_the_admin_path_discloses_nothing():
    assert group_fault(RobotsGroup(("*",), content_signal="search=yes"), "search") is None


def test_a_good_group_has_no_fault():
    assert (
        group_fault(RobotsGroup(("*", "Google-Extended"), ("/a*$", ""), ("/",), 0.0, "search=yes, ai-train=no"), "x")
        is None
    )
