"""What the look at the disk costs before each answer when nothing changed, at 10, 5,000 and 50,000 pages."""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.web import roots

from bench.harness import Figure, absent
from waypost.site.cache import PageMetaCache
from waypost.site.live import LiveConfig

HOME = Path(__file__).resolve().parent.parent
COUNTS = (10, 5_000, 50_000)
BATCH, BATCHES, TRACED = 2_000, 25, 100
MUST_US = 5.0
STRACE = shutil.which("strace") or ""
_BEGIN, _END = "/waypost-looks-begin", "/waypost-looks-end"


def _opened(root: Path) -> PageMetaCache:
    cache = PageMetaCache(str(root), LiveConfig(str(root)))
    cache.open()
    return cache


def _microseconds(root: Path) -> float:
    """CPU time of one look: a busy machine interrupts, and that is not what a look costs."""
    cache, taken = _opened(root), []
    for _ in range(BATCHES):
        started = time.process_time()
        for _ in range(BATCH):
            cache.try_table()
        taken.append((time.process_time() - started) / BATCH * 1e6)
    cache.close()
    cache.config.close()
    return median(taken)


def look(root: str) -> None:
    """Look so many times between two system calls that a tracer finds again."""
    cache = _opened(Path(root))
    cache.try_table()
    Path(_BEGIN).exists()
    for _ in range(TRACED):
        cache.try_table()
    Path(_END).exists()


def _calls(root: Path, log: Path) -> list[str]:
    """The system calls of one look, as strace saw them."""
    code = f"from bench.idle_check import look; look({str(root)!r})"
    subprocess.run(
        [STRACE, "-f", "-o", str(log), sys.executable, "-c", code], cwd=HOME, check=True, capture_output=True
    )
    lines = log.read_text(errors="replace").splitlines()
    places = [next(at for at, line in enumerate(lines) if mark in line) for mark in (_BEGIN, _END)]
    names = [line.split(None, 1)[1].partition("(")[0] for line in lines[places[0] + 1 : places[1]]]
    return [f"{name} × {names.count(name) / TRACED:g}" for name in sorted(set(names))]


def figures() -> list[Figure]:
    """One row of times, one of system calls."""
    times: list[float] = []
    calls: list[list[str]] = []
    with tempfile.TemporaryDirectory() as place:
        for count in COUNTS:
            root = roots.many(Path(place) / str(count), count)
            times.append(_microseconds(root))
            if STRACE:
                calls.append(_calls(root, Path(place) / "trace"))
    sizes = f"{COUNTS[0]}, {COUNTS[1]:,} and {COUNTS[2]:,} pages"
    value = " / ".join(f"{taken:.1f}" for taken in times)
    name, must = "the look at the disk when nothing changed", "≤ 5 µs"
    how = f"at {sizes}; CPU time, medians of {BATCHES} × {BATCH:,} looks, the configuration's included"
    first = Figure("B", name, f"{value} µs", must, "≤ 2 µs", max(times) <= MUST_US, how)
    name, must = "system calls of one look", "constant"
    if not calls:
        return [first, absent("B", name, must, "strace")]
    is_constant = all(row == calls[0] for row in calls)
    return [first, Figure("B", name, ", ".join(calls[-1]), must, "", is_constant, f"the same at {sizes}, by strace")]
