"""Samples of a rule's page as sites: the little language they are written in, and a fetcher that answers from it.

A sample is a document, or several exchanges:

    GET /robots.txt → 200 text/plain in 3 s
    Header: value
    Body: gzip twice

    the body, up to the next GET

A bare `<url>` or `<sitemap>` is wrapped into its root with the usual namespaces. `… × N` repeats a line, `{n}` counts
in it; `{3 images}`, `{33 tags}`, `{2049 characters}`, `{filler}` stand for what would be too long to write.
"""

import asyncio
import gzip
import json
import re
from dataclasses import replace

from waypost.check.baseline import read_baseline
from waypost.check.capture import Body, Capture, ErrorKind, Headers, Hop, Request, answered, unanswered
from waypost.check.drive import drive
from waypost.check.options import Options
from waypost.check.place import REDIRECTS, Place, onward, read_place
from waypost.check.rule import Step
from waypost.check.scan import Scan
from waypost.report.as_json import document, dumps
from waypost.urls import Origin, absolute, normalise

ORIGIN = "https://example.com"
NOW = 1_781_092_800.0  # 2026-06-10T12:00:00Z
NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
)
XMLMAP = (
    '<xmlmap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9'
    ' http://xml.robotsxml.org/schemas/xmlmap/0.1/xmlmap.xsd">'
)
ATOM = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x:t</id><updated>2026-06-01T10:00:00Z</updated>'
    "</feed>"
)
TARGETS = [(f"{ORIGIN}/feed.xml", "200 application/atom+xml", [], ATOM)]
LINKING = '<html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>'
_EXCHANGE = re.compile(r"^GET (\S+) → (.*)$", re.MULTILINE)
_KINDS = {kind.word: kind for kind in ErrorKind}


def written_out(text):
    """The sample with what it abbreviates."""
    lines = []
    for line in text.split("\n"):
        found = re.fullmatch(r"(.*) × (\d+)", line)
        if found:
            lines += [found[1].replace("{n}", f"{n:02}") for n in range(1, int(found[2]) + 1)]
        else:
            lines.append(line)
    text = "\n".join(lines)
    text = re.sub(r"\{(\d+) characters\}", lambda found: "x" * int(found[1]), text)
    text = re.sub(
        r"\{(\d+) images\}",
        lambda found: "<image:image><image:loc>https://example.com/i.jpg</image:loc></image:image>" * int(found[1]),
        text,
    )
    text = re.sub(r"\{(\d+) tags\}", lambda found: "<video:tag>t</video:tag>" * int(found[1]), text)
    text = re.sub(r"\{filler to (\d+) bytes\}", lambda found: ("x" * 60 + "\n# ") * (int(found[1]) // 63 + 1), text)
    return text.replace("{filler}", "x" * 1_000_000)


def wrapped(text):
    """A fragment as a document."""
    if text.startswith(("<url>", "<url ")):
        return f"<urlset {NAMESPACES}>\n{text}\n</urlset>"
    if text.startswith("<sitemap>"):
        return f"<sitemapindex {NAMESPACES}>\n{text}\n</sitemapindex>"
    return text


def exchanges(sample, rule):
    """The sample as a list of (URL, what is answered, header lines, body)."""
    if _EXCHANGE.match(sample):
        parts = _EXCHANGE.split(sample)[1:]
        return [
            (absolute(f"{ORIGIN}/", url), said, *_head_and_body(rest))
            for url, said, rest in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
        ]
    path, kind = "/sitemap.xml", "application/xml"
    if rule.code.startswith("RBT") or rule.code == "SML407":
        path, kind = "/robots.txt", "text/plain"
    elif rule.code.startswith("RXM"):
        path = "/robots.xml"
    elif rule.step is Step.FEED:
        path = "/feed.xml"
    body = written_out(sample)
    if path == "/robots.xml" and body.startswith("<url>"):
        return [(f"{ORIGIN}{path}", f"200 {kind}", [], f"{XMLMAP}{body}</xmlmap>"), *TARGETS]
    if path == "/feed.xml":
        return [(f"{ORIGIN}/", "200 text/html", [], LINKING), (ORIGIN + path, feed_type(body), [], body)]
    return [(ORIGIN + path, f"200 {kind}", [], body if path == "/robots.txt" else wrapped(body))]


def feed_type(body):
    """The status and type of a feed."""
    return "200 application/feed+json" if body.startswith("{") else "200 application/rss+xml"


def _head_and_body(rest):
    head, _, body = rest.lstrip("\n").partition("\n\n") if not rest.startswith("\n\n") else ("", "", rest[2:])
    lines = [line for line in head.split("\n") if line]
    body = written_out(body).rstrip("\n")
    return lines, body + "\n" if body else ""


def encoded(text, how):
    """A body as its Body line asks for."""
    match how:
        case "gzip, then 4 more bytes":
            return gzip.compress(text.encode()) + b"\x01\x02\x03\x04"
        case "gzip, cut":
            return gzip.compress(text.encode())[:-20]
        case "gzip, damaged":
            packed = gzip.compress(text.encode())
            return packed[:20] + b"\xff\xff\xff\xff" + packed[24:]
        case "gzip twice":
            return gzip.compress(gzip.compress(text.encode()))
        case "blank line first":
            return b"\n" + text.encode()
        case "":
            return text.encode()
    return text.encode(how)


class SampleFetcher:
    """Answers from the exchanges of a sample, and 404 for anything else; follows redirects like the real client."""

    def __init__(self, rows):
        self.rows = {read_place(url).url: (said, lines, body) for url, said, lines, body in rows}
        self.asked = []

    async def fetch(self, request: Request) -> Capture:
        hops, place = [], read_place(request.url)
        while isinstance(place, Place):
            self.asked.append(place.url)
            said, lines, body = self.rows.get(place.url, ("404 text/plain", [], "not found\n"))
            status, _, rest = said.partition(" in ")[0].partition(" ")
            elapsed_s = float(said.partition(" in ")[2].removesuffix(" s") or 0)
            if not status.isdigit():
                return replace(unanswered(request, _KINDS[status]), hops=(*hops, Hop(place.url)))
            headers = [line.partition(": ")[::2] for line in lines if not line.startswith("Body: ")]
            if rest:
                headers.append(("Content-Type", rest))
            hops.append(Hop(place.url, int(status), Headers(tuple(headers)), elapsed_s))
            if int(status) not in REDIRECTS:
                break
            place = onward(place, hops[-1].location, {normalise(hop.url) for hop in hops}, request.redirects_max)
        else:
            return Capture(request, tuple(hops), error=place)
        how = next((line.removeprefix("Body: ") for line in lines if line.startswith("Body: ")), "")
        data = encoded(body, how)[: request.bytes_max + 1]
        whole = replace(answered(request, Body(data), elapsed_s=elapsed_s), hops=tuple(hops))
        return replace(whole, has_trailing="Trailing: yes" in lines)


def scanned(rows, **choices):
    """The result of a scan of these exchanges."""
    first = Origin.parse(rows[0][0]) if rows else None
    is_ours = any(url.startswith(f"{ORIGIN}/") for url, *_ in rows)
    origin = ORIGIN if is_ours or first is None else str(first)
    return asyncio.run(drive(Scan(origin, Options(now=NOW, **choices)), SampleFetcher(rows)))


def site(**documents):
    """Exchanges of a site from its paths: `site(robots_txt="…", sitemap_xml="…")` or {"/path": text}."""
    return [
        (f"{ORIGIN}/{name.replace('_', '.')}", "200 text/plain" if "txt" in name else "200 application/xml", [], text)
        for name, text in documents.items()
    ]


def choices_for(rule):
    choices = {}
    if rule.step is Step.DEEP or rule.code == "SMP225":
        choices["deep"] = True
    if rule.step in {Step.PROBE, Step.TREND}:
        choices["probe"] = 10
    return choices


def run(rule, text):
    """The result of a sample; one with BEFORE and AFTER is two scans, the second with the first as its baseline."""
    choices = choices_for(rule)
    if not text.startswith("BEFORE\n"):
        return scanned(exchanges(text, rule), **choices)
    before, _, after = text.removeprefix("BEFORE\n").partition("\nAFTER\n")
    first = document(scanned(exchanges(before, rule), **choices))
    return scanned(exchanges(after, rule), **choices, baseline=read_baseline(json.loads(dumps(first))))


def codes(result):
    """The codes a result reports."""
    return {finding.code for _, finding in result.findings()}
