"""URLs where a command takes a file: one document over the client that `waypost check` uses."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from waypost.check.capture import Capture, Family, Purpose, Request
from waypost.check.means import Means, opened
from waypost.check.settings import DEFAULT_SETTINGS
from waypost.cli.console import fail
from waypost.cli.exit_codes import ExitCode
from waypost.errors import WaypostError
from waypost.limits import SITEMAP_BYTES_MAX

__all__ = ["AllowPrivate", "UserAgent", "answer_of", "fetch_document", "means_of"]

AllowPrivate = Annotated[list[str] | None, typer.Option(help="A private host or network that may be asked.")]
UserAgent = Annotated[str, typer.Option(help="The User-Agent to send.")]


def means_of(allow_private: Sequence[str] | None = None, user_agent: str = "") -> Means:
    """The network, as the options have it."""
    settings = replace(DEFAULT_SETTINGS, user_agent=user_agent) if user_agent else DEFAULT_SETTINGS
    return Means(settings, tuple(allow_private or ()))


def answer_of(url: str, allow_private: Sequence[str] = (), *, bytes_max: int = SITEMAP_BYTES_MAX) -> Capture:
    """The answer of a URL, whatever it is; a URL that cannot be asked at all ends the command with exit 2."""

    async def run() -> Capture:
        async with opened(url, means_of(allow_private)) as opening:
            return await opening.fetcher.fetch(Request(url, Purpose.SITEMAP, bytes_max))

    try:
        capture = asyncio.run(run())
    except WaypostError as error:
        fail(str(error))
    if capture.error is not None and capture.error.family in {Family.URL, Family.ADDRESS}:
        fail(f"{url}: {capture.error.sentence}")
    return capture


def fetch_document(url: str, allow_private: Sequence[str] = (), *, bytes_max: int = SITEMAP_BYTES_MAX) -> Capture:
    """The document at a URL: no answer ends the command with exit 3, one that is no success with exit 1."""
    capture = answer_of(url, allow_private, bytes_max=bytes_max)
    if capture.error is not None:
        fail(f"{url}: {capture.error.sentence}", ExitCode.UNREACHABLE)
    if not capture.is_success:
        fail(f"{url} answers with status {capture.status}", ExitCode.FINDINGS)
    return capture
