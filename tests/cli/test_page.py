"""`waypost page` and `waypost config`, as a person runs them."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    import os

    return subprocess.run(
        [sys.executable, "-m", "waypost", *words], capture_output=True, text=True, env={**os.environ, **environment}
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "content/docs").mkdir(parents=True)
    (tmp_path / "content/index.md").write_text("# Home")
    (tmp_path / "content/docs/intro.md").write_text("---\ntags: [a]\n---\n# Intro\x1b[31m")
    (tmp_path / "content/draft.md").write_text("---\ndraft: true\n---\n")
    (tmp_path / "content/bad.md").write_text("---\ntitle: [\n---\n")
    (tmp_path / "content/logo.png").write_bytes(b"x")
    (tmp_path / "waypost.toml").write_text('title = "T"\n\n[tags.staff]\nroles = ["staff"]\n')
    return tmp_path


def test_a_path_is_listed_as_people_write_it(folder: Path) -> None:
    (folder / "content/Über uns.md").write_text("# Us\n")
    assert "listed     /über-uns " in run("page", "list", str(folder)).stdout


def test_list_and_show(folder: Path) -> None:
    listed = run("page", "list", str(folder))
    assert listed.returncode == 0
    assert [line.split()[:2] for line in listed.stdout.splitlines()] == [
        ["listed", "/"],
        ["listed", "/docs/intro"],
        ["denied", "/draft"],
    ]
    assert "\x1b" not in listed.stdout
    assert "--all" in listed.stderr
    everything = run("page", "list", str(folder), "--all").stdout
    assert "/logo.png" in everything
    assert "bad.md:3" in everything
    records = json.loads(run("page", "list", str(folder), "--format", "json").stdout)
    assert [record["file"] for record in records] == ["index.md", "docs/intro.md", "draft.md"]
    shown = run("page", "show", str(folder), "/docs/intro")
    assert "docs/intro.md" in shown.stdout
    assert json.loads(run("page", "show", str(folder), "docs/intro.md", "--format", "json").stdout)["tags"] == ["a"]


def test_alias_and_retag_change_what_is_served(folder: Path) -> None:
    aliased = run("page", "alias", str(folder), "/docs/intro", "Help")
    assert aliased.returncode == 0
    assert aliased.stderr.splitlines()[-1] == f"undo: waypost page alias {folder} docs/intro.md --derived"
    assert (folder / "content/docs/intro.md.toml").read_text() == 'alias = "help"\nredirect_from = ["docs/intro"]\n'
    assert run("page", "show", str(folder), "/help").returncode == 0
    tagged = run("page", "retag", str(folder), "/help", "--add", "staff", "--remove", "a")
    assert tagged.returncode == 0
    assert "for staff" in tagged.stderr
    assert run("page", "retag", str(folder), "docs/intro.md", "--clear").returncode == 0
    assert run("page", "retag", str(folder), "docs/intro.md", "one", "two").returncode == 0
    assert json.loads(run("page", "show", str(folder), "/help", "--format", "json").stdout)["tags"] == ["one", "two"]
    assert run("page", "alias", str(folder), "/help", "--none").returncode == 0
    assert run("page", "alias", str(folder), "docs/intro.md", "--derived").returncode == 0
    assert run("page", "show", str(folder), "/docs/intro").returncode == 0


def files_of(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("new", "{}", "docs/opening hours", "--title", "When: we're open"), "/docs/opening-hours"),
        (("move", "{}", "/docs/intro", "start/here"), "/docs/intro is now at /start/here"),
        (("rm", "{}", "/docs/intro"), "2 pages link to it: their links lead nowhere now (docs/index.md, index.md)"),
        (("rm", "{}", "/docs/intro", "--to", "/"), "its addresses lead to /"),
    ],
)
def test_the_undo_that_is_printed_brings_everything_back(folder: Path, words: tuple[str, ...], said: str) -> None:
    (folder / "content/index.md").write_text("# Home\n\n[intro](docs/intro.md)\n")
    (folder / "content/docs/index.md").write_text("# Docs\n\n[intro](intro.md)\n")
    (folder / "content/docs/intro.md.toml").write_text('# mine\ntitle = "T"\n')
    before = files_of(folder)
    done = run("page", *(word.replace("{}", str(folder)) for word in words))
    assert done.returncode == 0, done.stderr
    assert said in done.stderr
    assert files_of(folder) != before
    if words[0] == "new":
        assert done.stdout.strip() == f"{folder}/content/docs/opening-hours.md"
        shown = run("page", "show", str(folder), "/docs/opening-hours")
        assert "When: we're open" in shown.stdout
    undo = done.stderr.splitlines()[-1].removeprefix("undo: waypost ")
    assert undo.split()[-1] in run("page", "undo", str(folder)).stdout
    assert run(*shlex.split(undo)).returncode == 0
    assert files_of(folder) == before
    assert run("page", "undo", str(folder)).stdout == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("page", "alias", "{}", "/docs/intro", "Login/x"), "/login/ is kept for signing in"),
        (("page", "alias", "{}", "/docs/intro", "robots.txt"), "robots.txt"),
        (("page", "alias", "{}", "/docs/intro"), "say the new alias"),
        (("page", "alias", "{}", "/none", "x"), "no object"),
        (("page", "show", "{}", "bad.md"), "withheld"),
        (("page", "new", "{}", "Login/x"), "/login/ is kept for signing in"),
        (("page", "new", "{}", "docs/intro"), "is there already"),
        (("page", "move", "{}", "/docs/intro", "sitemap.xml"), "sitemap.xml"),
        (("page", "move", "{}", "/docs/intro", "../out"), "dots"),
        (("page", "rm", "{}", "/none"), "no object"),
        (("page", "rm", "{}", "/docs/intro", "--to", "docs/intro.md"), "cannot have its own addresses"),
        (("page", "undo", "{}", "x"), "no change"),
        (("page", "retag", "{}", "/"), "say the tags"),
        (("page", "list", "{}/nowhere"), "not there"),
        (("page", "list", "{}/waypost.toml"), "a file"),
        (("config", "show", "{}/nowhere"), "not there"),
    ],
)
def test_a_refusal_is_one_sentence_and_exit_2(folder: Path, words: tuple[str, ...], sentence: str) -> None:
    done = run(*(word.replace("{}", str(folder)) for word in words))
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_config_show_says_where_each_setting_comes_from(folder: Path) -> None:
    shown = run("config", "show", str(folder), "--origin", WAYPOST_SERVER_PORT="9001")
    assert shown.returncode == 0
    assert 'title = "T"' in shown.stdout
    assert "# waypost.toml:1" in shown.stdout
    assert "server.port = 9001" in shown.stdout
    assert "# WAYPOST_SERVER_PORT" in shown.stdout
    assert "tags: 1 in the file # waypost.toml:3" in shown.stdout
    record = json.loads(run("config", "show", str(folder), "--format", "json").stdout)
    assert record["slash"] == {"value": "never", "origin": "default", "help": record["slash"]["help"]}


def test_config_show_with_an_unknown_key_exits_2_and_names_the_nearest(folder: Path) -> None:
    (folder / "waypost.toml").write_text('titel = "T"\n')
    done = run("config", "show", str(folder))
    assert done.returncode == 2
    assert "waypost.toml:1" in done.stderr
    assert "'title'" in done.stderr
    (folder / "waypost.toml").write_text("")
    done = run("config", "show", str(folder), WAYPOST_TITEL="x")
    assert done.returncode == 2
    assert "WAYPOST_TITLE" in done.stderr
