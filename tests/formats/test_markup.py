"""HTML inside feeds: what a reader must see in it, in linear time."""

import html
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.formats.markup import active_parts, html_from_text, relative_references, tags, text_from_html, unescape


def references(html: str) -> list[str]:
    return [found for tag in tags(html) for found in relative_references(tag)]


def active(html: str) -> list[str]:
    return [found for tag in tags(html) for found in active_parts(tag)]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<a href='/x'>", ["/x"]),
        ("<a href=x>", ["x"]),
        ('<A HREF = " x ">', ["x"]),
        ("<a title='>' href='y'>", ["y"]),
        ("<a href='//e.org/'>", ["//e.org/"]),
        ("<img src=a.png alt=b><img src='https://e.org/'>", ["a.png"]),
        ("<video poster=p src=s>", ["s", "p"]),
        ("<a href='&#47;x'>", ["/x"]),
        ("<a href='#top'><a href=''><a><a href>", []),
        ("<a href='mailto:a@e.org'><a href='javascript:x'><img src='data:,'>", []),
        ("<p href='/x'><img href='/x'>", []),
        ("</a href='/x'>", []),
        ("<!-- <a href='/x'> -->", []),
        ("<!-- <a href='/x'>", []),
        ("< a href='/x'> a < b > c <3 href='/x'>", []),
        ("<a href='/x'", []),
        ("<a href='/x'<b>", []),
        ("<a href='1' href='2'>", ["1"]),
    ],
)
def test_relative_references(html, found):
    assert references(html) == found


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<script>x</script>", ["script"]),
        ("<IFRAME src='https://e.org/'><style>", ["iframe", "style"]),
        ("<p style='x' onclick=y ONLOAD='z'>", ["style of p", "onclick of p", "onload of p"]),
        ("<p one='x' on='y' data-on='z'>", ["one of p"]),
        ("<p>script onclick=x</p>", []),
    ],
)
def test_active_parts(html, found):
    assert active(html) == found


@given(st.text())
def test_text_becomes_html_and_text_again(text):
    assert text_from_html(html_from_text(text)) == text


@pytest.mark.parametrize(
    "unit", ["<a ", '<a "', "<a '\"x", "<", "<!--", "<a x=", "<a ' ", '<a href="x" ', "<a\t\t\t", "<a>" + "<b " * 9]
)
def test_time_grows_with_the_length_only(unit):
    def seconds(count: int) -> float:
        html = unit * count
        started = time.process_time()
        references(html)
        active(html)
        text_from_html(html)
        return time.process_time() - started

    seconds(1_000)
    assert seconds(200_000 // len(unit)) < 2


@pytest.mark.parametrize(
    ("number", "character"),
    [("1" * 5000, "\ufffd"), ("0" * 5000 + "65", "A"), ("0" * 5000, "\ufffd"), ("000065", "A"), ("1114112", "\ufffd")],
)
def test_a_reference_of_any_length_is_resolved(number, character):
    assert unescape(f"<&#{number};&#{number}>") == f"<{character}{character}>"
    assert text_from_html(f"&#{number};") == character


@given(st.text("&#;x0123456789abc", max_size=60))
def test_whatwg_references_are_resolved_as_the_standard_library_does(text):
    assert unescape(text) == html.unescape(text)
