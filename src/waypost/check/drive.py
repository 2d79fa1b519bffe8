"""Driving scans: a target and a fetcher in, a result out. Sockets and clocks are brought here, and nowhere above."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from waypost.check.capture import Fetcher, Purpose, Request
from waypost.check.folder import FolderFetcher
from waypost.check.options import Options
from waypost.check.policy import Policy
from waypost.check.result import Result
from waypost.check.saved import Recorder, ReplayFetcher
from waypost.check.scan import Scan
from waypost.check.settings import DEFAULT_SETTINGS, ClientSettings
from waypost.check.target import Target, read_target, settle

__all__ = ["Means", "acheck", "check", "drive"]


@dataclass(frozen=True, slots=True)
class Means:
    """How answers are come by: the network by default, a folder of a built site, or saved captures."""

    settings: ClientSettings = DEFAULT_SETTINGS
    allow_private: Sequence[str] = ()
    """Hosts and networks inside which may be asked, beside what the target itself names."""
    folder: str = ""
    """Read files of this folder as if they were served at the target."""
    replay: str = ""
    """Answer from this folder of saved captures."""
    save: str = ""
    """Keep the captures in this folder."""
    wait_s: float = 0.0
    """How long to wait for a server that does not answer yet."""
    fetcher: Fetcher | None = field(default=None, compare=False)
    """Anything else that answers requests."""


_READING_SHARE = 0.85
"""The part of a site's time after which only the start of a document is read: the rest is for the last answers."""


async def drive(scan: Scan, fetcher: Fetcher) -> Result:
    """Ask whatever a scan wants until it wants nothing more."""
    while wanted := scan.wants():
        captures = await asyncio.gather(*(fetcher.fetch(request) for request in wanted))
        for request, capture in zip(wanted, captures, strict=True):
            scan.receive(capture if capture.request == request else replace(capture, request=request))
    return scan.result()


async def acheck(target: str, options: Options | None = None, means: Means | None = None) -> Result:
    """Check one target: a URL, a domain name, or a folder of a built site.

    `ConfigError` where the target or the means are wrong; whatever the site does wrong is in the result.
    """
    means = means or Means()
    options = options or Options(now=time.time())
    started = time.monotonic()
    asked = read_target(target)
    policy = Policy(means.allow_private)
    asked.admit(policy)
    if means.wait_s:
        # A client of its own: the time spent on waiting is not the site's.
        patient = replace(means.settings, site_s=means.settings.site_s + means.wait_s)
        async with _fetcher(replace(means, settings=patient), policy, target) as waiting:
            await _wait(asked, waiting, means.wait_s)
    async with _fetcher(means, policy, target) as fetcher:
        clock = getattr(fetcher, "clock", time.monotonic)
        options = replace(options, clock=clock, until=clock() + _READING_SHARE * means.settings.site_s)
        recorder = Recorder(fetcher, means.save, {"target": target}) if means.save else None
        asking: Fetcher = recorder or fetcher
        settled = await settle(asked, asking, follow_origin=options.follow_origin)
        result = await drive(Scan(settled.origin, options, settled), asking)
        if recorder is not None:
            recorder.finish()
    return replace(result, elapsed_s=round(time.monotonic() - started, 3))


def _fetcher(means: Means, policy: Policy, target: str) -> AbstractAsyncContextManager[Any]:
    if means.fetcher is not None:
        return nullcontext(means.fetcher)
    if means.folder:
        return nullcontext(FolderFetcher(means.folder, target))
    if means.replay:
        return nullcontext(ReplayFetcher.of(means.replay))
    # aiohttp is only loaded where a network is asked.
    from waypost.check.fetch import Client  # noqa: PLC0415

    return Client(means.settings, policy)


async def _wait(target: Target, fetcher: Fetcher, wait_s: float) -> None:
    """Ask again every half second until a server answers, or the time is up."""
    until = time.monotonic() + wait_s
    while time.monotonic() < until:
        for place in target.places:
            if (await fetcher.fetch(Request(f"{place.origin}/", Purpose.HOME, 1, redirects_max=0))).status:
                return
        await asyncio.sleep(0.5)


def check(target: str, options: Options | None = None, means: Means | None = None) -> Result:
    """Check one target, from code that is not asynchronous."""
    return asyncio.run(acheck(target, options, means))
