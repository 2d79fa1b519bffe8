"""Which rules can never decide, against all short paths there are."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats import robots_model

from waypost.formats.robots import read_robots
from waypost.formats.robots_dead import samples_of

PATHS = ["/" + "".join(rest) for length in range(6) for rest in product("/az", repeat=length)]


@pytest.mark.parametrize(
    ("rules", "dead"),
    [
        ("Disallow: /a\nAllow: /a", [(2, 3)]),
        ("Allow: /a\nDisallow: /a*", [(2, 3)]),
        ("Disallow: /a\nDisallow: /a", []),
        ("Disallow: /\nAllow: /*", [(2, 3)]),
        ("Disallow: /*\nAllow: /", [(3, 2)]),
        ("Disallow: /a/b\nAllow: /a", []),
        ("Allow: /x$\nDisallow: /*****", [(2, 3)]),
        ("Allow: */b\nDisallow: /*/b***", []),
        ("Disallow: /d/index.html\nAllow: /d/index.html", [(2, 3)]),
        ("Allow: /d/index.html\nDisallow: /d/index.html**", []),
        ("Allow: /d/index.html\nDisallow: /d/***********", [(2, 3)]),
        ("Disallow: a\nDisallow:\nAllow: *****", []),
        ("Disallow: /\nAllow: /a\nDisallow: /ab\nAllow: /abc", []),
    ],
)
def test_dead_rules_and_what_decides_before_them(rules: str, dead: list[tuple[int, int]]) -> None:
    robots = read_robots("User-agent: *\n" + rules)
    assert [(found.line, found.by_line) for found in robots.dead_rules("x")] == dead


def test_nobody_has_no_dead_rules() -> None:
    assert read_robots("").dead_rules("x") == []


def patterns(size: int) -> st.SearchStrategy[str]:
    parts = st.tuples(st.sampled_from(["/", "*"]), st.text(alphabet="/a*", max_size=size), st.sampled_from(["", "$"]))
    return st.builds("".join, parts)


@settings(max_examples=300)
@given(patterns(2), patterns(3))
def test_a_pattern_matches_the_samples_when_it_matches_all_the_pattern_matches_and_only_then(
    narrow: str, wide: str
) -> None:
    covers = all(robots_model.matches(wide, sample) for sample in samples_of(narrow))
    assert covers is all(robots_model.matches(wide, path) for path in PATHS if robots_model.matches(narrow, path))


@given(st.lists(st.tuples(st.booleans(), patterns(4)), min_size=2, max_size=6))
def test_a_dead_rule_decides_no_path(rules: list[tuple[bool, str]]) -> None:
    text = "User-agent: *\n" + "".join(f"{'Allow' if allow else 'Disallow'}: {pattern}\n" for allow, pattern in rules)
    robots = read_robots(text)
    dead = {found.line for found in robots.dead_rules("x")}
    assert not dead & {verdict.line for verdict in robots.explain_many("x", PATHS)}


def test_the_number_of_dead_rules_found_is_bounded() -> None:
    text = "User-agent: *\n" + "".join(f"Disallow: /{number}\nAllow: /{number}\n" for number in range(400))
    assert len(read_robots(text).dead_rules("x")) == 200
