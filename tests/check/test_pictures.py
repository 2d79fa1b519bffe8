"""Counting for the pictures of a report."""

from hypothesis import given
from hypothesis import strategies as st

from waypost.check.pictures import REST, Branch, Pictures, draw


def test_sections_are_directories_and_the_last_segment_is_the_page() -> None:
    locs = ["https://e.com", "https://e.com/", "https://e.com/a", "https://e.com/a/", "https://e.com/a/b/c/d/e"]
    drawn = draw([(locs, [None] * len(locs))])
    assert drawn.tree == Branch("/", 5, (Branch("a", 2, (Branch("b", 1, (Branch("c", 1),)),)),))
    assert drawn.depths == ((0, 3), (1, 1), (4, 1))


def test_slashes_in_queries_and_fragments_are_none_of_the_path() -> None:
    locs = ["https://e.com/a/b?x=/y/z", "https://e.com/a/b#/q/r", "https://e.com/?u=/a/b", "https://e.com/a?b#c/d"]
    assert draw([(locs, [])]).tree == Branch("/", 4, (Branch("a", 2),))


def test_dates_are_counted_by_month_or_year_and_the_rest_is_undated() -> None:
    dates = ["2024", "2024-05-01", " 2024-05", "2024-05-01T10:00:00Z", "yesterday", "20240501", "", None, "2023-12-31"]
    drawn = draw([([], dates), ([], ["2023-12"])])
    assert drawn.months == (("2023-12", 2), ("2024-05", 2))
    assert drawn.years == (("2024", 1),)
    assert drawn.undated == 5


def test_only_the_largest_sections_are_told_apart() -> None:
    locs = [f"https://e.com/s{n}/x" for n in range(20) for _ in range(20 - n)]
    branches = draw([(locs, [])]).tree.branches
    assert [branch.name for branch in branches] == [*(f"s{n}" for n in range(12)), REST]
    assert sum(branch.count for branch in branches) == len(locs)


def test_nothing_drawn_is_an_empty_picture() -> None:
    assert draw([]) == Pictures()


@given(st.lists(st.text(max_size=40)), st.lists(st.none() | st.text(max_size=12)))
def test_whatever_is_listed_is_counted_once(locs: list[str], dates: list[str | None]) -> None:
    drawn = draw([(locs, dates)])
    assert drawn.tree.count == sum(count for _, count in drawn.depths) == len(locs)
    counted = sum(count for _, count in (*drawn.months, *drawn.years))
    assert counted + drawn.undated == len(dates)
