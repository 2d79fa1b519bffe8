"""The escaping writer: an independent parser reads back what was given, and the illegal is refused by name."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.errors import WriteError
from waypost.formats.xmlwrite import DECLARATION, XmlWriter, attributes, escape, legal, quote

LEGAL = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff").filter(
        lambda c: c >= " " or c in "\t\n\r"
    )
)


def parsed(markup: str) -> ET.Element:
    return ET.fromstring(markup.encode())


@given(LEGAL)
def test_xml_1_0_text_reads_back_exactly(text):
    assert (parsed(f"<a>{escape(text)}</a>").text or "") == text


@given(LEGAL)
def test_xml_1_0_attribute_reads_back_exactly(text):
    assert parsed(f"<a b={quote(text)}/>").get("b") == text


def test_spec_escapes_the_five_characters():
    assert escape("""&<>"'""") == "&amp;&lt;&gt;&quot;&apos;"
    assert escape("]]>") == "]]&gt;"


@pytest.mark.parametrize("code", [*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), 0xD800, 0xDFFF, 0xFFFE, 0xFFFF])
def test_xml_1_0_refuses_what_no_reference_can_carry(code):
    with pytest.raises(WriteError) as caught:
        escape(f"https://e.org/{chr(code)}", "loc of entry 3")
    message = str(caught.value)
    assert message.startswith("loc of entry 3 'https://e.org/")
    assert f"U+{code:04X}" in message
    assert message.isascii()
    assert message.isprintable()


@pytest.mark.parametrize("text", ["\t", "\n", "\x7f", "\x85", "\u2028", "\ufffd", "\U0001fffe", "\U0010ffff"])
def test_xml_1_0_allows_the_discouraged(text):
    assert parsed(f"<a>{escape(text)}</a>").text == text


def test_a_long_value_is_quoted_short():
    with pytest.raises(WriteError, match="holds U\\+0001") as caught:
        escape("x" * 10_000 + "\x01")
    assert len(str(caught.value)) < 200


def test_attributes_refuse_a_name_that_is_none_or_comes_twice():
    assert attributes([("a", "1"), ("x:b", "<")]) == ' a="1" x:b="&lt;"'
    for pairs in ([("a b", "")], [("", "")], [("a", ""), ("a", "")], [("é", "")], [('a="', "")]):
        with pytest.raises(WriteError, match="attribute name"):
            attributes(pairs)


def test_writer_makes_an_indented_document():
    out = XmlWriter()
    out.open("a", [("xmlns", "urn:x")])
    out.leaf("b", "é & ü")
    out.open("c")
    out.leaf("d", attrs=[("e", "1")])
    out.close()
    out.close()
    text = f'{DECLARATION}<a xmlns="urn:x">\n  <b>é &amp; ü</b>\n  <c>\n    <d e="1"/>\n  </c>\n</a>\n'  # two blanks a level
    assert out.document() == text.encode()
    assert parsed(out.document().decode()).find("{urn:x}b").text == "é & ü"


def test_writer_refuses_half_a_document_and_bad_names():
    out = XmlWriter()
    with pytest.raises(WriteError, match="a root is missing"):
        out.document()
    out.open("a")
    with pytest.raises(WriteError, match="a is missing"):
        out.document()
    for name in ("", "1a", "a b", "a>", "a:b:c"):
        with pytest.raises(WriteError, match="not a name"):
            out.leaf(name)
    with pytest.raises(WriteError, match="title of page 2 .* U\\+0000"):
        out.leaf("t", "\0", where="title of page 2")


def test_legal_leaves_out_only_what_xml_cannot_hold():
    assert legal("a\0b\ud800c\ufffe\td") == "abc\td"
