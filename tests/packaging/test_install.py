"""The installed wheel, without extras and with each: what it declares is what it needs."""

import re
import subprocess
import time
from pathlib import Path

import pytest
from tests.packaging.environments import Environment, closure, link
from tests.packaging.test_build import build

from waypost.cli.main import COMMANDS

BOTH = ("serve", "check")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    place = tmp_path_factory.mktemp("installed")
    return Environment(place / "environment", build("wheel", place / "dist"))


@pytest.mark.parametrize("extras", [(), ("serve",), ("check",), BOTH, ("django",)], ids="-".join)
def test_the_version_and_the_help_need_no_extra(installed, extras):
    assert installed.run(extras, "--version").stdout.startswith("waypost ")
    done = installed.run(extras, "--help")
    assert done.returncode == 0, done.stderr
    assert all(row.name in done.stdout for row in COMMANDS)


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_a_command_says_which_extra_it_lacks(installed, row, tmp_path):
    done = installed.run((), row.name, "--nonsense", "/x", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    if "not installed" in done.stderr:
        assert done.stderr.endswith(f"which is not installed: pip install 'waypost[{row.extra}]'\n")
        assert done.stderr.count("\n") == 1
    assert installed.run(row.extra.split(","), row.name, "--help").returncode == 0


def test_a_package_that_is_missed_late_is_named_too(installed):
    done = installed.run((), "robots", "explain", "http://127.0.0.1:1/")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "pip install 'waypost[check]'" in done.stderr


def test_files_are_read_without_extras(installed, tmp_path):
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /x\n")
    done = installed.run((), "robots", "explain", "/x", "--file", "robots.txt", cwd=tmp_path)
    assert "Disallow: /x" in done.stdout, done.stderr
    (tmp_path / "list.txt").write_text("https://example.org/\n")
    assert installed.run((), "sitemap", "read", "list.txt", cwd=tmp_path).returncode == 0
    code = "import waypost; print(waypost.read_robots(b'User-agent: *').allowed('a', '/'), waypost.read_feed(b'x').kind.value)"
    assert installed.python((), code).startswith("True")


@pytest.fixture(scope="module")
def serving(installed, tmp_path_factory):
    """The starter site, served with the serve extra alone."""
    place = tmp_path_factory.mktemp("served")
    assert installed.run((), "init", "site", cwd=place).returncode == 0
    log = place / "log"
    command = [str(installed.path / "bin" / "waypost"), "serve", "site", "--port", "0"]
    with log.open("wb") as stream:
        process = subprocess.Popen(command, cwd=place, env=installed.with_extras("serve"), stdout=stream, stderr=stream)
    try:
        end = time.monotonic() + 60
        while not (found := re.search(r"http://[^/ ]+:\d+", log.read_text())):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end
            time.sleep(0.05)
        yield found[0]
    finally:
        process.terminate()
        process.wait(20)


def test_serve_and_check_need_their_own_extra_alone(installed, serving, tmp_path):
    words = (
        "check",
        serving,
        "--wait",
        "20s",
        "--probe",
        "all",
        "--fail-on",
        "warn",
        "--min-score",
        "1",
        "--output",
        "r.html",
    )
    done = installed.run(("check",), *words, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    again = installed.run(("check",), "report", "r.html", "--format", "json", cwd=tmp_path)
    assert '"score": 1.0' in again.stdout
    assert '"$schema"' in installed.run(("check",), "report", "--schema").stdout


@pytest.mark.parametrize("extra", ["django", "flask", "starlette"])
def test_the_doors_open_with_the_extra_of_their_framework(installed, extra):
    code = f"import {extra}, waypost.integrations.asgi as a, waypost.integrations.wsgi as w; print(a.mount, w.mount)"
    assert "mount" in installed.python((extra,), code)


def test_the_pytest_plugin_stays_out_of_the_way_without_the_check_extra(installed, tmp_path):
    variables = installed.with_extras("django")
    link(closure(["pytest"]).values(), Path(variables["PYTHONPATH"]))
    (tmp_path / "test_it.py").write_text("def test_it(): pass\n")
    command = [str(installed.path / "bin" / "python"), "-m", "pytest", "--fixtures", "-q", "test_it.py"]
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "assert_crawlable" in done.stdout
