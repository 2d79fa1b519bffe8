"""The page table: sorted, without duplicates, split without state."""

import random

from waypost.publish.page import Page
from waypost.publish.table import PageTable


def pages(count: int, seed: int = 1) -> list[Page]:
    chance = random.Random(seed)
    return [Page(chance.randbytes(8), f"/page-{number}", 1_700_000_000.0 + number) for number in range(count)]


def test_one_page_added_changes_exactly_one_part():
    table = PageTable(pages(20_000), split_at=1_000, part_size=1_000)
    before = [run.set_hash for run in table.runs]
    table.add(Page(b"\0" * 8, "/added", None))
    after = [run.set_hash for run in table.runs]
    assert len(before) == 42
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1


def test_order_of_adding_changes_nothing():
    some = pages(3_000)
    one = PageTable(some, split_at=1_000, part_size=300)
    other = PageTable(split_at=1_000, part_size=300)
    for page in reversed(some):
        other.add(page)
        if len(other) % 700 == 0:
            other.settle()
    assert one.set_hash == other.set_hash
    assert [run.pages for run in one.runs] == [run.pages for run in other.runs]
    assert [run.shot().pieces for run in one.runs] == [run.shot().pieces for run in other.runs]
