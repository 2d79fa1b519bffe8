"""`waypost init` and `waypost demo`: what a stranger runs first, as a process."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"


def waypost(*words, cwd, timeout=100):
    environment = os.environ | {"PYTHONPATH": str(SOURCE), "NO_COLOR": "1", "COLUMNS": "80"}
    return subprocess.run(
        [sys.executable, "-m", "waypost", *words],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def test_init_writes_a_site_once(tmp_path):
    done = waypost("init", "mine", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mine/content/index.md").exists()
    assert "waypost serve mine" in done.stdout
    again = waypost("init", "mine", cwd=tmp_path)
    assert again.returncode == 2
    assert "not an empty folder; nothing was written" in again.stderr


def test_init_into_a_place_that_cannot_be_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("x")
    for target in ("file", "file/below"):
        done = waypost("init", target, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1


def test_the_demo_serves_breaks_and_finds(tmp_path):
    done = waypost("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    first, spa, staging, foreign = done.stdout.split("$ waypost check ")[1:]
    assert "pass, score 1.00 of 1.00" in first
    assert "  error" not in first
    assert "fail, score 0.45" in spa
    assert "SMF111" in spa
    assert "RBT301" in staging
    assert "warn, score 0.90" in foreign
    assert "SMS501" in foreign
    report = (tmp_path / "waypost-demo.html").read_text(encoding="utf-8")
    assert "SMS501" in report
    assert set(re.findall(r"https?://([\w.-]+):\d", done.stdout + report)) == {"127.0.0.1", "127.0.0.2"}, (
        "a stranger is asked"
    )
    assert list(tmp_path.iterdir()) == [tmp_path / "waypost-demo.html"]


def test_the_demo_tells_what_to_type_next_where_it_was_started(tmp_path, monkeypatch):
    from waypost.cli import demo

    monkeypatch.chdir(SOURCE.parent)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert demo._typed() == "python3 run.py"
    (tmp_path / "waypost").write_text("#!/bin/sh\n")
    (tmp_path / "waypost").chmod(0o755)
    assert demo._typed() == "waypost"


@pytest.mark.parametrize("is_watched", [True, False])
def test_the_demo_folds_its_lines_only_for_who_looks(is_watched, monkeypatch, capsys):
    from waypost.cli import demo

    monkeypatch.setattr(demo, "is_terminal", lambda: is_watched)
    monkeypatch.setattr(demo, "columns", lambda: 40)
    said = "  error SMF111 http://127.0.0.1:8000/sitemap.xml answers 200 with an HTML page"
    demo._say(said)
    lines = capsys.readouterr().out.splitlines()
    assert " ".join(line.strip() for line in lines) == said.strip()
    assert (len(lines) == 1) is not is_watched


def test_a_report_that_cannot_be_written_is_one_sentence(tmp_path):
    done = waypost("demo", "--report", "absent/report.html", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot write absent/report.html" in done.stderr
