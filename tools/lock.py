"""Refresh the two lock files from pyproject.toml: exact versions with hashes, no index address in them.

python3 run.py lock              both files, keeping pinned versions that still fit
python3 run.py lock --upgrade    both files, newest versions
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {"runtime": ("serve", "check"), "dev": ("dev",)}
HEADER = "Refresh with: python3 run.py lock (see CONTRIBUTING.md)"


def compile_lock(name: str, extras: tuple[str, ...], options: list[str]) -> None:
    """Resolve one lock for every platform and every Python from 3.11 on."""
    target = Path("locks") / f"{name}.txt"
    command = ["uv", "pip", "compile", "pyproject.toml", "--quiet", "--universal", "--python-version", "3.11"]
    command += ["--generate-hashes", "--no-emit-index-url", "--no-emit-find-links", "--no-annotate", "--no-header"]
    command += ["--no-emit-package", "waypost", "--output-file", str(target), *options]
    command += [word for extra in extras for word in ("--extra", extra)]
    if name == "runtime":
        command += ["--constraints", str(Path("locks") / "dev.txt")]
    subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=True)
    locked = (ROOT / target).read_text(encoding="utf-8")
    (ROOT / target).write_text(f"# {HEADER}\n{locked.removeprefix(f'# {HEADER}' + chr(10))}", encoding="utf-8")


def main() -> None:
    """Write the dev lock first; the runtime lock takes its versions from it."""
    for name in ("dev", "runtime"):
        compile_lock(name, LOCKS[name], sys.argv[1:])


if __name__ == "__main__":
    main()
