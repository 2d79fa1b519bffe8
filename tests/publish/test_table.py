"""The page table: sorted, without duplicates, split without state."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.errors import WriteError
from waypost.publish.page import Page
from waypost.publish.table import PageTable

KEYS = [bytes([number]) * 8 for number in range(12)]
ORIGIN = b"https://example.com"


def pages(count: int, seed: int = 1) -> list[Page]:
    chance = random.Random(seed)
    return [Page(chance.randbytes(8), f"/page-{number}", 1_700_000_000.0 + number) for number in range(count)]


def documents(table: PageTable) -> list[bytes]:
    return [b"".join(run.shot().joined(ORIGIN)) for run in table.runs]


def test_pages_are_sorted_by_url_and_the_document_is_one_join():
    table = PageTable([Page(KEYS[1], "/b", None), Page(KEYS[0], "/a&'", 1_768_903_200.9), Page(KEYS[2], "/c", 5.0)])
    (body,) = documents(table)
    assert body == (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        b"<url><loc>https://example.com/a&amp;&apos;</loc><lastmod>2026-01-20T10:00:00Z</lastmod></url>\n"
        b"<url><loc>https://example.com/b</loc></url>\n"
        b"<url><loc>https://example.com/c</loc></url>\n</urlset>\n"
    )
    assert table.runs[0].shot().length(ORIGIN) == len(body)
    assert {page.path for page in table} == {"/a&'", "/b", "/c"}
    assert table.table() is table
    assert table.has_pages()


def test_translations_and_images_repeat_the_origin_and_stay_one_join():
    page = Page(
        KEYS[0], "/a", None, alternates=(("de", "/de/a"), ("en", "/a")), images=("/i.png", "https://cdn.example/x?a&b")
    )
    table = PageTable([page, Page(KEYS[1], "/b", None)], with_images=True)
    (body,) = documents(table)
    assert body.count(b"https://example.com/") == 5
    assert b'xmlns:xhtml="http://www.w3.org/1999/xhtml"' in body
    assert b'<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/a"/>' in body
    assert b"<image:image><image:loc>https://example.com/i.png</image:loc></image:image>" in body
    assert b"<image:loc>https://cdn.example/x?a&amp;b</image:loc>" in body
    assert table.runs[0].shot().length(ORIGIN) == len(body)
    table.discard(KEYS[0])
    assert b"xhtml" not in documents(table)[0]
    assert b"image" not in documents(table)[0]


@pytest.mark.parametrize("languages", [0, 2, 180])
def test_a_first_scan_and_pages_added_one_by_one_come_to_the_same_documents(languages):
    links = tuple((f"x-{number}", f"/{number}/" + "y" * 1_600) for number in range(languages))
    some = [replace(page, alternates=links) for page in pages(200)]
    whole, single = PageTable(), PageTable(some)
    whole.load(reversed(some))
    assert documents(whole) == documents(single)
    assert whole.set_hash == single.set_hash
    assert len(whole.runs) == (3 if languages == 180 else 1)


def test_images_are_left_out_unless_asked_for():
    table = PageTable([Page(KEYS[0], "/a", None, images=("/i.png",))])
    assert b"image" not in documents(table)[0]


def test_a_page_with_images_of_other_hosts_only_has_one_piece_more_than_none():
    table = PageTable([Page(KEYS[0], "/a", None, images=("https://cdn.example/x",))], with_images=True)
    assert b"<image:loc>https://cdn.example/x</image:loc>" in documents(table)[0]


@pytest.mark.parametrize("path", ["a", "", "/a b", "/é", "/<", '/"', "/a\n", "//x\\", "/\x00"])
def test_a_path_no_url_can_have_is_refused(path):
    with pytest.raises(WriteError, match="not the path of a page"):
        PageTable([Page(KEYS[0], path, None)])
    with pytest.raises(WriteError):
        PageTable([Page(KEYS[0], "/a", None, alternates=(("en", path),))])


def test_a_language_xml_cannot_hold_is_refused():
    with pytest.raises(WriteError, match="language"):
        PageTable([Page(KEYS[0], "/a", None, alternates=(("e\x00n", "/a"),))])


def test_spec_lastmod_is_left_out_at_the_epoch_and_before_1995():
    for moment in (None, 0.0, 1.0, 788_918_399.0):
        assert b"lastmod" not in documents(PageTable([Page(KEYS[0], "/a", moment)]))[0]
    assert b"<lastmod>1995-01-01T00:00:00Z" in documents(PageTable([Page(KEYS[0], "/a", 788_918_400.0)]))[0]


def test_one_page_added_changes_exactly_one_part():
    table = PageTable(pages(20_000), split_at=1_000, part_size=1_000)
    before = documents(table)
    table.add(Page(b"\0" * 8, "/added", None))
    after = documents(table)
    assert len(before) == 42
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    assert table.discard(b"\0" * 8)
    assert documents(table) == before


def test_growing_by_one_part_cuts_one_other_in_two():
    some = pages(1_000)
    table = PageTable(some[:970], split_at=100, part_size=100)
    before = [{page.path for page in run.pages} for run in table.runs]
    for page in some[970:971]:
        table.add(page)
    after = [{page.path for page in run.pages} for run in table.runs]
    assert (len(before), len(after)) == (20, 21)
    changed = [part for part, paths in enumerate(after) if part >= len(before) or paths != before[part]]
    assert len(changed) <= 3
    assert 20 in changed
    assert before[4] - after[4] == after[20] - {some[970].path}


@given(
    st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from("abcdefgh"), st.booleans(), st.booleans()), max_size=60)
)
@settings(max_examples=200)
def test_whatever_the_order_of_changes_the_table_is_a_function_of_its_pages(steps):
    table = PageTable(split_at=3, part_size=2)
    for number, (key, name, is_gone, is_asked) in enumerate(steps):
        if is_gone:
            table.discard(key, at=1_700_000_000.0)
        else:
            links = (("en", f"/{name}"),) if name in "gh" else ()
            table.add(Page(key, f"/{name}", 1_700_000_000.0 + number, alternates=links))
        if is_asked:
            table.settle()
    anew = PageTable(table, split_at=3, part_size=2)
    assert table.set_hash == anew.set_hash
    assert table.is_split == anew.is_split == (len(table) > 3)
    assert [run.pages for run in table.runs] == [run.pages for run in anew.runs]
    if len(table):
        assert documents(table) == documents(anew)
        assert b"".join(table.text_shot().joined(ORIGIN)).decode().split() == sorted(
            f"https://example.com{p.path}" for p in table
        )
    for run in table.runs:
        assert run.shot().length(ORIGIN) == len(b"".join(run.shot().joined(ORIGIN)))


def test_a_path_has_one_page_the_one_added_last():
    table = PageTable([Page(KEYS[0], "/a", None), Page(KEYS[1], "/a", None)])
    assert len(table) == 1
    assert table.get("/a") == table.by_key(KEYS[1])
    assert table.get("/b") is table.by_key(KEYS[0]) is None
    assert not table.discard(KEYS[0])


def test_a_page_listed_again_unchanged_changes_nothing():
    table = PageTable(pages(10))
    shot = table.runs[0].shot()
    for page in pages(10):
        table.add(page)
    assert table.runs[0].shot() is shot


def test_a_shot_taken_before_a_change_stays_as_it_was():
    table = PageTable(pages(100))
    shot = table.runs[0].shot()
    body = b"".join(shot.joined(ORIGIN))
    table.discard(pages(1)[0].key)
    assert b"".join(shot.joined(ORIGIN)) == body
    assert table.runs[0].shot() is not shot


def test_other_settings_cut_the_same_pages_anew():
    table = PageTable(pages(1_000))
    assert not table.is_split
    table.configure(split_at=100, part_size=50)
    assert table.is_split
    assert len(table.runs) == 42
    table.configure(split_at=100, part_size=500)
    assert len(table.runs) == 5
    table.configure(split_at=2_000, part_size=50)
    assert [run.pages for run in table.runs] == [run.pages for run in PageTable(pages(1_000)).runs]


def test_the_date_of_a_part_counts_what_left_it():
    table = PageTable(pages(100), split_at=10, part_size=20)
    table.settle()
    key = pages(100)[40].key
    part = next(number for number, run in enumerate(table.runs) if any(page.key == key for page in run.pages))
    newest = [run.newest for run in table.runs]
    table.discard(key, at=1_800_000_000.0)
    assert [run.newest for run in table.runs] == [*newest[:part], 1_800_000_000.0, *newest[part + 1 :]]
    table.configure(split_at=10, part_size=40)
    assert sum(run.newest == 1_800_000_000.0 for run in table.runs) == 1
    table.configure(split_at=10, part_size=10)
    assert 1 <= sum(run.newest == 1_800_000_000.0 for run in table.runs) <= 4


def test_an_empty_table_is_not_split_and_has_no_pages():
    table = PageTable()
    assert not table.has_pages()
    assert not table.is_split
    assert table.set_hash == 0
    assert len(table.runs) == 1
    assert table.runs[0].newest == 0.0


@pytest.mark.parametrize("count", [0, 1, 30, 400])
def test_a_table_loaded_at_once_is_the_table_made_page_by_page(count: int) -> None:
    one = PageTable(split_at=50, part_size=40)
    one.load(pages(count))
    other = PageTable(pages(count), split_at=50, part_size=40)
    assert (len(one), one.set_hash, one.is_split) == (len(other), other.set_hash, other.is_split)
    if count:
        assert documents(one) == documents(other)
    for table in (one, other):
        table.add(Page(KEYS[3], "/new", 5.0))
        table.discard(pages(count)[0].key, 7.0) if count else None
    assert one.set_hash == other.set_hash
    assert [run.newest for run in one.runs] == [run.newest for run in other.runs]


def test_the_stream_of_changes_has_each_path_that_came_changed_or_went() -> None:
    table = PageTable(pages(5))
    assert table.take_moved() is None
    first, second = sorted(table, key=lambda page: page.path)[:2]
    table.add(first)
    assert table.take_moved() == set()
    table.add(Page(first.key, first.path, 5.0))
    table.add(Page(KEYS[9], "/new", None))
    assert table.take_moved() == {first.path, "/new"}
    table.add(Page(second.key, "/elsewhere", None))
    table.discard(KEYS[9])
    assert table.take_moved() == {second.path, "/elsewhere", "/new"}
    assert table.take_moved() == set()


@pytest.mark.parametrize("before", [0, 1, 300, 2_000])
@pytest.mark.parametrize("dated", [False, True])
@pytest.mark.parametrize("waiting", [False, True])
def test_many_pages_loaded_into_a_table_come_to_the_same_as_one_by_one(before, dated, waiting):
    chance = random.Random(before)
    some = [
        replace(page, path=f"/f{chance.randrange(9)}{page.path}", published=page.last_modified if dated else None)
        for page in pages(before + 1_200)
    ]
    settings = {"split_at": 500, "part_size": 100}
    many, single = PageTable(some[:before], **settings), PageTable(some[:before], **settings)
    more = some[before:]
    # Some pages are listed already, as they are, elsewhere, or otherwise; some ids and paths change hands.
    more += [replace(page, last_modified=3e9) for page in some[:before:7]]
    more += [replace(page, path=f"{page.path}-moved") for page in some[1:before:7]]
    more += [replace(page, key=page.key[::-1]) for page in some[2:before:7]]
    for table in (many, single):
        if not waiting:
            table.settle()
        assert table.take_moved() is None
        for page in some[3:before:50]:
            assert table.discard(page.key, 5e8)
    chance.shuffle(more)
    many.load(more)
    for page in more:
        single.add(page)
    assert many.set_hash == single.set_hash
    assert documents(many) == documents(single)
    assert [run.newest for run in many.runs] == [run.newest for run in single.runs]
    assert many.take_moved() == single.take_moved()
    assert many.newest(50) == single.newest(50)
    assert many.feed_folders() == single.feed_folders()
    assert {page.path: many.get(page.path) for page in more} == {page.path: single.get(page.path) for page in more}
    assert {page.key for page in many} == {page.key for page in single}
    added = Page(b"\xff" * 8, "/f3/added", None)
    for table in (many, single):
        table.add(added)
        table.discard(more[0].key)
    assert documents(many) == documents(single)


def test_few_pages_loaded_into_many_are_worked_in_one_by_one():
    some = pages(400)
    table = PageTable(some[:390])
    table.load(some[390:])
    assert documents(table) == documents(PageTable(some))
