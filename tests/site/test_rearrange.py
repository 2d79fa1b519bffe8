"""Pages are made, moved and removed whole or not at all, no address is lost, and every change can be taken back."""

import errno
import os
import signal
from pathlib import Path

import pytest
from tests.site.roots import Root, paths

from waypost.errors import ContentError, StoreError
from waypost.site import content
from waypost.site.change import changes_kept
from waypost.site.edit import find_object
from waypost.site.links import linking, resolver
from waypost.site.lookup import Kind
from waypost.site.rearrange import changed, move, new_page, remove, state_of, taken_back

KEY = "0123456789abcdef"
PAGE = """---
title: The note
redirect_from: [hello]
images: [img/a.png, https://example.com/x.png]
---
# A note

[up](../index.md) ![a picture](<img/a b.png> "T") [itself](note.md#a-note) [ref] <a href='./other.md?x=1&amp;y=2'>o</a>

`[code](other.md)` and

```
[more code](other.md)
```

[ref]: other.md
"""


def tree(path: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(file.relative_to(path)): (file.read_bytes(), file.stat().st_mtime_ns) if file.is_file() else (b"/", 0)
        for file in sorted(path.rglob("*"))
    }


@pytest.fixture
def site(root: Root) -> Root:
    root.page("index.md", "# Home\n\n[the note](notes/note.md) [again](/hello) [by path](notes/note)\n")
    root.page("notes/note.md", PAGE)
    root.page("notes/other.md", "# Other\n\n[note](note.md)\n")
    root.page("notes/img/a.png", b"a")
    root.page("notes/img/a b.png", b"b")
    for file in root.content.rglob("*"):
        os.utime(file, (1_600_000_000, 1_600_000_001))
    return root


def test_a_move_keeps_every_address_and_every_link(site: Root) -> None:
    cache = site.cache()
    before = tree(site.path)
    entry = find_object(cache, "/notes/note")
    assert linking(cache, entry) == ["index.md", "notes/other.md"]
    moved = move(cache, entry, "deep/down/the-note")
    assert moved.lost == ()
    word = changed(cache, moved.change)
    assert paths(cache) == ["/", "/deep/down/the-note", "/notes/other"]
    for old in ("/notes/note", "/hello", "/Notes//Note/"):
        found = cache.lookup(old)
        assert found is not None
        assert (found.kind, found.location) == (Kind.MOVED, "/deep/down/the-note")
    home, page = find_object(cache, "/"), find_object(cache, "deep/down/the-note")
    for target in ("notes/note.md", "notes/note", "/notes/note.md", "/hello", "notes/note.md#a-note"):
        url = resolver(cache, home)(target)
        assert url is not None
        assert url.partition("#")[0] == "/deep/down/the-note"
    text = (site.content / "deep/down/the-note.md").read_text()
    assert "[up](../../index.md)" in text
    assert '![a picture](<../../notes/img/a%20b.png> "T")' in text
    assert "[itself](the-note.md#a-note)" in text
    assert "href='../../notes/other.md?x=1&amp;y=2'" in text
    assert "[ref]: ../../notes/other.md" in text
    assert "`[code](other.md)`" in text
    assert "\n[more code](other.md)\n" in text
    assert page.sayings.images == ("../../notes/img/a.png", "https://example.com/x.png")
    assert cache.table().get("/deep/down/the-note").images == ("/notes/img/a.png", "https://example.com/x.png")
    assert page.sayings.redirect_from == ("hello", "notes/note")
    assert taken_back(cache, word) == "move of notes/note.md to deep/down/the-note.md"
    assert tree(site.path) == before


def test_a_link_with_a_reference_of_any_length_stays(site: Root) -> None:
    cache = site.cache()
    text = f"# Other\n\n[a](&#{'1' * 5000};.md)\n"
    (site.content / "notes/other.md").write_text(text)
    changed(cache, move(cache, find_object(cache, "/notes/other"), "else").change)
    assert (site.content / "else.md").read_text().endswith(text)


def test_there_and_back_leaves_no_redirect_to_itself(site: Root) -> None:
    cache = site.cache()
    key = find_object(cache, "/notes/other").key
    changed(cache, move(cache, find_object(cache, "/notes/other"), "else").change)
    assert find_object(cache, "/else").key == key
    assert cache.lookup(f"/id/{key.hex()}").location == "/else"
    changed(cache, move(cache, find_object(cache, "/else"), "notes/other").change)
    assert find_object(cache, "/notes/other").sayings.redirect_from == ("else",)
    assert find_object(cache, "/notes/other").sayings.id is None
    assert find_object(cache, "/notes/other").key == key
    assert (site.content / "notes/other.md").read_text() == "# Other\n\n[note](note.md)\n"


@pytest.mark.parametrize(
    ("page", "to", "file", "path"),
    [
        ("notes/other.md", "notes/Other Name", "notes/Other Name.md", "/notes/other-name"),
        ("notes/other.md", "else/", "else/other.md", "/else/other"),
        ("notes/other.md", "/content-of/x.md", "content-of/x.md", "/content-of/x"),
        ("notes/other.md", "Über", "Über.md", "/%C3%BCber"),
        ("notes/img/a.png", "pictures/b", "pictures/b.png", "/pictures/b.png"),
        ("/", "start", "start/index.md", "/start"),
    ],
)
def test_where_a_page_goes(site: Root, page: str, to: str, file: str, path: str) -> None:
    cache = site.cache()
    entry = find_object(cache, page)
    was = entry.path
    moved = move(cache, entry, to)
    assert moved.file == file
    changed(cache, moved.change)
    assert find_object(cache, file).path == path
    found = cache.lookup(was)
    assert found is not None
    assert found.location == path


def test_id_objects_and_pages_by_id_keep_their_ids(site: Root) -> None:
    site.page(f"ef/{KEY}.1", "# By id\n")
    site.page(f"ef/{KEY}.1.ron", '(alias: Some("old-name"), title: Some("T"))')
    site.page("hidden.md", '---\nalias: ""\n---\n# Hidden\n')
    site.page("named.md", "---\nalias: chosen\n---\n# Named\n")
    site.page("parent.md")
    cache = site.cache()
    parent = find_object(cache, "/parent").key.hex()
    site.page("child.md", f"---\nnav_parent_id: '{parent}'\n---\n")
    cache.table()
    changed(cache, move(cache, find_object(cache, KEY), "new-name").change)
    assert find_object(cache, KEY).path == "/new-name"
    assert cache.lookup("/old-name").location == "/new-name"
    hidden = find_object(cache, "hidden.md")
    path = hidden.path
    changed(cache, move(cache, hidden, "elsewhere/hidden").change)
    assert find_object(cache, "elsewhere/hidden.md").path == path == f"/id/{hidden.key.hex()}"
    changed(cache, move(cache, find_object(cache, "/chosen"), "taken").change)
    assert find_object(cache, "taken.md").path == "/taken"
    assert cache.lookup("/chosen").location == "/taken"
    changed(cache, move(cache, find_object(cache, "/parent"), "mother").change)
    assert find_object(cache, "/mother").key.hex() == parent


def test_a_removed_page_comes_back_to_the_byte(site: Root) -> None:
    site.page("notes/note.md.json", '{"tags": ["x"], "own": 1}')
    cache = site.cache()
    before = tree(site.path)
    word = changed(cache, remove(cache, find_object(cache, "/hello"), find_object(cache, "/notes/other")))
    assert paths(cache) == ["/", "/notes/other"]
    assert cache.lookup("/hello").location == cache.lookup("/notes/note").location == "/notes/other"
    kept = changes_kept(state_of(cache))
    assert [(row.word, row.what) for row in kept] == [(word, "removal of notes/note.md")]
    assert (site.path / "state").stat().st_mode & 0o777 == 0o700
    taken_back(cache, word)
    assert tree(site.path) == before
    with pytest.raises(ContentError, match="no change"):
        taken_back(cache, word)
    with pytest.raises(ContentError, match="no change"):
        taken_back(cache, "../../x")


def test_what_was_changed_since_is_not_taken_back(site: Root) -> None:
    cache = site.cache()
    change, file = new_page(cache, "draft page", "", is_draft=True)
    word = changed(cache, change)
    assert file == "draft-page.md"
    assert (site.content / file).read_text() == '---\ntitle: "Draft page"\ndraft: true\n---\n# Draft page\n\n'
    (site.content / file).write_text("# Written since\n")
    with pytest.raises(ContentError, match="changed since"):
        taken_back(cache, word)
    assert (site.content / file).read_text() == "# Written since\n"


def test_a_new_page_without_path_aliases_gets_an_alias(site: Root) -> None:
    site.write("waypost.toml", "[content]\npath_alias = false\n")
    cache = site.cache()
    change, file = new_page(cache, "a/b", 'Say "hi"')
    changed(cache, change)
    assert find_object(cache, file).path == "/a/b"
    assert find_object(cache, file).title == 'Say "hi"'


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("login/x", "/login/ is kept for signing in"),
        ("robots.txt", "is refused"),
        ("desk/x", "the path is taken"),
        ("../x", "dots"),
        ("a\x1b", "control"),
        (".hidden", "hidden"),
        ("notes/note", "is there already"),
        ("notes/note/index", "notes/note.md has it"),
        ("hello%20x", "%"),
        ("index.md/x", "no folder"),
        ("out/x", "no folder"),
        ("x.toml.md/../y", "dots"),
        ("a/" * 80 + "b", "would not be served"),
        ("w" * 300, "too long for a file"),
    ],
)
def test_a_path_that_cannot_be_is_refused_in_words(site: Root, tmp_path: Path, path: str, word: str) -> None:
    site.write("waypost.toml", '[admin]\npath = "desk"\n')
    (tmp_path / "away").mkdir()
    (site.content / "out").symlink_to(tmp_path / "away")
    cache = site.cache()
    before = tree(site.path)
    with pytest.raises((ContentError, StoreError), match=word):
        changed(cache, new_page(cache, path, "T")[0])
    if path != "notes/note/index":
        with pytest.raises((ContentError, StoreError), match=word):
            changed(cache, move(cache, find_object(cache, "notes/other.md"), path).change)
    assert tree(site.path) == before


def test_safety_3_a_disk_that_is_full_at_any_moment_changes_nothing(site: Root, monkeypatch) -> None:
    cache = site.cache()
    before, write = tree(site.path), os.write
    for turn in range(100):
        left = [turn]

        def full(descriptor: int, data: bytes, left: list[int] = left) -> int:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(descriptor, data)

        monkeypatch.setattr(content.os, "write", full)
        try:
            changed(cache, move(cache, find_object(cache, "/notes/note"), "deep/note").change)
            said = ""
        except StoreError as error:
            said = str(error)
        monkeypatch.undo()
        if not said:
            break
        assert "no space left" in said
        assert {f"content/{name}": held for name, held in tree(site.content).items()}.items() <= before.items()
        assert len(tree(site.content)) == sum(name.startswith("content/") for name in before)
    assert turn > 3
    assert find_object(cache, "/deep/note").blob == "deep/note.md"


_STEPS = ("fsync", "rename", "unlink", "mkdir")


def _die_at(step: int) -> None:
    left = [step]
    for name in _STEPS:
        call = getattr(os, name)

        def counted(*words: object, call=call, **more: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*words, **more)

        setattr(os, name, counted)


@pytest.mark.parametrize("verb", ["move", "remove"])
def test_safety_1_killed_at_any_step_the_page_is_old_or_new_and_comes_back(site: Root, verb: str) -> None:
    site.write("waypost.toml", '[tags.staff]\nroles = ["staff"]\n')
    site.page("notes/note.md.toml", 'tags = ["staff"]\n')
    cache = site.cache()
    before = tree(site.content)
    public = ["/", "/notes/other"]
    for step in range(200):
        child = os.fork()
        if not child:
            own = Root(site.path).cache()
            entry = find_object(own, "notes/note.md")
            change = move(own, entry, "deep/note").change if verb == "move" else remove(own, entry)
            _die_at(step)
            changed(own, change)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        assert paths(cache) == public, "what only staff may see was never seen by others"
        blobs = [name for name in ("notes/note.md", "deep/note.md") if (site.content / name).exists()]
        for blob in blobs:
            assert b"# A note" in (site.content / blob).read_bytes()
        kept = changes_kept(state_of(cache))
        assert blobs or kept, "nothing is lost"
        for row in kept:
            taken_back(cache, row.word)
        left = {name: held for name, held in tree(site.content).items() if not name.endswith(".tmp")}
        assert left == before
        if os.waitstatus_to_exitcode(status) == 0:
            break
    assert step > 5


def test_a_bare_folder_keeps_what_was_in_the_users_state(bare: Root, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "mine"))
    bare.write("a.md", "# A\n")
    cache = bare.cache()
    before = tree(bare.path)
    word = changed(cache, remove(cache, find_object(cache, "/a")))
    assert not list(bare.path.rglob("*state*"))
    assert list((tmp_path / "mine").rglob("journal.json"))
    taken_back(cache, word)
    assert tree(bare.path) == before


def test_a_page_that_is_not_utf_8_moves_as_it_is(site: Root) -> None:
    site.page("notes/latin.md", b"# L\xe4tin\n\n[other](other.md)\n")
    cache = site.cache()
    moved = move(cache, find_object(cache, "/notes/latin"), "latin")
    changed(cache, moved.change)
    assert (site.content / "latin.md").read_bytes() == b"# L\xe4tin\n\n[other](other.md)\n"
    assert moved.lost == ("other.md",)


def test_front_matter_says_what_a_sidecar_is_silent_about(root: Root) -> None:
    root.page("a.md", "---\nredirect_from: [old]\nimages: [https://example.com/i.png]\n---\n# A\n")
    root.page("a.md.toml", 'alias = "b"\n')
    cache = root.cache()
    assert cache.lookup("/old").location == "/b"
    assert cache.table().get("/b").images == ("https://example.com/i.png",)


@pytest.mark.parametrize("piece", ["`` ` ``` ` ", "](", "](<", "<a href=", "[x]: ", "[", "```\n", "]( \t"])
def test_a_text_made_to_take_long_is_moved_soon(site: Root, piece: str) -> None:
    site.page("notes/long.md", "[other](other.md)\n\n" + piece * (180_000 // len(piece)))
    site.page("notes/longer.md", piece * (1_200_000 // len(piece)))
    cache = site.cache()
    for name in ("long", "longer"):
        changed(cache, move(cache, find_object(cache, f"notes/{name}.md"), f"deep/{name}").change)
    assert (site.content / "deep/long.md").stat().st_size > 180_000
