"""A folder that came with everything in it: plain pages are read in one loop, and stand as if read one by one."""

import gc
import json
import random
from pathlib import Path
from typing import cast

import pytest
from tests.site.roots import Root, paths, snapshot

from waypost.site import collecting, scan
from waypost.site.cache import PageMetaCache
from waypost.site.collecting import without_collections

TEXTS = (
    "# Plain\n",
    "# The *marked* `one` #\nText\n",
    "# Caf\u00e9 \u2013 more\r\nText",
    "Set\n===\n",
    "no title at all",
    "# only a line",
    "#\n# second\n",
    "# \n\n# later\n",
    "",
    "---\ntitle: Front\ntags: [staff]\n---\n# X\n",
    "---\ntitle: [\n---\n# Broken\n",
    "+++\ndraft = true\n+++\n# Draft\n",
    "---\ntranslations: {de: moved/s1/p10}\n---\n# Named\n",
    "---\nnoindex: true\nalias: s2/p3\n---\n# Quiet\n",
    "---\nredirect_from: [moved/s1/p1]\n---\n# From\n",
    "---\npublished: 2026-01-20\n---\n# Dated\n",
    "# &amp; <b>tag</b> \\*\n",
    "```\n# code\n```\n# Real\n",
    b"\xef\xbb\xbf# Marked\n",
    b"# \xff\xfe broken\n",
    b"# x\x00y\n",
)
NAMES = ("p{}.md", "p{}.markdown", "P{}.md", "a b {}.md", "login/p{}.md", "id{}/index.md", "f{}.txt", "p{}.md.md")


def fill(folder: Path, count: int, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(count):
        text = chance.choice(TEXTS) if number % 3 else f"# Page {number}\n"
        data = text if isinstance(text, bytes) else text.encode()
        path = folder / f"s{number % 5}" / chance.choice(NAMES).format(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        match chance.randrange(12):
            case 0:
                path.with_name(f"{path.name}.json").write_text(json.dumps({"alias": f"own/{number % 9}"}))
            case 1:
                path.with_name(f"{path.name}.toml").write_text('translations = {en = "index"}\n')
            case 2:
                path.with_name(f"{path.name}.toml").write_text(f'id = "{number % 4:016x}"\n')


def slow(root: Root, monkeypatch: pytest.MonkeyPatch) -> PageMetaCache:
    """The cache as the careful reader makes it, object by object."""
    with monkeypatch.context() as patch:
        patch.setattr(scan, "read_rows", lambda _folder, _shard, _now, groups: ([], list(groups), 0.0))
        patch.setattr(scan, "read_pages", lambda _descriptor, _folder, _now, groups: ({}, list(groups), 0.0))
        return root.cache()


def stands(cache: PageMetaCache) -> dict[str, object]:
    """What a cache says; objects whose id another has are nowhere, whoever may have seen them before."""
    found = snapshot(cache)
    objects = cast("dict[str, tuple[str, object, str, str]]", found["objects"])
    return {**found, "objects": {blob: facts if facts[0] else () for blob, facts in objects.items()}}


def documents(cache: PageMetaCache) -> tuple[object, ...]:
    table = cache.table()
    bodies = [b"".join(run.shot().joined(b"https://a")) for run in table.runs if run.pages]
    return bodies, table.changed_at, [page.path for page in table.newest(20)], table.feed_folders()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "settings", ["", "[sitemap]\nsplit_at = 50\npart_size = 20\n", 'slash = "always"\nhome = "x"\n']
)
def test_what_came_by_one_rename_stands_as_if_read_one_by_one(
    root: Root, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int, settings: str
) -> None:
    root.write("waypost.toml", f'{settings}[tags.staff]\nroles = ["staff"]\n')
    fill(root.content, 40, seed + 100)
    root.page("index.md", "---\ntranslations: {de: moved/s1/p1, fr: moved/s2/p2}\nimages: [f6.txt]\n---\n# Home\n")
    root.page("moved.md", "# In the way\n")
    root.page("aa/00000000000000aa.1", "# Id\n")
    root.page("aa/00000000000000aa.1.json", '{"title": "Id", "alias": "moved/s0/p30"}')
    cache = root.cache()
    before = stands(cache)
    fill(tmp_path / "away", 400, seed)
    (tmp_path / "away").rename(root.content / "moved")
    careful = slow(root, monkeypatch)
    assert len(paths(cache)) > 250
    assert stands(cache) == stands(careful)
    assert documents(cache)[0] == documents(careful)[0]
    assert stands(root.cache()) == stands(careful)
    assert documents(root.cache()) == documents(careful)
    (root.content / "moved").rename(root.content / "again")
    assert stands(cache) == stands(slow(root, monkeypatch))
    (root.content / "again").rename(tmp_path / "away")
    assert stands(cache) == before


def test_a_shard_that_came_with_everything_in_it(root: Root, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cache = root.cache()
    (tmp_path / "7f").mkdir()
    for number in range(50):
        base = tmp_path / f"7f/{number:014x}7f.1"
        base.write_text("# Page\n")
        base.with_name(f"{base.name}.json").write_text(json.dumps({"title": "T", "alias": f"p{number % 40}"}))
    (tmp_path / "7f").rename(root.content / "7f")
    assert len(paths(cache)) == 50
    assert stands(cache) == stands(slow(root, monkeypatch))
    root.page(f"7f/{3:014x}7f.2", "# Next\n")
    root.page(f"7f/{3:014x}7f.2.json", '{"title": "T", "alias": "next"}')
    assert "/next" in paths(cache)


def test_a_page_of_a_first_scan_has_the_translation_that_is_read_behind_it(root: Root) -> None:
    said = {"00": {"lang": "en", "translations": {"de": "b"}, "alias": "a"}, "ff": {"title": "B", "alias": "b"}}
    for shard, sidecar in said.items():
        root.page(f"{shard}/{0:014x}{shard}.1", "# Page\n")
        root.page(f"{shard}/{0:014x}{shard}.1.json", json.dumps(sidecar))
    for cache in (root.cache(), root.cache()):
        table = cache.table()
        pages = [table.get("/a"), table.get("/b")]
        assert [page and page.alternates for page in pages] == [(("de", "/b"), ("en", "/a"))] * 2


@pytest.mark.parametrize("derived", [True, False])
def test_an_alias_longer_than_a_path_may_be_is_refused_however_plain(root: Root, derived: bool) -> None:
    long = "/".join(["x" * 200] * 9)
    if derived:
        root.page(f"{long}.md")
    else:
        root.page("page.md", f"---\nalias: {long}\n---\n# Page\n")
    root.page(f"ff/{0:014x}ff.1", "# Page\n")
    root.page(f"ff/{0:014x}ff.1.json", json.dumps({"title": "Long", "alias": long}))
    cache = root.cache()
    assert [path[:4] for path in paths(cache)] == ["/id/", "/id/"]
    assert len([report for report in cache.reports.every() if "characters" in report.reason]) == 2


def test_garbage_is_collected_as_before_when_many_objects_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "LASTING_MIN", 2)
    made: list[int] = []
    with without_collections(made, 0):
        assert not gc.isenabled()
    assert gc.isenabled()
    frozen = gc.get_freeze_count()
    with without_collections(made, 0):
        made += [1, 2, 3]
    assert gc.isenabled()
    assert gc.get_freeze_count() > frozen
    gc.unfreeze()
    gc.disable()
    try:
        with without_collections(made, 0):
            made.append(4)
        assert not gc.isenabled()
    finally:
        gc.enable()
        gc.unfreeze()
