"""Figures of part A about reading sitemaps: time against lxml's bare parse and other readers, memory in its own process."""

import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from bench.harness import Figure, absent, interleaved
from bench.peers import python_of
from waypost.dates import DateForm, read_w3c
from waypost.formats.document import Document
from waypost.formats.sitemap import read_sitemap
from waypost.formats.urlproof import are_plain

URLS = 50_000
ORIGIN = "https://www.example.com/"
ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
FREQUENCIES = {"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}

# A peer reads the file once for each line on its standard input, and answers with the CPU time it took.
PEERS = {
    "ultimate-sitemap-parser": (
        "usp",
        (6, 20),
        """
import logging
from usp.tree import sitemap_from_str
logging.disable(logging.CRITICAL)
text = data.decode()
def read(): return sum(1 for _ in sitemap_from_str(text).all_pages())
""",
    ),
    "advertools": (
        "advertools",
        (4, 14),
        """
from advertools.sitemaps import sitemap_to_df
def read(): return len(sitemap_to_df("file://" + path))
""",
    ),
    "scrapy": (
        "scrapy",
        (1.5, 5),
        """
from scrapy.utils.sitemap import Sitemap
def read(): return len(list(Sitemap(data)))
""",
    ),
}
LOOP = """
import sys, time
path = sys.argv[1]
data = open(path, "rb").read()
{code}
print(read(), flush=True)
for line in sys.stdin:
    started = time.process_time()
    read()
    print(time.process_time() - started, flush=True)
"""
MEMORY = """
import json, resource, sys
from bench.harness import peak_mb
from waypost.formats.sitemap import SitemapReader, read_sitemap
def now(): return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
read_sitemap(b"<urlset/>"), read_sitemap(b"https://example.com/")
idle = now()
if sys.argv[2] == "chunks":
    reader = SitemapReader()
    with open(sys.argv[1], "rb") as file:
        while chunk := file.read(65536):
            reader.feed(chunk)
    document = reader.close()
else:
    document = read_sitemap(open(sys.argv[1], "rb").read(), exact=sys.argv[2] == "exact")
print(json.dumps([len(document.locs), peak_mb() - idle / 2**20]))
"""


def document(urls: int = URLS) -> bytes:
    """A plain urlset of some 7 MB, every field filled, one entry a line."""
    entries = (
        f"<url><loc>{ORIGIN}section-{number % 97}/page-{number}.html</loc><lastmod>2026-{1 + number % 12:02}-{1 + number % 28:02}</lastmod>"
        f"<changefreq>weekly</changefreq><priority>0.{number % 10}</priority></url>\n"
        for number in range(urls)
    )
    root = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n{"".join(entries)}</urlset>\n'.encode()


def check_fields(found: Document) -> int:
    """Every field check over the columns: URLs, host, repeats, dates, frequencies, priorities. The count of what is odd."""
    odd = 0 if are_plain(found.locs) else 1
    odd += len(found.locs) - ("\n" + "\n".join(found.locs)).count("\n" + ORIGIN)
    odd += len(found.locs) - len(set(found.locs))
    odd += sum(read_w3c(date).form is DateForm.INVALID for date in set(found.lastmods) if date is not None)
    odd += len(set(found.changefreqs) - FREQUENCIES - {None})
    odd += sum(not 0 <= float(priority) <= 1 for priority in set(found.priorities) if priority is not None)
    return odd


def check_reading(data: bytes, *, exact: bool = False) -> None:
    """Read and check, as the candidates of the figures do."""
    found = read_sitemap(data, exact=exact)
    if len(found.locs) != URLS or check_fields(found):
        raise AssertionError("the benchmark's own document was misread")


@contextmanager
def peer(name: str, code: str, path: Path) -> Iterator[Callable[[], float] | None]:
    """One reading of the file by a peer in its own environment, timed; None where it is absent or does not work."""
    python = python_of(name)
    if python is None:
        yield None
        return
    command = [str(python), "-c", LOOP.format(code=code), str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        if child.stdin is None or child.stdout is None:
            raise AssertionError("pipes were asked for")

        def read() -> float:
            child.stdin.write("\n")
            child.stdin.flush()
            return float(child.stdout.readline())

        yield read if child.stdout.readline().strip() == str(URLS) else None
        child.stdin.close()


def memory(path: Path, how: str) -> float:
    """MiB over idle at the peak, in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", MEMORY, str(path), how], cwd=ROOT, capture_output=True, text=True, check=True
    )
    count, used = json.loads(ran.stdout)
    if count != URLS:
        raise AssertionError("the benchmark's own document was misread")
    return float(used)


def ratio(
    name: str, measured: float, base: float, *, must: float | None = None, aim: float | None = None, how: str
) -> Figure:
    """How many times as long as lxml takes to parse and do nothing."""
    bound = must if must is not None else aim
    value = f"{measured / base:.2f}× ({1000 * measured:.0f} ms)"
    return Figure("A", name, value, _at_most(must), _at_most(aim), bound is None or measured / base <= bound, how)


def _at_most(bound: float | None) -> str:
    return "" if bound is None else f"≤ {bound}×"


def against_lxml(data: bytes) -> list[Figure]:
    """The exact reader and the fast path against lxml's bare parse."""
    from lxml import etree

    took = interleaved(
        {
            "lxml": lambda: etree.fromstring(data),
            "exact": lambda: read_sitemap(data, exact=True),
            "fast": lambda: read_sitemap(data),
            "checked": lambda: check_reading(data),
        },
        rounds=15,
        clock=time.process_time,
    )
    how = f"{URLS:,} URLs, {len(data) / 1e6:.1f} MB; lxml bare {1000 * took['lxml']:.0f} ms; median CPU time of 15 interleaved"
    return [
        ratio("sitemap read, exact reader, all columns", took["exact"], took["lxml"], must=3.5, how=how),
        ratio("sitemap read, fast path, all columns", took["fast"], took["lxml"], aim=1.1, how=how),
        ratio("sitemap read, fast path, all field checks", took["checked"], took["lxml"], aim=1.4, how=how),
    ]


def ours(data: bytes) -> float:
    """The CPU time of one reading here."""
    gc.collect()
    started = time.process_time()
    read_sitemap(data)
    return time.process_time() - started


def against_peers(data: bytes, path: Path) -> Iterator[Figure]:
    """Against other readers, each in an environment and a process of its own."""
    for name, (environment, (must, aim), code) in PEERS.items():
        title = f"sitemap read against {name}"
        with peer(environment, code, path) as read:
            if read is None:
                yield absent("A", title, f"{must}× faster", name)
                continue
            pairs = [(read(), ours(data)) for _ in range(5)]
            theirs, own = (median(took) for took in zip(*pairs, strict=True))
            times = theirs / own
            how = f"{1000 * theirs:.0f} ms against {1000 * own:.0f} ms of CPU time, every URL and field"
            yield Figure("A", title, f"{times:.1f}× faster", f"{must}×", f"{aim}×", times >= must, how)


def corpus() -> Figure:
    """Every sitemap and feed of the corpus against its manifest."""
    must = "no exception, every count equals"
    if not (CORPUS / "manifest.json").exists():
        return absent("A", "corpus of sitemaps and feeds", must, "../shared/corpus")
    rows = [row for row in json.loads((CORPUS / "manifest.json").read_text("utf-8")) if row["kind"] != "robots"]
    same = sum(read_sitemap((CORPUS / row["file"]).read_bytes()).entry_count == row["truth"]["urls"] for row in rows)
    return Figure(
        "A", "corpus of sitemaps and feeds", f"{same} of {len(rows)}", must, "", same == len(rows), "URL counts"
    )


def figures() -> list[Figure]:
    """All of them."""
    data = document()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sitemap.xml"
        path.write_bytes(data)
        used = {how: memory(path, how) for how in ("chunks", "exact", "fast")}
        rows = [*against_lxml(data), *against_peers(data, path), corpus()]
    whole = f"the file itself included: exact {used['exact']:.0f} MiB, fast {used['fast']:.0f} MiB"
    chunks = f"{used['chunks']:.0f} MiB over idle"
    rows.append(
        Figure(
            "A", "sitemap read, memory", chunks, "≤ 40 MiB", "", used["chunks"] <= 40, f"streamed; read whole, {whole}"
        )
    )
    return rows
