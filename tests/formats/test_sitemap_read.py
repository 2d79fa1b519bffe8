"""Sitemaps read: entries, and every fact around them."""

import gzip
from itertools import pairwise
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.formats import inflate, sitemap, xmlnotes
from waypost.formats import sitemapnotes as kinds
from waypost.formats.bounds import Bounds
from waypost.formats.entryruns import ENTRY, LOC, PRIORITY, find_run
from waypost.formats.extensions import Extension, near_extension
from waypost.formats.signature import Format
from waypost.formats.sitemap import Entry, Kind, SitemapReader, read_sitemap

CORE = "http://www.sitemaps.org/schemas/sitemap/0.9"
PREFIXES = (
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" '
    'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" '
    'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
)


def urlset(body, namespace=CORE):
    return f'<urlset xmlns="{namespace}" {PREFIXES}>{body}</urlset>'.encode()


def facts(document):
    """Every note but its text, with the kinds of notes nothing else checks."""
    return [(note.kind, note.line, note.entry) for note in document.notes]


def test_sitemaps_org_a_urlset_is_read_by_entry_and_by_column():
    document = read_sitemap(
        b'<?xml version="1.0" encoding="UTF-8"?>\n'
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        b"  <url>\n    <loc>https://example.com/a?b=1&amp;c=2</loc>\n    <lastmod>2026-01-20</lastmod>\n"
        b"    <changefreq>daily</changefreq>\n    <priority>0.5</priority>\n  </url>\n"
        b"  <url><loc>https://example.com/<![CDATA[b]]></loc><lastmod/></url>\n</urlset>\n",
        url="https://example.com/sitemap.xml",
    )
    first = Entry("https://example.com/a?b=1&c=2", "2026-01-20", "daily", "0.5", 3)
    second = Entry("https://example.com/b", "", None, None, 9)
    assert list(document.entries) == [first, second]
    assert document.entries[-1] == second
    assert document.entries[0:1] == [first]
    assert document.locs == [first.loc, second.loc]
    assert (document.lastmods, document.changefreqs, document.priorities) == (
        ["2026-01-20", ""],
        ["daily", None],
        ["0.5", None],
    )
    assert (document.kind, document.format, document.complete, document.notes) == (Kind.URLSET, Format.URLSET, True, ())
    assert (document.encoding, document.entry_count, document.url) == ("utf-8", 2, "https://example.com/sitemap.xml")
    assert document.root == f"{CORE} urlset"
    assert document.place(1) == (9, 3)
    assert repr(document.entries) == "<2 entries>"


def test_sitemaps_org_an_index_is_read():
    document = read_sitemap(
        f'<sitemapindex xmlns="{CORE}"><sitemap><loc>https://example.com/1.xml</loc><lastmod>2026</lastmod></sitemap>'
        f"<sitemap><loc>2.xml</loc><priority>1</priority></sitemap></sitemapindex>".encode()
    )
    assert document.kind is Kind.INDEX
    assert document.locs == ["https://example.com/1.xml", "2.xml"]
    assert document.lastmods == ["2026", None]
    assert facts(document) == [(kinds.ELEMENT_UNKNOWN, 1, 2)]


@pytest.mark.parametrize(
    ("body", "locs", "expected"),
    [
        ("<url><lastmod>2026</lastmod></url>", [], [(kinds.LOC_MISSING, 1, 0)]),
        ("<url></url><url><loc>u</loc></url>", ["u"], [(kinds.LOC_MISSING, 1, 0)]),
        ("<url><loc/></url>", [""], []),
        ("<url><loc> </loc></url>", [""], []),
        ("<url><loc>\n u\t</loc></url>", ["u"], [(kinds.LOC_PADDED, 1, 1)]),
        ("<url><loc>a</loc><loc>b</loc></url>", ["a"], [(kinds.LOC_REPEATED, 1, 1)]),
        ("<url><loc>a</loc><priority>1</priority><priority>1</priority></url>", ["a"], [(kinds.FIELD_REPEATED, 1, 1)]),
        ("<url><loc>a</loc><author>me</author></url>", ["a"], [(kinds.ELEMENT_UNKNOWN, 1, 1)]),
        ("<url><loc>a</loc><link href='x'/></url>", ["a"], [(kinds.ELEMENT_UNKNOWN, 1, 1)]),
        ("<foo><url><loc>a</loc></url></foo>", [], [(kinds.ELEMENT_UNKNOWN, 1, 0)]),
        ("<loc>a</loc>", [], [(kinds.ELEMENT_UNKNOWN, 1, 0)]),
        ("<url><loc>a</loc><url><loc>b</loc></url></url>", ["a"], [(kinds.ELEMENT_UNKNOWN, 1, 1)]),
        ("<sitemap><loc>a</loc></sitemap>", [], [(kinds.CHILD_WRONG, 1, 0)]),
        ("<url>https://example.com/</url>", [], [(kinds.TEXT_OUTSIDE, 1, 1), (kinds.LOC_MISSING, 1, 0)]),
        ("text<url><loc>a</loc></url>", ["a"], [(kinds.TEXT_OUTSIDE, 1, 0)]),
        ("<url><loc>a<b>c</b>d</loc></url>", ["ad"], [(kinds.ELEMENT_IN_VALUE, 1, 1)]),
        ("<url><loc>a<loc>b<url/></loc>c</loc></url>", ["ac"], [(kinds.ELEMENT_IN_VALUE, 1, 1)]),
        ("<url><loc>a</loc><mobile xmlns='urn:m'/></url>", ["a"], [(kinds.EXTENSION_UNKNOWN, 1, 0)]),
        ("<x xmlns='urn:m'><url><loc>a</loc></url></x><x xmlns='urn:m'/>", [], [(kinds.EXTENSION_UNKNOWN, 1, 0)]),
        ("<url><loc>a</loc><my:loc xmlns:my='urn:m'>b</my:loc></url>", ["a"], [(kinds.EXTENSION_UNKNOWN, 1, 0)]),
        (
            "<url><loc>a</loc><i:image xmlns:i='http://www.google.com/schemas/sitemap-image/1.0'/></url>",
            ["a"],
            [(kinds.EXTENSION_MISSPELT, 1, 0)],
        ),
        ("<url><loc>a</loc><image:loc>b</image:loc></url>", ["a"], [(kinds.EXTENSION_MISPLACED, 1, 1)]),
        ("<image:image/><url><loc>a</loc></url>", ["a"], [(kinds.EXTENSION_MISPLACED, 1, 0)]),
        ("<url xmlns=''><loc>url</loc></url>", ["url"], [(kinds.CHILD_FOREIGN, 1, 0)]),
        ("<url><loc xmlns=''>loc</loc></url>", ["loc"], [(kinds.CHILD_FOREIGN, 1, 0)]),
        (
            "<url><loc>a<loc xmlns=''>b</loc></loc></url>",
            ["a"],
            [(kinds.CHILD_FOREIGN, 1, 0), (kinds.ELEMENT_IN_VALUE, 1, 1)],
        ),
    ],
)
def test_what_an_entry_may_not_hold_is_noted_with_its_place(body, locs, expected):
    document = read_sitemap(urlset(body))
    assert document.locs == locs
    assert document.entry_count == len(locs)
    assert sorted(facts(document)) == sorted(expected)
    assert document.complete


@pytest.mark.parametrize(
    ("namespace", "kind"),
    [
        (CORE, None),
        ("", kinds.NAMESPACE_MISSING),
        ("https://www.sitemaps.org/schemas/sitemap/0.9", kinds.NAMESPACE_NEAR),
        ("http://www.google.com/schemas/sitemap/0.84", kinds.NAMESPACE_NEAR),
        ("http://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd", kinds.NAMESPACE_NEAR),
        ("http://www.google.com/schemas/sitemap/0.9", kinds.NAMESPACE_FOREIGN),
        (" http://www.sitemaps.org/schemas/sitemap/0.9", kinds.NAMESPACE_FOREIGN),
        ("urn:x", kinds.NAMESPACE_FOREIGN),
    ],
)
def test_the_namespace_of_the_root_is_noted_and_its_entries_are_read(namespace, kind):
    document = read_sitemap(urlset("<url><loc>a</loc><lastmod>loc</lastmod></url>", namespace))
    assert document.locs == ["a"]
    assert document.lastmods == ["loc"]
    assert [note.kind for note in document.notes] == ([kind] if kind else [])


def test_prefixed_elements_are_the_same_elements():
    document = read_sitemap(f'<s:urlset xmlns:s="{CORE}"><s:url><s:loc>a</s:loc></s:url></s:urlset>'.encode())
    assert document.locs == ["a"]
    assert document.notes == ()


IMAGES = """<url><loc>a</loc>
<image:image><image:loc> https://cdn.example/1.png </image:loc><image:title>One &amp; two</image:title></image:image>
<image:image/>
</url><url><loc>b</loc></url>"""


def test_image_records_are_kept_with_their_lines():
    document = read_sitemap(urlset(IMAGES))
    first, second = document.entries[0].extensions
    assert first.extension is Extension.IMAGE
    assert (first.value("loc"), first.value("title"), first.value("caption")) == (
        "https://cdn.example/1.png",
        "One & two",
        None,
    )
    assert [(part.name, part.line, part.column) for part in first.parts] == [("loc", 2, 14), ("title", 2, 64)]
    assert (second.line, second.column, second.parts) == (3, 1, ())
    assert list(document.records) == [0]
    assert document.notes == ()


def test_video_and_news_records_keep_attributes_repeats_and_what_is_nested():
    document = read_sitemap(
        urlset(
            "<url><loc>a</loc><video:video><video:tag>x</video:tag><video:tag>y</video:tag>"
            "<video:restriction relationship='allow'>IE GB</video:restriction><o xmlns='urn:o'>no<p>no</p></o>"
            "<video:a><video:b><video:c><video:d>no</video:d></video:c></video:b></video:a></video:video>"
            "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>"
            "<news:title>T</news:title></news:news></url>"
        )
    )
    video, news = document.entries[0].extensions
    assert [part.value for part in video.every("tag")] == ["x", "y"]
    assert video.every("restriction")[0].attribute("relationship") == "allow"
    assert video.every("restriction")[0].attribute("other") is None
    assert [part.name for part in video.parts] == ["tag", "tag", "restriction", "a", "a/b", "a/b/c"]
    assert [(part.name, part.value) for part in news.parts] == [
        ("publication", ""),
        ("publication/name", "N"),
        ("publication/language", "en"),
        ("title", "T"),
    ]


def test_very_many_alternates_keep_their_attributes():
    links = "".join(f'<xhtml:link rel="alternate" hreflang="x{at}" href="https://e.com/{at}"/>' for at in range(12_000))
    (records,) = read_sitemap(urlset(f"<url><loc>a</loc>{links}</url>")).records.values()
    assert [record.value("hreflang") for record in records] == [f"x{at}" for at in range(12_000)]


def test_alternates_keep_their_attributes():
    document = read_sitemap(
        urlset('<url><loc>a</loc><xhtml:link rel="alternate" hreflang="de" href="https://e.de/"/></url>')
    )
    (alternate,) = document.entries[0].extensions
    assert alternate.extension is Extension.ALTERNATE
    assert (alternate.value("rel"), alternate.value("hreflang"), alternate.value("href")) == (
        "alternate",
        "de",
        "https://e.de/",
    )
    assert alternate.value("type") is None


@pytest.mark.parametrize(
    ("namespace", "extension"),
    [
        ("https://www.google.com/schemas/sitemap-image/1.1", Extension.IMAGE),
        ("http://www.google.com/schemas/sitemap-video/1.1/", Extension.VIDEO),
        ("http://www.google.com/schemas/sitemap-news/1.1", Extension.NEWS),
        ("http://www.w3.org/TR/xhtml11/xhtml_schema.html", Extension.ALTERNATE),
        ("http://www.google.com/schemas/sitemap-mobile/1.0", None),
        ("http://www.google.com/schemas/sitemap-image/1.1", None),
        ("http://www.google.com/schemas/sitemap-new\u017f/1.1", None),
        ("urn:mine", None),
    ],
)
def test_a_misspelt_extension_namespace_is_recognised(namespace, extension):
    assert near_extension(namespace) is extension


def test_a_broken_document_keeps_what_was_good_and_no_url_that_was_cut():
    body = "<url><loc>https://e.com/1</loc></url><url><loc>https://e.com/2</loc><lastmod>2026-0"
    document = read_sitemap(f'<urlset xmlns="{CORE}">{body}'.encode())
    assert document.locs == ["https://e.com/1", "https://e.com/2"]
    assert document.lastmods == [None, None]
    assert not document.complete
    assert facts(document) == [(xmlnotes.TRUNCATED, 1, 0)]
    assert read_sitemap(f'<urlset xmlns="{CORE}"><url><loc>https://e.com/1'.encode()).locs == []


def test_a_document_broken_inside_a_record_keeps_the_record_so_far():
    body = "<url><loc>a</loc><video:video><video:title>T</video:title><video:description>A & B</video:description>"
    document = read_sitemap(urlset(body))
    (video,) = document.entries[0].extensions
    assert [part.name for part in video.parts] == ["title"]
    assert facts(document) == [(xmlnotes.BARE_AMPERSAND, 1, 0)]


def test_entries_over_the_limit_are_noted_counted_and_kept_up_to_another():
    body = "".join(f"<url><loc>{number}</loc></url>" for number in range(12))
    document = read_sitemap(urlset(body), limits=Bounds(urls_max=5, entries_kept_max=8))
    assert document.entry_count == 12
    assert document.locs == [str(number) for number in range(8)]
    assert facts(document) == [(kinds.OVER_ENTRIES, 1, 6)]
    exactly = read_sitemap(urlset(body), limits=Bounds(urls_max=12))
    assert exactly.counts == {}


def test_runs_of_entries_beyond_every_limit_are_only_counted():
    body = "<url><loc>https://example.com/some/long/enough/address</loc></url>" * 40_000
    document = read_sitemap(urlset(body), limits=Bounds(urls_max=2, entries_kept_max=3))
    assert (document.entry_count, len(document.locs)) == (40_000, 3)
    assert facts(document) == [(kinds.OVER_ENTRIES, 1, 3)]


def test_a_run_is_not_taken_where_an_element_starts_in_a_value():
    entry, end = [ENTRY, LOC, "a"], ["x\x01loc", "x\x01url"]
    assert find_run([*entry, *end] * 3, 0, 9).entries == 2
    assert find_run([*entry, *end, ENTRY, LOC, PRIORITY, *end, *entry, *end], 0, 9) is None


def test_notes_of_one_kind_are_all_counted_and_the_first_are_kept():
    document = read_sitemap(urlset("<url><loc> a</loc></url>" * 1_200))
    assert document.counts == {kinds.LOC_PADDED: 1_200}
    assert [note.entry for note in document.notes] == list(range(1, 1_001))
    text = read_sitemap(b"https://e.com/\nno url\n" * 1_200)
    assert text.counts == {kinds.LINE_NO_URL: 1_200}
    assert [note.line for note in text.notes] == list(range(2, 2_001, 2))


@pytest.mark.parametrize("over", [0, 1, 2, 1_000])
def test_bytes_over_the_limit_end_the_reading_and_are_noted(over):
    start = urlset("<url><loc>a</loc></url>").removesuffix(b"</urlset>")
    size = 100_000
    document = read_sitemap(start + b" " * (size + over - len(start) - 9) + b"</urlset>", limits=Bounds(bytes_max=size))
    assert document.locs == ["a"]
    assert document.complete == (over < 2)
    assert document.counts == ({xmlnotes.OVER_BYTES: 1} if over else {})
    assert document.bytes == size + over


def test_records_over_the_limit_are_dropped_and_noted():
    body = "<url><loc>a</loc>" + "<image:image><image:loc>b</image:loc></image:image>" * 5 + "</url>"
    document = read_sitemap(urlset(body), limits=Bounds(records_kept_max=3))
    assert [len(record.parts) for record in document.entries[0].extensions] == [1, 0]
    assert document.counts == {kinds.RECORDS_DROPPED: 1}


def test_long_values_are_cut_and_noted():
    long = "x" * 50_000
    body = f"<url><loc>{long}</loc><image:image><image:loc>{long}&amp;{long}</image:loc><image:title>t</image:title></image:image></url>"
    document = read_sitemap(urlset(body))
    assert len(document.locs[0]) == 8_192
    assert len(document.entries[0].extensions[0].value("loc")) == 8_192
    assert document.entries[0].extensions[0].value("title") == "t"
    assert document.counts == {xmlnotes.VALUE_TOO_LONG: 2}


@pytest.mark.parametrize("element", ["x", "image:image", "video:video"])
def test_deep_elements_do_no_harm_and_far_too_deep_ones_end_the_reading(element):
    for depth, complete in ((1_000, True), (1_500, False)):
        nested = f"<{element}>" * depth + f"</{element}>" * depth
        document = read_sitemap(urlset(f"<url><loc>a</loc>{nested}</url>"), limits=Bounds(open_max=1_200))
        assert document.complete == complete
        assert document.locs == ["a"]


def test_too_many_known_elements_in_each_other_end_the_reading():
    document = read_sitemap(urlset("<url><loc>a</loc>" + "<loc>" * 300_000), limits=Bounds(open_max=1_000))
    assert document.locs == ["a"]
    assert document.counts == {kinds.ELEMENT_IN_VALUE: 1, xmlnotes.TOO_DEEP: 1}


def test_facts_about_the_document_are_kept():
    document = read_sitemap(
        b'\xef\xbb\xbf<?xml version="1.1" encoding="UTF-8"?><?xml-stylesheet href="/s.xsl"?><!DOCTYPE urlset>'
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        b'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"><url><loc>a</loc></url></urlset>'
    )
    assert document.complete
    assert document.xml.stylesheet == 'href="/s.xsl"'
    assert (document.xml.version, document.xml.doctype) == ("1.1", True)
    assert document.schema_location == "a b"
    assert read_sitemap(b"").schema_location == ""


@pytest.mark.parametrize(
    ("data", "seen", "kind"),
    [
        (b"", Format.EMPTY, xmlnotes.EMPTY),
        (b"\n \t", Format.EMPTY, xmlnotes.EMPTY),
        (b"<!doctype html><html></html>", Format.HTML, kinds.NOT_A_SITEMAP),
        (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", Format.HTML, kinds.NOT_A_SITEMAP),
        (b"<URLSET/>", Format.XML, kinds.NOT_A_SITEMAP),
        (b"<opml version='2.0'/>", Format.OPML, kinds.NOT_A_SITEMAP),
        (b'{"version": "https://jsonfeed.org/version/1.1"}', Format.JSONFEED, kinds.NOT_A_SITEMAP),
        (b"[1]", Format.JSON, kinds.NOT_A_SITEMAP),
        (b"User-agent: *\nDisallow:\n", Format.ROBOTS, kinds.NOT_A_SITEMAP),
        (b"/a\n/b\n", Format.PROSE, kinds.NOT_A_SITEMAP),
        (b"# Site\n\n- [a](https://example.com/a)\n", Format.MARKDOWN, kinds.NOT_A_SITEMAP),
        (b"- https://e.com/a\n- https://e.com/b\n", Format.MARKDOWN, kinds.NOT_A_SITEMAP),
        (b"Welcome! See https://e.com/a for more.\nBye.\n", Format.PROSE, kinds.NOT_A_SITEMAP),
        (b"loc,lastmod\nhttps://e.com/a,2026-01-20\n", Format.CSV, kinds.NOT_A_SITEMAP),
        (b"https://e.com/a,2026-01-20\nhttps://e.com/b,2026-01-21\n", Format.CSV, kinds.NOT_A_SITEMAP),
        (b"\x89PNG\r\n\x1a\n\0\0\0", Format.BINARY, kinds.NOT_A_SITEMAP),
        (b"<feed xmlns='urn:f'", Format.XML, xmlnotes.TRUNCATED),
        (b"<RDF xmlns='urn:x'/>", Format.RDF, kinds.NOT_A_SITEMAP),
    ],
)
def test_what_is_no_sitemap_is_named(data, seen, kind):
    document = read_sitemap(data)
    assert (document.kind, document.format) == (Kind.NONE, seen)
    assert document.counts == {kind: 1}
    assert document.locs == []
    assert not document.complete


def test_a_notice_before_the_declaration_is_told_as_that():
    document = read_sitemap(b"<br />\n<b>Notice</b>: x\n<?xml version='1.0'?>\n" + urlset("<url><loc>a</loc></url>"))
    assert document.format is Format.URLSET
    assert facts(document) == [(xmlnotes.TEXT_BEFORE_DECLARATION, 1, 0)]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_declaration_that_is_quoted_further_down_is_not_late(mark):
    document = read_sitemap(mark + b"<?xml version='1.0'?><svg><![CDATA[<?xml version='1.0'?>]]></svg>")
    assert kinds.NOT_A_SITEMAP in document.counts
    assert xmlnotes.TEXT_BEFORE_DECLARATION not in document.counts


def test_sitemaps_org_a_text_sitemap_has_one_url_a_line():
    document = read_sitemap("\r\nhttps://e.com/a\r\n\r\n  http://e.com/b?c \n/c\rhttps://e.com/é".encode())
    assert (document.kind, document.complete) == (Kind.TEXT, True)
    assert document.locs == ["https://e.com/a", "http://e.com/b?c", "https://e.com/é"]
    assert [entry.line for entry in document.entries] == [2, 4, 6]
    assert document.place(1) == (4, 3)
    assert facts(document) == [(kinds.LINE_NO_URL, 5, 0)]


@pytest.mark.parametrize(
    ("before", "inside", "after", "noted"),
    [
        (0, 30, 0, ["publication/name"]),
        (6, 6, 6, ["publication"]),
        (6, 0, 0, []),
        (0, 10, 0, []),
        (30, 0, 0, ["publication"]),
    ],
)
def test_a_long_part_is_noted_once_and_for_itself(before, inside, after, noted):
    name = f"<news:name>{'n' * inside}</news:name>"
    news = f"<news:news><news:publication>{'b' * before}{name}{'a' * after}</news:publication></news:news>"
    document = read_sitemap(urlset(f"<url><loc>a</loc>{news}</url>"), limits=Bounds(value_chars_max=10))
    assert [
        note.text for note in document.notes if note.kind == xmlnotes.VALUE_TOO_LONG and "pub" in note.text
    ] == noted
    assert document.entries[0].extensions[0].value("publication") == ("b" * before + "a" * after)[:10]


def test_a_doctype_of_html_before_a_urlset_is_only_noted():
    document = read_sitemap(b"<!DOCTYPE html>" + urlset("<url><loc>https://e.com/a</loc></url>"))
    assert (document.kind, document.complete, document.locs) == (Kind.URLSET, True, ["https://e.com/a"])
    assert facts(document) == [(xmlnotes.DOCTYPE, 1, 0)]


def test_text_in_other_encodings_is_read_and_noted():
    for data, encoding in (
        ("https://e.com/é\n".encode("utf-16"), "utf-16"),
        ("https://e.com/é\n".encode("latin-1"), "iso-8859-1"),
        ("\ufeffhttps://e.com/é\n".encode(), "utf-8"),
    ):
        document = read_sitemap(data)
        assert document.locs == ["https://e.com/é"]
        assert document.encoding == encoding
        assert document.counts.get(xmlnotes.NOT_UTF_8, 0) == (encoding != "utf-8")
        assert document.complete
    broken = read_sitemap("https://e.com/a\nhttps://e.com/b\n".encode("utf-16") + b"x")
    assert (broken.locs, broken.complete) == (["https://e.com/a", "https://e.com/b"], False)


def test_text_over_limits_is_cut_and_noted():
    lines = b"".join(b"https://e.com/%d\n" % number for number in range(10))
    document = read_sitemap(lines + b"x\n" * 3, limits=Bounds(urls_max=4, entries_kept_max=6))
    assert (len(document.locs), document.entry_count) == (6, 10)
    assert document.counts == {kinds.OVER_ENTRIES: 1, kinds.LINE_NO_URL: 3}
    cut = read_sitemap(lines, limits=Bounds(bytes_max=40))
    assert (cut.locs, cut.complete) == (["https://e.com/0", "https://e.com/1"], False)
    assert cut.counts == {xmlnotes.OVER_BYTES: 1}
    assert len(read_sitemap(b"https://e.com/" + b"x" * 9_000).locs[0]) == 8_192


@pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n"])
def test_a_long_text_sitemap_reads_the_same_in_chunks(line_break):
    data = "".join(f"https://e.com/{number}{line_break}" for number in range(9_000)).encode()
    whole = read_sitemap(data)
    assert (len(whole.locs), whole.entries[-1].line) == (9_000, 9_000)
    assert told(read_in([data[at : at + 777] for at in range(0, len(data), 777)], Bounds())) == told(whole)


def test_feeds_are_sitemaps_of_their_items():
    rss = read_sitemap(
        b"<rss version='2.0'><channel><title>t</title><link>https://e.com/</link>\n"
        b"<item><link>https://e.com/1</link><pubDate>x</pubDate></item>\n<item><title>no link</title></item></channel></rss>"
    )
    assert (rss.kind, rss.format, rss.locs, rss.lastmods) == (Kind.RSS, Format.RSS, ["https://e.com/1"], [None])
    assert rss.counts == {kinds.LOC_MISSING: 1}
    assert rss.entries[0].line == 2
    assert rss.feed.title == "t"
    atom = read_sitemap(
        b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='https://e.com/1'/></entry></feed>"
    )
    assert (atom.kind, atom.locs, atom.entry_count) == (Kind.ATOM, ["https://e.com/1"], 1)
    rdf = read_sitemap(
        b"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>"
        b"<item rdf:about='https://e.com/1'><link>https://e.com/1</link></item></rdf:RDF>"
    )
    assert (rdf.kind, rdf.format, rdf.locs) == (Kind.RSS, Format.RDF, ["https://e.com/1"])
    many = read_sitemap(b"<rss><channel>" + b"<item><link>https://e.com/</link></item>" * 3, limits=Bounds(urls_max=2))
    assert many.entry_count == 3
    assert many.counts == {kinds.OVER_ENTRIES: 1, xmlnotes.TRUNCATED: 1}


def test_gzip_is_opened_whatever_the_name():
    plain = urlset("<url><loc>a</loc></url>")
    document = read_sitemap(gzip.compress(plain))
    assert (document.locs, document.gzip_layers, document.bytes, document.complete) == (["a"], 1, len(plain), True)
    assert document.packed_bytes == len(gzip.compress(plain))


@pytest.mark.parametrize(
    "plain", [urlset("<url><loc>a</loc></url>" * 99), b"https://e.com/a\n" * 99, b"<rss><channel>" + b"<item/>" * 99]
)
def test_a_cut_gzip_file_is_one_fault_and_not_two(plain):
    document = read_sitemap(gzip.compress(plain)[:-12])
    assert not document.complete
    assert [kind for kind in document.counts if kind in xmlnotes.XML_FATAL | set(inflate.INFLATE_NOTES)] == [
        inflate.GZIP_TRUNCATED
    ]
    empty = read_sitemap(gzip.compress(plain)[:5])
    assert empty.counts == {inflate.GZIP_TRUNCATED: 1}


def test_every_kind_of_note_is_documented():
    constants = {value for name, value in vars(kinds).items() if name.isupper() and isinstance(value, str)}
    assert constants == set(kinds.SITEMAP_NOTES)
    assert set(kinds.READING_NOTES) > constants


TOKENS = [
    "<url>", "</url>", "<loc>", "</loc>", "https://e.com/a", "<lastmod>2026</lastmod>", "<priority>", "</priority>", " ", "\n",
    "<image:image>", "</image:image>", "<image:loc>", "</image:loc>", "<x xmlns='urn:x'>", "</x>", "<x/>", "<url xmlns=''>",
    "<loc xmlns=''>", "<sitemap>", "</sitemap>", "<xhtml:link rel='alternate'/>", "loc", "&amp;", "&", "<!-- c -->",
    "<![CDATA[d]]>", "<p:q/>", "\0", "é", "<url><loc>https://e.com/b</loc></url>",
]  # fmt: skip


def read_in(chunks, limits):
    reader = SitemapReader(limits=limits)
    for chunk in chunks:
        reader.feed(chunk)
    return reader.close()


def told(document):
    """All a document says, as a value."""
    places = [document.place(at) for at in range(len(document.locs))]
    columns = (
        document.locs,
        document.lastmods,
        document.changefreqs,
        document.priorities,
        dict(document.records),
        places,
    )
    facts = (
        document.kind,
        document.format,
        document.notes,
        dict(document.counts),
        document.complete,
        document.encoding,
    )
    return columns, facts, document.bytes, document.entry_count, document.root, document.xml, document.feed


def test_text_behind_what_cannot_be_decoded_is_not_read_in_any_chunks(monkeypatch):
    monkeypatch.setattr(sitemap, "PROLOG_BYTES_MAX", 16)
    good, bad = "https://e.com/a\rhttps://e.com/b\n".encode("utf-16"), b"\xff\xdf"
    data = (
        good
        + "https://e.com/c\rhttps://e.com/cut".encode("utf-16-le")
        + bad
        + "/d\nhttps://e.com/e\n".encode("utf-16-le")
    )
    whole = read_sitemap(data)
    assert (whole.locs, whole.complete) == (["https://e.com/a", "https://e.com/b", "https://e.com/c"], False)
    assert [note.line for note in whole.notes if note.kind == xmlnotes.INVALID_BYTES] == [4]
    for size in (1, 17, 40):
        assert told(read_in([data[at : at + size] for at in range(0, len(data), size)], Bounds())) == told(whole)


@settings(max_examples=500)
@given(
    st.lists(st.sampled_from(TOKENS), max_size=25),
    st.sampled_from(
        [
            f'<urlset xmlns="{CORE}" {PREFIXES}>',
            f"<urlset {PREFIXES}>",
            f'<sitemapindex xmlns="{CORE}">',
            "https://e.com/\n",
            "",
        ]
    ),
    st.sampled_from(["</urlset>", "", "</sitemapindex>"]),
    st.lists(st.integers(0, 500), max_size=4),
    st.booleans(),
)
def test_any_bytes_in_any_chunks_never_raise_and_read_the_same(body, before, after, cuts, packed):
    data = (before + "".join(body) + after).encode()
    data = gzip.compress(data, mtime=0) if packed else data
    limits = Bounds(urls_max=2, entries_kept_max=3, open_max=9, depth_max=4, records_kept_max=3)
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    chunks = [data[start:end] for start, end in pairwise(edges)]
    whole = read_sitemap(data, limits=limits)
    assert told(read_in(chunks, limits)) == told(whole)
    # Of a short head, so that what a reader is fed is not one chunk again.
    with patch.object(sitemap, "PROLOG_BYTES_MAX", 16):
        assert told(read_in(chunks, limits)) == told(read_sitemap(data, limits=limits, exact=True))
    assert all(note.kind in kinds.READING_NOTES for note in whole.notes)
    assert len(whole.locs) == min(whole.entry_count, 3)


@settings(max_examples=300)
@given(st.binary(max_size=200), st.integers(0, 200))
def test_any_bytes_at_all_never_raise(data, cut):
    assert told(read_in([data[:cut], data[cut:]], Bounds())) == told(read_sitemap(data))
    with patch.object(sitemap, "PROLOG_BYTES_MAX", 16):
        assert told(read_in([data[:cut], data[cut:]], Bounds())) == told(read_sitemap(data, exact=True))
