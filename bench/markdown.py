"""Markdown that tries to run something or to cost too much: what gets through, and what each bomb needs in a process."""

import json
import subprocess
import sys
import time
from pathlib import Path

from bench.harness import Figure, peak_mb

ROOT = Path(__file__).resolve().parent.parent
SECONDS_MAX, MEGABYTES_MAX, VECTORS = 1.0, 64, 2_000


def explode(name: str) -> None:
    """Render one bomb in this process and print what it cost."""
    from tests.site.bombs import BOMBS

    from waypost.site.markdown import render

    render("# a <b>c</b>\n\n```python\nx = 1\n```\n")
    text = BOMBS[name]()
    room = peak_mb()
    started = time.process_time()
    refused = render(text).refused
    seconds = time.process_time() - started
    print(json.dumps([seconds, peak_mb() - room, bool(refused)]))


def _bombs() -> list[Figure]:
    from tests.site.bombs import BOMBS

    costs = {}
    for name in BOMBS:
        command = [sys.executable, "-c", f"from bench.markdown import explode; explode({name!r})"]
        environment = {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "PATH": ""}
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=True)
        costs[name] = json.loads(run.stdout)
    slowest = max(costs, key=lambda name: costs[name][0])
    largest = max(costs, key=lambda name: costs[name][1])
    refused = sum(cost[2] for cost in costs.values())
    how = f"{len(costs)} bombs, each in a process of its own; {refused} are shown as text"
    seconds, room = costs[slowest][0], costs[largest][1]
    time_value, room_value = f"{seconds:.2f} s ({slowest})", f"{room:.0f} MB ({largest})"
    return [
        Figure("D", "the slowest Markdown bomb", time_value, "≤ 1 s", "", seconds <= SECONDS_MAX, how),
        Figure("D", "the largest Markdown bomb", room_value, "≤ 64 MB", "", room <= MEGABYTES_MAX, how),
    ]


def _vectors() -> Figure:
    from tests.site.test_markdown import assert_harmless, assert_harmless_to_libxml2
    from tests.site.vectors import vectors

    from waypost.site.markdown import render

    through = 0
    for text in vectors(VECTORS, seed=int(time.time())):
        html = render(text).html
        try:
            assert_harmless(html)
            assert_harmless_to_libxml2(html)
        except AssertionError:
            through += 1
    how = "a grammar with a new seed each time; html.parser and libxml2 judge"
    return Figure("D", f"of {VECTORS:,} script vectors get through", f"{through}", "0", "", not through, how)


def figures() -> list[Figure]:
    """The figures of Markdown from strangers."""
    return [_vectors(), *_bombs()]
