"""Where a doctor knocks: at waypost itself without a socket, or at a server through the safe client."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from waypost.check.capture import Capture, Fetcher, Headers, Purpose, Request
from waypost.limits import DOCTOR_AT_ONCE
from waypost.site.cache import PageMetaCache
from waypost.site.doctor.evidence import Answer
from waypost.site.settings import Settings
from waypost.urls import absolute

__all__ = ["Answering", "Door", "Knock", "Server", "Shown", "ask_all"]


@dataclass(frozen=True, slots=True)
class Knock:
    """One request: an origin, a path on it, headers, and the address it is said to come from."""

    origin: str
    path: str
    headers: tuple[tuple[str, str], ...] = ()
    peer: str = "127.0.0.1"

    @property
    def url(self) -> str:
        """The URL that is asked for."""
        return f"{self.origin}{self.path}"

    @property
    def purpose(self) -> Purpose:
        """A page, or one of the documents: those have an ending, or stand below /.well-known/."""
        is_document = "." in self.path.partition("?")[0].rpartition("/")[2] or self.path.startswith("/.well-known/")
        return Purpose.SERVICE if is_document else Purpose.PAGE


@dataclass(frozen=True, slots=True)
class Shown:
    """The root a host shows, and how."""

    root: PageMetaCache
    is_closed: bool = False


class Answering(Protocol):
    """Whatever answers."""

    async def answer(self, knock: Knock) -> Answer:
        """The answer; status 0 where there is none."""
        ...


class Door(Answering, Protocol):
    """waypost itself, as it would serve what is on disk now."""

    @property
    def settings(self) -> Settings:
        """The settings of the server itself."""
        ...

    def site(self, host: str) -> Shown | None:
        """What a host shows; None where no site names it. Raises ConfigError where its settings are broken."""
        ...


class Server:
    """A server that really answers; what it said is kept for the trail."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self.captures: list[Capture] = []

    async def answer(self, knock: Knock) -> Answer:
        """Its answer, no redirect followed."""
        capture = await self._fetcher.fetch(Request(knock.url, knock.purpose, redirects_max=0, headers=knock.headers))
        headers = capture.hops[0].headers if capture.hops else Headers()
        # A redirect is an answer here; any other fault keeps the body from being the server's.
        self.captures.append(replace(capture, error=None) if headers.get("location") else capture)
        status = capture.hops[0].status if capture.hops and (capture.error is None or headers.get("location")) else 0
        location = absolute(knock.url, headers.get("location")) or headers.get("location")
        return Answer(knock.url, status, capture.body.read(), headers.get("content-type"), location)

    @property
    def is_reached(self) -> bool:
        """Whether anything answered."""
        return any(capture.status for capture in self.captures)

    @property
    def silence(self) -> str:
        """Why nothing answered."""
        error = self.captures[0].error if self.captures else None
        return error.sentence if error else "it was not asked"


async def ask_all(door: Answering, knocks: Iterable[Knock]) -> list[Answer]:
    """The answers in the order of the questions, a few at once."""
    seats = asyncio.Semaphore(DOCTOR_AT_ONCE)

    async def one(knock: Knock) -> Answer:
        async with seats:
            return await door.answer(knock)

    return list(await asyncio.gather(*map(one, knocks)))
