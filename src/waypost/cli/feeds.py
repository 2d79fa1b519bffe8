"""`waypost feeds`: the feeds of a site, as a list a feed reader takes."""

import json
from enum import StrEnum
from typing import Annotated

import typer

from waypost.check.services import Discovered
from waypost.cli.discover import Domain, as_text, found, found_json, leave
from waypost.cli.emit import emit
from waypost.cli.fetching import AllowPrivate, UserAgent
from waypost.errors import WriteError
from waypost.formats.opml import Opml, Outline, write_opml
from waypost.formats.printable import printable

__all__ = ["app", "opml_of"]

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


class Format(StrEnum):
    """How the feeds are printed."""

    TEXT = "text"
    OPML = "opml"
    JSON = "json"


@app.command()
def feeds(
    domain: Domain,
    *,
    form: Annotated[Format, typer.Option("--format", "-f", help="For people, readers or programs.")] = Format.TEXT,
    allow_private: AllowPrivate = None,
    user_agent: UserAgent = "",
) -> None:
    """List the feeds of a site: those it links, those its robots.xml names, those in its lists of feeds.

    Exit 1 when there are none, 3 when the site does not answer.
    """
    result = found(domain, "", allow_private, user_agent).feeds()
    if form is Format.OPML:
        emit(write_opml(opml_of(result)).decode("utf-8").splitlines())
    else:
        emit([json.dumps(found_json(result), indent=2)] if form is Format.JSON else as_text(result))
    leave(result)


def opml_of(result: Discovered) -> Opml:
    """The feeds as a list to import; what OPML cannot hold is left out."""
    outlines = []
    for service in result.services:
        title = printable(service.title)
        outline = Outline(
            text=title or printable(service.url),
            type="rss",
            title=title or None,
            xml_url=service.url,
            html_url=service.home or None,
        )
        try:
            write_opml(Opml(outlines=(outline,)))
        except WriteError:
            outline = Outline(text=printable(service.url), type="rss", xml_url=service.url)
        outlines.append(outline)
    return Opml(title=f"Feeds of {result.origin.partition('//')[2]}", outlines=tuple(outlines))
