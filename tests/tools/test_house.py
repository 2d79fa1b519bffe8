import ast

import pytest
from tools.house import cycles, length, nesting, pages, remarks, unannotated, undocumented


def function(source):
    return ast.parse(source).body[0]


def test_length_leaves_out_the_docstring():
    assert length(function('def f():\n    """One.\n\n    Two.\n    """\n    return 1\n')) == 2


def test_elif_is_not_deeper_than_if():
    assert (
        nesting(
            function(
                "def f():\n    if a:\n        pass\n    elif b:\n        pass\n    elif c:\n        for x in y:\n            pass\n"
            )
        )
        == 2
    )


def test_nesting_counts_blocks_inside_blocks():
    assert (
        nesting(function("def f():\n    for a in b:\n        if c:\n            with d:\n                pass\n")) == 3
    )


def test_missing_types_are_named():
    assert unannotated(function("def f(self, a, *b, c: int = 1): ...")) == ["a", "b", "return"]


def test_public_names_without_a_docstring_are_named():
    tree = ast.parse('"""M."""\nclass A:\n    """A."""\n    def b(self): ...\n    def _c(self): ...\ndef d(): ...\n')
    assert [name for _, name in undocumented(tree)] == ["A.b", "d"]


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}}, [["a", "b", "a"]]),
        ({"a": {"b"}, "b": {"c"}, "c": {"b"}}, [["b", "c", "b"]]),
    ],
)
def test_import_cycles_are_found(graph, found):
    assert list(cycles(graph)) == found


def test_comments_and_docstrings_are_counted_and_the_pages_of_rules_are_data():
    source = '"""M."""\n# why\nA = 1\n"""A."""\n@rule("X1")\ndef f():\n    """One.\n\n    Two.\n    """\n'
    tree = ast.parse(source)
    assert (remarks(tree, source), pages(tree)) == (7, 4)
