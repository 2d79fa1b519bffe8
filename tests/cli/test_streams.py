"""Standard streams that are closed, full or nowhere: a sentence, never a traceback."""

import subprocess
import sys
from pathlib import Path

import pytest


def run(words: str, redirections: str) -> subprocess.CompletedProcess[str]:
    command = f"exec {sys.executable} -m waypost {words} {redirections}"
    return subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "list.txt"
    path.write_text("".join(f"https://e.org/{number}\n" for number in range(20_000)))
    return path


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.parametrize("words", ["--version", "rules", "robots explain /x --file {}", "sitemap read {}"])
def test_an_output_that_takes_no_more_is_one_sentence(listed: Path, words: str) -> None:
    done = run(words.format(listed), "> /dev/full")
    assert done.returncode == 2
    assert done.stderr.endswith("waypost: cannot go on: no space left on device\n")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", ["--version", "rules", "sitemap read {}"])
def test_a_closed_output_takes_everything_and_says_nothing(listed: Path, words: str) -> None:
    done = run(words.format(listed), ">&-")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


def test_a_closed_input_and_a_closed_place_for_errors() -> None:
    done = run("sitemap read -", "<&-")
    assert (done.returncode, done.stderr) == (2, "waypost: cannot read standard input: it is closed\n")
    assert run("sitemap read nowhere.xml", "2>&-").returncode == 2


def test_a_file_without_a_name() -> None:
    done = run("sitemap read ''", "")
    assert (done.returncode, done.stderr) == (2, "waypost: cannot read a file without a name: is a directory\n")


def test_a_name_that_would_speak_to_the_terminal_is_shown_with_its_escapes() -> None:
    done = run("sitemap read \"$(printf 'a\\033]0;x\\n.\\302\\233b')\"", "")
    assert (done.returncode, done.stderr) == (
        2,
        r"waypost: cannot read a\x1b]0;x\n.\x9bb: no such file or directory" + "\n",
    )
