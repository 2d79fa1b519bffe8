"""How answers are come by: the network, a folder, saved captures; and the asking itself. Sockets are brought here."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from waypost.check.capture import Fetcher, Purpose, Request
from waypost.check.folder import FolderFetcher
from waypost.check.policy import Policy
from waypost.check.saved import Recorder, ReplayFetcher, SavedCaptures, load_captures
from waypost.check.settings import DEFAULT_SETTINGS, ClientSettings
from waypost.check.talk import Conversation
from waypost.check.target import Target, read_target
from waypost.errors import ConfigError

__all__ = ["Means", "Opening", "blocking", "converse", "opened", "with_choices"]

_WAIT_STEP_S = 0.5
_T = TypeVar("_T")


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


def with_choices(means: Means, choices: Mapping[str, Any]) -> Means:
    """Means with single choices in them: fields of `Means` and of `ClientSettings` by name."""
    names = [{one.name for one in fields(kind)} for kind in (Means, ClientSettings)]
    if unknown := set(choices) - names[0] - names[1]:
        raise ConfigError(f"there is no choice named {', '.join(sorted(unknown))}")
    own, settings = ({name: value for name, value in choices.items() if name in known} for known in names)
    return replace(means, **{"settings": replace(means.settings, **settings), **own})


@dataclass(frozen=True, slots=True)
class Opening:
    """A target that can be asked: who answers, on which clock, and as of when (seconds since 1970).

    `elapsed_s` says how long the asking has taken, once it is over; a replay took as long as what it replays.
    """

    target: Target
    fetcher: Fetcher
    clock: Callable[[], float]
    now: float
    elapsed_s: Callable[[], float]


@asynccontextmanager
async def opened(target: str, means: Means, now: float | None = None) -> AsyncIterator[Opening]:
    """Open a target; captures that are kept are complete when it closes without an exception.

    A replay knows its target, and is judged as of the day it was saved: what was in the future then still is.
    """
    at, took = time.time() if now is None else now, -1.0
    if means.replay and means.fetcher is None:
        saved = _replayed(means)
        means = replace(means, fetcher=ReplayFetcher(saved))
        target, at = target or saved.about.get("target", ""), _number(saved.about, "at", at)
        took = _number(saved.about, "elapsed_s", took)
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
        started, about = time.monotonic(), {"target": target, "at": str(at)}

        def elapsed_s() -> float:
            taken = took if took >= 0 else round(time.monotonic() - started, 3)
            about["elapsed_s"] = str(taken)
            return taken

        if not means.save:
            yield Opening(asked, fetcher, clock, at, elapsed_s)
            return
        recorder = Recorder(fetcher, means.save, about)
        yield Opening(asked, recorder, clock, at, elapsed_s)
        recorder.finish()


def _replayed(means: Means) -> SavedCaptures:
    # Bodies are read when they are asked for, and saving begins by emptying its folder.
    if means.save and Path(means.save).resolve() == Path(means.replay).resolve():
        raise ConfigError(f"--save {means.save}: it is the folder that is replayed; give another one")
    return load_captures(means.replay)


def _number(about: Mapping[str, str], name: str, otherwise: float) -> float:
    try:
        found = float(about.get(name, ""))
    except ValueError:
        return otherwise
    return found if 0 <= found < 1e11 else otherwise


def _fetcher(means: Means, policy: Policy, target: str) -> AbstractAsyncContextManager[Any]:
    if means.fetcher is not None:
        return nullcontext(means.fetcher)
    if means.folder:
        return nullcontext(FolderFetcher(means.folder, target))
    # aiohttp is only loaded where a network is asked.
    from waypost.check.fetch import Client  # noqa: PLC0415

    return Client(means.settings, policy)


async def _wait(target: Target, fetcher: Fetcher, wait_s: float) -> None:
    """Ask again and again until a server answers, or the time is up."""
    with suppress(TimeoutError):
        await asyncio.wait_for(_answer(target, fetcher), wait_s)


async def _answer(target: Target, fetcher: Fetcher) -> None:
    while True:
        for place in target.places:
            if (await fetcher.fetch(Request(f"{place.origin}/", Purpose.HOME, 1, redirects_max=0))).status:
                return
        await asyncio.sleep(_WAIT_STEP_S)


async def converse(conversation: Conversation, fetcher: Fetcher) -> None:
    """Ask whatever a conversation wants until it wants nothing more."""
    while wanted := conversation.wants():
        captures = await asyncio.gather(*(fetcher.fetch(request) for request in wanted))
        for request, capture in zip(wanted, captures, strict=True):
            conversation.receive(capture if capture.request == request else replace(capture, request=request))


def blocking(asking: Callable[[], Coroutine[Any, Any, _T]], instead: str) -> _T:
    """Run something asynchronous to its end; in an event loop that cannot be, and `instead` is what to await there."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(asking())
    raise ConfigError(f"an event loop is running here: await {instead} instead")
