"""Single lines of robots.txt (RBT201 to RBT214). Each rule names the notes of the reader that it speaks for."""

from collections.abc import Iterable

from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.noted import noted
from waypost.formats.printable import clipped
from waypost.formats.robots import Robots
from waypost.formats.robots_lines import Line, LineKind

__all__ = ["RULES", "is_misspelt_signal", "spoilt_lines"]

_YANDEX_RULE_CHARS = 1_024
_YANDEX_RULES = 2_048
_KEY_CHARS = 60
_ODD_SPELLINGS = (
    "pattern-non-ascii",
    "pattern-bad-escape",
    "pattern-lower-case-escape",
    "pattern-unreserved-escape",
    "pattern-blank",
)


_CUT = "nul-byte"
_COLON_LOST = "sitemap-scheme-lost"


def spoilt_lines(robots: Robots) -> frozenset[int]:
    """The lines whose values were never read as meant: what else is odd about them has the same cause."""
    kinds = {_CUT, "control-character", _COLON_LOST}
    return frozenset(note.line for note in robots.notes if note.kind in kinds)


def is_misspelt_signal(line: Line) -> bool:
    """Whether a line was meant as a Content-Signal."""
    is_near = line.key.lower().replace(" ", "-") in {"content-signals", "contentsignal"}
    return is_near and line.kind is LineKind.UNKNOWN


@rule("RBT201", Step.ROBOTS, Severity.WARN, fix=Fix.PROPOSED)
def line_not_understood(robots: Robots) -> Iterable[Hit]:
    """A line has no colon, so crawlers do not understand it, or guess.

    Why: a rule that is not understood is no rule.

    Fix: Write a key, a colon and a value: Disallow: /a.

    Bad:
        User-agent: *
        Disallow: /a
        please go away

    Good:
        User-agent: *
        Disallow: /a
    """
    cut = {note.line for note in robots.notes if note.kind == _CUT}  # RBT113 has said why
    hits = noted(robots, ("not-understood", "missing-colon", _COLON_LOST), "“{}” has no colon")
    return (hit for hit in hits if hit.line not in cut)


@rule("RBT202", Step.ROBOTS, Severity.INFO)
def unknown_directive(robots: Robots) -> Iterable[Hit]:
    """A directive is one that nobody is known to read.

    Why: crawlers skip it; it does no harm.

    Fix: Leave it if somebody you know reads it.

    Bad:
        User-agent: *
        Disallow: /a
        Favourite: blue

    Good:
        User-agent: *
        Disallow: /a
    """
    misspelt = {note.line for note in robots.notes if note.kind == "likely-typo"}
    for note in robots.notes:
        if note.kind == "unknown-key" and note.line not in misspelt:
            yield Hit(f"nobody is known to read {clipped(note.text, _KEY_CHARS)}", note.line, note.column)


@rule("RBT203", Step.ROBOTS, Severity.WARN, fix=Fix.SAFE)
def misspelt_directive(robots: Robots) -> Iterable[Hit]:
    """A directive looks like a misspelling of a known one.

    Why: some crawlers guess what was meant, others skip the line.

    Fix: Correct the spelling.

    Bad:
        User-agent: *
        Disalow: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    said = {line.number for line in robots.lines if is_misspelt_signal(line)}  # RBT323 has more to say of it
    said |= {note.line for note in robots.notes if note.kind == _COLON_LOST}  # and RBT201 of this
    return (hit for hit in noted(robots, ("accepted-typo", "likely-typo"), "{}") if hit.line not in said)


@rule("RBT204", Step.ROBOTS, Severity.ERROR, fix=Fix.PROPOSED)
def rule_before_agent(robots: Robots) -> Iterable[Hit]:
    """An Allow or Disallow, or another line of a group, stands before any User-agent.

    Why: it binds nobody.

    Fix: Write User-agent: * above it.

    Bad:
        Disallow: /a
        User-agent: *
        Disallow: /b

    Good:
        User-agent: *
        Disallow: /a
    """
    yield from noted(robots, "rule-before-agent", "“{}” binds nobody")
    # A content signal before any User-agent is a rule of its own.
    signals = {line.number for line in robots.lines if line.kind is LineKind.CONTENT_SIGNAL}
    for hit in noted(robots, "field-before-agent", "“{}” binds nobody", Severity.WARN):
        if hit.line not in signals:
            yield hit


@rule("RBT205", Step.ROBOTS, Severity.ERROR, fix=Fix.PROPOSED)
def empty_agent(robots: Robots) -> Iterable[Hit]:
    """A User-agent line has no value.

    Why: the rules below bind nobody.

    Fix: Name the crawler, or write * for all of them.

    Bad:
        User-agent:
        Disallow: /a

    Good:
        User-agent: *
        Disallow: /a
    """
    return noted(robots, "agent-empty", "User-agent has no value")


@rule("RBT206", Step.ROBOTS, Severity.ERROR, fix=Fix.SAFE)
def agent_is_a_header(robots: Robots) -> Iterable[Hit]:
    """A User-agent line holds a whole User-Agent header instead of a product token.

    Why: crawlers compare their token with the leading letters, and drop the rest: Mozilla matches nobody.

    Fix: Write the token alone: Googlebot.

    Bad:
        User-agent: Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
        Disallow: /a

    Good:
        User-agent: Googlebot
        Disallow: /a
    """
    for hit in noted(robots, "agent-header", "“{}” is no product token"):
        # With the crawler's own token in front the group still binds it.
        yield hit if hit.text.lower().startswith("“mozilla/") else hit._replace(severity=Severity.WARN)


@rule("RBT207", Step.ROBOTS, Severity.WARN, fix=Fix.PROPOSED)
def odd_agent(robots: Robots) -> Iterable[Hit]:
    """A User-agent value has a wildcard, a version or several names in it.

    Why: only the leading letters, hyphens and underscores count; the rest is dropped, or the group binds nobody.

    Fix: Write one token a line.

    Bad:
        User-agent: Google*
        Disallow: /a

    Good:
        User-agent: Googlebot
        User-agent: Bingbot
        Disallow: /a
    """
    return noted(
        robots,
        ("agent-wildcard", "agent-version", "agent-list", "agent-unusable", "star-with-text"),
        "“{}” is not one product token",
    )


@rule("RBT208", Step.ROBOTS, Severity.WARN, fix=Fix.SAFE)
def pattern_without_slash(robots: Robots) -> Iterable[Hit]:
    """A rule's value begins with neither / nor *.

    Why: it matches no URL.

    Fix: Begin the value with a slash.

    Bad:
        User-agent: *
        Disallow: private

    Good:
        User-agent: *
        Disallow: /a
    """
    return noted(robots, "pattern-no-slash", "“{}” matches nothing")


@rule("RBT209", Step.ROBOTS, Severity.WARN, fix=Fix.PROPOSED)
def dollar_inside(robots: Robots) -> Iterable[Hit]:
    """A $ stands before the end of a rule's value.

    Why: only as the last character does it mean the end of the URL; here it is a dollar sign.

    Fix: Move $ to the end, or write %24 for a dollar sign.

    Bad:
        User-agent: *
        Disallow: /a$/b

    Good:
        User-agent: *
        Disallow: /a$
    """
    return noted(robots, "pattern-dollar-inside", "“{}”")


@rule("RBT210", Step.ROBOTS, Severity.WARN, fix=Fix.SAFE)
def pattern_is_a_url(robots: Robots) -> Iterable[Hit]:
    """A rule's value is a whole URL.

    Why: rules are paths; a URL matches nothing.

    Fix: Write the path alone.

    Bad:
        User-agent: *
        Disallow: https://example.com/a

    Good:
        User-agent: *
        Disallow: /a
    """
    return noted(robots, "pattern-absolute-url", "“{}” matches nothing")


@rule("RBT211", Step.ROBOTS, Severity.INFO, fix=Fix.SAFE)
def odd_escapes(robots: Robots) -> Iterable[Hit]:
    """A rule's value has raw non-ASCII letters, blanks, or escapes that crawlers read differently.

    Why: crawlers differ in how they compare it with a URL.

    Fix: Percent-encode UTF-8, with capital hex digits, and nothing that needs no escape.

    Bad:
        User-agent: *
        Disallow: /100%-sure

    Good:
        User-agent: *
        Disallow: /100%25-sure
    """
    told: set[int] = set()
    for hit in noted(robots, _ODD_SPELLINGS, "“{}”"):
        if hit.line not in told:
            told.add(hit.line)
            yield hit


@rule("RBT212", Step.ROBOTS, Severity.WARN)
def long_rule(robots: Robots) -> Iterable[Hit]:
    """A rule is longer than an engine reads: Yandex reads 1,024 characters.

    Why: that engine drops the rule.

    Fix: Shorten the value: a rule matches everything that begins with it.

    Bad:
        User-agent: *
        Disallow: /{1024 characters}

    Good:
        User-agent: *
        Disallow: /a
    """
    for line in robots.lines:
        if line.is_rule and len(line.value) > _YANDEX_RULE_CHARS:
            yield Hit(f"{len(line.value):,} characters", line.number, line.value_column)
    yield from noted(robots, "long-line", "the line is longer than crawlers read")


@rule("RBT213", Step.ROBOTS, Severity.WARN)
def many_rules(robots: Robots) -> str | None:
    """There are more rules than an engine reads: Yandex reads 2,048.

    Why: that engine drops the rest.

    Fix: Say the same with fewer rules: patterns with * cover many paths.

    Bad:
        User-agent: *
        Disallow: /{n} × 2049

    Good:
        User-agent: *
        Disallow: /a
    """
    rules = sum(line.is_rule for line in robots.lines)
    return f"{rules:,} rules" if rules > _YANDEX_RULES else None


@rule("RBT214", Step.ROBOTS, Severity.INFO, fix=Fix.PROPOSED)
def pattern_cut_by_hash(robots: Robots) -> Iterable[Hit]:
    """A # ends a rule's value in the middle of a word.

    Why: everything from # on is a comment.

    Fix: Write %23 for a number sign in a path; put a blank before a comment.

    Bad:
        User-agent: *
        Disallow: /a#b

    Good:
        User-agent: *
        Disallow: /a # a comment
    """
    return noted(robots, "pattern-cut-by-hash", "“{}” ends at the number sign")


RULES: tuple[Rule, ...] = (
    line_not_understood,
    unknown_directive,
    misspelt_directive,
    rule_before_agent,
    empty_agent,
    agent_is_a_header,
    odd_agent,
    pattern_without_slash,
    dollar_inside,
    pattern_is_a_url,
    odd_escapes,
    long_rule,
    many_rules,
    pattern_cut_by_hash,
)
