"""What the publisher must survive, spec/safety.md section 3, by number, asked in this process."""

import errno
import gc
import os
import random
import socket
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import ExitStack
from xml.etree import ElementTree as ET

import pytest
from lxml import etree
from tests.web import roots, survival
from tests.web.client import Answer, InProcess, held
from tests.web.survival import CANARY, DOCUMENTS, asked, crawl

from waypost.formats.feeds import read_feed
from waypost.formats.xmlmap import read_xmlmap
from waypost.publish.paths import refuses
from waypost.site import content
from waypost.web import pages
from waypost.web.hosts import Place

LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
ADMIN = "9f2c41d87ab3e60512bd7c98e4a1f036"


def locs(answer: Answer) -> list[str]:
    return [element.text or "" for element in ET.fromstring(answer.body).iter(LOC)]


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES, errno.ESTALE, errno.ENOMEM])
def test_safety_4_an_object_that_cannot_be_read_harms_no_other(here, starter, monkeypatch, number):
    before = locs(here.ask("/sitemap.xml"))
    real = os.open

    def fails(path, *args, **kwargs):
        if str(path).endswith(("Intro.md", "style.css")):
            raise OSError(number, os.strerror(number))
        return real(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", fails)
    for path in ("/docs/intro", "/docs/intro.md", "/style.css"):
        answer = here.ask(path)
        assert (answer.status, answer.headers["retry-after"]) == (503, "1")
    for url in set(before) - {"http://example.com/docs/intro"}:
        assert here.ask(url.removeprefix("http://example.com")).status == 200
    os.utime(starter / "content/docs/Intro.md")
    assert locs(here.ask("/sitemap.xml")) == [url for url in before if not url.endswith("/docs/intro")]
    assert here.ask("/docs/intro").status == 404
    monkeypatch.undo()
    os.utime(starter / "content/docs/Intro.md")
    assert locs(here.ask("/sitemap.xml")) == before
    assert here.ask("/style.css").status == 200


def test_safety_13_edits_and_requests_leave_no_descriptor_behind(here, starter):
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    here.ask("/docs/intro")
    before = descriptors()
    for number in range(150):
        roots.write(starter / "content/docs/Intro.md", f"# {number}")
        roots.write(starter / f"content/d{number % 7}/p{number % 5}.md", "# P")
        roots.write(starter / "waypost.toml", f'title = "T{number}"\n')
        for path in ("/sitemap.xml", "/docs/intro", "/style.css", "/nope"):
            here.ask(path)
    assert descriptors() == before


def test_safety_16_what_is_no_regular_file_is_neither_served_nor_waited_for(here, starter, tmp_path):
    content = starter / "content"
    (tmp_path / "outside.txt").write_text("OUTSIDE")
    os.mkfifo(content / "fifo.txt")
    os.mkfifo(content / "fifo.md")
    (content / "link.txt").symlink_to(tmp_path / "outside.txt")
    (content / "loop.txt").symlink_to("loop.txt")
    (content / "loop").symlink_to(".")
    if os.geteuid() == 0:
        os.mknod(content / "null.txt", 0o600 | 0o020000, os.makedev(1, 3))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(content / "socket.txt"))
        for name in ("fifo.txt", "fifo", "fifo.md", "link.txt", "loop.txt", "loop/style.css", "null.txt", "socket.txt"):
            assert here.ask(f"/{name}").status == 404, name
    assert len(locs(here.ask("/sitemap.xml"))) == len(roots.STARTER_PAGES)


def test_safety_19_parts_that_do_not_exist_cost_no_memory_for_any_host(here):
    paths = [f"/sitemaps/sitemap-{number:04}.xml" for number in (0, 1, 9, 9_999)]
    for number in range(200):
        here.ask(paths[number % 4], host=f"w{number}.test")
    tracemalloc.start()
    try:
        gc.collect()  # circles of garbage wait for their turn: nobody keeps them
        before = tracemalloc.get_traced_memory()[0]
        for number in range(1_000):
            assert here.ask(paths[number % 4], host=f"h{number}.test").status == 404
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 64_000, "fewer bytes than one a host and path would take"


def test_safety_23_no_conditional_or_range_header_is_an_error_and_head_is_get(here):
    chance = random.Random(23)
    paths = [*DOCUMENTS, "/docs/intro", "/docs/intro.md", "/style.css", "/nope", "/old-place"]
    for _ in range(2_000):
        path, headers = chance.choice(paths), survival.noise(chance)
        got, head = here.ask(path, **headers), here.ask(path, method="HEAD", **headers)
        assert got.status in {200, 304, 308, 404}
        assert (got.status, got.headers, head.body) == (head.status, head.headers, b"")
        assert got.status != 304 or got.body == b""


def test_safety_27_a_host_is_shown_as_it_was_checked_or_not_at_all(here):
    chance = random.Random(27)
    accepted = 0
    for _ in range(2_500):
        host = survival.random_host(chance)
        answer = here.ask("/sitemap.xml", host=host.encode("latin-1", "replace"))
        assert answer.status in {200, 400}
        if answer.status == 400:
            assert answer.body == b"400 Bad Request\n"
            continue
        accepted += 1
        shown = etree.fromstring(answer.body).findtext(f".//{LOC}")
        assert shown == ET.fromstring(answer.body).findtext(f".//{LOC}")
        wanted = host.lower().removesuffix(":80")
        name, colon, port = wanted.rpartition(":") if not wanted.endswith("]") else (wanted, "", "")
        wanted = (
            f"{name.removesuffix('.')}:{int(port)}" if colon and port else wanted.removesuffix(":").removesuffix(".")
        )
        assert shown == f"http://{wanted}/"
        assert not set(wanted) & set("<>&\"' \\")
    assert accepted > 500


VECTORS = (
    *({name: value} for name in ("x_forwarded_host", "x_host", "x_original_host", "x_forwarded_server", "x_http_host_override", "forwarded") for value in ("evil.test", "evil.test:80", "example.com, evil.test", "host=evil.test")),
    *({name: value} for name in ("x_forwarded_proto", "x_forwarded_scheme", "x_url_scheme", "front_end_https", "x_forwarded_ssl") for value in ("https", "on", "evil")),
    *({name: value} for name in ("x_original_url", "x_rewrite_url", "x_forwarded_prefix", "x_forwarded_path", "x_script_name") for value in ("/evil", "/internal", "//evil.test/")),
    {"accept_language": "evil"}, {"cookie": "a=evil"}, {"user_agent": "<evil>"}, {"referer": "http://evil.test/"}, {"x_forwarded_port": "666"}, {"origin": "http://evil.test"},
)  # fmt: skip


def _without_date(answer: Answer) -> Answer:
    # A date is a validator only once its second is over, which may come between two answers.
    return answer._replace(headers={name: value for name, value in answer.headers.items() if name != "last-modified"})


def test_safety_30_nothing_a_careless_cache_keeps_is_poisoned(here):
    """A cache whose key knows host, path and the headers Vary names keeps everything, whatever it is told."""
    assert len(VECTORS) >= 50
    paths = ("/sitemap.xml", "/robots.txt", "/robots.xml", "/", "/docs/intro", "/old-place", "/nope", "/style.css")
    clean = {path: _without_date(here.ask(path)) for path in paths}
    for vector in VECTORS:
        for path in paths:
            kept = _without_date(here.ask(path, **vector))
            assert kept == clean[path]
            if b"example.com" in kept.all_bytes:
                assert kept.headers["cache-control"] in {"no-cache", "no-store"}


def test_safety_31_a_document_never_mixes_schemes(here):
    for turn in range(20):
        scheme, other = ("http", "https") if turn % 2 else ("https", "http")
        for path, answer in ((path, here.ask(path, scheme=scheme)) for path in DOCUMENTS):
            assert f"{other}://example.com".encode() not in answer.all_bytes, path


def test_safety_34_no_path_leads_out_of_the_root(here, starter, tmp_path):
    secret = "OUTSIDE-SECRET"
    for path in (tmp_path / "outside.txt", starter / "state/secret.key", starter / "outside.txt"):
        roots.write(path, secret)
    (starter / "content/link.txt").symlink_to(tmp_path / "outside.txt")
    (starter / "content/out").symlink_to(tmp_path)
    paths = survival.traversals()
    assert len(paths) >= 300
    for path in paths:
        answer = here.ask(path)
        assert answer.status in {308, 400, 404}, path
        for data in (secret.encode(), b"root:", b"[admin]"):
            assert data not in answer.all_bytes
        if answer.status == 308:
            there = here.ask(answer.headers["location"])
            assert (there.status, secret in there.text) == (200, False), path


def test_safety_35_an_id_that_is_restricted_answers_as_one_that_is_unknown(here, starter):
    roots.write(starter / "content/internal.md.toml", 'id = "00000000000000aa"\ntags = ["staff-only"]\n')
    roots.write(starter / "content/draft.md.toml", 'id = "00000000000000ab"\naccess = "deny"\n')
    for digits in ("00000000000000aa", "00000000000000ab"):
        for form in ("", "/", ".md"):
            for headers in ({}, {"accept": "text/markdown"}, {"if_none_match": "*"}):
                hidden = here.ask(f"/id/{digits}{form}", **headers)
                assert hidden.status == 404
                assert hidden == here.ask(f"/id/00000000000000ac{form}", **headers)
    for wrong in (
        "00000000000000FF",
        "00000000000000f",
        "00000000000000ff0",
        "0x000000000000ff",
        "00000000000000fg",
        "",
    ):
        assert here.ask(f"/id/{wrong}").status == 404
    assert here.ask("/id/00000000000000ff").status == 200


def test_safety_36_five_hundred_collisions_with_reserved_paths_are_refused_everywhere(tmp_path):
    aliases = [alias for alias in survival.collisions() if alias.isprintable() or "\u200b" in alias]
    assert len(aliases) >= 400
    root = tmp_path / "root"
    for number, alias in enumerate(aliases):
        key = f"{number:016x}"
        text = "".join(f"\\u{ord(letter):04x}" for letter in alias)
        roots.write(root / f"content/{key[-2:]}/{key}.1", "# Collides\n")
        roots.write(root / f"content/{key[-2:]}/{key}.1.json", f'{{"alias": "{text}", "title": "x"}}')
    with asked(root) as client:
        listed = locs(client.ask("/sitemap.xml"))
        assert listed == sorted(f"http://example.com/id/{number:016x}" for number in range(len(aliases)))
        assert client.ask("/robots.txt").text.count("Disallow") == 3
        for path in ("/login", "/api", "/healthz", "/sitemap.txt/x", "/.well-known/x", "/_waypost/x"):
            assert client.ask(path).status == 404
    assert all(refuses(alias) for alias in aliases if alias.isascii() and "\\" not in alias and "%" not in alias)


@pytest.mark.parametrize("seed", range(10))
def test_safety_37_no_public_byte_knows_of_a_hidden_document(tmp_path, seed):
    hidden = survival.secrets(tmp_path / "root", seed)
    assert hidden
    with asked(tmp_path / "root") as client:
        before = crawl(client)
        for number in range(40):
            before[f"/moved-{number}"] = client.ask(f"/moved-{number}")
        for path in (f"/{CANARY}1", f"/{CANARY}", "/open1x", f"/id/{1:016x}"):
            before[path] = client.ask(path)
        before["search"] = client.ask("/_waypost/search", query="q=canary")
        before["304"] = client.ask("/sitemap.xml", if_none_match=before["/sitemap.xml"].headers["etag"])
        for path, answer in before.items():
            said = answer.all_bytes.replace(path.encode(), b"")
            assert CANARY.encode() not in said, path
        assert before["/"].status == 404 or b"open" in before["/"].body
        for blob in hidden:
            os.utime(tmp_path / "root/content" / blob, (1_500_000_000, 1_500_000_000))
            with (tmp_path / "root/content" / blob).open("a") as stream:
                stream.write("more\n")
        assert client.ask("/sitemap.xml").headers["etag"] == before["/sitemap.xml"].headers["etag"]
        for path in ("/feed.atom", "/robots.xml", "/feeds.opml", "/robots.txt"):
            assert client.ask(path).body == before[path].body


def test_safety_38_a_role_that_is_given_counts_from_the_next_request(here, starter):
    for number in range(25):
        roots.write(starter / "content/docs/Intro.md.toml", 'tags = ["staff-only"]\n')
        assert "/docs/intro<" not in here.ask("/sitemap.xml").text
        assert here.ask("/docs/intro").status == 404
        for path in ("/feed.atom", "/robots.xml", "/docs", "/docs/einstieg"):
            assert "docs/intro" not in here.ask(path).text
        roots.write(starter / "content/docs/Intro.md.toml", f'title = "{number}"\n')
        assert "/docs/intro<" in here.ask("/sitemap.xml").text


def test_safety_39_the_admin_path_stands_in_no_public_byte(here, starter, caplog):
    roots.write(starter / "waypost.toml", roots.STARTER_TOML.replace("hidden-door-f00dfeedf00dfeed", ADMIN))
    roots.write(starter / "content/near.md", f'---\nalias: {ADMIN}/x\nredirect_from: ["{ADMIN}"]\n---\n# Near\n')
    chance = random.Random(39)
    answers = crawl(here)
    for path, answer in answers.items():
        assert ADMIN.encode() not in answer.all_bytes, path
        assert answer.headers["x-content-type-options"] == "nosniff"
    known = [path for path in answers if answers[path].status == 200]
    for _ in range(1_500):
        path = chance.choice(known)
        at = chance.randrange(len(path) + 1)
        path = path[:at] + chance.choice(["", "x", "/", "%20", ".md", ADMIN[:8], "//", "?q=1"]) + path[at:]
        answer = here.ask(path.replace("?", "%3f"), method=chance.choice(["GET", "HEAD", "POST", "OPTIONS"]))
        assert ADMIN.encode() not in answer.all_bytes
        assert answer.headers["x-content-type-options"] == "nosniff"
    other = ADMIN[::-1]
    for shape in ("/{}", "/{}/", "/{}/login", "/{}.md", "/{}?a=b", "//{}"):
        for method in ("GET", "HEAD", "POST"):
            for headers in ({}, {"accept": "text/markdown"}, {"if_none_match": "*"}, {"accept_encoding": "gzip"}):
                real, unknown = (
                    here.ask(shape.format(name).partition("?")[0], method=method, **headers) for name in (ADMIN, other)
                )
                assert (real.status, real.headers) == (unknown.status, unknown.headers)
                assert len(real.body) == len(unknown.body)


def test_safety_40_every_map_is_well_formed_whatever_titles_and_aliases_say(tmp_path):
    chance = random.Random(40)
    root = tmp_path / "root"
    roots.write(root / "waypost.toml", "[feeds]\ncount = 1000\n[sitemap]\nimages = true\n")
    for number in range(400):
        key = f"{number:016x}"
        fields = {name: survival.random_text(chance) for name in ("title", "alias", "description", "lang")}
        said = ", ".join(f'"{name}": {_json(text)}' for name, text in fields.items())
        image = _json(f"https://x.test/{survival.random_text(chance)}")
        roots.write(root / f"content/{key[-2:]}/{key}.1", "# x\n")
        roots.write(
            root / f"content/{key[-2:]}/{key}.1.json",
            f'{{{said}, "published": "2026-01-20", "images": [{image}], "translations": {{"x": {_json(fields["title"])}}}}}',
        )
    for number, half in enumerate(("\\ud800", "\\udc00x", "\\ud83d \\ude00")):
        keys = "\n".join(f'{key}: "{half}"' for key in ("title", "description", "alias", "lang"))
        roots.write(root / f"content/half{number}.md", f'---\n{keys}\nimages: ["https://x.test/{half}"]\n---\n')
    with asked(root) as client:
        listed = locs(client.ask("/sitemap.xml"))
        assert len(listed) > 350
        for path in ("/sitemap.xml", "/robots.xml", "/feeds.opml", "/feed.atom", "/feed.rss"):
            body = client.ask(path).body
            one, other = ET.fromstring(body), etree.fromstring(body, etree.XMLParser(resolve_entities=False))
            assert [element.text for element in one.iter()] == [element.text for element in other.iter()]
        assert client.ask("/sitemap.txt").text.split() == listed
        for url in listed:
            assert client.ask(url.removeprefix("http://example.com")).status == 200
        found = read_feed(client.ask("/feed.atom").body)
        assert not found.notes
        assert {entry.link for entry in found.entries} == set(listed)
        assert not read_xmlmap(client.ask("/robots.xml").body).notes


def _json(text: str) -> str:
    return '"' + "".join(f"\\u{ord(letter):04x}" if letter < "\U00010000" else letter for letter in text) + '"'


STRANGE_NAMES = (
    "invoice.pdf.html", "photo.png.svg", "x.html.png", "a\u202egnp.html", "con.html", "nul", "aux.txt", "lpt1.svg",
    "a" * 250 + ".html", "\u00e9" * 120 + ".htm", "shell.php", "x.xhtml", "y.xml", "z.svgz", "q.js", "w.mjs", "v.wasm",
    "semi;colon.html", 'quo"te.html', "new\nline.html", "cr\rlf.html", "a.html ", "-rf.html", "%2e%2e%2fx.html", "x.shtml",
)  # fmt: skip


def test_safety_43_and_44_no_name_of_a_file_makes_it_run_here_or_splits_a_header(here, starter):
    for name in STRANGE_NAMES:
        (starter / "content" / name).write_text("<script>alert(1)</script>")
    key = "00000000000000ee"
    roots.write(starter / f"content/ee/{key}.1", "<script>alert(1)</script>")
    roots.write(
        starter / f"content/ee/{key}.1.json",
        '{"original_filename": "x\\r\\nSet-Cookie: a=b\\u202egnp.html", "mime": "text/html; charset=x\\r\\nX: y"}',
    )
    here.ask("/")
    served = 0
    for path in list(_file_paths(here)):
        answer = here.ask(path)
        if answer.status != 200:
            continue
        served += 1
        assert answer.headers["x-content-type-options"] == "nosniff"
        kind = answer.headers["content-type"].partition(";")[0]
        if kind not in {"text/plain", "text/css", "image/png", "application/pdf"}:
            assert answer.headers["content-disposition"] == "attachment", (path, kind)
            assert "sandbox" in answer.headers["content-security-policy"]
        assert not [value for value in answer.headers.values() if set(value) & set("\r\n\0")]
        assert "set-cookie" not in answer.headers
    assert served > 15


@pytest.mark.parametrize(
    "mime",
    ["image/png, text/html", "image/png\\r\\nset-cookie: a=b", "image/", "image", "image/png text/html", "image/ä"],
)
def test_safety_43_what_is_no_type_is_bytes_to_be_saved(here, starter, mime):
    roots.write(starter / "content/x.png", "<script>alert(1)</script>")
    roots.write(starter / "content/x.png.toml", f'mime = "{mime}"\n')
    answer = here.ask("/x.png")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/octet-stream")
    assert answer.headers["content-disposition"] == "attachment"
    roots.write(starter / "content/x.png.toml", 'mime = "Image/PNG; charset=utf-8"\n')
    assert here.ask("/x.png").headers["content-type"] == "image/png"


def _file_paths(client: InProcess) -> Iterator[str]:
    (_, root), *_ = client.app.hosts.roots()
    for entry in list(root.catalog.entries()):
        if not entry.is_markdown:
            yield entry.path


def test_safety_38_what_is_restricted_while_it_is_read_is_not_shown(here, starter, monkeypatch):
    roots.write(starter / "content/long.md", "# Long\n" + "word *a* b\n" * 15_000)
    roots.write(starter / "content/big.bin", "public" * 1_000_000)
    real = content._open_below

    def restricted(below: str, path: str) -> int:
        roots.write(starter / f"content/{path}.toml", 'access = "deny"\n')
        roots.write(starter / "content" / path, "# Page\n\nSecret\n")
        return real(below, path)

    for shown, path in (("index.md", "/"), ("long.md", "/long"), ("long.md", "/long.md"), ("big.bin", "/big.bin")):
        assert here.ask(path).status == 200
        with monkeypatch.context() as patch:
            patch.setattr(content, "_open_below", restricted)
            assert b"Secret" not in here.ask(path).body
        (starter / f"content/{shown}.toml").unlink()
        assert b"Secret" in here.ask(path).body, "it may be seen again"


def test_safety_38_a_page_that_goes_while_it_is_formatted_is_unknown(here, starter, monkeypatch):
    page = starter / "content/long.md"
    roots.write(page, "# Long\n" + "word *a* b\n" * 15_000)
    real = pages.render

    def slow(*arguments: object, **more: object) -> object:
        page.unlink(missing_ok=True)
        root.table()
        return real(*arguments, **more)

    (_, root), *_ = here.app.hosts.roots()
    monkeypatch.setattr(pages, "render", slow)
    assert here.ask("/long").status == 404


@pytest.mark.parametrize("path", ["/docs/intro", "/docs/intro.md", "/nothing", "/style.css", "/_waypost/search"])
def test_live_9_no_answer_holds_the_event_loop_while_a_scan_goes_on(here, monkeypatch, path):
    (_, root), *_ = here.app.hosts.roots()
    before, scan = here.ask(path), ExitStack()

    def place(host: str) -> Place | None:
        found = real(host)
        scan.enter_context(held(root.lock))
        here.loop.call_later(0.2, scan.close)
        return found

    real = here.app.hosts.place
    monkeypatch.setattr(here.app.hosts, "place", place)
    began = time.monotonic()
    assert here.ask(path) == before
    assert time.monotonic() - began < 10


def test_a_redirect_from_a_reserved_path_is_refused_and_said(here, starter, caplog):
    roots.write(starter / "content/docs/Intro.md.toml", 'redirect_from = ["Login/x", "api", "id/1", "fine"]\n')
    assert here.ask("/fine").headers["location"] == "/docs/intro"
    for path in ("/login/x", "/api", "/id/1"):
        assert here.ask(path).status == 404
    assert "/login/ is kept for signing in" in caplog.text
    roots.write(starter / "content/docs/Intro.md.toml", 'redirect_from = ["fine"]\n')
    state = here.ask("/readyz", client="127.0.0.1").text
    assert "kept for signing in" not in state


def test_what_a_hidden_page_moved_from_is_as_unknown_as_itself(here, starter):
    roots.write(starter / "content/internal.md.toml", 'tags = ["staff-only"]\nredirect_from = ["was-internal"]\n')
    assert here.ask("/was-internal").status == 404
    roots.write(starter / "content/internal.md.toml", 'tags = []\nredirect_from = ["was-internal"]\n')
    assert here.ask("/was-internal").headers["location"] == "/internal"
