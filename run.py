#!/usr/bin/env python3
"""Set waypost up, then run it: python3 run.py [test | check | bench | lock | a waypost command; nothing: the demo]."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
# What each word runs inside the environment; anything else goes to the waypost command.
WORDS = {
    "test": ["-m", "pytest", "-n", "auto", "--dist", "worksteal"],
    "check": ["tools/gates.py"],
    "bench": ["-m", "bench"],
    "lock": ["tools/lock.py"],
    "reference": ["tools/reference.py"],
}


def quietly(*command: str | Path) -> None:
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{done.stdout}{done.stderr}", file=sys.stderr)
        sys.exit(f"run.py: `{' '.join(map(str, command[:5]))} …` failed; what it said stands above.")


def make_environment() -> list[str | Path]:
    """Make .venv, and return the pip command that installs into it."""
    try:
        import ensurepip  # noqa: F401, PLC0415
    except ImportError:
        quietly(sys.executable, "-m", "venv", "--clear", "--without-pip", VENV)
    else:
        quietly(sys.executable, "-m", "venv", "--clear", VENV)
    if (VENV / "bin" / "pip").exists():
        return [PYTHON, "-m", "pip"]
    return [sys.executable, "-m", "pip", "--python", PYTHON]


def set_up(lock: Path, *, stamp: Path) -> None:
    """Install exactly what the lock names, and put our source on the environment's path."""
    print(f"run.py: setting up .venv from {lock.relative_to(ROOT)} (first use, about a minute) …", file=sys.stderr)
    pip = make_environment()
    quietly(*pip, "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps", "-r", lock)
    site = next((VENV / "lib").glob("python3*/site-packages"))
    (site / "waypost-source.pth").write_text(f"{ROOT / 'src'}\n", encoding="utf-8")
    stamp.write_text(fingerprint(lock), encoding="utf-8")


def fingerprint(lock: Path) -> str:
    return f"{sys.version_info[:2]} {ROOT} {hashlib.sha256(lock.read_bytes()).hexdigest()}"


def is_ready(lock: Path, stamp: Path) -> bool:
    return stamp.exists() and PYTHON.exists() and stamp.read_text(encoding="utf-8") == fingerprint(lock)


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - an older Python must get a sentence, not a traceback
        sys.exit(f"waypost needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try: python3.11 run.py")
    arguments = sys.argv[1:] or ["demo"]
    runtime, dev = ROOT / "locks" / "runtime.txt", ROOT / "locks" / "dev.txt"
    wants_dev = arguments[0] in WORDS
    if not (is_ready(dev, VENV / "dev.stamp") or (not wants_dev and is_ready(runtime, VENV / "runtime.stamp"))):
        lock = dev if wants_dev else runtime
        set_up(lock, stamp=VENV / f"{lock.stem}.stamp")
    inside = [*WORDS[arguments[0]], *arguments[1:]] if wants_dev else ["-m", "waypost", *arguments]
    if wants_dev:
        os.chdir(ROOT)
    os.execv(PYTHON, [str(PYTHON), *inside])  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main()
