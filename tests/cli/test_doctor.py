"""`waypost doctor` as a command: a root, a directory of sites, and a real server that serves it, or something else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.client import waypost
from typer.testing import CliRunner

from waypost.cli.doctor import app

DEAD = "http://127.0.0.1:1"


def doctor(*words: str) -> Any:
    done = CliRunner().invoke(app, list(words))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def codes(done: Any) -> set[str]:
    return {one["code"] for row in json.loads(done.stdout)["checks"] for one in row["findings"]}


def planted(folder: Path) -> Path:
    (folder / "content").mkdir(parents=True)
    (folder / "content" / "index.md").write_text("# Home\n\nOn [the other](/about) page.\n")
    (folder / "content" / "about.md").write_text("# About\n\nWords.\n")
    (folder / "waypost.toml").write_text('title = "A site"\n')
    return folder


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return planted(tmp_path / "root")


@pytest.fixture
def served(root: Path, tmp_path: Path) -> Iterator[str]:
    with waypost(str(root), log=tmp_path / "log") as server:
        yield f"http://127.0.0.1:{server.port}"


def test_a_sound_root_is_0_and_a_broken_one_1(root: Path) -> None:
    done = doctor("root")
    assert done.exit_code == 0, done.stdout
    assert done.stdout.startswith("root  ✓ pass  score 1.00 of 1.00\n  What is published is what is on the disk.\n")
    (root / "content" / "two.md").write_text("---\nalias: about\n---\n# Two\n")
    done = doctor(str(root), "--format", "json")
    assert codes(done) == {"PUB009"}
    assert done.exit_code == 1
    assert "What is published is not what is on the disk, or" in doctor(str(root)).stdout


def test_a_server_that_serves_the_folder_agrees_byte_by_byte(root: Path, served: str) -> None:
    done = doctor(str(root), "--url", served)
    assert done.exit_code == 0, done.stdout
    assert "nothing to report" in done.stdout
    assert f"{served}/about\n" in done.stdout
    assert "begins" not in done.stdout
    assert "308" in done.stdout
    assert "used up" not in done.stdout


def test_a_server_that_serves_another_folder_is_told_where_it_differs(root: Path, served: str, tmp_path: Path) -> None:
    other = planted(tmp_path / "other")
    (other / "content" / "about.md").write_text("# About\n\nOther words.\n")
    done = doctor(str(other), "--url", served, "--format", "json")
    assert done.exit_code == 1
    assert "PUB015" in codes(done)
    [found] = [one for one in json.loads(done.stdout)["checks"][0]["findings"] if one["code"] == "PUB015"]
    assert found["where"]["url"].startswith(served)
    assert found["fix"].endswith("please report it.")


def test_a_server_that_is_silent_is_3_and_the_folder_is_judged_all_the_same(root: Path) -> None:
    done = doctor(str(root), "--url", DEAD)
    assert done.exit_code == 3
    assert f"{DEAD}: the server refused the connection; nothing was compared with it" in " ".join(done.stdout.split())
    assert "✓ objects" in done.stdout
    done = doctor(str(root), "--url", DEAD, "--format", "json")
    assert json.loads(done.stdout)["reached"] is False
    assert done.stderr == f"waypost: {DEAD}: the server refused the connection; nothing was compared with it\n"


def test_sites_are_examined_by_their_hosts(root: Path, tmp_path: Path) -> None:
    sites = tmp_path / "sites"
    planted(sites / "a")
    (sites / "sites.toml").write_text('[[site]]\nhosts = ["a.example", "www.a.example"]\nroot = "a"\n')
    assert doctor("--sites", str(sites)).exit_code == 0
    with (sites / "sites.toml").open("a") as rows:
        rows.write('[[site]]\nhosts = ["b.example"]\nroot = "gone"\n')
    done = doctor("--sites", str(sites), "--format", "json")
    assert (done.exit_code, codes(done)) == (0, {"PUB013"})
    assert doctor("--sites", str(sites), "--fail-on", "warn").exit_code == 1


def test_what_a_root_has_to_say_about_rules_stands_among_its_settings(root: Path, tmp_path: Path) -> None:
    (root / "content" / "two.md").write_text("# Two\n\nSee [nothing](gone).\n")
    assert doctor("root", "--fail-on", "warn").exit_code == 1
    with (root / "waypost.toml").open("a") as settings:
        settings.write('[ignore]\nPUB018 = { until = "2099-12-31", reason = "next week" }\n')
    assert doctor("root", "--fail-on", "warn").exit_code == 0
    with waypost("root", log=tmp_path / "log") as server:
        assert server.ask("/two").status == 200


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "say what to examine"),
        (("nowhere",), "nowhere is not there"),
        (("--sites", "root"), "has no sites.toml"),
        (("root", "--sites", "root"), "say what to examine"),
        (("root", "--url", "127.0.0.1:80"), "write it with http:// or https://"),
        (("root", "--url", "http://user@a.example"), "user name"),
        (("root", "--fail-on", "all"), "error, warn, info, never"),
        (("root", "--format", "pdf"), "there is no format"),
    ],
)
def test_a_mistake_is_one_sentence_and_2(root: Path, words: tuple[str, ...], said: str) -> None:
    done = doctor(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
