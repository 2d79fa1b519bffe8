"""Judges that are not ours: lxml with schemas of its own, feedparser, the reference's robots reader, and the HTML of pages."""

import gzip
import json
from functools import cache
from pathlib import Path

import aiohttp
import feedparser
import pytest
from lxml import etree, html
from yarl import URL

SCHEMAS = Path(__file__).parent.parent / "cases" / "loop"
NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@cache
def _schema(name):
    return etree.XMLSchema(etree.parse(SCHEMAS / f"{name}.xsd"))


def valid(body, schema):
    """The document, after lxml has found it well-formed and valid."""
    tree = etree.fromstring(body, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    assert _schema(schema).validate(tree), _schema(schema).error_log.last_error
    return tree


def reference():
    """May an agent fetch a URL by a robots.txt, as the reference says."""
    googlebot = pytest.importorskip("jwm.robotstxt.googlebot")
    return lambda body, agent, url: googlebot.RobotsMatcher().OneAgentAllowedByRobots(body, agent, url)


class Visitor:
    """Fetches by plain aiohttp, never following and never decoding for us."""

    def __init__(self, host):
        self.name, _, port = host.partition(":")
        self.origin, self._base, self._host = f"http://{host}", f"http://127.0.0.1:{port}", host

    async def __aenter__(self):
        self._session = aiohttp.ClientSession(auto_decompress=False)
        return self

    async def __aexit__(self, *_):
        await self._session.close()

    async def get(self, url, **headers):
        """(status, headers, body) of a URL of this host or a path."""
        assert url.startswith((f"{self.origin}/", "/")), url
        target = self._base + url.removeprefix(self.origin)
        given = {"Host": self._host, "Accept-Encoding": "gzip", **headers}
        async with self._session.get(URL(target, encoded=True), headers=given, allow_redirects=False) as answer:
            body = await answer.read()
            if answer.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            return answer.status, answer.headers, body

    async def sitemap(self):
        """Every listed URL and its date, from the sitemap or its parts, all of them valid; [] where there is none."""
        status, _, body = await self.get("/sitemap.xml")
        if status == 404:
            return []
        assert status == 200
        tree = valid(body, "sitemap")
        parts = [tree]
        if tree.tag == f"{NS}sitemapindex":
            parts = [valid((await self.get(loc.text))[2], "sitemap") for loc in tree.iterfind(f"{NS}sitemap/{NS}loc")]
        rows = [(url.findtext(f"{NS}loc"), url.findtext(f"{NS}lastmod")) for part in parts for url in part]
        assert all(part.tag == f"{NS}urlset" for part in parts)
        return rows


def judge_feeds(atom, rss, jsonfeed, opml, origin):
    for body in (atom, rss):
        feed = feedparser.parse(body, sanitize_html=False, resolve_relative_uris=False)
        assert not feed.bozo, feed.get("bozo_exception")
        assert feed.feed.title
        assert all(entry.link.startswith(f"{origin}/") and entry.id and entry.title for entry in feed.entries)
        assert len({entry.id for entry in feed.entries}) == len(feed.entries) > 0
    made = json.loads(jsonfeed)
    assert made["version"] == "https://jsonfeed.org/version/1.1"
    assert made["title"]
    assert [item["url"] for item in made["items"]] == [entry.link for entry in feed.entries]
    assert all(item["id"] for item in made["items"])
    urls = [outline.get("xmlUrl") for outline in valid(opml, "opml").iter("outline") if len(outline) == 0]
    assert urls[:3] == [f"{origin}/feed.atom", f"{origin}/feed.rss", f"{origin}/feed.json"]
    assert len(set(urls)) == len(urls)
    return urls


def canonical_of(headers, body):
    """The canonical URLs a page names: in its Link header, and in its HTML."""
    links = [part for value in headers.getall("link", ()) for part in value.split(", <") if 'rel="canonical"' in part]
    in_header = [part.strip("< ").partition(">")[0] for part in links]
    in_html = [str(link.get("href")) for link in html.fromstring(body).iterfind(".//link[@rel='canonical']")]
    return in_header, in_html
