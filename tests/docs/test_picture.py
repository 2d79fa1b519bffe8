"""The picture in the README is one of today's reports."""

import struct
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def size(path):
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])


def test_the_picture_is_small():
    path = ROOT / "docs/report.png"
    assert size(path) == (900, 620)
    assert path.stat().st_size < 150_000


@pytest.mark.browser
def test_the_picture_can_be_taken_again(tmp_path, monkeypatch):
    if not Path("/usr/bin/chromium").exists():
        pytest.skip("Chromium is not installed")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    from tools.picture import take

    take(tmp_path / "again.png")
    assert size(tmp_path / "again.png") == (900, 620)
