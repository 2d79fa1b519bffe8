"""`waypost explain URL`: why crawlers find a page, or do not: every hop, line, entry and tag that decides."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Any

import typer

from waypost.check.explain import Conclusion, Explanation, Listing, RobotsAnswer, explain
from waypost.check.means import Means, opened
from waypost.check.result import TrailHop
from waypost.check.target import settle
from waypost.cli.console import fail
from waypost.cli.emit import emit
from waypost.cli.exit_codes import ExitCode
from waypost.cli.fetching import AllowPrivate, UserAgent, means_of
from waypost.cli.robots import verdict_lines, verdict_row
from waypost.errors import WaypostError
from waypost.report import words
from waypost.report.as_json import dumps, plain

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


class Form(StrEnum):
    """How an explanation is printed."""

    TEXT = "text"
    JSON = "json"


_SHOWN_SITEMAPS = 8


@app.command()
def command(
    url: str = typer.Argument(help="The URL of a page, or a domain name for its home page."),
    *,
    agent: str = typer.Option("*", "--agent", help="A crawler's product token, such as Googlebot or GPTBot."),
    form: Form = typer.Option(Form.TEXT, "--format", "-f", help="Print for people or for programs."),
    allow_private: AllowPrivate = None,
    user_agent: UserAgent = "",
    save: str = typer.Option("", "--save", help="Keep every exchange in this folder."),
    replay: str = typer.Option("", "--replay", help="Answer from such a folder; nothing is asked."),
) -> None:
    """Say whether a crawler can find, read and index a page, and what decides that.

    waypost explain https://example.com/about --agent GPTBot
    """
    means = replace(means_of(allow_private, user_agent), replay=replay, save=save)
    try:
        found = asyncio.run(_explained(url, agent, means))
    except WaypostError as error:
        fail(words.shown(str(error)))
    emit([dumps(_row(found), indent=2)] if form is Form.JSON else _lines(found))
    raise typer.Exit(int(_code(found)))


def _code(found: Explanation) -> ExitCode:
    if found.conclusion is Conclusion.UNREACHABLE:
        return ExitCode.UNREACHABLE
    return ExitCode.CLEAN if found.conclusion is Conclusion.OPEN else ExitCode.FINDINGS


async def _explained(url: str, agent: str, means: Means) -> Explanation:
    async with opened(url, means) as opening:
        # Of a bare name the first scheme that answers is meant; its path stays as it was typed.
        settled = await settle(opening.target, opening.fetcher, follow_origin=False)
        places = opening.target.places
        place = next((place for place in places if place.origin == settled.origin), places[0])
        return await explain(place.url, opening.fetcher, agent=agent, now=opening.now)


def _row(found: Explanation) -> dict[str, Any]:
    """An explanation as plain data."""
    return {
        "url": found.url,
        "agent": found.agent,
        "conclusion": found.conclusion.value,
        "sentence": found.sentence,
        "remarks": list(found.remarks),
        "status": found.status,
        "final_url": found.final_url,
        "trail": [_hop(hop) for hop in found.trail],
        "robots": [_robots_row(answer) for answer in found.robots],
        "listing": _listing_row(found.listing) if found.listing else None,
        "sitemaps": [
            {"url": read.url, "status": read.status, "kind": read.kind, "entries": read.entries, "error": read.error}
            for read in found.sitemaps
        ],
        "says": [
            {"where": saying.where, "text": saying.text, "meant": saying.is_meant, "noindex": saying.says_noindex}
            for saying in found.sayings
        ],
        "canonical": found.canonical,
    }


def _hop(hop: TrailHop) -> dict[str, Any]:
    return {
        "purpose": hop.purpose,
        "url": hop.url,
        "status": hop.status,
        "elapsed_s": plain(hop.elapsed_s),
        "address": hop.address,
        "headers": dict(hop.headers),
        "error": hop.error,
        "bytes": hop.bytes,
        "head": hop.head,
    }


def _robots_row(answer: RobotsAnswer) -> dict[str, Any]:
    about = {"url": answer.url, "asked_for": answer.asked_for, "status": answer.status, "state": answer.state.value}
    return {**about, "error": answer.error, **verdict_row(answer.verdict)}


def _listing_row(listing: Listing) -> dict[str, Any]:
    return {
        "sitemap": listing.sitemap,
        "loc": listing.loc,
        "entry": listing.entry,
        "line": listing.line,
        "lastmod": listing.lastmod,
        "exact": listing.is_exact,
    }


def _lines(found: Explanation) -> Iterator[str]:
    """An explanation for people: the conclusion first, then what it rests on."""
    yield f"{words.shown(found.url)}: {found.conclusion.value}"
    yield f"  {words.shown(found.sentence)}"
    yield from (f"  {words.shown(remark)}" for remark in found.remarks)
    yield "\nrobots.txt"
    for answer in found.robots:
        yield f"  {words.shown(answer.url)} answers {answer.status or 'nothing'} ({answer.state.value})"
        if answer.error:
            yield f"    {words.shown(answer.error)}"
        yield from verdict_lines(found.agent, answer.verdict)
    yield "\nsitemap"
    yield from _sitemap_lines(found)
    yield "\nthe page"
    yield from _page_lines(found)
    yield "\ntrail"
    for hop in found.trail:
        yield from _hop_lines(hop)


def _sitemap_lines(found: Explanation) -> Iterator[str]:
    listing = found.listing
    if listing is not None:
        line = f", line {listing.line:,}" if listing.line else ""
        lastmod = f", lastmod {words.shown(listing.lastmod)}" if listing.lastmod else ", without lastmod"
        yield f"  {words.shown(listing.loc)}"
        yield f"    is entry {listing.entry:,}{line} of {words.shown(listing.sitemap)}{lastmod}"
    for read in found.sitemaps[:_SHOWN_SITEMAPS]:
        what = f"{read.kind}, {read.entries:,} entries" if read.kind else words.shown(read.error) or "no sitemap"
        yield f"  {read.status or '---'} {words.shown(read.url)}: {what}"
    if len(found.sitemaps) > _SHOWN_SITEMAPS:
        yield f"  and {len(found.sitemaps) - _SHOWN_SITEMAPS:,} more"


def _page_lines(found: Explanation) -> Iterator[str]:
    for saying in found.sayings:
        meant = "" if saying.is_meant else " (for another crawler)"
        yield f"  {words.shown(saying.where)}: {words.shown(saying.text)}{meant}"
    if not found.sayings:
        yield "  says nothing to crawlers, in no header and no meta tag"
    yield f"  canonical: {words.shown(found.canonical) or 'names none'}"


def _hop_lines(hop: TrailHop) -> Iterator[str]:
    address = f", {words.shown(hop.address)}" if hop.address else ""
    yield f"  {hop.status or '---'} {words.shown(hop.url)}  ({hop.purpose}, {words.hop_words(hop)}{address})"
    for name, value in hop.headers.items():
        yield f"      {words.shown(name)}: {words.shown(value)}"
    if words.is_surprising(hop):
        yield f"      begins {words.shown(hop.head)}"
