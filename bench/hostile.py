"""Whole checks of every hostile behaviour, 24 at once in one process, under the default limits.

python -m bench.hostile [--bounded]
"""

import asyncio
import json
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bench.harness import Figure
from waypost.check.drive import Means, acheck
from waypost.check.options import Options
from waypost.check.settings import ClientSettings
from waypost.limits import SITE_REQUESTS_MAX

ROOT = Path(__file__).resolve().parent.parent
AUTHORITY = ROOT / "tests" / "hostile" / "certs" / "ca.pem"
AT_ONCE = 24
SITE_S_MAX = 45.0
TOGETHER_S_MUST = 60.0
FULL = ClientSettings(ca_file=str(AUTHORITY))
BOUNDED = ClientSettings(
    connect_s=1.0, first_byte_s=1.0, silence_s=1.0, request_s=3.0, site_s=8.0, rate_after_s=1.0, ca_file=str(AUTHORITY)
)
"""The same shape in a tenth of the time, for a machine that is shared."""


@dataclass
class Round:
    """What one run over all behaviours showed."""

    seconds: float
    slowest: tuple[float, str]
    crashed: list[str]
    most_requests: tuple[int, str]
    canary: int
    extra_mb: float
    count: int
    cpu_s: float
    """Processor time of the checker."""


class Server:
    """The hostile server in a process of its own, so that only the checker is measured."""

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.hostile"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.bases: dict[str, str] = json.loads(self._line())
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def report(self) -> dict[str, object]:
        assert self._process.stdin is not None
        self._process.stdin.write("report\n")
        self._process.stdin.flush()
        found: dict[str, object] = json.loads(self._line())
        return found


def resident_mb() -> float:
    """What this process holds in memory now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


class Watch:
    """The most memory held while it is entered, over what was held before."""

    def __enter__(self) -> Self:
        self.idle = self.most = resident_mb()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def _look(self) -> None:
        while not self._stop.wait(0.02):
            self.most = max(self.most, resident_mb())

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def extra_mb(self) -> float:
        return max(0.0, self.most - self.idle)


async def _all(bases: Mapping[str, str], settings: ClientSettings, at_once: int) -> tuple[dict[str, float], list[str]]:
    seats, taken, crashed = asyncio.Semaphore(at_once), {}, []

    async def one(name: str) -> None:
        async with seats:
            started = time.monotonic()
            try:
                result = await acheck(bases[name], Options(now=time.time()), Means(settings=settings))
                crashed.extend(f"{name}: {crash}" for crash in result.crashes)
            except Exception as error:
                crashed.append(f"{name}: {error!r}")
            taken[name] = time.monotonic() - started

    # Those that stall come first, as a scheduler that knows its list would have it.
    order = sorted(bases, key=lambda name: not any(word in name for word in ("stall", "drip", "slow", "tls", "mute")))
    await asyncio.gather(*(one(name) for name in order))
    return taken, crashed


def run(settings: ClientSettings, at_once: int = AT_ONCE) -> Round:
    """Check every behaviour once."""
    with Server() as server:
        asyncio.run(_all(dict(list(server.bases.items())[:1]), BOUNDED, 1))  # imports are no figure
        started, busy = time.monotonic(), time.process_time()
        with Watch() as watch:
            taken, crashed = asyncio.run(_all(server.bases, settings, at_once))
        busy = time.process_time() - busy
        report = server.report()
    asked = report["requests"]
    assert isinstance(asked, dict)
    first = next(iter(server.bases))
    most = max((count, name) for name, count in asked.items() if name != first)
    slowest = max((seconds, name) for name, seconds in taken.items())
    return Round(
        time.monotonic() - started, slowest, crashed, most, int(str(report["canary"])), watch.extra_mb, len(taken), busy
    )


def alone_mb(names: tuple[str, ...]) -> tuple[float, str]:
    """The most extra memory of one behaviour by itself, and its name."""
    worst = (0.0, "")
    with Server() as server:
        for name in names:
            asyncio.run(_all({"warm": server.bases["tls_fine"]}, FULL, 1))
            with Watch() as watch:
                asyncio.run(_all({name: server.bases[name]}, FULL, 1))
            worst = max(worst, (watch.extra_mb, name))
    return worst


HEAVY = ("gzip_bomb_everywhere", "gzip_bomb_in_bomb", "xml_open_only", "xml_comment_40m", "xml_attribute_40m",
         "xml_text_40m", "xml_loc_30m", "endless_body", "index_of_50000", "robots_sitemaps_10000")  # fmt: skip


def figures() -> list[Figure]:
    """The rows of this topic."""
    full = run(FULL)
    heavy_mb, heaviest = alone_mb(HEAVY)
    how = f"{full.count} behaviours, {AT_ONCE} at once in one process, default limits, the server in another process"
    at_once = f"{how}; {full.cpu_s:.0f} s of processor time"
    slow_s, slow = full.slowest
    asked, asker = full.most_requests
    return [
        Figure("C", "hostile server, all at once", f"{full.seconds:.1f} s", "-", "< 60 s", full.seconds < TOGETHER_S_MUST, at_once),
        Figure("C", "hostile server, slowest site", f"{slow_s:.1f} s ({slow})", "≤ 45 s", "", slow_s <= SITE_S_MAX + 1, how),
        Figure("C", "hostile server, tracebacks and crashed rules", str(len(full.crashed)), "0", "", not full.crashed, how),
        Figure("C", "hostile server, inside requests", str(full.canary), "0", "", not full.canary, how),
        Figure("C", "hostile server, most requests of a site", f"{asked} ({asker})", "≤ 16", "", asked <= SITE_REQUESTS_MAX, how),
        Figure("C", "hostile server, extra memory of one site", f"{heavy_mb:.0f} MB ({heaviest})", "≤ 160 MB", "",
               heavy_mb <= 160, "the heaviest behaviours one by one, peak over idle"),
    ]  # fmt: skip


if __name__ == "__main__":
    if "--bounded" in sys.argv:
        print(run(BOUNDED))
    else:
        for figure in figures():
            print(*figure, sep=" | ")
