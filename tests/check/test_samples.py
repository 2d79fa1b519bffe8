"""Every rule's page: its samples run, and its sections are there."""

import json
import re

import pytest
from tests.check.samples import codes, exchanges, scanned

from waypost.check.baseline import read_baseline
from waypost.check.rule import Step
from waypost.check.rules import RULES
from waypost.report.as_json import document, dumps

BY_CODE = {rule.code: rule for rule in RULES}
SAMPLES = [
    pytest.param(rule, kind, number, text, id=f"{rule.code}-{rule.name}-{kind}-{number}".lower())
    for rule in RULES
    for kind in ("Bad", "Good")
    for number, text in enumerate(rule.samples(kind), 1)
]


def choices_for(rule):
    choices = {}
    if rule.step is Step.DEEP or rule.code == "SMP225":
        choices["deep"] = True
    if rule.step in {Step.PROBE, Step.TREND}:
        choices["probe"] = 10
    return choices


def run(rule, text):
    """The result of a sample; one with BEFORE and AFTER is two scans, the second with the first as its baseline."""
    choices = choices_for(rule)
    if not text.startswith("BEFORE\n"):
        return scanned(exchanges(text, rule), **choices)
    before, _, after = text.removeprefix("BEFORE\n").partition("\nAFTER\n")
    first = document(scanned(exchanges(before, rule), **choices))
    return scanned(exchanges(after, rule), **choices, baseline=read_baseline(json.loads(dumps(first))))


@pytest.mark.parametrize(("rule", "kind", "number", "text"), SAMPLES)
def test_the_samples_of_a_page_are_true(rule, kind, number, text):
    result = run(rule, text)
    assert not result.crashes
    assert (rule.code in codes(result)) is (kind == "Bad"), sorted(codes(result))


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_a_page_says_what_why_and_what_to_do(rule):
    assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.code)
    assert rule.title
    assert rule.why
    assert rule.fix_words
    assert rule.samples("Bad")
    assert rule.samples("Good")


def test_codes_and_names_are_unique():
    assert len(BY_CODE) == len(RULES)
    assert len({rule.name for rule in RULES}) == len(RULES)
