"""The first scan of a big root: 200,000 id objects with JSON sidecars (and with `BENCH_MILLION=1` 1,000,000), one worker.

Cold start is what `waypost serve` does before its first answer, less what it does on a root of one page, against
`find -printf` of every name and time on the same tree; memory is what the worker holds beyond that small one.
"""

import gc
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import psutil
from tests.web import roots

from bench import loopback
from bench.harness import Figure, absent
from bench.loopback import Line, question

COUNTS = (200_000, 1_000_000) if os.environ.get("BENCH_MILLION") else (200_000,)
ROUNDS = 3
ADDED = 20
FIND = shutil.which("find") or ""
_PART = b"<loc>http://example.com"


def _seconds_of_find(content: Path) -> float:
    started = time.perf_counter()
    subprocess.run([FIND, str(content), "-type", "f", "-printf", "%p %T@\\n"], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


@contextmanager
def _serving(root: Path, log: Path) -> Iterator[tuple[int, float, psutil.Process]]:
    """A server, its port, the seconds until its first answer, and its worker."""
    started = time.perf_counter()
    with loopback.waypost(root, log) as (port, process):
        line = Line(port)
        line.answer(question("/robots.txt"))
        took = time.perf_counter() - started
        line.close()
        (worker,) = psutil.Process(process.pid).children(recursive=True)[-1:]
        yield port, took, worker


def _own_bytes(worker: psutil.Process) -> int:
    return int(worker.memory_full_info().uss)


def _started(count: int, root: Path, small: Path, log: Path) -> Iterator[Figure]:
    finds, waits, sizes = [], [], []
    for _ in range(ROUNDS if count <= 200_000 else 1):
        gc.collect()
        finds.append(_seconds_of_find(root / "content"))
        with _serving(small, log) as (_, took, worker):
            bare, held = took, _own_bytes(worker)
        with _serving(root, log) as (_, took, worker):
            waits.append(took - bare)
            sizes.append((_own_bytes(worker) - held) / count)
    ratio, size, name = median(waits) / median(finds), median(sizes), f"{count:,} id objects with JSON sidecars"
    how = f"{median(waits):.2f} s against {median(finds):.2f} s, medians of {len(waits)} in turns; the start of a server of one page taken off"
    yield Figure("B", f"cold start of {name} ÷ find -printf", f"{ratio:.2f}", "≤ 3", "≤ 2", ratio <= 3, how)
    how = "memory the one worker alone holds when it is ready, beyond that of a root of one page"
    yield Figure("B", f"memory a page, {name}", f"{size:.0f} B", "≤ 900 B", "≤ 500 B", size <= 900, how)


def _one_page_more(root: Path, log: Path) -> Figure:
    """How many parts change over the real door when one page is added."""
    most = 0
    with _serving(root, log) as (port, _, _worker):
        line = Line(port)
        index = line.answer(question("/sitemap.xml"))[1]
        parts = [row.split(b"</loc>", 1)[0].decode() for row in index.split(_PART)[1:]]
        before = [_etag(line, part) for part in parts]
        for number in range(ADDED):
            key = f"{number:014x}{number:02x}"
            blob = root / f"content/{key[-2:]}/{key}.1"
            (blob.parent / f"{blob.name}.json").write_text(f'{{"alias": "added-{number}", "title": "Added"}}')
            blob.write_text("# Added\n")
            after = [_etag(line, part) for part in parts]
            most = max(most, sum(one != other for one, other in zip(before, after, strict=True)))
            before = after
        line.close()
    how = f"{ADDED} pages written one after the other; the validators of {len(parts)} parts asked after each"
    return Figure(
        "B",
        "parts that change over HTTP when one page is added to 200,000",
        str(most),
        "1 (2 when cut)",
        "",
        most == 1,
        how,
    )


def _etag(line: Line, path: str) -> bytes:
    head = line.answer(question(path, "HEAD"))[0]
    return next(row for row in head.split(b"\r\n") if row.startswith(b"etag"))


def figures() -> list[Figure]:
    """The figures of a big root."""
    if not FIND:
        return [absent("B", "cold start ÷ find -printf", "≤ 3", "find")]
    rows: list[Figure] = []
    for count in COUNTS:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
            small = roots.many(folder / "small", 1, shards=1)
            root = roots.many(folder / "root", count)
            rows += _started(count, root, small, folder / "log")
            if count == COUNTS[0]:
                rows.append(_one_page_more(root, folder / "log"))
    return rows
