"""What readers take: bytes in any holder, and no text where nobody can know its bytes."""

import pickle

import pytest

from waypost import SitemapReader, read_feed, read_robots, read_sitemap
from waypost.formats.document import Kind
from waypost.formats.opml import read_opml
from waypost.formats.sniff import read_any
from waypost.formats.xmlmap import read_xmlmap

URLSET = b"<urlset><url><loc>https://e.org/a</loc></url><url><loc>https://e.org/b</loc></url></urlset>"
READERS = [read_sitemap, read_feed, read_opml, read_xmlmap, read_any]


def streamed(data):
    reader = SitemapReader()
    reader.feed(data)
    return reader.close()


@pytest.mark.parametrize("read", [*READERS, streamed])
@pytest.mark.parametrize("data", [URLSET, b"", b"https://e.org/a\n", b'{"version": "https://jsonfeed.org/version/1"}'])
def test_bytearrays_and_views_are_read_as_the_bytes_they_hold(read, data):
    assert read(bytearray(data)) == read(memoryview(data)) == read(data)


@pytest.mark.parametrize("read", [*READERS, streamed])
@pytest.mark.parametrize("value", ["<urlset/>", None, 5])
def test_what_holds_no_bytes_is_the_callers_mistake(read, value):
    with pytest.raises(TypeError, match="bytes"):
        read(value)


def test_robots_txt_may_be_text_but_no_number():
    assert not read_robots(bytearray(b"User-agent: *\nDisallow: /")).allowed("x", "/")
    with pytest.raises(TypeError, match="from bytes, not from int"):
        read_robots(5)


def test_a_document_is_a_value_and_says_in_a_line_what_it_is():
    fast, exact = read_sitemap(URLSET), read_sitemap(URLSET, exact=True)
    assert fast == exact == pickle.loads(pickle.dumps(fast)) == pickle.loads(pickle.dumps(exact))
    assert repr(fast) == "<Document urlset, 2 entries, 1 notes, complete>"
    assert repr(read_sitemap(URLSET[:60])).endswith("broken>")


def test_kinds_are_words():
    assert list(Kind) == ["urlset", "index", "text", "rss", "atom", "none"]
