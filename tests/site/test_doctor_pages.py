"""Every page of the doctor's rules: its samples run, and its sections are there."""

import re

import pytest
from tests.site.doctor_samples import codes, examined, written

from waypost.check.rules import RULES as CHECK_RULES
from waypost.site.doctor import RULES
from waypost.site.doctor.spec import CHECK

SAMPLES = [
    pytest.param(rule, kind, text, id=f"{rule.code}-{rule.name}-{kind}-{number}".lower())
    for rule in RULES
    for kind in ("Bad", "Good")
    for number, text in enumerate(rule.samples(kind), 1)
]


@pytest.mark.parametrize(("rule", "kind", "text"), SAMPLES)
def test_the_samples_of_a_page_are_true(rule, kind, text, tmp_path):
    result = examined(written(text, tmp_path / "root"))
    assert not result.crashes
    if kind == "Bad":
        assert rule.code in codes(result)
    else:
        assert codes(result) == set()


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_a_page_says_what_why_and_what_to_do(rule):
    assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.code)
    assert rule.title
    assert rule.why.endswith(".")
    assert rule.fix_words.endswith(".")
    assert rule.samples("Bad")
    assert rule.samples("Good")


def test_the_catalogue_is_whole_and_its_codes_are_its_own():
    assert {f"PUB{number:03}" for number in range(1, 19)} | {"RBT318", "SMS508"} == {rule.code for rule in RULES}
    assert not {rule.code for rule in RULES} & {rule.code for rule in CHECK_RULES}
    assert not {rule.name for rule in RULES} & {rule.name for rule in CHECK_RULES}


def test_every_rule_belongs_to_one_step():
    assert sorted(code for step in CHECK.steps for code in step.rules) == sorted(rule.code for rule in RULES)


ELSEWHERE = """
=== waypost.toml
[tags.staff]
roles = ["staff"]
=== content/index.md
# Home
=== content/plans.md
---
tags: [staff]
---
# Plans
=== content/style.css
body {{ color: black }}
=== GET https://example.com/sitemap.xml
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>http://127.0.0.1:8000{path}</loc><lastmod>2020-02-02T02:02:02Z</lastmod></url>
</urlset>
"""


@pytest.mark.parametrize(
    ("path", "said"), [("/", {"PUB012"}), ("/style.css", {"PUB012"}), ("/plans", {"PUB012", "PUB003"})]
)
def test_a_url_of_another_origin_is_told_once_unless_it_gives_a_secret_away(path, said, tmp_path):
    result = examined(written(ELSEWHERE.format(path=path), tmp_path / "root"))
    assert codes(result) - {"PUB015"} == said  # which compares the answers byte by byte, and says where they differ
