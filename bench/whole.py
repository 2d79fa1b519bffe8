"""The whole, seen from outside: what we serve, judged by what we check with; the demo."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import loopback
from bench.harness import Figure
from waypost.site.starter import write_starter

ROOT = Path(__file__).resolve().parent.parent
DEMO_S_MAX = 10


def _waypost(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "waypost", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def _judged(name: str, site: Path, folder: Path) -> Figure:
    """A site under the real server, judged by the real command."""
    with loopback.waypost(site, folder / f"{name}.log") as (port, _):
        done = _waypost("check", f"http://127.0.0.1:{port}", "--probe", "all", "--format", "json", folder=folder)
    report = json.loads(done.stdout)
    found = [finding for check in report["checks"] for finding in check["findings"]]
    above = sum(finding["severity"] != "info" for finding in found)
    value = f"{report['status']}, {report['score']}, {above} above info"
    met = (report["status"], report["score"], above) == ("pass", 1.0, 0)
    return Figure(
        "D", f"waypost check on {name}", value, "1.0, none above info", "", met, "served, every page asked for"
    )


def _demo(folder: Path) -> Figure:
    """The demo, everything installed."""
    started = time.perf_counter()
    done = _waypost("demo", folder=folder)
    seconds = time.perf_counter() - started
    met = done.returncode == 0 and seconds < DEMO_S_MAX
    how = f"exit {done.returncode}; one site served, four checks, one report"
    return Figure("E", "the demo, warm", f"{seconds:.1f} s", f"< {DEMO_S_MAX} s", "", met, how)


def figures() -> list[Figure]:
    """Real servers, real commands."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_starter(folder / "site")
        sites = {"the starter site": folder / "site", "the docs folder": ROOT / "docs"}
        return [*(_judged(name, site, folder) for name, site in sites.items()), _demo(folder)]
