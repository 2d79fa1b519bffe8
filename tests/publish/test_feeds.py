"""Feeds of the whole site and of its top folders: which pages, which dates, where, and that they are valid."""

import random
from hashlib import blake2b
from math import inf

import feedparser
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.publish.feed_rules import faults
from tests.publish.test_respond import ORIGIN, ask, body, header

from waypost.formats.feeds import read_feed
from waypost.formats.opml import read_opml
from waypost.formats.xmlmap import read_xmlmap
from waypost.publish.dated import DatedPages
from waypost.publish.feeds import FEEDS, Channel, channels_at
from waypost.publish.page import Page, PageText, date_of
from waypost.publish.paths import refuses, top_folder
from waypost.publish.respond import route
from waypost.publish.settings import Publishing, Site
from waypost.publish.table import PageTable

DAY = 86_400.0
START = 1_700_000_000.0
FORMS = [form.path for form in FEEDS]


def page(path: str, *, days: float | None = None, **more) -> Page:
    published = None if days is None else START + days * DAY
    return Page(blake2b(path.encode(), digest_size=8).digest(), path, START, published=published, **more)


def journal() -> PageTable:
    return PageTable(
        [
            page("/", description="A <site> & more"),
            page("/about", days=9),
            page("/notes/", days=8, title="All notes"),
            page("/notes/one", days=1, title="One"),
            page("/notes/two/", days=2),
            page("/notes/deep/three", days=3),
            page("/%C3%BCber/ich", days=4),
            page("/docs/plain"),
            page("/later/x", days=99),
            page("/id/00000000000000ff", days=5),
        ]
    )


def links(reply) -> list[str]:
    return [entry.link.removeprefix(ORIGIN) for entry in read_feed(body(reply)).entries]


@pytest.mark.parametrize("form", FORMS)
def test_a_top_folder_has_feeds_of_what_stands_in_it(form):
    some = journal()
    now = START + 10 * DAY
    assert links(ask(form, some, now=now)) == [
        "/about", "/notes/", "/id/00000000000000ff", "/%C3%BCber/ich", "/notes/deep/three", "/notes/two/", "/notes/one",
    ]  # fmt: skip
    assert links(ask(f"/notes{form}", some, now=now)) == ["/notes/deep/three", "/notes/two/", "/notes/one"]
    assert links(ask(f"/%C3%BCber{form}", some, now=now)) == ["/%C3%BCber/ich"]
    for folder in ("/docs", "/about", "/id", "/later", "/nope", "/Notes", "/notes/deep", "/", "/sitemaps", "/login"):
        reply = ask(f"{folder}{form}", some, now=now)
        assert reply is None or reply.status == 404, folder


@pytest.mark.parametrize("form", FORMS)
def test_a_feed_of_a_folder_says_what_it_is(form):
    found = read_feed(body(ask(f"/notes{form}", Site(journal(), Publishing(title="Site", lang="en")))))
    assert found.authors == ("Site",)
    assert (found.title, found.link) == ("Site: All notes", f"{ORIGIN}/notes/")
    assert read_feed(body(ask(f"/%C3%BCber{form}", journal()))).title == "example.com: über"
    assert f"{ORIGIN}/notes{form}".encode() in body(ask(f"/notes{form}", journal()))


def test_folder_feeds_have_validators_of_their_own_304_head_and_gzip():
    some = journal()
    tags = set()
    for path in [f"{folder}{form}" for folder in ("", "/notes", "/%C3%BCber") for form in FORMS]:
        reply = ask(path, some)
        tags.add(header(reply, "etag"))
        assert ask(path, some, if_none_match=header(reply, "etag")).status == 304
        head = ask(path, some, "HEAD")
        assert (head.headers, head.body) == (reply.headers, b"")
        assert ask(path, some, "POST").status == 405
        assert ask(path, some, accept_encoding="gzip").is_gzip is (len(body(reply)) >= 1_024)
    assert len(tags) == 9


def test_lists_name_every_feed_and_nothing_else():
    some, now = journal(), START + 10 * DAY
    wanted = [f"{ORIGIN}{folder}{form}" for folder in ("", "/%C3%BCber", "/notes") for form in FORMS]
    services = read_xmlmap(body(ask("/robots.xml", some, now=now))).services
    assert [s.loc for s in services if "/feed." in s.loc] == wanted
    site, *folders = read_opml(body(ask("/feeds.opml", some, now=now))).outlines[2:]
    assert [line.xml_url for line in (site, *(line for folder in folders for line in folder.outlines))] == wanted[2:]
    assert [folder.text for folder in folders] == ["example.com: über", "example.com: All notes"]
    for url in wanted:
        assert ask(url.removeprefix(ORIGIN), some, now=now).status == 200


def test_the_lists_end_at_their_limit(monkeypatch):
    monkeypatch.setattr("waypost.publish.feeds.FEED_FOLDERS_MAX", 1)
    services = read_xmlmap(body(ask("/robots.xml", journal()))).services
    assert sum("/feed." in s.loc for s in services) == 6


def test_folder_feeds_may_be_switched_off():
    site = Site(journal(), Publishing(with_folder_feeds=False))
    assert ask("/notes/feed.atom", site) is None
    assert route("/notes/feed.atom", site.settings) is None
    assert b"/notes/feed" not in body(ask("/feeds.opml", site)) + body(ask("/robots.xml", site))
    assert channels_at("/notes/one", journal(), site.settings) == [Channel()]


def test_no_feed_at_all_where_the_count_is_none():
    site = Site(journal(), Publishing(feed_count=0))
    for path in (*FORMS, "/notes/feed.atom", "/feeds.opml"):
        assert ask(path, site).status == 404
    assert b"feed" not in body(ask("/robots.xml", site))
    assert channels_at("/notes/one", journal(), site.settings) == []


@pytest.mark.parametrize(
    ("path", "folders"),
    [("/", [""]), ("/about", [""]), ("/notes", ["", "notes"]), ("/notes/one", ["", "notes"]), ("/docs/plain", [""]),
     ("/id/00000000000000ff", [""]), ("/later/x", [""])],
)  # fmt: skip
def test_a_reader_is_offered_the_site_and_the_folder_of_the_page(path, folders):
    offered = channels_at(path, journal(), Publishing(), START + 10 * DAY)
    assert [channel.folder for channel in offered] == folders
    assert channels_at(path, PageTable(), Publishing()) == []


def test_a_folder_without_a_page_of_its_own_leads_home():
    [_, channel] = channels_at("/%C3%BCber/ich", journal(), Publishing())
    assert channel == Channel("%C3%BCber", "über", "/")
    assert channels_at("/n/a", PageTable([page("/n", title=" "), page("/n/a", days=1)]), Publishing())[1] == Channel(
        "n", "n", "/n"
    )


def test_where_nobody_dates_pages_the_site_alone_has_a_feed():
    some = PageTable([page("/docs/a"), page("/docs/b")])
    assert links(ask("/feed.atom", some)) == ["/docs/b", "/docs/a"]
    assert ask("/docs/feed.atom", some).status == 404
    assert some.newest(9) is some.newest(9)


def test_no_first_day_is_made_up_but_where_rss_needs_one():
    some = PageTable([Page(b"\1" * 8, "/a", START, updated=START + DAY)])
    published = {path: read_feed(body(ask(path, some))).entries[0].published for path in FORMS}
    assert published == {"/feed.atom": None, "/feed.rss": "Wed, 15 Nov 2023 22:13:20 +0000", "/feed.json": None}
    assert read_feed(body(ask("/feed.atom", some))).entries[0].updated == "2023-11-15T22:13:20Z"


def test_an_update_to_come_is_not_told():
    some = PageTable([Page(b"\1" * 8, "/a", START, published=START, updated=START + 9 * DAY)])
    assert read_feed(body(ask("/feed.atom", some, now=START + DAY))).updated == "2023-11-14T22:13:20Z"
    assert read_feed(body(ask("/feed.atom", some, now=START + 9 * DAY))).updated == "2023-11-23T22:13:20Z"


@pytest.mark.parametrize("form", FORMS)
def test_a_feed_holds_whole_pages_where_somebody_can_tell_them(form):
    texts = {"/notes/one": PageText("<p>It's &lt;new&gt;\x0c</p>", "It's <new>"), "/about": None}
    reply = ask(form, Site(journal(), text_of=lambda page: texts.get(page.path)))
    entries = {entry.link.removeprefix(ORIGIN): entry for entry in read_feed(body(reply)).entries}
    assert entries["/notes/one"].content == "<p>It's &lt;new&gt;</p>"
    assert entries["/notes/one"].summary == "It's &lt;new&gt;"
    assert not entries["/about"].content
    assert not faults(body(reply), header(reply, "content-type"))


def test_the_home_page_says_what_the_feed_is_about():
    assert read_feed(body(ask("/feed.rss", journal()))).description == "A <site> & more"
    assert read_feed(body(ask("/%C3%BCber/feed.rss", journal()))).description == "What is new on example.com: über"
    assert read_feed(body(ask("/notes/feed.rss", journal()))).description == "What is new on example.com: All notes"


@pytest.mark.parametrize(
    ("said", "home", "name"),
    [
        ("Set & said", "Press", "Set & said"),
        ("", "The press", "The press"),
        ("", "README", "example.com"),
        ("", "Welcome", "example.com"),
        ("", "", "example.com"),
    ],
)
def test_a_site_is_called_by_its_setting_its_home_page_or_its_host(said, home, name):
    table = PageTable([page("/", title=home), page("/one", days=1)])
    site = Site(table, Publishing(title=said))
    assert read_feed(body(ask("/feed.atom", site))).title == name
    assert read_opml(body(ask("/feeds.opml", site))).title == f"Feeds of {name}"


@pytest.mark.parametrize(
    "alias", ["notes/feed.atom", "Notes/FEED.rss", "notes/feed.json/x", "ü/feed.atom", "feed.json"]
)
def test_spec_an_alias_where_a_feed_may_stand_is_refused(alias):
    assert refuses(alias).name.startswith("feed.")


@pytest.mark.parametrize(
    "alias", ["a/b/feed.atom", "notes/feed.atomic", "notes/feed", "my/feeds.opml", "my/robots.txt"]
)
def test_an_alias_where_no_feed_can_stand_is_free(alias):
    assert refuses(alias) is None


texts = st.text(max_size=60)
# From the year 100 on: what reads RFC 822 dates here takes the years before it for two digits.
moments = st.one_of(st.none(), st.floats(-59_011_459_200, 253_402_300_799))
segment = st.sampled_from(["notes", "docs", "a", "%C3%BC", "id", "x'&y"])
some_pages = st.lists(
    st.builds(
        Page,
        st.binary(min_size=8, max_size=8),
        st.lists(segment, max_size=3).map(lambda parts: "/" + "/".join(parts)),
        st.one_of(st.none(), st.floats(8e8, 4e9)),
        texts,
        st.sampled_from(["", "en", "pt-BR"]),
        published=moments,
        updated=moments,
        description=texts,
    ),
    max_size=12,
)


@given(some_pages, texts, texts, st.floats(0, 4e9))
def test_every_feed_of_any_pages_is_valid(pages, title, html, now):
    """By rules of our own, by feedparser, and by our own reader; the lists are, too."""
    table = PageTable(pages)
    site = Site(table, Publishing(title=title), text_of=lambda page: PageText(html.replace("<", "&lt;"), title))
    offered = [
        f"/{folder}{form}" if folder else form for folder in ("", *table.feed_folders(now or inf)) for form in FORMS
    ]
    for path in [*offered, "/feeds.opml"]:
        reply = ask(path, site, now=now)
        assert (reply.status == 200) is table.has_feed(now=now or inf)
        if reply.status == 200:
            assert faults(body(reply), header(reply, "content-type")) == []
        if reply.status == 200 and path.endswith((".atom", ".rss")):
            parsed = feedparser.parse(body(reply))
            assert not parsed.bozo
            assert all(entry.link.startswith(f"{ORIGIN}/") for entry in parsed.entries)


@given(st.lists(st.tuples(some_pages, st.booleans()), max_size=4), st.floats(-1e9, 4e9))
def test_dated_pages_stay_in_step_with_the_table(steps, now):
    table = PageTable()
    for pages, goes in steps:
        for one in pages:
            table.discard(one.key) if goes else table.add(one)
        fresh = DatedPages()
        fresh.load(table)
        dated = [one for one in table if (one.published or one.updated) and date_of(one) <= now]
        for folder in ("", "notes", "a", "id"):
            inside = [one for one in dated if folder in {"", top_folder(one.path)}]
            wanted = sorted(inside, key=lambda one: (date_of(one), one.path), reverse=True)
            assert fresh.newest(folder, 3, now) == [one.path for one in wanted[:3]]
            if fresh:
                assert table.newest(3, folder=folder, now=now) == wanted[:3]
                assert table.has_feed(folder, now) is bool(wanted)
        assert table.feed_folders(now) == sorted({top_folder(one.path) for one in dated} - {""})


def test_many_dated_pages_come_and_go():
    chance = random.Random(4)
    pages = [page(f"/f{n % 10}/{n}", days=chance.random() * 1_000) for n in range(2_000)]
    table = PageTable()
    table.load(pages)
    for one in chance.sample(pages, 500):
        table.discard(one.key)
    assert len(table.newest(5_000)) == 1_500
    assert sum(len(table.newest(5_000, folder=folder)) for folder in table.feed_folders()) == 1_500
