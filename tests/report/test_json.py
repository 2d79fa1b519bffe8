"""The JSON report: its shape, its schema, and the way back."""

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.report import samples

from waypost.check.contract import Outcome
from waypost.check.result import Result
from waypost.errors import ConfigError
from waypost.report.as_json import SCHEMA, dumps, plain, schema_text
from waypost.report.formats import FORMATS, format_named
from waypost.report.reading import read_report, result_of
from waypost.report.view import View

SCHEMA_FILE = json.loads(schema_text())
RESULTS = pytest.mark.parametrize("result", samples.every(), ids=["pass", "warn", "fail", "unreachable", "hostile"])


def json_of(*results: Result, is_list: bool = False) -> str:
    return format_named("json").render(results, View(is_list=is_list))


@RESULTS
def test_every_result_validates_against_the_published_schema(result: Result) -> None:
    jsonschema.Draft202012Validator(SCHEMA_FILE).validate(json.loads(json_of(result)))
    jsonschema.Draft202012Validator(SCHEMA_FILE).validate(json.loads(json_of(result, result, is_list=True)))


def test_the_schema_is_a_schema_and_names_the_version_that_is_written() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA_FILE)
    assert SCHEMA_FILE["$defs"]["report"]["properties"]["schema"]["const"] == SCHEMA
    assert SCHEMA_FILE["$id"].endswith(SCHEMA.partition("@")[2])


def described(name: str) -> set[str]:
    return set(SCHEMA_FILE["$defs"][name]["properties"])


def test_the_schema_describes_every_member_and_no_other() -> None:
    report = samples.document(samples.hostile())
    check, branch = report["checks"][0], report["pictures"]["tree"]
    assert set(report) == described("report")
    assert set(check) == described("check")
    assert set(check["steps"][0]) == described("step")
    assert set(check["findings"][0]) == described("finding")
    assert set(check["findings"][0]["where"]) == described("where") == {"url", "line", "column", "entry"}
    assert set(report["trail"][0]) == described("hop")
    assert set(report["crashes"][0]) == described("crash")
    assert set(report["pictures"]) == described("pictures")
    assert set(branch) == described("branch")
    required = [definition["required"] for definition in SCHEMA_FILE["$defs"].values()]
    assert required == [list(definition["properties"]) for definition in SCHEMA_FILE["$defs"].values()]


def test_spec_the_shape_holds_what_the_check_promises() -> None:
    report = samples.document(samples.warning())
    check = report["checks"][0]
    assert [report[name] for name in ("suite", "target", "status", "score")] == [
        "2026.06.10",
        "https://example.com",
        "warn",
        0.95,
    ]
    assert (check["id"], check["version"], check["weight"], check["scope"]) == ("sitemap", "1.0.0", 1.0, "site")
    assert (check["input"], check["output"]) == ("scan-origin@1.0.0", "stepped-report@1.0.0")
    assert (check["category"], check["subcategory"]) == ("AI Discoverability", "Crawl Discovery")
    assert [step["id"] for step in check["steps"]] == ["discover", "fetch", "parse", "field-quality", "scope"]
    assert [step["weight"] for step in check["steps"]] == [0.2, 0.25, 0.25, 0.1, 0.2]
    assert check["findings"][0]["where"] == {
        "url": "https://example.com/sitemap.xml",
        "line": 3,
        "column": 14,
        "entry": 1,
    }


@RESULTS
def test_a_report_reads_back_as_the_result_it_was_written_from(result: Result) -> None:
    (again,), is_list = read_report(json_of(result).encode())
    assert not is_list
    assert samples.document(again) == samples.document(result)
    assert again.trail == result.trail
    assert again.pictures == result.pictures
    assert [f for _, f in again.findings()] == [f for _, f in result.findings()]


def test_lists_read_back_as_lists() -> None:
    both = [samples.passing(), samples.failing()]
    lines = format_named("jsonl").render(both, View(is_list=True))
    assert lines.count("\n") == 2
    for text in (lines, json_of(*both, is_list=True), json_of(both[0], is_list=True)):
        results, is_list = read_report(b"\xef\xbb\xbf" + text.encode())
        assert is_list
        assert [samples.document(result) for result in results] == [samples.document(result) for result in both][
            : len(results)
        ]


@RESULTS
def test_json_shows_no_character_that_cannot_be_seen(result: Result) -> None:
    for name in ("json", "jsonl"):
        text = format_named(name).render([result], View())
        assert all(c in "\n " or c.isprintable() for c in text)
        text.encode("utf-8")


@given(st.text(alphabet=st.characters(), max_size=60))
def test_what_json_escapes_is_still_the_same_text(text: str) -> None:
    written = dumps({"a": text})
    assert written.isprintable()
    assert json.loads(written) == {"a": text}


def test_evidence_becomes_plain_data_whatever_it_is() -> None:
    seen = {"outcome": Outcome.WARN, 4: (1, 2.0000001), "set": {"x"}, "nan": float("nan"), "odd": object, "none": None}
    value = plain(seen)
    assert value == {
        "outcome": "warn",
        "4": [1, 2.0],
        "set": ["x"],
        "nan": None,
        "odd": "<class 'object'>",
        "none": None,
    }
    assert plain(b"bytes") == "b'bytes'"


WHOLE = samples.document(samples.warning())
MINIMAL = {"suite": "2026.06.10", "target": "https://example.com", "status": "pass", "score": 1}


def test_a_small_report_of_another_hand_is_enough() -> None:
    result = result_of(MINIMAL)
    assert (result.target, result.score, result.checks, result.is_reached) == ("https://example.com", 1.0, (), True)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "neither JSON nor"),
        (b"<html><p>another page</p></html>", "neither JSON nor"),
        (b"[1]", "the report is not an object"),
        (b"{}", "the report.suite is not a text"),
        (b'{"schema": "waypost-report@2.0.0"}', "has the shape 'waypost-report@2.0.0'"),
        (json.dumps(MINIMAL | {"score": "1"}).encode(), "the report.score is not a number"),
        (json.dumps(MINIMAL | {"score": True}).encode(), "the report.score is not a number"),
        (json.dumps(MINIMAL | {"status": "fine"}).encode(), "the report.status is none we know"),
        (json.dumps(MINIMAL | {"checks": {}}).encode(), "the report.checks is not a list"),
        (json.dumps(MINIMAL | {"checks": [1]}).encode(), "the report.checks[0] is not an object"),
        (json.dumps(MINIMAL | {"trail": [{"url": 1}]}).encode(), "the report.trail[0].url is not a text"),
        (json.dumps(MINIMAL | {"pictures": {"tree": []}}).encode(), "the report.pictures.tree is not an object"),
        (b'{"score": NaN}', "neither JSON nor"),
        (b"[" * 100_000, "neither JSON nor"),
        (b'{"a":' * 100_000, "neither JSON nor"),
        (b'{"a": 1}\n{"b": ', "neither JSON nor"),
        (b"\x00\xff\xfe binary", "neither JSON nor"),
    ],
)
def test_a_file_that_is_no_report_is_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(ConfigError, match="no waypost report|has the shape") as caught:
        read_report(data)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def nested(depth: int, member: str) -> dict[str, object]:
    value: dict[str, object] = {}
    for _ in range(depth):
        value = {member: [value]}
    return value


def test_what_is_nested_without_end_is_refused() -> None:
    tree = MINIMAL | {"pictures": {"tree": nested(20, "branches")}}
    steps = [{"id": "a", "status": "pass", "weight": 1, "score": 1, "evidence": nested(400, "a")}]
    check = {"id": "sitemap", "version": "1.0.0", "status": "pass", "score": 1, "steps": steps}
    for value in (tree, MINIMAL | {"checks": [check]}):
        with pytest.raises(ConfigError, match="no waypost report"):
            read_report(json.dumps(value).encode())


@pytest.mark.parametrize("score", ["-1", "1.5", "1e999", str(10**400)])
def test_a_score_is_from_0_to_1(score: str) -> None:
    with pytest.raises(ConfigError, match="the report.score is not from 0 to 1"):
        read_report(json.dumps(MINIMAL).replace(": 1}", f": {score}}}").encode())


@pytest.mark.parametrize(
    "odd",
    [
        {"at": 1e300},
        {"at": -1},
        {"elapsed_s": 1e300},
        {"pictures": {"months": {"abc": 1, "2026-13": 1, "٢٠٢٦-01": 1, "2026-01": 0, "2026-02": 10**400}}},
        {"pictures": {"years": {"x": 2, "2026": -3}, "undated": -5, "depths": [[0, 0], [10**30, 1], [1], "x"]}},
        {"pictures": {"tree": {"name": "x", "count": 10**400, "branches": [{"count": -1}]}}},
        {"pictures": {"tree": {"count": 1, "branches": [{"count": 10**400}]}}},
        {"pictures": {"depths": [[1, 10**400], [2, 1]]}, "requests": 10**400},
    ],
)
def test_numbers_of_a_stranger_can_be_shown(odd: dict[str, object]) -> None:
    results, _ = read_report(json.dumps(WHOLE | odd).encode())
    for known in FORMATS:
        assert known.render(results, View())


def leaves(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    if isinstance(value, dict):
        return [path, *(leaf for key, part in value.items() for leaf in leaves(part, (*path, key)))]
    if isinstance(value, list):
        return [path, *(leaf for n, part in enumerate(value) for leaf in leaves(part, (*path, n)))]
    return [path]


def with_leaf(value: object, path: tuple[object, ...], leaf: object) -> object:
    """The value with another leaf at the path; where an earlier change took the path away, as it is."""
    if not path:
        return leaf
    if isinstance(value, dict) and path[0] in value:
        return value | {path[0]: with_leaf(value[path[0]], path[1:], leaf)}
    if isinstance(value, list) and isinstance(path[0], int) and path[0] < len(value):
        return [*value[: path[0]], with_leaf(value[path[0]], path[1:], leaf), *value[path[0] + 1 :]]
    return value


PATHS = [path for path in leaves(WHOLE) if path]
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        [
            10**30,
            -1,
            1e300,
            "",
            "-",
            "2026-13",
            "٢٠٢٦-01",
            [],
            {},
            {"2026-13": 1},
            {"x": 2},
            [[]],
            {"": ""},
            ["a"],
            [1, -2],
            [{}],
        ]
    ),
)


@given(st.lists(st.tuples(st.sampled_from(PATHS), ODD), min_size=1, max_size=4))
def test_a_report_of_any_hand_is_shown_or_refused_in_one_sentence(
    changes: list[tuple[tuple[object, ...], object]],
) -> None:
    changed: object = WHOLE
    for path, value in changes:
        changed = with_leaf(changed, path, value)
    try:
        results, is_list = read_report(json.dumps(changed).encode())
    except ConfigError:
        return
    for known in FORMATS:
        text = known.render(results, View(is_list=is_list))
        assert {c for c in text if not c.isprintable()} <= {"\n", "\r"}
