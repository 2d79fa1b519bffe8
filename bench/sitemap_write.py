"""Sitemap writing figures of part A: 50,000 URLs with dates, against lxml building the same tree."""

import importlib.util
import time
from collections.abc import Iterable

from bench.harness import Figure, absent, interleaved
from waypost.formats.sitemapwrite import join_urls, prepare_urls, write_urlset
from waypost.formats.xmlshort import SITEMAP_NAMESPACE

COUNT = 50_000
MUST = "≥ 50× faster than lxml building a tree"


def rows(count: int = COUNT) -> list[tuple[str, str]]:
    """URLs as sites have them, with some hundred distinct dates."""
    return [
        (
            f"https://example.com/section-{number % 97}/a-page-with-a-title-{number}",
            f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}T{number % 24:02}:00:00Z",
        )
        for number in range(count)
    ]


def lxml_tree(pairs: Iterable[tuple[str, str]]) -> bytes:
    """The document as lxml's users write it: a tree, then its bytes."""
    from lxml import etree

    root = etree.Element(f"{{{SITEMAP_NAMESPACE}}}urlset", nsmap={None: SITEMAP_NAMESPACE})
    for loc, lastmod in pairs:
        url = etree.SubElement(root, f"{{{SITEMAP_NAMESPACE}}}url")
        etree.SubElement(url, f"{{{SITEMAP_NAMESPACE}}}loc").text = loc
        etree.SubElement(url, f"{{{SITEMAP_NAMESPACE}}}lastmod").text = lastmod
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


def figures() -> list[Figure]:
    """One run, in turns: lxml, our writer from raw rows, our writer from lines that were escaped when they came."""
    name = f"write {COUNT:,} URLs"
    if importlib.util.find_spec("lxml") is None:
        return [absent("A", name, MUST, "lxml")]
    pairs = rows()
    urls = [loc for loc, _ in pairs]
    lines = prepare_urls(pairs)
    assert write_urlset(pairs).splitlines()[2:] == join_urls(lines).splitlines()[2:]
    taken = interleaved(
        {
            "lxml": lambda: lxml_tree(pairs),
            "lines": lambda: join_urls(lines),
            "pairs": lambda: write_urlset(pairs),
            "urls": lambda: write_urlset(urls),
        },
        clock=time.process_time,
    )
    ratio = {kind: taken["lxml"] / seconds for kind, seconds in taken.items()}
    how = f"lxml 6 builds and serialises the same document in {taken['lxml'] * 1000:.0f} ms of CPU time"
    return [
        _figure(f"{name}, one join of prepared lines", taken["lines"], ratio["lines"], how, must=MUST),
        _figure(f"{name}, (loc, lastmod) rows, each proven first", taken["pairs"], ratio["pairs"], how),
        _figure(f"{name}, bare URLs, each proven first", taken["urls"], ratio["urls"], how),
    ]


def _figure(name: str, seconds: float, ratio: float, how: str, must: str = "") -> Figure:
    return Figure("A", name, f"{ratio:.0f}× ({seconds * 1000:.1f} ms)", must, "", ratio >= 50 if must else None, how)
