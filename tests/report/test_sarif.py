"""SARIF 2.1.0, judged by a schema of our own made from the standard."""

import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from tests.report import samples

from waypost.check.result import Place, Result
from waypost.report.formats import format_named
from waypost.report.view import View

STANDARD = json.loads((Path(__file__).parent.parent / "cases" / "report" / "sarif-2.1.0.json").read_text("utf-8"))


def sarif(*results: Result) -> dict:
    return json.loads(format_named("sarif").render(results, View()))


def with_place(place: Place) -> Result:
    found = replace(samples.finding(), where=place, places=(place,), count=1)
    base = samples.warning()
    return replace(base, checks=(replace(base.checks[0], findings=(found,)),))


@pytest.mark.parametrize("result", samples.every(), ids=["pass", "warn", "fail", "unreachable", "hostile"])
def test_every_result_is_legal_sarif(result: Result) -> None:
    log = sarif(result, samples.warning())
    jsonschema.Draft202012Validator(STANDARD, format_checker=jsonschema.FormatChecker()).validate(log)
    assert len(log["runs"]) == 2


def test_findings_become_results_with_rules_levels_and_places() -> None:
    (run,) = sarif(samples.warning())["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["SMQ301", "RBT303", "RBT320"]
    assert [result["level"] for result in run["results"]] == ["warning", "error", "note"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    first = run["results"][0]
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "https://example.com/sitemap.xml"},
        "region": {"startLine": 3, "startColumn": 14},
    }
    assert first["relatedLocations"][0]["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 14}
    assert first["occurrenceCount"] == 3
    assert "baselineState" not in first
    assert run["invocations"] == [{"executionSuccessful": True, "startTimeUtc": "2026-01-20T10:00:00Z"}]


def test_fingerprints_are_the_findings_own_and_stay_the_same() -> None:
    first, second = sarif(samples.warning()), sarif(replace(samples.warning(), at=0.0, elapsed_s=9.0))
    prints = [[r["partialFingerprints"] for r in log["runs"][0]["results"]] for log in (first, second)]
    assert prints[0] == prints[1]
    assert prints[0][0] == {"waypost/v1": samples.finding().fingerprint}


def test_a_baseline_tells_new_from_known() -> None:
    base = samples.warning()
    known = replace(samples.finding(), is_new=False)
    log = sarif(replace(base, checks=(replace(base.checks[0], findings=(known,)), base.checks[1])))
    assert [r["baselineState"] for r in log["runs"][0]["results"]] == ["unchanged", "new", "new"]


def test_a_crash_is_told_and_not_hidden() -> None:
    invocation = sarif(samples.hostile())["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["associatedRule"] == {"id": "SMQ301"}


@pytest.mark.parametrize(
    ("url", "uri"),
    [
        ("https://example.com/a%20b?x=1#f", "https://example.com/a%20b?x=1#f"),
        ("https://example.com/100%/ü", "https://example.com/100%25/%C3%BC"),
        ("http://[::1]:8000/[x]", "http://[::1]:8000/%5Bx%5D"),
        ("public/sitemap one.xml", "public/sitemap%20one.xml"),
        ("a#b#c", "a#b%23c"),
        ("", "about:blank"),
        ("x\ud800", "x%EF%BF%BD"),
    ],
)
def test_places_are_uri_references_whatever_the_server_wrote(url: str, uri: str) -> None:
    log = sarif(with_place(Place(url)))
    jsonschema.Draft202012Validator(STANDARD).validate(log)
    assert log["runs"][0]["results"][0]["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": uri}}


def test_a_message_can_hold_neither_a_link_nor_a_placeholder() -> None:
    text = sarif(samples.hostile())["runs"][0]["results"][0]["message"]["text"]
    assert re.search(r"(?<!\\)\]\(", text) is None
    assert "{{0}}" in text
    assert all(c.isprintable() for c in text)
