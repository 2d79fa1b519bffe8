"""The Dockerfile and the systemd unit: what they promise, and their very command lines, run as far as this machine lets us."""

import json
import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.packaging.sandbox import USER, sandboxed, why_not

from waypost.site.starter import write_starter

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
UNIT = (DEPLOY / "waypost.service").read_text()
DOCKERFILE = re.sub(r"\\\n", " ", (DEPLOY / "Dockerfile").read_text())
STEPS = [line.split(" ", 1) for line in DOCKERFILE.splitlines() if line and not line.startswith("#")]
FINAL = STEPS[max(number for number, (word, _) in enumerate(STEPS) if word == "FROM") :]


def settings(name):
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)


def step(word):
    return next(rest.strip() for name, rest in FINAL if name == word)


def words(text):
    """The words of an instruction in its exec form, the one no shell reads."""
    return json.loads(text)


HEALTH = words(step("HEALTHCHECK").partition("CMD ")[2])
CONTAINER = shlex.join([*words(step("ENTRYPOINT")), *words(step("CMD"))])
(SERVICE,) = settings("ExecStart")


def test_the_image_runs_as_a_user_of_its_own_and_says_when_it_is_ill():
    assert step("USER") == str(USER)
    assert HEALTH[0] == "python"
    assert "/healthz" in HEALTH[-1]
    assert all(name != "ADD" for name, _ in STEPS)
    for name, rest in STEPS:
        if name == "COPY" and "--from" not in rest:
            assert (DEPLOY.parent / rest.split()[0]).exists()
    (install,) = (rest for name, rest in STEPS if name == "RUN" and "pip install" in rest)
    assert {"--require-hashes", "--no-deps"} <= set(install.split())


@pytest.mark.parametrize(
    "line",
    [
        "DynamicUser=yes",
        "ProtectSystem=strict",
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "PrivateDevices=yes",
        "ProtectHome=yes",
        "MemoryDenyWriteExecute=yes",
        "RestrictNamespaces=yes",
        "SystemCallFilter=@system-service",
        "KillSignal=SIGTERM",
    ],
)
def test_the_unit_is_closed(line):
    assert line in UNIT.splitlines()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_finds_the_unit_right_and_little_exposed(tmp_path):
    # The program is not installed on a test machine; everything else of the line stays.
    unit = tmp_path / "waypost.service"
    unit.write_text(UNIT.replace("/opt/waypost/bin/waypost", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=15", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(bool(why_not()), reason=why_not() or "it can be made")
@pytest.mark.parametrize(
    ("command", "content"), [(SERVICE, "/srv/waypost"), (CONTAINER, "/site")], ids=["unit", "image"]
)
def test_the_very_command_line_serves_from_a_root_nobody_can_write(command, content, tmp_path):
    site = tmp_path / "site"
    write_starter(site)
    for path in [site, *site.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    with sandboxed(command, site, content, tmp_path) as box:
        end = time.monotonic() + 60
        while box.run(*HEALTH).returncode:
            assert box.process.poll() is None, box.log.read_text()
            assert time.monotonic() < end, box.log.read_text()
            time.sleep(0.1)
        said = box.run(
            "python", "-m", "waypost", "check", "http://127.0.0.1:8000", "--fail-on", "warn", "--min-score", "1"
        )
        assert said.returncode == 0, said.stdout + said.stderr
        assert box.run("sh", "-c", f"touch /x || touch {content}/x || touch /opt/x").returncode
        assert box.run("sh", "-c", f"id -u; grep CapEff /proc/{box.process.pid}/status").stdout.split() == [
            str(USER),
            "CapEff:",
            "0" * 16,
        ]
        box.process.send_signal(signal.SIGHUP)
        assert box.run(*HEALTH).returncode == 0
        box.process.terminate()
        assert box.process.wait(15) == 0, box.log.read_text()


@pytest.mark.skipif(bool(why_not()), reason=why_not() or "it can be made")
def test_nobody_is_called_healthy_who_does_not_answer(tmp_path):
    (tmp_path / "site").mkdir()
    with sandboxed("sleep 30", tmp_path / "site", "/site", tmp_path) as box:
        time.sleep(0.5)
        assert box.run("true").returncode == 0
        assert box.run(*HEALTH).returncode
