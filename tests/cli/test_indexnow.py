"""`waypost indexnow` as a process: what it says, keeps and sends, and what a kill in between leaves behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.site.endpoint import endpoint

SOURCE = Path(__file__).parents[2] / "src"
KEY = "abcdef0123456789"
ORIGIN = "https://example.com"


@pytest.fixture
def engine():
    with endpoint() as running:
        yield running


@pytest.fixture
def site(tmp_path):
    root = tmp_path / "site"
    write(root / "waypost.toml", f'[indexnow]\nkey = "{KEY}"\n')
    for name in ("index", "a", "b"):
        write(root / f"content/{name}.md", f"# {name}\n")
    write(root / "content/secret.md", "---\ntags: [staff]\n---\n# CANARY\n")
    write(root / "waypost.toml", f'[indexnow]\nkey = "{KEY}"\n[tags.staff]\nroles = ["staff"]\n')
    return root


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.tmp")
    draft.write_text(text)
    draft.replace(path)


def command(root: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "waypost", "indexnow", str(root), "--origin", ORIGIN, *more]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCE), **more}


def run(root: Path, *more: str, code: int = 0, **known: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command(root, *more), capture_output=True, text=True, timeout=60, env=environment(**known))
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_from_the_first_run_on_changes_are_told_and_nothing_else(site, engine):
    first = run(site, "--endpoint", engine.url)
    assert "3 pages are known from now on" in first.stderr
    run(site, "--endpoint", engine.url)
    assert engine.calls == []
    write(site / "content/a.md", "# A again\n")
    write(site / "content/c.md", "# New\n")
    (site / "content/b.md").unlink()
    write(site / "content/secret.md", "---\ntags: [staff]\n---\n# CANARY again\n")
    dry = run(site, "--endpoint", engine.url, "--dry-run")
    assert dry.stdout == f"changed {ORIGIN}/a\ngone    {ORIGIN}/b\nchanged {ORIGIN}/c\n"
    assert engine.calls == []
    told = run(site, "--endpoint", engine.url)
    assert engine.urls == [f"{ORIGIN}/a", f"{ORIGIN}/b", f"{ORIGIN}/c"]
    assert "3 URLs, 1 of them gone" in told.stderr
    run(site, "--endpoint", engine.url)
    assert len(engine.calls) == 1
    run(site, "--endpoint", engine.url, "--all")
    assert engine.urls[3:] == [f"{ORIGIN}/", f"{ORIGIN}/a", f"{ORIGIN}/c"]
    assert "secret" not in str(engine.calls)


def test_a_dry_run_leaves_no_trace(site, engine):
    before = sorted(site.rglob("*"))
    dry = run(site, "--dry-run", "--endpoint", engine.url)
    assert (dry.stdout, engine.calls) == ("", [])
    assert "--all tells of them" in dry.stderr
    assert run(site, "--dry-run", "--all").stdout.splitlines() == [
        f"changed {ORIGIN}{path}" for path in ("/", "/a", "/b")
    ]
    assert sorted(site.rglob("*")) == before


def test_nothing_is_written_into_a_bare_folder(tmp_path, engine):
    notes, state = tmp_path / "notes", tmp_path / "state"
    write(notes / "one.md", "# One\n")
    known = {"WAYPOST_STATE": str(state), "WAYPOST_INDEXNOW_KEY": KEY}
    run(notes, "--endpoint", engine.url, **known)
    write(notes / "two.md", "# Two\n")
    run(notes, "--endpoint", engine.url, **known)
    assert engine.urls == [f"{ORIGIN}/two"]
    assert sorted(path.name for path in notes.iterdir()) == ["one.md", "two.md"]
    [folder] = state.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "indexnow-https-example.com.txt").is_file()


@pytest.mark.parametrize(
    ("more", "word"),
    [(["--origin", "example.com"], "scheme and the host"), (["--endpoint", "nonsense://x"], "only http"), (["--every", "0", "--watch"], "--every")],
)  # fmt: skip
def test_misuse_is_exit_2_and_a_sentence(site, more, word):
    done = run(site, "--all", *more, code=2)
    assert word in done.stderr
    assert run(site / "nowhere", code=2).stderr.count("\n") == 1


def test_off_it_says_how_it_is_switched_on(site):
    write(site / "waypost.toml", "")
    assert 'indexnow = { key = "' in run(site, code=2).stderr


def test_an_endpoint_that_refuses_is_exit_2_one_that_is_out_of_order_3(site, engine):
    run(site, "--endpoint", engine.url)
    write(site / "content/a.md", "# A again\n")
    engine.answers = [403]
    assert f"{ORIGIN}/{KEY}.txt" in run(site, "--endpoint", engine.url, code=2).stderr
    engine.answers = [(429, {"Retry-After": "9999"})]
    assert "asks to wait 9,999 s" in run(site, "--endpoint", engine.url, code=3).stderr
    engine.answers = [200]
    run(site, "--endpoint", engine.url)
    assert engine.urls == [f"{ORIGIN}/a"] * 3


def test_who_is_killed_between_sending_and_remembering_tells_again(site, engine):
    run(site, "--endpoint", engine.url)
    write(site / "content/a.md", "# A again\n")
    process = subprocess.Popen(command(site, "--endpoint", engine.url), env=environment(), stderr=subprocess.DEVNULL)

    def kill() -> int:
        process.kill()
        return 200

    engine.answers = [kill, 200]
    assert process.wait(30) == -signal.SIGKILL
    assert engine.urls == [f"{ORIGIN}/a"]
    run(site, "--endpoint", engine.url)
    assert engine.urls == [f"{ORIGIN}/a"] * 2
    run(site, "--endpoint", engine.url)
    assert len(engine.calls) == 2


def until(condition, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_watching_tells_of_changes_as_they_come_and_outlives_trouble(site, engine):
    run(site, "--endpoint", engine.url)
    engine.answers = [(503, {"Retry-After": "1000"}), 200]
    arguments = command(site, "--endpoint", engine.url, "--watch", "--every", "1")
    process = subprocess.Popen(arguments, env=environment(), stderr=subprocess.PIPE, text=True)
    try:
        write(site / "content/a.md", "# A again\n")
        until(lambda: len(engine.calls) == 1)
        assert run(site, "--endpoint", engine.url, code=2).stderr.count("another waypost indexnow is at work") == 1
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(15) == 0
    assert "asks to wait 1,000 s" in process.stderr.read()
    process.stderr.close()
    process = subprocess.Popen(arguments, env=environment(), stderr=subprocess.DEVNULL)
    try:
        until(lambda: len(engine.calls) == 2)
        for name in ("x", "y", "z"):
            write(site / f"content/{name}.md", "# New\n")
        until(lambda: {f"{ORIGIN}/{name}" for name in "xyz"} <= set(engine.urls))
        (site / "content/x.md").unlink()
        until(lambda: engine.urls.count(f"{ORIGIN}/x") == 2)
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(15) == 0
    assert engine.urls.count(f"{ORIGIN}/a") == 2
    assert "secret" not in str(engine.calls)
