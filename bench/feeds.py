"""Feeds of part D: every one a server offers, judged by feedparser and by rules of our own; and what a whole feed costs."""

import importlib.util
import random
import tempfile
import time
from pathlib import Path

from tests.publish.feed_rules import faults
from tests.web.client import InProcess

from bench.harness import Figure, absent, interleaved
from waypost.formats.opml import read_opml
from waypost.web.app import create

PAGES, FOLDERS = 1_000, 20
WORDS = ["press", "paper", "ink", "type", "margin", "column", "letter", "proof", "page", "line", "measure", "grid"]


def write_site(root: Path, seed: int = 1) -> None:
    """So many dated pages of some 3 KB with links, lists, tables and code, in so many folders."""
    chance = random.Random(seed)
    (root / "content").mkdir()
    (root / "waypost.toml").write_text('title = "Bench & <feeds>"\nlang = "en"\n')
    for number in range(PAGES):
        folder = root / f"content/folder {number % FOLDERS} ü"
        folder.mkdir(exist_ok=True)
        text = "\n\n".join(" ".join(chance.choices(WORDS, k=60)) for _ in range(6))
        extra = "\n\n- one\n- [x] two\n\n| a | b |\n|---|---|\n| 1 | <2 & 3> |\n\n```python\nprint('<&>')\n```\n\n[next](page%201.md#top)\n"
        front = f"---\npublished: 20{chance.randrange(10, 26)}-0{chance.randrange(1, 9)}-1{chance.randrange(9)}\n---\n"
        (folder / f"page {number}.md").write_text(f"{front}# Page {number} & <more>\n\n{text}{extra}")


def figures() -> list[Figure]:
    """Errors found in every feed and list; and a whole feed against a page."""
    found = []
    with tempfile.TemporaryDirectory() as place:
        write_site(Path(place))
        site = InProcess(create(place, environment={}))
        try:
            found.append(_validity(site))
            found.append(
                _parsed(site)
                if importlib.util.find_spec("feedparser")
                else absent("D", "feeds through feedparser", "0 errors", "feedparser")
            )
            found += _cost(site)
        finally:
            site.app.hosts.close()
            site.close()
    return found


def _offered(site: InProcess) -> list[str]:
    outlines = read_opml(site.ask("/feeds.opml").body).outlines
    urls = [line.xml_url for top in outlines for line in (top, *top.outlines) if line.xml_url]
    return [url.removeprefix("http://example.com") for url in urls]


def _validity(site: InProcess) -> Figure:
    paths = [*_offered(site), "/feeds.opml"]
    answers = [site.ask(path) for path in paths]
    errors = sum(len(faults(answer.body, answer.headers["content-type"])) for answer in answers)
    return Figure("D", "feeds, JSON Feed and OPML by a validator of our own", f"{errors} errors in {len(paths)} documents", "0 errors", "", errors == 0, "RFC 4287, RSS 2.0, JSON Feed 1.1, OPML 2.0; all a site of 1,000 pages offers")  # fmt: skip


def _parsed(site: InProcess) -> Figure:
    import feedparser

    paths = [path for path in _offered(site) if not path.endswith(".json")]
    feeds = [feedparser.parse(site.ask(path).body) for path in paths]
    errors = sum(bool(feed.bozo) or len(feed.entries) != 50 for feed in feeds)
    return Figure("D", "feeds through feedparser", f"{errors} errors in {len(paths)} feeds", "0 errors", "", errors == 0, "not well-formed, or not the newest 50 entries")  # fmt: skip


def _cost(site: InProcess) -> list[Figure]:
    page = "/folder-1-%C3%BC/page-1"
    times = interleaved(
        {"feed": lambda: site.ask("/feed.atom"), "page": lambda: site.ask(page)}, rounds=9, clock=time.process_time
    )
    ratio = times["feed"] / times["page"]
    return [Figure("D", "a feed of 50 whole pages against one page", f"{ratio:.1f} ×, {times['feed'] * 1e3:.0f} ms", "≤ 50 ×", "", ratio <= 50, "CPU time in this process; a page is shown in its theme")]  # fmt: skip
