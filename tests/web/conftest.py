"""Roots and servers the tests of the web share."""

from pathlib import Path

import pytest
from tests.web import roots
from tests.web.client import InProcess, uvicorn, waypost

from waypost.web.app import create


@pytest.fixture
def starter(tmp_path: Path) -> Path:
    return roots.starter(tmp_path / "starter")


@pytest.fixture
def here(starter: Path):
    """The starter root, asked in this process."""
    client = InProcess(create(str(starter), environment={}))
    yield client
    client.app.hosts.close()
    client.close()


@pytest.fixture(scope="module", params=["granian", "uvicorn"])
def server(request, tmp_path_factory):
    """The starter root behind a real server."""
    place = tmp_path_factory.mktemp(request.param)
    root = roots.starter(place / "starter")
    if request.param == "granian":
        with waypost(str(root), log=place / "log") as running:
            yield running
    else:
        with uvicorn(place / "log", WAYPOST_ROOT=str(root)) as running:
            yield running
