"""`waypost discover` and `waypost feeds`: what a site offers to machines, from no more than its name."""

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

import typer

from waypost.check.discover import discover as find
from waypost.check.services import Discovered, FoundService, Way
from waypost.cli.console import fail, printable, say
from waypost.cli.emit import emit
from waypost.cli.exit_codes import ExitCode
from waypost.cli.fetching import AllowPrivate, UserAgent, means_of
from waypost.errors import WaypostError

__all__ = ["app", "found", "found_json", "leave"]

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

Domain = Annotated[str, typer.Argument(metavar="DOMAIN", help="A domain name, or a URL of the site.")]
_KIND_COLUMNS = 11


class Format(StrEnum):
    """How the list is printed."""

    TEXT = "text"
    JSON = "json"


@app.command()
def discover(
    domain: Domain,
    *,
    namespace: Annotated[
        str, typer.Option(help="Only what this namespace stands for; a kind such as atom or opml will do.")
    ] = "",
    form: Annotated[Format, typer.Option("--format", "-f", help="For people or for programs.")] = Format.TEXT,
    allow_private: AllowPrivate = None,
    user_agent: UserAgent = "",
) -> None:
    """List everything a site offers to machines, and how each was found.

    robots.txt, sitemaps, what robots.xml lists, feeds and lists of feeds, from Link headers and from the home page.
    Exit 1 when nothing was found, 3 when the site does not answer.
    """
    result = found(domain, namespace, allow_private, user_agent)
    emit([json.dumps(found_json(result), indent=2)] if form is Format.JSON else as_text(result))
    leave(result)


def found(domain: str, namespace: str, allow_private: list[str] | None, user_agent: str) -> Discovered:
    """Look a site over; a target that is none ends the command."""
    try:
        return find(domain, namespace, means_of(allow_private, user_agent))
    except WaypostError as error:
        fail(str(error))


def leave(result: Discovered) -> None:
    """End the command with the exit status that the result asks for."""
    if result.is_reached:
        raise typer.Exit(int(ExitCode.CLEAN if result.services else ExitCode.FINDINGS))
    why = f": {result.error.sentence}" if result.error else ""
    say(f"waypost: {result.target} does not answer{why}")
    raise typer.Exit(int(ExitCode.UNREACHABLE))


def as_text(result: Discovered) -> Iterator[str]:
    """Each service with what is known of it, for people."""
    yield from (f"note: {printable(notice)}" for notice in result.notices)
    for service in result.services:
        yield f"{service.kind.value:<{_KIND_COLUMNS}} {printable(service.url)}"
        about = [service.title, service.last_change, f"not usable: {service.error}" if service.error else ""]
        said = " · ".join(printable(part) for part in about if part)
        yield from [f"{'':<{_KIND_COLUMNS}}   {said}"] if said else []
        yield from (f"{'':<{_KIND_COLUMNS}}   found: {_way_text(way)}" for way in service.ways)
    if result.is_reached and not result.services:
        yield f"{printable(result.origin)}: nothing found"


def _way_text(way: Way) -> str:
    line = f", line {way.line}" if way.line else ""
    return f"{way.how.value} ({printable(way.where)}{line})"


def found_json(result: Discovered) -> dict[str, object]:
    """The whole result, for programs."""
    return {
        "target": result.target,
        "origin": result.origin,
        "requests": result.requests,
        "reached": result.is_reached,
        "error": result.error.sentence if result.error else None,
        "notices": list(result.notices),
        "services": [_service_json(service) for service in result.services],
    }


def _service_json(service: FoundService) -> dict[str, object]:
    return {
        "url": service.url,
        "kind": service.kind.value,
        "namespace": service.namespace or None,
        "title": service.title or None,
        "last_change": service.last_change or None,
        "home": service.home or None,
        "status": service.status or None,
        "error": service.error or None,
        "found": [{"how": way.how.name.lower(), "where": way.where, "line": way.line or None} for way in service.ways],
    }
