"""run.py: the one command of a fresh clone."""

import os
import subprocess
import sys
from pathlib import Path

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
