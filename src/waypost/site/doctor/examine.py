"""An examination: a root or the sites of a directory, and a server if one is named, as a `Result` like any check's."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from waypost.check.findings import findings
from waypost.check.judge import PLACES_KEPT, Bench, Found
from waypost.check.options import Options
from waypost.check.result import CheckResult, Finding, Result, StepResult, TrailHop
from waypost.check.rule import Severity, Step
from waypost.check.score import severity_outcome, verdict, weighted
from waypost.check.trail import hops_of
from waypost.errors import ConfigError
from waypost.limits import DOCTOR_PAGES_DEFAULT
from waypost.site.doctor import RULES
from waypost.site.doctor.asking import answers_of, compared, forgeries_of, may_be_trusted, sample
from waypost.site.doctor.door import Door, Server
from waypost.site.doctor.evidence import Answers, Forgeries, Hosts, Root, Stranger, Tenancy, Withheld
from waypost.site.doctor.gather import facts_of
from waypost.site.doctor.sites import Member, members, strangers, tenancy_of
from waypost.site.doctor.spec import CHECK
from waypost.site.tenants import SiteRow
from waypost.urls import Origin, host_of

__all__ = ["Patient", "examine"]

_EXAMPLE = "example.com"


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined: a root, or with `rows` the sites of a directory, through its door; and perhaps a server."""

    name: str
    """The folder, as its owner typed it."""
    door: Door
    rows: tuple[SiteRow, ...] | None = None
    server: Server | None = None
    url: str = ""
    """The URL that the server is asked at."""
    pages: int = DOCTOR_PAGES_DEFAULT
    """How many listed pages are compared with the server's."""


@dataclass(slots=True)
class _Chart:
    """What was found so far."""

    bench: Bench
    others: Bench
    """The rules about answers alone: for a second publisher of a root that was judged already."""
    found: list[Found] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)

    def hear(self, bench: Bench, where: str, *facts: object) -> None:
        """Let rules speak about these facts."""
        given: Mapping[type, Any] = {type(fact): fact for fact in facts if fact is not None}
        self.found += bench.hear(given, (Step.PUBLISH,), where)

    def count(self, name: str, number: int) -> None:
        """Count what was looked at."""
        self.seen[name] = self.seen.get(name, 0) + number


async def examine(patient: Patient, options: Options) -> Result:
    """Examine a root, or every site of a directory. Raises ConfigError where a single root cannot be read at all."""
    started = time.monotonic()
    kept = None if options.all_findings else PLACES_KEPT
    others = [rule for rule in RULES if Answers in rule.takes or Forgeries in rule.takes]
    chart = _Chart(Bench(RULES, places_kept=kept), Bench(others, places_kept=kept))
    if patient.rows is None:
        await _examine_root(patient, chart)
    else:
        await _examine_sites(patient, patient.rows, chart)
    return replace(_result(patient, chart, options), elapsed_s=round(time.monotonic() - started, 3))


async def _examine_root(patient: Patient, chart: _Chart) -> None:
    asked = Origin.parse(patient.url)
    origin = str(asked) if asked else f"https://{_host_to_show(patient.door)}"
    host = host_of(origin)
    shown = patient.door.site(host)
    if shown is None:
        where = f"{patient.name}/waypost.toml"
        stranger = Stranger(host, where, "is not in allowed_hosts: it answers 421")
        chart.hear(chart.bench, where, Hosts((stranger,)))
        return
    await _examine_one(patient, chart, Member(patient.name, shown, origin), None)


def _host_to_show(door: Door) -> str:
    """A host to ask as where nobody named one: the first that is allowed, or the example."""
    allowed = door.settings.allowed_hosts
    return allowed[0].replace("*", "www", 1).lower().removesuffix(".") if allowed else _EXAMPLE


async def _examine_sites(patient: Patient, rows: tuple[SiteRow, ...], chart: _Chart) -> None:
    asked = Origin.parse(patient.url)
    found = await strangers(patient.name, patient.door, rows)
    if asked and _site(patient.door, asked.host) is None:
        where = f"{patient.name}/sites.toml"
        found.append(Stranger(asked.host, where, "is not named by any site: it answers 421"))
    chart.hear(chart.bench, patient.name, Hosts(tuple(found)))
    for member in members(patient.name, patient.door, rows):
        if isinstance(member, Withheld):
            chart.hear(chart.bench, patient.name, Root(patient.name, (), withheld=(member,)))
            continue
        is_asked = asked is not None and asked.host in member.hosts
        origin = str(asked) if is_asked else member.origin
        await _examine_one(
            patient if is_asked else replace(patient, server=None),
            chart,
            replace(member, origin=origin),
            tenancy_of(origin, rows),
        )
        for host in member.hosts:
            other = f"https://{host}"
            if other != origin and not is_asked and not member.has_canonical:
                answers = await answers_of(patient.door, other)
                facts = Root(member.name, (), is_closed=member.shown.is_closed)
                chart.hear(chart.others, other, facts, answers, tenancy_of(other, rows))


def _site(door: Door, host: str) -> object:
    try:
        return door.site(host)
    except ConfigError as error:
        return error


async def _examine_one(patient: Patient, chart: _Chart, member: Member, tenancy: Tenancy | None) -> None:
    """One root as one host shows it, and the server that should show the same."""
    cache = member.shown.root
    root = facts_of(cache, member.name, is_closed=member.shown.is_closed)
    own = await answers_of(patient.door, member.origin)
    forgeries = await forgeries_of(patient.door, member.origin)
    chart.count("objects", len(root.things))
    chart.count("documents", sum(answer.status == 200 for answer in own.answers))
    chart.hear(chart.bench, member.name, root, own, forgeries, tenancy)
    if patient.server is None:
        return
    with cache.lock:
        listed = [page.path for page in cache.table()]
    theirs = await compared(patient.server, patient.door, own, sample(listed, patient.pages))
    chart.count("answers compared", len(patient.server.captures))
    if not patient.server.is_reached:
        chart.notices.append(f"{member.origin}: {patient.server.silence}; nothing was compared with it")
        return
    asked = replace(root, admin_links=(), differences=())
    forged: Forgeries | None = None
    address = patient.server.captures[0].address
    if may_be_trusted(address, patient.door.settings.trusted_proxies):
        chart.notices.append(f"{address} may be a trusted proxy here, so no forged header was tried on the server")
    else:
        forged = await forgeries_of(patient.server, member.origin)
    chart.hear(chart.others, member.origin, asked, theirs, forged, tenancy)


def _result(patient: Patient, chart: _Chart, options: Options) -> Result:
    found = chart.bench.merged(chart.found, patient.name)
    grave = [one for one in found if one.severity is not Severity.INFO]
    shown = findings(found, options, grave)
    steps = tuple(_steps(shown, chart))
    check = CheckResult(
        CHECK,
        verdict(step.status for step in steps),
        weighted((spec.weight, step.status) for spec, step in zip(CHECK.steps, steps, strict=True)),
        steps,
        shown,
    )
    server = patient.server
    return Result(
        suite=options.suite,
        target=patient.name,
        given=patient.name,
        status=check.status,
        score=check.score or 0.0,
        checks=(check,),
        trail=_trail(server),
        crashes=(*chart.bench.crashes, *chart.others.crashes),
        notices=tuple(chart.notices),
        is_reached=server is None or not server.captures or server.is_reached,
        requests=sum(capture.requests for capture in server.captures) if server else 0,
        at=options.now,
    )


def _trail(server: Server | None) -> tuple[TrailHop, ...]:
    return tuple(hop for capture in (server.captures if server else ()) for hop in hops_of(capture))


def _steps(shown: Iterable[Finding], chart: _Chart) -> Iterable[StepResult]:
    for spec in CHECK.steps:
        mine = [finding for finding in shown if finding.code.startswith(spec.rules)]
        outcome = severity_outcome(finding.severity for finding in mine)
        yield StepResult(spec.id, spec.title, outcome, spec.weight, spec.weight * outcome.credit, dict(chart.seen))
