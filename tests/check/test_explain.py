"""Explaining one URL: each obstacle by itself, and where it stands."""

import asyncio

import pytest

from waypost.check.capture import Capture, ErrorKind, Headers, Hop, Request, answered, unanswered
from waypost.check.explain import Conclusion, explain

ORIGIN = "https://example.com"
PAGE = f"{ORIGIN}/a"
ROBOTS = f"User-agent: *\nAllow: /\n\nSitemap: {ORIGIN}/sitemap.xml\n"
HTML = "<html><head><title>A</title></head><body>text</body></html>"


def urlset(*locs):
    rows = "\n".join(f"<url><loc>{loc}</loc><lastmod>2026-01-20</lastmod></url>" for loc in locs)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}\n</urlset>'


def index(*locs):
    rows = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</sitemapindex>'


class Site:
    """Answers by URL: a text, (text, headers), a status, a Capture, or a URL it leads to as `-> URL`."""

    def __init__(self, **answers):
        self.answers = {PAGE: HTML, f"{ORIGIN}/robots.txt": ROBOTS, f"{ORIGIN}/sitemap.xml": urlset(PAGE)}
        self.asked = []

    def at(self, url, answer):
        self.answers[url] = answer
        return self

    async def fetch(self, request: Request) -> Capture:
        self.asked.append(request.url)
        answer = self.answers.get(request.url, 404)
        if isinstance(answer, ErrorKind):
            return unanswered(request, answer)
        if isinstance(answer, str) and answer.startswith("-> "):
            target = answer.removeprefix("-> ")
            last = await self.fetch(Request(target))
            hop = Hop(request.url, 301, Headers((("location", target),)))
            return Capture(request, (hop, *last.hops), last.body)
        if isinstance(answer, int):
            return answered(request, b"", status=answer)
        text, headers = answer if isinstance(answer, tuple) else (answer, {"content-type": "text/html"})
        return answered(request, text.encode(), headers=headers)


def explained(site, url=PAGE, agent="*"):
    return asyncio.run(explain(url, site, agent=agent))


def test_a_page_without_obstacles_is_open_and_its_entry_is_named():
    found = explained(Site().at(f"{ORIGIN}/sitemap.xml", urlset(f"{ORIGIN}/", PAGE)))
    assert found.conclusion is Conclusion.OPEN
    assert found.remarks == ()
    assert (found.listing.entry, found.listing.line, found.listing.lastmod) == (2, 3, "2026-01-20")
    assert found.listing.is_exact
    assert found.robots[0].verdict.line == 2
    assert [hop.url for hop in found.trail] == [PAGE, f"{ORIGIN}/robots.txt", f"{ORIGIN}/sitemap.xml"]


def test_the_deciding_robots_line_is_the_agents_own():
    site = Site().at(f"{ORIGIN}/robots.txt", "User-agent: *\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /a\n")
    found = explained(site, agent="Mozilla/5.0 (compatible; GPTBot/1.2; +https://example.org/bot)")
    assert found.agent == "GPTBot"
    assert found.conclusion is Conclusion.BLOCKED
    assert found.robots[0].verdict.line == 5
    assert "line 5" in found.sentence
    assert explained(site).conclusion is Conclusion.OPEN


def test_a_crawler_follows_the_more_general_group_of_its_family():
    site = Site().at(f"{ORIGIN}/robots.txt", "User-agent: Googlebot\nDisallow: /a\n")
    assert explained(site, agent="Googlebot-Image").conclusion is Conclusion.BLOCKED


def test_a_robots_txt_that_fails_forbids_everything_and_one_that_is_missing_nothing():
    assert explained(Site().at(f"{ORIGIN}/robots.txt", 503)).conclusion is Conclusion.BLOCKED
    assert explained(Site().at(f"{ORIGIN}/robots.txt", 404)).conclusion is Conclusion.OPEN
    found = explained(Site().at(f"{ORIGIN}/robots.txt", ErrorKind.RESET))
    assert found.conclusion is Conclusion.BLOCKED
    assert found.robots[0].error == ErrorKind.RESET.sentence


@pytest.mark.parametrize("status", [404, 410, 500])
def test_an_answer_that_is_no_success_leaves_nothing_to_index(status):
    found = explained(Site().at(PAGE, status))
    assert found.conclusion is Conclusion.BROKEN
    assert str(status) in found.sentence
    assert found.remarks == ("the sitemap lists it all the same",)


def test_no_answer_is_unreachable_with_its_reason():
    found = explained(Site().at(PAGE, ErrorKind.DNS_NO_NAME))
    assert found.conclusion is Conclusion.UNREACHABLE
    assert ErrorKind.DNS_NO_NAME.sentence in found.sentence


@pytest.mark.parametrize(
    ("value", "agent", "conclusion"),
    [
        ("noindex", "*", Conclusion.NOINDEX),
        ("none", "*", Conclusion.NOINDEX),
        ("nofollow, NoIndex", "*", Conclusion.NOINDEX),
        ("otherbot: noindex", "*", Conclusion.OPEN),
        ("otherbot: noindex", "OtherBot", Conclusion.NOINDEX),
        ("unavailable_after: 2030-01-01", "*", Conclusion.OPEN),
        ("unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noindex", "*", Conclusion.NOINDEX),
        ("max-snippet: 20", "*", Conclusion.OPEN),
        ("max-image-preview:none", "*", Conclusion.OPEN),
        ("max-image-preview: none noindex", "*", Conclusion.NOINDEX),
        ("otherbot: noindex, thirdbot: nofollow", "ThirdBot", Conclusion.OPEN),
        ("noindexing", "*", Conclusion.OPEN),
    ],
)
def test_google_x_robots_tag_counts_for_whom_it_names(value, agent, conclusion):
    site = Site().at(PAGE, (HTML, {"content-type": "text/html", "X-Robots-Tag": value}))
    found = explained(site, agent=agent)
    assert found.conclusion is conclusion
    assert [saying.where for saying in found.sayings] == ["X-Robots-Tag"]


@pytest.mark.parametrize(
    ("name", "agent", "conclusion"),
    [
        ("robots", "*", Conclusion.NOINDEX),
        ("googlebot", "Googlebot", Conclusion.NOINDEX),
        ("googlebot", "*", Conclusion.OPEN),
        ("description", "*", Conclusion.OPEN),
    ],
)
def test_google_a_meta_tag_counts_for_whom_it_names(name, agent, conclusion):
    site = Site().at(PAGE, HTML.replace("<title>", f'<meta name="{name}" content="noindex"><title>'))
    assert explained(site, agent=agent).conclusion is conclusion


def test_a_canonical_url_elsewhere_takes_the_pages_place():
    site = Site().at(PAGE, HTML.replace("<title>", '<link rel="canonical" href="/b"><title>'))
    found = explained(site)
    assert found.conclusion is Conclusion.ELSEWHERE
    assert found.canonical == f"{ORIGIN}/b"


def test_a_redirect_is_followed_and_both_origins_robots_are_asked():
    site = Site().at(PAGE, "-> https://www.example.com/a").at("https://www.example.com/a", HTML)
    found = explained(site)
    assert found.conclusion is Conclusion.REDIRECTED
    assert found.final_url == "https://www.example.com/a"
    assert [answer.url for answer in found.robots] == [
        f"{ORIGIN}/robots.txt",
        "https://www.example.com/robots.txt",
    ]
    assert found.robots[1].state.value == "absent"


def test_a_redirect_onto_a_forbidden_path_is_blocked_there():
    robots = "User-agent: *\nDisallow: /private/\n"
    site = Site().at(PAGE, f"-> {ORIGIN}/private/a").at(f"{ORIGIN}/private/a", HTML).at(f"{ORIGIN}/robots.txt", robots)
    found = explained(site)
    assert found.conclusion is Conclusion.BLOCKED
    assert found.robots[0].asked_for == f"{ORIGIN}/private/a"


def test_an_entry_that_is_nearly_the_same_is_said_to_be():
    found = explained(Site().at(f"{ORIGIN}/sitemap.xml", urlset("http://www.example.com/a/")))
    assert not found.listing.is_exact
    assert found.remarks == ("the sitemap lists http://www.example.com/a/, which is not quite the same URL",)


def test_the_children_of_an_index_are_looked_into_until_one_lists_it():
    children = [f"{ORIGIN}/part-{number}.xml" for number in range(30)]
    site = Site().at(f"{ORIGIN}/sitemap.xml", index(*children))
    for child in children:
        site.at(child, urlset(f"{child}/page"))
    site.at(children[2], urlset(PAGE))
    found = explained(site)
    assert found.listing.sitemap == children[2]
    assert site.asked[-1] == children[2]


def test_requests_are_bounded_and_what_was_not_looked_into_is_said():
    children = [f"{ORIGIN}/part-{number}.xml" for number in range(300)]
    site = Site().at(f"{ORIGIN}/sitemap.xml", index(*children))
    for child in children:
        site.at(child, urlset(f"{child}/page"))
    found = explained(site)
    assert len(site.asked) == 16
    assert found.listing is None
    assert found.remarks == ("no sitemap that was read lists it",)
    assert "used up" in found.sitemaps[-1].error


def test_an_index_that_lists_itself_ends():
    site = Site().at(f"{ORIGIN}/sitemap.xml", index(f"{ORIGIN}/sitemap.xml"))
    assert explained(site).remarks == ("no sitemap lists it",)


def test_without_a_sitemap_line_the_conventional_paths_are_tried():
    site = Site().at(f"{ORIGIN}/robots.txt", 404).at(f"{ORIGIN}/sitemap.xml", "<html>no</html>")
    site.at(f"{ORIGIN}/sitemap.txt", (f"{ORIGIN}/b\n{PAGE}\n", {}))
    found = explained(site)
    assert (found.listing.sitemap, found.listing.entry) == (f"{ORIGIN}/sitemap.txt", 2)
    assert found.sitemaps[0].error == "no sitemap"


@pytest.mark.parametrize("lines", [1, 30])
def test_where_no_declared_sitemap_is_one_the_conventional_paths_are_tried(lines):
    dead = "".join(f"Sitemap: {ORIGIN}/dead-{number}.xml\n" for number in range(lines))
    found = explained(Site().at(f"{ORIGIN}/robots.txt", dead))
    assert found.listing.sitemap == f"{ORIGIN}/sitemap.xml"
    assert found.remarks == ()
