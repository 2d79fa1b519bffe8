#!/usr/bin/env python3
"""Set waypost up, then run it: python3 run.py [test | check | bench | lock | a waypost command; nothing: the demo]."""

from __future__ import annotations  # so that an older Python can read this file, and gets its sentence

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV, PYTHON = ROOT / ".venv", ROOT / ".venv/bin/python"
RUNTIME, DEV = ROOT / "locks/runtime.txt", ROOT / "locks/dev.txt"
# What each word runs inside the environment; anything else, and `check` of a site, goes to the waypost command.
WORDS = {
    "test": ["-m", "pytest", "-n", "auto", "--dist", "worksteal"],
    "check": ["tools/gates.py"],
    "bench": ["-m", "bench"],
    "lock": ["tools/lock.py"],
    "reference": ["tools/reference.py"],
}


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    # The child keeps the folder locked, too: nobody sets up beside one that outlives us.
    return subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True, check=False, close_fds=False)


def quietly(*command: str | Path) -> None:
    done = run(*command)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\nrun.py: `{' '.join(map(str, command[:5]))} …` failed, as said above.")


def set_up(lock: Path) -> None:
    """Install exactly what the lock names, and put our source on the environment's path."""
    print(f"run.py: setting up .venv from {lock.relative_to(ROOT)} (first use, about a minute) …", file=sys.stderr)
    venv = [sys.executable, "-m", "venv", "--clear", VENV]
    if not is_ready(RUNTIME) and run(*venv).returncode:  # to what is ready the dev lock only adds
        quietly(*venv, "--without-pip")  # there is no ensurepip
    pip = [PYTHON, "-m", "pip"] if (VENV / "bin/pip").exists() else [sys.executable, "-m", "pip", "--python", PYTHON]
    quietly(*pip, "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps", "-r", lock)
    (site,) = (VENV / "lib").glob("python3*/site-packages")
    (site / "waypost-source.pth").write_text(f"{ROOT / 'src'}\n", "utf-8")
    (VENV / "bin/waypost").write_text('#!/bin/sh\nexec "$(dirname "$0")/python" -m waypost "$@"\n', "utf-8")
    (VENV / "bin/waypost").chmod(0o755)
    (VENV / f"{lock.stem}.stamp").write_text(fingerprint(lock), "utf-8")


def fingerprint(lock: Path) -> str:
    return f"{sys.version_info[:2]} {ROOT} {hashlib.sha256(lock.read_bytes()).hexdigest()}"


def is_ready(*locks: Path) -> bool:
    stamps = [(VENV / f"{lock.stem}.stamp", fingerprint(lock)) for lock in locks]
    return PYTHON.exists() and any(stamp.exists() and stamp.read_text("utf-8") == text for stamp, text in stamps)


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - an older Python must get a sentence, not a traceback
        sys.exit(f"waypost needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try: python3.11 run.py")
    word, *more = sys.argv[1:] or ["demo"]
    is_ours = word in WORDS and (word != "check" or set(more) <= {"--without-suite"})
    enough = (DEV,) if is_ours else (RUNTIME, DEV)
    if not is_ready(*enough):
        folder = os.open(ROOT, os.O_RDONLY)
        os.set_inheritable(folder, True)
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not is_ready(*enough):  # nobody else did it meanwhile
            set_up(enough[0])
        os.close(folder)
    os.chdir(ROOT if is_ours else ".")
    os.execv(PYTHON, [str(PYTHON), *(WORDS[word] if is_ours else ["-m", "waypost", word]), *more])  # noqa: S606


if __name__ == "__main__":
    main()
