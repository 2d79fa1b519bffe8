"""How soon waypost is there: its import, its version, and the second start through run.py."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from bench.harness import Figure, absent, interleaved

ROOT = Path(__file__).resolve().parent.parent
FORMATS = "import waypost as w; w.read_robots, w.read_sitemap, w.read_feed, w.write_urlset, w.write_robots"
ROUNDS = 15


def _starts(*command: str) -> Callable[[], object]:
    return lambda: subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def _within(name: str, seconds: float, most: float, *, must: str = "", aim: str = "", how: str) -> Figure:
    return Figure("A", name, f"{seconds * 1000:.0f} ms", must, aim, seconds < most, how)


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
        return [*rows, absent("A", name, must, ".venv")]
    how = "python3 run.py --version against the same command inside .venv"
    return [*rows, _within(name, took["run.py"] - took["inside"], 0.300, must=must, how=how)]
