"""Empty environments in which the wheel stands with what it declares, and nothing else.

Packages come from the environment that runs the tests: the distributions that an extra names, and what those name in
turn, are linked in by their own lists of files. Whatever is used and not declared is not there.
"""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = {canonicalize_name(one.name): one for one in metadata.distributions()}


def closure(requirements, extra=""):
    """The installed distributions that requirements name, and those they need; AssertionError for one that does not fit."""
    found = {}
    waiting = [(Requirement(text), extra) for text in requirements]
    while waiting:
        wanted, asked_as = waiting.pop()
        if wanted.marker and not wanted.marker.evaluate({**default_environment(), "extra": asked_as}):
            continue
        name = canonicalize_name(wanted.name)
        assert name in HERE, f"{wanted} is declared and not installed here"
        assert wanted.specifier.contains(HERE[name].version, prereleases=True), f"{wanted}, not {HERE[name].version}"
        for one in wanted.extras or {""}:
            if (name, one) not in found:
                found[name, one] = HERE[name]
                waiting += [(Requirement(text), one) for text in HERE[name].requires or ()]
    return {name: distribution for (name, _), distribution in found.items()}


def link(distributions, folder: Path):
    """Link the top-level names of distributions into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for distribution in distributions:
        for name in {file.parts[0] for file in distribution.files or () if file.parts[0] not in {"..", "__pycache__"}}:
            if not (folder / name).exists():
                (folder / name).symlink_to(distribution.locate_file(name))


class Environment:
    """A virtual environment without any package but the wheel; each extra is a folder of links beside it."""

    def __init__(self, path: Path, wheel: Path) -> None:
        self.path = path
        uv = [sys.executable, "-m", "uv", "--offline", "--quiet", "--no-config"]
        self._do(*uv, "venv", "--python", sys.executable, str(path))
        self._do(*uv, "pip", "install", "--no-deps", "--python", str(path), str(wheel))
        (site,) = (path / "lib").glob("python3*/site-packages")
        self.requires = next(iter(metadata.distributions(path=[str(site)]))).requires or []

    def _do(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
        assert done.returncode == 0, done.stderr

    def with_extras(self, *extras: str) -> dict[str, str]:
        """The environment variables under which exactly these extras are installed."""
        folder = self.path / f"extras-{'-'.join(extras) or 'none'}"
        for extra in extras or ("",):
            link(closure(self.requires, extra).values(), folder)
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(folder),
            "HOME": str(self.path),
            "NO_COLOR": "1",
            "COLUMNS": "80",
        }

    def run(self, extras, *words, **choices):
        """A finished `waypost …` with these extras."""
        command = [str(self.path / "bin" / "waypost"), *map(str, words)]
        variables = self.with_extras(*extras)
        return subprocess.run(
            command, env=variables, capture_output=True, text=True, check=False, timeout=100, **choices
        )

    def python(self, extras, code):
        """What a piece of Python prints with these extras."""
        command = [str(self.path / "bin" / "python"), "-c", code]
        done = subprocess.run(
            command, env=self.with_extras(*extras), capture_output=True, text=True, check=False, timeout=100
        )
        assert done.returncode == 0, done.stderr
        return done.stdout
