"""The one XML reader: what it hands on, what it notes, and that nothing makes it raise."""

import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.formats import xmlnotes as kinds
from waypost.formats.bounds import Bounds
from waypost.formats.notes import Notes
from waypost.formats.xmlread import XmlFeeder, read_xml
from waypost.limits import FEED_PIECE_BYTES


class Log:
    """A handler that writes everything down, joined texts as one."""

    def __init__(self):
        self.events = []

    def start(self, name, attributes, line, column):
        self.events.append(("start", name, tuple(attributes), line, column))

    def end(self, name):
        self.events.append(("end", name))

    def text(self, data):
        if self.events and self.events[-1][0] == "text":
            data = self.events.pop()[1] + data
        self.events.append(("text", data))


def read(data, bounds=None):
    log, notes = Log(), Notes()
    outcome = read_xml([data], log, notes=notes, bounds=bounds or Bounds())
    return log.events, outcome, notes


def places(notes):
    return [(note.kind, note.line, note.column) for note in notes.freeze()]


def test_names_carry_their_namespace_and_places_are_exact():
    events, outcome, _ = read(b'<a xmlns="urn:x" xmlns:p="urn:y">\n  <p:b c="1" p:d="2">t</p:b></a>')
    assert events[0] == ("start", "urn:x a", (), 1, 1)
    assert events[2] == ("start", "urn:y b", ("c", "1", "urn:y d", "2"), 2, 3)
    assert outcome.complete
    assert outcome.root == "urn:x a"


@pytest.mark.parametrize(
    ("document", "kind", "line", "column"),
    [
        (b"", kinds.EMPTY, 1, 1),
        (b" \r\n ", kinds.EMPTY, 2, 2),
        (b"<a>\n<b>", kinds.TRUNCATED, 2, 4),
        (b"<a><![CDATA[x", kinds.TRUNCATED, 1, 14),
        (b"<a>\n x & y</a>", kinds.BARE_AMPERSAND, 2, 4),
        (b"<a>?x=1&y=2</a>", kinds.BARE_AMPERSAND, 1, 8),
        (b"<a>&&</a>", kinds.BARE_AMPERSAND, 1, 4),
        (b"<a>&nbsp;</a>", kinds.UNDEFINED_ENTITY, 1, 4),
        (b"<a>\x0b</a>", kinds.CONTROL_CHARACTER, 1, 4),
        (b"<a>\x00</a>", kinds.CONTROL_CHARACTER, 1, 4),
        (b"<a>&#xD800;</a>", kinds.CONTROL_CHARACTER, 1, 4),
        (b"<a>\xe9t\xe9</a>", kinds.INVALID_BYTES, 1, 4),
        (b"<a>\xed\xa0\x80</a>", kinds.INVALID_BYTES, 1, 4),
        (b"<a><p:b/></a>", kinds.UNDECLARED_PREFIX, 1, 4),
        (b"<a/>\n<b/>", kinds.JUNK_AFTER_ROOT, 2, 1),
        (b"<a></b>", kinds.NOT_WELL_FORMED, 1, 6),
        (b"<a b='1' b='2'/>", kinds.NOT_WELL_FORMED, 1, 10),
        (b"<a \xc3\xb7='1'/>", kinds.NOT_WELL_FORMED, 1, 4),
        (b'\n<?xml version="1.0"?><a/>', kinds.TEXT_BEFORE_DECLARATION, 2, 1),
        (b'<br/>\n<b>Notice</b><?xml version="1.0"?><a/>', kinds.TEXT_BEFORE_DECLARATION, 2, 1),
        (b'Notice <?xml version="1.0"?><a/>', kinds.TEXT_BEFORE_DECLARATION, 1, 1),
        (b'<?xml version="1.0" encoding="UTF-7"?><a/>', kinds.ENCODING_UNSUPPORTED, 1, 1),
        (b'<?xml version="1.0" encoding="UTF-16"?><a/>', kinds.ENCODING_UNSUPPORTED, 1, 1),
        (b"\xff\xfe\x00\x00<\x00\x00\x00", kinds.ENCODING_UNSUPPORTED, 1, 1),
        (b"\xff\xfe<\x00a", kinds.INVALID_BYTES, 1, 1),
    ],
)
def test_a_broken_document_has_one_fatal_note_with_its_place(document, kind, line, column):
    _, outcome, notes = read(document)
    assert not outcome.complete
    fatal = [place for place in places(notes) if place[0] in kinds.XML_FATAL]
    assert fatal == [(kind, line, column)]


def test_every_kind_of_note_is_documented():
    constants = {getattr(kinds, name) for name in kinds.__all__ if name not in {"XML_FATAL", "XML_NOTES"}}
    assert constants == set(kinds.XML_NOTES)
    assert set(kinds.XML_NOTES) > kinds.XML_FATAL


def test_what_came_before_the_fault_was_handed_on():
    events, outcome, _ = read(b"<a><b>x</b><c>&</c></a>")
    assert ("text", "x") in events
    assert not outcome.complete


@pytest.mark.parametrize(
    "declaration",
    [
        b'<!ENTITY x "y">',
        b'<!ENTITY amp "&#38;#38;">',
        b'%p; <!ENTITY x "y">',
        b'<!-- <!ENTITY a "b"> --> %p;<!ENTITY\n%\ty\n"y">',
        b'<!ENTITY % p "y">',
        b'<!ENTITY x SYSTEM "file:///etc/passwd">',
        b'<!ENTITY x SYSTEM "u" NDATA n>',
    ],
)
def test_an_entity_declaration_ends_the_reading(declaration):
    events, outcome, notes = read(b"<!DOCTYPE a [" + declaration + b"]><a>&x;</a>")
    assert events == []
    assert not outcome.complete
    assert [kind for kind, _, _ in places(notes)] == [kinds.DOCTYPE, kinds.ENTITY_DECLARED]


def test_a_doctype_is_noted_and_otherwise_without_effect():
    document = b"<!-- > --><!DOCTYPE a SYSTEM 'x>y' [<!ATTLIST a b CDATA ']>'><!-- ]> -->]>\n<a c='d'/>"
    events, outcome, notes = read(document)
    assert events == [("start", "a", ("c", "d"), 2, 1), ("end", "a")]
    assert outcome.complete
    assert outcome.doctype
    assert [(note.kind, note.text) for note in notes.freeze()] == [(kinds.DOCTYPE, "a x>y")]


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b"\r"])
def test_a_doctype_is_noted_where_it_begins(blank):
    _, _, notes = read(b'<?xml version="1.0"?>' + blank + "<!-- é -->".encode() + b"<!DOCTYPE a\n [\n]><a/>")
    assert places(notes) == [(kinds.DOCTYPE, 2, 11)]


@pytest.mark.parametrize("use", [b"<a>&x;</a>", b'<a b="&x;"/>'])
def test_an_entity_of_an_external_doctype_is_not_silently_cut(use):
    _, outcome, notes = read(b"<!DOCTYPE a SYSTEM 'x.dtd'>" + use)
    assert not outcome.complete
    assert notes.counts[kinds.UNDEFINED_ENTITY] == 1


def test_a_root_far_behind_its_doctype_is_found():
    events, outcome, notes = read(b"<!DOCTYPE a><!--" + b"x" * FEED_PIECE_BYTES + b"--><a/>")
    assert events[0][:2] == ("start", "a")
    assert outcome.complete
    assert notes.counts == {kinds.DOCTYPE: 1}


def test_a_second_doctype_is_not_well_formed():
    _, outcome, notes = read(b"<!DOCTYPE a><!DOCTYPE a><a/>")
    assert not outcome.complete
    assert notes.counts[kinds.NOT_WELL_FORMED] == 1


@pytest.mark.parametrize(
    "document",
    [
        b"<!--" + b"x" * FEED_PIECE_BYTES + b"--><!DOCTYPE a><a/>",
        b"<!DOCTYPE a [<!--" + b"x" * FEED_PIECE_BYTES + b"-->]><a/>",
    ],
)
def test_a_doctype_that_ends_behind_the_first_piece_is_refused(document):
    _, outcome, notes = read(document)
    assert not outcome.complete
    assert notes.counts[kinds.DOCTYPE_TOO_LONG] == 1


@pytest.mark.parametrize(
    ("encoding", "label", "name"),
    [
        ("utf-8", "UTF-8", "utf-8"),
        ("utf-8", "utf8", "utf-8"),
        ("latin-1", "ISO-8859-1", "iso-8859-1"),
        ("cp1252", "windows-1252", "windows-1252"),
        ("utf-16", "UTF-16", "utf-16"),
        ("utf-16-le", "UTF-16", "utf-16"),
        ("utf-16-be", "UTF-16BE", "utf-16"),
    ],
)
def test_the_encodings_of_the_allow_list_are_read(encoding, label, name):
    document = f'<?xml version="1.0" encoding="{label}"?>\n<a>é</a>'.encode(encoding)
    events, outcome, notes = read(document)
    assert events[1] == ("text", "é")
    assert (outcome.encoding, outcome.version) == (name, "1.0")
    assert notes.counts.get(kinds.NOT_UTF_8, 0) == (name != "utf-8")


def test_a_byte_order_mark_is_believed_before_a_declaration():
    document = b"\xef\xbb\xbf" + '<?xml version="1.0" encoding="latin-1"?><a>é</a>'.encode()
    events, _, notes = read(document)
    assert events[1] == ("text", "é")
    assert set(notes.counts) == {kinds.BYTE_ORDER_MARK, kinds.ENCODING_CONTRADICTED}


def test_undecodable_bytes_end_the_reading_after_what_was_good():
    document = '<?xml version="1.0" encoding="windows-1252"?><a><b>é</b><c>'.encode("cp1252") + b"\x81</c></a>"
    events, outcome, notes = read(document)
    assert ("text", "é") in events
    assert not outcome.complete
    assert notes.counts[kinds.INVALID_BYTES] == 1


def test_deep_elements_are_noted_and_passed_over():
    events, outcome, notes = read(b"<a>" + b"<b>" * 9 + b"x" + b"</b>" * 9 + b"<c/></a>", Bounds(depth_max=5))
    assert [event[1] for event in events if event[0] == "start"] == ["a", "b", "b", "b", "b", "c"]
    assert outcome.complete
    assert notes.counts == {kinds.TOO_DEEP: 1}


def test_too_many_open_elements_end_the_reading():
    _, outcome, notes = read(b"<a>" * 50, Bounds(depth_max=5, open_max=20))
    assert not outcome.complete
    assert notes.counts == {kinds.TOO_DEEP: 2}


def test_a_long_value_is_cut_and_noted_once():
    events, outcome, notes = read(
        b"<a b='" + b"y" * 30 + b"'>" + b"x" * 20_000 + b"<c/>ok</a>", Bounds(value_chars_max=20)
    )
    assert events[0][2] == ("b", "y" * 20)
    assert events[1] == ("text", "x" * 20)
    assert events[-2] == ("text", "ok")
    assert outcome.complete
    assert notes.counts == {kinds.VALUE_TOO_LONG: 2}


@pytest.mark.parametrize(
    ("more", "noted"), [(0, {}), (1, {kinds.VALUE_TOO_LONG: 1}), (20_000, {kinds.VALUE_TOO_LONG: 1})]
)
def test_a_value_that_meets_its_limit_where_a_stretch_ends_is_noted_when_it_passes_it(more, noted):
    events, outcome, notes = read(b"<a>" + b"x" * 9 + b"&amp;" + b"x" * more + b"</a>", Bounds(value_chars_max=10))
    assert (events[1], outcome.complete, notes.counts) == (("text", "x" * 9 + "&"), True, noted)


def test_a_document_of_exactly_the_limit_is_whole_and_one_more_byte_is_told():
    document = b"<a>xxx</a>"
    for size, complete, cut, noted in ((10, True, False, False), (9, True, False, True), (8, False, True, True)):
        _, outcome, notes = read(document, Bounds(bytes_max=size))
        assert (outcome.complete, outcome.cut, outcome.bytes) == (complete, cut, 10)
        assert (notes.counts == {kinds.OVER_BYTES: 1}) == noted


def test_many_names_are_noted_and_far_too_many_end_the_reading():
    def document(count):
        return b"<a>" + b"".join(b"<n%d/>" % number for number in range(count)) + b"</a>"

    _, outcome, notes = read(document(50), Bounds(names_max=20))
    assert outcome.complete
    assert notes.counts == {kinds.TOO_MANY_NAMES: 1}
    _, outcome, notes = read(document(300_000), Bounds(names_max=20, all_names_max=100_000))
    assert not outcome.complete
    assert notes.counts == {kinds.TOO_MANY_NAMES: 2}


def test_the_stylesheet_is_told():
    _, outcome, _ = read(b"<?xml-stylesheet type='text/xsl' href='/s.xsl'?><?other x?><a><?xml-stylesheet no?></a>")
    assert outcome.stylesheet == "type='text/xsl' href='/s.xsl'"


def test_bytes_after_the_end_of_reading_are_counted_and_dropped():
    feeder = XmlFeeder(Log(), notes=Notes())
    feeder.feed(b"<a></b>" + b" " * FEED_PIECE_BYTES)
    feeder.feed(b"more")
    assert feeder.close().bytes == 7 + FEED_PIECE_BYTES + 4


TOKENS = [
    *(b"<a>", b"</a>", b"<b c='d'>", b"</b>", b"text", b"&amp;", b"&", b"<p:q/>", b"<x xmlns:p='u'>", b" \n", b"<"),
    *(b"<!DOCTYPE a>", b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"<?xml version='1.0' encoding='latin-1'?>", b"<?p i?>"),
    *(b"<![CDATA[", b"]]>", b"<!--", b"-->", b"\xff\xfe", b"\xef\xbb\xbf", b"\0", b"\xe9", "é".encode()),
]
PIECES = st.lists(st.sampled_from(TOKENS) | st.binary(max_size=8), max_size=20)


@settings(max_examples=500)
@given(PIECES)
def test_any_bytes_in_any_chunks_never_raise_and_read_the_same(pieces):
    document = b"".join(pieces)
    whole = read(document)
    log, notes = Log(), Notes()
    outcome = read_xml(pieces, log, notes=notes)
    assert (log.events, outcome, notes.freeze()) == (whole[0], whole[1], whole[2].freeze())
    assert outcome.complete == (not any(note.kind in kinds.XML_FATAL for note in notes.freeze()))


def test_chunks_larger_than_a_piece_read_the_same():
    document = b"<a>" + b"<b>text</b>" * 120_000 + b"</a>"
    sizes = (document[:10], document[10:1_200_000], document[1_200_000:])
    whole, chunked = Log(), Log()
    one = read_xml([document], whole, notes=Notes())
    other = read_xml(sizes, chunked, notes=Notes())
    assert one == other
    assert whole.events == chunked.events


def test_a_finished_reader_is_freed_without_the_collector():
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    read_xml([b"<a>" + b"x" * 500_000 + b"</a>"], Log(), notes=Notes())
    kept = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert kept < 100_000


@pytest.mark.parametrize("literal", [b"<!ENTITY x 'y'>", b"<?", b"<!--", b"a'b"])
def test_a_literal_of_a_doctype_declares_and_hides_nothing(literal):
    _, outcome, notes = read(b'<!DOCTYPE a SYSTEM "' + literal + b'"><a/>')
    assert (outcome.complete, notes.counts) == (True, {kinds.DOCTYPE: 1})
    _, outcome, notes = read(b'<!DOCTYPE a SYSTEM "' + literal + b"\" [%p;<!ENTITY x 'y'><?p?><!-- ' -->]><a/>")
    assert (outcome.complete, notes.counts) == (False, {kinds.DOCTYPE: 1, kinds.ENTITY_DECLARED: 1})


def test_a_long_doctype_is_read_in_linear_time():
    started = time.process_time()
    _, outcome, _ = read(b'<!DOCTYPE a SYSTEM "' + b"<?" * 200_000 + b'"><a/>')
    assert outcome.complete
    assert time.process_time() - started < 1


@pytest.mark.parametrize("declaration", ["<?xml version='1.0'?>", ""])
@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_second_byte_order_mark_is_text_before_the_declaration(codec, declaration):
    events, outcome, notes = read(f"\ufeff\ufeff{declaration}<a/>".encode(codec))
    assert (events, outcome.complete) == ([], False)
    assert (kinds.TEXT_BEFORE_DECLARATION, 1, 1) in places(notes)
