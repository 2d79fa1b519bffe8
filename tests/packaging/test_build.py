"""The wheel and the sdist: what is in them, and the same bytes every time."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePath

import pytest

ROOT = Path(__file__).resolve().parents[2]


def build(kind, target, root=ROOT, **more):
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(target)]
    environment = {**os.environ, **more}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    (made,) = target.iterdir()
    return made


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def copied(target):
    """The tree at another path, written at another time, with other permissions."""
    ignored = shutil.ignore_patterns(
        ".*cache", "__pycache__", ".git", ".venv", ".bench", ".hypothesis", "dist", ".coverage*"
    )
    shutil.copytree(ROOT, target, ignore=ignored, copy_function=shutil.copy)
    for path in target.rglob("*.py"):
        path.chmod(path.stat().st_mode & 0o700)
    return target


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_two_builds_are_the_same_to_the_byte(kind, tmp_path):
    moment = {"SOURCE_DATE_EPOCH": "1767225600"}
    one, two = (
        build(kind, tmp_path / "one", **moment),
        build(kind, tmp_path / "two", copied(tmp_path / "tree"), **moment),
    )
    assert digest(one) == digest(two)
    assert one.name == two.name


DATA = {".css", ".html", ".ico", ".js", ".json", ".md", ".svg", ".toml", ".typed"}


def test_the_wheel_has_our_package_whole_and_nothing_else(tmp_path):
    with zipfile.ZipFile(build("wheel", tmp_path)) as archive:
        names = set(archive.namelist())
        metadata = next(archive.read(name).decode() for name in names if name.endswith("/METADATA"))
    about = {name for name in names if ".dist-info/" in name}
    source = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*") if path.is_file()}
    assert names - about == {name for name in source if "__pycache__" not in name}
    assert {PurePath(name).suffix for name in names - about} == {".py", *DATA}
    assert {name.partition("/")[2] for name in about} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
    }
    needed = ["py.typed", "web/theme/page.html", "report/assets/report.css", "report/schema/report-1.0.0.json"]
    needed.append("site/starterkit/content/index.md")
    assert {f"waypost/{name}" for name in needed} <= names
    extras = set(re.findall(r"^Provides-Extra: (.+)$", metadata, re.MULTILINE))
    assert extras == {"serve", "check", "django", "starlette", "flask", "dev"}


def test_the_sdist_is_the_repository(tmp_path):
    with tarfile.open(build("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "run.py",
        "pyproject.toml",
        "locks/dev.txt",
        "tests/conftest.py",
        "tools/gates.py",
        "deploy/Dockerfile",
    } <= names
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        assert names - {"PKG-INFO"} >= set(listed.stdout.split("\n")) - {""}


def test_locks_pin_every_package_by_hash_and_name_no_index():
    for lock in (ROOT / "locks").glob("*.txt"):
        text = lock.read_text(encoding="utf-8")
        assert "://" not in text
        requirements = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
        assert requirements
        assert all("==" in line and line.endswith("\\") for line in requirements)


def test_the_runtime_lock_is_part_of_the_dev_lock():
    pins = {
        name: {
            line.split(" ")[0]
            for line in (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
            if "==" in line and not line.startswith(" ")
        }
        for name in ("runtime", "dev")
    }
    assert pins["runtime"] <= pins["dev"]
