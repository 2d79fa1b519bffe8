"""False alarms seen in other tools: none of these is a finding, or none above information."""

import pytest
from tests.check.samples import ORIGIN, scanned

from waypost.check.rule import Severity

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
ONE = f"<urlset {NS}><url><loc>{ORIGIN}/a</loc></url></urlset>"
SITEMAP = (f"{ORIGIN}/sitemap.xml", "200 application/xml", ["ETag: 1"], ONE)
LINE = f"Sitemap: {ORIGIN}/sitemap.xml\n"


def robots(text):
    return (f"{ORIGIN}/robots.txt", "200 text/plain", [], text)


def graver_than_info(result):
    assert not result.crashes
    return [finding.code for _, finding in result.findings() if finding.severity is not Severity.INFO]


@pytest.mark.parametrize(
    "text",
    [
        f"user-agent:*\ndisallow:/private\nSITEMAP:{ORIGIN}/sitemap.xml\n",
        f"USER-AGENT: *\r\nDISALLOW: /private-area\r\nSitemap: {ORIGIN}/sitemap.xml\r\n",
        f"User-agent: *\nAllow: /\n{LINE}",
    ],
)
def test_rfc9309_blanks_case_and_line_ends_are_legal(text):
    result = scanned([robots(text.replace("private-area", "cart").replace("/private", "/cart")), SITEMAP])
    assert graver_than_info(result) == []


@pytest.mark.parametrize("line", ["Content-Signal: search=yes", f"License: {ORIGIN}/l.xml", "Agentmap: /x", "Foo: bar"])
def test_unknown_and_new_directives_are_information_at_most(line):
    result = scanned([robots(f"User-agent: *\n{line}\nDisallow: /cart\n{LINE}"), SITEMAP])
    assert graver_than_info(result) == []


def test_a_missing_robots_txt_is_no_error():
    result = scanned([SITEMAP])
    assert graver_than_info(result) == []
    assert result.score == 1.0


def test_sitemaps_org_a_sitemap_on_another_host_that_robots_txt_declares_is_fine():
    other = "https://maps.fruit.edu/ours.xml"
    result = scanned([robots(f"Sitemap: {other}\n"), (other, "200 application/xml", ["ETag: 1"], ONE)])
    assert graver_than_info(result) == []
    assert result.score == 1.0


def test_absent_optional_fields_are_no_finding():
    result = scanned([robots(LINE), SITEMAP])
    assert not {"SMQ308", "SMQ301", "SMQ311", "SMQ312", "SMQ313"} & {finding.code for _, finding in result.findings()}


def test_a_noindex_header_on_the_sitemap_itself_is_no_finding():
    url, said, _, text = SITEMAP
    plain = scanned([robots(LINE), SITEMAP])
    result = scanned([robots(LINE), (url, said, ["ETag: 1", "X-Robots-Tag: noindex"], text)])
    assert [f.code for _, f in result.findings()] == [f.code for _, f in plain.findings()]


def test_a_gz_name_with_a_plain_body_is_information():
    url = f"{ORIGIN}/sitemap.xml.gz"
    result = scanned([robots(f"Sitemap: {url}\n"), (url, "200 application/xml", ["ETag: 1"], ONE)])
    assert graver_than_info(result) == []
    assert result.score == 1.0


def test_rfc9309_the_order_of_allow_and_disallow_is_information_at_most():
    text = f"User-agent: *\nDisallow: /a\nAllow: /a/b\n{LINE}"
    assert graver_than_info(scanned([robots(text), SITEMAP])) == []


def test_one_wrong_namespace_is_one_finding_however_many_records_there_are():
    images = f"<url><loc>{ORIGIN}/a</loc><i:image><i:loc>x</i:loc></i:image></url>" * 1500
    text = f'<urlset {NS} xmlns:i="https://www.google.com/schemas/sitemap-image/1.1">{images}</urlset>'
    result = scanned([robots(LINE), (f"{ORIGIN}/sitemap.xml", "200 application/xml", [], text)])
    (found,) = [finding for _, finding in result.findings() if finding.code == "SMX671"]
    assert found.count == 1


def test_the_same_urls_in_another_form_are_no_second_sitemap():
    text = (f"{ORIGIN}/sitemap.txt", "200 text/plain", [], f"{ORIGIN}/b\n{ORIGIN}/a\n")
    both = f"<urlset {NS}><url><loc>{ORIGIN}/a</loc></url><url><loc>{ORIGIN}/b</loc></url></urlset>"
    result = scanned([robots(LINE), (f"{ORIGIN}/sitemap.xml", "200 application/xml", ["ETag: 1"], both), text])
    assert "SMD103" not in [finding.code for _, finding in result.findings()]


def xmlmap(*urls):
    kind = "http://www.sitemaps.org/schemas/sitemap/0.9"
    rows = "".join(f"<url><loc>{url}</loc><namespace>{kind}</namespace></url>" for url in urls)
    return (f"{ORIGIN}/robots.xml", "200 application/xml", [], f"<xmlmap {NS}>{rows}</xmlmap>")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("User-agent: *\nDisallow: /\n", "RBT301"),
        ("User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n", "RBT302"),
    ],
)
def test_a_closed_site_is_not_said_to_close_its_sitemap_as_well(text, found):
    result = scanned([robots(text + LINE), SITEMAP])
    assert [f.code for _, f in result.findings() if f.severity is Severity.ERROR] == [found]


def test_a_robots_txt_that_is_cut_may_name_its_sitemap_behind_the_cut():
    result = scanned([robots(f"User-agent: *\nDisallow: /cart\n{'# x' * 200_000}\n{LINE}"), SITEMAP])
    assert graver_than_info(result) == ["RBT110"]


def test_a_sitemap_that_fails_is_no_second_error_in_robots_xml():
    url = f"{ORIGIN}/sitemap.xml"
    result = scanned([robots(LINE), (url, "500 text/plain", [], "oops"), xmlmap(url)])
    assert [f.code for _, f in result.findings() if f.severity is Severity.ERROR] == ["SMF101"]


def test_a_dead_sitemap_need_not_stand_in_robots_xml():
    dead = f"Sitemap: {ORIGIN}/gone.xml\n"
    result = scanned([robots(LINE + dead), SITEMAP, xmlmap(f"{ORIGIN}/sitemap.xml")])
    assert graver_than_info(result) == ["SMD106"]


def test_a_link_without_a_language_is_in_no_set_of_alternates():
    text = f'<urlset {NS} xmlns:x="http://www.w3.org/1999/xhtml"><url><loc>{ORIGIN}/a</loc><x:link rel="alternate" href="{ORIGIN}/b"/></url><url><loc>{ORIGIN}/b</loc></url></urlset>'
    result = scanned([robots(LINE), (f"{ORIGIN}/sitemap.xml", "200 application/xml", [], text)])
    assert graver_than_info(result) == ["SMX651"]


ATOM = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><id>{url}</id><title>t</title><updated>2026-01-20T00:00:00Z</updated>'
    '<author><name>n</name></author><link rel="self" href="{url}"/></feed>'
)


def test_the_home_page_need_not_link_the_feeds_of_folders():
    own, news = f"{ORIGIN}/feed.atom", f"{ORIGIN}/news/feed.atom"
    home = f'<html><head><title>t</title><link rel="alternate" type="application/atom+xml" href="{own}"><link rel="alternate" type="text/x-opml" href="/feeds.opml"></head></html>'
    lists = f'<opml version="2.0"><head><title>t</title></head><body><outline text="t" type="rss" xmlUrl="{news}"/></body></opml>'
    feeds = [(url, "200 application/atom+xml", [], ATOM.format(url=url)) for url in (own, news)]
    rest = [(f"{ORIGIN}/", "200 text/html", [], home), (f"{ORIGIN}/feeds.opml", "200 text/x-opml", [], lists)]
    result = scanned([robots(LINE), SITEMAP, *feeds, *rest])
    assert news in [capture.url for capture in result.trail]
    assert graver_than_info(result) == []


def test_a_script_that_stands_in_the_page_loads_nothing():
    home = '<html><head><title>t</title><script type="application/ld+json">{}</script></head></html>'
    result = scanned(
        [robots(f"User-agent: *\nDisallow: /$\n{LINE}"), SITEMAP, (f"{ORIGIN}/", "200 text/html", [], home)]
    )
    assert graver_than_info(result) == ["RBT303"]
