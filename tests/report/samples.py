"""Results as a scan would hand them over, good and hostile, for every renderer's tests."""

import json
from dataclasses import replace
from typing import Any

from waypost.check.checks.robots.v1_0_0 import CHECK as ROBOTS
from waypost.check.checks.sitemap.v1_0_0 import CHECK as SITEMAP
from waypost.check.contract import Outcome
from waypost.check.pictures import draw
from waypost.check.result import CheckResult, Crash, Finding, Place, Result, StepResult, TrailHop, fingerprint
from waypost.check.rule import Fix, Severity, Step
from waypost.report import as_json

TARGET = "https://example.com"
HOSTILE = (
    "=cmd|'/c calc'!A1\r\n::error::pwned\n\x1b[31m\u202egpj.exe\u2066 \u200b\ufeff</script><script>alert(1)</script>"
    "<img src=x onerror=alert(1)> & ]]> `code` [link](javascript:alert(1)) | @everyone %0A {0} \x00\x85\u2028\U000e0041 日本"
)
"""Something for each output to trip over."""


def step(number: int, outcome: Outcome, **evidence: object) -> StepResult:
    """One step of the sitemap check."""
    spec = SITEMAP.steps[number]
    return StepResult(spec.id, spec.title, outcome, spec.weight, round(spec.weight * outcome.credit, 4), dict(evidence))


def robots(meaning: Outcome, *findings: Finding) -> CheckResult:
    """The robots check, which scores nothing."""
    outcomes = (Outcome.PASS, Outcome.PASS, meaning)
    steps = [StepResult(step.id, step.title, outcomes[n], 0.0, 0.0, {}) for n, step in enumerate(ROBOTS.steps)]
    return CheckResult(ROBOTS, meaning, None, tuple(steps), findings)


def finding(
    code: str = "SMQ301",
    severity: Severity = Severity.WARN,
    *,
    url: str = f"{TARGET}/sitemap.xml",
    message: str = "The lastmod “yesterday” is not a W3C date",
    count: int = 3,
    where: Step = Step.FIELD_QUALITY,
    scored: bool = True,
) -> Finding:
    """One finding with its first places."""
    places = tuple(Place(url, 3 + n, 14, 1 + n, f"the lastmod of entry {1 + n}") for n in range(min(count, 2)))
    return Finding(
        code=code,
        name="invalid-lastmod",
        title="The <lastmod> value is not a W3C date",
        step=where,
        severity=severity,
        scored=scored,
        message=message,
        where=places[0],
        count=count,
        places=places,
        fix="Write the date as 2026-01-20, or leave the element out.",
        fixable=Fix.PROPOSED,
        fingerprint=fingerprint(code, url),
    )


def passing() -> Result:
    """A site where all is well."""
    steps = (
        step(0, Outcome.PASS, candidates=[{"url": f"{TARGET}/sitemap.xml", "source": "robots.txt", "outcome": "best"}]),
        step(1, Outcome.PASS, status=200, url=f"{TARGET}/sitemap.xml"),
        step(2, Outcome.PASS, kind="urlset", entries=5),
        step(3, Outcome.PASS, checked=5),
        step(4, Outcome.PASS, hosts={"example.com": 5}),
    )
    trail = (
        TrailHop("robots", f"{TARGET}/robots.txt", 200, 0.0121, "192.0.2.7", {"content-type": "text/plain"}, bytes=64),
        TrailHop("sitemap", f"{TARGET}/sitemap.xml", 301, 0.0142, "192.0.2.7", {"location": "/sitemaps/all.xml"}),
        TrailHop(
            "sitemap",
            f"{TARGET}/sitemaps/all.xml",
            200,
            0.0311,
            "192.0.2.7",
            {"content-type": "application/xml"},
            bytes=712,
        ),
    )
    locs = [f"{TARGET}/", f"{TARGET}/a", f"{TARGET}/blog/1", f"{TARGET}/blog/2026/x", f"{TARGET}/docs/y/z/"]
    lastmods = ["2026-01-20", "2026-02-03T10:00:00Z", "2025-11", "2024", None]
    return Result(
        suite="2026.06.10",
        target=TARGET,
        given="example.com",
        status=Outcome.PASS,
        score=1.0,
        checks=(
            CheckResult(SITEMAP, Outcome.PASS, 1.0, steps, ()),
            robots(Outcome.PASS),
        ),
        trail=trail,
        requests=3,
        elapsed_s=0.0574,
        at=1_768_903_200.0,
        pictures=draw([(locs, lastmods)]),
    )


def warning() -> Result:
    """A site with a scored warning and an advisory error."""
    base = passing()
    steps = (*base.checks[0].steps[:3], step(3, Outcome.WARN, invalid=3), base.checks[0].steps[4])
    sitemap = CheckResult(SITEMAP, Outcome.WARN, 0.95, steps, (finding(),))
    shut = finding("RBT303", Severity.ERROR, url=f"{TARGET}/robots.txt", where=Step.ROBOTS, scored=False, count=1)
    policy = finding("RBT320", Severity.INFO, where=Step.ROBOTS, scored=False, count=1)
    return replace(base, status=Outcome.WARN, score=0.95, checks=(sitemap, robots(Outcome.FAIL, shut, policy)))


def failing() -> Result:
    """A site without a sitemap."""
    nothing = finding("SMD101", Severity.ERROR, url=TARGET, message="No sitemap candidate answers", count=1)
    steps = (
        step(0, Outcome.PASS),
        step(1, Outcome.FAIL, statuses={"404": 4}),
        *(step(n, Outcome.SKIP) for n in (2, 3, 4)),
    )
    missing = TrailHop(
        "sitemap",
        f"{TARGET}/sitemap.xml",
        404,
        0.01,
        "192.0.2.7",
        {"content-type": "text/html"},
        head="<!doctype html><title>404",
    )
    base = passing()
    checks = (CheckResult(SITEMAP, Outcome.FAIL, 0.2, steps, (nothing,)), base.checks[1])
    return replace(base, status=Outcome.FAIL, score=0.2, checks=checks, trail=(missing,), pictures=draw([]))


def unreachable() -> Result:
    """A host that does not resolve."""
    hop = TrailHop("robots", f"{TARGET}/robots.txt", 0, 0.003, "", {}, error="the host name does not resolve")
    return replace(failing(), trail=(hop,), is_reached=False, notices=("example.com: the host name does not resolve",))


def hostile() -> Result:
    """A site that puts something for each output to trip over wherever it may write."""
    base = warning()
    bad = replace(
        finding(message=HOSTILE),
        fix=HOSTILE,
        where=Place(f"{TARGET}/{HOSTILE}", 3, 14, 1, HOSTILE),
        places=(Place(f"{TARGET}/{HOSTILE}", 3, 14, 1, HOSTILE), Place(HOSTILE, 4, text=HOSTILE)),
    )
    check = replace(
        base.checks[0],
        findings=(bad,),
        steps=(*base.checks[0].steps[:4], step(4, Outcome.PASS, **{HOSTILE: [HOSTILE]})),
    )
    hop = TrailHop("sitemap", HOSTILE, 200, 0.1, HOSTILE, {HOSTILE: HOSTILE}, error=HOSTILE, bytes=5, head=HOSTILE)
    return replace(
        base,
        given=HOSTILE,
        checks=(check, base.checks[1]),
        trail=(hop,),
        notices=(HOSTILE,),
        crashes=(Crash("SMQ301", HOSTILE, HOSTILE, HOSTILE),),
        pictures=draw([([f"{TARGET}/{HOSTILE}/x"], [HOSTILE])]),
    )


def every() -> list[Result]:
    """All of them."""
    return [passing(), warning(), failing(), unreachable(), hostile()]


def crowded(places: int) -> Result:
    """A site one rule of which has something to say of very many places, all of them kept."""
    sitemap = f"{TARGET}/sitemap.xml"
    every = tuple(Place(sitemap, 3 + n, 14, 1 + n, f"the lastmod of entry {1 + n}") for n in range(places))
    one = replace(finding(count=places), places=every)
    result = warning()
    return replace(result, checks=(replace(result.checks[0], findings=(one,)), *result.checks[1:]))


def document(result: Result) -> dict[str, Any]:
    """The report of a result as whoever reads its JSON has it."""
    read: dict[str, Any] = json.loads(as_json.dumps(as_json.document(result)))
    return read
