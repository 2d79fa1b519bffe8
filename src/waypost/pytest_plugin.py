"""The pytest plugin: `assert_crawlable(client)` judges an application, or a running site, as `waypost check` does.

    def test_crawlers_find_everything(assert_crawlable, client):
        assert_crawlable(client)

pytest loads this module at every start, so what it needs is imported when the fixture is used.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from waypost.check.result import Result

__all__ = ["assert_crawlable"]


@pytest.fixture(name="assert_crawlable")
def _fixture() -> Callable[..., "Result"]:
    """Judge a test client or a URL: `assert_crawlable(client, fail_on="warn")`."""
    return assert_crawlable


def assert_crawlable(
    site: Any, *, base: str = "", fail_on: str = "error", min_score: float | None = None, **choices: Any
) -> "Result":
    """Fail the test where `waypost check` would fail; the result comes back for further questions.

    `site` is a test client of Starlette (or any httpx client), Django or Flask, or a URL. `base` is the origin an
    application is asked as, where that is not its client's own: `https://example.com`. `choices` are fields of
    `Options` (`deep=True`, `probe=10`), and for a URL all that `waypost.check()` takes.
    """
    __tracebackhide__ = True
    from waypost.cli.testing import judge  # noqa: PLC0415

    result, complaint = judge(site, base=base, fail_on=fail_on, min_score=min_score, choices=choices)
    if complaint:
        pytest.fail(complaint, pytrace=False)
    return result
