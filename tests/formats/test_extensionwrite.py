"""Sitemap extensions written: an independent parser and our own reader see the same records."""

import io
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.errors import WriteError
from waypost.formats.extensions import Extension, Part, Record
from waypost.formats.extensionwrite import NAMESPACES, make_record, record_markup
from waypost.formats.sitemap import read_sitemap
from waypost.formats.sitemapparts import write_parts
from waypost.formats.sitemapwrite import write_index, write_urlset

IMAGE = make_record(Extension.IMAGE, {"loc": "https://e.org/a.png?x&y"})
VIDEO = make_record(
    Extension.VIDEO,
    {
        "thumbnail_loc": "https://e.org/t.png",
        "title": "A & B",
        "description": "one\ntwo",
        "content_loc": "https://e.org/v.mp4",
        "tag": ["x", "y"],
        "publication_date": "2026-01-20",
    },
)
NEWS = make_record(
    Extension.NEWS,
    {
        "publication/name": "The Example",
        "publication/language": "en",
        "publication_date": "2026-01-20T10:00:00Z",
        "title": "News",
    },
)
GERMAN = make_record(Extension.ALTERNATE, {"hreflang": "de", "href": "https://e.org/de/"})


def row(number: int, *records: Record):
    return (f"https://e.org/{number}", None, None, None, 0, records)


def without_places(record: Record) -> Record:
    return record._replace(line=0, column=0, parts=tuple(part._replace(line=0, column=0) for part in record.parts))


def records_of(data: bytes) -> list[tuple[Record, ...]]:
    document = read_sitemap(data)
    assert document.complete
    assert document.counts == {}
    return [tuple(map(without_places, entry.extensions)) for entry in document.entries]


def test_google_records_as_an_independent_parser_sees_them():
    (url,) = ET.fromstring(write_urlset([row(1, IMAGE, VIDEO, NEWS, GERMAN)]))
    spaces = {extension.value: uri for extension, uri in NAMESPACES.items()}
    assert url.find("image:image/image:loc", spaces).text == "https://e.org/a.png?x&y"
    assert url.find("video:video/video:description", spaces).text == "one\ntwo"
    assert [tag.text for tag in url.findall("video:video/video:tag", spaces)] == ["x", "y"]
    assert [part.tag.rpartition("}")[2] for part in url.find("news:news", spaces)] == [
        "publication",
        "publication_date",
        "title",
    ]
    assert url.find("news:news/news:publication/news:language", spaces).text == "en"
    assert url.find("xhtml:link", spaces).attrib == {"rel": "alternate", "hreflang": "de", "href": "https://e.org/de/"}


def test_only_what_is_used_is_declared():
    data = write_urlset([row(1, GERMAN)])
    assert b"xmlns:xhtml" in data
    assert b"xmlns:image" not in data
    assert b"xmlns:" not in write_urlset(["https://e.org/"])


def test_records_read_back():
    written = [row(1, IMAGE, GERMAN), row(2), row(3, VIDEO)]
    found = records_of(write_urlset(written))
    assert [list(records) for records in found] == [[IMAGE, GERMAN], [], [VIDEO]]
    assert write_urlset(read_sitemap(write_urlset(written)).entries) == write_urlset(written)


def test_in_a_stream_a_record_that_comes_late_declares_its_own_namespace(monkeypatch):
    monkeypatch.setattr("waypost.formats.sitemapwrite.ROWS_AT_ONCE", 1)
    records = [[], [IMAGE, IMAGE], [GERMAN], [VIDEO, GERMAN]]
    rows = [row(number, *some) for number, some in enumerate(records)]
    stream = io.BytesIO()
    write_urlset(rows, stream)
    streamed, whole = stream.getvalue(), write_urlset(rows)
    assert b"<image:image xmlns:image=" in streamed
    assert b"<xhtml:link xmlns:xhtml=" in streamed
    assert [list(some) for some in records_of(streamed)] == records
    assert [list(some) for some in records_of(whole)] == records
    assert whole.count(b"xmlns:") == 3  # in memory the root waits for them all


@pytest.mark.parametrize("bytes_max", [800, 1_500])
def test_parts_with_records_stay_within_the_bytes(bytes_max):
    rows = [row(number, (IMAGE, VIDEO, NEWS, GERMAN)[number % 4]) for number in range(40)]
    *parts, _index = write_parts(rows, "https://e.org/", bytes_max=bytes_max)
    assert all(len(part.data) <= bytes_max for part in parts)
    assert [records for part in parts for records in records_of(part.data)] == [each[5] for each in rows]


@pytest.mark.parametrize(
    ("extension", "values", "why"),
    [
        (Extension.IMAGE, {}, "loc is missing: image needs it"),
        (Extension.IMAGE, {"loc": ""}, "loc is missing"),
        (Extension.IMAGE, {"loc": "/a.png"}, "loc of image '/a.png' is relative"),
        (Extension.VIDEO, {"thumbnail_loc": "https://e.org/", "title": "t"}, "description is missing"),
        (
            Extension.VIDEO,
            {"thumbnail_loc": "https://e.org/", "title": "t", "description": "d"},
            "content_loc or player_loc is missing",
        ),
        (
            Extension.NEWS,
            {"title": "t", "publication/name": "n", "publication/language": "en"},
            "publication_date is missing",
        ),
        (
            Extension.NEWS,
            {"title": "t", "publication/name": "n", "publication/language": "en", "publication_date": "today"},
            "publication_date of news 'today' is not a W3C date",
        ),
        (Extension.ALTERNATE, {"href": "https://e.org/"}, "hreflang is missing"),
    ],
)
def test_a_new_record_needs_what_search_engines_require(extension, values, why):
    with pytest.raises(WriteError, match=why):
        make_record(extension, values)


def test_what_xml_cannot_hold_is_refused_with_its_entry():
    bad = Record(Extension.VIDEO, 0, 0, (Part("title", "a\0", 0, 0),))
    with pytest.raises(WriteError, match=r"title of video of entry 2 'a\\x00' holds U\+0000"):
        write_urlset([row(1), row(2, bad)])
    for name in ("x y", "a:b", "", "a//b", "1"):
        with pytest.raises(WriteError, match="not a name"):
            record_markup(Record(Extension.VIDEO, 0, 0, (Part(name, "a", 0, 0),)), "")
    with pytest.raises(WriteError, match="not a name"):
        record_markup(Record(Extension.VIDEO, 0, 0, (Part("a b/c", "a", 0, 0),)), "")


def test_what_is_no_record_is_refused():
    with pytest.raises(WriteError, match="an extension of entry 1 is str, not a Record"):
        write_urlset([row(1, "image")])
    with pytest.raises(WriteError, match="children of an index have loc and lastmod only"):
        write_index([row(1, IMAGE)])


def test_an_incomplete_record_that_was_read_is_written_as_it_is():
    empty = Record(Extension.IMAGE, 0, 0)
    bare = Record(Extension.ALTERNATE, 0, 0)
    assert record_markup(empty, "") == "<image:image></image:image>"
    assert record_markup(bare, "") == "<xhtml:link></xhtml:link>"
    odd = Record(
        Extension.VIDEO,
        0,
        0,
        (
            Part("restriction", "DE", 0, 0, ("relationship", "allow", "urn:x y", "z")),
            Part("title", "t", 0, 0, ("http://www.w3.org/XML/1998/namespace lang", "en")),
        ),
    )
    assert record_markup(odd, "") == (
        '<video:video><video:restriction relationship="allow">DE</video:restriction>'
        '<video:title xml:lang="en">t</video:title></video:video>'
    )


NAMES = st.sampled_from(["loc", "title", "a", "b"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=6).map(
    str.strip
)
ATTRIBUTES = st.dictionaries(NAMES, TEXTS, max_size=2).map(
    lambda pairs: tuple(text for pair in pairs.items() for text in pair)
)


def nested(paths):
    """Parts in an order a reader could give: each stands after the element it is in."""
    parts, seen = [], set()
    for path, value, attributes in paths:
        for end in range(1, len(path.split("/"))):
            outer = "/".join(path.split("/")[:end])
            if not parts or not (parts[-1].name + "/").startswith(outer + "/"):
                parts.append(Part(outer, "", 0, 0))
        parts.append(Part(path, value, 0, 0, attributes))
        seen.add(path)
    return tuple(parts)


PARTS = st.lists(st.tuples(PATHS, TEXTS, ATTRIBUTES), max_size=5).map(nested)
KINDS = st.sampled_from([Extension.IMAGE, Extension.VIDEO, Extension.NEWS])
NOTHING = st.just(())
RECORDS = st.one_of(
    st.builds(Record, KINDS, st.just(0), st.just(0), PARTS, NOTHING),
    st.builds(Record, st.just(Extension.ALTERNATE), st.just(0), st.just(0), NOTHING, ATTRIBUTES),
)


@settings(max_examples=150)
@given(st.lists(st.lists(RECORDS, max_size=3), max_size=3))
def test_any_records_read_back(lists):
    rows = [row(number, *records) for number, records in enumerate(lists)]
    assert [list(records) for records in records_of(write_urlset(rows))] == lists
