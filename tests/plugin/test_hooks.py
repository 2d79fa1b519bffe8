"""The pre-commit hooks and the GitHub Action: their own entries and steps are run, on files and on a site."""

import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{}</loc></url></urlset>\n'
BASE = "https://example.com"


def hook(name: str) -> dict[str, Any]:
    return next(one for one in HOOKS if one["id"] == name)


def step(name: str) -> dict[str, Any]:
    return next(one for one in ACTION["runs"]["steps"] if one.get("name") == name)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A `waypost` and a `python` as an installation has them, of this very tree."""
    programs = tmp_path / "runner" / "waypost" / "bin"
    programs.mkdir(parents=True)
    for name, words in (("waypost", "-m waypost"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nPYTHONPATH={ROOT / "src"} exec {sys.executable} {words} "$@"\n')
        (programs / name).chmod(0o755)
    return programs


def run_hook(name: str, installed: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{installed}{os.pathsep}{os.environ['PATH']}"}
    command = [*shlex.split(hook(name)["entry"]), *words]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=100)


def test_hooks_install_what_the_check_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert len({one["id"] for one in HOOKS}) == len(HOOKS)
    for one in HOOKS:
        assert one["additional_dependencies"] == project["optional-dependencies"]["check"]
        assert one["language"] == "python"
        assert one["entry"].split()[0] in project["scripts"]


@pytest.mark.parametrize(
    ("name", "wanted", "others"),
    [
        ("waypost-robots", ["robots.txt", "public/robots.txt"], ["my-robots.txt", "robots.txt.bak"]),
        ("waypost-sitemap", ["sitemap.xml", "a/sitemap-2.xml.gz", "sitemap.txt"], ["sitemap.md", "a/b.xml"]),
    ],
)
def test_hooks_look_at_the_files_they_are_for(name: str, wanted: list[str], others: list[str]) -> None:
    import re

    assert all(re.search(hook(name)["files"], path) for path in wanted)
    assert not any(re.search(hook(name)["files"], path) for path in others)


def test_a_hook_judges_every_file_it_is_given(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text(f"User-agent: *\nDisallow: /cart\nSitemap: {BASE}/sitemap.xml\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "robots.txt").write_text("Disallow: /cart\n")
    done = run_hook("waypost-robots", installed, "robots.txt", "other/robots.txt", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "other/robots.txt:1:1: error RBT204" in done.stdout
    assert run_hook("waypost-robots", installed, "robots.txt", cwd=tmp_path).returncode == 0
    assert run_hook("waypost-robots", installed, "--fix", "robots.txt", cwd=tmp_path).returncode == 0
    (tmp_path / "sitemap.xml").write_text(URLSET.format(f"{BASE}/a"))
    (tmp_path / "sitemap-2.xml").write_text("<urlset")
    assert run_hook("waypost-sitemap", installed, "sitemap.xml", cwd=tmp_path).returncode == 0
    done = run_hook("waypost-sitemap", installed, "sitemap.xml", "sitemap-2.xml", cwd=tmp_path)
    assert (done.returncode, "sitemap-2.xml:1:" in done.stdout) == (1, True)


def test_a_hook_judges_a_built_site(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "sitemap.xml").write_text(URLSET.format(f"{BASE}/a"))
    assert run_hook("waypost-check", installed, "public", "--base", BASE, cwd=tmp_path).returncode == 0
    (tmp_path / "public" / "sitemap.xml").write_text(URLSET.format("a"))
    assert run_hook("waypost-check", installed, "public", "--base", BASE, cwd=tmp_path).returncode == 1


def run_action(installed: Path, cwd: Path, **inputs: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """Run the step as the runner does: inputs as its environment says, bash with its flags, files for what it says."""
    given = {name: one.get("default", "") for name, one in ACTION["inputs"].items()}
    given |= {name.replace("_", "-"): value for name, value in inputs.items()}
    own = {}
    for key, value in step("Check")["env"].items():
        assert value.startswith("${{ inputs.")
        own[key] = given[value.removeprefix("${{ inputs.").removesuffix(" }}")]
    script, output, summary = (cwd / name for name in ("step.sh", "output", "summary"))
    script.write_text(step("Check")["run"])
    runner = {
        "RUNNER_TEMP": str(installed.parents[1]),
        "GITHUB_OUTPUT": str(output),
        "GITHUB_STEP_SUMMARY": str(summary),
    }
    output.write_text("")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=cwd, env={**os.environ, **runner, **own}, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    return done, dict(line.partition("=")[::2] for line in output.read_text().splitlines())


def test_the_action_never_pastes_an_input_into_a_script() -> None:
    for one in ACTION["runs"]["steps"]:
        assert "${{" not in one.get("run", "")
    named = {
        value
        for one in ACTION["runs"]["steps"]
        for value in [*one.get("env", {}).values(), *one.get("with", {}).values()]
    }
    assert named == {f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"]}


def test_the_action_says_what_it_found_and_fails_with_it(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitemap.xml").write_text(URLSET.format(f"{BASE}/a"))
    done, said = run_action(installed, tmp_path, target="site", base=BASE, args="--deep --seed 3")
    assert done.returncode == 0, done.stderr
    assert (said["status"], said["score"], said["exit-code"]) == ("pass", "1.0", "0")
    assert all(Path(said[kind]).stat().st_size > 0 for kind in ("json", "sarif", "html"))
    assert set(said) == set(ACTION["outputs"])
    assert BASE in (tmp_path / "summary").read_text()
    (tmp_path / "site" / "sitemap.xml").write_text("<urlset")
    done, said = run_action(installed, tmp_path, target="site", base=BASE)
    assert (done.returncode, said["exit-code"], said["status"]) == (1, "1", "fail")
    assert "::error" in done.stdout
    done, said = run_action(installed, tmp_path, target="--help; $(touch pwned)", base=BASE)
    assert (done.returncode, set(said)) == (2, {"exit-code"})
    assert not (tmp_path / "pwned").exists()


def test_the_action_installs_itself_with_what_the_check_needs(tmp_path: Path) -> None:
    """The step with a pip that only writes down what it is told."""
    programs = tmp_path / "bin"
    programs.mkdir()
    fake = '#!/bin/sh\nif [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; fi\necho "$@" >> "$SAID"\n'
    (programs / "python").write_text(fake)
    (programs / "python").chmod(0o755)
    own = {
        "PATH": f"{programs}:/usr/bin:/bin",
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_ACTION_PATH": "/action",
        "SAID": str(tmp_path / "said"),
    }
    subprocess.run(["bash", "-eo", "pipefail", "-c", step("Install waypost")["run"]], env=own, check=True)
    assert (tmp_path / "said").read_text().splitlines() == [
        f"-m venv {tmp_path}/waypost", "-m pip install --quiet /action[check]",
    ]  # fmt: skip
