"""The loop closed on sites of every size: from memory behind a door, and one from a disk behind the real server."""

import asyncio
import os
import time

import pytest
from tests.loop import judges
from tests.loop.loopback import checked, served
from tests.loop.test_closed import assert_clean
from tests.web.client import waypost
from tests.web.roots import many

from waypost.check.drive import acheck
from waypost.check.options import Options
from waypost.integrations.asgi import mount
from waypost.limits import SITEMAP_BYTES_MAX, SITEMAP_URLS_MAX
from waypost.publish.page import Page

FIRST = 1_500_000_000
HEAD = '<!doctype html><html lang="en"><head><title>A page</title><link rel="canonical" href="{}"></head><body>text</body></html>'


async def application(scope, receive, send):
    """Pages, whatever their path, each naming itself as canonical."""
    host = next(value.decode() for name, value in scope["headers"] if name == b"host")
    body = HEAD.format(f"http://{host}{scope['raw_path'].decode()}").encode()
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html; charset=utf-8")]}
    )
    await send({"type": "http.response.body", "body": body})


def pages(count, tail=""):
    """So many pages, an hour apart; the first is the home page."""
    paths = ["/", *(f"/page-{number:06}{tail}" for number in range(1, count))]
    return [Page(number.to_bytes(8), path, FIRST + 600 * number) for number, path in enumerate(paths)]


async def close_the_loop(given):
    async with served(mount(application, pages=given)) as host, judges.Visitor(host) as visitor:
        rows = await visitor.sitemap()
        assert len(rows) == len(given)
        assert {url for url, _ in rows} == {f"{visitor.origin}{page.path}" for page in given}
        _, _, index = await visitor.get("/sitemap.xml")
        assert_clean(await checked(host, time.time(), deep=True, probe=20))
        return index


@pytest.mark.parametrize(
    "count",
    [1, 2, 49, 1_000, SITEMAP_URLS_MAX, SITEMAP_URLS_MAX + 1, pytest.param(120_001, marks=pytest.mark.slow)],
)
def test_every_size_is_listed_whole_and_scores_one(count):
    index = asyncio.run(close_the_loop(pages(count)))
    assert (b"<sitemapindex" in index) is (count > SITEMAP_URLS_MAX)


@pytest.mark.slow
def test_few_pages_that_would_fill_more_than_50_mb_are_split():
    given = pages(35_000, "x" * 1_600)
    assert sum(len(page.path) for page in given) > SITEMAP_BYTES_MAX
    assert b"<sitemapindex" in asyncio.run(close_the_loop(given))


@pytest.mark.slow
def test_50_001_pages_on_a_disk_behind_the_real_server(tmp_path):
    root = many(tmp_path / "root", SITEMAP_URLS_MAX + 1)
    (root / "content/index.md").write_text("# Home\n")
    # Written a day after each other, as nobody writes so many pages in a minute.
    for number, folder in enumerate(sorted((root / "content").glob("??"))):
        for entry in os.scandir(folder):
            os.utime(entry.path, (FIRST, FIRST + 86_400 * number))
    with waypost(str(root), log=tmp_path / "log") as server:
        result = asyncio.run(acheck(f"http://127.0.0.1:{server.port}", Options(now=time.time(), deep=True, probe=20)))

        async def listed():
            async with judges.Visitor(f"127.0.0.1:{server.port}") as visitor:
                return await visitor.sitemap()

        rows = asyncio.run(listed())
    assert_clean(result)
    assert len({url for url, _ in rows}) == len(rows) == SITEMAP_URLS_MAX + 2
