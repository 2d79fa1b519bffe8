"""`waypost discover`, `waypost feeds`, and the commands that take a URL where they take a file."""

import asyncio
import json
import xml.etree.ElementTree as ET

import pytest
from tests.hostile import Behaviour, HostileServer
from typer.testing import CliRunner

import waypost
from waypost.check.capture import FetchError
from waypost.check.services import Discovered, FoundService, ServiceKind
from waypost.cli import discover, feeds, robots, sitemap
from waypost.cli.feeds import opml_of
from waypost.errors import ConfigError
from waypost.formats.opml import read_opml, write_opml

SM = "http://www.sitemaps.org/schemas/sitemap/0.9"
ATOM = "http://www.w3.org/2005/Atom"


def pages(base):
    return {
        "/": b'<title>Home</title><link rel="alternate" type="application/rss+xml" title="Blog \x1b[31m" href="/blog.rss">',
        "/robots.txt": f"User-agent: *\nDisallow: /private\nSitemap: {base}/s.xml\n".encode(),
        "/s.xml": f'<urlset xmlns="{SM}"><url><loc>{base}/a</loc><lastmod>2026-01-20</lastmod></url></urlset>'.encode(),
        "/robots.xml": (
            f'<xmlmap xmlns="{SM}"><url><loc>{base}/feeds.opml</loc><namespace>http://www.opml.org/spec2</namespace></url>'
            f"<url><loc>{base}/d.tar.gz</loc><namespace>urn:x:data</namespace><lastmod>200910111110</lastmod></url></xmlmap>"
        ).encode(),
        "/feeds.opml": (
            f'<opml version="2.0"><head><title>L</title></head><body><outline text="Group"><outline text="&lt;News&gt; &amp; more" '
            f'type="rss" xmlUrl="{base}/news.atom?a=1&amp;b=2"/></outline></body></opml>'
        ).encode(),
        "/blog.rss": b"<rss version='2.0'><channel><title>The \xe2\x80\xaeBlog</title><link>http://a/</link><description/></channel></rss>",
    }


async def serve(exchange):
    body = pages(exchange.base).get(exchange.path)
    if body is None:
        await exchange.answer(b"no", "404 Not Found", kind="text/plain")
    else:
        await exchange.answer(body)


async def nothing(exchange):
    await exchange.answer(b"no", "404 Not Found", kind="text/plain")


async def busy(exchange):
    await exchange.answer(b"", "503 Busy")


ROWS = (
    Behaviour("site", serve, (200,)),
    Behaviour("empty", nothing, (404,)),
    Behaviour("busy", busy, (503,)),
    Behaviour("closed", nothing, (0,), marks=frozenset({"closed"})),
)


@pytest.fixture(scope="module")
def web():
    with HostileServer(ROWS) as server:
        yield server.bases


def run(app, *arguments):
    return CliRunner().invoke(app, list(arguments))


def test_discover_lists_what_a_site_offers_and_how_it_was_found(web):
    base = web["site"]
    done = run(discover.app, base)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == f"robots.txt  {base}/robots.txt"
    assert f"sitemap     {base}/s.xml" in lines
    assert f"              found: a Sitemap line of robots.txt ({base}/robots.txt, line 3)" in lines
    assert f"data        {base}/d.tar.gz" in lines
    assert "              2009-10-11T11:10:00Z" in lines
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    assert "The \\u202eBlog" in done.stdout


def test_discover_json_says_everything(web):
    base = web["site"]
    found = json.loads(run(discover.app, base, "--format", "json").stdout)
    assert (found["target"], found["origin"], found["reached"], found["error"]) == (base, base, True, None)
    by_url = {service["url"]: service for service in found["services"]}
    assert by_url[f"{base}/s.xml"] == {
        "url": f"{base}/s.xml",
        "kind": "sitemap",
        "namespace": SM,
        "title": None,
        "last_change": "2026-01-20T00:00:00Z",
        "home": None,
        "status": 200,
        "error": None,
        "found": [{"how": "robots", "where": f"{base}/robots.txt", "line": 3}],
    }
    assert by_url[f"{base}/d.tar.gz"]["namespace"] == "urn:x:data"
    assert by_url[f"{base}/news.atom?a=1&b=2"]["error"] == "it answers with status 404"


def test_discover_keeps_a_namespace(web):
    found = json.loads(run(discover.app, web["site"], "--namespace", "urn:x:data", "-f", "json").stdout)
    assert [service["kind"] for service in found["services"]] == ["data"]
    done = run(discover.app, web["site"], "--namespace", "urn:none")
    assert (done.exit_code, done.stdout) == (1, f"{web['site']}: nothing found\n")


def test_feeds_are_listed_for_people_readers_and_programs(web):
    base = web["site"]
    assert f"rss         {base}/blog.rss" in run(feeds.app, base).stdout
    found = json.loads(run(feeds.app, base, "--format", "json").stdout)
    assert {service["kind"] for service in found["services"]} == {"rss", "feed"}
    done = run(feeds.app, base, "--format", "opml")
    assert done.exit_code == 0
    outlines = ET.fromstring(done.stdout).findall("body/outline")
    assert [outline.get("xmlUrl") for outline in outlines] == [f"{base}/blog.rss", f"{base}/news.atom?a=1&b=2"]
    assert [outline.get("text") for outline in outlines] == ["The \\u202eBlog", "<News> & more"]
    assert {outline.get("type") for outline in outlines} == {"rss"}


def test_what_opml_cannot_hold_is_left_out_of_it():
    bad = FoundService("https://example.com/f", ServiceKind.ATOM, title="a\x01b", home="javascript:x")
    written = write_opml(opml_of(Discovered("x", "https://example.com", (bad,))))
    assert [outline.text for outline in read_opml(written).feeds()] == ["https://example.com/f"]


@pytest.mark.parametrize("app", [discover.app, feeds.app])
def test_a_site_without_anything_is_exit_1_and_one_that_is_dead_exit_3(web, app):
    assert run(app, web["empty"]).exit_code == 1
    done = run(app, web["closed"], "--format", "json")
    assert done.exit_code == 3
    assert json.loads(done.stdout)["reached"] is False
    assert "does not answer" in done.stderr


@pytest.mark.parametrize("target", ["ftp://example.com", "", "http://user@example.com"])
def test_a_target_that_is_none_is_exit_2_and_one_sentence(target):
    done = run(discover.app, target)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_an_allowance_that_is_none_is_exit_2():
    done = run(discover.app, "example.com", "--allow-private", "not a host")
    assert done.exit_code == 2
    assert "--allow-private" in done.stderr


def test_python_discovers_too(web):
    found = waypost.discover(web["site"], "sitemap")
    assert [service.url for service in found.services] == [f"{web['site']}/s.xml"]
    dead = waypost.discover(web["closed"], connect_s=1.0)
    assert isinstance(dead, Discovered)
    assert not dead.is_reached
    assert dead.error is None or isinstance(dead.error, FetchError)


@pytest.mark.parametrize(("ask", "instead"), [(waypost.check, "waypost.acheck"), (waypost.discover, "adiscover")])
def test_where_a_loop_runs_python_is_told_what_to_await(ask, instead):
    async def within():
        ask("https://example.com")

    with pytest.raises(ConfigError, match=instead):
        asyncio.run(within())


def test_robots_explain_fetches_the_robots_txt_of_a_url(web):
    done = run(robots.app, "explain", f"{web['site']}/private/x", "--agent", "a")
    assert done.exit_code == 0
    assert "  a: disallowed" in done.stdout
    assert "line 2: Disallow: /private" in done.stdout
    found = json.loads(run(robots.app, "explain", f"{web['site']}/open", "--format", "json").stdout)
    assert (found["file"], found["status"], found["error"]) == (f"{web['site']}/robots.txt", 200, None)
    assert found["answers"][0]["allowed"] is True


@pytest.mark.parametrize(
    ("site", "code", "word"), [("empty", 0, "allowed"), ("busy", 0, "disallowed"), ("closed", 3, "disallowed")]
)
def test_rfc9309_robots_explain_says_what_the_servers_answer_means(web, site, code, word):
    done = run(robots.app, "explain", f"{web[site]}/x")
    assert done.exit_code == code
    assert f"  *: {word}" in done.stdout
    assert "note: " in done.stdout


def test_robots_explain_takes_a_url_for_the_file_and_refuses_a_bare_path(web):
    done = run(robots.app, "explain", "/private", "--file", f"{web['site']}/robots.txt")
    assert "*: disallowed" in done.stdout
    assert run(robots.app, "explain", "/private").exit_code == 2
    assert run(robots.app, "explain", "/x", "--file", f"{web['empty']}/robots.txt").exit_code == 1


def test_robots_explain_hears_which_private_host_may_be_asked_for_the_file(web):
    done = run(robots.app, "explain", "/x", "--file", f"{web['site']}/robots.txt", "--allow-private", "169.254.169.254")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--allow-private 169.254.169.254: a cloud metadata address is never asked" in done.stderr


def test_sitemap_read_takes_a_url(web):
    done = run(sitemap.app, "read", f"{web['site']}/s.xml", "--format", "jsonl")
    assert done.exit_code == 0
    assert json.loads(done.stdout.splitlines()[0])["loc"] == f"{web['site']}/a"
    assert run(sitemap.app, "read", f"{web['site']}/absent.xml").exit_code == 1
    assert run(sitemap.app, "read", f"{web['closed']}/s.xml").exit_code == 3
    inside = run(sitemap.app, "read", "http://169.254.169.254/s.xml")
    assert inside.exit_code == 2
    assert "metadata" in inside.stderr
