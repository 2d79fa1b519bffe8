"""The loop closed: whatever a site is made of, what is served is judged at 1.0 by the check, and well by readers that are not ours."""

import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings
from tests.loop import judges, sites
from tests.loop.loopback import checked, served

from waypost.formats.robots import read_robots
from waypost.web.app import create

AGENTS = ["Googlebot", "bingbot", "CCBot", "GPTBot", "SomeBot", "*"]
FEEDS = ("/feed.atom", "/feed.rss", "/feed.json", "/feeds.opml")


def assert_clean(result):
    """1.0, pass, and nothing above info."""
    above = [(f.code, f.message, f.where.url) for _, f in result.findings() if f.severity.value != "info"]
    assert not above, above
    assert not result.crashes
    assert (result.status.value, result.score) == ("pass", 1.0)


async def assert_agreed(host, expected):
    """What is listed is what ought to be, answers at its own URL, and is open to whom robots.txt says, by any reader."""
    allowed = judges.reference()
    async with judges.Visitor(host) as visitor:
        listed = await visitor.sitemap()
        rows = [url for url, _ in listed]
        assert sorted(rows) == sorted(f"{visitor.origin}{path}" for path in expected)
        for url, lastmod in listed:
            right = expected[url.removeprefix(visitor.origin)]
            assert lastmod == right or (right is ... and lastmod is not None), url
        status, _, robots = await visitor.get("/robots.txt")
        assert status == 200
        ours = read_robots(robots)
        for url in rows:
            status, headers, body = await visitor.get(url)
            assert status == 200, url
            assert judges.canonical_of(headers, body) == ([url], [url])
            for agent in AGENTS:
                assert ours.allowed(agent, url) == allowed(robots, agent, url), (agent, url)
        if rows:
            assert f"Sitemap: {visitor.origin}/sitemap.xml" in robots.decode().splitlines()
        judges.valid((await visitor.get("/robots.xml"))[2], "robots-xml")
        answers = [await visitor.get(path) for path in FEEDS]
        if all(answer[0] == 200 for answer in answers):
            for url in judges.judge_feeds(*(answer[2] for answer in answers), visitor.origin):
                assert (await visitor.get(url))[0] == 200
        else:
            assert {answer[0] for answer in answers} == {404}
        assert sites.ADMIN.encode() not in robots + b"".join(answer[2] for answer in answers)


async def close_the_loop(plan, root):
    app = create(str(sites.write(plan, root)), environment={})
    app.hosts.open()
    expected = sites.listed(plan)
    try:
        async with served(app) as address:
            host = f"{plan.host}:{address.partition(':')[2]}"
            await assert_agreed(host, expected)
            if expected:
                assert_clean(await checked(host, time.time()))
                assert_clean(await checked(host, time.time(), deep=True, probe=None))
    finally:
        app.hosts.close()


# What fails is printed whole: making it smaller would start a server for every step.
@settings(max_examples=60, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(plan=sites.plans)
def test_whatever_publish_writes_check_scores_one(plan):
    with TemporaryDirectory() as folder:
        asyncio.run(close_the_loop(plan, Path(folder) / "root"))


@pytest.mark.parametrize("name", [*sites.RESERVED_FILES, *sites.RESERVED_FOLDERS])
def test_the_model_knows_reserved_names_the_registry_has(name):
    from waypost.publish.paths import RESERVED

    assert name in {row.name for row in RESERVED}
