"""An import of anything ends soon, raises nothing but its own words, and writes only what can be read again."""

import errno
import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cli.sources import EVERY, HUGO, lay

from waypost.errors import ContentError, StoreError, WaypostError
from waypost.limits import IMPORT_PAGE_BYTES_MAX
from waypost.site import content
from waypost.site.importing import source as source_room
from waypost.site.importing import write as write_room
from waypost.site.importing.head import with_head
from waypost.site.importing.plan import Plan, Shape
from waypost.site.importing.recognise import glance, plan_import, recognise
from waypost.site.importing.source import Source
from waypost.site.importing.write import write_plan
from waypost.site.markdown import link_targets
from waypost.site.sidecar import ELSEWHERE, KEYS, read_front_matter

BOMBS = {
    "shortcodes": "{{< " * 40_000,
    "closed shortcodes": "{{< x >}}" * 20_000,
    "tags": "{% " * 50_000 + "%}",
    "outputs": "{{ " * 50_000,
    "wikilinks": "[[" * 80_000,
    "comments": "%%" * 80_000,
    "ticks": "`` ` ``` ` " * 20_000,
    "fences": "```\n" * 40_001,
    "admonitions": "\n".join(f"{' ' * min(4 * n, 24)}!!! note" for n in range(20_000)),
    "callouts": "> [!note] x\n" * 20_000,
    "inline": "{: " * 60_000,
    "brackets": "[" * 190_000,
    "headings": f"# {' ' * 100_000}x\n" + "# {.a\n" * 20_000,
    "lists of attributes": "{.a " * 40_000 + "x {#a b=c" * 20_000 + "){: " * 40_000,
    "marks": "==a" * 60_000 + "++a" * 60_000 + "\n*[" * 20_000,
    "links": "[](#" * 40_000 + "](a#" * 40_000 + "# {#a}\n" * 10_000,
    "highlights": "{% highlight x %}" * 10_000 + "{{< highlight x >}}" * 10_000,
}


@pytest.mark.parametrize("shape", [shape for shape in Shape if shape is not Shape.NOPRESSURE])
def test_texts_made_to_take_long_end(shape: Shape, tmp_path: Path) -> None:
    folder = {"hugo": "content", "mkdocs": "docs"}.get(shape.value, ".")
    lay(tmp_path, {f"{folder}/{name}.md": f"---\n---\n{text}" for name, text in BOMBS.items()})
    plan = plan_import(str(tmp_path), shape)
    assert sum(bool(leaf.source) for leaf in plan.leaves) == len(BOMBS)


@pytest.mark.parametrize("said", ["access: deny", "roles: [staff]", "private: true"])
@pytest.mark.parametrize("shape", [shape for shape in Shape if shape is not Shape.NOPRESSURE])
def test_what_was_for_some_readers_only_stays_hidden(said: str, shape: Shape, tmp_path: Path) -> None:
    folder = {"hugo": "content", "mkdocs": "docs"}.get(shape.value, ".")
    lay(tmp_path, {f"{folder}/a.md": f"---\n{said}\n---\nCANARY\n", f"{folder}/b.md": "---\nprivate: false\n---\nb\n"})
    plan = plan_import(str(tmp_path), shape)
    assert [leaf.source for leaf in plan.leaves if leaf.is_hidden] == [f"{folder}/a.md".removeprefix("./")]
    assert any(remark.topic == "draft" and "some readers" in remark.text for remark in plan.remarks)


def test_the_home_page_that_is_made_links_files_of_any_name(tmp_path: Path) -> None:
    names = ["what?.md", "c#.md", "100%.md", "a%20b.md", "ü (x).md"]
    lay(tmp_path / "in", {name: f"# {number}\n" for number, name in enumerate(names)})
    plan = plan_import(str(tmp_path / "in"))
    home = next(leaf for leaf in plan.leaves if leaf.target == "index.md")
    assert sorted(unquote(target) for target in link_targets(home.body)) == sorted(names)


WORDS = sorted({*KEYS, *ELSEWHERE, "url", "slug", "permalink", "categories", "image", "cover", "build", "own", "robots", "cascade",
                "expiryDate", "headless", "summary", "order", "redirect_to", "layout", "sitemap"})  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.dates() | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    shape=st.sampled_from(["hugo", "jekyll", "mkdocs", "markdown"]),
    table=st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=6),
)
def test_whatever_front_matter_says_the_page_can_be_read_again(
    tmp_path: Path, shape: str, table: dict[str, Any]
) -> None:
    name = {
        "hugo": "content/posts/a.md",
        "jekyll": "_posts/2020-01-01-a.md",
        "mkdocs": "docs/a.md",
        "markdown": "a.md",
    }[shape]
    head = yaml.safe_dump(table, allow_unicode=True)
    lay(tmp_path, {name: f"---\n{head}---\nText\n"})
    plan = plan_import(str(tmp_path), Shape(shape), now=1_700_000_000)
    for leaf in plan.leaves:
        written = write_room._text(leaf).encode()
        front = read_front_matter(written)
        assert front is None or written[front.length :].decode() == leaf.body
        if leaf.source and (table.get("draft") is True or (shape == "jekyll" and table.get("published") is False)):
            assert front is not None
            assert front.sidecar.draft
    (tmp_path / name).unlink()


def test_values_that_hold_themselves(tmp_path: Path) -> None:
    lay(tmp_path, {"mkdocs.yml": "site_name: &t [*t]\nnav: &n [*n, {a: *n}, {b: [*n]}, a.md]\n",
                   "docs/a.md": "---\nimage: &i [{src: *i}]\ntags: &g [*g, x]\nown: &o {a: *o}\n---\n# A\n"})  # fmt: skip
    plan = plan_import(str(tmp_path))
    assert plan.leaves[0].head["tags"] == ["x"]
    assert any(remark.topic == "nav" for remark in plan.remarks)


def test_times_of_day_and_bytes_are_kept_or_left_out(tmp_path: Path) -> None:
    lay(tmp_path, {"hugo.toml": "", "content/a.md": '+++\ntitle = "A"\nat = 07:32:00\n+++\n# A\n',
                   "content/b.md": "---\npicture: !!binary aGVsbG8=\nwords: !!set {a, b}\n---\n# B\n"})  # fmt: skip
    plan = plan_import(str(tmp_path))
    heads = {leaf.source: leaf.head for leaf in plan.leaves}
    assert heads["content/a.md"] == {"title": "A"}
    assert heads["content/b.md"]["picture"] == b"hello"
    said = [remark.text for remark in plan.remarks if remark.text.startswith("at ")]
    assert said == ["at was left out: it cannot be written as it was"]


def test_only_regular_files_within_the_limits_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, {"a.md": "# A\n", "long.md": "x" * (IMPORT_PAGE_BYTES_MAX + 1), "latin.md": b"\xe4", ".hidden.md": "x",
                   "node_modules/x.md": "x", "deep/node_modules/y.md": "# Y\n"})  # fmt: skip
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "out.md").symlink_to("/etc/passwd")
    (tmp_path / "new\nline.md").write_text("x")
    (tmp_path / os.fsdecode(b"l\xe4tin.md")).write_text("x")
    assert Source(str(tmp_path)).files == ("a.md", "deep/node_modules/y.md", "latin.md", "long.md")
    plan = plan_import(str(tmp_path))
    assert {leaf.source for leaf in plan.leaves if leaf.source} == {"a.md", "deep/node_modules/y.md"}
    assert {remark.file for remark in plan.remarks} == {"", "latin.md", "long.md"}
    monkeypatch.setattr(source_room, "IMPORT_FILES_MAX", 3)
    with pytest.raises(ContentError, match="more than 3 files"):
        plan_import(str(tmp_path))


def test_remarks_are_bounded_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from waypost.site.importing import plan as plan_room

    monkeypatch.setattr(plan_room, "IMPORT_REMARKS_MAX", 2)
    plan = Plan(Shape.HUGO, "x")
    for number in range(5):
        plan.miss(f"{number}", "x", "y")
    assert (len(plan.remarks), plan.more) == (2, 3)


def test_two_that_want_one_place_or_one_address(tmp_path: Path) -> None:
    lay(tmp_path, {"hugo.toml": "", "content/_index.md": "---\ntitle: One\n---\n# H\n", "content/index.md": "# Two\n", "content/a.md": "---\nurl: /b/\n---\n# A\n",
                   "content/b.md": "# B\n", "content/c.md": "---\nurl: /login/x\n---\n# C\n", "content/d.md": "---\nurl: '/a%20/../d'\n---\n# D\n",
                   "content/img.png": b"1", "static/img.png": b"2", "static/c.md.toml": "x = 1", "static/feed.rss": "x"})  # fmt: skip
    plan = plan_import(str(tmp_path))
    said = {(remark.file, remark.topic): remark.text for remark in plan.remarks}
    assert "goes to content/index.md already" in said["content/index.md", "file"]
    assert "has the address /b too" in said["content/b.md", "address"]
    assert "signing in; the page is at /login-page/x" in said["content/c.md", "address"]
    assert "dots" in said["content/d.md", "address"]
    assert "content/img.png already" in said["static/img.png", "file"]
    assert "sidecar" in said["static/c.md.toml", "file"]
    assert "feed.rss is made" in said["static/feed.rss", "file"]
    write_plan(plan, str(tmp_path), str(tmp_path.with_name("out")))


def test_what_is_written_is_as_old_as_its_source(tmp_path: Path) -> None:
    source = lay(tmp_path / "in", {"hugo.toml": "", "content/posts/a.md": "# A\n", "static/x.txt": "x"})
    for name in ("content/posts/a.md", "static/x.txt"):
        os.utime(source / name, (1_650_000_000, 1_650_000_000))
    write_plan(plan_import(str(source)), str(source), str(tmp_path / "out"))
    times = {path.name: path.stat().st_mtime for path in (tmp_path / "out/content").rglob("*.*")}
    assert times.pop("a.md") == times.pop("x.txt") == 1_650_000_000
    assert times["index.md"] > 1_650_000_000


def test_nothing_is_left_of_an_import_that_the_disk_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = lay(tmp_path / "source", HUGO)
    plan = plan_import(str(source))

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(content.os, "write", full)
    with pytest.raises(StoreError, match="no space left on device; nothing was written"):
        write_plan(plan, str(source), str(tmp_path / "new/root"))
    monkeypatch.undo()
    assert os.listdir(tmp_path / "new") == []
    monkeypatch.setattr(write_room, "IMPORT_BYTES_MAX", 5)
    with pytest.raises(ContentError, match="at most 5 are imported"):
        write_plan(plan, str(source), str(tmp_path / "root"))
    assert not (tmp_path / "root").exists()
    (tmp_path / "file").write_text("x")
    with pytest.raises(WaypostError):
        write_plan(plan, str(source), str(tmp_path / "file/root"))


@pytest.mark.parametrize("shape", EVERY)
def test_every_shape_is_recognised_and_glanced_at(shape: str, tmp_path: Path) -> None:
    lay(tmp_path, EVERY[shape][0])
    found = recognise(Source(str(tmp_path)))
    assert found is not None
    assert found[0].value == shape
    seen = glance(str(tmp_path))
    assert (seen.value if seen else "") == (shape if shape in {"hugo", "jekyll", "mkdocs"} else "")
    assert glance(str(tmp_path / "none")) is None


@pytest.mark.parametrize(
    ("files", "shape"),
    [
        (["config.toml", "content/a.md"], Shape.HUGO),
        (["config/_default/hugo.yaml", "content/a.md"], Shape.HUGO),
        (["content/a.md", "archetypes/default.md"], Shape.HUGO),
        (["config.toml", "a.md"], Shape.MARKDOWN),
        (["_posts/2020-01-01-a.md"], Shape.JEKYLL),
        (["_config.toml", "a.md"], Shape.JEKYLL),
        (["mkdocs.yaml"], Shape.MKDOCS),
        (["content/a.md"], Shape.MARKDOWN),
        (["a.txt"], None),
    ],
)
def test_by_what_a_folder_is_recognised(files: list[str], shape: Shape | None, tmp_path: Path) -> None:
    lay(tmp_path, dict.fromkeys(files, ""))
    found = recognise(Source(str(tmp_path)))
    assert (found[0] if found else None) == shape


def test_front_matter_is_parted_from_text_to_the_letter() -> None:
    for head in ('---\na: "é"\n---\n', '+++\na = "é"\n+++\n', '{"a": "é"}\n', '{\n"a": "é"\n}\n'):
        leaf, table = with_head(f"{head}Text\n---\n", "a", "a")
        assert table == {"a": "é"}
        assert leaf.body.lstrip("\n") == "Text\n---\n"
        assert leaf.first_line <= head.count("\n") + 1
    assert with_head("{{< x >}}\n", "a", "a")[0].body == "{{< x >}}\n"
