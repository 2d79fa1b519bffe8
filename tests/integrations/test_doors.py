"""`mount`: an existing application gets the publisher's documents, live, per host."""

import asyncio
import inspect
import json
import logging
from datetime import UTC, date, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.integrations.callers import ask_asgi, ask_wsgi
from tests.integrations.frameworks import django_asgi, django_wsgi, flask_app, starlette_app

from waypost.errors import ConfigError
from waypost.integrations import asgi, wsgi
from waypost.integrations import pages as module
from waypost.publish.page import Page
from waypost.publish.settings import RobotsGroup

DOORS = {
    "starlette": (starlette_app, asgi.mount, ask_asgi),
    "django-asgi": (django_asgi, asgi.mount, ask_asgi),
    "django-wsgi": (django_wsgi, wsgi.mount, ask_wsgi),
    "flask": (flask_app, wsgi.mount, ask_wsgi),
}
BAD_HOSTS = json.loads((Path(__file__).parents[1] / "cases" / "bad_hosts.json").read_text())["single"]
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


@pytest.fixture(params=DOORS)
def door(request):
    make, mount, ask = DOORS[request.param]
    app = make()

    def mounted(**settings):
        whole = mount(app, **settings)
        return lambda path, **how: ask(whole, path, **how)

    return mounted


def locs(answer) -> list[str]:
    return [element.text for element in ET.fromstring(answer.body).iter(LOC)]


def test_the_application_keeps_every_other_path(door):
    ask = door(pages=["/a"])
    feeds = ("/feed.atom", "/feed.rss", "/feed.json", "/feeds.opml", "/.well-known/feeds", "/a/feed.atom")
    for path in ("/", "/a", "/sitemap", "/robots.txt/x", "/login/", "/sitemaps/x", "/llms.txt", "/healthz", *feeds):
        assert ask(path).text == "the app's own"
    assert ask("/", method="POST").text == "the app's own"


def test_a_date_of_the_future_counts_when_it_has_come(door, monkeypatch):
    now = [1_500_000_000.0]
    monkeypatch.setattr(module, "time", lambda: now[0])
    ask = door(pages=[("/a", 1_600_000_000), ("/b", 1_400_000_000), ("/c", float("nan"))])
    assert ask("/sitemap.xml").text.count("<lastmod>") == 1
    now[0] = 1_600_000_000.0
    assert ask("/sitemap.xml").text.count("<lastmod>") == 2


def test_robots_and_sitemap_follow_the_host(door):
    ask = door(
        pages=[
            "/a",
            ("/b", "2026-01-20"),
            ("/c", date(2026, 1, 20)),
            ("/d", datetime(2026, 1, 20, 10, tzinfo=UTC)),
            ("/é", 1e9),
        ]
    )
    assert ask("/robots.txt").text.endswith("\nSitemap: https://example.com/sitemap.xml\n")
    answer = ask("/sitemap.xml")
    assert answer.status == 200
    assert answer.headers["content-length"] == str(len(answer.body))
    assert locs(answer) == [f"https://example.com/{name}" for name in ("%C3%A9", "a", "b", "c", "d")]
    assert answer.text.count("<lastmod>2026-01-20T00:00:00Z") == 2
    assert "2026-01-20T10:00:00Z" in answer.text
    assert ask("/sitemap.txt").status == 200


def test_every_answer_is_made_from_the_pages_as_they_are_then(door):
    pages: list = ["/a"]
    ask = door(pages=pages)
    tag = ask("/sitemap.xml").headers["etag"]
    assert ask("/sitemap.xml", if_none_match=tag).status == 304
    pages.append("/b")
    assert locs(ask("/sitemap.xml", if_none_match=tag)) == ["https://example.com/a", "https://example.com/b"]
    pages.remove("/a")
    assert locs(ask("/sitemap.xml")) == ["https://example.com/b"]
    pages.clear()
    assert ask("/sitemap.xml").status == 404
    assert "Sitemap" not in ask("/robots.txt").text


def test_a_callable_is_asked_for_every_request_and_may_take_the_host(door):
    calls = []
    ask = door(pages=lambda: calls.append(1) or [f"/{len(calls)}"])
    assert locs(ask("/sitemap.xml")) == ["https://example.com/1"]
    assert locs(ask("/sitemap.xml")) == ["https://example.com/2"]
    ask = door(pages=lambda host: [f"/of-{host}"])
    assert locs(ask("/sitemap.xml")) == ["https://example.com/of-example.com"]


def test_a_coroutine_function_is_awaited_where_there_is_an_event_loop():
    async def pages(host):
        await asyncio.sleep(0)
        return [f"/of-{host}", ("/dated", "2026-01-20")]

    answer = ask_asgi(asgi.mount(starlette_app(), pages=pages), "/sitemap.xml")
    assert locs(answer) == ["https://example.com/dated", "https://example.com/of-example.com"]
    with pytest.raises(ConfigError, match="a WSGI application needs a plain one"):
        wsgi.mount(flask_app(), pages=pages)


def test_more_pages_than_one_file_holds_come_in_parts(door):
    ask = door(pages=[f"/page-{number}" for number in range(50_001)])
    parts = locs(ask("/sitemap.xml"))
    assert len(parts) == 11
    found = [loc for part in parts for loc in locs(ask(part.removeprefix("https://example.com")))]
    assert len(set(found)) == len(found) == 50_001
    long = ask("/sitemap.txt", method="HEAD")
    assert long.status == 404


def test_a_long_document_is_sent_whole(door):
    ask = door(pages=[f"/page-{number}" for number in range(30_000)])
    answer = ask("/sitemap.xml")
    assert len(locs(answer)) == 30_000
    head = ask("/sitemap.xml", method="HEAD")
    assert head.body == b""
    assert head.headers["content-length"] == str(len(answer.body)) == answer.headers["content-length"]


def test_other_methods_are_refused(door):
    answer = door(pages=["/a"])("/robots.txt", method="POST")
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


def test_reserved_paths_are_neither_listed_nor_crawled_and_the_admin_path_is_never_told(door, caplog):
    groups = (RobotsGroup(("CCBot",), disallow=("/",)),)
    ask = door(
        pages=["/a", "/cart", "/cart/x", "/cartoon", "/secret-door/x", "/api/x"],
        reserved=["/cart"],
        admin_path="secret-door",
        groups=groups,
    )
    with caplog.at_level(logging.WARNING, "waypost"):
        assert locs(ask("/sitemap.xml")) == ["https://example.com/a", "https://example.com/cartoon"]
        ask("/robots.txt")
    assert len(caplog.records) == 2, "one of the admin path, one of /api/"
    robots = ask("/robots.txt").text
    assert robots.count("Disallow: /cart/\n") == 2
    assert "secret" not in robots + caplog.text
    with pytest.raises(ConfigError, match="admin path"):
        door(pages=[], reserved=["/Secret-Door/x"], admin_path="secret-door")


def test_a_page_may_be_a_page_and_a_path_no_url_has_is_refused(door):
    page = Page(b"\1" * 8, "/a", None, alternates=(("de", "/de"),))
    assert "hreflang" in door(pages=[page])("/sitemap.xml").text


@pytest.mark.parametrize("bad", ["rel", "", "/x#f", "http://o/", "/\ud800", None, b"/x", 7, ("/a",), ("/a", []), {}])
def test_a_page_that_is_none_is_left_out_and_said_once(door, bad, caplog):
    ask = door(pages=lambda: ["/ok", bad])
    with caplog.at_level(logging.WARNING, "waypost"):
        for _ in range(3):
            assert locs(ask("/sitemap.xml")) == ["https://example.com/ok"]
            assert ask("/robots.txt").status == 200
    assert len(caplog.records) == 1
    assert ascii(bad)[:20] in caplog.text


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"reserved": [""]}, "the whole site"),
        ({"reserved": ["/a", "/"]}, "the whole site"),
        ({"groups": (RobotsGroup(("X",), disallow=("/adm/x",)),), "admin_path": "adm"}, "admin path"),
        ({"groups": (RobotsGroup(("X",), disallow=("adm",)),)}, "no URL would match"),
        ({"admin_path": "http://h/adm%"}, "has a % in it"),
    ],
)
def test_what_no_document_could_be_made_from_is_refused_where_it_is_mounted(door, settings, word):
    with pytest.raises(ConfigError, match=word):
        door(pages=[], **settings)


def test_pages_that_can_be_asked_for_once_only_are_kept(door):
    ask = door(pages=(path for path in ("/a", "/b")))
    for _ in range(3):
        assert locs(ask("/sitemap.xml")) == ["https://example.com/a", "https://example.com/b"]


def test_robots_xml_names_no_feed_that_is_not_there(door):
    text = door(pages=[("/a", "2026-01-20")])("/robots.xml").text
    assert "/sitemap.xml" in text
    assert "feed" not in text


def test_a_path_is_escaped_where_no_url_has_its_characters(door):
    pages = ["/a b", "/\u00fc?q=\u00e9&x", "/caf%C3%A9", "/100%", "/x&y'z"]
    quoted = ["/100%25", "/a%20b", "/caf%C3%A9", "/x&y'z", "/%C3%BC?q=%C3%A9&x"]
    found = locs(door(pages=pages)("/sitemap.xml"))
    assert sorted(found) == sorted(f"https://example.com{path}" for path in quoted)


@pytest.mark.parametrize("spelled", ["shop", "/shop", "/shop/", "shop/"])
def test_a_reserved_path_may_be_spelled_with_slashes_or_without(door, spelled):
    ask = door(pages=["/a", "/shop", "/Shop/x", "/shop?x=1", "/shop-talk"], reserved=[spelled])
    assert locs(ask("/sitemap.xml")) == ["https://example.com/a", "https://example.com/shop-talk"]
    assert "Disallow: /shop/\n" in ask("/robots.txt").text


def test_a_reserved_path_may_be_written_as_people_write_it(door):
    ask = door(pages=["/a", "/my cart/x", "/café/x"], reserved=["my cart", "café"])
    assert locs(ask("/sitemap.xml")) == ["https://example.com/a"]
    assert "Disallow: /my%20cart/\nDisallow: /caf%C3%A9/\n" in ask("/robots.txt").text


def test_a_date_that_has_not_come_is_left_out(door):
    answer = door(pages=[("/a", "2999-01-01"), ("/b", "rubbish"), ("/c", datetime(2020, 1, 1))])("/sitemap.xml")
    assert answer.text.count("<lastmod>") == 1


@pytest.mark.parametrize(
    "host",
    BAD_HOSTS,
)
def test_a_bad_host_is_400_and_never_echoed(host):
    for name in ("starlette", "flask"):
        make, mount, ask = DOORS[name]
        how = {"hosts": (host,)} if ask is ask_asgi else {"host": host}
        answer = ask(mount(make(), pages=["/a"]), "/sitemap.xml", **how)
        assert answer.status == 400
        assert answer.body == b"bad host\n"


def test_two_hosts_or_a_foreign_scheme_are_400():
    app = asgi.mount(starlette_app(), pages=["/a"])
    assert ask_asgi(app, "/robots.txt", hosts=("a.test", "b.test")).status == 400
    assert ask_asgi(app, "/robots.txt", hosts=()).status == 400
    assert ask_asgi(app, "/robots.txt", scheme="gopher").status == 400


def test_ports_stay_and_default_ports_go():
    app = asgi.mount(starlette_app(), pages=["/a"])
    assert "https://a.test:8443/a" in ask_asgi(app, "/sitemap.xml", hosts=("A.test:8443",)).text
    assert "https://a.test/a" in ask_asgi(app, "/sitemap.xml", hosts=("a.test:443",)).text
    assert "http://[::1]/a" in ask_asgi(app, "/sitemap.xml", hosts=("[::1]:80",), scheme="http").text


def test_below_a_root_path_the_path_is_read_without_it():
    app = asgi.mount(starlette_app(), pages=["/a"])
    assert ask_asgi(app, "/robots.txt", root_path="/app").status == 200


def test_a_server_without_raw_paths_and_other_kinds_of_scopes_are_served():
    seen = []

    async def own(scope, receive, send):
        seen.append(scope["type"])

    app = asgi.mount(own, pages=["/a"])
    asyncio.run(app({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]
    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(
        app({"type": "http", "path": "/robots.txt", "method": "GET", "headers": [(b"host", b"a.test")]}, None, send)
    )
    assert sent[0]["status"] == 200


@pytest.mark.parametrize("module", [asgi, wsgi])
def test_a_door_is_under_80_lines(module):
    assert len(inspect.getsource(module).splitlines()) < 80
