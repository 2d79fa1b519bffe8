"""Sitemap writers: an independent parser reads back each row once, and the illegal is refused by name."""

import gzip
import io
import xml.etree.ElementTree as ET
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.errors import WriteError
from waypost.formats import sitemapwrite
from waypost.formats.sitemapparts import write_parts
from waypost.formats.sitemapwrite import join_urls, prepare_urls, write_index, write_text, write_urlset
from waypost.formats.urlmarkup import RowMarkup
from waypost.formats.urlproof import are_plain, is_plain, require_url

NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def parsed(data: bytes) -> list[dict[str, str]]:
    """Each entry's fields, as an independent parser sees them."""
    return [{field.tag.removeprefix(NS): field.text or "" for field in entry} for entry in ET.fromstring(data)]


def locs(data: bytes) -> list[str]:
    return [entry["loc"] for entry in parsed(data)]


def test_sitemaps_org_urlset_document():
    data = write_urlset([("https://example.com/?a=1&b='2'", "2026-01-20", "daily", "0.8"), "https://example.com/ü"])
    assert data.decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<url><loc>https://example.com/?a=1&amp;b=&apos;2&apos;</loc><lastmod>2026-01-20</lastmod>"
        "<changefreq>daily</changefreq><priority>0.8</priority></url>\n"
        "<url><loc>https://example.com/ü</loc></url>\n"
        "</urlset>\n"
    )


def test_sitemaps_org_index_document():
    data = write_index([("https://example.com/a.xml", "2026-01-20T10:00:00Z"), "https://example.com/b.xml.gz"])
    assert ET.fromstring(data).tag == NS + "sitemapindex"
    assert data.count(b"<sitemap>") == 2
    assert parsed(data) == [
        {"loc": "https://example.com/a.xml", "lastmod": "2026-01-20T10:00:00Z"},
        {"loc": "https://example.com/b.xml.gz"},
    ]


def test_sitemaps_org_text_is_one_url_a_line():
    rows = ["https://example.com/a", ("https://example.com/ü", "2026-01-20"), "https://example.com/a"]
    assert write_text(rows) == "https://example.com/a\nhttps://example.com/ü\n".encode()
    assert write_text([]) == b""


def test_nothing_to_list_is_still_a_document():
    assert parsed(write_urlset([])) == []
    assert parsed(write_index(iter(()))) == []


def test_spec_never_changefreq_or_priority_unless_given():
    rows = [("https://example.com/a", None, None, None, 7, ()), ("https://example.com/b", "", "", "", 0, ())]
    assert parsed(write_urlset(rows)) == [{"loc": "https://example.com/a"}, {"loc": "https://example.com/b"}]
    assert parsed(write_urlset([("https://example.com/", None, None, 0)]))[0]["priority"] == "0"
    assert parsed(write_urlset([("https://example.com/", None, None, None, 7, [])])) == [
        {"loc": "https://example.com/"}
    ]


@pytest.mark.parametrize("plain", [True, False])
def test_spec_the_same_url_is_written_once_and_the_first_row_wins(plain):
    rows = [("https://example.com/a", "2026-01-20"), ("https://example.com/b", None), ("https://example.com/a", None)]
    if not plain:
        rows.append(('https://example.com/"', None))
    assert parsed(write_urlset(rows))[:2] == [
        {"loc": "https://example.com/a", "lastmod": "2026-01-20"},
        {"loc": "https://example.com/b"},
    ]
    assert len(parsed(write_urlset(rows))) == 2 + (not plain)


def test_rows_may_come_in_several_turns_and_repeat_across_them():
    markup = RowMarkup()
    first = markup.text(["https://example.com/a", "https://example.com/b"])
    second = markup.text(["https://example.com/b", "https://example.com/c"])
    third = markup.text(["https://example.com/d"])
    assert (first + second + third).count("<loc>") == markup.written == 4
    with pytest.raises(WriteError, match="entry 6 "):
        markup.text(["nothing"])


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("2026", "2026"),
        ("2026-01", "2026-01"),
        ("2024-02-29", "2024-02-29"),
        ("2026-01-20T10:00+02:00", "2026-01-20T10:00+02:00"),
        ("2026-01-20T10:00:00.5Z", "2026-01-20T10:00:00.5Z"),
        (0, "1970-01-01T00:00:00Z"),
        (1768903200.9, "2026-01-20T10:00:00Z"),
        (date(2026, 1, 20), "2026-01-20"),
        (datetime(2026, 1, 20, 10, tzinfo=UTC), "2026-01-20T10:00:00Z"),
        (datetime(2026, 1, 20, 10, tzinfo=timezone(timedelta(hours=2))), "2026-01-20T08:00:00Z"),
    ],
)
def test_dates_are_written_as_w3c(value, written):
    for rows in (
        [("https://example.com/", value)],
        [("https://example.com/", value), ('https://example.com/"', value)],
    ):
        assert {entry["lastmod"] for entry in parsed(write_urlset(rows))} == {written}


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("yesterday", "not of the form"),
        ("2026-02-30", "no such day"),
        ("2026-01-20 10:00:00", "a blank stands where T should"),
        ("20260120", "not of the form"),
        (" 2026-01-20", "not of the form"),
        ("2026-01-20\n", "not of the form"),
        ("0000-01-01", "no such day"),
        (datetime(2026, 1, 20), "no time zone"),
        (float("nan"), "not a date"),
        (float("inf"), "not a date"),
        (1e300, "not a date"),
        (b"2026", "it is bytes"),
        ([], "it is list"),
        (True and object(), "it is object"),
    ],
)
def test_a_date_that_is_none_is_refused_with_its_entry(value, why):
    with pytest.raises(WriteError, match=f"lastmod of entry 2 .*{why}"):
        write_urlset([("https://example.com/", "2026-01-20"), ("https://example.com/b", value)])


@pytest.mark.parametrize(
    ("loc", "why"),
    [
        ("", "is empty"),
        ("/relative", "is relative"),
        ("example.com/a", "is relative"),
        ("ftp://example.com/", "scheme"),
        ("https:///x", "no usable host"),
        ("https://exa mple.com/", "blank"),
        ("https://example.com/a b", "blank"),
        (" https://example.com/", "relative"),
        ("https://example.com:99999/", "port"),
        ("https://example.com/100%", "percent escape"),
        ("https://example.com/%zz", "percent escape"),
        ("https://me:secret@example.com/", "user name"),
        ("https://example.com/" + "a" * 2_028, "2,048 characters"),
        ("https://example.com/\n", "control"),
        ("https://example.com/\x7f", "control"),
        ("https://example.com/\0", r"U\+0000"),
        ("https://example.com/\ud800", r"U\+D800"),
        ("https://example.com/\ufffe", r"U\+FFFE"),
    ],
)
def test_a_loc_that_is_no_absolute_url_is_refused_with_its_entry(loc, why):
    for write in (write_urlset, write_index, write_text):
        with pytest.raises(WriteError, match=f"of entry 3 .*{why}") as caught:
            write(["https://example.com/a", "https://example.com/b", loc])
        assert str(caught.value).isprintable()


def test_sitemaps_org_a_loc_of_2047_characters_is_written():
    longest = "https://example.com/" + "a" * 2_027
    assert locs(write_urlset(["https://example.com/", longest, "https://example.com/b"]))[1] == longest
    assert are_plain(["https://example.com/", longest])
    assert not are_plain(["https://example.com/", longest + "a"])
    assert not are_plain([longest + "a", "https://example.com/", "https://example.com/b"])


def test_spec_every_special_character_reads_back():
    loc = """https://example.com/?q=&<>"'&amp;{}"""
    assert locs(write_urlset([loc])) == [loc]


@pytest.mark.parametrize("row", [None, 7, (), (None,), (7, "2026"), {"loc": "x"}, ("a",) * 7, b"https://example.com/"])
def test_what_is_no_row_is_refused(row):
    for rows in ([row], ["https://example.com/", row], [row, row]):
        with pytest.raises(WriteError, match="not a URL or a row"):
            write_urlset(rows)


def test_changefreq_and_priority_are_held_to_the_protocol():
    with pytest.raises(WriteError, match="changefreq of entry 1 is 'sometimes', not one of always"):
        write_urlset([("https://example.com/", None, "sometimes")])
    for value in ("1.5", "-1", "high", "0,5", "nan", 2, ".5"):
        with pytest.raises(WriteError, match="priority of entry 1 is .*not a number from 0.0 to 1.0"):
            write_urlset([("https://example.com/", None, None, value)])
    for value in ("0", "0.0", "1", "1.00", "0.25", 0.5, 1):
        assert parsed(write_urlset([("https://example.com/", None, None, value)]))[0]["priority"] == str(value)
    for row in [("https://e.org/", None, "daily"), ("https://e.org/", None, None, "0.5")]:
        with pytest.raises(WriteError, match="of entry 1 cannot be written: the children of an index"):
            write_index([row])


@pytest.mark.parametrize("write", [write_urlset, write_index, write_text])
def test_a_stream_is_written_to_while_rows_are_made(write):
    stream, seen = io.BytesIO(), []

    def rows():
        for number in range(20_000):
            seen.append(stream.tell())
            yield f"https://example.com/{number}"

    write(rows(), stream)
    assert seen[0] == 0
    assert len(set(seen)) > 3


def test_a_stream_gets_the_same_bytes():
    rows = [(f"https://example.com/{number}", "2026-01-20") for number in range(100)]
    for write in (write_urlset, write_index, write_text):
        stream = io.BytesIO()
        assert write(iter(rows), stream) == len(stream.getvalue())
        assert stream.getvalue() == write(rows)


def test_gzip_is_the_same_bytes_every_time():
    rows = ["https://example.com/a"]
    packed = write_urlset(rows, compress=True)
    assert gzip.decompress(packed) == write_urlset(rows)
    assert packed == write_urlset(rows, compress=True)
    stream = io.BytesIO()
    assert write_text(rows, stream, compress=True) == len(stream.getvalue())
    assert gzip.decompress(stream.getvalue()) == b"https://example.com/a\n"


def test_prepared_lines_make_the_same_sitemap():
    rows = [("https://example.com/a&b", "2026-01-20"), "https://example.com/c", "https://example.com/c"]
    lines = prepare_urls(iter(rows))
    assert parsed(join_urls(lines)) == parsed(write_urlset(rows))
    assert locs(join_urls(lines[:1])) == ["https://example.com/a&b"]
    with pytest.raises(WriteError, match="50,000 URLs at most"):
        join_urls(lines * 25_001)


def test_sitemaps_org_50000_urls_and_not_one_more():
    rows = [f"https://example.com/{number}" for number in range(50_000)]
    for write in (write_urlset, write_index, write_text):
        assert write([*rows, rows[0]]).count(b"https://example.com/") == 50_000
        with pytest.raises(WriteError, match="50,000 URLs at most: write_parts"):
            write([*rows, "https://example.com/one-more"])


def test_sitemaps_org_bytes_are_limited(monkeypatch):
    monkeypatch.setattr(sitemapwrite, "SITEMAP_BYTES_MAX", 150)
    write_text(["https://example.com/"])
    with pytest.raises(WriteError, match="150 bytes at most: write_parts"):
        write_urlset(["https://example.com/"])
    with pytest.raises(WriteError, match="150 bytes at most: write_parts"):
        join_urls([])


MANY = [(f"https://example.com/{number}", f"2026-01-{number % 28 + 1:02}") for number in range(95)]


def test_parts_keep_every_url_once_and_in_order():
    *parts, index = write_parts([*MANY, *MANY], "https://example.com/maps", urls_max=10)
    assert [part.name for part in parts] == [f"sitemap-{number:04}.xml" for number in range(1, 11)]
    assert [loc for part in parts for loc in locs(part.data)] == [row[0] for row in MANY]
    assert [part.urls for part in parts] == [10] * 9 + [5]
    assert index.name == "sitemap.xml"
    assert parsed(index.data) == [
        {"loc": f"https://example.com/maps/{part.name}", "lastmod": part.lastmod} for part in parts
    ]
    assert parts[0].lastmod == "2026-01-10"
    assert parts[2].lastmod == "2026-01-28"


def test_rows_that_fit_are_one_sitemap_without_an_index():
    (only,) = write_parts(MANY[:10], "https://example.com/", urls_max=10, stem="pages")
    assert only.name == "pages.xml"
    assert only.data == write_urlset(MANY[:10])
    (nothing,) = write_parts([], "https://example.com/")
    assert (nothing.urls, nothing.lastmod, locs(nothing.data)) == (0, None, [])


def test_the_newest_date_is_the_latest_moment_not_the_greatest_text():
    rows = [("https://example.com/a", "2026-01-20T23:00:00-05:00"), ("https://example.com/b", "2026-01-21")]
    (only,) = write_parts(rows, "https://example.com/")
    assert only.lastmod == "2026-01-20T23:00:00-05:00"


@pytest.mark.parametrize("bytes_max", [400, 777, 1_000, 4_000])
def test_parts_stay_within_the_bytes(bytes_max):
    *parts, index = write_parts(MANY, "https://example.com/", bytes_max=bytes_max)
    assert all(len(part.data) <= bytes_max for part in parts)
    line = len(write_urlset(MANY[-1:])) - len(write_urlset([]))
    assert all(len(part.data) + line > bytes_max for part in parts[:-1])
    assert [loc for part in parts for loc in locs(part.data)] == [row[0] for row in MANY]
    assert sum(part.urls for part in parts) == len(MANY)
    assert len(locs(index.data)) == index.urls == len(parts)


def test_compressed_parts_are_named_so():
    *parts, index = write_parts(MANY, "https://example.com/", urls_max=50, compress=True)
    assert [part.name for part in (*parts, index)] == ["sitemap-0001.xml.gz", "sitemap-0002.xml.gz", "sitemap.xml.gz"]
    assert locs(gzip.decompress(index.data))[0] == "https://example.com/sitemap-0001.xml.gz"
    assert len(locs(gzip.decompress(parts[1].data))) == 45


def test_parts_refuse_what_cannot_be():
    for limits in ({"urls_max": 0}, {"urls_max": 50_001}, {"bytes_max": 0}, {"bytes_max": 52_428_801}):
        with pytest.raises(WriteError, match="a part holds 1 to 50,000 URLs"):
            list(write_parts(MANY, "https://example.com/", **limits))
    with pytest.raises(WriteError, match="the URL of the sitemap '/maps/sitemap.xml' is relative"):
        next(write_parts(MANY, "/maps"))
    with pytest.raises(WriteError, match="one entry alone is larger"):
        list(write_parts(["https://example.com/" + "a" * 500], "https://example.com/", bytes_max=400))
    with pytest.raises(WriteError, match="entry 95 "):
        list(write_parts([*MANY[:94], "x"], "https://example.com/", urls_max=10))


HOSTS = st.sampled_from(
    [
        "https://example.com/",
        "https://example.com",
        "http://example.com:8080/",
        "https://www.example.org/a",
        "http://ü.de/",
        "https://a_b/",
        "https://example.com:0/",
        "https://u@e.org/",
        "https:///",
        "/",
        "HTTPS://E.org/",
        "https://-/",
        "https://1.2.3.4.5/",
        "https://example.com?",
        "https://example.com#",
        "https://exämple.com:1/",
        "https://[::1]/",
    ]
)
TAILS = st.one_of(
    st.text("abc/?&='%41;", max_size=12),
    st.text(max_size=6),
    st.text('ab%&"<>\n\r\t \\^`{|}\x00\x7f\x80\xa0é\ud800\uffff', max_size=4),
    st.integers(2_015, 2_035).map(lambda length: "x" * length),
)
DATES = st.sampled_from(
    [
        None,
        "",
        "2026-01-20",
        "2026-01-20T10:00:00Z",
        "2024-02-29",
        "2026-02-29",
        "x",
        0,
        1.5,
        datetime(2026, 1, 1, tzinfo=UTC),
    ]
)
URLS = st.builds(str.__add__, HOSTS, TAILS)
ROWS = st.one_of(st.lists(URLS, max_size=5), st.lists(st.tuples(URLS, DATES), max_size=5))


def outcome(write):
    try:
        return write()
    except WriteError as error:
        return str(error)


def test_the_plain_way_escapes_what_stands_in_urls():
    rows = [("https://example.com/?a&b='c'", "2026-01-20"), ("https://example.com/d", None)]
    text = RowMarkup().text(rows)
    assert "<loc>https://example.com/?a&amp;b=&apos;c&apos;</loc><lastmod>2026" in text
    assert text == "".join(RowMarkup().lines(rows))


@settings(max_examples=500)
@given(ROWS)
def test_the_plain_way_changes_no_answer(rows):
    assert outcome(lambda: RowMarkup().text(rows)) == outcome(lambda: "".join(RowMarkup().lines(rows)))


@settings(max_examples=500)
@given(st.lists(URLS, min_size=1, max_size=5))
def test_what_is_proven_plain_is_good_one_by_one(urls):
    if are_plain(urls):
        for url in urls:
            require_url(url, "")
    for url in filter(is_plain, urls):
        require_url(url, "")


def test_most_urls_are_plain_one_by_one():
    for url in ("https://example.com/", "http://a.b.example.com:8080/x?y=1&z=%C3%A9#f", "https://127.0.0.1/~a'b|c"):
        assert is_plain(url), url
    for url in (
        "https://example.com",
        "https://example.com/é",
        "https://example.com:0/",
        "https://example.com/%zz",
        "//x/",
    ):
        assert not is_plain(url), url


@settings(max_examples=200)
@given(ROWS)
def test_what_is_written_reads_back(rows):
    try:
        data = write_urlset(rows)
    except WriteError:
        return
    assert locs(data) == list(dict.fromkeys(row if isinstance(row, str) else row[0] for row in rows))
    assert write_text(rows).decode().split("\n")[:-1] == locs(data)


def test_are_plain_is_not_fooled_by_a_url_inside_a_url():
    inside = "https://example.com/?u=https://example.com/"
    assert are_plain([inside, "https://example.com/b"])
    assert not are_plain([inside, "/b"])
    assert are_plain(["https://example.com", "http://example.org?a", "https://example.com/"])
    assert not are_plain(["https://example.com", "http://example.org:0?a"])
    assert not are_plain([])


def test_neighbouring_lines_are_one_url_each():
    text = RowMarkup().text(["https://example.com/a", "https://example.com/b&c", 'https://example.com/"d'])
    lines = text.splitlines()
    assert all(line.startswith("<url>") and line.endswith("</url>") for line in lines)
    assert len(lines) == 3
