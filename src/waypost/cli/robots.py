"""`waypost robots`: why a URL is allowed or forbidden, and what a change of robots.txt changes."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import typer

from waypost.cli.console import fail, is_url, printable, read_input
from waypost.cli.emit import emit
from waypost.cli.exit_codes import ExitCode
from waypost.cli.paper_command import paper_command
from waypost.formats.robots import Robots, read_robots
from waypost.formats.robots_diff import Difference, Flip, diff_robots
from waypost.formats.robots_notes import KINDS
from waypost.formats.robots_pattern import Profile
from waypost.formats.robots_policy import robots_from_response
from waypost.formats.robots_verdict import Reason, Verdict
from waypost.limits import ROBOTS_BYTES_DEFAULT
from waypost.urls import Origin

__all__ = ["app", "verdict_lines", "verdict_row"]

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Check a robots.txt, ask it why, and compare two of them."
)


class Format(StrEnum):
    """How a command prints its results."""

    TEXT = "text"
    JSON = "json"


_PROFILE = typer.Option(Profile.GOOGLE, "--profile", help="Answer as Google's reference does, or as RFC 9309 says.")
_FORMAT = typer.Option(Format.TEXT, "--format", help="Print for people or for programs.")

_REASONS = {
    Reason.RULE: "",
    Reason.EMPTY: "a rule without a value forbids nothing",
    Reason.NO_MATCH: "no rule of its group matches",
    Reason.NO_GROUP: "no group is meant for it",
    Reason.ROBOTS_TXT: "robots.txt itself may always be fetched",
    Reason.STATUS: "the server's answer decides, not the text",
}
_SHORTLY = {Reason.NO_MATCH: "no rule", Reason.NO_GROUP: "no group"}


def _load(name: str, profile: Profile, allow_private: Sequence[str] = ()) -> Robots:
    robots = read_robots(_bytes_of(name, allow_private), profile=profile)
    if robots.is_binary:
        fail(f"{name} is a binary file, not a robots.txt")
    return robots


def _bytes_of(name: str, allow_private: Sequence[str]) -> bytes:
    if not is_url(name):
        return read_input(name)
    from waypost.cli.fetching import fetch_document  # noqa: PLC0415

    return fetch_document(name, allow_private, bytes_max=ROBOTS_BYTES_DEFAULT).body.read()


@app.command()
def explain(
    url: str = typer.Argument(help="The URL, or only its path."),
    *,
    agent: list[str] = typer.Option(
        ["*"], "--agent", metavar="NAME", help="A crawler's product token; may be given several times."
    ),
    file: str = typer.Option(
        "", "--file", metavar="FILE", help="The robots.txt to ask, or its URL; - reads standard input."
    ),
    allow_private: list[str] = typer.Option(
        [], "--allow-private", metavar="HOST", help="A private host or network to ask."
    ),
    profile: Profile = _PROFILE,
    form: Format = _FORMAT,
) -> None:
    """Say whether crawlers may fetch a URL, and which line decides.

    Without --file the robots.txt of the URL's own site is fetched; exit 3 when no answer came from there.
    """
    asked = _Asked(file, _load(file, profile, allow_private)) if file else _ask_site(url, allow_private, profile)
    verdicts = {name: asked.rules.explain(name, url) for name in dict.fromkeys(agent)}
    if form is Format.JSON:
        answers = [{"agent": name, **verdict_row(verdict)} for name, verdict in verdicts.items()]
        about = {"url": url, "file": asked.name, "profile": profile.value, "notes": _file_notes(asked.robots)}
        answer = {} if file else {"status": asked.status or None, "error": asked.error or None}
        emit([json.dumps({**about, **answer, "answers": answers}, indent=2)])
    else:
        notes = [note["text"] for note in _file_notes(asked.robots)] + ([asked.said] if asked.said else [])
        emit([printable(url), *(f"  note: {printable(note)}" for note in notes)])
        emit(line for name, verdict in verdicts.items() for line in verdict_lines(name, verdict))
    raise typer.Exit(int(ExitCode.UNREACHABLE if asked.error else ExitCode.CLEAN))


class _Rules(Protocol):
    def explain(self, agent: str, url: str, /) -> Verdict: ...


@dataclass(frozen=True)
class _Asked:
    """The robots.txt that was asked: its name, what decides, and what the server said."""

    name: str
    rules: _Rules
    status: int = 0
    error: str = ""

    @property
    def robots(self) -> Robots | None:
        return self.rules if isinstance(self.rules, Robots) else getattr(self.rules, "robots", None)

    @property
    def said(self) -> str:
        """What an answer that is no robots.txt said."""
        if self.error:
            return f"{self.name} gave no answer: {self.error}"
        return f"{self.name} answers with status {self.status}" if self.status >= 300 else ""


def _ask_site(url: str, allow_private: list[str], profile: Profile) -> _Asked:
    """The robots.txt of the site a URL belongs to, and what its server's answer means."""
    origin = Origin.parse(url)
    if origin is None:
        fail(f"{url} is no URL of a site: name the robots.txt to ask with --file")
    # The client is loaded only where something is fetched.
    from waypost.cli.fetching import answer_of  # noqa: PLC0415

    name = f"{origin}/robots.txt"
    capture = answer_of(name, allow_private, bytes_max=ROBOTS_BYTES_DEFAULT)
    error = capture.error.sentence if capture.error else ""
    status = 0 if error else capture.status
    body = capture.body.read() if capture.is_success else b""
    policy = robots_from_response(status, capture.headers, body, 0.0, url=capture.final_url, profile=profile)
    return _Asked(name, policy, capture.status, error)


def _file_notes(robots: Robots | None) -> list[dict[str, str]]:
    """What keeps the whole file from being read as it was meant."""
    counts = robots.counts if robots is not None else {}
    return [
        {"kind": kind, "text": KINDS[kind]} for kind in ("empty", "utf-16", "html-body", "too-large") if kind in counts
    ]


def verdict_row(verdict: Verdict) -> dict[str, object]:
    """A verdict as plain data."""
    miss = verdict.near_miss
    return {
        "allowed": verdict.allowed,
        "reason": verdict.reason.value,
        "line": verdict.line,
        "rule": verdict.rule,
        "pattern": verdict.pattern,
        "group_line": verdict.group_line,
        "agents": list(verdict.agents),
        "near_miss": {"kind": miss.kind, "line": miss.line, "rule": miss.rule, "text": miss.text} if miss else None,
        "notes": [{"kind": note.kind, "text": note.text} for note in verdict.notes],
    }


def _word(verdict: Verdict) -> str:
    return "allowed" if verdict.allowed else "disallowed"


def verdict_lines(agent: str, verdict: Verdict) -> list[str]:
    """A verdict in a few lines: the answer, the deciding line, its group, and what nearly decided."""
    lines = [f"  {printable(agent)}: {_word(verdict)}"]
    if verdict.line:
        lines.append(f"    line {verdict.line}: {printable(verdict.rule)}")
    if why := _REASONS[verdict.reason]:
        lines.append(f"    why: {why}")
    if verdict.group_line:
        lines.append(f"    group: line {verdict.group_line}, for {printable(', '.join(verdict.agents))}")
    if miss := verdict.near_miss:
        lines.append(f"    near miss: line {miss.line}: {printable(miss.rule)} ({printable(miss.text)})")
    lines += [f"    note: {printable(note.text)}" for note in verdict.notes]
    return lines


@app.command()
def diff(
    before: str = typer.Argument(help="The robots.txt as it was; - reads standard input."),
    after: str = typer.Argument(help="The robots.txt as it is to be."),
    *,
    urls: str = typer.Option(
        "", "--urls", metavar="FILE", help="URLs to ask about, one a line; else paths are made up."
    ),
    agent: list[str] = typer.Option(
        [], "--agent", metavar="NAME", help="A crawler to ask for; else every one that is named, and *."
    ),
    profile: Profile = _PROFILE,
    form: Format = _FORMAT,
) -> None:
    """Show which answers flip between two robots.txt; exit 1 when any does."""
    if [before, after, urls].count("-") > 1:
        fail("standard input can be read only once; name a file for the other")
    old, new = _load(before, profile), _load(after, profile)
    listed = _listed_urls(urls) if urls else None
    found = diff_robots(old, new, listed, agent or None)
    if form is Format.JSON:
        emit([json.dumps(_difference_json(found), indent=2)])
    else:
        emit(_difference_text(found))
    raise typer.Exit(int(ExitCode.FINDINGS if found.flips else ExitCode.CLEAN))


def _listed_urls(name: str) -> list[str]:
    data = read_input(name)
    if b"\0" in data:
        fail(f"{name} is a binary file, not a list of URLs")
    lines = map(str.strip, data.decode("utf-8-sig", "replace").split("\n"))
    urls = [line for line in lines if line and not line.startswith("#")]
    return urls or fail(f"{name} lists no URLs: it has one on each line")


def _flip_json(flip: Flip) -> dict[str, object]:
    sides = {"before": verdict_row(flip.before), "after": verdict_row(flip.after)}
    return {"agent": flip.agent, "url": flip.url, **sides}


def _difference_json(found: Difference) -> dict[str, object]:
    return {
        "asked": found.asked,
        "complete": found.complete,
        "flips": [_flip_json(flip) for flip in found.flips],
        "added": [change._asdict() for change in found.added],
        "removed": [change._asdict() for change in found.removed],
        "sitemaps_added": list(found.sitemaps_added),
        "sitemaps_removed": list(found.sitemaps_removed),
    }


def _difference_text(found: Difference) -> Iterator[str]:
    for sign, changes in (("-", found.removed), ("+", found.added)):
        for change in changes:
            key = "Allow" if change.allow else "Disallow"
            yield f"{sign} {printable(change.agent)}  {key}: {printable(change.pattern)}"
    yield from (f"- Sitemap: {printable(url)}" for url in found.sitemaps_removed)
    yield from (f"+ Sitemap: {printable(url)}" for url in found.sitemaps_added)
    yield from map(_flip_text, found.flips)
    more = "" if found.complete else "; there are more agents and rules than are compared"
    yield f"{len(found.flips):,} of {found.asked:,} answers flip{more}"


def _flip_text(flip: Flip) -> str:
    sides = f"{_word(flip.before)} → {_word(flip.after)}"
    return f"! {printable(flip.agent)}  {printable(flip.url)}  {sides} ({_where(flip.before)} → {_where(flip.after)})"


def _where(verdict: Verdict) -> str:
    return f"line {verdict.line}" if verdict.line else _SHORTLY.get(verdict.reason, verdict.reason.value)


app.command("check")(paper_command("robots", "Judge robots.txt files by the rules of the robots check."))
