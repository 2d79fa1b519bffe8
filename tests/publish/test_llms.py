"""llms.txt, where it is switched on, and the key file of IndexNow."""

import re

import pytest
from hypothesis import given
from tests.publish.test_feeds import journal, page, some_pages
from tests.publish.test_respond import ALL_ON, ORIGIN, ask, body, header

from waypost.formats.xmlmap import read_xmlmap
from waypost.publish.canonical import source_path
from waypost.publish.paths import key_row, refuses
from waypost.publish.respond import route
from waypost.publish.settings import Publishing, Site
from waypost.publish.table import PageTable

ON = Publishing(title="My *site*", with_llms=True)
LINK = re.compile(r"- \[(.*)\]\(<?(https://[^()<>]*(?:\([^<>]*)?)>?\)(?:: .*)?")


def test_it_lists_the_markdown_of_every_page_by_top_folder():
    reply = ask("/llms.txt", Site(journal(), ON))
    assert header(reply, "content-type") == "text/plain; charset=utf-8"
    assert (
        body(reply).decode()
        == f"""# My \\*site\\*

> A \\<site\\> & more

## Pages

- [/]({ORIGIN}/index.md): A \\<site\\> & more
- [/about]({ORIGIN}/about.md)
- [/id/00000000000000ff]({ORIGIN}/id/00000000000000ff.md)

## über

- [/%C3%BCber/ich]({ORIGIN}/%C3%BCber/ich.md)

## docs

- [/docs/plain]({ORIGIN}/docs/plain.md)

## later

- [/later/x]({ORIGIN}/later/x.md)

## All notes

- [All notes]({ORIGIN}/notes.md)
- [/notes/deep/three]({ORIGIN}/notes/deep/three.md)
- [One]({ORIGIN}/notes/one.md)
- [/notes/two/]({ORIGIN}/notes/two.md)

## Optional

- [Sitemap]({ORIGIN}/sitemap.xml): all 10 pages
- [Feed]({ORIGIN}/feed.atom): what is new
"""
    )


def test_off_it_is_nobodys_path_and_in_no_list():
    some = journal()
    assert ask("/llms.txt", some) is None
    assert route("/llms.txt") is None
    assert b"llms" not in body(ask("/robots.xml", some))
    assert refuses("llms.txt").name == "llms.txt"


def test_on_robots_xml_names_it_where_there_is_a_page():
    services = read_xmlmap(body(ask("/robots.xml", Site(journal(), ON)))).services
    assert [s.namespace for s in services if s.loc == f"{ORIGIN}/llms.txt"] == ["https://llmstxt.org/"]
    empty = Site(PageTable(), ON)
    assert ask("/llms.txt", empty).status == 404
    assert b"llms" not in body(ask("/robots.xml", empty))


def test_it_has_validators_and_follows_the_host():
    site = Site(journal(), ON)
    reply = ask("/llms.txt", site)
    assert ask("/llms.txt", site, if_none_match=header(reply, "etag")).status == 304
    assert ask("/llms.txt", site, "HEAD").headers == reply.headers
    assert b"http://b.test/notes.md" in body(ask("/llms.txt", site, origin="http://b.test"))
    assert ORIGIN.encode() not in body(ask("/llms.txt", site, origin="http://b.test"))


def test_a_large_site_is_listed_in_part(monkeypatch):
    monkeypatch.setattr("waypost.publish.llms.LLMS_PAGES_MAX", 2)
    text = body(ask("/llms.txt", Site(journal(), ON))).decode()
    assert text.count("\n- [") == 4
    assert "all 10 pages" in text


def test_a_path_with_brackets_is_still_one_link():
    some = PageTable([page("/a(b)", title="[x](y)\n# z"), page("/")])
    text = body(ask("/llms.txt", Site(some, Publishing(with_llms=True, feed_count=0)))).decode()
    assert f"\n- [\\[x\\](y) # z](<{ORIGIN}/a(b).md>)\n" in text
    assert "> The pages of example.com, as Markdown." in text
    assert "Feed" not in text


@given(some_pages)
def test_any_pages_give_one_line_each_and_no_other(pages):
    table = PageTable(pages)
    reply = ask("/llms.txt", Site(table, ON))
    if not len(table):
        assert reply.status == 404
        return
    lines = body(reply).decode().splitlines()
    assert lines[0] == "# My \\*site\\*"
    assert lines[2].startswith("> ")
    assert all(line == "" or line.startswith(("# ", "> ", "## ")) or LINK.fullmatch(line) for line in lines)
    urls = [found[2] for line in lines if (found := LINK.fullmatch(line))]
    wanted = {f"{ORIGIN}{source_path(one.path)}" for one in table}
    assert set(urls) - {f"{ORIGIN}/sitemap.xml", f"{ORIGIN}/feed.atom"} == wanted


def test_the_key_of_indexnow_is_at_its_place_and_nowhere_without_one():
    site = Site(PageTable(), ALL_ON)
    reply = ask("/0123456789abcdef.txt", site)
    assert (reply.status, body(reply)) == (200, b"0123456789abcdef")
    assert header(reply, "content-type") == "text/plain; charset=utf-8"
    assert ask("/0123456789ABCDEF.txt", site) is None
    assert ask("/0123456789abcdef.txt", PageTable()) is None
    for path in ("/robots.txt", "/robots.xml"):
        assert b"0123456789abcdef" not in body(ask(path, site))


@pytest.mark.parametrize("alias", ["AbCd-1234.txt", "abcd-1234.txt", "abcd-1234.txt/x"])
def test_no_page_takes_the_place_of_the_key(alias):
    assert refuses(alias, key="AbCd-1234") == key_row("AbCd-1234")
    assert refuses(alias) is None
