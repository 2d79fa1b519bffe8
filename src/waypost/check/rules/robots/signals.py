"""What robots.txt says about the use of content, by AI above all (RBT320 to RBT327)."""

import re
from collections.abc import Iterable, Iterator

from waypost.check.crawlers import AI_TOKENS, RETIRED_TOKENS
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.robots.lines import is_misspelt_signal
from waypost.formats.printable import clipped
from waypost.formats.robots import Robots
from waypost.formats.robots_extras import SIGNALS
from waypost.formats.robots_lines import Line, LineKind
from waypost.urls import is_absolute

__all__ = ["RULES"]

_USAGE = re.compile(r"(?:/\S*\s+)?[a-z][a-z-]*=[a-z]+(?:\s*,\s*[a-z][a-z-]*=[a-z]+)*", re.IGNORECASE)
_SHOWN_CHARS = 100


def _lines(robots: Robots, kind: LineKind) -> Iterator[Line]:
    return (line for line in robots.lines if line.kind is kind)


@rule("RBT320", Step.ROBOTS, Severity.INFO, fix=Fix.PROPOSED)
def no_ai_policy(robots: Robots) -> str | None:
    """The robots.txt has no word for AI crawlers.

    Why: without one the rules for * decide, which is fine if that is what is meant.

    Fix: Name the AI crawlers you mean to allow or to keep out, or write a Content-Signal line.

    Bad:
        User-agent: *
        Disallow: /a

    Good:
        User-agent: GPTBot
        Disallow: /
    """
    named = {agent.lower() for group in robots.groups for agent in group.agents}
    ai = {agent.lower() for agent in AI_TOKENS} | set(RETIRED_TOKENS)
    if named & ai or any(line.kind in {LineKind.CONTENT_SIGNAL, LineKind.CONTENT_USAGE} for line in robots.lines):
        return None
    return None if robots.is_markup or "empty" in robots.counts else "no AI crawler is named, and there is no signal"


@rule("RBT321", Step.ROBOTS, Severity.INFO, fix=Fix.SAFE)
def retired_ai_token(robots: Robots) -> Iterable[Hit]:
    """A User-agent names a retired or misspelt token of an AI crawler.

    Why: no crawler answers to it.

    Fix: Write the token the crawler uses today.

    Bad:
        User-agent: anthropic-ai
        Disallow: /

    Good:
        User-agent: ClaudeBot
        Disallow: /
    """
    for line in _lines(robots, LineKind.AGENT):
        today = RETIRED_TOKENS.get(line.value.lower())
        if today:
            yield Hit(f"{clipped(line.value, _SHOWN_CHARS)}: the token is {today}", line.number, line.value_column)


def _pairs(line: Line) -> Iterator[tuple[str, str]]:
    for part in line.value.split(","):
        key, _, value = part.partition("=")
        yield key.strip().lower(), value.strip().lower()


@rule("RBT322", Step.ROBOTS, Severity.WARN, fix=Fix.SAFE)
def invalid_content_signal(robots: Robots) -> Iterable[Hit]:
    """A Content-Signal has a key or a value that nobody knows.

    Why: readers drop it, so the wish is not heard.

    Fix: Write search, ai-input or ai-train, each with =yes or =no.

    Bad:
        User-agent: *
        Content-Signal: ai-train=maybe
        Disallow:

    Good:
        User-agent: *
        Content-Signal: search=yes, ai-train=no
        Disallow:
    """
    for line in _lines(robots, LineKind.CONTENT_SIGNAL):
        for key, value in _pairs(line):
            if key not in SIGNALS or value not in {"yes", "no"}:
                yield Hit(f"{clipped(f'{key}={value}', _SHOWN_CHARS)} is not known", line.number, line.value_column)


@rule("RBT323", Step.ROBOTS, Severity.INFO, fix=Fix.SAFE)
def misplaced_content_signal(robots: Robots) -> Iterable[Hit]:
    """A Content-Signal is misspelt, or stands where readers drop it: before any User-agent.

    Why: it is a line of a group; outside of one it speaks to nobody.

    Fix: Write Content-Signal, in the singular, below a User-agent line.

    Bad:
        User-agent: *
        Content-Signals: ai-train=no
        Disallow:

    Good:
        User-agent: *
        Content-Signal: ai-train=no
        Disallow:
    """
    for line in robots.lines:
        if is_misspelt_signal(line):
            yield Hit(f"{clipped(line.key, _SHOWN_CHARS)}: the key is Content-Signal", line.number, line.column)
        if line.kind is LineKind.CONTENT_SIGNAL and line.group < 0:
            yield Hit("it stands before any User-agent", line.number, line.column)


@rule("RBT324", Step.ROBOTS, Severity.INFO, fix=Fix.PROPOSED)
def no_content_signal(robots: Robots) -> str | None:
    """The robots.txt has no Content-Signal line.

    Why: it says what may be done with content that may be fetched: search, AI answers, AI training.

    Fix: Write Content-Signal: search=yes, ai-train=no in a group, or whatever is meant.

    Bad:
        User-agent: *
        Disallow: /a

    Good:
        User-agent: *
        Content-Signal: search=yes, ai-train=no
        Disallow: /a
    """
    if robots.is_markup or "empty" in robots.counts or any(_lines(robots, LineKind.CONTENT_SIGNAL)):
        return None
    return "there is no Content-Signal line"


@rule("RBT325", Step.ROBOTS, Severity.INFO)
def malformed_content_usage(robots: Robots) -> Iterable[Hit]:
    """A Content-Usage line is not of the form: an optional path, then key=value.

    Why: readers of the IETF draft drop it.

    Fix: Write Content-Usage: train-ai=n, or Content-Usage: /path train-ai=n.

    Bad:
        User-agent: *
        Content-Usage: no training please
        Disallow:

    Good:
        User-agent: *
        Content-Usage: train-ai=n
        Disallow:
    """
    for line in _lines(robots, LineKind.CONTENT_USAGE):
        if not _USAGE.fullmatch(line.value):
            yield Hit(f"Content-Usage: {clipped(line.value, _SHOWN_CHARS)}", line.number, line.value_column)


@rule("RBT326", Step.ROBOTS, Severity.INFO)
def relative_license(robots: Robots) -> Iterable[Hit]:
    """A License line's value is no absolute URL.

    Why: readers of the RSL standard need the whole URL of the licence.

    Fix: Write the whole URL.

    Bad:
        License: /license.xml

    Good:
        License: https://example.com/license.xml
    """
    for line in _lines(robots, LineKind.LICENSE):
        if not is_absolute(line.value):
            yield Hit(f"License: {clipped(line.value, _SHOWN_CHARS)}", line.number, line.value_column)


@rule("RBT327", Step.ROBOTS, Severity.INFO)
def signals_contradict_rules(robots: Robots) -> Iterable[Hit]:
    """A group welcomes a use of its content and disallows everything.

    Why: what may not be fetched cannot be used.

    Fix: Allow what is welcome, or take the signal back.

    Bad:
        User-agent: GPTBot
        Content-Signal: ai-input=yes
        Disallow: /

    Good:
        User-agent: GPTBot
        Content-Signal: ai-input=yes
        Disallow: /private/
    """
    for group in robots.groups:
        closed = any(not one.allow and one.pattern in {"/", "/*", "*"} for one in group.rules)
        if not closed or any(one.allow and one.pattern for one in group.rules):
            continue
        for extra in group.extras:
            if extra.key.lower() == "content-signal" and "=yes" in extra.value.replace(" ", "").lower():
                yield Hit(f"{clipped(extra.value, _SHOWN_CHARS)}, but everything is disallowed", extra.line)


RULES: tuple[Rule, ...] = (
    no_ai_policy,
    retired_ai_token,
    invalid_content_signal,
    misplaced_content_signal,
    no_content_signal,
    malformed_content_usage,
    relative_license,
    signals_contradict_rules,
)
