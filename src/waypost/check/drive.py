"""Driving scans: a target and a fetcher in, a result out. Sockets and clocks are brought here, and nowhere above."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, fields, replace
from typing import Any

from waypost.check.capture import Fetcher, Purpose, Request
from waypost.check.folder import FolderFetcher
from waypost.check.options import Options
from waypost.check.policy import Policy
from waypost.check.result import Result
from waypost.check.saved import Recorder, ReplayFetcher, SavedCaptures, load_captures
from waypost.check.scan import Scan
from waypost.check.settings import DEFAULT_SETTINGS, ClientSettings
from waypost.check.target import Target, read_target, settle
from waypost.errors import ConfigError

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


_DEEP_S = 60.0
_PROBED_PAGE_S = 2.0
_PROBED_S_MAX = 3_600.0
_READING_SHARE = 0.85
"""The part of a site's time after which only the start of a document is read: the rest is for the last answers."""


async def drive(scan: Scan, fetcher: Fetcher) -> Result:
    """Ask whatever a scan wants until it wants nothing more."""
    while wanted := scan.wants():
        captures = await asyncio.gather(*(fetcher.fetch(request) for request in wanted))
        for request, capture in zip(wanted, captures, strict=True):
            scan.receive(capture if capture.request == request else replace(capture, request=request))
    return scan.result()


async def acheck(target: str, options: Options | None = None, means: Means | None = None, **choices: Any) -> Result:
    """Check one target: a URL, a domain name, or a folder of a built site.

    `choices` are fields of `Options`, `Means` and `ClientSettings` by name: `deep=True`, `allow_private=["10.0.0.7"]`.
    `ConfigError` where the target or the means are wrong; whatever the site does wrong is in the result.
    """
    options, means = _chosen(options or Options(now=time.time()), means or Means(), choices)
    means = replace(means, settings=_longer(means.settings, options))
    started = time.monotonic()
    saved = load_captures(means.replay) if means.replay else None
    if saved is not None:
        target = target or saved.about.get("target", "")
        options = replace(options, now=_moment(saved.about.get("at", ""), options.now))
    asked = read_target(target)
    policy = Policy(means.allow_private)
    asked.admit(policy)
    if means.wait_s:
        # A client of its own: the time spent on waiting is not the site's.
        patient = replace(means.settings, site_s=means.settings.site_s + means.wait_s)
        async with _fetcher(replace(means, settings=patient), policy, target, saved) as waiting:
            await _wait(asked, waiting, means.wait_s)
    async with _fetcher(means, policy, target, saved) as fetcher:
        clock = getattr(fetcher, "clock", time.monotonic)
        options = replace(options, clock=clock, until=clock() + _READING_SHARE * means.settings.site_s)
        about = {"target": target, "at": str(options.now)}
        recorder = Recorder(fetcher, means.save, about) if means.save else None
        asking: Fetcher = recorder or fetcher
        settled = await settle(asked, asking, follow_origin=options.follow_origin)
        result = await drive(Scan(settled.origin, options, settled), asking)
        if recorder is not None:
            recorder.finish()
    return replace(result, elapsed_s=round(time.monotonic() - started, 3))


def _chosen(options: Options, means: Means, choices: Mapping[str, Any]) -> tuple[Options, Means]:
    """Options and means with single choices in them, each in the value that has a field of that name."""
    names = [{one.name for one in fields(kind)} for kind in (Options, Means, ClientSettings)]
    parts = [{name: value for name, value in choices.items() if name in own} for own in names]
    unknown = set(choices) - set().union(*names)
    if unknown:
        raise ConfigError(f"there is no choice named {', '.join(sorted(unknown))}")
    settings = replace(means.settings, **parts[2])
    return replace(options, **parts[0]), replace(means, **{"settings": settings, **parts[1]})


def _longer(settings: ClientSettings, options: Options) -> ClientSettings:
    """More time for a site of which more was asked for."""
    pages = _PROBED_S_MAX if options.probe is None else min(_PROBED_S_MAX, _PROBED_PAGE_S * options.probe)
    extra = pages + (_DEEP_S if options.deep else 0.0)
    return replace(settings, site_s=settings.site_s + extra) if extra else settings


def _moment(text: str, default: float) -> float:
    try:
        return float(text)
    except ValueError:
        return default


def _fetcher(
    means: Means, policy: Policy, target: str, saved: SavedCaptures | None
) -> AbstractAsyncContextManager[Any]:
    if means.fetcher is not None:
        return nullcontext(means.fetcher)
    if means.folder:
        return nullcontext(FolderFetcher(means.folder, target))
    if saved is not None:
        return nullcontext(ReplayFetcher(saved))
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


def check(target: str, options: Options | None = None, means: Means | None = None, **choices: Any) -> Result:
    """Check one target, from code that is not asynchronous; the parameters are those of `acheck`."""
    return asyncio.run(acheck(target, options, means, **choices))
