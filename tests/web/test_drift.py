"""Nothing machines read can drift from the pages: random roots, and every document judged against what is public."""

import re
import shutil
import tempfile
from html import unescape
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.publish.feed_rules import faults
from tests.web.client import InProcess

from waypost.formats.feeds import read_feed
from waypost.formats.opml import read_opml
from waypost.formats.xmlmap import read_xmlmap
from waypost.web.app import create

ORIGIN = "http://example.com"
CANARY = "CANARY"
TOML = """llms = true
slash = "{slash}"
title = "A & <site>"
[tags.staff]
roles = ["staff"]
[feeds]
count = {count}
"""
NAMES = ["index", "one", "Two words", "über", "a&b", "drei", "x.y"]
FOLDERS = ["", "notes/", "docs/", "notes/deep/", "größe/"]
ACCESS = {
    "public": "", "noindex": "noindex: true\n", "staff": "tags: [staff]\n", "deny": "access: deny\n", "draft": "draft: true\n",
}  # fmt: skip


class Written(NamedTuple):
    """A page of a random root."""

    folder: str
    name: str
    access: str
    published: str
    alias: str
    nav: bool

    @property
    def file(self) -> str:
        return f"{self.folder}{self.name}.md"

    @property
    def is_listed(self) -> bool:
        return self.access == "public"

    def text(self, number: int) -> str:
        word = f"{CANARY}{number}" if self.access in {"staff", "deny", "draft"} else f"Open {number}"
        front = f"title: {word} <&> title\ndescription: {word} about\n" + ACCESS[self.access]
        front += f"published: {self.published}\n" if self.published else ""
        front += f"alias: '{self.alias}'\n" if self.alias else ""
        front += f"nav_order: {number}\n" if self.nav else ""
        return f"---\n{front}---\n# {word}\n\nSee [one](/notes/one) and [two](two-words.md).\n"


pages = st.lists(
    st.builds(
        Written,
        st.sampled_from(FOLDERS),
        st.sampled_from(NAMES),
        st.sampled_from([*ACCESS, "public", "public"]),
        st.sampled_from(["", "2026-01-20", "2025-12-01T10:00:00Z", "2999-01-01", "not a date"]),
        st.sampled_from(["", "", "", "moved/here", "notes/feed.atom", "login", "notes", "llms.txt"]),
        st.booleans(),
    ),
    max_size=10,
    unique_by=lambda page: page.file,
)


def documents(site: InProcess) -> dict[str, str]:
    """Everything machines read, by path."""
    lists = ["/sitemap.xml", "/sitemap.txt", "/robots.txt", "/robots.xml", "/feeds.opml", "/llms.txt"]
    feeds = [f"{folder}/feed.{form}" for folder in ("", "/notes", "/docs", "/gr%C3%B6%C3%9Fe", "/moved") for form in ("atom", "rss", "json")]  # fmt: skip
    answers = {path: site.ask(path) for path in lists + feeds}
    for path, answer in answers.items():
        if path in feeds and answer.status == 200:
            assert not faults(answer.body, answer.headers["content-type"]), path
    return {path: answer.text for path, answer in answers.items() if answer.status == 200}


def listed(site: InProcess) -> set[str]:
    answer = site.ask("/sitemap.xml")
    if answer.status == 404:
        return set()
    return {
        element.text for element in ET.fromstring(answer.body).iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")
    }


def check(site: InProcess, written: list[Written]) -> None:
    public = listed(site)
    assert len(public) == sum(page.is_listed for page in written)
    found = documents(site)
    for path, text in found.items():
        assert CANARY not in text, path
    assert set(found.get("/sitemap.txt", "").split()) == public
    for path in found:
        if "/feed." in path:
            assert {entry.link for entry in read_feed(found[path].encode()).entries} <= public
    sources = re.findall(r"^- \[.*?\]\(<?(http[^>)]*\.md)>?\)", found.get("/llms.txt", ""), re.MULTILINE)
    twins = {site.ask(url.removeprefix(ORIGIN)).headers["link"].partition(">")[0][1:] for url in sources}
    assert twins == public
    services = {service.loc for service in read_xmlmap(found["/robots.xml"].encode()).services}
    outlines = read_opml(found["/feeds.opml"].encode()).outlines if "/feeds.opml" in found else ()
    feeds = {line.xml_url for top in outlines for line in (top, *top.outlines)} - {None}
    assert (
        {url for url in services if "/feed." in url} == feeds == {ORIGIN + path for path in found if "/feed." in path}
    )
    assert {url.removeprefix(ORIGIN) for url in services} <= set(found)
    for url in sorted(public):
        check_page(site, url, public, feeds)


def check_page(site: InProcess, url: str, public: set[str], feeds: set[str]) -> None:
    """A page answers 200, says that it is itself, and leads to nothing hidden."""
    answer = site.ask(url.removeprefix(ORIGIN))
    assert answer.status == 200
    assert CANARY not in answer.text
    assert f'<link rel="canonical" href="{url}">' in answer.text.replace("&amp;", "&")
    assert answer.headers["link"].startswith(f'<{url}>; rel="canonical"')
    folder = url.removeprefix(ORIGIN).split("/")[1]
    offered = {feed for feed in feeds if feed.removeprefix(ORIGIN).rpartition("/")[0] in {"", f"/{folder}"}}
    assert set(re.findall(r'<([^>]*)>; rel="alternate"', answer.headers["link"])) == offered
    navigation = re.findall(r"<nav.*?</nav>", answer.text, re.DOTALL)
    links = {unescape(link) for part in navigation for link in re.findall(r'href="(/[^"]*)"', part)}
    assert {ORIGIN + link for link in links} <= public


@given(pages, st.sampled_from(["never", "always"]), st.sampled_from([0, 3, 50]), st.data())
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_spec_every_document_names_public_pages_alone_at_their_one_url(written, slash, count, data):
    place = Path(tempfile.mkdtemp(prefix="drift"))
    (place / "content").mkdir()
    (place / "waypost.toml").write_text(TOML.format(slash=slash, count=count))
    site = InProcess(create(str(place), environment={}))
    try:
        for number, page in enumerate(written):
            target = place / "content" / page.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(page.text(number))
        check(site, written)
        for number, page in enumerate(written):
            # While it is served: whatever was public may be hidden a moment later, and the other way round.
            changed = page._replace(access=data.draw(st.sampled_from(list(ACCESS))))
            (place / "content" / page.file).write_text(changed.text(number))
            written[number] = changed
        check(site, written)
    finally:
        site.app.hosts.close()
        site.close()
        shutil.rmtree(place)
