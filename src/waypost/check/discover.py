"""Driving a discovery: a target in, what the site offers out."""

from typing import Any

from waypost.check.discovery import Discovery
from waypost.check.means import Means, blocking, converse, opened, with_choices
from waypost.check.services import Discovered
from waypost.check.target import settle

__all__ = ["adiscover", "discover"]


async def adiscover(target: str, namespace: str = "", means: Means | None = None, **choices: Any) -> Discovered:
    """Find what a site offers to machines; `namespace` keeps one kind (a namespace, or a word such as `atom`).

    `choices` are fields of `Means` and `ClientSettings` by name: `allow_private=["10.0.0.7"]`, `delay_s=1.0`.
    `ConfigError` where the target or the means are wrong; whatever the site does wrong is in the result.
    """
    async with opened(target, with_choices(means or Means(), choices)) as opening:
        settled = await settle(opening.target, opening.fetcher)
        discovery = Discovery(settled)
        await converse(discovery, opening.fetcher)
    return discovery.discovered().of(namespace)


def discover(target: str, namespace: str = "", means: Means | None = None, **choices: Any) -> Discovered:
    """Find what a site offers, from code that is not asynchronous; the parameters are those of `adiscover`."""
    return blocking(lambda: adiscover(target, namespace, means, **choices), "waypost.check.discover.adiscover")
