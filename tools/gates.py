"""Every gate in one command: python3 run.py check.

Format and lint, types, the contracts between rooms, the measures of the house, full branch coverage of the pure
rooms, then the whole test suite with warnings as errors. `--without-suite` leaves the last to `python3 run.py test`.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

STATIC: tuple[tuple[str, list[str]], ...] = (
    ("format", [str(BIN / "ruff"), "format", "--check", "--quiet", "."]),
    ("lint", [str(BIN / "ruff"), "check", "--quiet", "."]),
    ("types", [str(BIN / "mypy"), "--no-error-summary"]),
    ("contracts", [str(BIN / "lint-imports"), "--no-logo"]),
    ("house", [sys.executable, "tools/house.py", "--strict"]),
)
# Rooms whose every branch must be reached by their own tests, and where those tests live.
COVERED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("formats", ("waypost.formats",), "tests/formats"),
    ("publish", ("waypost.publish",), "tests/publish"),
    ("check rules and score", ("waypost.check.rules", "waypost.check.score"), "tests/check"),
)
SUITE = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal"]


def gate(name: str, command: list[str]) -> None:
    """Run one gate; a gate that fails shows what it said and ends the run."""
    started = time.monotonic()
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    print(f"{name:<30} {'ok' if done.returncode == 0 else 'FAILED'} {time.monotonic() - started:6.1f} s", flush=True)
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n")
        raise SystemExit(1)


def coverage(name: str, modules: tuple[str, ...], tests: str) -> None:
    """Fail unless the tests of a room reach every line and branch of it."""
    measured = [f"--cov={module}" for module in modules]
    strictly = ["--cov-branch", "--cov-fail-under=100", "--cov-report=term-missing:skip-covered"]
    gate(f"coverage of {name}", [*SUITE, "-m", "not slow", *measured, *strictly, tests])


def main() -> int:
    """Run the gates in order, quickest first."""
    for name, command in STATIC:
        gate(name, command)
    for name, modules, tests in COVERED:
        coverage(name, modules, tests)
    if "--without-suite" in sys.argv:
        return 0
    return subprocess.run(SUITE, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
