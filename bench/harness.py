"""How figures are taken: rounds interleaved between candidates, medians, and one row a figure."""

import gc
import re
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import NamedTuple


class Figure(NamedTuple):
    """One measured figure; `met` is None where it could not be measured (an absent peer, say)."""

    part: str
    name: str
    value: str
    must: str
    aim: str
    met: bool | None
    how: str


def figures_of(topic: str) -> list[Figure]:
    """The figures of a module of this folder."""
    return list(import_module(f"bench.{topic}").figures())


def interleaved(
    candidates: Mapping[str, Callable[[], object]],
    rounds: int = 7,
    warm: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """The median seconds of each candidate, taken in turns so that a noisy moment hits all of them.

    `time.process_time` is the fairer clock where all candidates run in this process: on a busy machine the longer of two
    is interrupted more often than its length is worth.
    """
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for turn in range(warm + rounds):
        for name, run in candidates.items():
            gc.collect()
            started = clock()
            run()
            if turn >= warm:
                times[name].append(clock() - started)
    return {name: median(taken) for name, taken in times.items()}


def peak_mb() -> float:
    """The most memory this process held, in MiB: `ru_maxrss` is handed down by whoever started it, this is not."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    return int(found[1]) / 1024 if found else 0.0


def absent(part: str, name: str, must: str, peer: str) -> Figure:
    """The row for a peer that is not installed."""
    return Figure(part, name, f"{peer} is absent", must, "", None, "not measured")
