"""Roots to test on: real directories, written by other processes where it matters."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.site.roots import Root


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    made = Root(tmp_path / "root")
    made.content.mkdir(parents=True)
    yield made
    made.close()


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Root]:
    made = Root(tmp_path / "notes")
    made.path.mkdir()
    made.content = made.path
    yield made
    made.close()


@pytest.fixture
def other_process() -> Iterator[Callable[[str], None]]:
    """Runs Python text in another process, and returns when it has run."""
    child = subprocess.Popen(
        [sys.executable, "-u", "-c", _CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )
    assert child.stdin is not None
    assert child.stdout is not None

    def run(code: str) -> None:
        child.stdin.write(repr(code) + "\n")
        child.stdin.flush()
        answer = child.stdout.readline()
        assert answer == "done\n", answer

    yield run
    child.stdin.close()
    child.wait(10)
    child.stdout.close()


_CHILD = """
import ast, os, sys, mmap, shutil, ctypes
state = {"os": os, "mmap": mmap, "shutil": shutil, "ctypes": ctypes}
for line in sys.stdin:
    try:
        exec(ast.literal_eval(line), state)
        print("done", flush=True)
    except BaseException as error:
        print(repr(error), flush=True)
"""
