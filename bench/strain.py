"""Strangers and storms of safety.md, section 3: slow heads and readers, lost queues, huge renames, gzip, reloads.

`BENCH_SLOW_HEADS` sets how many half-sent heads are held (10,000), `BENCH_RELOADED` the requests asked across reloads.
"""

import json
import os
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from threading import Event, Thread

import psutil
from tests.web import roots

from bench import loopback
from bench.harness import Figure
from bench.loopback import Line, question

SLOW_HEADS = int(os.environ.get("BENCH_SLOW_HEADS", "10000"))
SLOW_READERS = 500
RELOADED = int(os.environ.get("BENCH_RELOADED", "5000"))
MOVED_FILES = 100_000
COMPRESSED = 2_000
ASKED = 400
_ROBOTS, _MAP = question("/robots.txt"), question("/sitemap.xml")
_READY = question("/readyz", host="127.0.0.1")


@contextmanager
def _served(root: Path, *more: str) -> Iterator[tuple[int, psutil.Process]]:
    with loopback.waypost(root, root.parent / "log", *more) as (port, process):
        yield port, psutil.Process(process.pid)


def _p99_ms(port: int) -> float:
    """The 99th percentile of asking for robots.txt on one connection."""
    line, taken = Line(port), []
    for _ in range(ASKED):
        started = time.perf_counter()
        line.answer(_ROBOTS)
        taken.append((time.perf_counter() - started) * 1_000)
    line.close()
    return quantiles(taken, n=100)[98]


def _worker_bytes(server: psutil.Process) -> int:
    return sum(int(worker.memory_info().rss) for worker in server.children(recursive=True))


def _until_idle(server: psutil.Process, seconds: float = 30.0) -> None:
    """Wait until the workers have sent all that the readers' sockets take."""
    end, before = time.monotonic() + seconds, -1.0
    while time.monotonic() < end:
        spent = _spent_s(server)
        if spent - before < 0.02:
            return
        before = spent
        time.sleep(1)


def _slow_heads(root: Path) -> Iterator[Figure]:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = SLOW_HEADS if hard == resource.RLIM_INFINITY else min(SLOW_HEADS, hard - 200)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most + 200, hard))
    with _served(root) as (port, server):
        idle, before = _p99_ms(port), _worker_bytes(server)
        held, since = [], time.monotonic()
        for _ in range(most):
            line = Line(port)
            line.say(b"GET / HTTP/1.1\r\nHost: exam")
            held.append((line, time.monotonic()))
        grown = (_worker_bytes(server) - before) / most / 1_024
        busy, opened = _p99_ms(port), time.monotonic() - since
        longest = 0.0
        for line, started in held:
            line.until_closed()
            longest = max(longest, time.monotonic() - started)
            line.close()
    how = f"{busy:.2f} against {idle:.2f} ms; all held at once, opened within {opened:.1f} s"
    name = f"{most:,} half-sent heads: p99 of a good client ÷ idle"
    yield Figure("B", name, f"{busy / idle:.1f}", "≤ 2", "", busy <= 2 * idle, how)
    name = f"{most:,} half-sent heads: closed, memory of each"
    is_met = longest <= 10 and grown <= 25
    yield Figure("B", name, f"≤ {longest:.1f} s, {grown:.1f} KiB", "≤ 10 s, ≤ 25 KiB", "", is_met, "resident memory")


def _slow_readers(root: Path) -> Iterator[Figure]:
    with _served(root) as (port, server):
        first = Line(port)
        size = len(first.answer(_MAP)[1])
        idle, before = _p99_ms(port), _worker_bytes(server)
        lines = [Line(port, receive_buffer=4_096) for _ in range(SLOW_READERS)]
        for line in lines:
            line.say(_MAP)
        _until_idle(server)
        grown, busy = (_worker_bytes(server) - before) / SLOW_READERS / 1_024, _p99_ms(port)
        for line in (first, *lines):
            line.close()
    name, how = (
        f"{SLOW_READERS} readers who stop in a body of {size / 1e6:.0f} MB",
        f"p99 {busy:.2f} against {idle:.2f} ms",
    )
    yield Figure("B", f"{name}: memory of each", f"{grown:.0f} KiB", "≤ 512 KiB", "", grown <= 512, "resident memory")
    yield Figure("B", f"{name}: p99 of others ÷ idle", f"{busy / idle:.1f}", "≤ 2", "", busy <= 2 * idle, how)


def _overflow(root: Path) -> Iterator[Figure]:
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    names = [root / "content/one.md", root / "content/other.md"]
    for name in names:
        name.write_text("# 0\n")
    with _served(root) as (port, _):
        line = Line(port)
        line.answer(_MAP)
        with names[0].open("r+b", 0) as one, names[1].open("r+b", 0) as other:
            for _ in range(most):
                for stream in (one, other):
                    stream.seek(0)
                    stream.write(b"# 1\n")
        (root / "content/last.md").write_text("# Last\n")
        started = time.perf_counter()
        line.close()
        line = Line(port)
        is_seen = b"/last<" in line.answer(_MAP)[1]
        took = time.perf_counter() - started
        rescans = json.loads(line.answer(_READY)[1])["roots"][0]["rescans"]
        line.close()
    how = f"{2 * most:,} events for a queue of {most:,}; {rescans} rescan"
    yield Figure("B", "a lost queue of changes: everything true again", f"{took:.2f} s", "≤ 10 s", "",
                 is_seen and took <= 10 and rescans > 0, how)  # fmt: skip


def _huge_rename(root: Path) -> Iterator[Figure]:
    away = root.parent / "away"
    for number in range(MOVED_FILES):
        path = away / f"f{number // 1_000}/p{number}.md"
        if number % 1_000 == 0:
            path.parent.mkdir(parents=True)
        path.write_text("# Page\n")
    with _served(root) as (port, _):
        one, other = Line(port), Line(port)
        one.answer(_ROBOTS)
        other.answer(_READY)
        waits: list[float] = []
        done = Event()

        def asks() -> None:
            while not done.is_set():
                asked = time.perf_counter()
                one.answer(_ROBOTS)
                waits.append((time.perf_counter() - asked) * 1_000)
                time.sleep(0.002)

        away.rename(root / "content/moved")
        started = time.perf_counter()
        asker = Thread(target=asks)
        asker.start()
        seen = other.answer(question("/moved/f99/p99999.md"))[0]
        took = time.perf_counter() - started
        done.set()
        asker.join()
        one.close()
        other.close()
    p99 = quantiles(waits, n=100)[98] if len(waits) > 1 else 0.0
    name = f"{MOVED_FILES:,} files by one rename"
    yield Figure(
        "B",
        f"{name}: visible",
        f"{took:.2f} s",
        "≤ 2 s",
        "",
        b" 200 " in seen and took <= 2,
        "the first request waits for it",
    )
    yield Figure(
        "B", f"{name}: robots.txt meanwhile, p99", f"{p99:.1f} ms", "≤ 50 ms", "", p99 <= 50, f"{len(waits)} requests"
    )


def _amplified(root: Path) -> Iterator[Figure]:
    """What a stranger who wants everything compressed costs with each request: answers in pairs, one of them plain."""
    spent = {}
    with _served(root) as (port, server):
        line = Line(port)
        for form, asked in (("plain", _MAP), ("gzip", question("/sitemap.xml", Accept_Encoding="gzip"))):
            size = len(line.answer(asked)[1])
            before = _spent_s(server)
            for _ in range(COMPRESSED):
                line.ask(asked)
            spent[form] = (_spent_s(server) - before) / COMPRESSED * 1_000, size
        line.close()
    (plain_ms, whole), (taken_ms, packed) = spent.values()
    how = f"{whole:,} bytes sent as {packed:,}; plain {plain_ms:.2f} ms; all of the server's processor time"
    yield Figure("B", "a map of 1,000 URLs, gzip asked: processor time of a request", f"{taken_ms:.2f} ms", "≤ 1 ms", "",
                 taken_ms <= 1, how)  # fmt: skip


def _spent_s(server: psutil.Process) -> float:
    return sum(sum(worker.cpu_times()[:2]) for worker in server.children(recursive=True))


def _reloads(root: Path) -> Iterator[Figure]:
    failed = 0
    with _served(root, "--workers", "2") as (port, server):
        for number in range(RELOADED):
            if number % 500 == 0:
                server.send_signal(signal.SIGHUP)
            if number % 50 == 0:
                line = Line(port)
            try:
                failed += b" 200 " not in line.answer(_MAP)[0][:16]
            except OSError:
                failed += 1
            if number % 50 == 49:
                line.close()
    how = "SIGHUP every 500 requests, 2 workers, a new connection every 50"
    yield Figure("B", "requests that fail across reloads", f"{failed} of {RELOADED:,}", "0", "", not failed, how)


def figures() -> list[Figure]:
    """Each storm on a root of its own."""
    storms: tuple[tuple[Callable[[Path], Iterator[Figure]], int], ...] = (
        (_slow_heads, 10), (_slow_readers, 50_000), (_overflow, 10), (_huge_rename, 10), (_amplified, 1_000),
        (_reloads, 200),
    )  # fmt: skip
    rows: list[Figure] = []
    for storm, pages in storms:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
            rows += storm(roots.many(Path(place) / "root", pages))
    return rows
