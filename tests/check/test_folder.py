"""A built site's files as a server would give them, and nothing outside the folder."""

import asyncio
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.check.samples import NOW, codes

from waypost.check.capture import ErrorKind, Request
from waypost.check.drive import drive
from waypost.check.folder import FolderFetcher
from waypost.check.options import Options
from waypost.check.scan import Scan
from waypost.errors import ConfigError

BASE = "https://example.com"
SECRET = b"secret outside"


@pytest.fixture
def site(tmp_path):
    root = tmp_path / "public"
    files = {
        "index.html": b"home",
        "robots.txt": b"User-agent: *\n",
        "sitemap.xml": b"<urlset/>",
        "sitemap.xml.gz": b"\x1f\x8b",
        "feed.rss": b"<rss/>",
        "FEED.ATOM": b"<feed/>",
        "about.html": b"about",
        "blog/index.html": b"blog",
        "blog/a b&c.html": b"odd name",
        "bücher/ü.txt": b"unicode",
        ".well-known/feeds.opml": b"<opml/>",
        ".env": b"KEY=1",
        ".git/config": b"[core]",
        "data.bin": b"\0",
        "empty.txt": b"",
    }
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "secret.txt").write_bytes(SECRET)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.txt").write_bytes(SECRET)
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    (root / "inner.txt").symlink_to(root / "robots.txt")
    (root / "linked").symlink_to(tmp_path / "outside")
    (root / "loop").symlink_to(root / "loop")
    os.mkfifo(root / "pipe.txt")
    return root


def get(root, path, base=BASE, **options):
    return asyncio.run(FolderFetcher(root, base).fetch(Request(path if "://" in path else BASE + path, **options)))


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("/", b"home", "text/html"),
        ("/index.html", b"home", "text/html"),
        ("/robots.txt", b"User-agent: *\n", "text/plain"),
        ("/robots.txt?x=1", b"User-agent: *\n", "text/plain"),
        ("/sitemap.xml", b"<urlset/>", "application/xml"),
        ("/sitemap.xml.gz", b"\x1f\x8b", "application/gzip"),
        ("/feed.rss", b"<rss/>", "application/rss+xml"),
        ("/FEED.ATOM", b"<feed/>", "application/atom+xml"),
        ("/about", b"about", "text/html"),
        ("/blog/", b"blog", "text/html"),
        ("/blog/a%20b&c", b"odd name", "text/html"),
        ("/blog/a b%26c.html", b"odd name", "text/html"),
        ("/b%C3%BCcher/%c3%bc.txt", b"unicode", "text/plain"),
        ("/bücher/ü.txt", b"unicode", "text/plain"),
        ("/.well-known/feeds.opml", b"<opml/>", "text/x-opml"),
        ("/data.bin", b"\0", "application/octet-stream"),
        ("/empty.txt", b"", "text/plain"),
    ],
)
def test_a_file_is_served_with_its_type(site, path, body, kind):
    capture = get(site, path)
    assert (capture.status, capture.body.read(), capture.content_type) == (200, body, kind)
    assert capture.headers.get("content-length") == str(len(body))
    assert capture.headers.get("last-modified").endswith("GMT")
    assert capture.error is None


def test_a_folder_without_its_slash_redirects_as_hosts_do(site):
    capture = get(site, "/blog")
    assert [hop.status for hop in capture.hops] == [301, 200]
    assert capture.hops[0].location == "/blog/"
    assert capture.final_url == f"{BASE}/blog/"
    assert capture.body.read() == b"blog"


@pytest.mark.parametrize(
    "path",
    [
        "/absent", "/absent/", "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/blog/../../secret.txt",
        "/blog/..%2f..%2fsecret.txt", "/link.txt", "/inner.txt", "/linked/x.txt", "/linked/", "/linked", "/loop", "/loop/x",
        "/pipe.txt", "/.env", "/.git/config", "/robots.txt/", "/robots.txt/x", "//robots.txt", "/blog//index.html",
        "/a%00b", "/robots.txt%00", "/" + "a" * 300, "/" + "a/" * 300, "/./robots.txt", "/Robots.txt", "/%ff", "/\\..\\secret.txt",
    ],
)  # fmt: skip
def test_what_is_no_file_of_the_site_is_not_found(site, path):
    capture = get(site, path)
    assert capture.status == 404
    assert capture.body.read() == b"not found\n"


def test_a_page_for_missing_pages_is_used(site):
    (site / "404.html").write_bytes(b"gone")
    capture = get(site, "/absent")
    assert (capture.status, capture.body.read(), capture.content_type) == (404, b"gone", "text/html")


@pytest.mark.parametrize(
    "url", ["https://other.example/robots.txt", "http://example.com/robots.txt", "https://example.com:8443/"]
)
def test_another_origin_is_outside(site, url):
    capture = get(site, url)
    assert capture.error is not None
    assert capture.error.kind is ErrorKind.OUTSIDE_FOLDER


def test_a_bad_url_is_an_error(site):
    capture = get(site, "https://[x/")
    assert capture.error is not None
    assert capture.error.kind is ErrorKind.URL_INVALID


def test_the_bound_and_the_method_of_a_request_hold(site):
    capture = get(site, "/robots.txt", bytes_max=4)
    assert (len(capture.body), capture.truncated) == (5, True)
    head = get(site, "/robots.txt", method="HEAD")
    assert (head.status, len(head.body), head.headers.get("content-length")) == (200, 0, "14")


def test_an_unreadable_folder_or_base_is_one_sentence(site, tmp_path):
    with pytest.raises(ConfigError, match="not a folder"):
        FolderFetcher(tmp_path / "absent", BASE)
    with pytest.raises(ConfigError, match="--base"):
        FolderFetcher(site, "example.com")
    for below in ("https://example.com/docs/v2/", "https://example.com/docs/v2"):
        with pytest.raises(ConfigError, match=r"into an empty folder as docs/v2, .* --base https://example\.com$"):
            FolderFetcher(site, below)


def test_a_file_the_system_will_not_give_is_an_error(site, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    capture = get(site, "/robots.txt")
    assert capture.error is not None
    assert capture.error.sentence == "the file cannot be read (permission denied)"


@given(path=st.text(max_size=40), raw=st.booleans())
def test_no_path_reads_outside_the_folder(tmp_path_factory, path, raw):
    top = tmp_path_factory.mktemp("top")
    (top / "secret.txt").write_bytes(SECRET)
    (top / "site").mkdir()
    (top / "site" / "a.txt").write_bytes(b"fine")
    (top / "site" / "out").symlink_to(top)
    tricky = path if raw else path.replace("a", "../").replace("b", "%2e%2e%2f").replace("c", "out/") + "secret.txt"
    assert SECRET not in get(top / "site", "/" + tricky).body.read()


def test_what_stands_on_another_host_is_not_missed_in_a_folder(tmp_path):
    elsewhere = "https://files.example.edu"
    entries = "".join(
        f"<url><loc>{elsewhere}/{name}</loc><namespace>{namespace}</namespace></url>"
        for name, namespace in (("a.xml", "http://www.w3.org/2005/Atom"), ("d.xml", "urn:a:b"))
    )
    files = {
        "robots.txt": f"User-agent: *\nDisallow:\nSitemap: {elsewhere}/s.xml\nSitemap: {BASE}/sitemap.txt\n",
        "sitemap.txt": f"{BASE}/a\n",
        "robots.xml": f'<xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</xmlmap>',
        "feeds.opml": f'<opml version="2.0"><body><outline text="t" xmlUrl="{elsewhere}/f.xml"/></body></opml>',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    result = asyncio.run(drive(Scan(BASE, Options(now=NOW)), FolderFetcher(tmp_path, BASE)))
    assert {"RXM910", "SMD106", "FED844"}.isdisjoint(codes(result))
