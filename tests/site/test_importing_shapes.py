"""What an import makes of each program's own ways: places, addresses, lists, ids, keys and titles; the rest is told."""

from pathlib import Path

import pytest
from tests.cli.sources import EVERY, lay

from waypost.site.importing.plan import Shape
from waypost.site.importing.recognise import plan_import
from waypost.site.markdown import link_targets
from waypost.site.naming import path_key


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
