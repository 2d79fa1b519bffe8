"""What a site offers, found from its name: every way of spec/discovery.md, merged, bounded, and never by raising."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.check.capture import Capture, ErrorKind, Headers, Hop, answered, unanswered
from waypost.check.discover import adiscover
from waypost.check.htmlhead import read_head
from waypost.check.linkheader import read_links
from waypost.check.means import Means
from waypost.check.services import How, ServiceKind, kind_of
from waypost.limits import SITE_REQUESTS_MAX

O = "https://example.com"
SM = "http://www.sitemaps.org/schemas/sitemap/0.9"
ATOM_NS = "http://www.w3.org/2005/Atom"


def xmlmap(*rows):
    entries = "".join(
        f"<url><loc>{loc}</loc><namespace>{namespace}</namespace>{f'<lastmod>{date}</lastmod>' if date else ''}</url>"
        for loc, namespace, date in rows
    )
    return f'<?xml version="1.0"?>\n<xmlmap xmlns="{SM}">{entries}</xmlmap>'.encode()


def atom(title, updated="2026-01-20T10:00:00+02:00"):
    return (
        f'<feed xmlns="{ATOM_NS}"><title>{title}</title><id>urn:a</id><updated>{updated}</updated>'
        f'<link href="{O}/blog"/><entry><title>e</title><id>urn:e</id><updated>{updated}</updated></entry></feed>'
    ).encode()


def rss(title, date="Tue, 20 Jan 2026 10:00:00 GMT"):
    return f'<rss version="2.0"><channel><title>{title}</title><link>{O}/</link><description/><pubDate>{date}</pubDate></channel></rss>'.encode()


def urlset(*rows):
    return f'<urlset xmlns="{SM}">{"".join(f"<url><loc>{O}{path}</loc><lastmod>{date}</lastmod></url>" for path, date in rows)}</urlset>'.encode()


def opml(body, title="List"):
    return f'<opml version="2.0"><head><title>{title}</title><dateModified>Tue, 20 Jan 2026 10:00:00 GMT</dateModified></head><body>{body}</body></opml>'.encode()


class Web:
    """Answers from a table of path or URL to body, status, error, or (body, headers)."""

    def __init__(self, table):
        self.table = {(path if "://" in path else O + path): what for path, what in table.items()}
        self.asked = []

    async def fetch(self, request):
        self.asked.append(request.url)
        what = self.table.get(request.url, 404)
        if isinstance(what, ErrorKind):
            return unanswered(request, what, hops=(Hop(request.url),))
        if isinstance(what, int):
            return answered(request, b"<!doctype html><title>no</title>", status=what)
        body, headers = what if isinstance(what, tuple) else (what, {})
        return answered(request, body, headers=headers)


def look(table, namespace="", target=O):
    web = Web(table)
    result = asyncio.run(adiscover(target, namespace, Means(fetcher=web)))
    return {service.url.removeprefix(O): service for service in result.services}, result, web


def ways(service):
    return [(way.how, way.where.removeprefix(O), way.line) for way in service.ways]


def test_spec_robots_txt_and_its_sitemaps_are_found():
    found, result, _ = look(
        {
            "/robots.txt": b"User-agent: *\nSitemap: /a.xml\nSitemap: https://cdn.example/b.xml\n",
            "/a.xml": urlset(("/1", "2026-01-20"), ("/2", "2025-05-05")),
        }
    )
    assert list(found) == ["/robots.txt", "/a.xml", "https://cdn.example/b.xml"]
    assert found["/robots.txt"].kind is ServiceKind.ROBOTS
    assert found["/robots.txt"].namespace == "http://www.robotstxt.org/"
    assert ways(found["/a.xml"]) == [(How.ROBOTS, "/robots.txt", 2)]
    assert found["/a.xml"].last_change == "2026-01-20T00:00:00Z"
    assert found["/a.xml"].namespace == SM
    assert found["https://cdn.example/b.xml"].error == "it answers with status 404"
    assert result.is_reached


def test_spec_robots_xml_entries_are_found_with_their_declared_namespace_and_date():
    rows = [
        (f"{O}/sitemap.xml", SM, "200910111110"),
        (f"{O}/feed", ATOM_NS, "2026-01-01"),
        (f"{O}/tva.xml", "urn:tva:metadata:2005", "2024-02-03"),
        ("/relative", SM, ""),
        ("javascript:alert(1)", SM, ""),
    ]
    found, _, web = look({"/robots.xml": xmlmap(*rows), "/feed": atom("News")})
    assert list(found) == ["/robots.xml", "/sitemap.xml", "/feed", "/tva.xml"]
    assert found["/robots.xml"].kind is ServiceKind.XMLMAP
    assert found["/sitemap.xml"].last_change == "2009-10-11T11:10:00Z"
    assert found["/tva.xml"].kind is ServiceKind.DATA
    assert found["/tva.xml"].namespace == "urn:tva:metadata:2005"
    assert found["/tva.xml"].last_change == "2024-02-03T00:00:00Z"
    assert (found["/feed"].title, found["/feed"].last_change) == ("News", "2026-01-20T08:00:00Z")
    assert f"{O}/tva.xml" not in web.asked


def test_spec_feeds_come_through_opml_nested_outlines_too():
    inner = f'<outline text="Inner"><outline text="Deep"><outline text="B" type="rss" xmlUrl="{O}/b.rss" htmlUrl="{O}/b"/></outline></outline>'
    body = f'<outline text="A" type="rss" xmlUrl="{O}/a.atom" version="ATOM"/>{inner}<outline text="no feed"/>'
    found, _, _ = look(
        {
            "/robots.xml": xmlmap((f"{O}/feeds.opml", "http://www.opml.org/spec2", "")),
            "/feeds.opml": opml(body),
            "/b.rss": rss("Real B"),
        }
    )
    assert (found["/feeds.opml"].kind, found["/feeds.opml"].title) == (ServiceKind.OPML, "List")
    assert found["/feeds.opml"].last_change == "2026-01-20T10:00:00Z"
    assert ways(found["/a.atom"]) == [(How.OPML, "/feeds.opml", 1)]
    assert (found["/a.atom"].kind, found["/a.atom"].title) == (ServiceKind.ATOM, "A")
    assert (found["/b.rss"].kind, found["/b.rss"].title, found["/b.rss"].home) == (ServiceKind.RSS, "Real B", f"{O}/")


def test_lists_that_lists_include_are_followed_once_round():
    including = f'<outline type="include" text="More" url="{O}/more.opml"/><outline type="include" text="Me" url="{O}/feeds.opml"/>'
    table = {
        "/feeds.opml": opml(including),
        "/more.opml": opml(
            f'<outline type="link" url="{O}/third.opml" text="3"/><outline type="rss" text="C" xmlUrl="{O}/c.rss"/>'
        ),
    }
    found, _, web = look({**table, "/third.opml": opml("")})
    assert "/c.rss" in found
    assert found["/more.opml"].kind is ServiceKind.OPML
    assert web.asked.count(f"{O}/feeds.opml") == 1


def test_spec_link_headers_and_html_links_are_found():
    home = (
        b'<html><head><link rel="alternate" type="application/rss+xml" title=" The  Blog " href="/blog.rss">'
        b'<link rel=sitemap type=application/xml href=map.xml><link rel="outline" type="text/x-opml" href="/l.opml">'
        b'<link rel="alternate" hreflang="de" href="/de"><link rel="stylesheet" href="/x.css"></head></html>'
    )
    headers = {
        "Link": '</news.atom>; rel="alternate"; type="application/atom+xml"; title="News", </c.css>; rel=preload, </feed>; rel=feed'
    }
    found, _, _ = look({"/": (home, headers)})
    assert set(found) == {"/news.atom", "/feed", "/blog.rss", "/map.xml", "/l.opml"}
    assert ways(found["/news.atom"]) == [(How.HEADER, "/", 0)]
    assert (found["/blog.rss"].title, found["/blog.rss"].kind) == ("The Blog", ServiceKind.RSS)
    assert found["/map.xml"].kind is ServiceKind.SITEMAP
    assert found["/feed"].kind is ServiceKind.FEED


def test_one_service_found_in_many_ways_is_one_service():
    table = {
        "/robots.txt": b"Sitemap: https://EXAMPLE.com:443/s.xml\nSitemap: https://example.com/s.xml\n",
        "/robots.xml": xmlmap((f"{O}/s.xml", SM, "2026-01-01"), (f"{O}/f", ATOM_NS, "")),
        "/": b'<link rel="alternate" type="application/atom+xml" title="F" href="/f">',
        "/s.xml": 500,
    }
    found, _, web = look(table)
    sitemap = next(service for service in found.values() if service.kind is ServiceKind.SITEMAP)
    assert [way.how for way in sitemap.ways] == [How.ROBOTS, How.ROBOTS, How.XMLMAP]
    assert sitemap.last_change == "2026-01-01T00:00:00Z"
    assert [way.how for way in found["/f"].ways] == [How.XMLMAP, How.HTML]
    assert found["/f"].title == "F"
    assert sum(url.lower().endswith("/s.xml") for url in web.asked) == 1


def test_usual_places_are_tried_only_where_nothing_is_named_and_forgotten_where_nothing_is():
    found, _, web = look({"/sitemap.xml": urlset(("/", "2026-01-20"))})
    assert list(found) == ["/sitemap.xml"]
    assert ways(found["/sitemap.xml"]) == [(How.CONVENTION, "/sitemap.xml", 0)]
    assert f"{O}/feeds.opml" in web.asked
    robots = b"Sitemap: https://example.com/other.xml\n"
    named, _, web = look({"/robots.txt": robots, "/other.xml": urlset(("/", "2026-01-20"))})
    assert f"{O}/sitemap.xml" not in web.asked
    assert "/other.xml" in named


@pytest.mark.parametrize("dead", [["/gone.xml"], ["/sitemap.xml"], [f"/{number}.xml" for number in range(30)]])
def test_usual_places_are_tried_where_no_named_sitemap_answers(dead):
    robots = "".join(f"Sitemap: {O}{path}\n" for path in dead).encode()
    table = {**dict.fromkeys(dead, ErrorKind.RESET), "/sitemap_index.xml": urlset(("/", "2026-01-20"))}
    found, _, web = look({"/robots.txt": robots, **table})
    assert ways(found["/sitemap_index.xml"]) == [(How.CONVENTION, "/sitemap_index.xml", 0)]
    assert found["/sitemap_index.xml"].error == ""
    assert list(found) == ["/robots.txt", *dead, "/sitemap_index.xml"]
    assert len(web.asked) == len(set(web.asked)) <= SITE_REQUESTS_MAX


def test_the_bytes_say_what_a_service_is():
    table = {
        "/robots.xml": xmlmap(
            (f"{O}/a", ATOM_NS, ""), (f"{O}/b", "http://purl.org/rss/1.0/", ""), (f"{O}/c", ATOM_NS, "")
        ),
        "/a": rss("R"),
        "/b": b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>T</title></channel></rdf:RDF>',
        "/c": b"<!doctype html><title>x</title>",
    }
    found, _, _ = look(table)
    assert (found["/a"].kind, found["/a"].namespace) == (ServiceKind.RSS, "http://backend.userland.com/rss2")
    assert (found["/b"].kind, found["/b"].namespace) == (ServiceKind.RSS, "http://purl.org/rss/1.0/")
    assert found["/c"].error == "it is an HTML page, not what it is listed as"
    assert found["/c"].kind is ServiceKind.ATOM


def test_json_feeds_and_feeds_without_a_date_of_their_own():
    json_feed = b'{"version": "https://jsonfeed.org/version/1.1", "title": "J", "items": [{"id": "1", "date_published": "2026-02-01T00:00:00Z"}]}'
    table = {
        "/": b'<link rel=alternate type="application/feed+json" href="/j">',
        "/j": (json_feed, {"Last-Modified": "Mon, 19 Jan 2026 00:00:00 GMT"}),
    }
    found, _, _ = look(table)
    assert (found["/j"].kind, found["/j"].title, found["/j"].last_change) == (
        ServiceKind.JSON_FEED,
        "J",
        "2026-02-01T00:00:00Z",
    )


@pytest.mark.parametrize(
    ("namespace", "urls"),
    [("", 3), (ATOM_NS, 1), ("atom", 1), (SM, 1), ("sitemap", 1), ("urn:none", 0), ("robots.xml", 1)],
)
def test_spec_a_namespace_keeps_what_it_stands_for(namespace, urls):
    found, _, _ = look({"/robots.xml": xmlmap((f"{O}/s.xml", SM, ""), (f"{O}/f", ATOM_NS, ""))}, namespace)
    assert len(found) == urls


def test_a_page_at_every_path_is_no_service():
    class Shell:
        async def fetch(self, request):
            return answered(request, b"<!doctype html><div id=app></div>")

    result = asyncio.run(adiscover(O, "", Means(fetcher=Shell())))
    assert result.services == ()
    assert result.is_reached


def test_a_site_that_does_not_answer_is_told_apart_from_one_that_offers_nothing():
    class Dead:
        async def fetch(self, request):
            return unanswered(request, ErrorKind.DNS_NO_NAME, "example.com", hops=(Hop(request.url),))

    for target in (O, "example.com"):
        result = asyncio.run(adiscover(target, "", Means(fetcher=Dead())))
        assert (result.services, result.is_reached) == ((), False)
    assert result.error is not None
    assert result.error.kind is ErrorKind.DNS_NO_NAME


def test_the_home_page_of_settling_is_not_asked_for_again():
    _, result, web = look({"/": b"<title>home</title>"}, target="example.com")
    assert web.asked.count(f"{O}/") == 1
    assert result.requests == len(web.asked)


def test_the_budget_holds_whatever_a_site_lists():
    rows = [(f"{O}/f{n}", ATOM_NS, "") for n in range(30)] + [
        (f"{O}/l{n}.opml", "http://www.opml.org/spec2", "") for n in range(30)
    ]
    robots = "".join(f"Sitemap: {O}/s{n}.xml\n" for n in range(30)).encode()
    found, result, web = look({"/robots.txt": robots, "/robots.xml": xmlmap(*rows)})
    assert len(web.asked) <= SITE_REQUESTS_MAX
    assert result.requests == len(web.asked)
    assert len(found) == 92


def test_what_is_listed_has_a_bound(monkeypatch):
    monkeypatch.setattr("waypost.check.discovery.SERVICES_MAX", 50)
    outlines = "".join(f'<outline text="x" type="rss" xmlUrl="{O}/{n}"/>' for n in range(500))
    found, _, _ = look({"/feeds.opml": opml(outlines)})
    assert 45 < len(found) <= 50
    found, _, _ = look({"/robots.xml": xmlmap(*((f"{O}/{n}", ATOM_NS, "") for n in range(500)))})
    assert len(found) == 50


BODIES = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200).map(str.encode),
    st.sampled_from(
        [
            xmlmap((f"{O}/x", SM, "")),
            opml(f'<outline xmlUrl="{O}/y"/>'),
            atom("t"),
            rss("t"),
            urlset(("/", "x")),
            b"\x1f\x8b",
        ]
    ),
)


@given(st.lists(BODIES, min_size=7, max_size=7), st.text(max_size=60))
def test_no_answer_makes_a_discovery_raise(bodies, link):
    paths = ["/robots.txt", "/robots.xml", "/", "/sitemap.xml", "/feeds.opml", "/x", "/y"]
    table = {path: (body, {"Link": link, "Last-Modified": link}) for path, body in zip(paths, bodies, strict=True)}
    _, result, web = look(table)
    assert len(web.asked) <= SITE_REQUESTS_MAX
    assert all(service.ways for service in result.services)


def test_redirects_of_a_front_document_are_taken_from_where_they_end():
    class Moves(Web):
        async def fetch(self, request):
            if request.url != f"{O}/robots.txt":
                return await super().fetch(request)
            hops = (Hop(request.url, 301, Headers((("Location", "/r/robots.txt"),))), Hop(f"{O}/r/robots.txt", 200))
            return Capture(request, hops, answered(request, b"Sitemap: s.xml\n").body)

    result = asyncio.run(adiscover(O, "", Means(fetcher=Moves({}))))
    assert f"{O}/r/s.xml" in {service.url for service in result.services}


@pytest.mark.parametrize(
    ("value", "links"),
    [
        ("</a>", [("/a", (), "", "")]),
        ("<a>; rel=x", [("/d/a", ("x",), "", "")]),
        (
            '</a>; REL="Alternate Feed"; type="Text/XML; charset=x"; title="a \\"b\\", c"',
            [("/a", ("alternate", "feed"), "text/xml", 'a "b", c')],
        ),
        ("</a>; rel=x, </b>; rel=y", [("/a", ("x",), "", ""), ("/b", ("y",), "", "")]),
        ("</a>; rel=x; rel=z", [("/a", ("x",), "", "")]),
        ("</a>;;junk, </b>", [("/a", (), "", ""), ("/b", (), "", "")]),
        ("<javascript:x>, </b>", [("/b", (), "", "")]),
        ("", []),
        ("junk", []),
        ("<unclosed; rel=x", []),
        ('</a>; title="unclosed', [("/a", (), "", "")]),
    ],
)
def test_rfc8288_link_header_fields(value, links):
    found = read_links([value], f"{O}/d/p")
    assert [(link.href.removeprefix(O), link.rel, link.type, link.title) for link in found] == links


@given(st.lists(st.text(max_size=120), max_size=3))
def test_any_link_header_is_read_without_raising(values):
    assert all(link.href for link in read_links(values, f"{O}/"))


def test_a_hostile_link_header_takes_no_time():
    assert (
        read_links(["<a" * 20_000, "</a>;" * 20_000, "</a>; x=" + "\\" * 60_000, '</a>; x="' + "\\a" * 30_000], O)
        is not None
    )


def test_namespaces_and_types_name_kinds():
    assert kind_of(ATOM_NS) is ServiceKind.ATOM
    assert kind_of("http://www.opml.org/") is ServiceKind.OPML
    assert kind_of(media_type="application/rss+xml") is ServiceKind.RSS
    assert kind_of("urn:x", "text/plain") is ServiceKind.DATA


def test_a_head_is_read_whatever_number_a_reference_in_it_has():
    number = "1" * 5000
    head = read_head(f"<title>&#{number};</title><link rel=a href='/&#{number};'>".encode(), O)
    assert (head.title, head.links[0].href) == ("\ufffd", f"{O}/\ufffd")
