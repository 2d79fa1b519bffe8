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
from waypost.site.naming import path_key
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


def test_a_table_of_contents_is_kept_section_by_section(tmp_path: Path) -> None:
    nav = """site_name: M
nav:
  - Home: index.md
  - User guide:
      - guide/usage.md
      - Install: guide/install.md
      - Advanced:
          - guide/advanced/tune.md
  - Notes:
      - guide/more.md
      - changelog.md
  - Changes: changelog.md
"""
    files = {"index": "# M", "guide/usage": "# Using it", "guide/install": "# Installing", "guide/advanced/tune": "# Tuning",
             "guide/more": "# More", "changelog": "# All changes", "other/deep/page": "# Page"}  # fmt: skip
    lay(tmp_path, {"mkdocs.yml": nav, **{f"docs/{name}.md": f"{text}\n" for name, text in files.items()}})
    plan = plan_import(str(tmp_path))
    pages = {leaf.target: leaf for leaf in plan.leaves}
    guide = pages["guide/index.md"]
    assert guide.head == {"title": "User guide", "nav_order": 2}
    assert guide.body == "\n- [Using it](<usage.md>)\n- [Install](<install.md>)\n- [Advanced](<advanced/index.md>)\n"
    assert pages["guide/advanced/index.md"].head == {"title": "Advanced", "nav_order": 3}
    assert pages["notes/index.md"].head == {"title": "Notes", "nav_order": 3}
    assert pages["notes/index.md"].body == "\n- [More](<../guide/more.md>)\n- [All changes](<../changelog.md>)\n"
    assert pages["guide/more.md"].head["nav_parent_id"] == path_key("notes/index.md").hex()
    assert "nav_parent_id" not in pages["guide/usage.md"].head
    assert pages["other/index.md"].body == "\n- [Deep](<deep/index.md>)\n"
    assert [remark.topic for remark in plan.remarks] == []


@pytest.mark.parametrize(
    ("files", "index"),
    [
        ({"_config.yml": "title: x\n", "_posts/2024-05-01-hello.md": "Hi\n"}, "posts/index.md"),
        ({"hugo.toml": '[permalinks]\nnews = "/:year/:slug/"\n', "content/news/a.md": "---\ndate: 2024-05-01\n---\nHi\n",
          "content/news/_index.md": "# News\n"}, "news/index.md"),
    ],
)  # fmt: skip
def test_posts_stand_below_their_list_and_not_below_their_dates(
    files: dict[str, str], index: str, tmp_path: Path
) -> None:
    lay(tmp_path, files)
    heads = {leaf.target: leaf.head for leaf in plan_import(str(tmp_path)).leaves}
    assert index in heads
    posts = [head for head in heads.values() if str(head.get("alias", "")).startswith("2024/")]
    assert [head["nav_parent_id"] for head in posts] == [path_key(index).hex()]


@pytest.mark.parametrize("shape", [Shape.MKDOCS, Shape.MARKDOWN])
def test_a_page_with_a_reserved_address_gets_one_like_it_and_one_remark(shape: Shape, tmp_path: Path) -> None:
    start = "docs/" if shape is Shape.MKDOCS else ""
    names = {"mkdocs.yml": "site_name: M\n"} if start else {}
    pages = {"api.md": "# API\n", "login/a.md": "# A\n", "api-reference.md": "# R\n", "id/ü.md": "# Ü\n"}
    lay(tmp_path, {**names, **{f"{start}{name}": text for name, text in pages.items()}})
    plan = plan_import(str(tmp_path))
    heads = {leaf.target: leaf.head for leaf in plan.leaves}
    assert heads["login/a.md"]["alias"] == "login-page/a"
    assert heads["api.md"]["alias"] == "api-page"
    assert "alias" not in heads["api-reference.md"]
    (tmp_path / f"{start}api-reference.md").unlink()
    plan = plan_import(str(tmp_path))
    assert {leaf.target: leaf.head for leaf in plan.leaves}["api.md"]["alias"] == "api-reference"
    told = [remark.text for remark in plan.remarks if remark.file == f"{start}api.md"]
    assert told == ["the address /api cannot be kept: /api/ is kept for programs; the page is at /api-reference"]


def test_a_jekyll_page_has_front_matter_and_what_has_none_is_left_out(tmp_path: Path) -> None:
    lay(tmp_path, {"_config.yml": "title: Ours\n", "README.md": "# For developers\n", "a.md": "---\n---\n# A\n"})
    plan = plan_import(str(tmp_path))
    assert {leaf.source for leaf in plan.leaves} == {"", "a.md"}
    said = [(remark.file, remark.text) for remark in plan.remarks]
    assert said == [("README.md", "left out: without front matter it was no page of the site")]
    lay(tmp_path, {"_config.yml": "plugins: [jekyll-optional-front-matter]\n"})
    assert any(leaf.source == "README.md" for leaf in plan_import(str(tmp_path)).leaves)


def test_a_page_that_stands_for_a_folder_is_never_called_index(tmp_path: Path) -> None:
    lay(tmp_path, {"_config.yml": "title: Ours\n", "index.markdown": "---\nlayout: home\n---\n",
                   "my-trips/index.md": "---\n---\nText\n", "b/index.md": "---\n---\n# B\n"})  # fmt: skip
    plan = plan_import(str(tmp_path))
    titles = {leaf.target: leaf.head.get("title") for leaf in plan.leaves}
    assert titles == {"index.markdown": "Ours", "my-trips/index.md": "My trips", "b/index.md": None}
    assert [made.partition(":")[0] for made in plan.made] == ["content/index.markdown"]


def test_a_loop_over_posts_is_the_list_of_them(tmp_path: Path) -> None:
    loop = """Before
{% for post in site.posts limit:2 %}- [{{ post.title }}]({{ post.url }}){% for tag in post.tags %} {{ tag }}{% endfor %}
{% endfor %}
After [this]({{ site.other }}), ![that](/x/{{ page.picture }}) and <a href="{{ page.more }}">more</a>.

{% raw %}{% for post in site.posts %}{% endraw %}
{% for page in site.pages %}x{% endfor %}
"""
    posts = {f"_posts/202{year}-01-01-p{year}.md": f"---\ntitle: P{year}\n---\nx\n" for year in range(4)}
    lay(tmp_path, {"_config.yml": "title: x\n", **posts, "a.md": f"---\n---\n{loop}", "index.md": "---\n---\n{% for p in site.posts %}[]({{ p.url }}){% endfor %}\n"})  # fmt: skip
    plan = plan_import(str(tmp_path))
    pages = {leaf.target: leaf for leaf in plan.leaves}
    lines = "- [P3](<posts/2023-01-01-p3.md>) · 2023-01-01\n- [P2](<posts/2022-01-01-p2.md>) · 2022-01-01\n"
    assert pages["a.md"].body.startswith(f"Before\n\n{lines}\n\nAfter")
    text = pages["a.md"].body.partition("After ")[2]
    assert text.startswith("this, that and <a>more</a>.\n\n{% for post in site.posts %}\n")
    assert link_targets(text) == []
    assert len(link_targets(pages["index.md"].body)) == 4
    assert {remark.line for remark in plan.remarks if remark.topic == "liquid"} == {6, 9}


ATTRIBUTES = """## Geometry *of* `x` {#geo .big}

A paragraph
{.lead}
and ![](x.png){ width="300" } with {a} and `{.code}` and [b](b.md){ .md-button }.

Lined {#lined}
-----

[here](#geo) [there](b.md#other) [by address](/b/#other) [lined](#lined) `[code](#geo)`
"""


@pytest.mark.parametrize(("shape", "folder"), [(Shape.HUGO, "content/"), (Shape.MKDOCS, "docs/")])
def test_links_follow_the_ids_of_headings_and_attribute_lists_go(shape: Shape, folder: str, tmp_path: Path) -> None:
    lay(tmp_path, {f"{folder}a.md": ATTRIBUTES, f"{folder}b.md": "# B\n\n## Other one {#other}\n"})
    plan = plan_import(str(tmp_path), shape)
    pages = {leaf.target: leaf.body for leaf in plan.leaves}
    assert pages["b.md"] == "# B\n\n## Other one\n"
    assert (
        pages["a.md"]
        == """## Geometry *of* `x`

A paragraph

and ![](x.png) with {a} and `{.code}` and [b](b.md).

Lined
-----

[here](#geometry-of-x) [there](b.md#other-one) [by address](/b/#other-one) [lined](#lined) `[code](#geo)`
"""
    )
    assert {remark.topic for remark in plan.remarks} <= {"address"}


def test_what_only_another_markdown_knows_is_named_with_its_line(tmp_path: Path) -> None:
    text = "---\n---\n* TOC\n{:toc}\n\nTerm\n: What it is\n\n*[HTML]: Hypertext\n\nText {#p}\n\nSaid\n{: #q .lead}\n"
    lay(tmp_path / "jekyll", {"a.md": text})
    plan = plan_import(str(tmp_path / "jekyll"), Shape.JEKYLL)
    said = [(remark.topic, remark.line) for remark in plan.remarks]
    assert said == [("definition list", 7), ("abbreviation", 9), ("attribute list", 11), ("attribute list", 14)]
    assert plan.leaves[0].body.startswith("\n\n\nTerm\n")
    lay(
        tmp_path / "mkdocs",
        {"docs/a.md": "# A\n\n++ctrl+c++ and ++x++\n\n==this== `==code==` a == b == c, C++ and C++\n"},
    )
    plan = plan_import(str(tmp_path / "mkdocs"), Shape.MKDOCS)
    assert [(remark.topic, remark.line) for remark in plan.remarks] == [("keys", 3), ("highlight", 5)]
    assert plan.remarks[0].text == "++ctrl+c++ is shown as it is written, and 1 more on this page"
    lay(tmp_path / "notes", {"a.md": "# A\n\nText ^abc-1\n\n2^10\n"})
    plan = plan_import(str(tmp_path / "notes"), Shape.OBSIDIAN)
    assert [(remark.topic, remark.line) for remark in plan.remarks] == [("block id", 3)]


@pytest.mark.parametrize(
    ("files", "keys", "settings"),
    [
        ({"hugo.toml": 'title = "H"\nfoo = "bar"\n[params]\nx = 1\n[[menu.main]]\nname = "x"\n[taxonomies]\ntag = "tags"\n',
          "content/a.md": "---\nauthor: me\nweird: 7\nlayout: wide\nseries: [x]\nresources: [{src: x}]\nnone:\n---\nx\n",
          "content/b.md": "---\nauthor: me\nslug: c\n---\nx\n"},
         {"author": 2, "weird": 1, "layout": 1, "series": 1, "resources": 1},
         {"foo": 2, "params": 3, "menu": 5, "taxonomies": 7}),
        ({"_config.yml": "title: J\ndescription: D\n", "a.md": "---\nlayout: page\n---\nx\n"}, {"layout": 1}, {"description": 2}),
        ({"mkdocs.yml": "site_name: M\nsite_description: D\n", "docs/a.md": "---\nhide: [toc]\n---\nx\n"},
         {"hide": 1}, {"site_description": 2}),
        ({".obsidian/app.json": "{}", "a.md": "---\naliases: [Nick, /old/a]\ncssclass: x\ncreated: 2024-01-01\n---\nx\n"},
         {"aliases (but for links to it)": 1, "cssclass": 1, "created": 1}, {}),
    ],
)  # fmt: skip
def test_every_key_that_means_nothing_is_in_the_report_once(
    files: dict[str, str], keys: dict[str, int], settings: dict[str, int], tmp_path: Path
) -> None:
    lay(tmp_path, files)
    plan = plan_import(str(tmp_path))
    end = " means nothing here"
    told = [remark for remark in plan.remarks if end in remark.text]
    said = {
        remark.text.partition(end)[0]: remark.text.partition("; ")[2]
        for remark in told
        if remark.topic == "front matter"
    }
    assert said == {key: "1 page has it" if count == 1 else f"{count} pages have it" for key, count in keys.items()}
    assert {remark.text.partition(end)[0]: remark.line for remark in told if remark.topic == "settings"} == settings
    assert {leaf.head.get("redirect_from") is None for leaf in plan.leaves if leaf.source} == {
        ".obsidian/app.json" not in files
    }


def test_notes_are_called_by_their_folder_and_all_of_them_are_on_the_home_page(tmp_path: Path) -> None:
    source = lay(tmp_path / "my-old_notes", {"2024-03-01.md": "x\n", "a-b.md": "x\n", "sub/b.md": "# B\n", "sub/deep/c.md": "# C\n",
                                             "trip/index.md": "# Trip\n", "trip/day.md": "---\ndate: 2024-05-01\n---\n# Day\n"})  # fmt: skip
    plan = plan_import(str(source))
    assert plan.title == "My old notes"
    home = next(leaf for leaf in plan.leaves if leaf.target == "index.md")
    assert home.head["title"] == "My old notes"
    assert (
        home.body
        == """
- [2024-03-01](<2024-03-01.md>)
- [a b](<a-b.md>)
- [Trip](<trip/index.md>)

## Sub

- [B](<sub/b.md>)
- [C](<sub/deep/c.md>)

## Trip

- [Day](<trip/day.md>) · 2024-05-01

## Newest

- [Day](<trip/day.md>) · 2024-05-01
"""
    )


def test_the_pages_of_a_nopressure_root_are_counted_and_it_has_a_title(tmp_path: Path) -> None:
    more = {"content/aa/00000000000001aa.2.json": '{"mime": "text/markdown"}', "content/cc/00000000000003cc.1.toml": 'mime = "image/png"\n',
            "content/dd/00000000000004dd.1.toml": "mime = [", "content/a.md": "# A\n"}  # fmt: skip
    plan = plan_import(str(lay(tmp_path / "press", {**EVERY["nopressure"][0], **more})))
    assert (plan.pages, len(plan.leaves), plan.title) == (3, 0, "Press")


@pytest.mark.parametrize(
    ("files", "lost"),
    [
        ({"hugo.toml": 'baseURL = "https://example.com/blog/"\n', "content/posts/a.md": "---\ntags: [X y, z]\n---\n# A\n"},
         ["everything below /blog/", "the feed /index.xml", "the feed /posts/index.xml", "/tags/ and the pages of its 2 terms (/tags/x-y/)"]),
        ({"hugo.toml": '[taxonomies]\nauthor = "authors"\n', "content/a.md": "---\ntags: [x]\nauthors: [Me]\n---\n# A\n"},
         ["the feed /index.xml", "/authors/ and the page of its one term (/authors/me/)"]),
        ({"_config.yml": "baseurl: /blog\n", "_posts/2024-01-01-a.md": "x\n"}, ["everything below /blog/", "the feed /feed.xml"]),
        ({"_config.yml": "title: x\n", "a.md": "---\n---\nx\n"}, []),
        ({"mkdocs.yml": "site_url: https://example.com/manual/\n", "docs/a.md": "# A\n"}, ["everything below /manual/"]),
    ],
)  # fmt: skip
def test_addresses_that_are_lost_are_named(files: dict[str, str], lost: list[str], tmp_path: Path) -> None:
    lay(tmp_path, files)
    plan = plan_import(str(tmp_path))
    told = [remark.text for remark in plan.remarks if remark.topic == "address"]
    assert len(told) == len(lost)
    assert {remark.file for remark in plan.remarks if remark.topic == "address"} <= {"", *list(files)[:1]}
    assert all(text.startswith(start) and "lost" in text for text, start in zip(told, lost, strict=True))
