"""Ask → Reply."""

import random
from xml.etree import ElementTree as ET

import pytest

from waypost.limits import ORIGIN_CHARS_MAX, STREAM_CROWD_PIECE_BYTES, STREAM_PIECE_BYTES
from waypost.publish.exchange import Ask, Pieces
from waypost.publish.negotiate import accepts_gzip, byte_range, prefers_markdown
from waypost.publish.page import Page
from waypost.publish.paths import RESERVED, Form, Resource
from waypost.publish.respond import ROUTES, respond, route
from waypost.publish.settings import Publishing, RobotsGroup, Site
from waypost.publish.table import PageTable

ORIGIN = "https://example.com"
NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def table(count: int = 3, **settings) -> PageTable:
    chance = random.Random(1)
    return PageTable(
        (Page(chance.randbytes(8), f"/page-{n:05}", 1_700_000_000.0 + n) for n in range(count)), **settings
    )


def ask(path: str, site: Site | PageTable, method: str = "GET", origin: str = ORIGIN, **headers):
    place = site if isinstance(site, Site) else Site(site)
    return respond(Ask(origin, method, path, **headers), place)


ALL_ON = Publishing(with_llms=True, indexnow_key="0123456789abcdef")


def header(reply, name: str) -> str | None:
    values = [value.decode() for key, value in reply.headers if key == name.encode()]
    assert len(values) < 2
    return values[0] if values else None


def body(reply) -> bytes:
    return b"".join(reply.body) if isinstance(reply.body, Pieces) else reply.body


def locs(reply) -> list[str]:
    return [element.text or "" for element in ET.fromstring(body(reply)).iter(f"{NS}loc")]


def test_spec_the_routes_are_those_of_the_registry():
    files = {row.path for row in RESERVED if row.form in {Form.FILE, Form.REPEATED}}
    assert set(ROUTES) - {"/.well-known/feeds"} <= files
    for path, resource in ROUTES.items():
        assert route(path, ALL_ON) is resource
        assert any(row.path == path and row.resource is resource for row in RESERVED)
    for path in ("/sitemaps/x", "/sitemaps/"):
        assert route(path) is Resource.PART
    for row in RESERVED:
        if row.form is Form.REPEATED:
            assert route(f"/any{row.path}") is row.resource
            assert route(f"/any/where{row.path}") is route(f"/{row.path}") is route(f"/any{row.path}/") is None
    for path in (
        "/",
        "/page-00001",
        "/Robots.txt",
        "/robots.txt/",
        "/login/",
        "/healthz",
        "/%72obots.txt",
        "robots.txt",
    ):
        assert route(path) is None
        assert ask(path, table()) is None


@pytest.mark.parametrize("path", [*ROUTES, "/sitemaps/sitemap-0001.xml"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "get", ""])
def test_spec_other_methods_are_405_with_allow(path, method):
    reply = ask(path, Site(table(), ALL_ON), method)
    assert reply.status == 405
    assert header(reply, "allow") == "GET, HEAD"


@pytest.mark.parametrize("path", [*ROUTES, "/sitemaps/sitemap-0001.xml", "/sitemaps/sitemap-0002.xml"])
@pytest.mark.parametrize("settings", [{}, {"split_at": 2, "part_size": 5}])
@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_spec_head_is_get_without_its_body(path, settings, encoding):
    site = Site(table(60, **settings), ALL_ON)
    got, head = ask(path, site, accept_encoding=encoding), ask(path, site, "HEAD", accept_encoding=encoding)
    assert (got.status, got.headers) == (head.status, head.headers) or got.status == 404
    if got.status == 200:
        assert header(got, "content-length") == (None if got.is_gzip else str(len(body(got))))
        assert body(head) == (body(got) if got.is_gzip else b"")


def test_the_documents_have_their_types_and_are_never_kept_by_a_cache():
    for path, media in {
        "/robots.txt": "text/plain",
        "/sitemap.xml": "application/xml",
        "/sitemap.txt": "text/plain",
    }.items():
        reply = ask(path, table())
        assert header(reply, "content-type") == f"{media}; charset=utf-8"
        assert header(reply, "cache-control") == "no-cache"
        assert header(reply, "vary") == "accept-encoding"
        assert header(reply, "x-content-type-options") == "nosniff"
        assert header(reply, "x-robots-tag") is None


def test_spec_a_preview_says_noindex():
    reply = ask("/sitemap.xml", Site(table(), Publishing(is_closed=True)))
    assert header(reply, "x-robots-tag") == "noindex"


def test_spec_no_base_url():
    """No setting can change the origin in a document: every ask's own origin is the only one there is."""
    some = table()
    for origin in ("https://example.com", "http://b.test:8000", "http://[::1]:8000"):
        for path in ("/sitemap.xml", "/sitemap.txt", "/robots.txt"):
            text = body(ask(path, some, origin=origin)).decode()
            assert f"{origin}/" in text
            assert text.count("://") == text.count(f"{origin}/") + text.count("http://www.sitemaps.org")
    assert not [name for name in Publishing.__dataclass_fields__ if "url" in name or "origin" in name or "host" in name]


def test_spec_below_the_limits_one_file():
    some = table(3)
    assert locs(ask("/sitemap.xml", some)) == [f"{ORIGIN}/page-{n:05}" for n in range(3)]
    moved = ask("/sitemap_index.xml", some)
    assert (moved.status, header(moved, "location")) == (308, "/sitemap.xml")
    assert ask("/sitemaps/sitemap-0001.xml", some).status == 404


def test_spec_past_the_limits_an_index_with_dense_names():
    some = table(500, split_at=100, part_size=100)
    reply = ask("/sitemap.xml", some)
    assert locs(reply) == [f"{ORIGIN}/sitemaps/sitemap-{part:04}.xml" for part in range(1, 12)]
    assert body(ask("/sitemap_index.xml", some)) == body(reply)
    found = [loc for part in locs(reply) for loc in locs(ask(part.removeprefix(ORIGIN), some))]
    assert sorted(found) == [f"{ORIGIN}/page-{n:05}" for n in range(500)]
    assert body(ask("/sitemap.txt", some)).decode().split() == sorted(found)


@pytest.mark.parametrize(
    "name", ["sitemap-0000.xml", "sitemap-0012.xml", "sitemap-00001.xml", "sitemap-1.xml", "sitemap-0001.xml.gz", "", "x", "Sitemap-0001.xml", "sitemap-٠٠٠١.xml", "sitemap-999999999.xml", "sitemap-0001.xml/"]
)  # fmt: skip
def test_a_part_that_does_not_exist_is_404(name):
    assert ask(f"/sitemaps/{name}", table(500, split_at=100, part_size=100)).status == 404


def test_a_part_without_pages_is_neither_listed_nor_served():
    some = table(9, split_at=2, part_size=1)
    listed = locs(ask("/sitemap.xml", some))
    assert len(listed) < len(some.runs)
    empty = next(number for number, run in enumerate(some.runs, 1) if not run.pages)
    assert ask(f"/sitemaps/sitemap-{empty:04}.xml", some).status == 404


def test_spec_no_public_page_no_sitemap():
    for path in ("/sitemap.xml", "/sitemap_index.xml", "/sitemap.txt"):
        assert ask(path, PageTable()).status == 404
    assert "Sitemap" not in body(ask("/robots.txt", PageTable())).decode()


def test_spec_the_text_form_ends_at_50_000_urls_and_50_mb(monkeypatch):
    monkeypatch.setattr("waypost.publish.respond.SITEMAP_URLS_MAX", 3)
    assert ask("/sitemap.txt", table(3)).status == 200
    assert ask("/sitemap.txt", table(4)).status == 404
    monkeypatch.setattr("waypost.publish.respond.SITEMAP_BYTES_MAX", 3 * (ORIGIN_CHARS_MAX + 32))
    assert ask("/sitemap.txt", table(3)).status == 200
    monkeypatch.setattr("waypost.publish.respond.SITEMAP_BYTES_MAX", 3 * ORIGIN_CHARS_MAX)
    assert ask("/sitemap.txt", table(3)).status == 404


def test_a_long_body_comes_in_pieces_with_its_length_known():
    some = table(20_000)
    reply = ask("/sitemap.xml", some)
    assert isinstance(reply.body, Pieces)
    pieces = list(reply.body)
    assert header(reply, "content-length") == str(len(b"".join(pieces))) == str(len(reply.body))
    assert max(map(len, pieces)) <= 262_144  # 256 KiB
    assert len(pieces) > 5
    assert len(locs(reply)) == 20_000


def test_pieces_stay_short_where_entries_are_long():
    links = tuple((f"x-{number}", f"/{'long/' * 30}{number}") for number in range(60))
    short = [Page(number.to_bytes(8, "big"), f"/a{number:05}", None) for number in range(20_000)]
    long = [Page(number.to_bytes(8, "little"), f"/b{number:05}", None, alternates=links) for number in range(1, 300)]
    reply = ask("/sitemap.xml", PageTable([*short, *long]))
    pieces = list(reply.body)
    assert max(map(len, pieces)) <= 262_144
    assert len(b"".join(pieces)) == len(reply.body)


def test_pieces_stay_short_whatever_the_host_and_however_long_an_entry():
    """The pieces are cut for a usual origin: the longest one makes more of them."""
    images = tuple(f"https://pictures.example/{'long/' * 390}{number}" for number in range(60))
    longest = f"https://{'.'.join(['a' * 63] * 3)}.{'b' * 61}:65535"
    many = PageTable(Page(number.to_bytes(8, "big"), f"/{number}", None) for number in range(20_000))
    wide = PageTable([Page(bytes(7) + bytes([n]), f"/{n}", None, images=images) for n in range(20)], with_images=True)
    for some, origin in ((many, longest), (wide, ORIGIN), (wide, longest)):
        reply = ask("/sitemap.xml", some, origin=origin)
        pieces = list(reply.body)
        assert 0 < min(map(len, pieces)) <= max(map(len, pieces)) <= 262_144
        assert str(len(b"".join(pieces))) == header(reply, "content-length")
        assert locs(reply) == sorted(f"{origin}{page.path}" for page in some)


@pytest.mark.parametrize(
    "wanted", [5_000, 20_000, STREAM_CROWD_PIECE_BYTES, STREAM_PIECE_BYTES, 10 * STREAM_PIECE_BYTES]
)
def test_pieces_are_as_short_as_is_wanted_while_they_are_made(wanted):
    reply = ask("/sitemap.xml", table(20_000))
    pieces, least = list(reply.body.cut(lambda: wanted)), min(wanted, STREAM_PIECE_BYTES)
    assert b"".join(pieces) == b"".join(reply.body)
    assert min(map(len, pieces)) > 0
    assert max(map(len, pieces)) <= wanted * 4 // 3
    assert len(reply.body) // (least * 4 // 3) <= len(pieces) <= 3 * len(reply.body) // least


def test_a_body_goes_on_in_pieces_of_another_length():
    reply = ask("/sitemap.xml", table(20_000))
    pieces: list[bytes] = []
    for piece in reply.body.cut(lambda: STREAM_PIECE_BYTES if len(pieces) > 10 else STREAM_CROWD_PIECE_BYTES):
        pieces.append(piece)
    assert b"".join(pieces) == b"".join(reply.body)
    assert max(map(len, pieces[:10])) < STREAM_PIECE_BYTES // 2 < max(map(len, pieces))


def test_validators_are_the_same_in_another_process_and_differ_by_what_is_shown():
    one, other = table(50, split_at=10, part_size=20), table(50, split_at=10, part_size=20)
    paths = ["/robots.txt", "/sitemap.xml", "/sitemap.txt", "/sitemaps/sitemap-0001.xml", "/sitemaps/sitemap-0002.xml"]
    tags = [header(ask(path, one), "etag") for path in paths]
    assert tags == [header(ask(path, other), "etag") for path in paths]
    assert len(set(tags)) == len(tags)
    assert tags != [header(ask(path, one, origin="http://example.com"), "etag") for path in paths]
    zipped = header(ask("/sitemap.txt", one, accept_encoding="gzip"), "etag")
    assert zipped == f'{tags[2][:-1]}-gz"'


def test_the_tag_moves_when_a_page_goes_and_when_an_older_one_comes():
    some = table(10)
    tags = [header(ask("/sitemap.xml", some), "etag")]
    some.discard(next(iter(some)).key)
    tags.append(header(ask("/sitemap.xml", some), "etag"))
    some.add(Page(b"\0" * 8, "/old", 1_000_000_000.0))
    tags.append(header(ask("/sitemap.xml", some), "etag"))
    assert len(set(tags)) == 3


def test_the_tag_does_not_know_the_admin_path():
    some = table()
    one = ask("/robots.txt", Site(some, Publishing(admin_path="a-secret")))
    other = ask("/robots.txt", Site(some, Publishing(admin_path="b-secret")))
    assert (one.headers, one.body) == (other.headers, other.body)


def test_an_owners_group_moves_the_tag_of_robots():
    one = ask("/robots.txt", table())
    other = ask("/robots.txt", Site(table(), Publishing(groups=(RobotsGroup(("CCBot",), ("/",)),))))
    assert header(one, "etag") != header(other, "etag")


def test_304_by_entity_tag():
    some = table(100)
    tag = header(ask("/sitemap.xml", some), "etag")
    for given in (tag, f"W/{tag}", f'"x", {tag}', "*", f'{tag},"y"'):
        reply = ask("/sitemap.xml", some, if_none_match=given)
        assert (reply.status, body(reply), header(reply, "etag")) == (304, b"", tag)
        assert header(reply, "content-length") is None
    for given in ('"x"', tag[:-1] + '-gz"', tag.strip('"'), "W/"):
        assert ask("/sitemap.xml", some, if_none_match=given).status == 200
    assert ask("/sitemap.xml", some, if_none_match=f'{tag[:-1]}-gz"', accept_encoding="gzip").status == 304
    assert ask("/sitemap.xml", some, "HEAD", if_none_match=tag).status == 304


def test_last_modified_only_where_the_source_knows_it():
    some = table()
    later = 1_768_903_202.0
    assert header(ask("/sitemap.xml", some, now=later), "last-modified") is None
    assert ask("/sitemap.xml", some, now=later, if_modified_since="Tue, 20 Jan 2099 10:00:00 GMT").status == 200
    some.changed_at = 1_768_903_200.7
    date = "Tue, 20 Jan 2026 10:00:00 GMT"
    reply = ask("/sitemap.xml", some, now=later)
    assert header(reply, "last-modified") == date
    assert ask("/sitemap.xml", some, now=later, if_modified_since=date).status == 304
    assert ask("/sitemap.xml", some, now=later, if_modified_since="Tuesday, 20-Jan-26 10:00:00 GMT").status == 304
    for other in (
        "Tue, 20 Jan 2026 09:59:59 GMT",
        "Tue, 20 Jan 2026 10:00:01 GMT",
        "yesterday",
        "Tue, 99 Jan 2026 10:00:00 GMT",
    ):
        assert ask("/sitemap.xml", some, now=later, if_modified_since=other).status == 200
    assert ask("/sitemap.xml", some, now=later, if_modified_since=date, if_none_match='"x"').status == 200


def test_a_date_whose_second_is_not_over_is_no_validator():
    some = table()
    some.changed_at = 1_768_903_200.7
    for now in (0.0, 1_768_903_200.8, 1_768_903_201.9):
        assert header(ask("/sitemap.xml", some, now=now), "last-modified") is None
        assert ask("/sitemap.xml", some, now=now, if_modified_since="Tue, 20 Jan 2026 10:00:00 GMT").status == 200


@pytest.mark.parametrize(
    ("value", "is_taken"),
    [("gzip", True), ("x-gzip", True), ("GZIP", True), ("br, gzip;q=0.5", True), ("*", True), ("gzip;q=0", False), ("gzip;q=0, *", False),
     ("*;q=0", False), ("", False), ("identity", False), ("br", False), ("gzip ; q=0.001", True), ("gzip;q=0.000", False), (";;;,,", False),
     ("gzip;q=2", False), ("gzip;q=0.5, identity;q=1", False), ("identity, gzip", True), ("identity;q=0.5, *", True),
     ("gzip;level=1", True), ("gzip;quality=0", True), ("gzip;quick;q=0", False), ("gzip;q", False), ("gzipped", False)],
)  # fmt: skip
def test_rfc9110_accept_encoding(value, is_taken):
    assert accepts_gzip(value) is is_taken


@pytest.mark.parametrize(
    ("value", "is_wanted"),
    [("text/markdown", True), ("text/html, text/markdown;q=0.9", False), ("text/markdown, text/html;q=0.5", True),
     ("text/html, text/markdown", False), ("*/*", False), ("", False), ("text/markdown;q=0", False), ("TEXT/Markdown", True)],
)  # fmt: skip
def test_markdown_is_sent_to_whoever_asks_for_it_by_name(value, is_wanted):
    assert prefers_markdown(value) is is_wanted


@pytest.mark.parametrize(
    "text",
    [text * 500_000 for text in ("a", ",", ";", " ", "gzip;", "q=", '"', "a;x,", 'W/"')],
    ids=["a", "comma", "semicolon", "blank", "gzip", "q", "quote", "coding", "weak"],
)
def test_a_header_far_longer_than_any_server_takes_still_ends(text):
    """Work that grew with the square of its length would run into the suite's own time limit."""
    some = table()
    some.changed_at = 1.9e9
    for header_name in ("accept_encoding", "accept", "if_none_match", "if_modified_since"):
        assert ask("/sitemap.xml", some, now=2e9, **{header_name: text}).status == 200
    assert not prefers_markdown(f"text/html,{text}")


def test_a_short_body_is_not_compressed():
    assert not ask("/robots.txt", table(), accept_encoding="gzip").is_gzip
    assert ask("/sitemap.xml", table(100), accept_encoding="gzip").is_gzip


def test_an_origin_is_escaped_wherever_it_stands():
    reply = ask("/sitemap.xml", table(), origin="https://a&b<c")
    assert locs(reply)[0] == "https://a&b<c/page-00000"


@pytest.mark.parametrize(
    ("value", "part"),
    [("bytes=0-0", range(1)), ("bytes=2-", range(2, 9)), ("bytes=-2", range(7, 9)), ("bytes=-99", range(9)), ("bytes=3-99", range(3, 9)),
     ("bytes=9-", range(9, 9)), ("bytes=-0", range(9, 9)), ("bytes=-", None), ("bytes=2-1", None), ("bytes=0-1,3-4", None), ("", None)],
)  # fmt: skip
def test_rfc9110_one_range_of_bytes(value, part):
    assert byte_range(Ask(ORIGIN, "GET", "/f", byte_range=value), '"e"', 9) == part
    assert byte_range(Ask(ORIGIN, "GET", "/f", byte_range=value, if_range='"e"'), '"e"', 9) == part
    assert byte_range(Ask(ORIGIN, "GET", "/f", byte_range=value, if_range='"x"'), '"e"', 9) is None
    assert byte_range(Ask(ORIGIN, "HEAD", "/f", byte_range=value), '"e"', 9) is None


@pytest.mark.parametrize("seed", range(20))
def test_any_conditional_header_is_answered(seed):
    chance = random.Random(seed)
    some = table(5)
    for _ in range(50):
        noise = "".join(chance.choice('W/"*,; -gz0123456789abcdef\t;q=.GMTueJan:') for _ in range(chance.randrange(60)))
        for name in ("if_none_match", "if_modified_since", "accept_encoding", "accept"):
            assert ask("/sitemap.xml", some, **{name: noise}).status in {200, 304}
