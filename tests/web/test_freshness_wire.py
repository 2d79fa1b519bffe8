"""The kinds of change of live.md over HTTP: another process changes, then every worker's answer shows it."""

from collections.abc import Iterator

import pytest
from bench.freshness import DEEP_KINDS, KINDS, Site, missed, served

ROUNDS = 500


@pytest.fixture(scope="module", params=[1, 4])
def site(request: pytest.FixtureRequest) -> Iterator[tuple[Site, int]]:
    with served(request.param) as running:
        yield running, request.param


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in DEEP_KINDS])
def test_spec_a_change_by_another_process_is_in_every_workers_next_answer(site: tuple[Site, int], kind: str) -> None:
    running, workers = site
    assert missed(running, kind, ROUNDS, workers) == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", DEEP_KINDS)
def test_spec_the_same_in_a_deep_tree_of_20_000_pages(site: tuple[Site, int], kind: str) -> None:
    running, workers = site
    assert missed(running, kind, ROUNDS, workers) == 0


def test_an_answer_that_does_not_show_the_change_is_counted(
    site: tuple[Site, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    running, workers = site
    real = running.write
    monkeypatch.setattr(running, "write", lambda text: None if text.startswith("rewrite_in_place") else real(text))
    assert missed(running, "rewrite_in_place", 5, workers) == 5
