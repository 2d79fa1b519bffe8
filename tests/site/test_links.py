"""Links between files: every shape leads where it says, and the doctor names those that lead nowhere, and no others."""

import os
import threading
from pathlib import Path
from unicodedata import normalize

import pytest
from bench.links import SHAPES, walk, write_site
from tests.site.roots import Root

from waypost.limits import LETTERS_NAMES_MAX, PAGE_BYTES_DEFAULT
from waypost.site import links
from waypost.site.cache import PageMetaCache
from waypost.site.doctor.gather import facts_of
from waypost.site.edit import find_object
from waypost.site.links import named_by, resolver
from waypost.site.live import LiveConfig
from waypost.site.markdown import render


@pytest.mark.parametrize("slash", ["never", "always"])
def test_no_link_of_any_shape_is_broken(tmp_path: Path, slash: str) -> None:
    written = write_site(tmp_path, 600, slash=slash, seed=len(slash))
    assert written.links > 20 * len(SHAPES)
    seen = walk(tmp_path)
    assert seen.broken == seen.redirected == []
    assert seen.unlinked == written.closed > 100, "what nobody may see, and nothing else, is shown as text"
    cache = PageMetaCache(str(tmp_path), LiveConfig(str(tmp_path)))
    cache.open()
    dead = facts_of(cache, "site").dead_links
    assert len(dead) > 100
    for link in dead:
        target = named_by(cache, find_object(cache, link.file.removeprefix("site/content/")), link.target)
        assert target is not None
        assert not target.access.is_public, link
    cache.close()
    cache.config.close()


def shown(root: Root, page: str, text: str) -> str:
    cache = root.cache()
    return render(text, resolver(cache, find_object(cache, page))).html


def test_a_relative_link_to_nothing_is_its_text_and_others_stay(root: Root) -> None:
    root.page("a/b.md")
    root.page("a/secret.md", "---\ndraft: true\n---\n")
    cases = {
        "[x](none.md)": "<a>x</a>",
        "[x](secret.md)": "<a>x</a>",
        "[x](../../out.md)": "<a>x</a>",
        "![x](none.png)": '<img alt="x"',
        "[x](/shop/)": '<a href="/shop/">x</a>',
        "[x](/a/secret)": '<a href="/a/secret">x</a>',
        "[x](../feed.atom)": '<a href="../feed.atom">x</a>',
        "[x](#part)": '<a href="#part">x</a>',
        "[x](?q=1)": '<a href="?q=1">x</a>',
        "[x]()": '<a href="">x</a>',
        "[x](https://example.com/none.md)": '<a href="https://example.com/none.md">x</a>',
        "[x](mailto:a@example.com)": '<a href="mailto:a@example.com">x</a>',
    }
    for text, html in cases.items():
        assert html in shown(root, "a/b.md", text), text


def test_names_are_found_in_other_letters(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.page("A/Über.md", "---\nalias: other\n---\n")
    root.page("A/Deep/Index.MD", "---\nalias: deep\n---\n")
    root.page("b.md")
    for target in ("a/über.md", "a/ÜBER.MD", normalize("NFD", "a/über"), "A/%C3%BCber.md"):
        assert 'href="/other"' in shown(root, "b.md", f"[x](<{target}>)"), target
    assert "<a>x</a>" in shown(root, "b.md", "[x](a/none/x.md) [x](none/x.md)")
    monkeypatch.setattr(links, "LETTERS_NAMES_MAX", 0)
    assert LETTERS_NAMES_MAX
    assert "<a>x</a>" in shown(root, "b.md", "[x](a/über.md)")


def test_a_link_to_where_a_page_was_leads_to_where_it_is(root: Root) -> None:
    root.page("new.md", "---\nredirect_from: [old/place, gone.html]\n---\n")
    root.page("b.md")
    for target in ("old/place.md", "old/place", "/old/place/", "old/place.md#x", "gone.html"):
        assert 'href="/new' in shown(root, "b.md", f"[x]({target})"), target


def test_a_doctor_reads_long_pages_as_the_settings_let_them_be(root: Root) -> None:
    root.write("waypost.toml", "[limits]\npage_bytes = 20_000_000\n")
    root.page("a.md", "# A\n" + "x" * PAGE_BYTES_DEFAULT)
    facts = facts_of(root.cache(), "site")
    assert facts.differences == ()
    assert [thing.is_public for thing in facts.things] == [True]


def test_a_doctor_dates_a_file_of_the_future_as_the_site_does(root: Root) -> None:
    page = root.page("a.md")
    os.utime(page, (4_000_000_000, 4_000_000_000))
    facts = facts_of(root.cache(), "site")
    assert facts.differences == ()
    assert [thing.modified for thing in facts.things] == [page.stat().st_ctime]


def test_live_2_links_are_looked_up_between_changes(root: Root) -> None:
    root.page("a.md")
    cache = root.cache()
    resolve, found = resolver(cache, find_object(cache, "a.md")), []
    thread = threading.Thread(target=lambda: found.append(resolve("a.md")))
    with cache.lock:
        thread.start()
        thread.join(0.1)
        assert found == [], "a change is under way"
    thread.join()
    assert found == ["/a"]
