"""More than the pages show: edges of single rules, in the language of the samples, and both forms of a rule agree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.check.samples import NOW, ORIGIN, codes, run, wrapped

from waypost.check.judge import Bench
from waypost.check.rule import Now, Severity
from waypost.check.rules import RULES
from waypost.check.survey import Survey
from waypost.formats.document import Document, Entry
from waypost.formats.sitemap import read_sitemap
from waypost.urls import Origin

BY_CODE = {rule.code: rule for rule in RULES}
URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'
INDEX = (
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.com/1.xml</loc></sitemap>'
    "<sitemap><loc>https://example.com/2.xml</loc></sitemap></sitemapindex>"
)
LONG = "User-agent: *\nDisallow: /a-folder-of-this-site/{n}/ × 2500"
ONE = URLSET.format("<url><loc>https://example.com/a</loc></url>")
DATED = "<url><loc>https://example.com/{n}</loc><lastmod>2026-06-01T{n}:00:00Z</lastmod></url>"


def video(inner):
    return f"<url><loc>https://example.com/a</loc><video:video>{inner}</video:video></url>"


def site(sitemap=ONE, page="200 text/html\n\n<html></html>", robots=""):
    told = f"GET /robots.txt → 200 text/plain\n\n{robots}\n" if robots else ""
    return f"{told}GET /sitemap.xml → 200 application/xml\n\n{sitemap}\nGET /a → {page}"


BAD = [
    ("SMP204", f"<br />\n<b>Warning</b>: foreach()\n<?xml version='1.0'?>\n{ONE}"),
    ("SMP207", "<?xml version='1.0'?><svg><desc><![CDATA[<?xml version='1.0'?>]]></desc></svg>"),
    ("SMX651", '<url><loc>https://example.com/a</loc><xhtml:link rel=" " hreflang="de" href="https://example.com/b"/></url>'),
    ("SMU712", site(page='200 text/html\n\n<html><head><link rel="canonical" href="/a"><meta property="og:url" content="/a/"></head></html>')),
    ("SMU706", site(sitemap=URLSET.format("<url><loc>https://example.com/</loc></url>"), robots="User-agent: Bingbot\nDisallow: /$")),
    ("SMU706", site(robots="User-agent: Bingbot\nDisallow: /\n\nUser-agent: *\nDisallow: /a")),
    ("SMX653", '<url><loc>https://example.com/a</loc><xhtml:link rel="alternate" hreflang="xx" href="https://example.com/b"/></url>'),
    ("SMX653", '<url><loc>https://example.com/a</loc><xhtml:link rel="alternate" hreflang="de_AT" href="https://example.com/b"/></url>'),
    ("SMP217", "<url><loc>https://example.com/a\nb</loc></url>"),
    ("SMP217", "<url><loc>https://example.com/a</loc></url><url><loc>https://example.com/b\n   /c</loc></url>"),
    ("FED815", '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.com/d/"><title>t</title><entry><link href="a"/></entry></feed>'),
    ("SMQ301", "<url><loc>https://example.com/a</loc><lastmod>\u00a02026-01-20</lastmod></url>"),
    ("SMQ311", "<url><loc>https://example.com/a</loc><changefreq>daily\u2003</changefreq></url>"),
    ("SMQ312", "<url><loc>https://example.com/a</loc><priority>\u00a00.5</priority></url>"),
    ("SMX619", video("<video:publication_date>soon</video:publication_date>")),
    ("SMX623", video("<video:restriction>DE</video:restriction>")),
    ("SMX623", video('<video:platform relationship="maybe">web</video:platform>')),
    ("FED813", '<rss version="2.0"><channel><title>t</title><item><title>a</title><pubDate>Mon, 20 Jan 2026 10:00:00 GMT</pubDate></item></channel></rss>'),
    ("SML404", "<url><loc>https://example.com/{n}</loc><!--{filler}--></url> × 48"),
    ("SMU702", site(page="answer-timeout")),
    ("SMU703", site(page="302")),
    ("SMU704", site(page="200 text/html\nX-Robots-Tag: googlebot: noindex\n\n<html></html>")),
    ("SMU704", site(page="200 text/html\nX-Robots-Tag: otherbot: nofollow, googlebot: noindex\n\n<html></html>")),
    ("SMU705", site(page='200 text/html\nLink: </b>; rel="canonical"\n\n<html></html>')),
    ("SMU705", site(page='200 text/html\nLink: </b>; title="b, or a"; rel="canonical"\n\n<html></html>')),
    ("SMF112", f"GET /sitemap.xml → 200 application/gzip\nBody: gzip, cut\n\n{ONE}"),
    ("SMF112", f"GET /sitemap.xml → 200 application/gzip\nBody: gzip, damaged\n\n{ONE}"),
    ("SMF114", f"GET /sitemap.xml → 200 application/xml\nTrailing: yes\n\n{ONE}"),
    ("SMP207", '{"pages": ["https://example.com/a"]}'),
    ("RBT101", "GET /robots.txt → 301\nLocation: http://10.0.0.1/robots.txt\n\nGET http://10.0.0.1/robots.txt → address-inside"),
    ("RBT101", "GET /robots.txt → encoding-broken"),
    ("RBT106", "GET /robots.txt → 301\nLocation: https://shop.example.com/robots.txt\n\nGET https://shop.example.com/robots.txt → 200 text/plain\n\nUser-agent: *\nDisallow:\n"),
    ("RXM901", "GET /robots.xml → 200 text/html\n\n<!doctype html><html></html>"),
    ("RXM901", "GET /robots.xml → reset"),
    ("SMP230", "<url><loc>https://example.com/<b>a</b></loc></url>"),
    ("SMP223", "<url><loc>https://example.com/a</loc><image:loc>https://example.com/i.jpg</image:loc></url>"),
    ("SMX671", '<url><loc>https://example.com/a</loc><i:image xmlns:i="https://www.google.com/schemas/sitemap-image/1.1"/></url>'),
    ("SMS509", "<url><loc>https://example.org/a</loc></url>"),
    ("SMS510", "<url><loc>https://example.comhttps://example.com/a</loc></url>"),
    ("SMS507", "<url><loc>https://example.com:444/a</loc></url>"),
    ("SMP226", "<sitemap><loc>https://example.com/x/sitemap.xml</loc></sitemap><sitemap><loc>https://example.com/sitemap.xml</loc></sitemap>"),
    ("SMF110", "GET /sitemap.xml → 200\n\n" + ONE),
    ("FED802", 'GET / → 200 text/html\n\n<html><head><link rel="alternate" type="application/rss+xml" href="/f"></head></html>\nGET /f → 200\n\n<rss version="2.0"><channel><title>t</title></channel></rss>'),
    ("FED801", 'GET / → 200 text/html\n\n<html><head><link rel="alternate" type="application/rss+xml" href="/f"></head></html>\nGET /f → 200 text/html\n\n<html></html>'),
    ("SMP207", "<!--{filler}--> × 55"),
    ("RBT201", "nonsense × 1200"),
    ("SMQ316", f"GET /robots.txt → 200 text/plain\n\nSitemap: https://example.com/i.xml\nGET /i.xml → 200 application/xml\n\n{INDEX}\nGET /1.xml → 200 application/xml\n\n{ONE}\nGET /2.xml → 200 application/xml\n\n{URLSET.format('<url><loc>https://example.com/b</loc></url><url><loc>https://example.com/a</loc></url>')}"),
    ("TRD003", f"BEFORE\n{site(robots='User-agent: *')}\nAFTER\n{site(robots='User-agent: *' + chr(10) + 'Disallow: /a')}"),
    ("TRD003", f"BEFORE\n{site(robots='User-agent: *' + chr(10) + 'Disallow: /a')}\nAFTER\n{site()}"),
    ("RBT211", "User-agent: *\nDisallow: /é%zz"),
    ("RBT205", "User-agent:\nDisallow: /"),
    ("RBT204", "Crawl-delay: 3\nUser-agent: *\nDisallow:"),
    ("RBT315", site(URLSET.format("".join(f"<url><loc>https://example.com/b{tail}</loc></url>" for tail in ("", "/a", "/b", "1"))), robots="User-agent: *\nDisallow: /b")),
    *((code, f"GET https://{host}/robots.txt → 200 text/plain\n\nUser-agent: {agent}\nDisallow: /\n") for code, agent, host in (
        ("RBT301", "*", "test.de"), ("RBT301", "*", "stage.co.uk"), ("RBT302", "Googlebot", "dev.to"))),
    *(("RBT316", f"GET https://{host}/robots.txt → 404\n\nGET https://{host}/ → 200 text/html\n\n<html></html>") for host in (
        "staging2.test.de", "shop-staging.herokuapp.com", "dev.stage.co.uk")),
    ("RBT323", "Content-Signal: ai-train=no\nUser-agent: *\nDisallow:"),
]  # fmt: skip

GOOD = [
    ("SMP207", f"<br />\n<b>Warning</b>: foreach()\n<?xml version='1.0'?>\n{ONE}"),
    ("SMX657", '<url><loc>https://example.com/a</loc><xhtml:link rel="" hreflang="de" href="https://example.com/b"/></url>'),
    ("FED803", "GET /sitemap.xml → 200 application/rss+xml; charset=koi8-r\n\n<rss version='2.0'><channel><item><link>https://example.com/a</link></item></channel></rss>"),
    ("FED802", "GET /sitemap.xml → 200\n\n<rss version='2.0'><channel><item><link>https://example.com/a</link></item></channel></rss>"),
    ("FED821", "GET /sitemap.xml → 200 text/xml\n\n<rss version='2.0'><channel><item><link>https://other.edu/a</link></item></channel></rss>"),
    ("SMU712", site(page='200 text/html\n\n<html><head><meta property="og:url" content="https://example.com/b"></head></html>')),
    ("TRD003", f"BEFORE\n{site(robots='User-agent: *' + chr(10) + 'Disallow: /a')}\nAFTER\nGET /robots.txt → 500\n\n{site()}"),
    ("TRD003", f"BEFORE\n{site(robots=LONG)}\nAFTER\n{site(robots=LONG)}"),
    ("TRD003", f"BEFORE\n{site(robots=LONG)}\nAFTER\n{site(robots='# new' + chr(10) + LONG)}"),
    ("RBT117", f"BEFORE\n{site(robots='User-agent: *')}\nAFTER\nGET /robots.txt → 503\n\n{site()}"),
    ("SMU706", site(robots="User-agent: *\nDisallow: /")),
    ("SMU706", site(sitemap=URLSET.format("<url><loc>https://example.com/</loc></url>"), robots="User-agent: *\nDisallow: /$")),
    ("RBT203", "User-agent: *\nContent-Signals: ai-train=no\nDisallow:"),
    ("SMP230", "<url><loc>https://example.com/a</loc></url><url>https://example.com/b</url>"),
    ("RBT204", "Content-Signal: ai-train=no\nUser-agent: *\nDisallow:"),
    ("FED801", "GET /sitemap.xml → 200 text/xml\n\n<rss version='2.0'><channel><item><link>https://example.com/a</link></item>"),
    ("FED801", "GET / → 200 text/html\n\n<html><head><link rel=\"alternate\" type=\"application/rss+xml\" href=\"/f\"></head></html>\nGET /f → 200 text/xml\n\nhello <?xml version='1.0'?><rss/>"),
    ("RBT111", "GET /robots.txt → 200 text/plain\nBody: utf-16\n\nUser-agent: *"),
    ("SMX653", '<url><loc>https://example.com/a</loc><xhtml:link rel="alternate" hreflang="ast" href="https://example.com/b"/></url>'),
    ("SMX653", '<url><loc>https://example.com/a</loc><xhtml:link rel="alternate" hreflang="es-419" href="https://example.com/b"/></url>'),
    ("SMQ301", "<url><loc>https://example.com/a</loc><lastmod>\n\t2026-01-20 </lastmod></url>"),
    ("SMX656", '<url><loc>https://example.com/a</loc><xhtml:link rel="alternate" media="handheld" href="https://example.com/m"/></url>'),
    ("SMX654", '<url><loc>https://example.com/a</loc><xhtml:link rel="alternate" hreflang="en" href="/a"/></url>'),
    ("SMX655", '<url><loc>https://example.com/a</loc><xhtml:link rel="alternate" hreflang="en" href="https://example.com/a"/><xhtml:link rel="alternate" hreflang="de" href="https://example.com/b"/></url><url><loc>https://example.com/b</loc><xhtml:link rel="alternate" hreflang="en" href="/a"/><xhtml:link rel="alternate" hreflang="de" href="mailto:b"/></url>'),
    ("SMX619", video("<video:publication_date>2020-01-01</video:publication_date>")),
    ("SMX623", video('<video:restriction relationship="allow">DE</video:restriction>')),
    ("SMQ303", "\n".join(DATED.replace("{n}", f"{n:02}") for n in range(24)) + "\n" + "<url><loc>https://example.com/x{n}</loc><lastmod>2026-06-01T10:{n}:00Z</lastmod></url> × 59"),
    ("SMQ303", "<url><loc>https://example.com/{n}</loc><lastmod>2026-06-01T99:00:00Z</lastmod></url> × 60"),
    ("SMQ303", "<url><loc>https://example.com/{n}</loc></url> × 60"),
    ("SMQ318", "<url><loc>https://example.com/{n}/</loc></url> × 6\n<url><loc>https://example.com/a?p={n}</loc></url> × 6"),
    ("SMQ318", "<url><loc>https://example.com/{n}/</loc></url> × 6\n<url><loc>https://example.com/{n}.html</loc></url> × 6\n<url><loc>https://example.com/</loc></url>"),
    ("SMD103", f"GET /robots.txt → 200 text/plain\n\nSitemap: https://example.com/m.xml\nGET /m.xml → 301\nLocation: /sitemap.xml\n\nGET /sitemap.xml → 200 application/xml\n\n{ONE}\nGET /sitemap_index.xml → 301\nLocation: /sitemap.xml\n"),
    ("SMD103", f"GET /robots.txt → 200 text/plain\n\nSitemap: https://example.com/m.xml\nGET /m.xml → 200 application/xml\n\n{ONE}\nGET /sitemap.xml → 301\nLocation: /m.xml\n"),
    ("SMQ316", f"GET /sitemap.xml → 200 application/xml\n\n{URLSET.format('<url><loc>https://example.com/a</loc></url>' * 2)}"),
    ("SMU704", site(page="200 text/html\nX-Robots-Tag: otherbot: noindex\n\n<html></html>")),
    ("SMU704", site(page='200 text/html\n\n<html><head><meta name="robots" content="index, max-image-preview:none"></head></html>')),
    ("SMU705", site(page='200 text/html\nLink: </x.css>; rel="preload", </a>; rel="canonical"\n\n<html></html>')),
    ("SMU705", site(page='200 text/html\nLink: </x.css>; rel="preload"\n\n<html></html>')),
    ("SMU706", f"GET /robots.txt → 200 text/plain\n\nUser-agent: *\nDisallow: /b\nGET /sitemap.xml → 200 application/xml\n\n{URLSET.format('<url><loc>https://other.edu/b</loc></url><url><loc>https://example.com/a</loc></url>')}"),
    ("SMU713", site(page='200 text/html\n\n<html><head><meta http-equiv="refresh" content="300; url=/b"></head></html>')),
    ("SMU713", site(page='200 text/html\n\n<html><head><meta http-equiv="refresh" content="5; url=/a"></head></html>')),
    ("SMP207", "GET /sitemap.xml → 200 text/html\n\n<!doctype html><html></html>"),
    ("SMP207", '<urlset xmlns="urn:x"><url><loc>https://example.com/a</loc></url></urlset>'),
    ("RBT106", "GET /robots.txt → 301\nLocation: https://www.example.com/robots.txt\n\nGET https://www.example.com/robots.txt → 200 text/plain\n\nUser-agent: *\nDisallow:\n"),
    ("RBT101", "GET /robots.txt → redirect-loop"),
    ("RBT313", "User-agent: *\nDisallow: /shop\nAllow: /shop/admin/"),
    ("RBT313", "User-agent: *\nDisallow: /wp-admin/admin-ajax.php"),
    ("SMD106", site(robots="Sitemap: https://me:pw@example.com/m.xml")),
    ("RBT220", "User-agent: *\nDisallow: /a\nDisallow: /a/b\nAllow: /*.html$"),
    ("RBT312", "Sitemap: /m.xml\nSitemap: ftp://x/m.xml\nSitemap: https://example.com/m.xml # ours"),
    ("RBT310", "GET http://example.com/robots.txt → 200 text/plain\n\nSitemap: http://example.com/m.xml"),
    ("RXM901", "GET /robots.xml → budget"),
    ("RBT311", "Sitemap:\nSitemap:"),
    ("RBT315", site(URLSET.format("<url><loc>https://example.com/b</loc></url><url><loc>https://example.com/b?a</loc></url>"), robots="User-agent: *\nDisallow: /b")),
    *(("RBT316", f"GET https://{host}/robots.txt → 404\n\nGET https://{host}/ → 200 text/html\n\n<html></html>") for host in (
        "demo.com", "www.speed-test.de", "stage.co.uk")),
    ("RBT327", "User-agent: *\nContent-Signal: ai-train=no\nCrawl-delay: 3\nDisallow: /"),
    ("RXM911", 'GET /robots.xml → 200 application/xml\n\n<xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/gone</loc><namespace>http://www.w3.org/2005/Atom</namespace></url><url><loc>https://example.com/x</loc><namespace>urn:a:b</namespace></url></xmlmap>'),
    *((code, 'GET / → 200 text/html\n\n<html><head><link rel="alternate" type="application/rss+xml" href="/f"></head></html>\nGET /f → 200 text/xml\n\n<rss version="2.0"><channel><title>t</title></channel></rss>\nGET /robots.xml → 200 application/xml\n\n<xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/l</loc><namespace>http://www.opml.org/</namespace></url></xmlmap>')
      for code in ("RXM918", "FED845")),
    ("SMS504", "GET /sitemap.xml → 301\nLocation: /m/all.xml\n\nGET /m/all.xml → 200 application/xml\n\n" + URLSET.format("<url><loc>https://example.com/m/a</loc></url><url><loc>https://other.edu/a</loc></url>")),
    ("FED813", '<rss version="2.0"><channel><title>t</title><item><title>a</title><pubDate>Tue, 20 January 2026 10:00:00 GMT</pubDate></item></channel></rss>'),
    ("SMF101", f"GET /sitemap.xml → 301\nLocation: /a\n\nGET /a → 301\nLocation: /b\n\nGET /b → 301\nLocation: /c\n\nGET /c → 301\nLocation: /d\n\nGET /d → 301\nLocation: /e\n\nGET /e → 200 application/xml\n\n{ONE}"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "text"), BAD, ids=[f"{code}-{n}" for n, (code, _) in enumerate(BAD)])
def test_found(code, text):
    result = run(BY_CODE[code], text)
    assert not result.crashes
    assert code in codes(result)


@pytest.mark.parametrize(("code", "text"), GOOD, ids=[f"{code}-{n}" for n, (code, _) in enumerate(GOOD)])
def test_not_found(code, text):
    result = run(BY_CODE[code], text)
    assert not result.crashes
    assert code not in codes(result)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Sitemap https://example.com/x.xml", ("RBT201", "“Sitemap https://example.com/x.xml” has no colon")),
        ("Sitemap: https://example.com/\x01.xml", ("RBT113", "a control character in the line")),
        ("Sitemap: https://example.com/x\0.xml", ("RBT113", "a NUL in the line")),
        ("Dis\0allow: /a", ("RBT113", "a NUL in the line")),
    ],
)
def test_one_fault_of_a_line_is_one_finding(line, said):
    robots = f"User-agent: *\nDisallow: /z\n{line}\nSitemap: https://example.com/sitemap.xml"
    findings = [found for _, found in run(BY_CODE["RBT201"], site(robots=robots)).findings()]
    assert [(f.code, f.message) for f in findings if f.severity is not Severity.INFO] == [said]


@pytest.mark.parametrize(
    ("code", "text", "severity"),
    [
        ("RBT206", "User-agent: Mozilla/5.0 (compatible; Bad/1.0)\nDisallow: /", Severity.ERROR),
        ("RBT206", "User-agent: SuperBot/3.0 (Win32)\nDisallow: /", Severity.WARN),
    ],
)
def test_as_grave_as(code, text, severity):
    assert [f.severity for _, f in run(BY_CODE[code], text).findings() if f.code == code] == [severity]


@pytest.mark.parametrize(
    ("code", "text", "message"),
    [
        ("SMP207", "<lastmod>2026-01-01</lastmod>", "this is no sitemap: its root element is lastmod"),
        ("SMP207", '{"a": 1}', "this is no sitemap: json"),
        (
            "SMP207",
            "https://example.com/a\nhttps://example.com/b\n\nand more\nand more\nend",
            "this is no sitemap: prose, and 3 of its 5 lines are no URLs",
        ),
        ("SMP201", f'<?xml version="1.0" encoding="Shift_JIS"?>{ONE}', "the encoding Shift_JIS cannot be read"),
        ("SMP210", f'<!DOCTYPE urlset [<!ENTITY x "y">]>{ONE}', "entities are refused: x"),
        (
            "SMF111",
            "GET /sitemap.xml → 200 application/gzip\nBody: gzip twice\n\n<!doctype html><title>no</title>",
            "https://example.com/sitemap.xml answers 200 with an HTML page: <!doctype html><title>no</title>",
        ),
        ("FED824", '<rss version="0.91"><channel/></rss>', "the feed is of the old version 0.91"),
        ("FED824", '<rss version="3"><channel/></rss>', "the feed's version “3” is none that readers know"),
        ("FED824", "<rss><channel/></rss>", "the feed says no version"),
        ("FED824", '<feed xmlns="urn:x"/>', "the feed's root has the namespace “urn:x”, which is not its format's"),
        ("FED824", "<feed/>", "the feed's root has no namespace"),
        (
            "SMX656",
            '<url><loc>https://example.com/a</loc><xhtml:link rel="alternate" hreflang="en" href="https://example.com/a"/></url>',
            "none of the hreflang codes is x-default: en",
        ),
        (
            "FED813",
            "<rss version='2.0'><channel><lastBuildDate> </lastBuildDate></channel></rss>",
            "lastBuildDate: empty",
        ),
    ],
)
def test_said(code, text, message):
    assert [f.message for _, f in run(BY_CODE[code], text).findings() if f.code == code] == [message]


@pytest.mark.parametrize(
    ("code", "text", "place"),
    [
        ("SMP203", "<url><loc>https://example.com/?a=1&b=2</loc></url>", (2, 35)),
        ("SMP207", "<!-- a -->\n <opml version='2.0'><body/></opml>", (2, 2)),
        ("SMP208", "<urlset>\n<url><loc>https://example.com/a</loc></url></urlset>", (1, 1)),
        ("SMP209", ONE.replace("http:", "https:", 1), (1, 1)),
        ("SMP210", f"<?xml version='1.0'?>\n <!DOCTYPE urlset>{ONE}", (2, 2)),
        ("SMP230", "<!-- a -->" + ONE.replace("<url>", "lost<url>"), (1, 11)),
    ],
)
def test_placed(code, text, place):
    found = [f.where for _, f in run(BY_CODE[code], text).findings() if f.code == code]
    assert [(where.line, where.column) for where in found] == [place]


BOTH_FORMS = [rule for rule in RULES if rule.looks_at is Entry and rule.column is not None]
LOCS = st.sampled_from(
    [
        "https://example.com/a", "https://example.com/é", "https://example.com/a b", "http://example.com/a", "/a", "",
        "https://example.com:444/a", "https://www.example.com/a", "https://example.org/a", "https://example.com/a#b",
        "https://example.com/100%", "https://example.com/%7ea", "https://user:pw@example.com/a", "mailto:a@b",
        "https://other.edu/a", "https://example.comhttps://example.com/a", "https://example.com/https://example.com/a",
        "HTTPS://EXAMPLE.COM/a", "https://example.com", "https://example.com/a?utm_source=x", "https://exa mple.com/",
        "https://example.com/" + "x" * 2048, "https://example.com:x/a", "https://bücher.example/a", "https:///a",
        "https://example.com/;jsessionid=1", "https://example.com/a\u200b", 'https://example.com/"', "http://[::1]/a",
        "https://example.com/a\nb", "https://example.com/a\thttps://other.edu/b",
    ]
)  # fmt: skip
DATES = st.sampled_from(
    [
        None,
        "",
        "2026-01-20",
        "20260120",
        "2026-01-20T10:00:00",
        "2999-01-01",
        "1970-01-01",
        "2026-06-11T23:00:00Z",
        " 2020 ",
    ]
)
WORDS = st.sampled_from([None, "", "daily", "Daily", " always ", "hourly", "7 days"])
NUMBERS = st.sampled_from([None, "", "0.5", "1.0", "1.1", "٠.٥", "1e0", ".5", "1.", "-1", " 0.3 ", "80%"])
RECORDS = st.sampled_from(
    [
        "", "<image:image><image:loc>/i</image:loc><image:caption>c</image:caption></image:image>",
        "<video:video><video:title/><video:rating>6</video:rating><video:live>1</video:live></video:video>",
        "<news:news><news:publication><news:language>xx</news:language></news:publication></news:news>",
        '<xhtml:link rel="alternate" hreflang="de" href="/b"/>', '<xhtml:link hreflang="zz" href="https://example.com/b"/>',
    ]
)  # fmt: skip


def element(row):
    loc, lastmod, changefreq, priority, records = row
    escaped = loc.replace("&", "&amp;").replace("<", "&lt;")
    fields = {"lastmod": lastmod, "changefreq": changefreq, "priority": priority}
    inner = "".join(f"<{name}>{value}</{name}>" for name, value in fields.items() if value is not None)
    return f"<url><loc>{escaped}</loc>{inner}{records}</url>"


@given(st.lists(st.tuples(LOCS, DATES, WORDS, NUMBERS, RECORDS), min_size=1, max_size=8))
def test_the_column_form_gives_the_answers_of_the_entry_form(rows):
    data = wrapped("".join(element(row) for row in rows)).encode()
    document, origin = read_sitemap(data, url=f"{ORIGIN}/sitemap.xml"), Origin.parse(ORIGIN)
    assert len(document.locs) == len(rows)
    seen = {Document: document, Survey: Survey(document, origin), Origin: origin, Now: Now(NOW)}
    for rule in BOTH_FORMS:
        bench = Bench([rule], places_kept=None)
        slow = Bench([type(rule)(rule.code, rule.step, rule.severity, rule.fix, rule.judge)], places_kept=None)
        fast_found, slow_found = bench.hear(seen, [rule.step], "u"), slow.hear(seen, [rule.step], "u")
        assert not bench.crashes
        assert not slow.crashes
        assert [one.places for one in fast_found] == [one.places for one in slow_found], rule.code
