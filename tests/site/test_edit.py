"""Sidecars are changed in their own notation, key by key, and everything else in them stays."""

import errno
import os
from pathlib import Path

import pytest
from tests.site.roots import Root, paths

from waypost.errors import ContentError, StoreError
from waypost.site import content
from waypost.site.edit import find_object, set_alias, set_keys, set_tags
from waypost.site.ron import RonError, read_ron
from waypost.site.ron_edit import edit_ron

KEY = "0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "changes", "want"),
    [
        ('(alias: "a")', {"alias": "b"}, '(alias: "b")'),
        ('(alias: Some("a"), x: 1)', {"alias": "b"}, '(alias: Some("b"), x: 1)'),
        ("(alias: None)", {"alias": 'q"\\\n\x07é'}, '(alias: Some("q\\"\\\\\\n\\u{7}é"))'),
        ("()", {"alias": "b"}, '(alias: "b", )'),
        ("(\n    x: 1, // keep\n)", {"tags": ["a", "b"]}, '(\n    tags: ["a", "b"],\n    x: 1, // keep\n)'),
        ("(x: 1, alias: 2)", {"alias": None}, "(x: 1, )"),
        (
            'Name(x: (1, 2), alias: "a",)',
            {"alias": "b", "noindex": True},
            'Name(noindex: true, x: (1, 2), alias: "b",)',
        ),
        ('(x: "alias: 1")', {"alias": "b"}, '(alias: "b", x: "alias: 1")'),
    ],
)
def test_ron_fields_are_set_and_nothing_else(text: str, changes: dict[str, object], want: str) -> None:
    made = edit_ron(text, changes)
    assert made == want
    record = read_ron(made)
    assert isinstance(record, dict)
    for key, value in changes.items():
        assert record.get(key) == value


@pytest.mark.parametrize("text", ["", "[1]", "(1, 2)", "(a: ", "3"])
def test_what_is_no_ron_record_is_not_edited(text: str) -> None:
    with pytest.raises(RonError):
        edit_ron(text, {"alias": "x"})


@pytest.mark.parametrize(
    ("form", "before", "kept"),
    [
        ("toml", '# a comment\ntitle = "T"\nalias = "old"\nown = 3\n', "# a comment"),
        ("json", '{"title": "T", "alias": "old", "own": 3}', '"own": 3'),
        ("ron", '(\n  // a comment\n  title: "T",\n  alias: Some("old"),\n  own: 3,\n)', "// a comment"),
    ],
)
def test_each_notation_keeps_what_it_is_not_asked_to_change(root: Root, form: str, before: str, kept: str) -> None:
    root.page("a.md")
    sidecar = root.page(f"a.md.{form}", before)
    cache = root.cache()
    assert paths(cache) == ["/old"]
    set_alias(cache, find_object(cache, "/old"), "New//Place/")
    assert cache.lookup("/old").location == "/new/place"
    assert paths(cache) == ["/new/place"]
    set_tags(cache, find_object(cache, "new/place"), ("x", "y", "x"))
    assert find_object(cache, "a.md").tags == () or find_object(cache, "a.md").tags == ("x", "y")
    assert kept in sidecar.read_text()
    set_alias(cache, find_object(cache, "a.md"), "")
    assert paths(cache) == [f"/id/{find_object(cache, 'a.md').key.hex()}"]
    set_alias(cache, find_object(cache, "a.md"), None)
    assert paths(cache) == ["/a"]
    assert kept in sidecar.read_text()
    assert find_object(cache, "a.md").title == "T"


def test_an_object_without_a_sidecar_gets_one(root: Root) -> None:
    root.page("a.md", "---\ntags: [x]\n---\n# A")
    cache = root.cache()
    set_alias(cache, find_object(cache, "/a"), "b")
    assert (root.content / "a.md.toml").read_text() == 'alias = "b"\nredirect_from = ["a"]\n'
    assert paths(cache) == ["/b"]
    assert find_object(cache, "/b").tags == ("x",)
    set_tags(cache, find_object(cache, "/b"), ())
    cache.table()
    assert find_object(cache, "/b").tags == ()
    other = find_object(cache, "/b")
    set_keys(cache, other, {"alias": None, "tags": None})
    assert paths(cache) == ["/a"]


@pytest.mark.parametrize(
    ("alias", "word"),
    [
        ("login/x", "/login/ is kept for signing in"),
        ("LOGIN", "signing in"),
        ("sitemap.xml", "/sitemap.xml"),
        ("a.md", ".md"),
        ("desk/x", "the path is taken by [admin] path"),
        ("a%20b", "%"),
        ("../x", "dots"),
        ("caf\u00e9", "character"),
        ("b", "b.md has it"),
    ],
)
def test_an_alias_that_cannot_be_is_refused_in_words(root: Root, alias: str, word: str) -> None:
    root.write("waypost.toml", '[admin]\npath = "desk"\n')
    root.page("a.md")
    root.page("b.md")
    cache = root.cache()
    with pytest.raises(ContentError) as caught:
        set_alias(cache, find_object(cache, "/a"), alias)
    assert word in str(caught.value)
    assert "desk" not in str(caught.value).replace("'desk/x'", "")
    assert sorted(os.listdir(root.content)) == ["a.md", "b.md"]


@pytest.mark.parametrize("name", ["/a", "a", "A/", f"/id/{KEY}", KEY, "a.md", "content/a.md"])
def test_an_object_is_found_by_path_id_or_file(root: Root, name: str) -> None:
    root.page("a.md")
    root.page("a.md.toml", f'id = "{KEY}"\n')
    assert find_object(root.cache(), name).blob == "a.md"


def test_what_is_not_there_or_withheld_is_said(root: Root) -> None:
    root.page("bad.md", "---\ntitle: [\n---\n")
    cache = root.cache()
    with pytest.raises(ContentError, match="no object 'x'"):
        find_object(cache, "x")
    with pytest.raises(ContentError, match=r"withheld: bad\.md:"):
        find_object(cache, "/bad")
    root.page("side.md")
    root.page("side.md.toml", "title = \n")
    cache.rescan()
    for name in ("side.md", "content/side.md", "/side", "content/bad.md", "side.md.toml"):
        with pytest.raises(ContentError, match=r"withheld: (side\.md\.toml|bad\.md):"):
            find_object(cache, name)


def test_safety_3_a_full_disk_leaves_the_old_sidecar_whole(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.page("a.md")
    sidecar = root.page("a.md.toml", 'alias = "old"\n')
    cache = root.cache()

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(content.os, "write", full)
    with pytest.raises(StoreError, match="no space left"):
        set_alias(cache, find_object(cache, "/old"), "new")
    monkeypatch.undo()
    assert sidecar.read_text() == 'alias = "old"\n'
    assert paths(cache) == ["/old"]
    assert sorted(os.listdir(root.content)) == ["a.md", "a.md.toml"]


def test_a_sidecar_that_does_not_read_is_not_changed(root: Root, tmp_path: Path) -> None:
    root.page("a.md")
    sidecar = root.page("a.md.toml", 'alias = "old"\n')
    cache = root.cache()
    entry = find_object(cache, "/old")
    sidecar.write_text("alias = ")
    with pytest.raises(ContentError, match="cannot be changed"):
        set_alias(cache, entry, "new")
    assert sidecar.read_text() == "alias = "
