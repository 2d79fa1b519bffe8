"""Linear hashing, as a function."""

import random
from collections import Counter

import pytest

from waypost.publish import table as table_module
from waypost.publish.page import Page
from waypost.publish.parts import count_for, is_over, mixed, parent_of, part_of, parts_of
from waypost.publish.table import PageTable


def test_spec_a_million_pages_of_ten_thousand_make_207_parts():
    assert count_for(1_000_000, 0, 10_000) == 207
    assert count_for(1_000_000, 0, 50_000) == 42
    assert count_for(1_000_000, 0, 5_000) == 413
    assert count_for(0, 0, 10_000) == count_for(1, 1, 50_000) == 1


def test_spec_bytes_count_as_well_as_pages():
    assert count_for(50_000, 75 * 1_048_576, 50_000) == 4
    assert count_for(10**9, 0, 1) == 50_000


def test_spec_ids_that_are_multiples_of_a_power_of_two_spread_all_the_same():
    counts = Counter(part_of(mixed((number << 16).to_bytes(8, "big")), 42) for number in range(42_000))
    assert len(counts) == 42
    assert max(counts.values()) < 1_500


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 31, 32, 33, 207])
def test_a_part_is_less_than_the_count_and_growing_moves_only_from_the_parent(count):
    chance = random.Random(count)
    for _ in range(2_000):
        mix = chance.getrandbits(64)
        before, after = part_of(mix, count), part_of(mix, count + 1)
        assert 0 <= before < count
        assert after == before or (after == count and before == parent_of(count))


def test_spec_a_part_over_a_limit_of_the_protocol_makes_one_part_more():
    assert not is_over(50_000, 52_428_800)
    assert is_over(50_001, 0)
    assert is_over(1, 52_428_801)


def test_the_table_grows_past_its_count_while_a_part_is_over(monkeypatch):
    monkeypatch.setattr(table_module, "is_over", lambda pages, _bytes: pages > 30)
    chance = random.Random(3)
    some = [Page(chance.randbytes(8), f"/{number}", None) for number in range(400)]
    table = PageTable(some, split_at=50, part_size=60)
    assert max(len(run.pages) for run in table.runs) <= 30
    assert len(table.runs) > count_for(400, 0, 60)
    assert sorted(page.path for run in table.runs for page in run.pages) == sorted(page.path for page in some)


def test_a_sitemap_of_few_but_long_pages_is_split_by_its_bytes():
    links = tuple((f"x-{number}", f"/{'long/' * 150}{number}") for number in range(100))
    chance = random.Random(4)
    table = PageTable(Page(chance.randbytes(8), f"/{number}", None, alternates=links) for number in range(600))
    assert table.is_split
    assert len(table.runs) == count_for(600, sum(run.body_bytes for run in table.runs), 10_000) > 1
    assert all(run.body_bytes < 52_428_800 for run in table.runs)


@pytest.mark.parametrize("count", [1, 2, 3, 42, 64, 207])
def test_the_parts_of_many_pages_are_those_of_each(count):
    keys = [random.Random(number).randbytes(8) for number in range(300)]
    found = [part for part, _ in zip(parts_of(keys, count), keys, strict=False)]
    assert found == [part_of(mixed(key), count) for key in keys]
