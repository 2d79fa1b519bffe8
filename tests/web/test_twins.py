"""Every page's twin in Markdown, and what the headers of both lead to, through real servers."""

import re

import pytest
from tests.web.roots import STARTER_PAGES

from waypost.publish.canonical import source_path

ORIGIN = "http://example.com"
LINK = re.compile(r'<([^>]*)>; rel="([a-z]+)"(?:; type="([^"]*)")?')


@pytest.mark.parametrize("path", STARTER_PAGES)
def test_the_twin_is_the_page_in_markdown_and_names_it_as_canonical(server, path):
    page, twin = server.ask(path), server.ask(source_path(path))
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert (twin.status, twin.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    assert f'<link rel="alternate" type="text/markdown" href="{source_path(path)}">' in page.text
    asked = server.ask(path, accept="text/markdown, text/html;q=0.5")
    assert (asked.headers["content-type"], asked.body) == (twin.headers["content-type"], twin.body)
    assert server.ask(path, accept="text/html, text/markdown;q=0.5").body == page.body
    assert len({answer.headers["etag"] for answer in (page, twin)}) == 2
    for answer in (page, twin, asked):
        assert answer.headers["link"].startswith(f'<{ORIGIN}{path}>; rel="canonical"')
        assert {word.strip() for word in answer.headers["vary"].split(",")} == {"accept", "accept-encoding"}
        again = server.ask(path if answer is page else source_path(path), if_none_match=answer.headers["etag"])
        assert (again.status, again.headers["vary"]) == (304, answer.headers["vary"])


def test_a_tag_of_one_form_is_not_fresh_for_the_other(server):
    tag = server.ask("/docs/intro").headers["etag"]
    assert server.ask("/docs/intro", accept="text/markdown", if_none_match=tag).status == 200


def test_head_of_both_forms_is_get_without_its_body(server):
    for path, accept in (("/docs/intro", "*/*"), ("/docs/intro", "text/markdown"), ("/docs/intro.md", "*/*")):
        got, head = server.ask(path, accept=accept), server.ask(path, accept=accept, method="HEAD")
        assert head.body == b""
        assert {**got.headers, "date": ""} == {**head.headers, "date": ""}


@pytest.mark.parametrize("path", STARTER_PAGES)
def test_whatever_a_link_header_names_answers_with_the_type_it_says(server, path):
    links = LINK.findall(server.ask(path).headers["link"])
    assert [rel for _, rel, _ in links][:2] == ["canonical", "sitemap"]
    assert {url for url, rel, _ in links if rel == "alternate"} >= {f"{ORIGIN}/feed.{form}" for form in ("atom", "rss", "json")}  # fmt: skip
    for url, _, media in links:
        answer = server.ask(url.removeprefix(ORIGIN))
        assert answer.status == 200
        assert answer.headers["content-type"].startswith(media)


@pytest.mark.parametrize("path", ["/internal.md", "/draft.md", "/nope.md", "/broken.md", "/style.css.md", "/login.md"])
def test_what_nobody_may_see_has_no_twin(server, path):
    answer, unknown = server.ask(path), server.ask("/nope")
    assert answer.status == unknown.status == 404
    assert b"CANARY" not in answer.body


@pytest.mark.parametrize(
    ("path", "twin"),
    [
        ("/Docs/Intro.md", "/docs/intro.md"),
        ("/.md", "/index.md"),
        ("/docs/index.md", "/docs.md"),
        ("/old-place.md", "/new-place.md"),
    ],
)
def test_other_spellings_of_a_twin_lead_to_it(server, path, twin):
    answer = server.ask(path)
    assert (answer.status, answer.headers["location"]) == (308, twin)
    assert server.ask(twin).status == 200
