"""Feed writers: what one writes its reader reads, other people's readers too, and the illegal is refused by name."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.dates import write_w3c
from waypost.errors import WriteError
from waypost.formats.feeds import Enclosure, Feed, FeedEntry, FeedKind, Link, read_feed
from waypost.formats.feedwrite import write_atom, write_feed, write_json_feed, write_rss

ENTRY = FeedEntry(
    id="https://e.org/1",
    link="https://e.org/1",
    title="One & <b>two</b>",
    updated="2026-01-20T10:00:00Z",
    published="2026-01-19T10:00:00Z",
    summary="<p>1 &lt; 2</p>",
    content="<p>Whole ]]> 'story'</p>",
    authors=("Ann",),
    categories=("a", "b"),
    enclosures=(Enclosure("https://e.org/1.mp3", "audio/mpeg", "12"),),
    links=(Link("https://e.org/r", "related"),),
    is_permalink=True,
)
FEED = Feed(
    title="News & views",
    link="https://e.org/",
    id="urn:f",
    updated="2026-01-20T10:00:00Z",
    entries=(ENTRY, FeedEntry(id="2", title="Two", link="https://e.org/2", updated="2026-01-20T10:00:00Z")),
    description="All of it",
    language="en",
    authors=("Ann",),
    links=(Link("https://e.org/feed", "self", "application/xml"), Link("https://hub.e.org/", "hub")),
)
KINDS = [FeedKind.RSS, FeedKind.ATOM, FeedKind.JSON]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_a_clean_feed(kind):
    found = read_feed(write_feed(FEED, kind))
    assert (found.kind, found.complete, found.counts) == (kind, True, {})
    assert (found.title, found.link, found.description, found.language) == (
        "News & views",
        "https://e.org/",
        "All of it",
        "en",
    )
    assert [entry.title for entry in found.entries] == ["One & <b>two</b>", "Two"]
    assert found.entries[0].content == ENTRY.content
    assert found.entries[0].enclosures[0][:3] == ENTRY.enclosures[0][:3]


@pytest.mark.parametrize("kind", KINDS)
def test_a_feed_is_written_in_its_own_format(kind):
    assert write_feed(replace(FEED, kind=kind)) == write_feed(FEED, kind)


def test_a_feed_of_no_format_is_refused():
    with pytest.raises(WriteError, match="which format"):
        write_feed(FEED)


@pytest.mark.parametrize("kind", [FeedKind.RSS, FeedKind.ATOM])
def test_feedparser_reads_what_is_written(kind):
    feedparser = pytest.importorskip("feedparser")
    peer = feedparser.parse(write_feed(FEED, kind), sanitize_html=False, resolve_relative_uris=False)
    assert not peer.bozo
    assert (peer.feed.title, peer.feed.link, peer.feed.subtitle) == ("News & views", "https://e.org/", "All of it")
    one = peer.entries[0]
    assert (one.id, one.link, one.content[0].value) == (ENTRY.id, ENTRY.link, ENTRY.content)
    assert [tag.term for tag in one.tags] == ["a", "b"]
    assert one.enclosures[0].href == "https://e.org/1.mp3"
    assert one.published_parsed[:5] == (2026, 1, 19, 10, 0)


def test_json_feed_members():
    found = json.loads(write_json_feed(FEED))
    assert found["version"] == "https://jsonfeed.org/version/1.1"
    assert found["hubs"] == [{"type": "WebSub", "url": "https://hub.e.org/"}]
    assert found["feed_url"] == "https://e.org/feed"
    assert found["items"][0]["summary"] == "1 < 2"
    assert found["items"][0]["external_url"] == "https://e.org/r"
    assert found["items"][0]["attachments"] == [
        {"url": "https://e.org/1.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 12}
    ]
    assert found["items"][1] == {
        "id": "2", "url": "https://e.org/2", "title": "Two", "content_html": "", "date_modified": "2026-01-20T10:00:00Z"
    }  # fmt: skip
    assert json.loads(write_json_feed(Feed(title="T"))) == {"version": found["version"], "title": "T", "items": []}


def test_json_takes_the_summary_where_there_is_no_content():
    entry = FeedEntry(id="1", summary="<p>a</p>", enclosures=(Enclosure("https://e.org/a", "a/b"),))
    (item,) = json.loads(write_json_feed(Feed(title="T", entries=(entry,))))["items"]
    assert (item["content_html"], item["summary"]) == ("<p>a</p>", "a")
    assert item["attachments"] == [{"url": "https://e.org/a", "mime_type": "a/b"}]


@pytest.mark.parametrize(
    "value",
    [
        "2026-01-20T10:00:00Z",
        "2026-01-20T11:00:00+01:00",
        "Tue, 20 Jan 2026 10:00:00 GMT",
        1768903200,
        1768903200.0,
        datetime(2026, 1, 20, 10, tzinfo=UTC),
    ],
)
def test_dates_of_either_family_become_those_of_the_format(value):
    feed = replace(FEED, updated=value, entries=(replace(ENTRY, published=value, updated=value),))
    rss, atom = write_rss(feed).decode(), write_atom(feed).decode()
    expected = value if isinstance(value, str) and "GMT" in value else "Tue, 20 Jan 2026 10:00:00 +0000"
    assert f"<pubDate>{expected}</pubDate>" in rss
    assert f"<lastBuildDate>{expected}</lastBuildDate>" in rss
    expected = value if isinstance(value, str) and "GMT" not in value else "2026-01-20T10:00:00Z"
    assert atom.count(f"<updated>{expected}</updated>") == 2
    assert f"<published>{expected}</published>" in atom
    assert f'"date_published": "{expected}"' in write_json_feed(feed).decode()


def test_a_date_without_a_time_gets_midnight():
    entry = replace(ENTRY, updated="2026-01-20", published=date(2026, 1, 20))
    atom = write_atom(replace(FEED, entries=(entry,))).decode()
    assert "<updated>2026-01-20T00:00:00Z</updated>" in atom
    assert "<published>2026-01-20T00:00:00Z</published>" in atom


@pytest.mark.parametrize("value", ["yesterday", datetime(2026, 1, 20), float("nan"), 1e300, b"x"])
def test_what_is_no_date_is_refused(value):
    for write in (write_rss, write_atom, write_json_feed):
        with pytest.raises(WriteError, match="is no date"):
            write(replace(FEED, entries=(replace(ENTRY, published=value),)))


@pytest.mark.parametrize(
    ("write", "change", "why"),
    [
        (write_rss, {"title": None}, "title is missing: an RSS channel"),
        (write_rss, {"link": ""}, "link is missing: an RSS channel"),
        (write_rss, {"link": "/"}, "link of the channel '/' is relative"),
        (write_rss, {"description": None}, "description is missing"),
        (write_rss, {"title": "\0"}, r"title .*U\+0000"),
        (write_atom, {"id": None}, "id is missing: an Atom feed"),
        (write_atom, {"title": ""}, "title is missing: an Atom feed"),
        (write_atom, {"updated": None}, "updated is missing: an Atom feed"),
        (write_atom, {"link": "x"}, "link of the feed 'x' is relative"),
        (write_atom, {"links": (Link("x", "self"),)}, "link self of the feed 'x' is relative"),
        (write_json_feed, {"title": None}, "title is missing"),
        (write_json_feed, {"link": "x"}, "link of the feed 'x' is relative"),
        (write_json_feed, {"description": "\ud800"}, r"holds U\+D800, half of a character"),
    ],
)
def test_what_a_feed_must_have(write, change, why):
    with pytest.raises(WriteError, match=why):
        write(replace(FEED, **change))


@pytest.mark.parametrize(
    ("write", "change", "why"),
    [
        (write_rss, {"title": None, "summary": ""}, "title or description of item 2 is missing"),
        (write_rss, {"link": "/1"}, "link of item 2 '/1' is relative"),
        (write_rss, {"id": "x"}, "guid of item 2 is no URL"),
        (
            write_rss,
            {"enclosures": (Enclosure("https://e.org/a", "a/b"),)},
            "length is missing: an enclosure of item 2",
        ),
        (write_rss, {"enclosures": (Enclosure("https://e.org/a", "", "1"),)}, "type is missing"),
        (write_rss, {"enclosures": (Enclosure(None, "a/b", "1"),)}, "enclosure of item 2 '' is empty"),
        (write_rss, {"enclosures": (Enclosure("https://e.org/a", "a/b", "1 MB"),)}, "length of an enclosure of item 2"),
        (write_rss, {"content": "\x0b"}, r"content:encoded of item 2 .*U\+000B"),
        (write_atom, {"id": None}, "id is missing: entry 2"),
        (write_atom, {"updated": ""}, "updated is missing: entry 2"),
        (write_atom, {"link": None, "content": None}, "link or content of entry 2 is missing"),
        (write_atom, {"summary": "\x0b"}, r"summary of entry 2 .*U\+000B"),
        (write_json_feed, {"id": None}, "id of item 2 is missing"),
        (write_json_feed, {"enclosures": (Enclosure("https://e.org/a"),)}, "type of an enclosure of item 2"),
        (
            write_json_feed,
            {"enclosures": (Enclosure("https://e.org/a", "a/b", "x"),)},
            "length of an enclosure of item 2",
        ),
        *(
            (write, {"enclosures": (Enclosure("https://e.org/a", "a/b", length),)}, "length of an enclosure of")
            for write in (write_rss, write_atom, write_json_feed)
            for length in ("1" * 5000, "１")
        ),
    ],
)
def test_what_an_entry_must_have(write, change, why):
    with pytest.raises(WriteError, match=why):
        write(replace(FEED, entries=(ENTRY, replace(ENTRY, **change))))


def test_rss_an_item_may_be_little():
    feed = read_feed(
        write_rss(replace(FEED, entries=(FeedEntry(summary="a"), FeedEntry(title="b", updated="2026-01-20"))))
    )
    assert [(entry.id, entry.link, entry.title, entry.summary) for entry in feed.entries] == [
        (None, None, None, "a"),
        (None, None, "b", None),
    ]
    assert feed.entries[1].updated == "2026-01-20T00:00:00Z"


def test_rfc_4287_an_author_is_there_even_where_nobody_said_one():
    assert b"<name>News &amp; views</name>" in write_atom(replace(FEED, authors=()))
    assert write_atom(replace(FEED, authors=(), entries=(ENTRY,))).count(b"<author>") == 1
    assert b"<name>T</name>" in write_atom(Feed(id="1", title="T", updated="2026-01-20T10:00:00Z"))


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff"), max_size=8).map(
    lambda text: "".join(c for c in text if c >= " " or c in "\t\n\r").strip()
)
WORD = TEXT.filter(bool)
URL = st.sampled_from(["https://e.org/f?a&b", "http://e.org/'", "https://ü.example/ü"])
SOME_URL = st.none() | URL
MOMENT = st.integers(0, 4_000_000_000).map(write_w3c)
DATE = st.none() | MOMENT
ENCLOSURES = st.lists(st.builds(Enclosure, URL, WORD, st.sampled_from(["0", "12"])), max_size=2).map(tuple)
LINKS = st.lists(st.builds(Link, URL, st.sampled_from(["self", "hub", "related"]), TEXT, TEXT, TEXT), max_size=2).map(
    tuple
)
WORDS = st.lists(WORD, max_size=2).map(tuple)
ENTRIES = st.lists(
    st.builds(FeedEntry, WORD, URL, WORD, MOMENT, DATE, st.none() | TEXT, TEXT, WORDS, WORDS, ENCLOSURES, LINKS),
    max_size=2,
).map(tuple)
FEEDS = st.builds(
    Feed, st.just(FeedKind.NONE), WORD, URL, WORD, MOMENT, ENTRIES, WORD, st.none() | WORD,
    st.lists(WORD, min_size=1, max_size=2).map(tuple), LINKS,
)  # fmt: skip


def compared(feed, leave_out):
    def entry_fields(entry):
        plain = [link._replace(line=0, column=0) for link in entry.links]
        files = [file._replace(line=0, column=0) for file in entry.enclosures]
        values = {name: getattr(entry, name) for name in FeedEntry.__slots__ if name not in ("line", "column")}
        return {
            name: value
            for name, value in (values | {"links": plain, "enclosures": files}).items()
            if name not in leave_out
        }

    names = ("title", "link", "id", "updated", "description", "language", "authors")
    own = {name: getattr(feed, name) for name in names if name not in leave_out}
    links = [link._replace(line=0, column=0) for link in feed.links]
    return own, [] if "links" in leave_out else links, [entry_fields(entry) for entry in feed.entries]


@settings(max_examples=150)
@given(FEEDS)
def test_atom_what_is_written_reads_back(feed):
    found = read_feed(write_atom(feed))
    assert compared(found, ()) == compared(feed, ())
    assert write_atom(found) == write_atom(feed)


@settings(max_examples=150)
@given(FEEDS)
def test_rss_what_is_written_reads_back(feed):
    found = read_feed(write_rss(feed))
    assert compared(found, ("id", "updated", "published")) == compared(feed, ("id", "updated", "published"))
    assert [entry.id for entry in found.entries] == [entry.id for entry in feed.entries]
    assert write_rss(found) == write_rss(feed)


@settings(max_examples=150)
@given(FEEDS)
def test_json_what_is_written_reads_back(feed):
    feed = replace(feed, updated=None)  # JSON Feed has no such member
    found = read_feed(write_json_feed(feed))
    assert compared(found, ("id", "links", "summary")) == compared(feed, ("id", "links", "summary"))
    assert write_json_feed(found) == write_json_feed(feed)
