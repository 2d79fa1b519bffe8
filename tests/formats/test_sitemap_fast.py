"""The fast path says what the exact reader says, or says nothing."""

import gzip
import time

import pytest
from tests.formats.sitemap_mutations import CORE, compare

from waypost.formats.bounds import Bounds
from waypost.formats.sitemap import read_sitemap
from waypost.formats.sitemapfast import LazyPlaces

ENTRY = "<url><loc>https://e.com/a</loc><lastmod>2026-01-20</lastmod></url>"


def urlset(body, before="", after=""):
    return f'{before}<urlset xmlns="{CORE}">{body}</urlset>{after}'.encode()


def is_fast(data, **limits):
    fast, exact = read_sitemap(data, limits=Bounds(**limits)), read_sitemap(data, limits=Bounds(**limits), exact=True)
    assert list(fast.entries) == list(exact.entries)
    assert [fast.place(at) for at in range(len(fast.locs))] == [exact.place(at) for at in range(len(exact.locs))]
    assert (fast.notes, fast.counts, fast.complete, fast.xml, fast.entry_count, fast.bytes, fast.packed_bytes) == (
        *(exact.notes, exact.counts, exact.complete, exact.xml, exact.entry_count, exact.bytes, exact.packed_bytes),
    )
    assert not isinstance(exact.columns.places, LazyPlaces)
    return isinstance(fast.columns.places, LazyPlaces)


@pytest.mark.parametrize(
    "data",
    [
        urlset(ENTRY * 3),
        urlset(
            f"\n  {ENTRY}\n  <!-- - a comment -->\n  {ENTRY}\n",
            '<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- c -->\r\n',
            "\n<!-- end -->",
        ),
        urlset(ENTRY, "\ufeff<?xml-stylesheet href='s.xsl'?>"),
        urlset(ENTRY.replace("/a", "/a?b=1&amp;c=&quot;d e&quot;")),
        urlset(
            ENTRY + "<url><loc>https://e.com/b</loc></url>" + ENTRY.replace("</url>", "<priority>1</priority></url>")
        ),
        urlset("<url>\r\n<loc>https://e.com/é</loc>\r\n<lastmod></lastmod>\r\n</url>\r\n" * 2),
        f'<s:sitemapindex xmlns:s="{CORE}"><s:sitemap><s:loc>a</s:loc></s:sitemap></s:sitemapindex>'.encode(),
        b"<urlset><url><loc>loc</loc></url></urlset>",
        urlset(ENTRY + "<!-- <url><loc>n</loc></url> -->"),
        gzip.compress(urlset(ENTRY)),
    ],
)
def test_plain_documents_are_read_fast(data):
    assert is_fast(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"https://e.com/a\n",
        urlset(""),
        urlset(ENTRY).replace(b"<urlset", b"<!DOCTYPE urlset><urlset"),
        urlset(ENTRY, '<?xml version="1.0" encoding="ISO-8859-1"?>'),
        urlset(ENTRY, '<?xml version="1.0" encoding="utf8" standalone="maybe"?>'),
        urlset(ENTRY + "\xff").replace("\xff".encode(), b"\xff"),
        urlset(ENTRY + "<url><loc> https://e.com/b</loc></url>"),
        urlset(ENTRY + "<url><loc>https://e.com/&#98;</loc></url>"),
        urlset(ENTRY + "<url><loc>https://e.com/&am</loc></url><url><loc>p;b</loc></url>"),
        urlset(ENTRY + "<url><loc>https://e.com/]]></loc></url>"),
        urlset(ENTRY + "<url><loc>https://e.com/\x0b</loc></url>"),
        urlset(ENTRY + "<url><loc>https://e.com/é\ufffe</loc></url>"),
        urlset(ENTRY + "<url><loc><![CDATA[b]]></loc></url>"),
        urlset(ENTRY + "<url a='b'><loc>b</loc></url>"),
        urlset(ENTRY + "text" + ENTRY),
        urlset(ENTRY + "<!-- -- -->" + ENTRY),
        urlset(ENTRY + "<!-- \x01 -->" + ENTRY),
        urlset(ENTRY + f"<!-- {ENTRY} -->"),
        urlset("<url><loc>a</loc><loc>b</loc></url>"),
        urlset("<url><lastmod>2026</lastmod></url>"),
        urlset("<url><loc>a</loc><x/></url>"),
        urlset("<url><loc>a</loc><author>b</author></url>"),
        urlset(ENTRY, after="<!-- </urlset> -->"),
        urlset(ENTRY, after="junk"),
        urlset(ENTRY + "</urlset>" + ENTRY),
        gzip.compress(urlset(ENTRY)) + b"junk",
        f'<sitemapindex xmlns="{CORE}"><sitemap><loc>a</loc><priority>1</priority></sitemap></sitemapindex>'.encode(),
        urlset(ENTRY, "<!--" + "x" * 20_000 + "-->"),
        urlset(ENTRY.replace("/a", "/a" + "x" * 9_000)),
        urlset("<x><url><loc>a</loc></url></x>" + ENTRY),
        b"<urlset></x>",
        b"</urlset><urlset>",
    ],
)
def test_what_cannot_be_proved_is_read_exactly(data):
    assert not is_fast(data)


def test_places_in_one_long_line_are_found_in_linear_time():
    document = read_sitemap(urlset(ENTRY * 50_000))
    started = time.process_time()
    assert document.place(49_999) == (1, len(urlset(ENTRY * 49_999)) - len("</urlset>") + 1)
    assert time.process_time() - started < 0.3


def test_limits_are_the_exact_readers_business():
    three = urlset(ENTRY * 3)
    assert not is_fast(three, urls_max=2)
    assert not is_fast(three, entries_kept_max=2)
    assert not is_fast(three, bytes_max=len(three) - 1)
    assert not is_fast(three, names_max=12)
    assert is_fast(three, urls_max=3, entries_kept_max=3, bytes_max=len(three))


def test_fast_and_exact_say_the_same_of_mutated_documents():
    """Enough of which are still taken by the fast path, and enough are not."""
    compared = [compare(seed) for seed in range(3_000)]
    assert [different for _, different in compared if different] == []
    assert 600 < sum(is_fast for is_fast, _ in compared) < 2_400
