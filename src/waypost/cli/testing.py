"""What stands behind `assert_crawlable`: which test client it was given, and what the gate says of the result."""

import time
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any
from urllib.parse import urlsplit

from waypost.check.drive import check
from waypost.check.inprocess import Answer, check_application
from waypost.check.options import Options
from waypost.check.result import Result
from waypost.cli.check import GATES, Gate, exit_code
from waypost.cli.checkconfig import read_policing
from waypost.cli.exit_codes import ExitCode
from waypost.cli.paper import finding_lines
from waypost.errors import ConfigError

__all__ = ["judge"]


def judge(
    site: Any, *, base: str, fail_on: str, min_score: float | None, choices: Mapping[str, Any]
) -> tuple[Result, str]:
    """The result of a test client or a URL, and the report to fail with; "" where the gate lets it pass."""
    if fail_on not in GATES:
        raise ConfigError(f"fail_on={fail_on!r}: it is one of {', '.join(GATES)}")
    names = {one.name for one in fields(Options)}
    own = {name: value for name, value in choices.items() if name in names}
    others = {name: value for name, value in choices.items() if name not in names}
    options = replace(Options(now=time.time(), policing=read_policing("")), **own)
    if isinstance(site, str):
        result = check(site, options, **others)
    elif others:
        raise ConfigError(f"a test client takes no {', '.join(sorted(others))}")
    else:
        origin, ask = _door(site)
        result = check_application(base.rstrip("/") or origin, ask, options)
    passes = exit_code(result, Gate(GATES[fail_on], min_score)) is ExitCode.CLEAN
    report = [f"not crawlable: {result.target} scores {result.score:.2f}", "", *finding_lines(result)]
    return result, "" if passes else "\n".join(report)


def _door(client: Any) -> tuple[str, Callable[[str, str], Answer]]:
    """The origin a test client asks as, and how it asks; whose it is shows in what it has."""
    if hasattr(client, "handler") and hasattr(client, "generic"):
        return "http://testserver", lambda url, accept: _ask_django(client, url, accept)
    if hasattr(client, "application") and hasattr(client, "open"):
        return "http://localhost", lambda url, accept: _ask_flask(client, url, accept)
    if hasattr(client, "base_url") and hasattr(client, "follow_redirects"):
        return str(client.base_url).rstrip("/"), lambda url, accept: _ask_httpx(client, url, accept)
    raise ConfigError(f"{type(client).__name__} is no test client of Starlette, Django or Flask, and no URL")


def _ask_httpx(client: Any, url: str, accept: str) -> Answer:
    answer = client.get(url, headers={"accept": accept}, follow_redirects=False)
    return Answer(answer.status_code, answer.headers.multi_items(), answer.content, is_decoded=True)


def _ask_flask(client: Any, url: str, accept: str) -> Answer:
    host, target = _parted(url)
    answer = client.open(target, base_url=host, headers={"accept": accept})
    return Answer(answer.status_code, answer.headers.items(), answer.get_data())


def _ask_django(client: Any, url: str, accept: str) -> Answer:
    host, target = _parted(url)
    scheme, _, name = host.partition("://")
    answer = client.get(target, secure=scheme == "https", HTTP_HOST=name, HTTP_ACCEPT=accept)
    return Answer(answer.status_code, answer.items(), answer.getvalue())


def _parted(url: str) -> tuple[str, str]:
    place = urlsplit(url)
    return f"{place.scheme}://{place.netloc}", place._replace(scheme="", netloc="").geturl()
