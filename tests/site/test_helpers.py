"""The first scan of a big root: read in a tight loop and by helper processes, and the same as read one by one."""

import json
import os
import random
import sys
import tempfile
from pathlib import Path

import pytest
from tests.site.roots import Root, paths, snapshot

from waypost.site import helpers, scan
from waypost.site.cache import PageMetaCache


def fill(root: Root, count: int = 600) -> None:
    """Id objects of every sort, most of them plain."""
    chance = random.Random(7)
    for number in range(count):
        digits = f"{chance.getrandbits(64):016x}"
        name = f"{digits[-2:]}/{digits}.{chance.randrange(3)}"
        said: dict[str, object] = {
            "title": f"Page {number}",
            "alias": f"s{number % 7}/p{number}",
            "mime": "text/markdown",
        }
        match number % 40:
            case 1:
                said["alias"] = "s1/p1"
            case 2:
                said["alias"] = "login/x"
            case 3:
                said = {"alias": f"x{number}"}
            case 4:
                said["tags"] = ["staff"]
            case 5:
                said["mime"] = "image/png"
            case 6:
                said["translations"] = {"de": "s0/p0"}
            case 7:
                said["title"] = "Gr\u00fc\u00dfe"
            case 8:
                said["alias"] = "Mixed/Case"
            case 9:
                said["roles"] = ["boss"]
            case 10:
                said["alias"] = None
            case 11:
                said["id"] = "0" * 16
            case 12:
                said["alias"] = ""
        root.page(name, f"# Heading {number}")
        root.page(f"{name}.json", json.dumps(said, ensure_ascii=bool(number % 2)))
    root.page("00/notes.md", "# Notes")
    root.page("0a/deep/er.md", "# Deeper")
    root.page("01/0000000000000001.4.json", "{}")
    root.page("02/0000000000000102.4.json", "{")
    root.page("02/0000000000000102.4", "# x")
    root.page("03/0000000000000999.4.json", "{}")
    root.page("03/0000000000000999.4", "# x")
    root.page("other/page.md", "# Other")
    root.write("waypost.toml", '[tags.staff]\nroles = ["staff"]\n')


def slow(root: Root, monkeypatch: pytest.MonkeyPatch) -> PageMetaCache:
    """The cache as the careful reader makes it, object by object."""
    with monkeypatch.context() as patch:
        patch.setattr(scan, "read_rows", lambda _folder, _shard, _now, groups: ([], list(groups), 0.0))
        patch.setattr(scan, "helpers_for", lambda _root, _shards: 0)
        return root.cache()


@pytest.fixture
def big(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "SHARDS_BIG_BYTES", 0)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2}, raising=False)


@pytest.mark.usefixtures("big")
def test_without_a_place_for_temporary_files_everything_is_read_here(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(root, 40)
    monkeypatch.setattr(tempfile, "tempdir", str(root.path / "nowhere"))
    assert snapshot(root.cache()) == snapshot(slow(root, monkeypatch))


def test_plain_and_careful_reading_agree(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(root)
    fast = root.cache()
    assert len(paths(fast)) > 400
    assert snapshot(fast) == snapshot(slow(root, monkeypatch))
    assert fast.table().changed_at == slow(root, monkeypatch).table().changed_at


def test_helpers_read_the_same(root: Root, monkeypatch: pytest.MonkeyPatch, big: None) -> None:
    fill(root)
    helped = root.cache()
    assert snapshot(helped) == snapshot(slow(root, monkeypatch))
    digits = next(entry.key.hex() for entry in helped.catalog.entries() if not entry.name)
    root.page(f"{digits[-2:]}/{digits}.7", "# new version")
    root.page(f"{digits[-2:]}/{digits}.7.json", '{"title": "New", "alias": "brand/new"}')
    assert "/brand/new" in paths(helped)
    monkeypatch.undo()
    assert snapshot(helped) == snapshot(root.cache())


@pytest.mark.parametrize("how", ["no program", "fails", "rubbish", "half"])
def test_what_helpers_cannot_do_is_done_by_the_one_who_asked(
    root: Root, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, big: None, how: str
) -> None:
    fill(root, 200)
    program = tmp_path / "python"
    script = {
        "fails": "exit 3",
        "rubbish": 'printf "abcdefghijk" >&$3',
        "half": 'printf "\\1\\0\\0\\0\\0\\0\\0\\0x" >&$3',
    }
    if how != "no program":
        program.write_text(f"#!/bin/bash\n{script[how]}\n")
        program.chmod(0o755)
    monkeypatch.setattr(helpers.sys, "executable", str(program))
    cache = root.cache()
    monkeypatch.undo()
    assert snapshot(cache) == snapshot(root.cache())
    root.page("other/late.md", "# Late")
    assert "/other/late" in paths(cache)


def test_helpers_end_with_the_one_who_asked(root: Root, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fill(root, 200)
    program = tmp_path / "python"
    program.write_text("#!/bin/bash\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setattr(helpers.sys, "executable", str(program))
    shards = sorted(path.name for path in root.content.iterdir() if len(path.name) == 2)
    opened = len(os.listdir("/proc/self/fd"))
    reading = helpers.ShardHelpers(str(root.content), shards, 2, 1e9)
    children = [helper.child for helper in reading._started]
    frames = reading.frames()
    next(frames)
    frames.close()
    assert [child.returncode for child in children] == [-9, -9]
    monkeypatch.setattr(helpers, "HELPER_SECONDS_MAX", 0.1)
    late = helpers.ShardHelpers(str(root.content), shards, 1, 1e9)
    assert sorted(frame[0] for frame in late.frames()) == shards
    assert late._started[0].child.returncode == -9
    assert len(os.listdir("/proc/self/fd")) == opened


def test_small_roots_have_no_helpers(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(root, 50)
    shards = [f"{number:02x}" for number in range(256)]
    assert helpers.helpers_for(str(root.content), shards) == 0
    monkeypatch.setattr(helpers, "SHARDS_BIG_BYTES", 0)
    assert helpers.helpers_for(str(root.content), []) == 0
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0}, raising=False)
    assert helpers.helpers_for(str(root.content), shards) == 0
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(64)), raising=False)
    assert helpers.helpers_for(str(root.content), shards) == 3
    assert sys.executable
