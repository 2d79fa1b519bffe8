"""robots.xml, feeds.opml and the feeds: what a site offers, in lists that agree with each other."""

import random

import pytest
from tests.publish.test_respond import ask, body, header

from waypost.formats.feedmodel import FeedKind
from waypost.formats.feeds import read_feed
from waypost.formats.opml import read_opml
from waypost.formats.xmlmap import read_xmlmap
from waypost.publish.page import Page
from waypost.publish.settings import DataFile, Publishing, Site
from waypost.publish.table import PageTable

ORIGIN = "https://example.com"
DAY = 86_400.0
START = 1_700_000_000.0
FEEDS = {"/feed.atom": FeedKind.ATOM, "/feed.rss": FeedKind.RSS, "/feed.json": FeedKind.JSON}


def dated(count: int = 5) -> PageTable:
    chance = random.Random(2)
    pages = [
        Page(
            chance.randbytes(8),
            f"/news-{n}",
            START,
            f"News {n} & <more>",
            published=START + n * DAY,
            description="It's <b>new</b>",
        )
        for n in range(count)
    ]
    return PageTable([*pages, Page(b"\0" * 8, "/plain", START + 99 * DAY, "Plain")])


def services(site, **headers) -> dict[str, tuple[str, str | None]]:
    found = read_xmlmap(body(ask("/robots.xml", site, **headers)))
    assert not found.notes
    return {s.loc: (s.namespace, s.lastmod) for s in found.services}


def test_robots_xml_lists_what_there_is():
    assert services(dated()) == {
        f"{ORIGIN}/robots.txt": ("http://www.robotstxt.org/", None),
        f"{ORIGIN}/sitemap.xml": ("http://www.sitemaps.org/schemas/sitemap/0.9", "2024-02-21T22:13:20Z"),
        f"{ORIGIN}/feeds.opml": ("http://www.opml.org/spec2", None),
        f"{ORIGIN}/feed.atom": ("http://www.w3.org/2005/Atom", None),
        f"{ORIGIN}/feed.rss": ("http://backend.userland.com/rss2", None),
        f"{ORIGIN}/feed.json": ("https://jsonfeed.org/version/1.1", None),
    }


def test_robots_xml_of_a_site_without_pages_lists_robots_txt_alone():
    assert services(PageTable()) == {f"{ORIGIN}/robots.txt": ("http://www.robotstxt.org/", None)}


def test_pages_without_any_date_have_no_feed():
    some = PageTable([Page(b"\1" * 8, "/a", None)])
    assert set(services(some)) == {f"{ORIGIN}/robots.txt", f"{ORIGIN}/sitemap.xml"}
    for path in (*FEEDS, "/feeds.opml", "/.well-known/feeds"):
        assert ask(path, some).status == 404


def test_the_owners_data_is_listed_with_this_hosts_origin():
    data = (
        DataFile("/data/a.tar.gz", "urn:example:data", "All of it", START),
        DataFile("https://cdn.example/x.json", "urn:example:more"),
        DataFile("/Secret-Door/export", "urn:example:secret"),
    )
    found = services(Site(dated(), Publishing(data=data, admin_path="secret-door")), origin="http://b.test:8000")
    assert found["http://b.test:8000/data/a.tar.gz"] == ("urn:example:data", "2023-11-14T22:13:20Z")
    assert found["https://cdn.example/x.json"] == ("urn:example:more", None)
    assert not [loc for loc in found if "ecret" in loc]


def test_a_data_file_is_listed_as_the_source_knows_it_or_not_at_all():
    data = (DataFile("/Old.csv", "urn:example:data", "All of it"), DataFile("/hidden.csv", "urn:example:secret"))
    known = {"/Old.csv": DataFile("/new.csv", "urn:example:data", "All of it", START)}
    found = services(Site(dated(), Publishing(data=data), data_of=lambda declared: known.get(declared.loc)))
    assert found[f"{ORIGIN}/new.csv"] == ("urn:example:data", "2023-11-14T22:13:20Z")
    assert not [loc for loc in found if "hidden" in loc or "Old" in loc]


@pytest.mark.parametrize(("path", "kind"), FEEDS.items())
def test_a_feed_has_the_newest_dated_pages_first_and_nothing_undated(path, kind):
    reply = ask(path, Site(dated(8), Publishing(title="My & site", lang="en", feed_count=3)))
    found = read_feed(body(reply))
    assert found.kind is kind
    assert not found.notes
    assert found.title == "My & site"
    assert [entry.link for entry in found.entries] == [f"{ORIGIN}/news-{n}" for n in (7, 6, 5)]
    assert found.entries[0].title == "News 7 & <more>"
    assert header(reply, "content-type").startswith("application/")


@pytest.mark.parametrize("path", FEEDS)
def test_where_nobody_dates_pages_the_disk_does(path):
    some = PageTable(
        [Page(b"\1" * 8, "/a", START), Page(b"\2" * 8, "/b", START + DAY, "B\x0c\ud800"), Page(b"\3" * 8, "/c", None)]
    )
    found = read_feed(body(ask(path, some)))
    assert [entry.title for entry in found.entries] == ["B", "/a"]
    assert found.title == "example.com"


@pytest.mark.parametrize("path", FEEDS)
def test_a_page_whose_date_has_not_come_is_not_in_a_feed(path):
    found = read_feed(body(ask(path, dated(5), now=START + 2.5 * DAY)))
    assert [entry.link for entry in found.entries] == [f"{ORIGIN}/news-{n}" for n in (2, 1, 0)]


def test_a_page_updated_later_says_so():
    some = PageTable(
        [
            Page(b"\1" * 8, "/a", START, "A", published=START, updated=START + DAY),
            Page(b"\2" * 8, "/b", START, updated=START),
        ]
    )
    found = read_feed(body(ask("/feed.atom", some)))
    assert found.updated == "2023-11-15T22:13:20Z"
    assert [(entry.published, entry.updated) for entry in found.entries] == [
        (None, "2023-11-14T22:13:20Z"),
        ("2023-11-14T22:13:20Z", "2023-11-15T22:13:20Z"),
    ]


def test_the_opml_lists_every_feed_and_stands_at_its_well_known_place_too():
    some = Site(dated(), Publishing(title="Site"))
    found = read_opml(body(ask("/feeds.opml", some)))
    assert not found.notes
    assert [outline.xml_url for outline in found.outlines] == [f"{ORIGIN}{path}" for path in FEEDS]
    assert len({outline.text for outline in found.outlines}) == 3
    assert body(ask("/.well-known/feeds", some)) == body(ask("/feeds.opml", some))
    assert header(ask("/feeds.opml", some), "content-type") == "text/x-opml; charset=utf-8"


def test_the_newest_pages_follow_every_change():
    some = dated(2)
    assert [page.path for page in some.newest(9)] == ["/news-1", "/news-0"]
    some.add(Page(b"\7" * 8, "/later", START, published=START + 50 * DAY))
    assert [page.path for page in some.newest(9)] == ["/later", "/news-1", "/news-0"]
    assert len(some.newest(1)) == 1
