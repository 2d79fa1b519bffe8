"""The command as a process: streams that are closed, full or left, interrupts, terminals, and bugs of our own."""

import os
import pty
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

BASE = "https://example.com"
WARNING = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    f"<url><loc>{BASE}/a</loc><lastmod>yesterday</lastmod></url></urlset>"
)
BROKEN = """
import sys
from waypost.check import means
def broken(*_):
    raise ZeroDivisionError("by \\x1b[31mzero")
means.read_target = broken
sys.argv = ["waypost", *sys.argv[1:]]
from waypost.cli.main import main
main()
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitemap.xml").write_text(WARNING)
    return folder


@pytest.fixture
def mute() -> Iterator[socket.socket]:
    """A server that never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def waypost(*words: str, **streams: Any) -> "subprocess.Popen[str]":
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.Popen([sys.executable, "-m", "waypost", *words], text=True, **streams)


def finished(*words: str, given: str = "", **streams: Any) -> tuple[int, str, str]:
    process = waypost(*words, **streams)
    out, err = process.communicate(given, timeout=60)
    return process.returncode, out, err


def test_a_full_disk_is_one_sentence(site: Path) -> None:
    with Path("/dev/full").open("w") as full:
        for words in (["check", str(site), "--base", BASE], ["rules"], ["check", "--help"]):
            code, _, err = finished(*words, stdout=full)
            assert code in {2, 4}
            assert err.count("\n") == 1
            assert "no space left on device" in err


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "github"])
def test_a_reader_that_leaves_takes_neither_the_exit_status_nor_the_files(site: Path, form: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    words = ["check", str(site), "--base", BASE, "--format", form, "--format", "csv", "--output", "kept.csv"]
    code, _, err = finished(*words, "--min-score", "1", stdout=writing)
    os.close(writing)
    assert (code, err) == (1, "wrote kept.csv\n")
    assert Path("kept.csv").read_text().startswith('"target",')


@pytest.mark.parametrize("closed", ["1", "2"])
def test_a_stream_that_is_closed_is_nobodys_business(site: Path, closed: str) -> None:
    line = f"exec {sys.executable} -m waypost check {site} --base {BASE} --min-score 0.9 --output kept.json {closed}>&-"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stdout + done.stderr
    assert Path("kept.json").exists()


def test_an_interrupt_ends_quietly_and_writes_nothing(tmp_path: Path, mute: socket.socket) -> None:
    target = f"http://127.0.0.1:{mute.getsockname()[1]}"
    process = waypost("check", target, "--output", str(tmp_path / "report.json"))
    asked, _ = mute.accept()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    asked.close()
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_bug_of_ours_is_4_and_a_sentence_and_the_others_of_a_list_are_judged(site: Path) -> None:
    words = [sys.executable, "-c", BROKEN, "check"]
    done = subprocess.run([*words, "https://example.com"], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert done.stderr.count("\n") == 1
    assert "an internal error, which is a bug of waypost: ZeroDivisionError: by " in done.stderr
    assert "\x1b" not in done.stderr
    done = subprocess.run([*words, "-"], input="a.example\nb.example\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("ZeroDivisionError")) == (4, 2)


def test_on_one_terminal_progress_and_results_do_not_run_into_each_other(site: Path) -> None:
    here, there = pty.openpty()
    process = waypost("check", str(site), "--base", BASE, stdout=there, stderr=there)
    os.close(there)
    seen = b""
    try:
        while piece := os.read(here, 65_536):
            seen += piece
    except OSError:  # the other side has closed
        pass
    os.close(here)
    process.communicate()
    shown = seen.decode().split("\r\x1b[2K")
    assert any(piece.startswith("checking 0 of 1") for piece in shown)
    assert all("\n" not in piece for piece in shown if piece.startswith("checking"))
    assert any(f"{BASE}" in piece.partition("\n")[0] and "score" in piece.partition("\n")[0] for piece in shown)
