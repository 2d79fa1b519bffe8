"""Which format bytes are of, and reading whatever it is."""

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.formats.document import Document, Kind
from waypost.formats.feedmodel import Feed
from waypost.formats.inflate import GZIP_TRAILING, GZIP_TRUNCATED
from waypost.formats.opml import Opml
from waypost.formats.robots import Robots
from waypost.formats.signature import is_table
from waypost.formats.sniff import Format, read_any, sniff
from waypost.formats.xmlmap import Xmlmap

CORE = b"http://www.sitemaps.org/schemas/sitemap/0.9"

SAMPLES = [
    (b"", Format.EMPTY),
    (b"\xef\xbb\xbf \r\n", Format.EMPTY),
    (b"<urlset xmlns='" + CORE + b"'/>", Format.URLSET),
    (b"\n<?xml version='1.0'?><!-- <rss> -->\n<!DOCTYPE urlset [<!ENTITY a 'b'>]><s:urlset>", Format.URLSET),
    ("<?xml version='1.0' encoding='utf-16'?><sitemapindex/>".encode("utf-16"), Format.INDEX),
    (b"Notice: x\n<?xml version='1.0'?><urlset>", Format.URLSET),
    (b"<br />\n<b>Warning</b>: x\n<?xml version='1.0'?><urlset>", Format.URLSET),
    (b"---\nlayout: null\n---\n<?xml version='1.0'?><rss>", Format.RSS),
    (b"<rss version='2.0'>", Format.RSS),
    (b"<feed xmlns='http://www.w3.org/2005/Atom'>", Format.ATOM),
    (b"<rdf:RDF xmlns='http://purl.org/rss/1.0/'>", Format.RDF),
    (b"<opml version='2.0'>", Format.OPML),
    (b"<xmlmap xmlns='" + CORE + b"'>", Format.XMLMAP),
    (b'{"version": "https://jsonfeed.org/version/1.1"}', Format.JSONFEED),
    (b"{}", Format.JSON),
    (b"[1, 2]", Format.JSON),
    (b"<!DOCTYPE html><title>404</title>", Format.HTML),
    (b"<!DOCTYPE html><p><urlset xmlns='" + CORE + b"'/>", Format.HTML),
    (b"<!DOCTYPE html>\n<urlset xmlns='" + CORE + b"'/>", Format.URLSET),
    (b"<HTML>", Format.HTML),
    (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", Format.HTML),
    (b"<p>Not found</p>", Format.HTML),
    (b"<svg xmlns='http://www.w3.org/2000/svg'/>", Format.XML),
    (b"<URLSET>", Format.XML),
    (b"<", Format.XML),
    (b"# comment\nUser-Agent: *\nDisallow:", Format.ROBOTS),
    (b"Sitemap: https://e.com/sitemap.xml", Format.ROBOTS),
    (b"some text\nuser-agent: x\n", Format.ROBOTS),
    ("\u017fitemap: https://e.com/sitemap.xml".encode(), Format.PROSE),
    (b"https://e.com/\nhttps://e.com/a\n", Format.TEXT),
    (b"# list\nhttps://e.com/\n", Format.TEXT),
    (b"loc,lastmod\nhttps://e.com/,2026-01-20\n", Format.CSV),
    (b"loc\tlastmod\nhttps://e.com/\t2026-01-20\n", Format.CSV),
    (b"# Title\n\n> About\n\n- [A](https://e.com/a)\n", Format.MARKDOWN),
    (b"# Only a title", Format.MARKDOWN),
    (b"Hello, world.", Format.PROSE),
    (b"#hash\n#hash", Format.PROSE),
    (b"\x89PNG\r\n\x1a\n\0", Format.BINARY),
    (b"https://e.com/\0", Format.BINARY),
]


@pytest.mark.parametrize(("data", "expected"), SAMPLES)
def test_a_format_is_told_from_the_bytes_packed_or_not(data, expected):
    assert sniff(data) is expected
    assert sniff(gzip.compress(data)) is expected


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"User-agent: *\nDisallow: /a\n", Robots),
        (b"<rss version='2.0'><channel><title>t</title></channel></rss>", Feed),
        (b'{"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": []}', Feed),
        (b"<opml version='2.0'><body/></opml>", Opml),
        (b"<xmlmap xmlns='" + CORE + b"'/>", Xmlmap),
        (b"<urlset xmlns='" + CORE + b"'><url><loc>https://e.com/</loc></url></urlset>", Document),
        (b"https://e.com/\n", Document),
        (b"\0\0", Document),
    ],
)
def test_anything_is_read_by_its_own_reader_packed_or_not(data, kind):
    read = read_any(data, url="https://e.com/x")
    assert type(read) is kind
    assert type(read_any(gzip.compress(data))) is kind
    if isinstance(read, Document) and b"loc" in data:
        assert read.kind is Kind.URLSET


@pytest.mark.parametrize(
    "data", [b"<rss/>", b"<feed/>", b"<opml/>", b"<xmlmap/>", b'{"version": "https://jsonfeed.org/version/1"}']
)
def test_what_is_wrong_with_the_packing_is_told_of_every_format(data):
    packed = gzip.compress(data, mtime=0)
    trailing, short = read_any(packed + b"x"), read_any(packed[:-1])
    plain = read_any(data)
    assert read_any(packed) == plain
    for found, kind in ((trailing, GZIP_TRAILING), (short, GZIP_TRUNCATED)):
        assert found.notes[0].kind == kind
        assert found.notes[1:] == plain.notes
        assert found.counts == {kind: 1, **plain.counts}
    assert (trailing.complete, short.complete) == (plain.complete, False)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["https://e.com/a,12.html", "https://e.com/b,34.html"], False),
        (["https://e.com/a,2026-01", "https://e.com/b,"], True),
        (["url;date", "https://e.com/;x"], True),
        (["a,b"], False),
        (["a,b", "c"], False),
    ],
)
def test_a_table_is_no_list_of_urls(lines, expected):
    assert is_table(lines) is expected


@settings(max_examples=300)
@given(st.binary(max_size=100) | st.lists(st.sampled_from([data for data, _ in SAMPLES]), max_size=3).map(b"".join))
def test_any_bytes_have_a_format_and_a_reader(data):
    assert isinstance(sniff(data), Format)
    read_any(data)
