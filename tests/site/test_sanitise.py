"""Raw HTML on long pages: what is cmark's own is set aside, and what comes of the page is what it was without that."""

import re
from html.parser import HTMLParser

import nh3
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.site.test_markdown import PAYLOADS, assert_harmless, assert_harmless_to_libxml2
from tests.site.vectors import vectors

from waypost.site import sanitise
from waypost.site.commonmark import SAFE, WITH_RAW_HTML, parsed
from waypost.site.markdown import render
from waypost.site.sanitise import sanitised, set_aside

PLAIN = '## Of "ink"\n\nWords & *more* of [them](/a "t"), and more.\n\n' + "- one\n- two `x`\n\n" * 20 + "At last.\n\n"
OPEN = (
    "<b>",
    "<a title='",
    '<img alt="',
    "<!-- ",
    "<h2>",
    "<table><td>",
    "<select>",
    "<svg><desc>",
    "<div title='",
    "<ul><li>",
    "<p>",
    "<a href=/x>",
    "<template>",
)


def mixed(text):
    with parsed(text) as written:
        html = written(WITH_RAW_HTML)
        return html, set_aside(written(SAFE), html)


def whole(html):
    """The same, all of it sanitised."""
    return sanitised(html, sanitise.Mixed(html, ()))


class Tree(HTMLParser):
    """What a page consists of, but for how it is spelled."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.parts = [""]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.parts += [(tag, sorted(attr for attr in attrs if not attr[0].startswith("data-footnote"))), ""]

    def handle_endtag(self, tag):
        self.parts += [f"/{tag}", ""]

    def handle_data(self, data):
        self.parts[-1] += data


def tree(html):
    return Tree(
        nh3.clean(html, attributes={"*": {"href", "title", "id", "class", "src", "alt", "align"}}, link_rel=None)
    ).parts


@pytest.mark.parametrize(
    "raw",
    ["<details><summary>M</summary>\n\n{}\n\n</details>", "a <kbd>K</kbd>\n\n{}", "<!-- c -->\n\n{}", '<div align="center">\n\n{}\n\n</div>\n\nx<br>y', "{}\n\nx[^1] <b>b</b>\n\n[^1]: note"],
)  # fmt: skip
def test_what_holds_no_raw_html_is_set_aside_and_stands_where_it_stood(raw):
    html, parts = mixed(raw.replace("{}", PLAIN) + f"\n\n# Other\n\n{PLAIN}")
    assert parts.runs
    assert len(parts.rest) < len(html) // 2
    assert all(run in sanitised(html, parts) for _, run in parts.runs)
    assert tree(sanitised(html, parts)) == tree(whole(html))


def test_raw_html_inside_a_list_or_a_quotation_takes_all_of_it_along():
    for text in ("> q <b>b</b>\n>\n> {}", "- a <b>b</b>\n\n  {}\n"):
        nested = PLAIN.replace("\n", "\n> " if text.startswith(">") else "\n  ")
        html, parts = mixed(text.replace("{}", nested))
        assert not parts.runs
        assert parts.rest == html


@pytest.mark.parametrize("begun", OPEN)
def test_what_is_left_open_lets_nothing_through(begun):
    attack = "[x](/ 'onmouseover=alert(1)//') \"><img src=x onerror=alert(1)>\n\n"
    for text in (
        f"<div>{begun}\n\n{PLAIN}{attack}{PLAIN}",
        f"word {begun}\n\n{PLAIN}{attack}{PLAIN}",
        f"{begun}\n{PLAIN}",
    ):
        html = render(text).html
        assert_harmless(html)
        assert_harmless_to_libxml2(html)


def test_an_attribute_or_a_comment_that_would_swallow_a_run_has_all_of_the_page_sanitised():
    for begun in (
        "<div title='",
        "<!-- a\n\n--><div><!-- <b\n\n",
        "<template>",
        "<math><annotation-xml encoding='text/html'><select>",
    ):
        html, parts = mixed(f"<div>\n\n{PLAIN}\n\n{begun}\n\n{PLAIN}")
        out = sanitised(html, parts)
        assert out == whole(html) or tree(out) == tree(whole(html))
        assert not re.search(r"[0-9a-f]{16}", out)


def test_a_place_that_is_there_twice_has_all_of_the_page_sanitised():
    html, parts = mixed(f"<b>b</b>\n\n{PLAIN}")
    (held, _), *_ = parts.runs
    assert sanitised(html, parts._replace(rest=parts.rest + held)) == whole(html)
    assert sanitised(html, parts._replace(rest="nothing")) == whole(html)
    swapped = sanitise.Mixed("<h6>b</h6><h6>a</h6>", (("<h6>a</h6>", "A"), ("<h6>b</h6>", "B")))
    assert sanitised(html, swapped) == whole(html)


def test_a_scripting_link_is_in_no_run():
    html, parts = mixed(f"<b>b</b>\n\n{PLAIN}[x](javascript:alert(1))")
    assert not parts.runs
    assert_harmless(sanitised(html, parts))


def test_vectors_between_plain_blocks_leave_nothing(monkeypatch):
    monkeypatch.setattr(sanitise, "_RUN_CHARS_MIN", 1)
    for text in [*vectors(1_500, seed=43), *PAYLOADS]:
        html = render(f"# A\n\nb *c* [d](/e 't')\n\n{text}\n\n- f\n\n> g\n\n`h`").html
        assert_harmless(html)
        assert_harmless_to_libxml2(html)


PIECES = [*PAYLOADS, *OPEN, "\n\n", "\n\n", "</b>", "</a>", "'>", '">', "-->", "</div>", "> ", "- ", "a *b*\n\n", "## c\n\n", '[d](/e "f")', "</h2>", "</table>", "[^1]", "\n\n[^1]: g\n\n"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_whatever_is_mixed_is_harmless(text):
    longest, sanitise._RUN_CHARS_MIN = sanitise._RUN_CHARS_MIN, 1
    try:
        html = render(text).html
    finally:
        sanitise._RUN_CHARS_MIN = longest
    assert_harmless(html)
    assert_harmless_to_libxml2(html)
