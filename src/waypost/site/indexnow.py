"""IndexNow: tell search engines which public pages came, changed or went since they were last told.

What is new is the difference between the table of listed pages and the ledger on disk; whoever goes on watching follows
the table's own stream of changes. A page that nobody may see any more left the table, and its leaving is what is told.
"""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from waypost.check.capture import Capture, Family, Purpose, Request
from waypost.check.means import Means, opened
from waypost.dates import read_http
from waypost.errors import ConfigError
from waypost.limits import (
    INDEXNOW_ANSWER_BYTES_MAX,
    INDEXNOW_TRIES_MAX,
    INDEXNOW_URLS_MAX,
    INDEXNOW_WAIT_S_MAX,
)
from waypost.publish.page import Page
from waypost.publish.table import PageTable
from waypost.site.cache import PageMetaCache
from waypost.site.ledger import Ledger, News
from waypost.urls import Origin

__all__ = ["ENDPOINT", "Call", "Fault", "Follower", "Telling", "ledger_path", "read_origin", "stamps", "tell"]

ENDPOINT = "https://api.indexnow.org/indexnow"
"""Hands on to every engine that takes part."""

_WORDS = {
    400: "it cannot read the call",
    403: "it does not find the key at {key_url}: serve this root there, under this very key",
    422: "it says that the URLs are not of this host, or that the key is another",
}


@dataclass(frozen=True, slots=True)
class Call:
    """Who tells whom: the origin whose pages changed, the key that its server shows, and the endpoint."""

    origin: Origin
    key: str
    endpoint: str = ENDPOINT
    means: Means = field(default_factory=Means)

    @property
    def key_url(self) -> str:
        """Where the server shows the key."""
        return f"{self.origin}/{self.key}.txt"

    def body(self, paths: Iterable[str]) -> bytes:
        """The call for these paths as IndexNow spells it."""
        urls = [f"{self.origin}{path}" for path in paths]
        said = {"host": self.origin.netloc, "key": self.key, "keyLocation": self.key_url, "urlList": urls}
        return json.dumps(said).encode()


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the endpoint was not told, as a sentence, and whether a later run may have more luck."""

    sentence: str
    is_passing: bool
    wait_s: float = 0.0
    """How long it asks to be left alone."""


@dataclass(frozen=True, slots=True)
class Telling:
    """One call: what it said, and what went wrong with it, if anything."""

    news: Sequence[News]
    fault: Fault | None = None


def read_origin(text: str) -> Origin:
    """The public origin of a site as its owner types it. Raises ConfigError where it is none."""
    origin = Origin.parse(text)
    if origin is None or text.strip().rstrip("/").lower() not in {str(origin), f"{origin}:{origin.port}"}:
        raise ConfigError(f"--origin {text[:100]}: write the scheme and the host alone, such as https://example.com")
    return origin


def ledger_path(folder: Path, origin: Origin) -> Path:
    """Where the ledger of an origin stands among what is remembered of a root."""
    return folder / f"indexnow-{re.sub(r'[^a-z0-9.-]+', '-', str(origin))}.txt"


def _stamp(page: Page | None) -> str:
    return "-" if page is None else f"{max(page.last_modified or 0.0, 0.0):.6f}"


def stamps(table: PageTable) -> dict[str, str]:
    """Every listed page as the ledger spells it."""
    return {page.path: _stamp(page) for page in table}


class Follower:
    """What the engines do not know yet of a root; nothing is lost while a call fails."""

    def __init__(self, cache: PageMetaCache, ledger: Ledger) -> None:
        self._cache = cache
        self._ledger = ledger
        self._open: set[str] = set()

    def news(self) -> list[News]:
        """What is to be told at this moment, by path; after the first time only what moved is looked at."""
        table = self._cache.table()
        told = self._ledger.told
        with table.lock:
            moved = table.take_moved()
            if moved is None:
                moved = {page.path for page in table}.union(told)
            self._open |= moved
            now = [News(path, _stamp(table.get(path))) for path in sorted(self._open)]
        found = [news for news in now if news.stamp != told.get(news.path, "-")]
        self._open = {news.path for news in found}
        return found


async def tell(
    call: Call, news: Sequence[News], ledger: Ledger, pause: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> AsyncIterator[Telling]:
    """Tell everything in calls of INDEXNOW_URLS_MAX; each that is accepted is in the ledger before the next begins.

    The first call that fails for good, or too often, is the last.
    """
    for start in range(0, len(news), INDEXNOW_URLS_MAX):
        batch = news[start : start + INDEXNOW_URLS_MAX]
        fault = await _told(call, batch, pause)
        if fault is None:
            ledger.add(batch)
        yield Telling(batch, fault)
        if fault is not None:
            return


async def _told(call: Call, batch: Sequence[News], pause: Callable[[float], Awaitable[None]]) -> Fault | None:
    request = Request(
        call.endpoint,
        Purpose.SERVICE,
        INDEXNOW_ANSWER_BYTES_MAX,
        method="POST",
        redirects_max=0,
        headers=(("Content-Type", "application/json; charset=utf-8"),),
        body=call.body(news.path for news in batch),
    )
    fault: Fault | None = None
    for attempt in range(INDEXNOW_TRIES_MAX):
        if fault is not None:
            await pause(max(fault.wait_s, 2.0**attempt))
        async with opened(call.endpoint, call.means) as opening:
            capture = await opening.fetcher.fetch(request)
        fault = _fault(call, capture)
        if fault is None or not fault.is_passing or fault.wait_s > INDEXNOW_WAIT_S_MAX:
            return fault
    return fault


def _fault(call: Call, capture: Capture) -> Fault | None:
    status = capture.status
    if status in {200, 202}:
        return None
    if not status and capture.error is not None:
        is_passing = capture.error.family not in {Family.URL, Family.ADDRESS}
        return Fault(f"{call.endpoint}: {capture.error.sentence}", is_passing)
    words = _WORDS.get(status, "").format(key_url=call.key_url)
    said = f"{call.endpoint} answers {status}" + (f": {words}" if words else "")
    if status != 429 and status < 500:
        return Fault(said, is_passing=False)
    wait_s = _wait_s(capture.headers.get("retry-after"))
    return Fault(said + (f" and asks to wait {wait_s:,.0f} s" if wait_s else ""), is_passing=True, wait_s=wait_s)


def _wait_s(header: str) -> float:
    if re.fullmatch(r"\d{1,9}", header.strip(), re.ASCII):
        return float(header)
    until = read_http(header.strip())
    return max(0.0, until - time.time()) if until is not None else 0.0
