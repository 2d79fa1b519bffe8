"""Roots to test on: real directories, written by other processes where it matters."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.site import kinds
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
    with kinds.other_process() as run:
        yield run
