"""run.py: the one command of a fresh clone."""

import ast
import fcntl
import os
import runpy
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN = ROOT / "run.py"


def test_it_is_under_80_lines_and_standard_library_only():
    source = RUN.read_text(encoding="utf-8")
    assert source.count("\n") < 80
    imported = {
        line.split()[1].split(".")[0] for line in source.splitlines() if line.strip().startswith(("import ", "from "))
    }
    assert imported <= set(sys.stdlib_module_names)


def test_an_old_python_gets_one_sentence():
    code = f"import sys, runpy; sys.version_info = (3, 10, 0); runpy.run_path({str(RUN)!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr
    assert "Traceback" not in done.stderr


def test_older_pythons_can_read_as_far_as_that_sentence():
    source = RUN.read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
    assert "from __future__ import annotations" in source  # `str | Path` is none before 3.10


@pytest.fixture
def clone(tmp_path):
    """A clone in a folder with blanks and umlauts, whose environment only says what it was asked to run."""
    root = tmp_path / "mein schöner Ordner"
    shutil.copytree(ROOT / "locks", root / "locks")
    shutil.copy(RUN, root)
    (root / ".venv/bin").mkdir(parents=True)
    (root / ".venv/bin/python").write_text('#!/bin/sh\npwd\nprintf "%s\\n" "$@"\n')
    (root / ".venv/bin/python").chmod(0o755)
    return root


def make_ready(root, lock):
    made = runpy.run_path(str(root / "run.py"))
    (root / f".venv/{lock}.stamp").write_text(made["fingerprint"](root / f"locks/{lock}.txt"))


def started(root, *words, cwd):
    command = [sys.executable, str(root / "run.py"), *words]
    variables = {"PATH": os.environ["PATH"], "HOME": str(cwd)}
    return subprocess.Popen(
        command, cwd=cwd, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("words", "runs", "is_inside"),
    [
        ([], ["-m", "waypost", "demo"], False),
        (["--version"], ["-m", "waypost", "--version"], False),
        (["serve", "a folder"], ["-m", "waypost", "serve", "a folder"], False),
        (["check", "example.com", "--deep"], ["-m", "waypost", "check", "example.com", "--deep"], False),
        (["check"], ["tools/gates.py"], True),
        (["check", "--without-suite"], ["tools/gates.py", "--without-suite"], True),
        (["test", "-k", "x"], ["-m", "pytest", "-n", "auto", "--dist", "worksteal", "-k", "x"], True),
        (["bench", "--peers"], ["-m", "bench", "--peers"], True),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_each_word_runs_what_it_says_from_any_folder(clone, tmp_path, words, runs, is_inside):
    make_ready(clone, "dev" if is_inside else "runtime")
    out, err = started(clone, *words, cwd=tmp_path).communicate(timeout=60)
    assert err == ""
    assert out.splitlines() == [str(clone if is_inside else tmp_path), *runs]


def test_who_comes_while_another_sets_up_waits_and_then_uses_it(clone, tmp_path):
    folder = os.open(clone, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    process = started(clone, "--version", cwd=tmp_path)
    try:
        while str(clone) not in {os.path.realpath(one) for one in Path(f"/proc/{process.pid}/fd").iterdir()}:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        make_ready(clone, "runtime")
    finally:
        os.close(folder)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[1:] == ["-m", "waypost", "--version"]


def test_the_environment_has_the_command_under_its_own_name(clone, tmp_path, monkeypatch):
    made = runpy.run_path(str(clone / "run.py"))
    monkeypatch.setitem(made["set_up"].__globals__, "quietly", lambda *_: None)
    monkeypatch.setitem(made["set_up"].__globals__, "is_ready", lambda *_: True)
    (clone / ".venv/lib/python3.x/site-packages").mkdir(parents=True)
    made["set_up"](clone / "locks/runtime.txt")
    words = [str(clone / ".venv/bin/waypost"), "check", "a folder"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(tmp_path), "-m", "waypost", "check", "a folder"]


def test_a_module_without_a_terminal_answers_its_version():
    environment = {"PYTHONPATH": str(ROOT / "src"), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-m", "waypost", "--version"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("waypost ")
    assert done.returncode == 0


def test_help_names_every_command_and_fits_80_columns():
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "80", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "waypost", "--help"], env=environment, capture_output=True, text=True, check=False
    )
    from waypost.cli.main import COMMANDS

    assert done.returncode == 0
    assert all(row.name in done.stdout for row in COMMANDS)
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "\x1b" not in done.stdout


def test_every_row_of_the_command_table_has_help():
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "80", "NO_COLOR": "1"}
    from waypost.cli.main import COMMANDS

    for row in COMMANDS:
        done = subprocess.run(
            [sys.executable, "-m", "waypost", row.name, "--help"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert f"waypost {row.name}" in done.stdout


def test_an_unknown_command_is_a_usage_error():
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-m", "waypost", "nonsense"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "nonsense" in done.stderr
