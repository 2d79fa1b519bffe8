"""`waypost indexnow`: tell search engines which pages changed since they were last told."""

import asyncio
import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from typing import Annotated, NoReturn

import typer

from waypost.cli.console import fail, say
from waypost.cli.exit_codes import ExitCode
from waypost.errors import ConfigError, WaypostError
from waypost.site.cache import PageMetaCache
from waypost.site.indexnow import ENDPOINT, Call, Fault, Follower, ledger_path, read_origin, stamps, tell
from waypost.site.ledger import Ledger, News
from waypost.site.live import LiveConfig
from waypost.site.state import state_folder

__all__ = ["app"]

app = typer.Typer(add_completion=False)


@dataclass(frozen=True, slots=True)
class _Manner:
    """How to go about it."""

    everything: bool
    every_s: float
    """How long to wait between two looks; 0 for one look."""


@app.command()
def indexnow(  # noqa: PLR0917 - every option of the command line is a parameter
    root: Annotated[Path, typer.Argument(help="A runtime root, or any folder of Markdown.", show_default=False)],
    origin: Annotated[str, typer.Option(help="Where the root is served: https://example.com.", show_default=False)],
    endpoint: Annotated[str, typer.Option(help="Who is told.")] = ENDPOINT,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be told; tell and keep nothing.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Tell of every page, as if nothing had been told.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Go on, and tell of changes as they come.")] = False,
    every: Annotated[float, typer.Option(min=1, max=86_400, help="Seconds between two looks of --watch.")] = 30,
) -> None:
    """Tell search engines by IndexNow which public pages came, changed or went since they were last told.

    The key is [indexnow] key in waypost.toml; the server shows it at /KEY.txt. The first run only takes the pages as
    known. Exit 3 means that nobody could be told now: run it again later, and nothing is lost.

    waypost indexnow site --origin https://example.com --dry-run
    """
    if not root.is_dir():
        fail(f"{root} is {'a file' if root.exists() else 'not there'}; indexnow takes a folder")
    manner = _Manner(everything, every if watch and not dry_run else 0)
    try:
        cache = PageMetaCache(str(root), LiveConfig(str(root), environment=os.environ))
        cache.reports.is_quiet = True
        call = Call(read_origin(origin), _key(cache), endpoint)
        ledger = Ledger(ledger_path(_folder(cache), call.origin))
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_preview(cache, call, ledger, manner) if dry_run else _run(cache, call, ledger, manner))
        cache.close()
        cache.config.close()
    except WaypostError as error:
        fail(str(error))


def _key(cache: PageMetaCache) -> str:
    key = cache.settings().indexnow_key
    if not key:
        example = f'indexnow = {{ key = "{token_hex(16)}" }}'
        raise ConfigError(f"IndexNow is off: to switch it on, write {example} at the top of waypost.toml")
    return key


def _folder(cache: PageMetaCache) -> Path:
    return state_folder(cache.root, is_bare=cache.is_bare, environment=os.environ)


async def _preview(cache: PageMetaCache, call: Call, ledger: Ledger, manner: _Manner) -> None:
    ledger.read()
    if ledger.is_new and not manner.everything:
        say(f"nothing was told yet: the first run takes {len(cache.table()):,} pages as known; --all tells of them")
        return
    if manner.everything:
        ledger.doubt()
    for news in Follower(cache, ledger).news():
        typer.echo(f"{'gone   ' if news.is_gone else 'changed'} {call.origin}{news.path}")


async def _run(cache: PageMetaCache, call: Call, ledger: Ledger, manner: _Manner) -> None:
    with ledger:
        if manner.everything:
            ledger.doubt()
        elif ledger.is_new:
            known = stamps(cache.table())
            ledger.begin(known)
            say(f"{len(known):,} pages are known from now on; changes will be told, and --all tells of them now")
        follower = Follower(cache, ledger)
        while True:
            fault = await _tell(replace(call, key=_key(cache)), follower.news(), ledger)
            if fault is not None and (not fault.is_passing or not manner.every_s):
                _end(fault)
            if not manner.every_s:
                return
            await asyncio.sleep(max(manner.every_s, fault.wait_s if fault else 0.0))


async def _tell(call: Call, news: Sequence[News], ledger: Ledger) -> Fault | None:
    async for telling in tell(call, news, ledger):
        if telling.fault is not None:
            say(f"not told: {telling.fault.sentence}")
            return telling.fault
        gone = sum(one.is_gone for one in telling.news)
        count = len(telling.news)
        say(f"told {call.endpoint} of {count:,} URL{'' if count == 1 else 's'}, {gone:,} of them gone")
    return None


def _end(fault: Fault) -> NoReturn:
    raise SystemExit(int(ExitCode.UNREACHABLE if fault.is_passing else ExitCode.USAGE))
