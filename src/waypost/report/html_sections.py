"""The sections of the HTML report: summary, findings, steps with their evidence, trail."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from waypost.check.contract import Outcome
from waypost.check.result import CheckResult, Finding, Place, Result, StepResult, TrailHop
from waypost.check.rule import Severity
from waypost.dates import write_w3c
from waypost.report import words
from waypost.report.html_pictures import bar, gauge, hop_class
from waypost.report.markup import Child, Markup, el, join

__all__ = ["badge", "findings", "steps", "summary", "trail"]

_SIGNS = {Outcome.PASS: "✓", Outcome.WARN: "!", Outcome.FAIL: "✕", Outcome.SKIP: "–"}
_SEVERITIES = {Severity.ERROR: ("fail", "error"), Severity.WARN: ("warn", "warning"), Severity.INFO: ("info", "note")}
_EVIDENCE_DEPTH_MAX = 6
_EVIDENCE_ITEMS_MAX = 60
_PLACES_SHOWN_MAX = 1_000
"""How many places of one problem a page shows; nobody reads on, and browsers take long over so many rows."""
_MOMENT_MAX = 253_402_300_800  # the end of the year 9999


def badge(outcome: Outcome) -> Markup:
    """An outcome as a sign and a word."""
    return el(
        "span", el("span", _SIGNS[outcome], aria_hidden="true"), f" {outcome.value}", class_=f"badge {outcome.value}"
    )


def summary(result: Result) -> Markup:
    """The verdict, the gauge, and the sum it shows."""
    sentences = [el("p", words.verdict_sentence(result), class_="verdict")]
    sentences += [el("p", notice, class_="notice") for notice in result.notices]
    sentences += [el("p", sentence, class_="advice") for sentence in words.advice(result)]
    sums = [_sum(check, check.score) for check in result.checks if check.score is not None]
    crashes = [
        el(
            "p",
            el("b", f"waypost failed in {crash.code}"),
            f" on {crash.url}: {crash.error} ({crash.where}). This is a bug of waypost, not of the site.",
            class_="crash",
        )
        for crash in result.crashes
    ]
    return el("section", *sentences, *crashes, *sums, _next(result), class_="summary")


def _sum(check: CheckResult, score: float) -> Markup:
    rows = [
        el(
            "tr",
            el("th", term.step.title or term.step.id, scope="row"),
            el("td", badge(term.step.status)),
            el("td", words.score_words(term.step.weight), class_="number"),
            el("td", f"× {term.credit:g}", class_="number"),
            el("td", f"= {words.score_words(term.earned)}", class_="number"),
        )
        for term in words.terms(check)
    ]
    total = el("tr", el("th", "Score", scope="row", colspan=4), el("td", words.score_words(score), class_="number"))
    heads = (("Step", ""), ("Outcome", ""), ("Weight", "number"), ("Credit", "number"), ("Earned", "number"))
    table = el(
        "table",
        el("caption", f"How {check.spec.id} {check.spec.version} comes to {words.score_words(score)}"),
        el("thead", el("tr", *(el("th", name, scope="col", class_=kind or None) for name, kind in heads))),
        el("tbody", *rows),
        el("tfoot", total),
        class_="sum",
    )
    note = el("p", words.credit_note(check), class_="fine")
    return el("div", gauge(check, score), el("div", el("div", table, class_="scroll"), note), class_="score")


def _next(result: Result) -> Markup | None:
    rows = [
        el("li", el("code", command), el("span", purpose))
        for command, purpose in words.next_commands(result, is_page=True)
    ]
    return el("div", el("h2", "Next"), el("ul", *rows, class_="commands"), class_="next") if rows else None


def findings(result: Result, prefix: str) -> Markup:
    """Every finding, grouped by check, with the buttons that choose among them."""
    groups = [_group(check, prefix) for check in result.checks if check.findings]
    empty = el("p", "Nothing to report: no rule has anything to say.", class_="empty")
    return el(
        "section",
        el("h2", "Findings", id=f"{prefix}-findings"),
        _toolbar(result) if groups else None,
        join(groups) or empty,
        el("p", "No finding matches.", class_="empty none", hidden=True) if groups else None,
        aria_labelledby=f"{prefix}-findings",
        class_="findings",
    )


def _toolbar(result: Result) -> Markup:
    every = [finding for _, finding in result.findings()]
    chips = []
    for severity in reversed(Severity):
        count = sum(finding.severity is severity for finding in every)
        kind, word = _SEVERITIES[severity]
        if count:
            label = f"{count:,} {word}{'' if count == 1 else 's'}"
            chips.append(_chip(label, kind, data_severity=severity.value))
    if any(finding.scored for finding in every) and not all(finding.scored for finding in every):
        chips.append(_chip("moves the score", "", is_pressed=False, data_scored="yes"))
    if any(not finding.is_new for finding in every):
        chips.append(_chip("new only", "", is_pressed=False, data_new="yes"))
    search = el("input", type="search", placeholder="Filter by code, word or URL", aria_label="Filter findings")
    return el(
        "div",
        el("div", *chips, role="group", aria_label="Show", class_="chips"),
        search,
        el("button", "Open all", type="button", class_="plain", data_toggle="all"),
        el("output", f"{len(every):,} shown", aria_live="polite"),
        class_="toolbar",
        hidden=True,
    )


def _chip(label: str, kind: str, *, is_pressed: bool = True, **data: str) -> Markup:
    pressed = "true" if is_pressed else "false"
    return el("button", label, type="button", aria_pressed=pressed, class_=f"chip {kind}".strip(), **data)


def _group(check: CheckResult, prefix: str) -> Markup:
    head = el(
        "h3",
        f"{check.spec.id} {check.spec.version}",
        el("small", words.findings_count(check.findings)),
        id=f"{prefix}-{check.spec.id}",
    )
    return el("div", head, *(_finding(finding) for finding in words.by_weight(check.findings)), class_="group")


def _finding(finding: Finding) -> Markup:
    kind, word = _SEVERITIES[finding.severity]
    tags = [el("span", "moves the score", class_="tag")] if finding.scored else []
    tags += [] if finding.is_new else [el("span", "known", class_="tag")]
    times = el("span", f"× {finding.count:,}", class_="times") if finding.count > 1 else None
    head = el(
        "summary",
        el("span", word, class_=f"badge {kind}"),
        el("span", el("code", finding.code), " ", el("b", finding.name), times, *tags, class_="finding-name"),
        el("span", finding.message, class_="message"),
    )
    fix = el("p", el("b", "Fix "), finding.fix, class_="fix") if finding.fix else None
    asking = el("p", "More: ", el("code", f"waypost rule {finding.code}"), class_="fine")
    return el(
        "details",
        head,
        el("div", fix, _places(finding), asking, class_="finding-body"),
        class_=f"finding {kind}",
        open=finding.severity is not Severity.INFO,
        data_severity=finding.severity.value,
        data_scored="yes" if finding.scored else "no",
        data_new="yes" if finding.is_new else "no",
    )


def _places(finding: Finding) -> Markup:
    places = finding.places[:_PLACES_SHOWN_MAX] or (finding.where,)
    more = finding.count - len(places)
    inside = "" if len(finding.places) <= len(places) else "; the data of this page holds them"
    rest = (
        el("p", f"and {more:,} more {'place' if more == 1 else 'places'}{inside}", class_="fine") if more > 0 else None
    )
    columns = [column for column in _PLACE_COLUMNS if any(_of_place(column, place, finding) for place in places)]
    if len(places) == 1 and "text" not in columns:
        return join([el("p", "At ", el("code", words.place_words(places[0]), class_="url")), rest])
    head = el("tr", *(el("th", name.capitalize(), scope="col", class_=_kind(name)) for name in ("where", *columns)))
    rows = [
        el("tr", el("td", el("code", place.url, class_="url")), *_cells(place, finding, columns)) for place in places
    ]
    return join([el("div", el("table", el("thead", head), el("tbody", *rows)), class_="scroll"), rest])


_PLACE_COLUMNS = ("line", "column", "entry", "text")


def _of_place(column: str, place: Place, finding: Finding) -> str | int:
    if column == "text":
        return place.text if place.text != finding.message else ""
    number: int = getattr(place, column)
    return number


def _kind(column: str) -> str | None:
    return "number" if column in {"line", "column", "entry"} else None


def _cells(place: Place, finding: Finding, columns: Sequence[str]) -> Iterator[Markup]:
    for column in columns:
        yield el("td", _of_place(column, place, finding) or "–", class_=_kind(column))


def steps(result: Result, prefix: str) -> Markup:
    """Every check with its steps, and what was seen in each."""
    checks = [_check(check) for check in result.checks]
    return el(
        "section",
        el("h2", "Steps and evidence", id=f"{prefix}-steps"),
        *checks,
        aria_labelledby=f"{prefix}-steps",
    )


def _check(check: CheckResult) -> Markup:
    spec = check.spec
    facts = {
        "category": f"{spec.category} / {spec.subcategory}",
        "maturity": spec.maturity,
        "scope": spec.scope,
        "weight": words.score_words(spec.weight),
        "contracts": f"{spec.input} in, {spec.output} out",
        "may fetch": ", ".join(spec.resources),
    }
    head = el(
        "summary",
        badge(check.status),
        el("b", f"{spec.id} {spec.version}"),
        el("span", spec.title, class_="message"),
    )
    body = [_definitions(facts, 0), *(_step(step, spec_words) for step, spec_words in _with_words(check))]
    return el("details", head, el("div", *body, class_="check-body"), class_="check", open=check.score is not None)


def _with_words(check: CheckResult) -> Iterator[tuple[StepResult, str]]:
    passes_when = {step.id: step.passes_when.replace("`", "") for step in check.spec.steps}
    return ((step, passes_when.get(step.id, "")) for step in check.steps)


def _step(step: StepResult, passes_when: str) -> Markup:
    return el(
        "div",
        el("h3", badge(step.status), " ", step.title or step.id),
        el("p", f"Passes when {passes_when}.", class_="fine") if passes_when else None,
        _value(step.evidence, 0) if step.evidence else None,
        class_="step",
    )


def _value(value: Any, depth: int) -> Child:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int | float):
        return el("code", str(value), class_="url") if isinstance(value, str) and "://" in value else str(value)
    if depth >= _EVIDENCE_DEPTH_MAX:
        return "…"
    if isinstance(value, Mapping):
        return _definitions(value, depth)
    rows = list(value)
    if rows and all(isinstance(row, Mapping) for row in rows):
        return _table(rows, depth)
    items = [el("li", _value(row, depth + 1)) for row in rows[:_EVIDENCE_ITEMS_MAX]]
    return join([el("ul", *items, class_="items"), _rest(len(rows))]) if items else "none"


def _definitions(value: Mapping[str, Any], depth: int) -> Markup:
    pairs = list(value.items())
    rows = [
        el("div", el("dt", key.replace("_", " ")), el("dd", _value(_dated(key, part), depth + 1)))
        for key, part in pairs[:_EVIDENCE_ITEMS_MAX]
        if part != ""
    ]
    return join([el("dl", *rows, class_="facts"), _rest(len(pairs))])


def _dated(key: str, part: Any) -> Any:
    """Moments are seconds since 1970 for programs, and dates for people."""
    is_moment = key == "newest" and isinstance(part, int | float) and 0 <= part < _MOMENT_MAX
    return write_w3c(part) if is_moment else part


def _table(rows: Sequence[Mapping[str, Any]], depth: int) -> Markup:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    head = el("tr", *(el("th", key.replace("_", " "), scope="col") for key in keys))
    body = [
        el("tr", *(el("td", _value(row.get(key), depth + 1)) for key in keys)) for row in rows[:_EVIDENCE_ITEMS_MAX]
    ]
    table = el("table", el("thead", head), el("tbody", *body))
    return join([el("div", table, class_="scroll"), _rest(len(rows))])


def _rest(count: int) -> Markup | None:
    return el("p", f"and {count - _EVIDENCE_ITEMS_MAX:,} more", class_="fine") if count > _EVIDENCE_ITEMS_MAX else None


def trail(result: Result, prefix: str) -> Markup:
    """Every request with what came of it, and how long each took."""
    most = max((hop.elapsed_s for hop in result.trail), default=0.0)
    rows = [_hop(hop, number, most, prefix) for number, hop in enumerate(result.trail, start=1)]
    empty = el("p", "No request was made.", class_="empty")
    return el(
        "section",
        el("h2", "Trail", id=f"{prefix}-trail"),
        el("ol", *rows, class_="trail") if rows else empty,
        aria_labelledby=f"{prefix}-trail",
    )


def _hop(hop: TrailHop, number: int, most: float, prefix: str) -> Markup:
    kind = hop_class(hop)
    headers = [el("div", el("dt", name), el("dd", value)) for name, value in hop.headers.items()]
    return el(
        "li",
        el("span", str(hop.status) if hop.status else "no answer", class_=f"badge {kind}"),
        el("code", hop.url, class_="url"),
        el("span", hop.purpose, class_="tag"),
        el("span", bar(hop.elapsed_s, most, kind), class_="time"),
        el("span", ", ".join(part for part in (words.hop_words(hop), hop.address) if part), class_="fine"),
        el("dl", *headers, class_="facts headers") if headers else None,
        el("pre", hop.head, class_="head") if hop.head else None,
        id=f"{prefix}-hop-{number}",
        tabindex=-1,
    )
