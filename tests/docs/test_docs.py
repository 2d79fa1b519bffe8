"""Docs that cannot lie: the reference is generated, links lead somewhere, every shell block runs."""

import doctest
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from tests.web.client import waypost as served
from tools.reference import pages

from waypost.site.starter import write_starter

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
WRITTEN = [*sorted(DOCS.rglob("*.md")), ROOT / "README.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRELUDE = """set -eu
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
curl() { command curl --fail --retry 60 --retry-delay 1 --retry-connrefused "$@"; }
"""


def name_of(path):
    return str(path.relative_to(ROOT))


def blocks(kind):
    for path in WRITTEN:
        for number, (language, text) in enumerate(BLOCK.findall(path.read_text(encoding="utf-8")), 1):
            if language == kind:
                yield pytest.param(text, id=f"{name_of(path)}#{number}")


def test_the_reference_is_what_the_tables_say():
    made = pages()
    kept = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.md")}
    assert kept == made, "run: python3 run.py reference"


def test_every_variable_of_the_environment_is_written_about():
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    known = set(re.findall(r'"(WAYPOST_[A-Z_]*[A-Z])"', sources))
    text = "".join(path.read_text(encoding="utf-8") for path in WRITTEN)
    assert len(known) > 2
    assert {name for name in known if not re.search(rf"\b{name}\b", text)} == set()


@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_every_link_between_files_leads_somewhere(path):
    text = BLOCK.sub("", path.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:|#", target):
            assert (path.parent / target.partition("#")[0]).exists(), target


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=name_of)
def test_every_page_has_a_title_and_a_description(path):
    text = path.read_text(encoding="utf-8")
    head = text.partition("---\n")[2].partition("---\n")[0]
    assert text.startswith("---\n")
    assert "title: " in head
    assert "description: " in head


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def runnable(text):
    """The block as a script: its port is a free one, and a server in the background is waited for."""
    port = free_port()
    lines = []
    for line in text.splitlines():
        lines.append(line.replace("8000", str(port)))
        if line.endswith(" &"):
            lines.append(
                f"command curl --silent --retry 60 --retry-delay 1 --retry-connrefused --output {os.devnull} http://127.0.0.1:{port}/"
            )
    return PRELUDE + "\n".join(lines) + "\n"


@pytest.mark.parametrize("text", list(blocks("console")))
def test_every_shell_block_runs(text, tmp_path):
    lines = text.strip().splitlines()
    if all(line.startswith("python3 run.py") for line in lines):
        # This suite runs behind the front door; tests/packaging and tests/cli open it, and run the demo.
        assert all(line.split()[2:] in ([], ["test"]) for line in lines)
        return
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("waypost", "uvicorn"):
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {name} "$@"\n')
        (tools / name).chmod(0o755)
    (tmp_path / "here").mkdir()
    environment = os.environ | {
        "PYTHONPATH": str(ROOT / "src"),
        "PATH": f"{tools}:{os.environ['PATH']}",
        "NO_COLOR": "1",
        "HOME": str(tmp_path),
    }
    done = subprocess.run(
        ["bash", "-c", runnable(text)],
        cwd=tmp_path / "here",
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("text", list(blocks("pycon")))
def test_every_python_session_says_what_it_shows(text):
    parsed = doctest.DocTestParser().get_doctest(text, {}, "docs", None, 0)
    assert doctest.DocTestRunner().run(parsed).failed == 0


@pytest.mark.parametrize("text", list(blocks("toml")))
def test_every_piece_of_settings_is_accepted(text, tmp_path):
    (tmp_path / "waypost.toml").write_text(text)
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "waypost", "config", "show", str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def starter(tmp_path_factory):
    """The starter site, served, and a folder with the documents it offers."""
    place = tmp_path_factory.mktemp("starter")
    write_starter(place / "site")
    with served(str(place / "site"), log=place / "log") as server:
        origin = f"http://127.0.0.1:{server.port}"
        for name in ("robots.txt", "sitemap.xml"):
            with urlopen(f"{origin}/{name}", timeout=30) as answer:
                (place / name).write_bytes(answer.read())
        yield origin, place


APPLICATION = """
async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body"})
"""


@pytest.mark.parametrize("text", list(blocks("python")))
def test_every_piece_of_python_runs(text, starter):
    origin, place = starter
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}
    code = APPLICATION + text.replace('"example.com"', f'"{origin}"')
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    if "print(" in text:
        assert done.stdout


def test_the_docs_folder_is_a_site_that_scores_one(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1", "HOME": str(tmp_path)}
    words = ["--format", "csv", "--fail-on", "warn", "--min-score", "1", "--probe", "all"]
    with served(str(DOCS), log=tmp_path / "log") as server:
        command = [sys.executable, "-m", "waypost", "check", f"http://127.0.0.1:{server.port}", *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
