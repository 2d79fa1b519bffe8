"""Feeds through the application: whole pages in them, links that work from anywhere, and every list in agreement."""

import re

import feedparser
import pytest
from tests.publish.feed_rules import faults
from tests.web.roots import write

from waypost.formats.feeds import read_feed
from waypost.formats.opml import read_opml
from waypost.formats.xmlmap import read_xmlmap
from waypost.site import content

ORIGIN = "http://example.com"
FORMS = ("/feed.atom", "/feed.rss", "/feed.json")
NOTE = """---
title: A note
published: 2026-01-21
---
# A note

It is about [the introduction](../docs/Intro.md#top), [here](#a-note), [nothing](nowhere.md), [an app](/app/x) and
![a picture](../picture.svg), <a href="https://else.example/x">elsewhere</a> and `<a href="#x">`.

| a | b |
|---|---|
| 1 | 2 |
"""


@pytest.fixture
def noted(starter, here):
    write(starter / "content/news/note.md", NOTE)
    write(
        starter / "content/news/secret.md", "---\npublished: 2026-01-22\ntags: [staff-only]\n---\n# CANARY-RESTRICTED\n"
    )
    write(starter / "content/later/x.md", "---\npublished: 2999-01-01\n---\n# Later\n")
    write(starter / "content/odd.md", "---\npublished: 1.0e+300\nupdated: .nan\n---\n# Odd\n")
    return here


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("folder", ["", "/news"])
def test_feeds_hold_whole_pages_whose_links_work_from_anywhere(noted, folder, form):
    answer = noted.ask(folder + form)
    assert faults(answer.body, answer.headers["content-type"]) == []
    note, one = read_feed(answer.body).entries
    assert (note.link, one.link) == (f"{ORIGIN}/news/note", f"{ORIGIN}/news/one")
    assert f'href="{ORIGIN}/docs/intro#top"' in note.content
    assert f'href="{ORIGIN}/news/note#a-note"' in note.content
    assert f'src="{ORIGIN}/picture.svg"' in note.content
    assert f'href="{ORIGIN}/app/x"' in note.content
    assert "<a>nothing</a>" in note.content
    assert '&lt;a href="#x"&gt;' in note.content
    assert 'class="anchor"' not in note.content
    assert "<h1" not in note.content
    assert "<h1" in one.content  # its title says more than its heading
    assert note.summary.startswith("It is about the introduction")
    assert b"CANARY" not in answer.body
    if form != "/feed.json":
        parsed = feedparser.parse(answer.body)
        assert not parsed.bozo
        assert parsed.entries[0].content[-1].value


def test_feeds_may_be_short(noted, starter):
    write(starter / "waypost.toml", "[feeds]\ncontent = false\nfolders = false\ncount = 1\n")
    [note] = read_feed(noted.ask("/feed.atom").body).entries
    assert note.content is None
    assert noted.ask("/news/feed.atom").status == 404


def test_texts_past_their_budget_are_left_out(noted, monkeypatch):
    monkeypatch.setattr("waypost.site.texts.FEED_TEXT_CHARS_MAX", 100)
    note, one = read_feed(noted.ask("/feed.atom").body).entries
    assert note.content is one.content is None


def test_spec_every_list_names_the_same_feeds_and_each_answers(noted):
    folders = ("", "/news")
    wanted = {f"{ORIGIN}{folder}{form}" for folder in folders for form in FORMS}
    outlines = read_opml(noted.ask("/feeds.opml").body).outlines
    listed = {line.xml_url for top in outlines for line in (top, *top.outlines)} - {None}
    services = {s.loc for s in read_xmlmap(noted.ask("/robots.xml").body).services if "/feed." in s.loc}
    page = noted.ask("/news/note")
    header = set(re.findall(r'<([^>]*)>; rel="alternate"', page.headers["link"]))
    head = {ORIGIN + path for path in re.findall(r'<link rel="alternate" type="application/[a-z]+\+[a-z]+" title="[^"]*" href="([^"]*)"', page.text)}  # fmt: skip
    assert listed == services == header == head == wanted
    for url in wanted:
        assert noted.ask(url.removeprefix(ORIGIN)).status == 200
    for path in ("/docs", "/new-place", "/"):
        answer = noted.ask(path)
        assert "/news/feed" not in answer.headers["link"] + answer.text
        assert f"<{ORIGIN}/feed.atom>" in answer.headers["link"]
    assert "later" not in noted.ask("/feeds.opml").text


def test_a_page_or_file_where_a_feed_may_stand_keeps_out_of_its_way(noted, starter):
    write(starter / "content/taken.md", "# Taken\n")
    write(starter / "content/taken.md.toml", 'alias = "news/feed.rss"\nid = "00000000000000aa"\n')
    write(starter / "content/news/feed.json", '{"mine": true}')
    assert noted.ask("/id/00000000000000aa").status == 200
    assert "/id/00000000000000aa<" in noted.ask("/sitemap.xml").text
    assert read_feed(noted.ask("/news/feed.rss").body).entries
    assert read_feed(noted.ask("/news/feed.json").body).entries
    state = noted.ask("/readyz", client="127.0.0.1").text
    assert "feed.rss is made from the pages" in state
    assert "feed.json is made from the pages" in state


def test_a_feed_is_true_to_the_disk_at_every_request(noted, starter):
    for number in range(10):
        write(starter / "content/news/note.md", f"---\npublished: 2026-01-21\n---\n# Note {number}\n\nText {number}\n")
        first = noted.ask("/news/feed.json")
        assert f"Text {number}" in first.text
        assert noted.ask("/news/feed.json", if_none_match=first.headers["etag"]).status == 304
    (starter / "content/news/note.md").unlink()
    (starter / "content/news/one.md").unlink()
    assert noted.ask("/news/feed.json").status == 404
    assert "/news/feed" not in noted.ask("/feeds.opml").text + noted.ask("/robots.xml").text


def test_a_real_server_answers_feeds_of_folders(server):
    got = server.ask("/news/feed.atom")
    assert got.status == 200
    assert read_feed(got.body).entries[0].link == f"{ORIGIN}/news/one"
    assert server.ask("/news/feed.atom", if_none_match=got.headers["etag"]).status == 304
    head = server.ask("/news/feed.atom", method="HEAD")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-length"] == str(len(got.body))
    assert server.ask("/nothing/feed.atom").status == 404


def test_safety_38_what_is_restricted_while_it_is_read_is_in_no_feed_and_no_search(noted, starter, monkeypatch):
    note, real = starter / "content/news/note.md", content._open_below

    def restricted(below: str, path: str) -> int:
        if path.endswith(note.name):
            write(note.with_name("note.md.toml"), 'access = "deny"\n')
            write(note, "# A note\n\nintroduction CANARY-MEANWHILE\n")
        return real(below, path)

    for path, query in (("/feed.atom", ""), ("/_waypost/search", "q=introduction")):
        write(note, NOTE)
        assert "/news/note" in noted.ask(path, query=query).text
        with monkeypatch.context() as patch:
            patch.setattr(content, "_open_below", restricted)
            assert "CANARY" not in noted.ask(path, query=query).text
        note.with_name("note.md.toml").unlink()
