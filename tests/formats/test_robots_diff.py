"""Which answers flip between two documents."""

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


def test_the_number_of_made_up_paths_is_bounded() -> None:
    many = "User-agent: *\n" + "".join(f"Disallow: /{n}\n" for n in range(30_000))
    found = diff_robots(many, many + "Allow: /1\n", agents=["x"])
    assert found.asked < 20_010
    assert [flip.url for flip in found.flips][:1] == ["/1"]
