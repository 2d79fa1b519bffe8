"""What holds for every document: nothing raises, both passes agree, the model agrees, and what is written reads back."""

import pickle
from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.formats import robots_model
from tests.formats.robots_strategies import agents, documents, urls

from waypost.formats.matching import compile_rules, is_match, path_of, score_of
from waypost.formats.robots import read_robots
from waypost.formats.robots_diff import diff_robots
from waypost.formats.robots_notes import KINDS
from waypost.formats.robots_text import Section, agent_token, index_text, plain_text, rules_in
from waypost.formats.robots_write import write_robots

READER = settings(max_examples=500)
MODEL = settings(max_examples=300)


@READER
@given(
    st.one_of(documents, st.text(max_size=60)),
    agents,
    urls,
    st.sampled_from(["google", "rfc"]),
    st.sampled_from([None, 0, 1, 20, 512_000]),
)
@example(b"\xef\xbb\xbf", "a", "", "rfc", None)
@example("\ud800", "\ud800", "/\ud800*$%", "rfc", None)
def test_reading_and_asking_never_raises(
    data: bytes | str, agent: str, url: str, profile: str, limit: int | None
) -> None:
    robots = read_robots(data, limit=limit, profile=profile, url="https://h/robots.txt")
    verdict = robots.explain(agent, url)
    assert verdict.allowed is robots.allowed(agent, url)
    assert robots.allowed_many(agent, [url] * 5) == [verdict.allowed] * 5
    assert {note.kind for note in robots.notes} <= KINDS.keys()
    assert all(1 <= note.line <= len(robots.lines) for note in robots.notes if note.line)
    assert [line.number for line in robots.lines] == list(range(1, len(robots.lines) + 1))
    assert all(line.group < len(robots.groups) for line in robots.lines)
    assert len(robots.sitemap_urls()) <= len(robots.sitemaps)
    assert isinstance(robots.crawl_delay(agent), float | None)
    (
        robots.request_rate(agent),
        robots.content_signals(agent),
        robots.content_usage(agent, url),
        robots.host,
        robots.clean_params,
    )


@MODEL
@given(documents, agents, urls)
def test_google_answers_are_those_of_the_plain_model(data: bytes, agent: str, url: str) -> None:
    robots = read_robots(data, limit=None)
    verdict = robots.explain(agent, url)
    assert (verdict.allowed, verdict.line) == robots_model.answer(data, agent, url)
    rules, path = robots.patterns(agent), robots.path(url)
    assert compile_rules(rules)(path) == score_of(rules, path)


@MODEL
@given(documents, agents, urls)
def test_rfc9309_answers_are_those_of_the_plain_model(data: bytes, agent: str, url: str) -> None:
    robots = read_robots(data, limit=None, profile="rfc")
    assert robots.allowed(agent, url) is robots_model.rfc_answer(data, agent, url)


@given(documents)
def test_the_fast_and_the_exact_pass_see_the_same(data: bytes) -> None:
    robots = read_robots(data, limit=None)
    text = plain_text(data, 16_663)
    index = index_text(text)
    assert [line.value for line in robots.lines if line.kind == "sitemap"] == robots.sitemaps
    fast = [
        (
            [token for token, _ in section.agents],
            [(rule.allow, text.count("\n", 0, rule.at + 1)) for rule in rules_in(text, section)],
        )
        for section in index.sections
    ]
    exact: list[tuple[list[str], list[tuple[bool, int]]]] = [([], []) for _ in robots.groups]
    for line in robots.lines:
        if line.group >= 0 and line.kind == "user-agent":
            exact[line.group][0].append(agent_token(line.value))
        elif line.group >= 0 and line.is_rule:
            exact[line.group][1].append((line.kind == "allow", line.number))
    assert fast == exact
    assert all(isinstance(section, Section) for section in index.sections)


@MODEL
@given(documents, agents, st.lists(st.text(alphabet="/abz%7eE?.$*", max_size=12), max_size=4))
def test_what_is_written_reads_back_to_the_same_answers(data: bytes, agent: str, paths: list[str]) -> None:
    robots = read_robots(data, limit=None)
    written = write_robots(robots)
    again = read_robots(written, limit=None)
    asked = ["/" + path for path in paths]
    if agent:  # the empty name is named by unusable agent lines, which are not written
        assert again.allowed_many(agent, asked) == robots.allowed_many(agent, asked)
    assert write_robots(again) == written
    assert (
        diff_robots(robots, again, asked, [group_agent for group in again.groups for group_agent in group.agents]).flips
        == ()
    )


@given(documents, agents, urls, st.sampled_from(["google", "rfc"]))
def test_a_pickled_copy_answers_alike(data: bytes, agent: str, url: str, profile: str) -> None:
    robots = read_robots(data, url="https://h/robots.txt", limit=40, profile=profile)
    robots.allowed(agent, url)
    copy = pickle.loads(pickle.dumps(robots))
    assert copy.explain(agent, url) == robots.explain(agent, url)
    assert (copy.url, copy.bytes, copy.truncated, copy.notes) == (
        robots.url,
        robots.bytes,
        robots.truncated,
        robots.notes,
    )


@MODEL
@given(st.text(alphabet="/ab*$", max_size=10), st.text(alphabet="/ab$", max_size=12))
def test_one_pattern_matches_as_in_the_plain_model(pattern: str, path: str) -> None:
    assert is_match("/" + pattern, "/" + path) is robots_model.matches("/" + pattern, "/" + path)
    assert is_match("*" + pattern, "/" + path) is robots_model.matches("*" + pattern, "/" + path)


@MODEL
@given(
    st.lists(st.tuples(st.text(alphabet="/ab*$", max_size=7).map(lambda rest: "/" + rest), st.booleans()), max_size=60),
    st.lists(st.text(alphabet="/ab$", max_size=12), max_size=6),
)
def test_compiled_rules_score_as_every_rule_looked_at(rules: list[tuple[str, bool]], paths: list[str]) -> None:
    score = compile_rules(rules)
    for path in paths:
        wanted = max(
            [1, *(2 * len(pattern) + allow for pattern, allow in rules if robots_model.matches(pattern, "/" + path))]
        )
        assert score("/" + path) == wanted == score_of(rules, "/" + path)


@MODEL
@given(st.text(alphabet="ab:/?;#@\0 %", max_size=14))
def test_the_path_of_a_url_is_that_of_the_plain_model(url: str) -> None:
    assert path_of(url) == robots_model.path_of(url)


@MODEL
@given(documents, agents, st.lists(urls, max_size=5), st.sampled_from(["google", "rfc"]))
@example(b"User-agent: *\nDisallow: /a$\nDisallow: /*b\nDisallow:", "a", ["/a$b", "/a", "/c"], "google")
def test_many_explained_at_once_are_explained_as_one_by_one(
    data: bytes, agent: str, asked: list[str], profile: str
) -> None:
    robots = read_robots(data, profile=profile)
    one_by_one = [replace(robots.explain(agent, url), near_miss=None) for url in asked]
    assert robots.explain_many(agent, asked) == one_by_one
