"""`waypost robots`: what it prints, where, and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

_PATHS = {name: value for name, value in os.environ.items() if name in {"PATH", "PYTHONPATH"}}
BEFORE = "User-agent: *\nDisallow: /cart\nAllow: /cart/help\n"
AFTER = "User-agent: *\nDisallow: /cart\n\nSitemap: https://h.test/s.xml\n"


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "waypost", "robots", *arguments], input=stdin, capture_output=True, check=False
    )


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    before, after = tmp_path / "before.txt", tmp_path / "after.txt"
    before.write_text(BEFORE)
    after.write_text(AFTER)
    return str(before), str(after)


def test_explain_names_the_deciding_line(files: tuple[str, str]) -> None:
    done = run("explain", "https://h.test/cart/1", "--agent", "Googlebot", "--agent", "bot/2", "--file", files[0])
    text = done.stdout.decode()
    assert done.returncode == 0
    assert "Googlebot: disallowed" in text
    assert "line 2: Disallow: /cart" in text
    assert "bot/2 is compared whole" in text
    assert done.stderr == b""


def test_explain_shows_the_near_miss_as_json(files: tuple[str, str]) -> None:
    done = run("explain", "https://h.test/cart/help", "--file", files[0], "--format", "json")
    answer = json.loads(done.stdout)["answers"][0]
    assert (answer["allowed"], answer["line"], answer["agents"]) == (True, 3, ["*"])
    assert answer["near_miss"]["kind"] == "outweighed"


def test_explain_says_why_without_a_line() -> None:
    done = run("explain", "/x", "--file", "-", stdin=b"User-agent: a\nDisallow: /x\n")
    assert b"*: allowed\n    why: no group is meant for it" in done.stdout


def test_explain_says_what_is_wrong_with_the_whole_file() -> None:
    page = b"<!doctype html><title>404</title>"
    assert b"note: the file is markup" in run("explain", "/x", "--file", "-", stdin=page).stdout
    utf_16 = "User-agent: *".encode("utf-16")
    notes = json.loads(run("explain", "/x", "--file", "-", "--format", "json", stdin=utf_16).stdout)["notes"]
    assert [note["kind"] for note in notes] == ["utf-16"]


def test_explain_in_the_profile_of_the_rfc() -> None:
    arguments = ["explain", "https://h/%7eu", "--file", "-"]
    text = b"User-agent: *\nDisallow: /~u\n"
    assert b"*: allowed" in run(*arguments, stdin=text).stdout
    assert b"*: disallowed" in run(*arguments, "--profile", "rfc", stdin=text).stdout


def test_diff_exits_1_when_an_answer_flips(files: tuple[str, str]) -> None:
    done = run("diff", *files)
    assert done.returncode == 1
    lines = done.stdout.decode().splitlines()
    assert "- *  Allow: /cart/help" in lines
    assert "+ Sitemap: https://h.test/s.xml" in lines
    assert "! *  /cart/help  allowed → disallowed (line 3 → line 2)" in lines


def test_diff_exits_0_when_none_flips(files: tuple[str, str], tmp_path: Path) -> None:
    listed = tmp_path / "urls"
    listed.write_text("https://h.test/cart\n\nhttps://h.test/\n")
    done = run("diff", *files, "--urls", str(listed), "--agent", "x")
    assert (done.returncode, done.stdout.decode().splitlines()[-1]) == (0, "0 of 2 answers flip")


def test_diff_as_json(files: tuple[str, str]) -> None:
    found = json.loads(run("diff", *files, "--format", "json").stdout)
    assert found["flips"][0]["url"] == "/cart/help"
    assert found["flips"][0]["after"]["line"] == 2
    assert found["removed"] == [{"agent": "*", "allow": True, "pattern": "/cart/help"}]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["explain", "/"], "--file"),
        (["explain", "/", "--file", "/no/such/file"], "no such file"),
        (["explain", "/", "--file", "/"], "is a directory"),
        (["explain", "/", "--file", sys.executable], "binary file"),
        (["diff", "-", "-"], "only once"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(arguments: list[str], sentence: str) -> None:
    done = run(*arguments)
    text = done.stderr.decode()
    assert done.returncode == 2
    assert sentence in text
    assert text.count("\n") == 1
    assert done.stdout == b""


def test_nothing_hostile_reaches_the_terminal() -> None:
    done = run(
        "explain", "/\u202ex\x1b[31m", "--agent", "a\x07", "--file", "-", stdin=b"User-agent: *\nDisallow: /\x1b[2J\n"
    )
    assert not {"\x1b", "\x07", "\u202e"} & set(done.stdout.decode())


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        (b"\x00\x01\x02", "- is a binary file, not a list of URLs"),
        (b"\n# none\n", "- lists no URLs: it has one on each line"),
    ],
)
def test_a_list_of_urls_that_is_none_is_one_sentence(files: tuple[str, str], listed: bytes, said: str) -> None:
    done = run("diff", *files, "--urls", "-", stdin=listed)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", f"waypost: {said}\n")


def test_arrows_become_escapes_where_the_terminal_has_none(files: tuple[str, str]) -> None:
    command = [sys.executable, "-m", "waypost", "robots", "diff", *files]
    done = subprocess.run(command, env={"PYTHONIOENCODING": "ascii", **_PATHS}, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"allowed \\u2192 disallowed (line 3 \\u2192 line 2)" in done.stdout


def test_a_fix_that_cannot_be_written_leaves_the_old_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "robots.txt"
    file.write_text("User agent: *\n")
    command = [sys.executable, "-m", "waypost", "robots", "check", "--fix", str(file)]
    done = subprocess.run(["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *command], capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (2, f"waypost: cannot write {file}: file too large\n")
    assert [(path, path.read_text()) for path in tmp_path.iterdir()] == [(file, "User agent: *\n")]


def test_check_shows_what_it_would_mend_and_says_whether_it_would(tmp_path: Path) -> None:
    unmendable, mendable = tmp_path / "a.txt", tmp_path / "b.txt"
    unmendable.write_text("Disallow: /a\n")
    mendable.write_text("User agent: *\n")
    assert run("check", str(unmendable)).returncode == 1
    done = run("check", "--diff", str(unmendable))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    done = run("check", "--diff", str(unmendable), str(mendable))
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.splitlines()[3:] == [b"-User agent: *", b"+User-agent: *"]
    assert mendable.read_text() == "User agent: *\n"


def test_check_either_shows_or_mends(tmp_path: Path) -> None:
    file = tmp_path / "robots.txt"
    file.write_text("User agent: *\n")
    done = run("check", "--fix", "--diff", str(file))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == "waypost: --fix writes what --diff only shows: leave one of them out\n"
    assert file.read_text() == "User agent: *\n"
    done = run("check", "--fix", str(file))
    assert (done.returncode, done.stderr.decode()) == (0, f"mended {file}\n")
    assert file.read_text() == "User-agent: *\n"
