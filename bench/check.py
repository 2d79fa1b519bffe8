"""Figures of part C: one large site, a hundred small ones, and the known answers, each as a whole command.

python -m bench.check [--cases]
"""

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.check.serving import Routes, serving
from tests.check.test_corpus import CORPUS, KINDS, judged

from bench.harness import Figure, absent
from waypost.limits import SITEMAP_URLS_MAX

ROOT = Path(__file__).resolve().parent.parent
SITES = 100
ROUNDS = 5
LARGE_S_MUST, LARGE_S_AIM, LARGE_MB_MUST = 1.5, 0.7, 150
RATE_MUST, RATE_AIM = 50, 100
CASES_S_MAX = 1_800
SHARED = next((found for up in Path(__file__).parents if (found := up / "shared" / "cases").is_dir()), None)
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


class Run(NamedTuple):
    """What one command cost."""

    seconds: float
    cpu_s: float
    resident_mb: float
    output: bytes


def command(words: Sequence[str], data: bytes = b"", *, core: int | None = None) -> Run:
    """Run waypost as a person does; `core` is the one processor it may use."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "waypost", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
    )  # fmt: skip
    if core is not None:
        os.sched_setaffinity(process.pid, {core})
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(data)
    process.stdin.close()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    taken = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, output[-2000:]
    return Run(taken, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)


def site(origin: str, pages: int) -> Routes:
    """A site as publishers make them: robots.txt, a sitemap with dates, robots.xml, a feed and its list, a home page."""
    rows = "".join(
        f"<url><loc>{origin}/section-{n % 97}/a-page-with-a-title-{n}</loc>"
        f"<lastmod>2026-0{n % 5 + 1}-{n % 28 + 1:02}T{n % 24:02}:{n % 60:02}:00Z</lastmod></url>\n"
        for n in range(pages)
    )
    services = "".join(
        f"<url><loc>{origin}{path}</loc><namespace>{kind}</namespace></url>"
        for path, kind in (
            ("/sitemap.xml", "http://www.sitemaps.org/schemas/sitemap/0.9"),
            ("/feeds.opml", "http://www.opml.org/spec2"),
            ("/feed.atom", "http://www.w3.org/2005/Atom"),
        )
    )
    entry = f"<id>{origin}/a</id><title>a</title><updated>2026-01-20T10:00:00Z</updated><link href='{origin}/a'/>"
    head = f"<id>{origin}/</id><title>t</title><updated>2026-01-20T10:00:00Z</updated>"
    feed = f"<feed xmlns='http://www.w3.org/2005/Atom'>{head}<link rel='self' href='{origin}/feed.atom'/>"
    texts = {
        "/robots.txt": ("text/plain", f"User-agent: *\nDisallow: /cart\nAllow: /\n\nSitemap: {origin}/sitemap.xml\n"),
        "/sitemap.xml": ("application/xml", f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NS}>\n{rows}</urlset>\n'),
        "/robots.xml": ("application/xml", f"<xmlmap {NS}>{services}</xmlmap>"),
        "/feed.atom": ("application/atom+xml", f"{feed}<entry>{entry}</entry></feed>"),
        "/feeds.opml": ("text/x-opml", f"<opml version='2.0'><head><title>t</title></head><body><outline text='t' type='rss' xmlUrl='{origin}/feed.atom'/></body></opml>"),
        "/": ("text/html", "<!doctype html><html><head><title>t</title><link rel='alternate' type='application/atom+xml' title='t' href='/feed.atom'></head></html>"),
    }  # fmt: skip
    return {path: (kind, text.encode()) for path, (kind, text) in texts.items()}


async def _serve(count: int, pages: int) -> None:
    """Serve sites until the standard input ends; their origins are the first line of the output."""
    filled: list[dict[str, tuple[str, bytes]]] = [{} for _ in range(count)]
    async with serving(filled) as origins:
        for routes, origin in zip(filled, origins, strict=True):
            routes.update(site(origin, pages))
        print(json.dumps(origins), flush=True)
        await asyncio.to_thread(sys.stdin.read)


@contextlib.contextmanager
def served(count: int, pages: int) -> Iterator[list[str]]:
    """Sites in a process of their own, so that only the checker is measured."""
    words = [sys.executable, "-m", "bench.check", "serve", str(count), str(pages)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(words, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
        process.kill()


def large(rounds: int = ROUNDS) -> list[Figure]:
    """One site with as many pages as a sitemap may list."""
    with served(1, SITEMAP_URLS_MAX) as (origin,):
        runs = [command(["check", origin, "--format", "json"]) for _ in range(1 + rounds)][1:]
    report = json.loads(runs[0].output)
    assert report["score"] == 1.0
    seconds, resident = median(run.seconds for run in runs), max(run.resident_mb for run in runs)
    cpu_s = median(run.cpu_s for run in runs)
    how = f"waypost check URL --format json, median of {rounds}, {report['requests']} requests; {cpu_s:.2f} s of processor time"
    name = f"check of {SITEMAP_URLS_MAX:,} URLs, whole command"
    return [
        Figure("C", name, f"{seconds:.2f} s", f"≤ {LARGE_S_MUST} s", f"≤ {LARGE_S_AIM} s", seconds <= LARGE_S_MUST, how),
        Figure("C", f"{name}, resident", f"{resident:.0f} MB", f"≤ {LARGE_MB_MUST} MB", "", resident <= LARGE_MB_MUST, "the most at any time"),
    ]  # fmt: skip


def many(rounds: int = ROUNDS) -> Figure:
    """Small sites, all of them in one process on one core."""
    core = max(os.sched_getaffinity(0))
    with served(SITES, 20) as origins:
        data = "".join(f"{origin}\n" for origin in origins).encode()
        runs = [command(["check", "-", "--format", "jsonl"], data, core=core) for _ in range(1 + rounds)][1:]
    reports = [json.loads(line) for line in runs[0].output.splitlines()]
    assert [report["score"] for report in reports] == [1.0] * SITES
    asked = sum(report["requests"] for report in reports)
    rate, busy = (SITES / median(getattr(run, name) for run in runs) for name in ("seconds", "cpu_s"))
    how = f"waypost check - --format jsonl on one core, start included, {asked / SITES:.0f} requests a site; {busy:.0f} a second of processor time"
    return Figure(
        "C", f"{SITES} sites in one process", f"{rate:.0f} sites/s", f"≥ {RATE_MUST}", f"≥ {RATE_AIM}", rate >= RATE_MUST, how
    )  # fmt: skip


def crowded() -> Figure:
    """A site with four faults in every entry, each of them reported in the heaviest formats."""
    fault = "<url><loc>/page-{0}</loc><lastmod>day {0}</lastmod><changefreq>c{0}</changefreq><priority>{0}.5</priority></url>\n"
    most: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "site")
        folder.mkdir()
        for count in (1, SITEMAP_URLS_MAX - 1):
            rows = "".join(map(fault.format, range(count)))
            sitemap = f"<urlset {NS}>\n<url><loc>https://example.com/</loc></url>\n{rows}</urlset>\n"
            (folder / "sitemap.xml").write_text(sitemap)
            words = ["check", str(folder), "--base", "https://example.com", "--all-findings", "--fail-on", "never"]
            most[count] = max(
                command([*words, "--output", f"{place}/report.{ending}"]).resident_mb
                for ending in ("json", "sarif", "html", "txt")
            )
    idle, resident = most.values()
    return Figure(
        "C", f"check of {SITEMAP_URLS_MAX:,} faulty URLs with --all-findings, memory", f"{resident - idle:.0f} MB over idle",
        "≤ 160 MB", "", resident - idle <= 160, "the most of JSON, SARIF, HTML and text; 200,000 places",
    )  # fmt: skip


def cases() -> Figure:
    """The known answers that are handed round, asked as strangers would ask."""
    name = "known answers of the sitemap check, closed cases"
    if SHARED is None:
        return absent("C", name, "100 %", "../shared/cases")
    # A case whose sitemap stands on another loopback address needs that address admitted.
    ask = f"{sys.executable} -m waypost check {{url}} --format json --allow-private 127.0.0.0/8"
    done = subprocess.run(
        [sys.executable, str(SHARED / "run_cases.py"), "--cmd", ask],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")}, capture_output=True, text=True, check=False, timeout=CASES_S_MAX,
    )  # fmt: skip
    right, every = map(int, re.findall(r"closed (\d+)/(\d+) right", done.stdout)[0])
    return Figure(
        "C", name, f"{right} of {every}", "100 %", "", right == every, "run_cases.py, every step and side condition"
    )


def corpus() -> Figure:
    """Real files that nobody here wrote, each served on loopback; errors are confirmed by others (see the tests)."""
    name = "corpus on loopback: crashes, errors that are not there"
    if not CORPUS.is_dir():
        return absent("C", name, "0", "../shared/corpus")
    files, crashes, errors, wrong = (list(row) for row in zip(*map(judged, KINDS), strict=True))
    bad = sum(map(len, crashes)) + sum(map(len, wrong))
    how = f"{sum(files)} files; {sum(errors)} findings of severity error, each confirmed by the manifest, ElementTree or the bytes"
    return Figure("C", name, f"{sum(map(len, crashes))}, {sum(map(len, wrong))}", "0, 0", "", bad == 0, how)


def figures() -> list[Figure]:
    """The rows of this topic."""
    return [*large(), many(), crowded(), corpus(), cases()]


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        asyncio.run(_serve(int(sys.argv[2]), int(sys.argv[3])))
    else:
        for figure in [*large(), many(), crowded(), corpus(), *([cases()] if "--cases" in sys.argv else [])]:
            print(*figure, sep=" | ")
