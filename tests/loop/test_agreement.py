"""Agreement on real servers: `robots explain` with the reference, every host with itself, every listed URL with its page."""

import asyncio
import json
import time

import pytest
from tests.loop import judges
from tests.loop.loopback import checked, served
from tests.loop.test_closed import AGENTS, assert_clean
from tests.web import roots
from tests.web.client import waypost
from typer.testing import CliRunner

from waypost.cli.robots import app as robots_command
from waypost.web.app import create

# Rules of the kind owners write: what is listed stays open, whatever else a crawler may not fetch.
GROUPS = """
[[robots.group]]
agents = ["*"]
disallow = ["/old/", "/*?print", "/docs/einstieg$"]
allow = ["/docs/"]
crawl_delay = 2

[[robots.group]]
agents = ["GPTBot", "ClaudeBot"]
disallow = ["/"]
allow = ["/docs/", "/new-place$"]
content_signal = "ai-train=no"
"""


def explained(robots, url):
    """What the command says of a URL: agent → may it be fetched."""
    words = [
        "explain",
        url,
        "--file",
        "-",
        "--format",
        "json",
        *(word for agent in AGENTS for word in ("--agent", agent)),
    ]
    done = CliRunner().invoke(robots_command, words, input=robots)
    assert done.exit_code == 0, done.output
    return {answer["agent"]: answer["allowed"] for answer in json.loads(done.stdout)["answers"]}


@pytest.mark.parametrize("slash", ["never", "always"])
def test_robots_explain_says_what_the_reference_says_of_every_listed_url(slash, tmp_path):
    allowed = judges.reference()
    root = roots.starter(tmp_path / "root")
    toml = (root / "waypost.toml").read_text()
    (root / "waypost.toml").write_text(f'slash = "{slash}"\n{toml}{GROUPS}')
    with waypost(str(root), log=tmp_path / "log") as server:

        async def visit():
            async with judges.Visitor(f"127.0.0.1:{server.port}") as visitor:
                rows = [url for url, _ in await visitor.sitemap()]
                return (await visitor.get("/robots.txt"))[2], {url: await visitor.get(url) for url in rows}

        robots, answers = asyncio.run(visit())
    assert [url.partition(str(server.port))[2].rstrip("/") or "/" for url in answers] == roots.STARTER_PAGES
    for url, (status, headers, body) in answers.items():
        assert (status, judges.canonical_of(headers, body)) == (200, ([url], [url]))
        assert explained(robots, url) == {agent: allowed(robots, agent, url) for agent in AGENTS}
    said = {explained(robots, url)["GPTBot"] for url in answers}
    assert said == {True, False}


def test_every_host_of_many_scores_one_and_speaks_of_itself_alone(tmp_path):
    app = create(sites=str(roots.tenants(tmp_path / "sites", 5)), environment={})
    app.hosts.open()
    labels = [f"t{number}" for number in range(5)]

    async def close_the_loop():
        async with served(app) as address:
            port = address.partition(":")[2]
            for name in [*(f"{label}.blog.example.com" for label in labels), "a.shared.example.com", "example.com"]:
                host = f"{name}:{port}"
                assert_clean(await checked(host, time.time(), deep=True, probe=None))
                async with judges.Visitor(host) as visitor:
                    paths = (
                        "/robots.txt",
                        "/sitemap.xml",
                        "/sitemap.txt",
                        "/robots.xml",
                        "/feeds.opml",
                        "/feed.atom",
                        "/",
                    )
                    said = b"".join([(await visitor.get(path))[2] for path in paths])
                    urls = [url for url, _ in await visitor.sitemap()]
                assert urls
                assert all(url.startswith(f"http://{host}/") for url in urls)
                others = [
                    other
                    for other in ("example.com", *labels)
                    if not name.endswith(other) and not name.startswith(other)
                ]
                assert not [other for other in others if f"//{other}".encode() in said]

    try:
        asyncio.run(close_the_loop())
    finally:
        app.hosts.close()
