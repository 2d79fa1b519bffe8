"""Feed readers: every field where it belongs, every fact noted with its place, and never an exception."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from waypost.formats import feeddraft, xmltree
from waypost.formats import feednotes as kinds
from waypost.formats.bounds import Bounds
from waypost.formats.feednotes import FEED_NOTES
from waypost.formats.feeds import Enclosure, FeedKind, FeedReader, Link, read_feed
from waypost.formats.jsonfeed import read_json_feed
from waypost.formats.xmlnotes import XML_NOTES

RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"
     xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
  <title>News &amp; views</title><link>https://example.com/</link><description>All of it</description>
  <language>en</language><lastBuildDate>Tue, 20 Jan 2026 10:00:00 GMT</lastBuildDate>
  <managingEditor>ann@example.com (Ann)</managingEditor>
  <atom:link rel="self" type="application/rss+xml" href="https://example.com/feed.rss"/>
  <atom:link rel="hub" href="https://hub.example.com/"/>
  <item>
    <title>One</title><link>https://example.com/1</link><description>&lt;p&gt;First&lt;/p&gt;</description>
    <content:encoded><![CDATA[<p>First, <b>whole</b></p>]]></content:encoded>
    <guid isPermaLink="false">tag:1</guid><pubDate>Mon, 19 Jan 2026 10:00:00 +0100</pubDate>
    <atom:updated>2026-01-20T10:00:00Z</atom:updated>
    <dc:creator>Ann</dc:creator><category>a</category><category>b</category>
    <enclosure url="https://example.com/1.mp3" length="12" type="audio/mpeg"/>
    <atom:link rel="related" href="https://example.com/r" title="R" hreflang="de"/>
  </item>
  <item><title>Two</title><guid>https://example.com/2</guid></item>
</channel>
</rss>"""

ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>urn:f</id><title>News</title><subtitle type="html">All &lt;i&gt;of&lt;/i&gt; it</subtitle>
  <updated>2026-01-20T10:00:00Z</updated><author><name>Ann</name></author><author><email>bob@example.com</email></author>
  <link href="https://example.com/feed.atom" rel="self"/><link href="https://example.com/"/>
  <link href="https://example.com/de/" hreflang="de"/>
  <entry>
    <id>urn:1</id><title type="html">AT&amp;amp;T</title><updated>2026-01-20T10:00:00Z</updated>
    <published>2026-01-19T10:00:00+01:00</published><author><name>Cy</name></author>
    <link rel="alternate" type="text/html" href="https://example.com/1"/>
    <link rel="enclosure" href="https://example.com/1.mp3"/>
    <category term="a" label="A"/><category term="b"/>
    <summary>1 &lt; 2</summary>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p class="x&quot;">Hi<br/>you</p><b/></div></content>
  </entry>
</feed>"""

JSON = """{
  "version": "https://jsonfeed.org/version/1.1",
  "title": "News", "home_page_url": "https://example.com/", "feed_url": "https://example.com/feed.json",
  "next_url": "https://example.com/feed2.json", "description": "All", "language": "en",
  "authors": [{"name": "Ann"}, {"url": "https://bob.example.com/"}], "hubs": [{"type": "WebSub", "url": "https://hub.example.com/"}],
  "_own": {"x": [1, 2]},
  "items": [
    {"id": "1", "url": "https://example.com/1", "external_url": "https://other.example.com/", "title": "One",
     "content_html": "<p>Hi</p>", "summary": "1 < 2", "date_published": "2026-01-19T10:00:00Z",
     "date_modified": "2026-01-20T10:00:00Z", "tags": ["a", "b"], "authors": [{"name": "Cy"}],
     "attachments": [{"url": "https://example.com/1.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 12}]},
    {"id": "2", "url": "https://example.com/2", "content_text": "a & b"}
  ]
}"""


def read(text: str | bytes):
    return read_feed(text.encode() if isinstance(text, str) else text)


def noted(text: str | bytes) -> dict[str, int]:
    return dict(read(text).counts)


def place_of(text: str, kind: str) -> tuple[int, int, int, str]:
    note = next(note for note in read(text).notes if note.kind == kind)
    return note.line, note.column, note.entry, note.text


def rss(item: str = "", channel: str = "", version: str = 'version="2.0"') -> str:
    head = "<title>T</title><link>https://e.org/</link><description>D</description>"
    own = '<a:link xmlns:a="http://www.w3.org/2005/Atom" rel="self" href="https://e.org/f"/>'
    items = f"<item>{item}</item>" if item else ""
    return f"<rss {version}><channel>{head}{own}{channel}{items}</channel></rss>"


def atom(entry: str = "", feed: str = "", root: str = 'xmlns="http://www.w3.org/2005/Atom"') -> str:
    head = (
        "<id>urn:f</id><title>T</title><updated>2026-01-20T10:00:00Z</updated><link rel='self' href='https://e.org/f'/>"
    )
    entries = f"<entry>{entry}</entry>" if entry else ""
    return f"<feed {root}>{head}{feed}{entries}</feed>"


ITEM = "<title>T</title><link>https://e.org/1</link><guid isPermaLink='false'>1</guid>"
ENTRY = "<id>1</id><title>T</title><updated>2026-01-20T10:00:00Z</updated><link href='https://e.org/1'/>"


def test_rss_2_every_field():
    feed = read(RSS)
    assert (feed.kind, feed.version, feed.complete, feed.root) == (FeedKind.RSS, "2.0", True, "rss")
    assert (feed.title, feed.link, feed.description) == ("News & views", "https://example.com/", "All of it")
    assert (feed.language, feed.updated, feed.id) == ("en", "Tue, 20 Jan 2026 10:00:00 GMT", None)
    assert feed.authors == ("ann@example.com (Ann)",)
    assert feed.link_to("self").href == "https://example.com/feed.rss"
    assert feed.link_to("self").type == "application/rss+xml"
    assert feed.link_to("hub").line == 9
    assert feed.link_to("next") is None
    one = feed.entries[0]
    assert (one.id, one.is_permalink, one.link, one.title) == ("tag:1", False, "https://example.com/1", "One")
    assert (one.summary, one.content) == ("<p>First</p>", "<p>First, <b>whole</b></p>")
    assert (one.published, one.updated) == ("Mon, 19 Jan 2026 10:00:00 +0100", "2026-01-20T10:00:00Z")
    assert (one.authors, one.categories) == (("Ann",), ("a", "b"))
    assert one.enclosures == (Enclosure("https://example.com/1.mp3", "audio/mpeg", "12", 16, 5),)
    assert one.links == (Link("https://example.com/r", "related", "", "de", "R", 17, 5),)
    assert (one.line, one.column) == (10, 3)
    assert feed.counts == {}


def test_rss_2_a_guid_that_is_a_permalink_counts_as_the_link():
    two = read(RSS).entries[1]
    assert (two.id, two.is_permalink, two.link) == ("https://example.com/2", True, "https://example.com/2")
    assert two.summary is None
    assert two.content is None


def test_atom_1_every_field():
    feed = read(ATOM)
    assert (feed.kind, feed.version, feed.complete) == (FeedKind.ATOM, "1.0", True)
    assert feed.root == "http://www.w3.org/2005/Atom feed"
    assert (feed.id, feed.title, feed.description, feed.language) == ("urn:f", "News", "All of it", "en")
    assert (feed.updated, feed.link, feed.authors) == (
        "2026-01-20T10:00:00Z",
        "https://example.com/",
        ("Ann", "bob@example.com"),
    )
    assert [(link.rel, link.href) for link in feed.links] == [
        ("self", "https://example.com/feed.atom"),
        ("alternate", "https://example.com/de/"),
    ]
    (entry,) = feed.entries
    assert (entry.id, entry.title, entry.link) == ("urn:1", "AT&T", "https://example.com/1")
    assert (entry.updated, entry.published) == ("2026-01-20T10:00:00Z", "2026-01-19T10:00:00+01:00")
    assert entry.summary == "1 &lt; 2"
    assert entry.content == '<p class="x&quot;">Hi<br/>you</p><b></b>'
    assert entry.enclosures == (Enclosure("https://example.com/1.mp3", None, None, 11, 5),)
    assert (entry.authors, entry.categories, entry.links) == (("Cy",), ("a", "b"), ())
    assert feed.counts == {}


def test_json_feed_1_1_every_field():
    feed = read(JSON)
    assert (feed.kind, feed.version, feed.complete) == (FeedKind.JSON, "https://jsonfeed.org/version/1.1", True)
    assert (feed.title, feed.link, feed.description, feed.language) == ("News", "https://example.com/", "All", "en")
    assert feed.authors == ("Ann", "https://bob.example.com/")
    assert [(link.rel, link.href, link.line) for link in feed.links] == [
        ("self", "https://example.com/feed.json", 3),
        ("next", "https://example.com/feed2.json", 4),
        ("hub", "https://hub.example.com/", 5),
    ]
    one, two = feed.entries
    assert (one.id, one.link, one.title) == ("1", "https://example.com/1", "One")
    assert (one.content, one.summary) == ("<p>Hi</p>", "1 &lt; 2")
    assert (one.published, one.updated) == ("2026-01-19T10:00:00Z", "2026-01-20T10:00:00Z")
    assert (one.categories, one.authors) == (("a", "b"), ("Cy",))
    assert one.enclosures == (Enclosure("https://example.com/1.mp3", "audio/mpeg", "12", 8, 5),)
    assert one.links[0][:2] == ("https://other.example.com/", "related")
    assert (one.line, one.column, two.line, two.column) == (8, 5, 12, 5)
    assert two.content == "a &amp; b"
    assert feed.counts == {}


@pytest.mark.parametrize(
    ("space", "version"),
    [
        ("http://purl.org/rss/1.0/", "1.0"),
        ("http://my.netscape.com/rdf/simple/0.9/", "0.90"),
        ("http://channel.netscape.com/rdf/simple/0.9/", "0.90"),
    ],
)
def test_rss_1_items_beside_the_channel(space, version):
    feed = read(
        f"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="{space}"
        xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel rdf:about="https://e.org/f"><title>T</title><link>https://e.org/</link><description>D</description>
        <dc:date>2026-01-20</dc:date></channel><image><title>no</title></image>
        <item rdf:about="https://e.org/1"><title>One</title><link>https://e.org/1</link><dc:date>2026-01-19</dc:date>
        <dc:subject>s</dc:subject></item></rdf:RDF>"""
    )
    assert (feed.kind, feed.version, feed.id) == (FeedKind.RSS, version, "https://e.org/f")
    assert (feed.title, feed.updated) == ("T", "2026-01-20")
    (entry,) = feed.entries
    assert (entry.id, entry.link, entry.published, entry.categories) == (
        "https://e.org/1",
        "https://e.org/1",
        "2026-01-19",
        ("s",),
    )
    assert feed.counts[kinds.VERSION_OLD] == 1
    assert kinds.ENTRY_OUTSIDE not in feed.counts
    assert feed.counts[kinds.DATE_TOLERATED] == 2


def test_atom_0_3_its_own_names_and_modes():
    feed = read(
        """<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>T</title><tagline>About</tagline>
        <modified>2003-12-13T18:30:02Z</modified><id>urn:f</id><link rel="alternate" href="https://e.org/"/>
        <entry><title mode="escaped" type="text/html">&lt;b&gt;One&lt;/b&gt;</title><id>1</id>
        <issued>2003-12-13T08:29:29-04:00</issued><modified>2003-12-13T18:30:02Z</modified>
        <link href="https://e.org/1"/><summary type="text/plain">a &amp; b</summary>
        <content type="application/xhtml+xml"><p>Hi</p> you</content></entry>
        <entry><title>Two</title><id>2</id><modified>2003-12-13T18:30:02Z</modified><link href="https://e.org/2"/>
        <content type="image/png" mode="base64">AAAA</content></entry></feed>"""
    )
    assert (feed.kind, feed.version, feed.description) == (FeedKind.ATOM, "0.3", "About")
    one, two = feed.entries
    assert (one.title, one.published, one.updated) == ("One", "2003-12-13T08:29:29-04:00", "2003-12-13T18:30:02Z")
    assert (one.summary, one.content) == ("a &amp; b", "<p>Hi</p> you")
    assert two.content is None
    assert feed.counts == {kinds.VERSION_OLD: 1, kinds.SELF_LINK_MISSING: 1}


@pytest.mark.parametrize(
    ("content", "html"),
    [
        ("<content>a &lt; b</content>", "a &lt; b"),
        ("<content type='text'>a</content>", "a"),
        ("<content type='text/plain'>&lt;</content>", "&lt;"),
        ("<content type='html'>&lt;p&gt;a&lt;/p&gt;</content>", "<p>a</p>"),
        ("<content type='HTML'> &lt;p&gt; </content>", "<p>"),
        ("<content type='html'>a <b>c</b></content>", "a <b>c</b>"),
        ("<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>a<i>b</i></div></content>", "a<i>b</i>"),
        ("<content type='xhtml'>t<div>a</div></content>", "t<div>a</div>"),
        ("<content type='xhtml'><p>a</p></content>", "<p>a</p>"),
        ("<content type='image/svg+xml'><svg/></content>", "<svg></svg>"),
        ("<content type='image/png'>AAAA</content>", None),
        ("<content src='https://e.org/c'/>", None),
        ("<content/>", ""),
        ("", None),
    ],
)
def test_atom_content_in_every_form(content, html):
    (entry,) = read(atom(ENTRY + content)).entries
    assert entry.content == html


def test_xml_base_is_honoured_and_noted():
    feed = read(
        atom(
            "<id>1</id><title>T</title><updated>2026-01-20T10:00:00Z</updated><link xml:base='c/' href='d'/>"
            "<link rel='enclosure' href='e.mp3'/><content type='html'>&lt;a href='f'>f&lt;/a></content>",
            "<link href='/top'/>",
            "xmlns='http://www.w3.org/2005/Atom' xml:base='https://e.org/a/b/'",
        )
    )
    assert feed.link == "https://e.org/top"
    assert feed.entries[0].link == "https://e.org/a/b/c/d"
    assert feed.entries[0].enclosures[0].url == "https://e.org/a/b/e.mp3"
    assert feed.counts == {kinds.BASE_USED: 2}


def test_xml_base_may_be_relative_to_where_the_feed_is():
    text = atom("<link href='x'/>", root="xmlns='http://www.w3.org/2005/Atom' xml:base='/b/'")
    assert read_feed(text.encode(), url="https://e.org/a/feed").entries[0].link == "https://e.org/b/x"
    assert read_feed(text.encode()).entries[0].link == "/b/x"
    bad = atom("<link href='x'/>", root="xmlns='http://www.w3.org/2005/Atom' xml:base='https://[/'")
    assert read_feed(bad.encode()).entries[0].link == "x"
    assert (
        read(
            rss("<title>T</title><link>y</link><guid>1</guid>").replace("<item>", "<item xml:base='https://e.org/i/'>")
        )
        .entries[0]
        .link
        == "https://e.org/i/y"
    )


def test_without_xml_base_a_relative_link_stays_as_written_and_is_noted():
    text = atom("<id>1</id><title>T</title><updated>2026-01-20T10:00:00Z</updated><link href='/x'/>")
    assert read_feed(text.encode(), url="https://e.org/").entries[0].link == "/x"
    assert place_of(text, kinds.LINK_RELATIVE)[2:] == (1, "/x")


NOTES = [
    (rss(ITEM), {}),
    (rss("<guid>https://e.org/1</guid><description>d</description>"), {}),
    (rss(ITEM.replace("<title>T</title>", "")), {kinds.ENTRY_EMPTY: 1}),
    (rss(ITEM.replace("<title>T</title>", "<title/><description> </description>")), {kinds.ENTRY_EMPTY: 1}),
    (rss("<title>T</title><link>https://e.org/1</link>"), {kinds.GUID_MISSING: 1}),
    (rss("<title>T</title><guid isPermaLink='false'>1</guid>"), {kinds.LINK_MISSING: 1}),
    (rss("<title>T</title><link/><guid isPermaLink='false'>1</guid>"), {kinds.LINK_MISSING: 1}),
    (rss("<title>T</title><link>https://e.org/1</link><guid>1</guid>"), {kinds.GUID_NO_URL: 1}),
    (rss("<title>T</title><link>https://e.org/1</link><guid isPermaLink='TRUE'>1</guid>"), {kinds.GUID_NO_URL: 1}),
    (rss("<title>T</title><link>/1</link><guid isPermaLink='false'>1</guid>"), {kinds.LINK_RELATIVE: 1}),
    (rss("<title>T</title><guid>1</guid>"), {kinds.GUID_NO_URL: 1, kinds.LINK_MISSING: 1}),
    (rss(f"{ITEM}</item><item>{ITEM}"), {kinds.ID_REPEATED: 1}),
    (rss(f"{ITEM}<title>U</title><title>V</title>"), {kinds.FIELD_REPEATED: 1}),
    (rss(ITEM, "<title>U</title>"), {kinds.FIELD_REPEATED: 1}),
    (rss(f"{ITEM}<pubDate>Tue, 20 Jan 2026 10:00:00 GMT</pubDate>"), {}),
    (rss(f"{ITEM}<pubDate>Mon, 20 Jan 2026 10:00:00 GMT</pubDate>"), {kinds.DATE_TOLERATED: 1}),
    (rss(f"{ITEM}<pubDate>2026-01-20</pubDate>"), {kinds.DATE_INVALID: 1}),
    (rss(f"{ITEM}<pubDate/>"), {kinds.DATE_INVALID: 1}),
    (rss(channel="<lastBuildDate>x</lastBuildDate>"), {kinds.DATE_INVALID: 1}),
    (rss(f"{ITEM}<enclosure url='https://e.org/a' length='1' type='audio/mpeg'/>"), {}),
    (rss(f"{ITEM}<enclosure length='1' type='audio/mpeg'/>"), {kinds.ENCLOSURE_INCOMPLETE: 1}),
    (rss(f"{ITEM}<enclosure url='https://e.org/a' length='1 MB' type='a/b'/>"), {kinds.ENCLOSURE_INCOMPLETE: 1}),
    (rss(f"{ITEM}<description>&lt;a href='/x'></description>"), {kinds.CONTENT_RELATIVE: 1}),
    (rss(f"{ITEM}<description>&lt;script>x&lt;/script></description>"), {kinds.CONTENT_ACTIVE: 1}),
    (rss(f"{ITEM}<unknown xmlns='urn:x'>1</unknown><title xmlns='urn:y'/>"), {}),
    (rss(ITEM, version='version="0.91"'), {kinds.VERSION_OLD: 1}),
    (rss(ITEM, version='version="3.0"'), {kinds.VERSION_UNKNOWN: 1}),
    (rss(ITEM, version=""), {kinds.VERSION_UNKNOWN: 1}),
    (rss(ITEM, version='version="2.0" xmlns="http://backend.userland.com/rss2"'), {kinds.NAMESPACE_UNUSUAL: 1}),
    (rss(ITEM).replace("<description>D</description>", ""), {kinds.FIELD_MISSING: 1}),
    (rss(ITEM).replace("<link>https://e.org/</link>", "<link/>"), {kinds.FIELD_MISSING: 1}),
    (rss(ITEM).replace('rel="self"', 'rel="x"'), {kinds.SELF_LINK_MISSING: 1}),
    (rss(ITEM).replace('rel="self"', 'rel="hub"'), {kinds.SELF_LINK_MISSING: 1, kinds.HUB_WITHOUT_SELF: 1}),
    (rss(ITEM).replace(' href="https://e.org/f"', ""), {kinds.LINK_WITHOUT_HREF: 1, kinds.SELF_LINK_MISSING: 1}),
    (rss().replace("</channel>", f"</channel><item>{ITEM}</item>"), {kinds.ENTRY_OUTSIDE: 1}),
    ("<rss version='2.0'></rss>", {kinds.FIELD_MISSING: 3, kinds.SELF_LINK_MISSING: 1}),
    (atom(ENTRY), {}),
    (atom(ENTRY.replace("<id>1</id>", "")), {kinds.ENTRY_FIELD_MISSING: 1}),
    (atom("<x/>"), {kinds.ENTRY_FIELD_MISSING: 3, kinds.LINK_MISSING: 1}),
    (atom(f"{ENTRY}</entry><entry>{ENTRY}"), {kinds.ID_REPEATED: 1}),
    (atom(ENTRY).replace("<id>urn:f</id>", "<id/>"), {kinds.FIELD_MISSING: 1}),
    (atom(ENTRY, root=""), {kinds.NAMESPACE_UNUSUAL: 1}),
    (atom(f"{ENTRY}<link href='https://e.org/2'/>"), {kinds.LINK_REPEATED: 1}),
    (atom(f"{ENTRY}<link type='application/pdf' href='https://e.org/2'/>"), {}),
    (atom(f"{ENTRY}<link rel='x'/>"), {kinds.LINK_WITHOUT_HREF: 1}),
    (atom(f"{ENTRY}<link rel='enclosure'/>"), {kinds.LINK_WITHOUT_HREF: 1, kinds.ENCLOSURE_INCOMPLETE: 1}),
    (atom(f"{ENTRY}<published>2026-01-20</published>"), {kinds.DATE_TOLERATED: 1}),
    (atom(f"{ENTRY}<published>Tue, 20 Jan 2026 10:00:00 GMT</published>"), {kinds.DATE_INVALID: 1}),
    ("<html/>", {kinds.ROOT_UNKNOWN: 1}),
    ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>x</loc></url></urlset>", {kinds.ROOT_UNKNOWN: 1}),
    ("{}", {kinds.ROOT_UNKNOWN: 1}),
    ('{"items": 1}', {kinds.ROOT_UNKNOWN: 1}),
    ('{"items": []}', {kinds.FIELD_MISSING: 2, kinds.SELF_LINK_MISSING: 1}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "counts"), NOTES)
def test_what_is_noted(text, counts):
    assert noted(text) == counts


def json_feed(item: str = "", more: str = "") -> str:
    items = f"[{item}]"
    return (
        '{"version": "https://jsonfeed.org/version/1.1", "title": "T", "feed_url": "https://e.org/f"'
        f'{more}, "items": {items}}}'
    )


JITEM = '"id": "1", "url": "https://e.org/1"'


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (json_feed(f"{{{JITEM}}}"), {}),
        (json_feed(f"{{{JITEM}}}", ', "author": {"name": "Ann"}'), {}),
        (json_feed().replace("/1.1", "/1"), {}),
        (json_feed().replace("/1.1", "/9"), {kinds.VERSION_UNKNOWN: 1}),
        (json_feed().replace('"T"', "7"), {kinds.JSON_TYPE: 1, kinds.FIELD_MISSING: 1}),
        (json_feed('{"url": "https://e.org/1"}'), {kinds.ENTRY_FIELD_MISSING: 1}),
        (json_feed('{"id": 7, "url": "https://e.org/1"}'), {kinds.JSON_TYPE: 1}),
        (json_feed('{"id": true, "url": "https://e.org/1"}'), {kinds.JSON_TYPE: 1, kinds.ENTRY_FIELD_MISSING: 1}),
        (json_feed('{"id": "1"}'), {kinds.LINK_MISSING: 1}),
        (json_feed('{"id": "1", "url": "/1"}'), {kinds.LINK_RELATIVE: 1}),
        (json_feed(f'{{{JITEM}, "tags": ["a", 1]}}'), {kinds.JSON_TYPE: 1}),
        (json_feed(f'{{{JITEM}, "tags": "a"}}'), {kinds.JSON_TYPE: 1}),
        (json_feed(f'{{{JITEM}, "tags": null}}'), {}),
        (json_feed(f'{{{JITEM}, "date_published": "x"}}'), {kinds.DATE_INVALID: 1}),
        (json_feed(f'{{{JITEM}, "content_html": "<a href=x>"}}'), {kinds.CONTENT_RELATIVE: 1}),
        (json_feed(f'{{{JITEM}, "attachments": [{{"url": "https://e.org/a"}}]}}'), {kinds.ENCLOSURE_INCOMPLETE: 1}),
        (
            json_feed(f'{{{JITEM}, "attachments": [{{"url": "https://e.org/a", "mime_type": "a/b", "size_in_bytes": "1"}}]}}'),
            {kinds.JSON_TYPE: 1},
        ),
        (json_feed("7"), {kinds.JSON_TYPE: 1}),
        (json_feed(more=', "title": "U"'), {kinds.FIELD_REPEATED: 1}),
        (json_feed(more=', "hubs": [{"type": "x"}, {"url": "/h"}]'), {kinds.LINK_RELATIVE: 1}),
    ],
)  # fmt: skip
def test_json_what_is_noted(text, counts):
    assert noted(text) == counts


@pytest.mark.parametrize(
    ("text", "kind", "place"),
    [
        ('{"items": [\n{"id": "1"},\n  {"id": x}]}', kinds.JSON_BROKEN, (3, 10)),
        ('{"items": [{"id": "1"}', kinds.JSON_BROKEN, (1, 23)),
        ('{"items": []} x', kinds.JSON_BROKEN, (1, 15)),
        ('{"a" 1}', kinds.JSON_BROKEN, (1, 6)),
        ('{"a": 1, 2: 3}', kinds.JSON_BROKEN, (1, 10)),
        ('{"a": 1,}', kinds.JSON_BROKEN, (1, 9)),
        ('{"a": ' + "[" * 100_000, kinds.JSON_BROKEN, (1, 7)),
        ('{"a":\n"\x01"}', kinds.JSON_BROKEN, (2, 2)),
        (b'{"a":\n "\xff"}', "invalid-bytes", (2, 3)),
    ],
)
def test_json_that_breaks_says_where(text, kind, place):
    feed = read(text)
    assert not feed.complete
    note = next(note for note in feed.notes if note.kind == kind)
    assert (note.line, note.column) == place


def test_json_keeps_what_came_before_the_break():
    feed = read(json_feed(f'{{{JITEM}}}, {{"id": "2"') + "...")
    assert (feed.kind, len(feed.entries), feed.complete) == (FeedKind.JSON, 1, False)
    assert feed.title == "T"


def test_json_a_number_of_any_length_is_a_number():
    big = "1" * 5000
    item = f'"url": "https://e.org/a", "attachments": [{{"url": "u", "mime_type": "a/b", "size_in_bytes": {big}}}]'
    feed = read(json_feed(f'{{"id": {big}, {item}}}, {{"id": 2, "url": "https://e.org/b"}}'))
    assert [entry.link for entry in feed.entries] == ["https://e.org/a", "https://e.org/b"]
    assert feed.complete
    assert feed.counts == {kinds.JSON_TYPE: 2, kinds.ENCLOSURE_INCOMPLETE: 1}


def test_json_halves_of_characters_do_not_get_through():
    (entry,) = read(json_feed(r'{"id": "\ud83d", "title": "\ud83d\ude00", "url": "https://e.org/"}')).entries
    assert (entry.id, entry.title) == ("\ufffd", "\U0001f600")
    entry.id.encode()


def test_json_of_too_many_values_is_not_read():
    feed = read_feed(b'{"a": [' + b"[]," * 500_001 + b"[]]}")
    assert feed.counts == {kinds.JSON_TOO_LARGE: 1}


def test_json_with_a_mark_and_blanks_before_it_is_json():
    assert read("\ufeff \n" + JSON).kind is FeedKind.JSON
    assert read("{% template %}").counts == {"not-well-formed": 1}


def test_bytes_over_the_limit_are_not_read():
    limit = Bounds(bytes_max=len(JSON) - 10)
    for text in (JSON, RSS, ATOM):
        feed = read_feed(text.encode(), limits=replace(limit, bytes_max=len(text) - 10))
        assert not feed.complete
        assert feed.counts["over-bytes"] == 1
        assert feed.title


def test_entries_over_the_limit_are_counted():
    text = rss(f"{ITEM}</item><item>{ITEM}</item><item>{ITEM}")
    feed = read_feed(text.encode(), limits=Bounds(urls_max=2))
    assert (len(feed.entries), feed.entry_count) == (2, 3)
    feed = read_feed(atom(f"{ENTRY}</entry><entry>{ENTRY}").encode(), limits=Bounds(urls_max=1))
    assert (len(feed.entries), feed.entry_count) == (1, 2)
    many = rss("</item><item>".join(ITEM.replace(">1<", f">{number}<") for number in range(4)))
    assert read_feed(many.encode(), limits=Bounds(urls_max=2)).counts == {kinds.TOO_MANY_ENTRIES: 1}
    assert feed.counts[kinds.TOO_MANY_ENTRIES] == 1


def test_content_over_the_limit_is_dropped(monkeypatch):
    monkeypatch.setattr(feeddraft, "FEED_CONTENT_CHARS_MAX", 10)
    items = "</item><item>".join(f"{ITEM}<description>1234</description>".replace(">1<", f">{n}<") for n in range(4))
    feed = read(rss(items))
    assert [entry.summary for entry in feed.entries] == ["1234", "1234", None, None]
    assert feed.counts == {kinds.CONTENT_DROPPED: 1}


def test_links_over_the_limit_are_dropped(monkeypatch):
    many = "<category>c</category>" * 200
    feed = read(rss(ITEM + many))
    assert len(feed.entries[0].categories) == 100
    assert feed.counts == {kinds.TOO_MANY_PARTS: 1}
    monkeypatch.setattr(feeddraft, "FEED_PARTS_MAX", 3)
    feed = read(rss(ITEM + "<category>c</category>" * 2 + f"</item><item>{ITEM}".replace(">1<", ">2<") + many))
    assert [len(entry.categories) for entry in feed.entries] == [2, 1]


def test_a_broken_feed_keeps_its_whole_entries():
    for text in (RSS, ATOM):
        feed = read(text[: text.rindex("</")])
        assert not feed.complete
        assert feed.counts == {"truncated": 1}
        assert feed.entries
    cut = read(RSS[: RSS.index("<item><title>Two") + 12])
    assert [entry.title for entry in cut.entries] == ["One"]


def test_a_note_says_line_column_and_entry():
    text = rss(ITEM).replace("<guid", "\n <guid").replace("isPermaLink='false'", "")
    assert place_of(text, kinds.GUID_NO_URL) == (2, 2, 1, "1")


def test_chunks_change_nothing():
    for text in (RSS, ATOM):
        data = text.encode()
        whole = read_feed(data)
        for size in (1, 7, 1000):
            reader = FeedReader()
            for start in range(0, len(data), size):
                reader.feed(data[start : start + size])
            assert reader.close() == whole


def test_every_kind_that_is_noted_is_in_the_table():
    names = {value for name, value in vars(kinds).items() if name.isupper() and isinstance(value, str)}
    assert names == set(FEED_NOTES)
    assert not set(FEED_NOTES) & set(XML_NOTES)


def test_json_that_is_nothing_at_all():
    for data in (b"", b"  ", b"\xef\xbb\xbf"):
        assert read_json_feed(data).counts == {"empty": 1}
    assert read_json_feed(b"[1]").counts == {kinds.ROOT_UNKNOWN: 1}


def test_foreign_elements_in_a_feed_are_passed_over():
    feed = read(atom(f"{ENTRY}<title xmlns='urn:x'>X</title>", "<title xmlns='urn:x'>X</title>"))
    assert (feed.title, feed.entries[0].title, feed.counts) == ("T", "T", {})


def test_content_of_any_depth_is_kept():
    deep = "<div>" * 250 + "a<br/>b" + "</div>" * 250
    feed = read(atom(f"{ENTRY}<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>{deep}</div></content>"))
    assert feed.entries[0].content == deep


def test_an_entry_with_more_inside_than_is_kept(monkeypatch):
    monkeypatch.setattr(xmltree, "TREE_PIECES_MAX", 6)
    feed = read(rss(f"{ITEM}<category>c</category>"))
    assert feed.entries[0].categories == ()
    assert feed.counts == {xmltree.TOO_MANY_PIECES: 1}


def test_elements_over_the_limit_end_the_reading(monkeypatch):
    monkeypatch.setattr(xmltree, "TREE_ELEMENTS_MAX", 12)
    feed = read(rss(f"{ITEM}</item><item>{ITEM}</item><item>{ITEM}"))
    assert (len(feed.entries), feed.complete, feed.counts) == (1, False, {xmltree.TOO_MANY_ELEMENTS: 1})


def test_xml_base_that_is_too_long_for_a_url_is_passed_over():
    text = atom("<link href='x'/>", root=f"xmlns='http://www.w3.org/2005/Atom' xml:base='https://e.org/{'a/' * 1_024}'")
    assert read(text).entries[0].link == "x"


def test_xml_base_is_joined_once_and_only_where_it_is_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(xmltree, "joined", lambda base, reference: asked.append((base, reference)) or base + reference)
    bases = "".join(f"<p xml:base='{number}'/>" for number in range(100))
    root = "xmlns='http://www.w3.org/2005/Atom' xml:base='a/'"
    text = atom(f"<link href='x'/><link href='y'/><content type='xhtml' xml:base='b/'>{bases}</content>", root=root)
    assert read(text).entries[0].link == "a/x"
    assert asked == [("", "a/"), ("a/", "x"), ("a/", "y"), ("a/", "b/"), ("a/", "https://e.org/f")]


def test_json_items_over_the_limit_are_counted():
    items = ", ".join(f'{{"id": "{number}", "url": "https://e.org/{number}"}}' for number in range(4))
    feed = read_feed(json_feed(items).encode(), limits=Bounds(urls_max=2))
    assert (len(feed.entries), feed.entry_count, feed.counts) == (2, 4, {kinds.TOO_MANY_ENTRIES: 1})


CORPUS = next((found for up in Path(__file__).parents if (found := up / "shared" / "corpus").is_dir()), Path("absent"))
TRUTH = (
    {row["file"]: row["truth"] for row in json.loads((CORPUS / "manifest.json").read_bytes())}
    if CORPUS.exists()
    else {}
)


@pytest.mark.skipif(not TRUTH, reason="no corpus here")
def test_corpus_every_feed_is_read_as_the_manifest_says():
    for name, truth in TRUTH.items():
        if name.startswith("feeds/"):
            feed = read_feed((CORPUS / name).read_bytes())
            assert len(feed.entries) == truth.get("items", 0), name
            assert feed.complete == bool(truth["well_formed"]), name
            assert (feed.kind is FeedKind.NONE) == (truth["root"] not in ("rss", "feed")), name


@pytest.mark.skipif(not TRUTH, reason="no corpus here")
def test_corpus_feedparser_sees_the_same_entries():
    feedparser = pytest.importorskip("feedparser")
    for name, truth in TRUTH.items():
        if name.startswith("feeds/") and truth["well_formed"] and truth["root"] in ("rss", "feed"):
            feed = read_feed((CORPUS / name).read_bytes())
            peer = feedparser.parse((CORPUS / name).read_bytes(), sanitize_html=False, resolve_relative_uris=False)
            assert [entry.id for entry in feed.entries] == [each.get("id") for each in peer.entries], name
            if "base-used" not in feed.counts:
                assert [entry.link for entry in feed.entries] == [each.get("link") for each in peer.entries], name
            assert [entry.updated for entry in feed.entries if feed.kind is FeedKind.ATOM] == [
                each.get("updated") for each in peer.entries if feed.kind is FeedKind.ATOM
            ], name
