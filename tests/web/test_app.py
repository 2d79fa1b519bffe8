"""The application over a real root, asked in this process: what each path answers."""

import gzip
import json
import logging
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.web.client import held
from tests.web.roots import STARTER_PAGES, STARTER_TOML, write

from waypost.publish.paths import RESERVED, Form
from waypost.site.watch import watcher
from waypost.web.app import create

LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
CASES = Path(__file__).parents[1] / "cases"
ADMIN = "hidden-door-f00dfeedf00dfeed"


def locs(answer) -> list[str]:
    return [element.text for element in ET.fromstring(answer.body).iter(LOC)]


def test_the_sitemap_lists_every_public_page_once_and_nothing_else(here):
    answer = here.ask("/sitemap.xml")
    assert answer.status == 200
    assert locs(answer) == [f"http://example.com{path}" for path in STARTER_PAGES]
    assert answer.headers["content-type"] == "application/xml; charset=utf-8"


def test_spec_every_listed_url_answers_200_with_itself_as_canonical(here):
    for url in locs(here.ask("/sitemap.xml")):
        answer = here.ask(url.removeprefix("http://example.com"))
        assert answer.status == 200
        assert f'<link rel="canonical" href="{url}">' in answer.text
        assert answer.headers["link"].startswith(f'<{url}>; rel="canonical"')
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "x-robots-tag" not in answer.headers


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/Docs/INTRO", "/docs/intro"),
        ("/docs//intro", "/docs/intro"),
        ("/docs/intro/", "/docs/intro"),
        ("/docs/index", "/docs"),
        ("/index", "/"),
        ("//", "/"),
        ("/old-place", "/new-place"),
        ("/older/place", "/new-place"),
        ("/moved", None),
        ("/%c3%bcber-uns", "/%C3%BCber-uns"),
        ("/%C3%9Cber%20uns", "/%C3%BCber-uns"),
        ("/Docs/Intro.md", "/docs/intro.md"),
    ],
)
def test_spec_everything_else_that_means_a_page_answers_308_to_it(here, path, location):
    answer = here.ask(path, query="a=b")
    if location is None:
        assert answer.status == 404
    else:
        assert (answer.status, answer.headers["location"]) == (308, f"{location}?a=b")
        assert here.ask(location).status == 200


@pytest.mark.parametrize(
    ("query", "kept"),
    [("q=\u00e9", "q=%C3%A9"), ("q=%C3%A9&r=a+b'\"<", "q=%C3%A9&r=a+b'\"<"), ("a\r\nb: c", "a%0D%0Ab:%20c")],
)
def test_a_redirect_keeps_the_query_whatever_bytes_it_has(here, query, kept):
    answer = here.ask("/DOCS", query=query)
    assert (answer.status, answer.headers["location"]) == (308, f"/docs?{kept}")


def test_an_aliased_page_moves_from_its_id_and_one_without_stays(here):
    assert here.ask("/id/00000000000000ff").status == 200
    assert here.ask("/id/00000000000000FF").status == 404
    assert here.ask("/id/00000000000000f").status == 404
    assert here.ask("/id/00000000000000ff/").status == 308


@pytest.mark.parametrize(
    "path",
    [
        "/internal",
        "/draft",
        "/broken",
        "/internal.md",
        "/nope",
        "/login",
        "/login/",
        "/api/x",
        f"/{ADMIN}",
        f"/{ADMIN}/",
        "/state/users.sqlite",
        "/waypost.toml",
        "/idonly.md.toml",
        "/sitemaps/sitemap-0001.xml",
        "/.well-known/x",
        "/_waypost/x",
    ],
)
def test_spec_restricted_and_reserved_paths_answer_exactly_as_an_unknown_page(here, path):
    unknown = here.ask("/surely-unknown")
    assert unknown.status == 404
    assert here.ask(path) == unknown


def test_spec_other_methods_are_405_everywhere_and_tell_nothing(here):
    for path in ("/", "/sitemap.xml", "/internal", "/nope", f"/{ADMIN}", "/robots.txt", "*"):
        answer = here.ask(path, method="POST")
        assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")
        assert answer.body == here.ask("/nope", method="DELETE").body


def test_spec_head_is_get_without_its_body(here):
    for path in (
        "/",
        "/sitemap.xml",
        "/robots.txt",
        "/robots.xml",
        "/nope",
        "/old-place",
        "/style.css",
        "/docs/intro.md",
        "/feeds.opml",
        "/picture.svg",
    ):
        for encoding in ("", "gzip"):
            got, head = (
                here.ask(path, accept_encoding=encoding),
                here.ask(path, method="HEAD", accept_encoding=encoding),
            )
            assert head.body == b""
            assert (got.status, got.headers) == (head.status, head.headers)
            if "content-length" in got.headers:
                assert int(got.headers["content-length"]) == len(got.body)


def test_spec_robots_follows_the_registry_the_owner_and_the_host(here):
    text = here.ask("/robots.txt", host="B.test:8000").text
    assert text.startswith("User-agent: *\nDisallow: /login/\nDisallow: /api/\nDisallow: /builtin/\nAllow: /\n")
    assert text.endswith("\nSitemap: http://b.test:8000/sitemap.xml\n")
    assert "User-agent: CCBot\nContent-Signal: ai-train=no\n" in text


def test_the_owners_data_is_in_robots_xml(here):
    assert "http://example.com/style.css" in here.ask("/robots.xml").text


def test_the_markdown_of_a_page_stands_beside_it(here):
    answer = here.ask("/docs/intro.md")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    assert answer.body == b"# Intro\n"
    assert answer.headers["link"].startswith('<http://example.com/docs/intro>; rel="canonical"')
    assert here.ask("/docs/intro", accept="text/markdown").body == b"# Intro\n"
    assert here.ask("/index.md").text.startswith("# Welcome")
    assert "accept" in here.ask("/docs/intro").headers["vary"]


def test_relative_links_become_canonical_urls(here):
    assert 'href="/docs/intro"' in here.ask("/").text


def test_a_page_that_asks_not_to_be_indexed_is_served_and_says_so(here):
    answer = here.ask("/quiet")
    assert (answer.status, answer.headers["x-robots-tag"]) == (200, "noindex")
    assert '<meta name="robots" content="noindex">' in answer.text


def test_translations_name_each_other_and_themselves(here):
    text = here.ask("/sitemap.xml").text
    assert text.count('<xhtml:link rel="alternate"') == 4
    page = here.ask("/docs/einstieg").text
    assert '<html lang="de">' in page
    assert '<link rel="alternate" hreflang="en" href="http://example.com/docs/intro">' in page


def test_files_are_served_and_what_could_run_here_is_handed_out(here):
    style = here.ask("/style.css")
    assert (style.status, style.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert here.ask("/style.css", if_none_match=style.headers["etag"]).status == 304
    picture = here.ask("/picture.svg")
    assert picture.headers["content-disposition"] == "attachment"
    assert "sandbox" in picture.headers["content-security-policy"]


def test_conditional_requests_of_pages(here):
    tag = here.ask("/docs/intro").headers["etag"]
    assert here.ask("/docs/intro", if_none_match=tag).status == 304
    assert here.ask("/docs/intro", host="b.test", if_none_match=tag).status == 200


def test_compressed_answers_are_marked_and_come_back_the_same(here, starter):
    for number in range(60):
        write(starter / f"content/more/{number}.md", f"# Number {number}\n" + "word " * 400)
    for path in ("/sitemap.xml", "/more/1"):
        plain, packed = here.ask(path), here.ask(path, accept_encoding="gzip")
        assert gzip.decompress(packed.body) == plain.body
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.headers["etag"] == f'{plain.headers["etag"][:-1]}-gz"'
        assert "accept-encoding" in packed.headers["vary"]
        assert "accept-encoding" in plain.headers["vary"]


BAD_HOSTS = json.loads((CASES / "bad_hosts.json").read_text())["single"]


def test_spec_200_bad_hosts_are_400(here):
    assert len(BAD_HOSTS) >= 200
    for host in BAD_HOSTS:
        for path in ("/sitemap.xml", "/", "/healthz"):
            answer = here.ask(path, host=host, client="127.0.0.1")
            assert answer.status == 400, host
            assert answer.body == b"400 Bad Request\n"
            assert answer.headers["connection"] == "close"


def test_no_host_and_two_hosts_are_400(here):
    assert here.ask("/", host=None).status == 400
    assert here.ask("/", more=(("host", "example.com"),)).status == 400
    assert here.ask("/", host=b"ex\xc3\xa4mple.com").status == 400


@pytest.mark.parametrize(
    ("host", "scheme", "origin"),
    [("Example.COM", "http", "http://example.com"), ("example.com:80", "http", "http://example.com"), ("example.com:443", "https", "https://example.com"),
     ("example.com:443", "http", "http://example.com:443"), ("example.com.", "http", "http://example.com"), ("[::1]:8000", "http", "http://[::1]:8000"), ("127.0.0.1:8000", "http", "http://127.0.0.1:8000")],
)  # fmt: skip
def test_spec_the_origin_is_the_requests_own_and_default_ports_go(here, host, scheme, origin):
    assert locs(here.ask("/sitemap.xml", host=host, scheme=scheme))[0] == f"{origin}/"
    assert here.ask("/robots.txt", host=host, scheme=scheme).text.endswith(f"Sitemap: {origin}/sitemap.xml\n")


def test_a_target_that_is_too_long_is_414_and_headers_that_are_too_many_431(here):
    for path, query in (("/" + "a" * 4_096, ""), ("/" + "a" * 8_192, ""), ("/", "a" * 8_192)):
        answer = here.ask(path, query=query)
        assert (answer.status, answer.headers["connection"]) == (414, "close")
    assert here.ask("/" + "a" * 3_000).status == 404
    assert here.ask("/", more=tuple((f"x-{n}", "1") for n in range(1_000))).status == 431
    assert here.ask("/", x_long="a" * 65_536).status == 431


@pytest.mark.parametrize("path", ["/a b", "/é", "/\x00", "/\r\nX: y", "/\x7f", "nothing", "http://evil/"])
def test_a_target_that_is_none_is_400(here, path):
    assert here.ask(path).status == 400


def test_spec_the_routing_table_is_the_registry(here):
    for row in RESERVED:
        if row.form is Form.FILE:
            status = here.ask(row.path, client="127.0.0.1", host="127.0.0.1").status
            assert status == (308 if row.name == "sitemap_index.xml" else 200), row
        elif row.path:
            assert here.ask(row.path).status == 200
        elif row.form is Form.FOLDER and row.name != "id":
            assert here.ask(f"/{row.name}/x").status == 404


def test_operators_ask_from_the_loopback_everybody_else_finds_nothing(here):
    unknown = here.ask("/surely-unknown")
    for path in ("/healthz", "/readyz", "/metrics"):
        assert here.ask(path) == unknown
        assert here.ask(path, client="") == unknown
        for client in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
            answer = here.ask(path, client=client)
            assert answer.status == 200
            assert answer.headers["cache-control"] == "no-store"
        assert here.ask(path, client="127.0.0.1", method="POST").status == 405
    state = json.loads(here.ask("/readyz", client="127.0.0.1").body)
    assert state["ready"]
    assert state["roots"][0]["freshness"] == "exact"
    assert state["roots"][0]["pages"] == len(STARTER_PAGES)
    assert any("broken.md.toml" in report for report in state["roots"][0]["reports"])
    metrics = here.ask("/metrics", client="127.0.0.1").text
    assert 'waypost_responses_total{class="4xx"}' in metrics
    assert f'waypost_pages{{root=""}} {len(STARTER_PAGES)}' in metrics


def test_operators_are_told_what_was_known_before_while_a_scan_goes_on(here):
    (_, root), *_ = here.app.hosts.roots()
    before = here.ask("/healthz", client="127.0.0.1")
    with held(root.lock):
        root.reports.say("half.md", "read", "half of what there is to say")
        assert here.ask("/healthz", client="127.0.0.1").body == before.body
        assert here.ask("/metrics", client="127.0.0.1").status == 200
        root.reports.settle("half.md", "read")


def test_a_server_that_ends_watches_nothing(starter):
    before = watcher().config.watches + watcher().content.watches
    hosts = create(str(starter), environment={}).hosts
    hosts.open()
    hosts.close()
    assert watcher().config.watches + watcher().content.watches == before


def test_operators_may_be_named_in_the_settings(here, starter):
    write(starter / "waypost.toml", '[server]\noperators = ["192.0.2.0/24", "::1"]\n')
    assert here.ask("/healthz", client="192.0.2.9").status == 200
    assert here.ask("/healthz", client="192.0.3.9").status == 404
    write(starter / "waypost.toml", '[server]\noperators = ["nonsense"]\n')
    assert "no address or network" in here.ask("/healthz", client="192.0.2.9").text


def test_spec_live_from_disk_and_config(here, starter):
    """Content, sidecar, configuration: complete on disk before the request, in the answer."""
    for number in range(50):
        write(starter / "content/new.md", f"# New {number}\n")
        assert "http://example.com/new" in locs(here.ask("/sitemap.xml"))
        assert f"New {number}" in here.ask("/new").text
        write(starter / "content/new.md.toml", f'alias = "alias-{number}"\n')
        assert f"http://example.com/alias-{number}" in locs(here.ask("/sitemap.xml"))
        assert here.ask("/new").status == 404
        write(starter / "waypost.toml", f'title = "T{number}"\n[[robots.group]]\nagents = ["Bot{"x" * number}"]\n')
        assert f"User-agent: Bot{'x' * number}\n" in here.ask("/robots.txt").text
        (starter / "content/new.md.toml").unlink()
        assert here.ask("/new").status == 200
        (starter / "content/new.md").unlink()
        assert here.ask("/new").status == 404
        assert here.ask("/new.md").status == 404


def test_spec_a_page_made_restricted_is_out_of_the_next_answer(here, starter):
    for number in range(20):
        write(starter / "content/docs/Intro.md", "---\ntags: [staff-only]\n---\n# Intro\n")
        assert "/docs/intro<" not in here.ask("/sitemap.xml").text
        assert here.ask("/docs/intro").status == 404
        write(starter / "content/docs/Intro.md", f"# Intro {number}\n")
        assert "/docs/intro<" in here.ask("/sitemap.xml").text


def test_spec_robots_never_discloses_admin_nor_does_anything_else(here, starter):
    """Every public byte of a crawl, errors and redirects included."""
    write(starter / f"content/{ADMIN}.md", "# At the door\n")
    write(starter / "content/other.md.toml", f'alias = "{ADMIN}/x"\n')
    write(starter / "content/other.md", "# Other\n")
    paths = [
        *STARTER_PAGES,
        "/robots.txt",
        "/sitemap.xml",
        "/sitemap.txt",
        "/robots.xml",
        "/feeds.opml",
        "/feed.atom",
        "/feed.rss",
        "/feed.json",
        "/nope",
        "/old-place",
        "/Docs",
    ]
    paths += [row.path for row in RESERVED if row.path]
    for path in paths:
        for method in ("GET", "POST", "HEAD"):
            assert b"f00dfeed" not in here.ask(path, method=method).all_bytes, path
    unknown = here.ask("/surely-unknown")
    for path in (f"/{ADMIN}", f"/{ADMIN}/", f"/{ADMIN}/x", f"/{ADMIN.upper()}"):
        assert here.ask(path) == unknown
    assert any(
        "# At the door" in here.ask(f"{path}.md").text
        for path in (u.removeprefix("http://example.com") for u in locs(here.ask("/sitemap.xml")))
        if path.startswith("/id/")
    )


def test_when_the_admin_path_changes_aliases_are_judged_anew_at_once(here, starter):
    write(starter / "waypost.toml", STARTER_TOML.replace(ADMIN, "docs"))
    listed = locs(here.ask("/sitemap.xml"))
    assert not [url for url in listed if "/docs" in url]
    assert len(listed) == len(STARTER_PAGES)


def test_an_allow_list_answers_421_to_other_hosts(here, starter):
    write(starter / "waypost.toml", '[server]\nallowed_hosts = ["example.com", "*.example.org"]\n')
    for host, status in {
        "example.com": 200,
        "example.com:8000": 200,
        "a.example.org": 200,
        "example.org": 421,
        "b.test": 421,
        "xexample.org": 421,
    }.items():
        answer = here.ask("/sitemap.xml", host=host)
        assert answer.status == status
        assert status == 200 or host.encode() not in answer.all_bytes


def test_a_page_that_cannot_be_read_now_is_503_and_the_rest_is_served(here, starter, monkeypatch):
    here.ask("/")

    def fails(*_args):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("waypost.site.cache.read_file", fails)
    assert here.ask("/docs/intro").status == 503
    assert here.ask("/sitemap.xml").status == 200


def test_what_goes_wrong_inside_is_500_without_a_word(here, monkeypatch, caplog):
    def fails(*_args, **_kwargs):
        raise ZeroDivisionError("a-secret-detail")

    monkeypatch.setattr("waypost.web.app.respond", fails)
    with caplog.at_level(logging.ERROR):
        answer = here.ask("/sitemap.xml")
    assert (answer.status, answer.body) == (500, b"500 Internal Server Error\n")
    assert "could not be answered" in caplog.text


def test_a_long_file_is_sent_as_it_was_when_it_was_opened(here, starter):
    whole = bytes(range(256)) * 20_000
    (starter / "content/big.bin").write_bytes(whole)
    answer = here.ask("/big.bin")
    assert answer.body == whole
    assert answer.headers["content-length"] == str(len(whole))
    assert answer.headers["content-disposition"] == "attachment"
    assert here.ask("/big.bin", method="HEAD").headers == answer.headers


def test_a_bare_folder_without_a_home_page_shows_a_list_that_is_not_indexed(tmp_path):
    from tests.web.client import InProcess

    write(tmp_path / "notes/a.md", "# <b>A</b>\n")
    client = InProcess(create(str(tmp_path), environment={}))
    answer = client.ask("/")
    assert answer.headers["x-robots-tag"] == "noindex"
    assert '<a href="/notes/a">' in answer.text
    assert locs(client.ask("/sitemap.xml")) == ["http://example.com/notes/a"]
    client.app.hosts.close()
    client.close()
