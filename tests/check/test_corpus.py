"""Real files that nobody here wrote, each checked as a site on loopback: no crash, and no error that is not there.

Whether an error is there is asked of others: of the corpus's own machine reading (its manifest), of ElementTree, and of
the bytes. The files stay where they are.
"""

import asyncio
import gzip
import json
import re
import socket
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree as ET

import pytest
from tests.check.serving import serving

from waypost.check import fetch
from waypost.check.drive import acheck
from waypost.check.resolve import Resolver
from waypost.check.rule import Severity

CORPUS = next((found for up in Path(__file__).parents if (found := up / "shared" / "corpus").is_dir()), Path("absent"))
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not here")
AT_ONCE = 8
PAGE = '<!doctype html><html><head><title>t</title><link rel="alternate" type="{}" href="/feed.xml"></head></html>'


def no_names(host):
    """The files name real hosts; nobody looks for them."""
    raise socket.gaierror(socket.EAI_NONAME, "no names here")


class File:
    """A file of the corpus, and what others say of it."""

    def __init__(self, row):
        self.name, self.kind = row["file"], row["kind"]
        self.data = (CORPUS / row["file"]).read_bytes()
        self.truth, self.defects = row["truth"], row["truth"].get("defects", {})

    def routes(self):
        if self.kind == "robots":
            return {"/robots.txt": ("text/plain", self.data)}
        if self.kind == "sitemaps":
            return {"/sitemap.xml": ("text/plain" if ".txt" in self.name else "application/xml", self.data)}
        media = "application/atom+xml" if b"<feed" in self.data[:4000] else "application/rss+xml"
        return {"/": ("text/html", PAGE.format(media).encode()), "/feed.xml": (media, self.data)}

    def has(self, *defects):
        return any(defect in self.defects for defect in defects)

    @property
    def is_broken(self):
        return self.truth.get("well_formed") is not True

    @property
    def tree(self):
        return ET.fromstring(self.data)

    def lacks(self, parent, *names):
        found = self.tree.find(parent) if parent != "." else self.tree
        return any(not (found.findtext(name) or "").strip() for name in names)

    def text(self, pattern):
        data = gzip.decompress(self.data) if self.truth.get("gzip") else self.data
        return re.search(pattern, data.decode("utf-8", "replace"), re.IGNORECASE | re.MULTILINE)


ATOM = "{http://www.w3.org/2005/Atom}"
IS_THERE = {
    # One row a code: what somebody else must say of the file before an error of ours is believed.
    "FED801": lambda f: f.is_broken or f.truth["root"] == "html",
    "FED804": lambda f: f.lacks("channel", "title", "link", "description"),
    "FED805": lambda f: f.lacks(".", f"{ATOM}id", f"{ATOM}title", f"{ATOM}updated"),
    "FED809": lambda f: f.text(r"<guid>\s*(?!https?:)[^<]+</guid>"),
    "FED813": lambda f: f.text(r"<lastBuildDate>\s*</lastBuildDate>") or f.has("template-unrendered"),
    "FED817": lambda f: any(not e.get("length") for e in f.tree.iter("enclosure")),
    "FED827": lambda f: f.is_broken and not f.data.startswith((b"<", b"\xef\xbb\xbf<")),
    "RBT113": lambda f: b"\0" in f.data or f.data.startswith((b"\xff\xfe", b"\xfe\xff")),
    "RBT204": lambda f: f.truth["user_agent_lines"] == 0,
    "RBT206": lambda f: f.text(r"^user-agent:.*mozilla/.*\("),
    "RBT301": lambda f: f.text(r"^disallow:\s*/\s*(#.*)?$"),
    "RBT307": lambda f: f.truth["relative_sitemaps"] > 0,
    "SMD101": lambda f: f.kind != "sitemaps",
    "SMF101": lambda f: f.truth["relative_sitemaps"] > 0,
    "SMF102": lambda f: f.truth["n_sitemap_directives"] > f.truth["relative_sitemaps"],
    "SMF109": lambda f: f.has("empty-body"),
    "SMP201": lambda f: f.truth["well_formed"] is False,
    "SMP203": lambda f: f.truth["well_formed"] is False and f.text("&(?!#?[a-z0-9]+;)"),
    "SMP204": lambda f: f.is_broken and not f.data.startswith(b"<"),
    "SMP207": lambda f: f.truth["root"] not in {"urlset", "sitemapindex", "rss", "feed", "text"},
    "SMP208": lambda f: f.has("wrong-namespace"),
    "SMP212": lambda f: f.has("missing-loc"),
    "SMP215": lambda f: f.has("loc-relative"),
    "SMP217": lambda f: f.has("loc-inner-whitespace"),
    "SMS509": lambda f: f.text(r"https?://([\w-]+\.)?(example\.(com|org|net)|localhost|[\w-]+\.local)[:/<\s]"),
    "SMS510": lambda f: f.text(r"https?://[^/\s]*/?https?://"),
}  # fmt: skip


async def checked(files):
    seats = asyncio.Semaphore(AT_ONCE)

    async def one(origin):
        async with seats:
            return await acheck(origin)

    with mock.patch.object(fetch, "_SHARED_RESOLVER", Resolver(no_names)):
        async with serving([file.routes() for file in files]) as origins:
            return await asyncio.gather(*(one(origin) for origin in origins))


KINDS = ("robots", "sitemaps", "feeds")


def judged(kind):
    """Of all files of a kind: their number, the crashes, every error-severity finding, and those nobody else sees."""
    files = [File(row) for row in json.loads((CORPUS / "manifest.json").read_text()) if row["kind"] == kind]
    results = asyncio.run(checked(files))
    errors = [
        (file, finding)
        for file, result in zip(files, results, strict=True)
        for _, finding in result.findings()
        if finding.severity is Severity.ERROR
    ]
    wrong = [(file.name, one.code, one.message) for file, one in errors if not IS_THERE[one.code](file)]
    return len(files), [crash for result in results for crash in result.crashes], len(errors), wrong


@pytest.mark.parametrize("kind", KINDS)
def test_no_crash_and_no_error_that_is_not_there(kind):
    files, crashes, _, wrong = judged(kind)
    assert files > 30
    assert crashes == []
    assert wrong == []


def test_what_others_say_is_wrong_is_found():
    """The other way round: a sitemap that is no XML, has no URL or names a relative one is never passed."""
    rows = [row for row in json.loads((CORPUS / "manifest.json").read_text()) if row["kind"] == "sitemaps"]
    known = ("not-well-formed", "empty-body", "empty-urlset", "loc-relative", "missing-loc", "wrong-namespace")
    files = [file for file in map(File, rows) if file.has(*known)]
    assert len(files) >= 15
    results = asyncio.run(checked(files))
    assert [file.name for file, one in zip(files, results, strict=True) if one.status.value == "pass"] == []
