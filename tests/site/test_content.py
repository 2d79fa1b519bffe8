"""Files are written all or nothing, and only regular files are read."""

import errno
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from waypost.errors import StoreError
from waypost.site import content
from waypost.site.content import NotRegularError, content_file, read_file, write_file


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    write_file(str(path), b"one")
    path.chmod(0o640)
    write_file(str(path), b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["a.toml"]


@pytest.mark.parametrize("call", ["open", "write", "fsync", "fchmod", "rename"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_safety_3_a_full_disk_at_any_call_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"old")

    def fails(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    target = Path if call == "rename" else content.os
    monkeypatch.setattr(target, call, fails)
    with pytest.raises(StoreError, match="old file is whole"):
        write_file(str(path), b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.toml"]


def test_a_folder_that_cannot_be_flushed_is_said_of_the_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"old")
    real = os.fsync

    def fails(descriptor: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(descriptor)

    monkeypatch.setattr(content.os, "fsync", fails)
    with pytest.raises(StoreError, match="is written"):
        write_file(str(path), b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a.toml"]


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(content.os, "write", lambda fd, data: real(fd, bytes(data[:3])))
    write_file(str(tmp_path / "a"), b"0123456789")
    assert (tmp_path / "a").read_bytes() == b"0123456789"


WRITER = """
import sys
from waypost.site.content import write_file
number = 0
while True:
    number += 1
    write_file(sys.argv[1], (b"%d\\n" % number) * 2000)
    if number == 1: print("ready", flush=True)
"""


def test_safety_1_kill_9_of_a_writer_tears_no_file(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    for turn in range(25):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.0007 * turn)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        lines = path.read_bytes().splitlines()
        assert len(lines) == 2000
        assert len(set(lines)) == 1


def test_safety_16_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "real").write_bytes(b"x")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        for name in ("fifo", "link", "loop", "socket", "."):
            with pytest.raises(OSError) as caught:
                read_file(str(tmp_path / name), 10)
            assert isinstance(caught.value, NotRegularError)
    assert read_file(str(tmp_path / "real"), 10)[0] == b"x"


@pytest.mark.parametrize("swapped", ["content", "content/a", "content/a/b", "content/a/b/f.txt"])
def test_safety_34_a_link_on_the_way_to_a_file_is_refused(tmp_path: Path, swapped: str) -> None:
    for place in ("content", "elsewhere"):
        (tmp_path / place / "a/b").mkdir(parents=True)
        (tmp_path / place / "a/b/f.txt").write_text(place)
    root = str(tmp_path / "content")
    assert read_file("a/b/f.txt", 99, root)[0] == b"content"
    before = len(os.listdir("/proc/self/fd"))
    (tmp_path / swapped).rename(tmp_path / "away")
    (tmp_path / swapped).symlink_to(tmp_path / swapped.replace("content", "elsewhere"))
    with pytest.raises(OSError):
        read_file("a/b/f.txt", 99, root)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_file_that_grows_is_read_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "big"
    path.write_bytes(b"x" * 300_000)
    assert len(read_file(str(path), 200_000)[0]) == 200_000
    assert len(read_file(str(path), 400_000)[0]) == 300_000


def test_safety_7_an_open_file_stays_what_it_was(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"a" * 1000)
    with content_file(str(path)) as (descriptor, status):
        write_file(str(path), b"b" * 5)
        assert os.read(descriptor, 5000) == b"a" * 1000
        assert status.st_size == 1000
