"""Serving figures of part B: one keep-alive connection over the loopback, against nginx and a bare ASGI application.

`BENCH_ROUNDS` sets how many rounds each comparison has.
"""

import gzip
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
from tests.web import roots

from bench import loopback
from bench.harness import Figure, absent, interleaved
from bench.loopback import Line, question
from waypost.publish.page import Page
from waypost.publish.respond import Ask, Site, respond
from waypost.publish.table import PageTable

COUNT = 50_000
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "60"))
BATCH = 100
IDLE_READERS = 100
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
ENTITY = '"0123456789abcdef0123456789abcdef"'
# What an application has to do for a 304 and nothing else: the same headers as ours, and no thought.
BARE = f"""
HEADERS = [(b"etag", b'{ENTITY}'), (b"cache-control", b"no-cache"), (b"vary", b"accept-encoding"),
           (b"x-content-type-options", b"nosniff")]
async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive()
        await send({{"type": "lifespan.startup.complete"}})
        await receive()
        await send({{"type": "lifespan.shutdown.complete"}})
        return
    await send({{"type": "http.response.start", "status": 304, "headers": HEADERS}})
    await send({{"type": "http.response.body", "body": b""}})
"""
# The same bytes, made beforehand and cut as ours are: what is left is the server's own time.
MADE = """
from waypost.limits import STREAM_PIECE_BYTES
with open({file!r}, "rb") as stream:
    WHOLE = stream.read()
PIECES = [WHOLE[start:start + STREAM_PIECE_BYTES] for start in range(0, len(WHOLE), STREAM_PIECE_BYTES)]
HEADERS = [(b"content-type", b"application/xml"), (b"content-length", b"%d" % len(WHOLE))]
async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive()
        await send({{"type": "lifespan.startup.complete"}})
        await receive()
        await send({{"type": "lifespan.shutdown.complete"}})
        return
    await send({{"type": "http.response.start", "status": 200, "headers": HEADERS}})
    for piece in PIECES:
        await send({{"type": "http.response.body", "body": piece, "more_body": True}})
    await send({{"type": "http.response.body", "body": b""}})
"""
HOW = f"1 worker, 1 keep-alive connection, medians of {ROUNDS} rounds in turns"


def _batch(line: Line, asked: bytes) -> Callable[[], None]:
    def run() -> None:
        for _ in range(BATCH):
            line.ask(asked)

    return run


def _etag(head: bytes) -> str:
    return next(row for row in head.decode().split("\r\n") if row.startswith("etag"))[6:]


def _against_nginx(line: Line, body: bytes, folder: Path) -> Iterator[Figure]:
    """The document of 50,000 pages, plain and with gzip asked, in the time nginx takes for the same bytes on disk."""
    name, zipped = f"sitemap of {COUNT:,} pages ÷ nginx static, sendfile", "the same with gzip asked"
    if not Path(NGINX).exists():
        yield from (absent("B", title, "≤ 1.3", "nginx") for title in (name, zipped))
        return
    files = {"sitemap.xml": body, "sitemap.xml.gz": gzip.compress(body, 6)}
    (folder / "made.xml").write_bytes(body)
    plain, packed = question("/sitemap.xml"), question("/sitemap.xml", Accept_Encoding="gzip")
    with (
        loopback.nginx(NGINX, folder / "static", files, "gzip_static on;") as static,
        loopback.nginx(NGINX, folder / "live", files, "gzip on; gzip_comp_level 1; gzip_types *;") as live,
        loopback.bare(MADE.format(file=str(folder / "made.xml")), folder / "made.log") as made,
    ):
        stored, packs, ready = Line(static), Line(live), Line(made)
        taken = interleaved(
            {
                "ours": lambda: line.ask(plain),
                "nginx": lambda: stored.ask(plain),
                "made": lambda: ready.ask(plain),
                "ours gzip": lambda: line.ask(packed),
                "nginx gzip_static": lambda: stored.ask(packed),
                "nginx gzip": lambda: packs.ask(packed),
            },
            rounds=ROUNDS,
        )
    first, second = taken["ours"] / taken["nginx"], taken["ours gzip"] / taken["nginx"]
    shown = {kind: f"{seconds * 1000:.2f} ms" for kind, seconds in taken.items()}
    floor = f"the same bytes, made beforehand, from our own server {shown['made']}"
    how = f"nginx {shown['nginx']}; {floor}; {HOW}"
    yield Figure("B", name, f"{first:.2f} ({shown['ours']})", "≤ 1.3", "≤ 0.95", first <= 1.3, how)
    others = (
        f"÷ nginx's own gzip, level 1: {taken['ours gzip'] / taken['nginx gzip']:.2f}; ÷ gzip_static, which compressed "
        f"nothing: {taken['ours gzip'] / taken['nginx gzip_static']:.1f} ({shown['nginx gzip_static']})"
    )
    yield Figure("B", zipped, f"{second:.2f} ({shown['ours gzip']})", "≤ 1.3", "≤ 0.95", second <= 1.3, others)


def _against_bare(line: Line, head: bytes, log: Path) -> Iterator[Figure]:
    """304 and HEAD against an application that thinks of nothing, under the same server and settings."""
    match = question("/sitemap.xml", If_None_Match=_etag(head))
    with loopback.bare(BARE, log) as port:
        taken = interleaved(
            {
                "bare": _batch(Line(port), match),
                "304": _batch(line, match),
                "HEAD": _batch(line, question("/sitemap.xml", "HEAD")),
            },
            rounds=ROUNDS,
        )
    for kind in ("304", "HEAD"):
        ratio = taken[kind] / taken["bare"]
        each = f"{taken[kind] / BATCH * 1e6:.0f} against {taken['bare'] / BATCH * 1e6:.0f} µs"
        yield Figure(
            "B",
            f"{kind} of /sitemap.xml ÷ a bare ASGI 304 with the same headers",
            f"{ratio:.2f}",
            "≤ 1.3",
            "≤ 1.1",
            ratio <= 1.3,
            f"{each} a request; {HOW}",
        )


def _idle_readers(port: int, process: psutil.Process) -> Figure:
    """Memory that readers cost who ask for the whole document and then stop reading."""
    workers = process.children(recursive=True)

    def resident() -> float:
        return sum(worker.memory_info().rss for worker in workers) / 1_048_576

    before = resident()
    lines = [Line(port, receive_buffer=65_536) for _ in range(IDLE_READERS)]
    for line in lines:
        line.say(question("/sitemap.xml"))
    time.sleep(2)
    grown = resident() - before
    for line in lines:
        line.close()
    how = "resident memory of the worker; each asked for the document and stopped reading"
    return Figure(
        "B", f"{IDLE_READERS} idle readers of a 5 MB body", f"{grown:.0f} MB", "≤ 60 MB over idle", "", grown <= 60, how
    )


def pages(count: int) -> Iterator[Page]:
    """Pages as sites have them."""
    for number in range(count):
        path = f"/section-{number % 97}/a-page-with-a-title-{number}"
        yield Page(number.to_bytes(8, "big"), path, 1_700_000_000.0 + number)


def _rendered() -> Figure:
    """A urlset of 50,000 pages in this process, against Django's own sitemap framework on the same paths."""
    name, must = f"render {COUNT:,} pages in process, faster than django.contrib.sitemaps", "≥ 1,000×"
    try:
        from bench.djangomap import rendered
    except ImportError:
        return absent("B", name, must, "django")
    table = PageTable(pages(COUNT))
    site, ask = Site(table), Ask("https://example.com", "GET", "/sitemap.xml")

    def ours() -> int:
        reply = respond(ask, site)
        assert reply is not None
        return sum(map(len, reply.body))

    theirs = rendered([(page.path, page.last_modified or 0.0) for page in table])
    assert theirs().count(b"<loc>") == COUNT < ours()
    slow = interleaved({"django": theirs, "ours": lambda: [ours() for _ in range(20)]}, rounds=3)
    ratio = slow["django"] / (slow["ours"] / 20)
    how = f"{slow['django']:.2f} s against {slow['ours'] / 20 * 1000:.3f} ms, the whole document each time"
    return Figure("B", name, f"{ratio:,.0f}×", must, "≥ 3,000×", ratio >= 1_000, how)


def _parts_changed() -> Figure:
    """How many parts of a split sitemap change when one page is added to 200,000, again and again."""
    table, held = PageTable(), 200_000
    table.load(pages(held))
    most = cuts = 0
    for number in range(held, held + 200):
        before = [run.set_hash for run in table.runs]
        table.add(Page(number.to_bytes(8, "big"), f"/added/{number}", 1_800_000_000.0))
        after = [run.set_hash for run in table.runs]
        is_cut = len(after) != len(before)
        changed = sum(one != other for one, other in zip(before, after, strict=False)) + abs(len(after) - len(before))
        most, cuts = max(most, changed - is_cut), cuts + is_cut
    how = f"200 pages added one after the other to 200,000; {cuts} of them cut a part, {len(after)} parts in the end"
    return Figure("B", "parts that change when one page is added", str(most), "1 (2 when cut)", "", most == 1, how)


def figures() -> list[Figure]:
    """The serving figures."""
    rows = [_rendered(), _parts_changed()]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        folder.chmod(0o755)
        root = roots.many(folder / "root", COUNT)
        port, process = stack.enter_context(loopback.waypost(root, folder / "log"))
        line = Line(port)
        time.sleep(2)
        head, body = line.answer(question("/sitemap.xml"))
        rows += _against_nginx(line, body, folder)
        rows += _against_bare(line, head, folder / "bare.log")
        rows.append(_idle_readers(port, psutil.Process(process.pid)))
    return rows


if __name__ == "__main__":
    for figure in figures():
        print(*figure, sep=" | ", file=sys.stdout)
