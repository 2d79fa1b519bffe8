"""OPML: every outline however deep, every fact noted with its place, and back again."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.errors import WriteError
from waypost.formats import opml as kinds
from waypost.formats.bounds import Bounds
from waypost.formats.opml import Opml, OpmlReader, Outline, read_opml, write_opml
from waypost.formats.xmlnotes import XML_NOTES

LIST = """<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
<head><title>Feeds &amp; more</title><dateCreated>Tue, 20 Jan 2026 10:00:00 GMT</dateCreated><ownerName>Ann</ownerName>
<expansionState>1</expansionState></head>
<body>
 <outline text="News" myOwn="x">
  <outline text="One" type="rss" xmlUrl="https://e.org/1.rss" htmlUrl="https://e.org/" title="1" language="en" version="RSS2"/>
  <outline text="Deep"><outline text="Deeper"><outline text="Two" type="rss" xmlUrl="https://e.org/2.rss"/></outline></outline>
 </outline>
 <outline text="Link" type="link" url="https://e.org/" created="Tue, 20 Jan 2026 10:00:00 GMT" category="a,b"/>
</body>
</opml>"""


def read(text: str, **more) -> Opml:
    return read_opml(text.encode(), **more)


def body(outlines: str, head: str = "", version: str = 'version="2.0"') -> str:
    return f"<opml {version}><head>{head}</head><body>{outlines}</body></opml>"


def test_spec_opml_2_every_field():
    found = read(LIST)
    assert (found.title, found.owner_name, found.date_created) == (
        "Feeds & more",
        "Ann",
        "Tue, 20 Jan 2026 10:00:00 GMT",
    )
    assert (found.version, found.root, found.complete, found.outline_count) == ("2.0", "opml", True, 6)
    news, link = found.outlines
    assert (news.text, news.attributes, len(news.outlines)) == ("News", (("myOwn", "x"),), 2)
    assert news.outlines[0] == Outline(
        "One", "rss", "1", "https://e.org/1.rss", "https://e.org/", language="en", version="RSS2", line=7, column=3
    )
    assert (link.url, link.created, link.category) == ("https://e.org/", "Tue, 20 Jan 2026 10:00:00 GMT", "a,b")
    assert [outline.text for outline in found.feeds()] == ["One", "Two"]
    assert len(list(found.walk())) == 6
    assert found.counts == {}


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (body('<outline text="a"/>'), {}),
        (body('<outline text="a"/>', version='version="1.1"'), {}),
        (body('<outline text="a"/>', version='version="3"'), {kinds.VERSION_UNKNOWN: 1}),
        (body('<outline text="a"/>', version=""), {kinds.VERSION_UNKNOWN: 1}),
        (body('<outline title="a"/>'), {kinds.OUTLINE_WITHOUT_TEXT: 1}),
        (body('<outline text=""/>'), {kinds.OUTLINE_WITHOUT_TEXT: 1}),
        (body('<outline text="a" type="rss"/>'), {kinds.OUTLINE_WITHOUT_URL: 1}),
        (body('<outline text="a" type="RSS" xmlUrl=" "/>'), {kinds.OUTLINE_WITHOUT_URL: 1}),
        (body('<outline text="a" type="link"/>'), {}),
        (body('<outline text="a" xmlUrl="/f" htmlUrl="x" url="feed:y"/>'), {kinds.OUTLINE_URL_RELATIVE: 3}),
        (body('<outline text="a" xmlurl="https://e.org/f"/>'), {kinds.ATTRIBUTE_CASE: 1}),
        (body('<outline text="a" created="yesterday"/>'), {kinds.DATE_INVALID: 1}),
        (body("", "<dateModified>2026-01-20</dateModified>"), {kinds.DATE_INVALID: 1}),
        (body("", "<title>a</title><title>b</title>"), {kinds.FIELD_REPEATED: 1}),
        (body('<x><outline text="a"/></x>'), {kinds.OUTLINE_OUTSIDE: 1}),
        (body("", '<outline text="a"/>'), {kinds.OUTLINE_OUTSIDE: 1}),
        ('<opml version="2.0"><head/></opml>', {kinds.FIELD_MISSING: 1}),
        ('<html><outline text="a"/></html>', {kinds.ROOT_UNKNOWN: 1}),
        ('<opml xmlns="http://opml.org/spec2" version="2.0"><body><outline text="a"/></body></opml>', {}),
        ('<opml version="2.0" xmlns:x="urn:x" x:version="9"><body><outline text="a" x:y="z"/></body></opml>', {}),
    ],
)
def test_what_is_noted(text, counts):
    assert read(text).counts == counts


def test_a_note_says_line_column_and_entry():
    text = body('<outline text="a">\n <outline text="b" type="rss"/></outline>')
    (note,) = read(text).notes
    assert (note.kind, note.line, note.column, note.entry, note.text) == (kinds.OUTLINE_WITHOUT_URL, 2, 2, 2, "b")


def test_the_right_spelling_of_an_attribute_wins():
    for pair in (
        'xmlurl="https://e.org/b" xmlUrl="https://e.org/a"',
        'xmlUrl="https://e.org/a" XMLURL="https://e.org/b"',
    ):
        assert read(body(f'<outline text="a" {pair}/>')).outlines[0].xml_url == "https://e.org/a"


def test_a_list_that_breaks_off_keeps_its_open_outlines():
    found = read(LIST[: LIST.index('<outline text="Two"')])
    assert not found.complete
    assert [outline.text for outline in found.walk()] == ["News", "One", "Deep", "Deeper"]
    assert found.counts == {"truncated": 1}
    assert read_opml(LIST.encode(), limits=Bounds(bytes_max=300)).counts == {"over-bytes": 1}


def test_only_opml_lacks_a_body():
    assert read("<opml version='2.0'/>").counts == {kinds.FIELD_MISSING: 1}
    for root in ("notopml", "x:opml-not"):
        assert kinds.FIELD_MISSING not in read(f"<{root} xmlns:x='urn:opml'/>").counts


def test_outlines_over_the_limit_are_counted(monkeypatch):
    monkeypatch.setattr(kinds, "OUTLINES_MAX", 2)
    found = read(body('<outline text="a"><outline text="b"/><outline text="c"><outline text="d"/></outline></outline>'))
    assert [outline.text for outline in found.walk()] == ["a", "b"]
    assert (found.outline_count, found.counts) == (4, {kinds.TOO_MANY_OUTLINES: 1})


def test_elements_over_the_limit_end_the_reading(monkeypatch):
    monkeypatch.setattr(kinds, "TREE_ELEMENTS_MAX", 4)
    found = read(body('<outline text="a"/>' * 5))
    assert (len(found.outlines), found.complete, found.counts) == (1, False, {kinds.TOO_MANY_ELEMENTS: 1})


def test_foreign_attributes_over_the_limit_are_dropped(monkeypatch):
    monkeypatch.setattr(kinds, "FEED_PARTS_MAX", 3)
    found = read(body('<outline text="a" b="1" c="2"/><outline text="d" e="3" f="4"/>'))
    assert [outline.attributes for outline in found.outlines] == [(("b", "1"), ("c", "2")), (("e", "3"),)]


def test_a_field_of_the_head_is_kept_within_bounds():
    found = read(body("", f"<title>{'a<b/>' * 500}</title><ownerId/>"))
    assert found.title == "a" * 100
    assert found.owner_id == ""


def test_outlines_are_kept_as_deep_as_they_are_written():
    found = read(body('<outline text="a">' * 1_000 + "</outline>" * 1_000))
    assert len(list(found.walk())) == 100
    assert found.counts == {"too-deep": 1}
    assert read_opml(write_opml(found)).outlines[0].text == "a"


def test_what_is_kept_of_deep_outlines_can_be_compared_shown_and_pickled():
    found = read(body('<outline text="a">' * 1_000 + "</outline>" * 1_000))
    again = pickle.loads(pickle.dumps(found))
    assert (again == found, repr(again)) == (True, repr(found))


def test_chunks_change_nothing():
    data = LIST.encode()
    for size in (1, 13):
        reader = OpmlReader(url="https://e.org/feeds.opml")
        for start in range(0, len(data), size):
            reader.feed(data[start : start + size])
        assert reader.close() == read_opml(data, url="https://e.org/feeds.opml")


def test_every_kind_that_is_noted_is_in_the_table():
    names = {
        value
        for name, value in vars(kinds).items()
        if name.isupper() and not name.startswith("_") and isinstance(value, str)
    }
    assert names == set(kinds.OPML_NOTES)
    assert not set(kinds.OPML_NOTES) & set(XML_NOTES)


def test_write_refuses_what_opml_does_not_allow():
    for outline, why in [
        (Outline(), "needs a text"),
        (Outline("a", "rss"), "xmlUrl of the outline 'a' is missing"),
        (Outline("a", xml_url="/f"), "xmlUrl of the outline 'a' '/f' is relative"),
        (Outline("a", html_url="ftp://e.org/"), "htmlUrl of the outline 'a' .* scheme"),
        (Outline("a", created="x"), "created of the outline 'a' 'x' is no date"),
        (Outline("a\0"), r"U\+0000"),
        (Outline("a", attributes=(("text", "b"),)), "given twice"),
        (Outline("a", attributes=(("x y", "b"),)), "not an XML name"),
    ]:
        with pytest.raises(WriteError, match=why):
            write_opml(Opml(outlines=(outline,)))
    with pytest.raises(WriteError, match="dateCreated 'x' is no date"):
        write_opml(Opml(date_created="x"))
    deep = Outline("a")
    for _ in range(300):
        deep = Outline("a", outlines=(deep,))
    with pytest.raises(WriteError, match="nest 100 deep at most"):
        write_opml(Opml(outlines=(deep,)))


def test_write_takes_a_title_for_the_text_and_any_date():
    data = write_opml(
        Opml(outlines=(Outline(title="T"),), date_created=1768903200, date_modified="2026-01-20T10:00:00Z")
    )
    found = read_opml(data)
    assert found.outlines[0].text == "T"
    assert found.date_created == found.date_modified == "Tue, 20 Jan 2026 10:00:00 +0000"


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=8).map(
    str.strip
)
SOME = st.none() | TEXT
URL = st.none() | st.sampled_from(["https://e.org/f?a&b", "http://e.org/'"])
DATE = st.sampled_from([None, "Tue, 20 Jan 2026 10:00:00 GMT", "20 Jan 26 10:00 EST"])
NAMES = st.sampled_from(["own", "isComment", "isBreakpoint"])
OTHERS = st.lists(st.tuples(NAMES, TEXT), unique_by=lambda pair: pair[0], max_size=2).map(tuple)


def outlines(inner):
    return st.builds(
        Outline, TEXT.filter(bool), st.none(), SOME, URL, URL, URL, SOME, SOME, SOME, SOME, DATE, OTHERS, inner
    )


OUTLINES = st.recursive(st.just(()), lambda inner: st.lists(outlines(inner), max_size=3).map(tuple), max_leaves=6)


@given(st.builds(Opml, SOME, OUTLINES, DATE, DATE, SOME, SOME, SOME, SOME))
def test_what_is_written_reads_back(opml):
    def without_places(outline):
        return replace(outline, line=0, column=0, outlines=tuple(map(without_places, outline.outlines)))

    found = read_opml(write_opml(opml))
    assert found.complete
    read_back = replace(found, outlines=tuple(map(without_places, found.outlines)))
    fields = ("title", "outlines", "date_created", "date_modified", "owner_name", "owner_email", "owner_id", "docs")
    assert [getattr(read_back, name) for name in fields] == [getattr(opml, name) for name in fields]
    assert write_opml(found) == write_opml(opml)
