"""Every rule's page: its samples run, and its sections are there."""

import re

import pytest
from tests.check.samples import codes, run

from waypost.check.rules import RULES

BY_CODE = {rule.code: rule for rule in RULES}
SAMPLES = [
    pytest.param(rule, kind, number, text, id=f"{rule.code}-{rule.name}-{kind}-{number}".lower())
    for rule in RULES
    for kind in ("Bad", "Good")
    for number, text in enumerate(rule.samples(kind), 1)
]


@pytest.mark.parametrize(("rule", "kind", "number", "text"), SAMPLES)
def test_the_samples_of_a_page_are_true(rule, kind, number, text):
    result = run(rule, text)
    assert not result.crashes
    assert (rule.code in codes(result)) is (kind == "Bad"), sorted(codes(result))


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_a_page_says_what_why_and_what_to_do(rule):
    assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.code)
    assert rule.title
    assert rule.why.endswith((".", ")"))
    assert rule.fix_words.endswith((".", ")"))
    assert rule.samples("Bad")
    assert rule.samples("Good")


def test_codes_and_names_are_unique():
    assert len(BY_CODE) == len(RULES)
    assert len({rule.name for rule in RULES}) == len(RULES)
