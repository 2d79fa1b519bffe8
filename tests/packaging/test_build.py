"""The wheel and the sdist: what is in them, and the same bytes every time."""

import hashlib
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def build(kind, target):
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(target)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    (made,) = target.iterdir()
    return made


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_two_builds_are_the_same_to_the_byte(kind, tmp_path):
    assert digest(build(kind, tmp_path / "one")) == digest(build(kind, tmp_path / "two"))


def test_the_wheel_is_typed_licensed_and_has_only_our_package(tmp_path):
    with zipfile.ZipFile(build("wheel", tmp_path)) as archive:
        names = archive.namelist()
    assert "waypost/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"waypost"}


def test_the_sdist_can_run_its_own_tests(tmp_path):
    with tarfile.open(build("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"run.py", "pyproject.toml", "locks/dev.txt", "tests/conftest.py", "tools/gates.py"} <= names


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
