"""A preview: closed by robots.txt, and by header on everything whatever it is and however it is asked for."""

import pytest
from tests.web import roots
from tests.web.client import InProcess, waypost
from tests.web.roots import STARTER_PAGES, write

from waypost.publish.paths import RESERVED
from waypost.publish.respond import ROUTES
from waypost.web.app import create

HOST = "preview.test"
KEY = "abcdef0123456789"
SITES = f"""[[site]]
hosts = ["open.test"]
root = "site"

[[site]]
hosts = ["{HOST}", "www.{HOST}"]
root = "site"
canonical_host = "{HOST}"
closed = true

[[site]]
hosts = ["broken.test"]
root = "broken"
closed = true
"""
PATHS = [
    *STARTER_PAGES, *ROUTES, *(row.path for row in RESERVED if row.path), f"/{KEY}.txt",
    "/docs/intro.md", "/news/feed.atom", "/news/feed.json", "/sitemaps/sitemap-0001.xml", "/style.css", "/picture.svg", "/big.pdf", "/favicon.ico",
    "/old-place", "/Docs", "/internal", "/nope", "/_waypost/search", "/_waypost/x", "/login/", "/%2e%2e/x", "/id/00000000000000ff", "/quiet",
]  # fmt: skip
WAYS = [
    {}, {"method": "HEAD"}, {"method": "POST"}, {"method": "OPTIONS"}, {"accept": "text/markdown"}, {"accept_encoding": "gzip"},
    {"if_none_match": "*"}, {"range": "bytes=0-1"}, {"range": "bytes=99999999-"}, {"query": "q=intro"}, {"host": f"www.{HOST}"}, {"client": "127.0.0.1"},
]  # fmt: skip


def directory(place):
    root = roots.starter(place / "site")
    write(root / "waypost.toml", f'{roots.STARTER_TOML}\n[indexnow]\nkey = "{KEY}"\n')
    (root / "content/big.pdf").write_bytes(b"%PDF" * 500_000)
    write(place / "broken/waypost.toml", "nonsense = 1\n")
    write(place / "broken/content/index.md", "# Broken\n")
    write(place / "sites.toml", SITES)
    return place


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    client = InProcess(create(sites=str(directory(tmp_path_factory.mktemp("closed"))), environment={}))
    yield client
    client.app.hosts.close()
    client.close()


@pytest.mark.parametrize("path", PATHS)
def test_spec_every_answer_of_a_preview_says_noindex(sites, path):
    for way in WAYS:
        answer = sites.ask(path, **{"host": HOST, **way})
        assert answer.headers["x-robots-tag"] == "noindex", (path, way, answer.status)


def test_spec_what_cannot_be_answered_says_so_too(sites, monkeypatch):
    assert sites.ask("/", host="broken.test").status == 503
    assert sites.ask("/" + "a" * 5_000, host=HOST).status == 414
    assert sites.ask("/a b", host=HOST).status == 400
    assert sites.ask("/", host="nobody.test").status == 421
    asked = [("/", "broken.test"), ("/" + "a" * 5_000, HOST), ("/a b", HOST), ("/", "nobody.test")]
    assert {sites.ask(path, host=host).headers["x-robots-tag"] for path, host in asked} == {"noindex"}
    monkeypatch.setattr("waypost.web.pages.render", lambda *_: 1 / 0)
    answer = sites.ask("/docs/intro", host=HOST)
    assert (answer.status, answer.headers["x-robots-tag"]) == (500, "noindex")


def test_spec_robots_txt_of_a_preview_disallows_everything_and_names_nothing(sites):
    assert sites.ask("/robots.txt", host=HOST).text == "User-agent: *\nDisallow: /\n"
    assert '<meta name="robots" content="noindex">' in sites.ask("/docs/intro", host=HOST).text


def test_the_documents_of_a_preview_are_those_it_will_have(sites):
    """Whoever previews a site wants to see its feeds and lists: they are served as they will be, and closed."""
    for path in ("/sitemap.xml", "/robots.xml", "/feed.atom", "/news/feed.json", "/feeds.opml", "/llms.txt"):
        closed, opened = sites.ask(path, host=HOST), sites.ask(path, host="open.test")
        assert closed.status == 200
        assert closed.text.replace(HOST, "open.test") == opened.text


def test_the_key_of_indexnow_is_not_on_a_preview(sites):
    assert sites.ask(f"/{KEY}.txt", host="open.test").text == KEY
    assert sites.ask(f"/{KEY}.txt", host=HOST).status == 404


def test_the_same_root_on_an_open_host_is_open(sites):
    for path in PATHS:
        answer = sites.ask(path, host="open.test")
        is_closed = path in {"/quiet", "/_waypost/search"}
        assert (answer.headers.get("x-robots-tag") == "noindex") is is_closed, path


def test_a_real_server_closes_a_preview(tmp_path):
    with waypost("--sites", str(directory(tmp_path)), log=tmp_path / "log") as server:
        for path in PATHS:
            for method in ("GET", "HEAD", "DELETE"):
                assert server.ask(path, host=HOST, method=method).headers["x-robots-tag"] == "noindex", (path, method)
        tag = server.ask("/feed.atom", host=HOST).headers["etag"]
        answer = server.ask("/feed.atom", host=HOST, if_none_match=tag)
        assert (answer.status, answer.headers["x-robots-tag"]) == (304, "noindex")
