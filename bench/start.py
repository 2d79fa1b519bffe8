"""How soon waypost is there: its import, its version, the second start through run.py, and the demo."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.harness import Figure, absent, interleaved

ROOT = Path(__file__).resolve().parent.parent
FORMATS = "import waypost as w; w.read_robots, w.read_sitemap, w.read_feed, w.write_urlset, w.write_robots"
ROUNDS = 15
DEMO_S_MAX = 10


def _starts(*command: str) -> Callable[[], object]:
    return lambda: subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def _within(name: str, seconds: float, most: float, *, must: str = "", aim: str = "", how: str) -> Figure:
    return Figure("A", name, f"{seconds * 1000:.0f} ms", must, aim, seconds < most, how)


def _demo() -> Figure:
    """The demo, everything installed; it writes its report where it runs."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, str(ROOT / "run.py"), "demo"], cwd=folder, capture_output=True, check=False
        )
        seconds = time.perf_counter() - started
    met, how = (
        done.returncode == 0 and seconds < DEMO_S_MAX,
        f"exit {done.returncode}; a site served, checked and broken",
    )
    return Figure("E", "python3 run.py, warm", f"{seconds:.1f} s", f"< {DEMO_S_MAX} s", "", met, how)


def figures() -> list[Figure]:
    """Whole processes, started in turns."""
    candidates = {
        "bare": _starts(sys.executable, "-c", "pass"),
        "package": _starts(sys.executable, "-c", "import waypost"),
        "formats": _starts(sys.executable, "-c", FORMATS),
        "version": _starts(sys.executable, "-m", "waypost", "--version"),
    }
    inside = ROOT / ".venv" / "bin" / "python"
    if inside.exists():
        candidates["inside"] = _starts(str(inside), "-m", "waypost", "--version")
        candidates["run.py"] = _starts(sys.executable, "run.py", "--version")
    took = interleaved(candidates, rounds=ROUNDS)
    bare, over = took["bare"], "< 60 ms over bare Python"
    how = f"median of {ROUNDS} processes, bare Python {bare * 1000:.0f} ms"
    rows = [
        _within("import of waypost", took["package"] - bare, 0.060, must=over, how=f"{how}; names load when asked for"),
        _within("import of waypost, every reader and writer", took["formats"] - bare, 0.060, aim=over, how=how),
        _within("waypost --version", took["version"], 0.150, aim="< 150 ms", how=how),
    ]
    name, must = "run.py, second start", "< 300 ms over the command"
    if not inside.exists():
        return [*rows, absent("A", name, must, ".venv"), absent("E", "python3 run.py, warm", "< 10 s", ".venv")]
    how = "python3 run.py --version against the same command inside .venv"
    return [*rows, _within(name, took["run.py"] - took["inside"], 0.300, must=must, how=how), _demo()]
