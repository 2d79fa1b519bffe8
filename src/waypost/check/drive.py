"""Driving scans: a target and the means to ask it in, a result out."""

import time
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from waypost.check.capture import Fetcher
from waypost.check.means import Means, blocking, converse, opened, with_choices
from waypost.check.options import Options
from waypost.check.result import Result
from waypost.check.scan import Scan
from waypost.check.settings import ClientSettings
from waypost.check.target import settle

__all__ = ["Means", "acheck", "check", "drive"]

_DEEP_S = 60.0
_PROBED_PAGE_S = 2.0
_PROBED_S_MAX = 3_600.0
_READING_SHARE = 0.85
"""The part of a site's time after which only the start of a document is read: the rest is for the last answers."""


async def drive(scan: Scan, fetcher: Fetcher) -> Result:
    """Ask whatever a scan wants until it wants nothing more."""
    await converse(scan, fetcher)
    return scan.result()


async def acheck(target: str, options: Options | None = None, means: Means | None = None, **choices: Any) -> Result:
    """Check one target: a URL, a domain name, or a folder of a built site.

    `choices` are fields of `Options`, `Means` and `ClientSettings` by name: `deep=True`, `allow_private=["10.0.0.7"]`.
    `ConfigError` where the target or the means are wrong; whatever the site does wrong is in the result.
    """
    options, means = _chosen(options or Options(now=time.time()), means or Means(), choices)
    means = replace(means, settings=_longer(means.settings, options))
    async with opened(target, means, options.now) as opening:
        until = opening.clock() + _READING_SHARE * means.settings.site_s
        options = replace(options, now=opening.now, clock=opening.clock, until=until)
        settled = await settle(opening.target, opening.fetcher, follow_origin=options.follow_origin)
        result = await drive(Scan(settled.origin, options, settled), opening.fetcher)
        return replace(result, elapsed_s=opening.elapsed_s())


def _chosen(options: Options, means: Means, choices: Mapping[str, Any]) -> tuple[Options, Means]:
    """Options and means with single choices in them, each in the value that has a field of that name."""
    names = {one.name for one in fields(Options)}
    own = {name: value for name, value in choices.items() if name in names}
    others = {name: value for name, value in choices.items() if name not in names}
    return replace(options, **own), with_choices(means, others)


def _longer(settings: ClientSettings, options: Options) -> ClientSettings:
    """More time for a site of which more was asked for."""
    pages = _PROBED_S_MAX if options.probe is None else min(_PROBED_S_MAX, _PROBED_PAGE_S * options.probe)
    extra = pages + (_DEEP_S if options.deep else 0.0)
    return replace(settings, site_s=settings.site_s + extra) if extra else settings


def check(target: str, options: Options | None = None, means: Means | None = None, **choices: Any) -> Result:
    """Check one target, from code that is not asynchronous; the parameters are those of `acheck`."""
    return blocking(lambda: acheck(target, options, means, **choices), "waypost.acheck")
