"""Access: the table of the runtime root, row by row, and what is unclear denies."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.site.access import DENY, PUBLIC, Access, Combine, Tag, judge, narrowed, read_tags_yaml
from waypost.site.sidecar import Unreadable

UNION, INTERSECT = Combine.UNION, Combine.INTERSECT
AB, BC, C = frozenset("ab"), frozenset("bc"), frozenset("c")


@pytest.mark.parametrize(
    ("rows", "own", "want"),
    [
        ([], "", PUBLIC),
        ([Tag()], "", PUBLIC),
        ([Tag(AB)], "", Access(is_public=False, roles=AB)),
        ([Tag(AB), Tag(BC)], "", Access(is_public=False, roles=frozenset("b"))),
        ([Tag(AB, UNION), Tag(BC)], "", Access(is_public=False, roles=frozenset("abc"))),
        ([Tag(AB, UNION), Tag(BC, INTERSECT)], "", Access(is_public=False, roles=frozenset("b"))),
        ([Tag(AB, INTERSECT), Tag(C, INTERSECT)], "", DENY),
        ([Tag(AB), Tag(C)], "", DENY),
        ([Tag(frozenset(), UNION), Tag(AB), Tag(BC)], "", Access(is_public=False, roles=frozenset("b"))),
        ([Tag(AB)], "c", DENY),
        ([Tag(AB, UNION)], "c", Access(is_public=False, roles=frozenset("abc"))),
        ([], "c", Access(is_public=False, roles=C)),
    ],
)
def test_spec_roles_of_tags(rows: list[Tag], own: str, want: Access) -> None:
    table = {str(number): row for number, row in enumerate(rows)}
    for order in itertools.permutations(table):
        assert judge((*order, "label"), own, table) == want
        assert judge(order, own, table, is_denied=True) == DENY


def test_an_unreadable_table_denies_everything_tagged() -> None:
    assert judge(("label",), (), None) == DENY
    assert judge((), (), None) == PUBLIC


@given(
    st.dictionaries(
        st.sampled_from("xyz"),
        st.builds(Tag, st.frozensets(st.sampled_from("abc")), st.sampled_from([None, UNION, INTERSECT])),
    ),
    st.dictionaries(
        st.sampled_from("xyz"),
        st.builds(Tag, st.frozensets(st.sampled_from("abc")), st.sampled_from([None, UNION, INTERSECT])),
    ),
    st.frozensets(st.sampled_from("xyz")),
)
def test_a_table_being_written_opens_nothing_that_was_closed(
    settled: dict[str, Tag], new: dict[str, Tag], tags: frozenset[str]
) -> None:
    before = judge(tags, (), settled)
    after = judge(tags, (), narrowed(new, settled))
    assert before.is_public or not after.is_public


def test_tags_yaml_of_a_nopressure_root() -> None:
    table = read_tags_yaml(b'sample/tag:\n  name: "Sample"\n  roles:\n    - "editor"\n  access_rule: "union"\nplain:\n')
    assert table == {"sample/tag": Tag(frozenset({"editor"}), UNION), "plain": Tag()}
    assert read_tags_yaml(b"{}") == {}


@pytest.mark.parametrize("name", ["off", "on", "Yes", "1.10", "0123", "1_0", "1:30", "0x1F", "2024-01-02", "=", ".inf"])
def test_a_tag_restricts_under_the_name_it_was_written_with(name: str) -> None:
    assert read_tags_yaml(f"{name}:\n  roles: [{name}]\n".encode()) == {name: Tag(frozenset({name}))}


def test_a_table_of_tags_in_another_shape_is_not_understood_and_withholds() -> None:
    with pytest.raises(Unreadable, match="the tag tags holds maps"):
        read_tags_yaml(b"tags:\n  staff:\n    roles: [editor]\n")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"- a",
        b"a: b",
        b"a: {roles: staff}",
        b"a: {roles: [~]}",
        b"a: {access_rule: some}",
        b"a: [",
        b"\xff",
        b"a: {roles: [x]}\nb:\na:\n",
        b"on: {roles: [x]}\n'on':\n",
    ],
)
def test_a_table_of_tags_that_cannot_be_read(data: bytes) -> None:
    with pytest.raises(Unreadable):
        read_tags_yaml(data)
