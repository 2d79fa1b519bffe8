"""Rules on documents made to cost much: some thousand lines against some ten thousand others end in a moment."""

import time

import pytest
from tests.check.samples import NOW, ORIGIN

from waypost.check.capture import Request, answered
from waypost.check.evidence import Candidate, Evidence, Page, Source
from waypost.check.htmlhead import Head
from waypost.check.rule import Now
from waypost.check.rules.pages import canonical_elsewhere
from waypost.check.rules.robots.groups import shadowed_rule
from waypost.check.rules.robots.reach import rule_catches_more
from waypost.formats.robots import read_robots
from waypost.formats.sitemap import read_sitemap
from waypost.urls import Origin

SECONDS_MAX = 1.0


@pytest.fixture
def quick():
    """The test's own work takes a moment, whatever else the machine does."""
    started = time.process_time()
    yield
    assert time.process_time() - started < SECONDS_MAX


def evidence(robots, locs):
    document = read_sitemap("\n".join(locs).encode(), url=f"{ORIGIN}/sitemap.txt")
    return Evidence(
        Origin.parse(ORIGIN),
        Now(NOW),
        best=Candidate(document.url, Source.CONVENTION, document=document, kind=document.kind),
        robots_capture=answered(Request(f"{ORIGIN}/robots.txt"), robots.encode()),
        robots=read_robots(robots),
    )


@pytest.mark.parametrize(("tail", "count"), [("x{n}", 0), ("a/{n}", 1_999), ("a", 0)], ids=["apart", "below", "again"])
def test_many_rules_against_many_urls(tail, count, quick):
    robots = "User-agent: *\n" + "".join(f"Disallow: /p/{tail.format(n=n)}\n" for n in range(5_000))
    seen = evidence(robots, [f"{ORIGIN}/p/a/{n}" for n in range(1, 20_000)])
    assert len(list(rule_catches_more.judge(seen))) == count


def test_many_rules_of_one_group(quick):
    robots = read_robots("User-agent: *\n" + "".join(f"Disallow: /{n}\nDisallow: /{n}*\n" for n in range(10_000)))
    assert len(list(shadowed_rule.judge(robots))) == 9_990


@pytest.mark.parametrize("value", ["<" * 32_000, "<a>," * 8_000, "<>;" * 8_000], ids=["opened", "links", "parameters"])
def test_a_long_link_header(value, quick):
    capture = answered(Request(f"{ORIGIN}/a"), headers={"Link": value})
    assert canonical_elsewhere.judge(Page(f"{ORIGIN}/a", None, 1, "", capture, Head())) is None
