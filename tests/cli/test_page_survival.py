"""`waypost page` on a disk that is full and under `kill -9`: the old object stays whole, or the new one is."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
COMMAND = (sys.executable, "-m", "waypost", "page")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE)}
OLD = 'alias = "old"\ntags = ["one"]\n'
FULL = """set -e
mount -t tmpfs -o size=64k none "$0"
mkdir "$0/content"; cp "$1/a.md" "$1/a.md.toml" "$0/content"
dd if=/dev/zero of="$0/filler" bs=4k 2>/dev/null || true
shift; status=0; "$@" || status=$?
echo; cat "$0/content/a.md.toml"; ls -A "$0/content"
exit $status
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    content = tmp_path / "root/content"
    content.mkdir(parents=True)
    (content / "a.md").write_text("# A\n")
    (content / "a.md.toml").write_text(OLD)
    return tmp_path / "root"


def may_mount() -> bool:
    return subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not may_mount(), reason="no user namespaces here")
@pytest.mark.parametrize("words", [("alias", "a.md", "new"), ("retag", "a.md", "two", "three" * 2_000)])
def test_safety_3_on_a_disk_that_is_full_the_old_object_stays_whole(folder, tmp_path, words):
    place = tmp_path / "full"
    place.mkdir()
    verb, *rest = words
    command = [*COMMAND, verb, str(place), *rest]
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", FULL, str(place), str(folder / "content"), *command],
        capture_output=True, text=True, env=ENVIRONMENT, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "no space left on device" in done.stderr
    assert "the old" in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout.endswith(f"\n{OLD}a.md\na.md.toml\n")


def test_safety_1_a_command_that_is_killed_leaves_the_old_object_or_the_new_one(folder):
    sidecar = folder / "content/a.md.toml"
    chance = random.Random(1)
    started = time.monotonic()
    subprocess.run([*COMMAND, "retag", str(folder), "a.md", "warm"], env=ENVIRONMENT, capture_output=True, check=True)
    took = time.monotonic() - started
    for turn in range(8):
        sidecar.write_text(OLD)
        child = subprocess.Popen(
            [*COMMAND, "retag", str(folder), "a.md", f"tag{turn}"],
            env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(took * chance.uniform(0.6, 1.1))
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert sidecar.read_text() in {OLD, OLD.replace("one", f"tag{turn}")}
        assert {path.name for path in folder.glob("content/*")} >= {"a.md", "a.md.toml"}
    left = subprocess.run([*COMMAND, "list", str(folder)], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert left.stdout.split()[:2] == ["listed", "/old"]
    assert len(left.stdout.splitlines()) == 1, "what a killed writer left is a name that scans ignore"
