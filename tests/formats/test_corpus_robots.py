"""Every robots.txt of the corpus, where there is one: its lines and its Sitemap values are those of the manifest."""

import json
from pathlib import Path

import pytest

from waypost.formats.robots import read_robots

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
MANIFEST = CORPUS / "manifest.json"
FILES = [row for row in json.loads(MANIFEST.read_text("utf-8")) if row["kind"] == "robots"] if MANIFEST.exists() else []

pytestmark = pytest.mark.skipif(not FILES, reason="there is no ../shared/corpus")


@pytest.mark.parametrize("row", FILES, ids=lambda row: row["file"])
def test_lines_and_sitemaps_are_those_of_the_manifest(row):
    truth = row["truth"]
    robots = read_robots((CORPUS / row["file"]).read_bytes(), limit=None)
    assert len(robots.lines) == truth["lines"]
    if "utf-16" in robots.counts:
        # The manifest decodes the file; crawlers, Google's reference among them, find nothing in it.
        assert not robots.sitemaps
        assert not robots.groups
    else:
        assert robots.sitemaps == truth["sitemap_directives"]
