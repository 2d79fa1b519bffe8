"""Safe fixes: what they mend, what they leave alone, and that they never lose anything."""

import gzip
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.check.fixes.robots import fix_robots
from waypost.check.fixes.sitemap import fix_sitemap
from waypost.formats.robots import read_robots
from waypost.formats.sitemap import read_sitemap

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
ROBOTS = "https://example.com/robots.txt"
SITEMAP = "https://example.com/sitemap.xml"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Disalow: /a\n", "Disallow: /a\n"),
        ("User agent: *\n", "User-agent: *\n"),
        ("User-agent: *\nDisllow: /a\n", "User-agent: *\nDisallow: /a\n"),
        ("Content-Signals: ai-train=no\n", "Content-Signal: ai-train=no\n"),
        ("User-agent: Mozilla/5.0 (compatible; Googlebot/2.1)\n", "User-agent: Googlebot\n"),
        ("User-agent: anthropic-ai\n", "User-agent: ClaudeBot\n"),
        ("Disallow: private\n", "Disallow: /private\n"),
        ("Disallow: https://example.com/a?b\n", "Disallow: /a?b\n"),
        ("Disallow: https://example.com/\n", "Disallow: https://example.com/\n"),
        ("Disallow: http://example.com\n", "Disallow: http://example.com\n"),
        ("Disallow: /%7ea%c3%a9é 100%\n", "Disallow: /~a%C3%A9%C3%A9%20100%25\n"),
        ("  Disallow: x # why\r\n", "  Disallow: /x # why\r\n"),
        ("Sitemap: /m.xml\n", "Sitemap: https://example.com/m.xml\n"),
        ("Sitemap: http://example.com/m.xml", "Sitemap: https://example.com/m.xml"),
        ("Sitemap: http://other.edu/m.xml", "Sitemap: http://other.edu/m.xml"),
        ("Host: example.com\n", ""),
        ("User-agent: *\n\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n"),
        ("User-agent: *\nDisallow: /a\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n"),
        ("Sitemap: https://example.com/m\nSitemap: https://example.com/m\n", "Sitemap: https://example.com/m\n"),
        ("Whatever: x\nnonsense\n", "Whatever: x\nnonsense\n"),
    ],
)
def test_a_robots_line_is_mended(before, after):
    assert fix_robots(before.encode(), ROBOTS).decode() == after


@pytest.mark.parametrize(
    "text",
    [
        "User-agent: anthropic-ai\nDisallow: /\n\nUser-agent: ClaudeBot\nDisallow: /private\n",
        "User-agent: Mozilla/5.0 (compatible; Googlebot/2.1)\nDisallow: /\n\nUser-agent: googlebot\nAllow: /\n",
        "User-agent: anthropic-ai\nDisallow: /\n\nUser-agent: claude-web\nDisallow: /private\n",
    ],
)
def test_a_crawler_gets_no_new_name_where_its_group_would_merge_with_another(text):
    assert fix_robots(text.encode()).decode() == text


def test_a_crawler_named_twice_in_one_group_gets_its_name_of_today():
    text = b"User-agent: anthropic-ai\nUser-agent: ClaudeBot\nDisallow: /\n"
    assert fix_robots(text) == text.replace(b"anthropic-ai", b"ClaudeBot")


@pytest.mark.parametrize(
    "text",
    [
        "User-agent: *\nDisallow: /a\nUsr-agent: Googlebot\nDisallow: /b\n",
        "User-agent: a\nDisllow: /x\nUser-agent: b\nDisallow: /y\n",
    ],
)
def test_a_misspelt_line_is_left_alone_where_others_would_go_to_other_crawlers(text):
    assert fix_robots(text.encode()).decode() == text


@pytest.mark.parametrize("ending", ["a" * 17_000, "a\0b"])
def test_a_line_that_is_not_read_to_its_end_is_left_alone(ending):
    cut = f"Disalow: x{ending}\n\nDisalow: x{ending}c\nHost: {ending}\nSitemap: /{ending}\n"
    text = f"User-agent: *\n{cut}Disalow: x\n"
    assert fix_robots(text.encode(), ROBOTS).decode() == f"User-agent: *\n{cut}Disallow: /x\n"


def test_without_a_base_sitemap_lines_stay_relative():
    assert fix_robots(b"Sitemap: /m.xml\n") == b"Sitemap: /m.xml\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
def test_what_is_no_robots_txt_is_left_alone(encoding):
    text = "User agent: *\nDisalow: /" if encoding != "utf-8" else "<!doctype html><html>Disalow: /</html>"
    assert fix_robots(text.encode(encoding)) == text.encode(encoding)


def test_marks_and_old_encodings_become_utf_8():
    assert fix_robots(b"\xef\xbb\xbfUser-agent: *\n") == b"User-agent: *\n"
    assert fix_robots(b"\xef\xbbUser-agent: *\n") == b"User-agent: *\n"
    assert fix_robots("# café\n".encode("latin-1")) == "# café\n".encode()
    assert fix_robots("# ｆ\n".encode() + "# café".encode("latin-1")) == "# ｆ\n# café".encode()


LINES = st.sampled_from(
    [
        "User-agent: *",
        "user agent: a",
        "Disalow: x",
        "Disallow: /a",
        "Allow: /%7e",
        "",
        "# c",
        "Sitemap: /m",
        "Host: h",
        "??",
    ]
)


@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_mending_a_robots_txt_twice_changes_nothing_more(lines, ending):
    once = fix_robots(ending.join(lines).encode(), ROBOTS)
    assert fix_robots(once, ROBOTS) == once


SAID = st.sampled_from(
    [
        b"User-agent: *",
        b"User-agent: ClaudeBot",
        b"user agent: a",
        b"User-agent: anthropic-ai",
        b"User-agent: Claude-Web",
        b"User-agent: Mozilla/5.0 (compatible; ClaudeBot/1.0)",
        b"Usr-agent: ClaudeBot",
        b"Usr-agent: a",
        b"Disallow: /",
        b"Disalow: /a",
        b"Allow: /a/b",
        "Disallow: /é".encode(),
        b"Disllow: /unheard",
        b"Disallow: /" + b"a" * 17_000,
        b"Crawl-dlay: 1",
        b"Sitemap: /m",
        b"Host: h",
        b"# caf\xe9",
        b"",
    ]
)
ASKED = ("/", "/a", "/a/b", "/unheard", "/%C3%A9", "/" + "a" * 17_000)
NOBODY = {"anthropic-ai", "claude-web", "mozilla"}
"""Tokens that no crawler answers to."""


@given(st.lists(SAID, max_size=10), st.sampled_from([b"\n", b"\r\n"]), st.sampled_from([b"", b"\xef\xbb\xbf", b"\xef"]))
def test_mending_a_robots_txt_changes_no_answer_for_a_crawler_that_it_named(lines, ending, mark):
    data = mark + ending.join(lines)
    before, after = read_robots(data), read_robots(fix_robots(data, ROBOTS))
    named = {agent.lower() for group in before.groups for agent in group.agents} - NOBODY
    for agent in named:
        for path in ASKED:
            said = after.explain(agent, path)
            assert said.allowed == before.allowed(agent, path) or said.pattern == "/unheard"


@given(st.binary(max_size=200))
def test_any_bytes_can_be_mended(data):
    fix_robots(data, ROBOTS)
    fix_sitemap(data, SITEMAP)


def urlset(inner, head='<?xml version="1.0" encoding="UTF-8"?>\n', attributes=NS):
    return f"{head}<urlset {attributes}>\n{inner}\n</urlset>\n"


A = "<url><loc>https://example.com/a</loc></url>"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (urlset("<url><loc>/a</loc></url>"), urlset(A)),
        (urlset("<url><loc> https://example.com/a </loc></url>"), urlset(A)),
        (urlset("<url><loc>https://me:pw@example.com/a#b</loc></url>"), urlset(A)),
        (urlset("<url><loc>https://example.com/é</loc></url>"), urlset("<url><loc>https://example.com/%C3%A9</loc></url>")),
        (urlset("<url><loc>https://example.com/?a&b</loc></url>"), urlset("<url><loc>https://example.com/?a&amp;b</loc></url>")),
        (urlset("<url><loc>https://example.com/a&#11;</loc></url>"), urlset(A)),
        ("\n" + urlset(A), urlset(A)),
        (urlset(A).replace(" " + NS, ""), urlset(A)),
        (urlset(A, attributes='xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"'), urlset(A)),
        (urlset(A + "\n" + A), urlset(A)),
        (urlset(A[:-6] + "<lastmod>2026-01-20 10:00</lastmod></url>"), urlset(A[:-6] + "<lastmod>2026-01-20T10:00:00Z</lastmod></url>")),
        (urlset(A[:-6] + "<changefreq>Daily</changefreq></url>"), urlset(A[:-6] + "<changefreq>daily</changefreq></url>")),
        (urlset(A[:-6] + "<changefreq>7 days</changefreq><priority>high</priority></url>"), urlset(A)),
        (urlset(A[:-6] + "<priority>00.5</priority><priority>01</priority></url>"), None),
        (urlset("<!-- <loc>/x</loc> & -->" + A + "<url><loc><![CDATA[https://example.com/?b&c]]></loc></url>"), None),
        (urlset("<url><loc>https://example.com/a b</loc></url>"), None),
        (urlset(A, attributes='xmlns="urn:mine"'), None),
        (urlset(A)[:-12], None),
    ],
)  # fmt: skip
def test_a_sitemap_is_mended_or_left_alone(before, after):
    assert fix_sitemap(before.encode(), SITEMAP).decode() == (before if after is None else after).replace(
        "urlset >", "urlset>"
    )


def test_prefixed_elements_are_mended_too():
    text = '<s:urlset xmlns:s="http://www.google.com/schemas/sitemap/0.84"><s:url><s:loc>/a</s:loc></s:url></s:urlset>'
    fixed = read_sitemap(fix_sitemap(text.encode(), SITEMAP))
    assert (fixed.locs, fixed.counts) == (["https://example.com/a"], {})


def test_latin_1_becomes_utf_8():
    text = urlset(
        "<url><loc>https://example.com/a</loc></url><!-- é -->", '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
    )
    fixed = fix_sitemap(text.encode("latin-1"), SITEMAP)
    assert "é" in fixed.decode()
    assert read_sitemap(fixed).counts == {}


def test_a_list_of_urls_is_mended():
    text = "https://example.com/\n# our pages\r\n\r\nhttps://example.com/a#x\r\n See these:\r\n https://example.com/b \r\n/é\n/a\nhttps://example.com/c #x"
    assert fix_sitemap(text.encode(), SITEMAP).decode() == (
        "https://example.com/\n# our pages\r\n\r\nhttps://example.com/a\r\n See these:\r\nhttps://example.com/b\r\n"
        "https://example.com/%C3%A9\nhttps://example.com/c"
    )


@pytest.mark.parametrize("line", ["// our pages", "//our-pages", "/* our pages */", "pages", "https:/a", "/a b"])
def test_a_line_that_is_no_url_stays_as_it_is(line):
    text = f"https://example.com/a\n{line}\nhttps://example.com/b\n"
    assert fix_sitemap(text.encode(), SITEMAP).decode() == text


def test_a_path_stays_one_where_nothing_says_on_which_site_it_is():
    assert fix_sitemap(b"https://example.com/a\n/b\n") == b"https://example.com/a\n/b\n"


@pytest.mark.parametrize("part", [" ", "<!--", "<![CDATA[", "<?xml ", "<urlset", "<url>", "<loc>"])
def test_hostile_a_sitemap_is_mended_in_time_that_grows_with_its_length(part):
    before = time.process_time()
    fix_sitemap(urlset(A + A + part * 50_000 + "x").encode(), SITEMAP)
    fix_sitemap((part * 50_000 + urlset(A)).encode(), SITEMAP)
    assert time.process_time() - before < 3.0


def test_a_packed_file_is_left_alone():
    packed = gzip.compress(urlset("<url><loc>/a</loc></url>").encode())
    assert fix_sitemap(packed, SITEMAP) == packed


VALUES = st.sampled_from(
    ["/a", " https://example.com/b ", "https://example.com/?x=1&amp;y", "https://example.com/é#f", "mailto:x"]
)
FIELDS = st.sampled_from(
    [
        "",
        "<lastmod>2026-01-20T10:00:00</lastmod>",
        "<priority>x</priority>",
        "<!-- x -->",
        "<changefreq>WEEKLY</changefreq>",
    ]
)


@given(st.lists(st.tuples(VALUES, FIELDS), min_size=1, max_size=8))
def test_mending_a_sitemap_twice_changes_nothing_more_and_loses_no_url(rows):
    text = urlset("\n".join(f"<url><loc>{loc}</loc>{field}</url>" for loc, field in rows)).encode()
    once = fix_sitemap(text, SITEMAP)
    assert fix_sitemap(once, SITEMAP) == once
    assert len(set(read_sitemap(once).locs)) == len({loc for loc, _ in rows})


URLS = {f"https://example.com/{path}" for path in ("", "a", "b", "%C3%A9", "c%20d")}
WRITTEN = st.sampled_from(
    [
        *sorted(URLS),
        "/a",
        "/é",
        " https://example.com/b#x \t",
        "https://me@example.com/a # why",
        "# our pages",
        "See these:",
        "// no path",
        "/ no path",
        "a",
        "mailto:x",
        "?",
        "",
        "  ",
    ]
)
OTHERS = {"# our pages", "See these:", "// no path", "/ no path", "a", "mailto:x", "?", "", "  "}


@given(st.lists(WRITTEN, max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_mending_a_list_of_urls_adds_no_url_and_leaves_every_other_line(lines, ending):
    text = "".join(f"{line}{ending}" for line in lines)
    once = fix_sitemap(text.encode(), SITEMAP)
    assert fix_sitemap(once, SITEMAP) == once
    assert set(read_sitemap(once).locs) <= URLS.union(read_sitemap(text.encode()).locs)
    assert [line for line in once.decode().split(ending)[:-1] if line in OTHERS] == [
        line for line in lines if line in OTHERS
    ]


def test_mending_robots_changes_what_is_allowed_only_where_a_line_said_nothing():
    before, after = b"User-agent: *\nDisallow: /a\nDisalow: /b\n", b"User-agent: *\nDisallow: /a\nDisallow: /b\n"
    assert fix_robots(before) == after
    assert read_robots(after).allowed("x", "https://example.com/a") is False
