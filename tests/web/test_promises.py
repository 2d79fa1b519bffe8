"""The promises of the specification under their own names, over real sockets, and every detail it settled."""

import json
import time
from xml.etree import ElementTree as ET

import pytest
from tests.web import roots
from tests.web.client import InProcess, Server, waypost
from tests.web.survival import DOCUMENTS, asked
from tests.web.test_process import serve

from waypost.publish.paths import RESERVED, Form
from waypost.site.settings import SETTINGS

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
LOC = f"{{{NAMESPACE}}}loc"
ADMIN = "hidden-door-f00dfeedf00dfeed"


@pytest.fixture
def root(tmp_path):
    return roots.starter(tmp_path / "root")


@pytest.fixture
def live(root, tmp_path):
    with waypost(str(root), log=tmp_path / "log") as server:
        yield server


def urls(server: Server | InProcess, **how) -> list[str]:
    return [element.text or "" for element in ET.fromstring(server.ask("/sitemap.xml", **how).body).iter(LOC)]


def test_spec_live_from_disk_and_config(live, root):
    for number in range(20):
        roots.write(root / "content/new.md", f"# New {number}\n")
        assert f"New {number}" in live.ask("/new").text
        roots.write(root / "content/new.md.toml", f'alias = "alias-{number}"\n')
        assert f"http://example.com/alias-{number}" in urls(live)
        roots.write(root / "waypost.toml", f'slash = "{"always" if number % 2 else "never"}"\n')
        assert (f"http://example.com/alias-{number}/" in urls(live)) is bool(number % 2)
        roots.write(root / "waypost.toml", 'slash = "never"\n')
        (root / "content/new.md.toml").unlink()
        (root / "content/new.md").unlink()
        assert f"http://example.com/alias-{number}" not in live.ask("/sitemap.txt").text


def test_spec_reserved_paths_no_alias_no_sitemap(live, root):
    """The server's routes, the aliases it refuses, its sitemap and its robots.txt all follow the one registry."""
    for number, row in enumerate(RESERVED):
        alias = f"x{row.name}" if row.form is Form.SUFFIX else row.name + ("/x" if row.form is Form.FOLDER else "")
        roots.write(root / f"content/r{number}.md", f"---\nalias: {json.dumps(alias)}\n---\n# Reserved {number}\n")
    roots.write(root / "content/admin.md", f"---\nalias: {ADMIN}\n---\n# Reserved admin\n")
    listed = urls(live)
    assert len(listed) == len(roots.STARTER_PAGES) + len(RESERVED) + 1
    assert len([url for url in listed if "/id/" in url]) == len(RESERVED) + 2
    robots = live.ask("/robots.txt").text.splitlines()
    for row in RESERVED:
        assert (f"Disallow: /{row.name}/" in robots) is row.is_disallowed
        if row.path:
            answer = live.ask(row.path)
            assert answer.status == (308 if row.name == "sitemap_index.xml" else 200), row
            assert 'rel="canonical"' not in answer.text
    assert live.ask(f"/{ADMIN}").status == 404


def test_spec_robots_never_discloses_admin(live, root, tmp_path):
    for text in ("", '[[robots.group]]\nagents = ["X"]\ndisallow = ["/other/"]\n'):
        roots.write(root / "waypost.toml", f'[admin]\npath = "{ADMIN}"\n{text}')
        assert "f00dfeed" not in live.ask("/robots.txt").text
    for rule in (f"/{ADMIN}", f"/{ADMIN.upper()}/x", f"/*/{ADMIN}$", ADMIN.replace("-", "%2d")):
        text = f'[admin]\npath = "{ADMIN}"\n[[robots.group]]\nagents = ["*"]\ndisallow = ["/{rule.lstrip("/")}"]\n'
        roots.write(root / "waypost.toml", text)
        answer = live.ask("/robots.txt")
        assert (answer.status, "eed" in answer.text) == (200, False), "the last good settings stay"
        done = serve(str(root), "--port", "0")
        assert (done.returncode, "waypost.toml:" in done.stderr, "admin path" in done.stderr) == (2, True, True)


def test_spec_lastmod_latest_of_blob_and_sidecar(live, root):
    import os

    def lastmod() -> str:
        tree = ET.fromstring(live.ask("/sitemap.xml").body)
        return next(url.findtext(f"{{{NAMESPACE}}}lastmod") or "" for url in tree if "new-place" in (url[0].text or ""))

    blob, sidecar = root / "content/moved.md", root / "content/moved.md.toml"
    for first, second, want in (
        (1_000_000_000, 1_100_000_000, "2004-11-09T11:33:20Z"),
        (1_300_000_000, 1_200_000_000, "2011-03-13T07:06:40Z"),
    ):
        os.utime(blob, (first, first))
        os.utime(sidecar, (second, second))
        assert lastmod() == want
    os.utime(blob, (4_000_000_000, 4_000_000_000))
    assert lastmod() <= time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 1))


def test_spec_xml_well_formed_in_namespace(live, root):
    from lxml import etree

    roots.write(root / "waypost.toml", "[sitemap]\nimages = true\n")
    strange = "---\ntitle: \"a & <b> ]]> \\x0b 'c'\"\nalias: \"a&'b\"\npublished: 2026-01-02\nimages: ['https://e.test/?a=1&b=<2>', 'https://e.test/ä?a=1&b=2']\n---\n"
    roots.write(root / "content/strange.md", strange)
    for _ in range(2):
        for path, name in (("/sitemap.xml", ""), ("/sitemap_index.xml", ""), ("/robots.xml", "xmlmap")):
            answer = live.ask(path)
            if answer.status == 308:
                continue
            tree = etree.fromstring(answer.body)
            assert etree.QName(tree).namespace == NAMESPACE
            assert etree.QName(tree).localname in {name, "urlset", "sitemapindex"}
            assert tree.getroottree().docinfo.encoding == "UTF-8"
            assert b"changefreq" not in answer.body
            assert b"priority" not in answer.body
            for loc in tree.iter(LOC):
                assert live.ask(str(loc.text).removeprefix("http://example.com")).status == 200
        roots.write(root / "waypost.toml", "[sitemap]\nimages = true\nsplit_at = 3\npart_size = 3\n")


def test_spec_no_base_url(live, root):
    """Every document is the same for every host, but for the request's own origin."""
    assert not [row.name for row in SETTINGS if {"url", "origin", "base"} & set(row.name.replace("_", ".").split("."))]
    for path in DOCUMENTS:
        first = live.ask(path, host="first.example").text
        assert first.count("first.example") or path.startswith(("/sitemaps/", "/sitemap_index"))
        for host in ("b.test:8000", "[::1]:8000", "10.0.0.1"):
            assert live.ask(path, host=host).text.replace(host, "first.example") == first, (host, path)
    done = serve(str(root), "--port", "0", WAYPOST_BASE_URL="https://example.org")
    assert (done.returncode, "unknown setting WAYPOST_BASE_URL" in done.stderr) == (2, True)


def test_spec_details_what_is_never_served_as_a_file(live, root):
    secret = "NEVER-SERVED"
    for name in (
        "state/users.sqlite", "state/secret.key", "themes/page.txt", "themes/x.html", "content/orphan.md.toml",
        "content/robots.txt", "content/sitemap.xml", "content/sitemaps/x.xml", "content/feed.atom", "content/healthz",
        "content/.well-known/x.txt", "content/.env", "content/x.tmp", "content/x.md~", "content/.x.swp",
    ):  # fmt: skip
        roots.write(root / name, f'title = "{secret}"\n')
    for path in (
        "/waypost.toml", "/state/users.sqlite", "/state/secret.key", "/themes/page.txt", "/orphan.md.toml", "/orphan.md",
        "/idonly.md.toml", "/moved.md.toml", "/robots.txt", "/sitemap.xml", "/sitemaps/x.xml", "/feed.atom", "/healthz",
        "/.well-known/x.txt", "/.env", "/x.tmp", "/x.md~", "/.x.swp", "/content/index.md", "/content/style.css",
    ):  # fmt: skip
        answer = live.ask(path)
        assert secret not in answer.text, path
        assert answer.status == 404 or path in {"/robots.txt", "/sitemap.xml", "/feed.atom", "/healthz"}, path
    said = json.loads(live.ask("/readyz").body)["roots"][0]["reports"]
    for name in ("robots.txt", "sitemap.xml", "feed.atom", "healthz", "orphan.md.toml"):
        assert any(line.startswith(f"{name}: ") for line in said), (name, said)
    roots.write(root / "content/favicon.ico", "icon")
    assert live.ask("/favicon.ico").body == b"icon"


def test_spec_details_no_public_page_no_sitemap(live, root):
    roots.write(root / "waypost.toml", '[tags.all]\nroles = ["nobody"]\n')
    for path in sorted((root / "content").rglob("*.md")):
        roots.write(path, "---\ntags: [all]\n---\n")
    (root / "content/moved.md.toml").unlink()
    for path in (
        "/sitemap.xml",
        "/sitemap_index.xml",
        "/sitemap.txt",
        "/feed.atom",
        "/feeds.opml",
        "/.well-known/feeds",
    ):
        assert live.ask(path).status == 404, path
    assert "Sitemap" not in live.ask("/robots.txt").text
    assert "robots.txt" in live.ask("/robots.xml").text
    assert "sitemap" not in live.ask("/robots.xml").text.replace(NAMESPACE, "").replace("sitemaps.org", "")


def test_spec_details_files_and_assets_say_how_long_they_last(live):
    style = live.ask("/style.css")
    assert style.headers["cache-control"] == "no-cache"
    assert live.ask("/style.css", if_none_match=style.headers["etag"]).status == 304
    page = live.ask("/").text
    asset = page.partition("/_waypost/style.")[2].partition(".css")[0]
    hashed = live.ask(f"/_waypost/style.{asset}.css")
    assert "immutable" in hashed.headers["cache-control"]
    assert live.ask("/_waypost/style.css").status == 404


def test_spec_details_images_and_languages_of_the_sitemap(live, root):
    roots.write(root / "waypost.toml", "[sitemap]\nimages = true\n")
    roots.write(root / "content/photo.png", "x")
    roots.write(root / "content/hidden.png", "x")
    roots.write(root / "content/hidden.png.toml", 'access = "deny"\n')
    roots.write(
        root / "content/seen.md", '---\nimages: [photo.png, hidden.png, "https://cdn.test/a.png", gone.png]\n---\n'
    )
    text = live.ask("/sitemap.xml").text
    assert text.count("<image:loc>") == 2
    assert "<image:loc>http://example.com/photo.png</image:loc>" in text
    assert "<image:loc>https://cdn.test/a.png</image:loc>" in text
    tree = ET.fromstring(text)
    links = {
        url[0].text: {(link.get("hreflang"), link.get("href")) for link in url if link.get("hreflang")} for url in tree
    }
    sets = {page: found for page, found in links.items() if found}
    assert len(sets) == 2
    assert all(
        page in {href for _, href in found} and set(sets) == {href for _, href in found} for page, found in sets.items()
    )


def test_spec_fail_closed_while_running_the_last_good_settings_stay_and_the_operator_is_told(live, root):
    roots.write(root / "state/sys/tags.yaml", "staff-only: {roles: [staff]}\n")
    roots.write(root / "waypost.toml", 'title = "Good"\n')
    assert live.ask("/internal").status == 404
    for broken in ("title = \n", "tilte = 3\n", ""):
        (root / "waypost.toml").write_text(broken)
        (root / "state/sys/tags.yaml").write_text("staff-only: [\n" if broken else "")
        for path in ("/healthz", "/readyz"):
            faults = json.loads(live.ask(path).body)["roots"][0]["configuration"]
            assert [line.partition(":")[0].partition(" ")[0] for line in faults] == [
                "state/sys/tags.yaml",
                "waypost.toml",
            ]
        assert live.ask("/internal").status == 404
        assert "Good" in live.ask("/").text
        assert live.ask("/sitemap.xml").status == 200
    assert live.log.read_text().count("what was last good stays in force") >= 4
    (root / "waypost.toml").unlink()
    (root / "state/sys/tags.yaml").unlink()
    assert live.ask("/internal").status == 404
    assert "Good" in live.ask("/").text
    roots.write(root / "waypost.toml", 'title = "Better"\n')
    roots.write(root / "state/sys/tags.yaml", "staff-only: {roles: []}\n")
    assert live.ask("/internal").status == 200
    assert "Better" in live.ask("/").text
    assert json.loads(live.ask("/healthz").body)["roots"][0]["configuration"] == []


def test_spec_fail_closed_weaker_modes_of_freshness_say_what_they_cannot_see(root):
    from waypost.site.watch import Mode

    with asked(root) as client:
        (_, cache), *_ = client.app.hosts.roots()
        for mode in (Mode.STAT, Mode.REPLACE_ONLY, Mode.EXACT):
            cache._best = mode
            cache.rescan()
            state = json.loads(client.ask("/healthz", client="127.0.0.1").body)["roots"][0]
            assert state["freshness"] == mode.value
            assert bool(state["freshness_note"]) is (mode is not Mode.EXACT)
            assert len(urls(client)) == len(roots.STARTER_PAGES)
