"""Every sitemap and feed of the corpus, where there is one: no exception, and the counts its manifest gives."""

import json
from collections import Counter
from pathlib import Path

import pytest

from waypost.formats.extensions import Extension
from waypost.formats.sitemap import SitemapReader, read_sitemap

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
MANIFEST = CORPUS / "manifest.json"
FILES = [row for row in json.loads(MANIFEST.read_text("utf-8")) if row["kind"] != "robots"] if MANIFEST.exists() else []

pytestmark = pytest.mark.skipif(not FILES, reason="there is no ../shared/corpus")

RECORDS = {
    "images": Extension.IMAGE,
    "videos": Extension.VIDEO,
    "news": Extension.NEWS,
    "hreflang": Extension.ALTERNATE,
}
RESOLVED = {"feeds/035_kurtmckee__atom.xml"}
"""Its xml:base is honoured, so its link is not the bare reference the manifest gives."""


@pytest.mark.parametrize("row", FILES, ids=lambda row: row["file"])
def test_the_counts_are_those_of_the_manifest(row):
    truth = row["truth"]
    document = read_sitemap((CORPUS / row["file"]).read_bytes())
    records = Counter(record.extension for kept in document.records.values() for record in kept)
    assert document.entry_count == len(document.locs) == truth["urls"]
    assert len(set(document.locs)) == truth["distinct"]
    assert document.bytes == truth["uncompressed_bytes"]
    assert (document.gzip_layers > 0) == truth["gzip"]
    assert {name: records[kind] for name, kind in RECORDS.items()} == {name: truth.get(name, 0) for name in RECORDS}
    if truth["well_formed"] is not None and truth["root"] != "html":
        assert document.complete == truth["well_formed"]
    if truth.get("first") and row["file"] not in RESOLVED:
        assert (document.locs[0], document.locs[-1]) == (truth["first"], truth["last"])


@pytest.mark.parametrize("row", FILES[::5], ids=lambda row: row["file"])
def test_small_chunks_read_the_same(row):
    data = (CORPUS / row["file"]).read_bytes()
    reader = SitemapReader()
    for start in range(0, len(data), 997):
        reader.feed(data[start : start + 997])
    chunked, whole = reader.close(), read_sitemap(data)
    assert list(chunked.entries) == list(whole.entries)
    assert (chunked.notes, chunked.kind, chunked.xml, chunked.feed) == (whole.notes, whole.kind, whole.xml, whole.feed)
