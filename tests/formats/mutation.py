"""Documents to mutate, the pieces they are made of, and one seeded mutation: for property tests and for the long run."""

import random

SEEDS = [
    b"""<?xml version="1.0"?><rss version="2.0" xmlns:a="http://www.w3.org/2005/Atom"
xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:d="http://purl.org/dc/elements/1.1/"><channel><title>T</title>
<link>https://e.org/</link><description>D</description><a:link rel="self" href="https://e.org/f"/><item><title>1</title>
<link>/1</link><guid isPermaLink="false">1</guid><pubDate>Tue, 20 Jan 2026 10:00:00 GMT</pubDate><c:encoded><![CDATA[<p
 onclick='x'><a href="/y">z</a>]]></c:encoded><enclosure url="https://e.org/a" length="1" type="a/b"/><d:date>2026-01-20
</d:date></item><item xml:base="https://e.org/b/"><guid>https://e.org/2</guid><category>x</category></item></channel></rss>""",
    b"""<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://e.org/" xml:lang="en"><id>urn:f</id><title type="html">T
&amp;amp; U</title><updated>2026-01-20T10:00:00Z</updated><link rel="self" href="f"/><author><name>A</name></author><entry>
<id>1</id><title>One</title><updated>2026-01-20T10:00:00Z</updated><link href="/1" hreflang="de"/><link rel="enclosure"
href="/a"/><category term="x"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi<br/></p></div></content>
<summary type="text">s</summary></entry></feed>""",
    b"""<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel r:about="x"><title>
T</title></channel><item r:about="https://e.org/1"><title>1</title><link>https://e.org/1</link></item></r:RDF>""",
    b"""<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title mode="escaped" type="text/html">&lt;b&gt;</title><modified>
2003-12-13T18:30:02Z</modified><entry><id>1</id><content type="application/xhtml+xml" mode="xml"><p>x</p></content></entry></feed>""",
    b"""{"version": "https://jsonfeed.org/version/1.1", "title": "T", "hubs": [{"url": "https://h/"}], "authors": [{"name": "A"}],
"items": [{"id": "1", "url": "https://e.org/1", "content_html": "<a href='x'>", "tags": ["a"], "date_published": "2026-01-20"},
 {"id": 2, "content_text": "\\ud83d", "attachments": [{"url": "u", "mime_type": "a/b", "size_in_bytes": 1e400}]}]}""",
    b"""<opml version="2.0"><head><title>T</title><dateCreated>Tue, 20 Jan 2026 10:00:00 GMT</dateCreated></head><body><outline
text="A" type="rss" xmlUrl="https://e.org/f" created="x"><outline title="B"><outline TEXT="C"/></outline></outline><outline
text="D" type="link" url="/x"/></body></opml>""",
    b"""<xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"
i:schemaLocation="a b"><url><loc>http://e.org/s.xml</loc><namespace>http://www.w3.org/2005/Atom</namespace><lastmod>200910111110
</lastmod></url><url><loc>/x</loc><namespace>x</namespace><priority>1</priority></url></xmlmap>""",
]  # fmt: skip

PIECES = [
    b"<rss version='2.0'>", b"<channel>", b"<item>", b"</item>", b"</channel>", b"</rss>", b"<title>", b"</title>", b"<link/>",
    b"<feed xmlns='http://www.w3.org/2005/Atom'>", b"<entry>", b"</entry>", b"</feed>", b"<link href='x'/>", b"<id>", b"</id>",
    b"<updated>", b"</updated>", b"<content type='xhtml'>", b"</content>", b"<guid>", b"</guid>", b"x", b" ", b"\n", b"&amp;",
    b"&nbsp;", b"&#0;", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<?xml version='1.0'?>", b"\xef\xbb\xbf", b"\xff", b"\x00",
    b"<!DOCTYPE x [<!ENTITY y 'z'>]>", b"{", b"}", b'"items": [', b"]", b'{"id": "1"}', b",", b'"version": "1"', b"<opml version='2.0'>",
    b"<head>", b"</head>", b"<body>", b"</body>", b"<outline text='a'>", b"</outline>", b"<outline/>", b"</opml>",
    b"<xmlmap xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>", b"<url>", b"</url>", b"<loc>", b"</loc>", b"<namespace>",
    b"</namespace>", b"<lastmod>200910111110</lastmod>", b"</xmlmap>", b"https://e.org/", b" xml:base='/a/'", b"\xc3\xa9", b"<a>", b"</a>",
]  # fmt: skip


def mutated(seed: bytes, number: int) -> bytes:
    """The document with one to six random changes; the number decides which."""
    chance = random.Random(number)
    data = bytearray(seed)
    for _ in range(chance.randint(1, 6)):
        at = chance.randint(0, len(data))
        end = min(len(data), at + chance.choice((0, 1, 1, 2, 8, 40)))
        match chance.randrange(5):
            case 0:
                data[at:end] = b""
            case 1:
                data[at:at] = chance.choice(PIECES)
            case 2:
                data[at:end] = bytes(chance.randrange(256) for _ in range(end - at))
            case 3:
                data[at:at] = data[at:end] * chance.randint(1, 3)
            case 4:
                del data[at : len(data) if chance.randrange(8) == 0 else end]
    return bytes(data)
