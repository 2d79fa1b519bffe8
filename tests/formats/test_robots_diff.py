"""Which answers flip between two documents."""

import pytest

from waypost.formats import robots, robots_diff
from waypost.formats.robots import read_robots
from waypost.formats.robots_diff import Change, diff_robots


def test_only_answers_count_not_the_order_or_the_grouping() -> None:
    old = "User-agent: a\nUser-agent: b\nDisallow: /x\n\nUser-agent: A\nAllow: /x/y\n"
    new = "User-agent: b\nDisallow: /x\nUser-agent: a\nAllow: /x/y\nDisallow: /x\n"
    found = diff_robots(old, new)
    assert (found.flips, found.added, found.removed) == ((), (), ())
    assert found.asked > 0


def test_given_urls_and_agents_are_asked_and_no_others() -> None:
    found = diff_robots(
        "User-agent: *\nDisallow: /a", "User-agent: *\nDisallow: /b", ["/a", "/b", "/c", "/a"], ["x", "y", "x"]
    )
    assert found.asked == 6
    assert [(flip.agent, flip.url, flip.before.allowed) for flip in found.flips] == [
        ("x", "/a", False), ("x", "/b", True), ("y", "/a", False), ("y", "/b", True),
    ]  # fmt: skip


def test_every_named_agent_is_asked_for_once_as_it_is_written() -> None:
    found = diff_robots(b"User-agent: BotA\nDisallow: /", b"User-agent: bota\nAllow: /\nUser-agent: B\nDisallow: /q")
    assert {flip.agent for flip in found.flips} == {"BotA", "B"}


def test_paths_are_made_from_patterns() -> None:
    found = diff_robots("User-agent: *\nDisallow: /*/private/*.pdf$", "")
    assert found.removed == (Change("*", False, "/*/private/*.pdf$"),)
    assert "/x/private/x.pdf" in [flip.url for flip in found.flips]


def test_a_star_at_the_start_makes_a_path_too() -> None:
    assert "/draft" in [flip.url for flip in diff_robots("User-agent: *\nDisallow: *draft", "").flips]


def test_sitemaps_that_came_and_went() -> None:
    found = diff_robots("Sitemap: /a\nSitemap: /b", read_robots("Sitemap: /b\nSitemap: /c"))
    assert (found.sitemaps_added, found.sitemaps_removed, found.flips) == (("/c",), ("/a",), ())


def test_the_number_of_made_up_paths_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots_diff, "ROBOTS_PROBES_MAX", 500)
    many = "User-agent: *\n" + "".join(f"Disallow: /{n}\n" for n in range(1_000))
    found = diff_robots(many, many + "Allow: /1\n", agents=["x"])
    assert found.asked == 500
    assert [flip.url for flip in found.flips][:1] == ["/1"]


def test_many_flips_of_many_rules_are_explained_without_trying_every_rule_for_each() -> None:
    one = "User-agent: *\n" + "".join(f"Disallow: /a{n}\n" for n in range(2_000))
    found = diff_robots(one, one.replace("/a", "/b"), agents=["*"])
    assert len(found.flips) > 5_000
    assert all(flip.before.allowed is not flip.after.allowed for flip in found.flips)
    assert found.complete


def test_agents_and_rules_that_multiply_are_compared_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots_diff, "ROBOTS_COMPARED_MAX", 1_000)
    many = "".join(f"User-agent: {'b' * (n % 10 + 1)}{'c' * (n // 10)}\n" for n in range(100))
    rules = "".join(f"Disallow: /{n}\n" for n in range(100))
    found = diff_robots(many + rules, many + "Disallow: /\n", urls=["/1"])
    assert not found.complete
    assert 900 <= len(found.removed) <= 1_100
    assert diff_robots(many + rules, many + rules, agents=["b"]).complete


def test_made_up_questions_are_fewer_where_every_rule_has_stars(monkeypatch: pytest.MonkeyPatch) -> None:
    stars = "User-agent: *\n" + "".join(f"Disallow: /*{n % 10}*{n % 7}*{n}\n" for n in range(999))
    assert read_robots(stars).questions_max("x") == 10_000
    monkeypatch.setattr(robots, "ROBOTS_TRIES_MAX", 20_000)
    assert diff_robots(stars, stars, agents=["x"]).asked == 20
