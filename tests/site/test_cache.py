"""PageMetaCache: what is on disk, by the rules of the runtime root."""

import logging
import os
import shutil
import stat
import time
from pathlib import Path

import pytest
from tests.site.roots import Root, paths, snapshot

from waypost.errors import ConfigError
from waypost.limits import TRANSLATIONS_MAX
from waypost.site import cache as module
from waypost.site import translations, writers
from waypost.site.access import Access
from waypost.site.naming import path_key
from waypost.site.reports import Reports
from waypost.site.watch import Mode

KEY = "0123456789abcdef"


def test_path_objects_have_the_alias_of_their_path(root: Root) -> None:
    root.page("index.md", "# Home")
    root.page("docs/index.md", "# Docs")
    root.page("docs/Hello World.md", "no heading")
    root.page("caf\u00e9/\u00c9t\u00e9.md")
    root.page("img/A.png", b"png")
    cache = root.cache()
    assert paths(cache) == ["/", "/caf%C3%A9/%C3%A9t%C3%A9", "/docs", "/docs/hello-world"]
    pages = {page.path: page for page in cache.table()}
    assert [pages[path].title for path in ("/", "/docs", "/docs/hello-world")] == ["Home", "Docs", "Hello World"]
    assert pages["/docs"].key == path_key("docs/index.md")
    image = cache.named("img/A.png")
    assert image is not None
    assert (image.path, image.mime) == ("/img/a.png", "image/png")


def test_sidecar_and_front_matter_are_read_and_the_sidecar_wins(root: Root) -> None:
    root.page("a.md", "---\ntitle: Front\nalias: front\nlang: de\n---\n# Heading")
    root.page("b.md", "---\ntitle: Front\nlang: de\n---\n# Heading")
    root.page("b.md.toml", f'id = "{KEY}"\ntitle = "Side"\nalias = "Side//Car/"\n')
    root.page("c.md")
    root.page("c.md.json", '{"alias": ""}')
    cache = root.cache()
    pages = {page.path: page for page in cache.table()}
    assert set(pages) == {"/front", "/side/car", f"/id/{path_key('c.md').hex()}"}
    assert (pages["/side/car"].title, pages["/side/car"].lang, pages["/side/car"].key.hex()) == ("Side", "de", KEY)
    assert pages["/front"].title == "Front"


def test_id_objects_of_a_nopressure_root_are_read_as_they_are(root: Root) -> None:
    root.page(f"ef/{KEY}.1", "# Old")
    root.page(f"ef/{KEY}.1.ron", '(alias: "old", mime: "text/markdown", tags: [])')
    root.page(f"ef/{KEY}.10", "# New")
    root.page(f"ef/{KEY}.10.ron", '(alias: "docs/new", title: Some("N"), mime: "text/markdown", tags: ["a/b"])')
    root.page("02/0000000000000002.0", "# Closed")
    root.page("02/0000000000000002.0.ron", '(alias: "closed", mime: "text/markdown", tags: ["staff"])')
    root.page("03/0000000000000003.0", b"\x89PNG")
    root.page("03/0000000000000003.0.ron", '(alias: "pic", mime: "image/png", original_filename: "p.png", tags: [])')
    root.page("02/notes.md", "# a path object in a two-letter folder")
    root.write("state/sys/tags.yaml", 'staff:\n  name: "Staff"\n  roles:\n    - "staff"\n')
    cache = root.cache()
    assert paths(cache) == ["/02/notes", "/docs/new"]
    closed, picture = cache.catalog.by_key(bytes.fromhex("0000000000000002")), cache.catalog.holder("/pic")
    assert closed is not None
    assert closed.access == Access(is_public=False, roles=frozenset({"staff"}))
    assert picture is not None
    assert picture.mime == "image/png"


@pytest.mark.parametrize(
    ("name", "sidecar", "reason"),
    [
        (f"aa/{KEY}.1", "json", "wrong shard"),
        (f"ef/{KEY}.1", "", "needs a sidecar"),
        (f"ef/{KEY}.1", "json toml", "more than one sidecar"),
    ],
)
def test_id_objects_that_are_withheld(root: Root, name: str, sidecar: str, reason: str) -> None:
    root.page(name)
    for form in sidecar.split():
        root.page(f"{name}.{form}", '{"alias": "x"}' if form == "json" else 'alias = "x"')
    cache = root.cache()
    assert paths(cache) == []
    (report,) = cache.reports.every()
    assert reason in report.reason
    assert report.is_withheld


def test_no_older_version_of_an_id_object_stands_in_for_one_that_is_withheld(root: Root) -> None:
    old = root.page(f"ef/{KEY}.1", "# Old")
    root.page(f"ef/{KEY}.1.json", '{"alias": "one"}')
    new = root.page(f"ef/{KEY}.2", "# New")
    root.page(f"ef/{KEY}.2.json", '{"alias": "one", "access": "de')
    cache = root.cache()
    for _ in range(2):
        assert paths(cache) == []
        old.touch()
    new.unlink()
    assert paths(cache) == ["/one"]
    new = root.page(f"ef/{KEY}.2", "# New")
    old.touch()
    assert paths(cache) == []
    root.page(f"ef/{KEY}.2.json", '{"alias": "two"}')
    assert paths(cache) == ["/two"]
    assert snapshot(cache) == snapshot(root.cache())


def test_a_sidecar_of_an_id_object_without_its_blob_is_reported_while_that_is_so(root: Root) -> None:
    for name in (f"ef/{KEY}.1", f"ef/{KEY}.1.json", f"ef/{KEY}.2.json"):
        root.page(name, '{"alias": "one"}')
    early, late = root.cache(), [f"ef/{KEY}.2.json: a sidecar without its blob"]
    assert paths(early) == ["/one"]
    assert [str(report) for report in early.reports.every()] == late
    blob = root.page(f"ef/{KEY}.2")
    assert paths(early) == ["/one"]
    assert len(early.reports) == 0
    blob.unlink()
    assert paths(early) == ["/one"]
    assert [str(report) for report in early.reports.every()] == late
    root.page(f"ef/{KEY}.3.ron", '(alias: "three")')
    assert paths(early) == ["/one"]
    assert len(early.reports) == 2
    (root.content / f"ef/{KEY}.3.ron").unlink()
    (root.content / f"ef/{KEY}.2.json").unlink()
    assert paths(early) == ["/one"]
    assert len(early.reports) == 0


def test_a_sidecar_is_never_an_object_with_or_without_its_blob(root: Root) -> None:
    root.page("a.md")
    root.page("a.md.toml", 'title = "A"')
    root.page("gone.md.toml", 'title = "G"')
    root.page("gone.json", '{"title": "G", "tags": []}')
    root.page("pyproject.toml", "[x]")
    root.page(f"ef/{KEY}.1.json", "{}")
    root.page("data.json", '{"name": "data"}')
    root.page("list.json", "[1]")
    root.page("half.json", '{"na')
    cache = root.cache()
    assert {entry.blob for entry in cache.catalog.entries()} == {"a.md", "data.json", "list.json"}
    assert {report.file for report in cache.reports.every()} == {"gone.md.toml", f"ef/{KEY}.1.json", "half.json"}


def test_a_data_file_becomes_a_sidecar_when_its_blob_comes(root: Root) -> None:
    root.page("list.json", '{"title": "List", "extra": 1}')
    cache = root.cache()
    assert [entry.blob for entry in cache.catalog.entries()] == ["list.json"]
    blob = root.page("list", b"blob")
    cache.table()
    assert [(entry.blob, entry.title) for entry in cache.catalog.entries()] == [("list", "List")]
    blob.unlink()
    cache.table()
    assert [entry.blob for entry in cache.catalog.entries()] == ["list.json"]


@pytest.mark.parametrize(
    "name",
    [".hidden.md", "a.tmp", "a.md~", ".git/x.md", "#a.md#", ".a.md.swp", "x.md.swp", ".dir/deep/x.md"],
)
def test_ignored_names(root: Root, name: str) -> None:
    root.page(name)
    cache = root.cache()
    assert len(cache.catalog) == 0
    root.page(f"{name}")
    assert paths(cache) == []
    assert len(cache.reports) == 0


@pytest.mark.parametrize("mode", [Mode.EXACT, Mode.STAT, Mode.REPLACE_ONLY])
def test_safety_16_links_fifos_and_loops_are_ignored(root: Root, mode: Mode) -> None:
    root.page("real.md")
    (root.content / "link.md").symlink_to("real.md")
    (root.content / "loop").symlink_to(".")
    (root.content / "out").symlink_to("/etc")
    os.mkfifo(root.content / "fifo.md")
    (root.content / "data.json").symlink_to("/etc/hostname")
    cache = root.cache(mode)
    assert paths(cache) == ["/real"]
    assert len(cache.reports) == 0
    os.mkfifo(root.content / "late.md")
    (root.content / "late").symlink_to("/etc", target_is_directory=True)
    assert paths(cache) == ["/real"]


@pytest.mark.parametrize("mode", [Mode.EXACT, Mode.STAT, Mode.REPLACE_ONLY])
@pytest.mark.parametrize("kind", ["fifo", "link", "link to nothing", "socket"])
def test_spec_fail_closed_a_sidecar_that_is_no_file_withholds(root: Root, mode: Mode, kind: str) -> None:
    def put(path: Path) -> None:
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "socket":
            os.mknod(path, 0o600 | stat.S_IFSOCK)
        else:
            path.symlink_to("real.md" if kind == "link" else "nothing")

    for name in ("real.md", "x.md", "y.md", f"ef/{KEY}.1", f"{KEY[-2:]}/plain.md"):
        root.page(name)
    root.page(f"ef/{KEY}.1.json", '{"alias": "by-id"}')
    for name in ("x.md.toml", f"{KEY[-2:]}/plain.md.ron", f"ef/{KEY}.1.ron"):
        put(root.content / name)
    cache = root.cache(mode)
    assert paths(cache) == ["/real", "/y"]
    reasons = [str(report) for report in cache.reports.every()]
    assert "x.md.toml: its sidecar cannot be read: not a regular file; withheld" in reasons
    put(root.content / "y.md.json")
    assert paths(cache) == ["/real"]
    (root.content / "x.md.toml").unlink()
    assert paths(cache) == ["/real", "/x"]


def test_the_root_itself_may_be_a_link_and_is_followed_when_it_turns(root: Root) -> None:
    root.page("one.md")
    other = Root(root.path.parent / "other")
    other.page("two.md")
    link = Root(root.path.parent / "link")
    link.path.symlink_to(root.path)
    cache = link.cache()
    assert paths(cache) == ["/one"]
    new = root.path.parent / "new"
    new.symlink_to(other.path)
    new.rename(link.path)
    assert paths(cache) == ["/two"]
    other.page("three.md")
    assert paths(cache) == ["/three", "/two"]
    link.close()


def test_two_sidecars_beside_a_blob_withhold_it(root: Root) -> None:
    root.page("a.md")
    root.page("a.md.toml", 'title = "A"')
    cache = root.cache()
    assert paths(cache) == ["/a"]
    extra = root.page("a.md.json", "{}")
    assert paths(cache) == []
    assert "more than one sidecar" in cache.reports.every()[0].reason
    extra.unlink()
    assert paths(cache) == ["/a"]
    assert len(cache.reports) == 0


def test_one_id_belongs_to_the_first_path(root: Root) -> None:
    for name in ("b.md", "a.md", "c.md"):
        root.page(name)
        root.page(f"{name}.toml", f'id = "{KEY}"\n')
    cache = root.cache()
    assert paths(cache) == ["/a"]
    assert [report.file for report in cache.reports.every() if report.is_withheld] == ["b.md", "c.md"]
    (root.content / "a.md").unlink()
    assert paths(cache) == ["/b"]
    root.page(f"ef/{KEY}.3")
    root.page(f"ef/{KEY}.3.json", '{"alias": "z"}')
    assert paths(cache) == ["/b"]
    (root.content / "b.md").unlink()
    (root.content / "c.md").unlink()
    assert paths(cache) == ["/z"]


def test_collisions_an_explicit_alias_beats_a_derived_one_then_the_lowest_id(root: Root) -> None:
    root.page("docs.md")
    root.page("docs/index.md")
    low = min(("docs.md", "docs/index.md"), key=path_key)
    cache = root.cache()
    holder = cache.catalog.holder("/docs")
    assert holder is not None
    assert holder.blob == low
    assert len(paths(cache)) == 2
    explicit = root.page("other.md", "---\nalias: docs\n---\n")
    holder = cache.table() and cache.catalog.holder("/docs")
    assert holder is not None
    assert holder.blob == "other.md"
    assert len([path for path in paths(cache) if path.startswith("/id/")]) == 2
    assert len(cache.reports) == 2
    explicit.unlink()
    assert len([path for path in paths(cache) if path.startswith("/id/")]) == 1
    fresh = root.cache()
    assert snapshot(fresh) == snapshot(cache)


def test_spec_reserved_paths_no_alias_no_sitemap(root: Root) -> None:
    root.page("login/page.md")
    root.page("api.md")
    root.page("robots.txt", "User-agent: *")
    root.page("sitemap.xml", "<x/>")
    root.page("x.md", "---\nalias: Login/x\n---\n")
    root.page("desk/x.md")
    cache = root.cache()
    assert {path.rpartition("/")[0] for path in paths(cache) if path != "/desk/x"} == {"/id"}
    withheld = {report.file for report in cache.reports.every() if report.is_withheld}
    assert withheld == {"robots.txt", "sitemap.xml"}
    assert len(cache.reports) == 5
    root.write("waypost.toml", '[admin]\npath = "desk"\n')
    assert "/desk/x" not in paths(cache)
    root.write("waypost.toml", '[admin]\npath = "other"\n')
    assert "/desk/x" in paths(cache)


def test_unreadable_objects_are_withheld_and_said_once_with_file_line_and_reason(
    root: Root, caplog: pytest.LogCaptureFixture
) -> None:
    root.page("good.md")
    root.page("bad.md")
    sidecar = root.page("bad.md.toml", "title = 'x'\nnav_order = 'y'\n")
    root.page("front.md", "---\ntitle: [\n---\n")
    root.page("named.md", "---\ntitle: Named\n---\n")
    named = root.page("named.md.json", '{"id": "NOT AN ID"}')
    with caplog.at_level(logging.WARNING, "waypost.site"):
        cache = root.cache()
        assert paths(cache) == ["/good"]
        for _ in range(3):
            root.page("good.md", "# x")
            cache.table()
    assert len(caplog.records) == 3
    assert "named.md.json: id is 16 lower-case" in caplog.text
    named.unlink()
    root.page("named.md", "---\nid: NOT AN ID EITHER\n---\n")
    assert paths(cache) == ["/good"]
    assert "named.md: id is 16 lower-case" in caplog.text
    assert "bad.md.toml:2: nav_order" in caplog.text
    assert "front.md:" in caplog.text
    sidecar.write_text("title = 'x'\n")
    assert paths(cache) == ["/bad", "/good"]


@pytest.mark.parametrize("mode", [Mode.EXACT, Mode.STAT])
def test_safety_5_a_thousand_prefixes_of_a_restricting_sidecar(root: Root, mode: Mode) -> None:
    whole = b'{"description": "' + b"x" * 960 + b'", "roles": ["staff"]}'
    root.page("a.md")
    sidecar = root.page("a.md.json", whole)
    cache = root.cache(mode)
    assert paths(cache) == []
    step = 1 if mode is Mode.EXACT else 37
    for end in range(0, len(whole), step):
        with sidecar.open("wb") as stream:
            stream.write(whole[:end])
            stream.flush()
            assert paths(cache) == []
    sidecar.write_bytes(b'{"description": "open"}')
    assert paths(cache) == ["/a"]


def test_an_edit_in_place_may_only_narrow_until_its_writer_closes_the_file(root: Root) -> None:
    root.write("waypost.toml", '[tags.staff]\nroles = ["staff"]\n')
    root.page("a.md")
    sidecar = root.page("a.md.toml", 'tags = ["staff"]\n')
    cache = root.cache()
    assert paths(cache) == []
    with sidecar.open("w") as stream:
        assert paths(cache) == []
        stream.write('title = "half"\n')
        stream.flush()
        assert paths(cache) == [], "it parses and says less than it will"
        stream.write('tags = ["label"]\n')
        stream.flush()
        assert paths(cache) == []
    assert paths(cache) == ["/a"]
    with sidecar.open("r+") as stream:
        stream.truncate()
        stream.write('tags = ["staff"]')
        stream.flush()
        assert paths(cache) == [], "narrowing is seen at once"
        stream.seek(0)
        stream.write('title = "xxxxx" ')
        stream.flush()
        assert paths(cache) == ["/a"], "it was public before this writer came"


def test_a_new_file_is_not_listed_before_its_writer_closes_it(root: Root) -> None:
    cache = root.cache()
    with (root.content / "a.md").open("w") as stream:
        assert paths(cache) == []
        stream.write("# Half of")
        stream.flush()
        assert paths(cache) == []
    assert paths(cache) == ["/a"]


@pytest.mark.parametrize("name", ["a.md", "0a/000000000000000a.1"])
def test_a_new_page_cut_short_by_its_path_before_anybody_looked_is_listed(root: Root, name: str) -> None:
    cache = root.cache()
    page = root.page(name, "# One\nmore than there will be")
    root.page(f"{name}.json", '{"title": "One", "alias": "a"}   ')
    os.truncate(page, 6)
    os.truncate(root.content / f"{name}.json", 31)
    assert paths(cache) == ["/a"]
    sidecar = root.page(f"{name}.json", '{"title": "One", "alias": "b", "access": "deny"}')
    assert paths(cache) == []
    with page.open("r+") as stream:
        sidecar.write_text('{"title": "One", "alias": "b"}')
        stream.write("#")
        stream.flush()
        os.truncate(page, 5)
        assert paths(cache) == [], "its writer has not closed it"
        assert paths(cache) == []
    assert paths(cache) == ["/b"]


def test_a_page_cut_short_is_held_back_where_nobody_can_say_who_writes_it(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = root.cache()
    for fault in ("_SET_LEASE", "_SET_SIGNAL"):
        with monkeypatch.context() as patch:
            patch.setattr(writers, fault, None)
            os.truncate(root.page("a.md", "# One\nmore"), 6)
            assert paths(cache) == []
        (root.content / "a.md").touch()
        assert paths(cache) == ["/a"]
        (root.content / "a.md").unlink()
        assert paths(cache) == []
    assert writers.has_writer(str(root.content / "a.md")), "of what is not there nobody can say"


def test_settings_cut_short_by_their_path_are_whole(root: Root) -> None:
    root.page("a.md", "---\ntags: [staff]\n---\n")
    settings = root.write("waypost.toml", 'title = "x"\n[tags.staff]\nroles = ["staff"]\n')
    cache = root.cache()
    assert paths(cache) == []
    os.truncate(settings, 12)
    assert paths(cache) == ["/a"]


def test_a_page_being_written_stays_withheld_when_settings_change_or_a_rival_leaves(root: Root) -> None:
    page = root.page("b.md", f"---\naccess: deny\nid: {KEY}\n---\n# Secret")
    rival = root.page("a.md", f"---\nid: {KEY}\n---\n")
    root.write("waypost.toml", 'title = "old"\n')
    cache = root.cache()
    with page.open("w") as stream:
        stream.write(f"---\nid: {KEY}\n---\n# Secret")
        stream.flush()
        assert paths(cache) == ["/a"]
        rival.unlink()
        assert paths(cache) == []
        root.write("waypost.toml", 'title = "new"\n')
        assert cache.table() is not None
        assert cache.settings().title == "new"
        assert paths(cache) == []
    assert paths(cache) == ["/b"]


def test_a_public_page_edited_in_place_shows_while_the_file_is_open(root: Root) -> None:
    page = root.page("a.md", "# One")
    cache = root.cache()
    with page.open("r+") as stream:
        stream.write("# Two")
        stream.flush()
        assert [found.title for found in cache.table()] == ["Two"]


@pytest.mark.parametrize(
    "data",
    [b"", b"x" * (1 << 21), b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000, b"title = 1", b"\0" * 50],
)
@pytest.mark.parametrize("form", ["toml", "json", "ron"])
def test_safety_6_hostile_sidecars_withhold_their_object_alone(root: Root, data: bytes, form: str) -> None:
    root.page("a.md")
    root.page(f"a.md.{form}", data)
    root.page(f"ef/{KEY}.1")
    root.page(f"ef/{KEY}.1.{form}", data)
    root.page("good.md")
    cache = root.cache()
    assert paths(cache) == ["/good"]
    assert len(cache.reports) == 2


def test_safety_4_an_unreadable_file_withholds_its_object_alone(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.md", "b.md"):
        root.page(name)
    real = os.open

    def fails(path: str, *args: object, **kwargs: object) -> int:
        if str(path).endswith("a.md"):
            raise OSError(5, "Input/output error")
        return real(path, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", fails)
    cache = root.cache()
    assert paths(cache) == ["/b"]
    assert cache.reports.every()[0].reason == "input/output error"
    monkeypatch.undo()
    os.utime(root.content / "a.md")
    assert paths(cache) == ["/a", "/b"]


def test_safety_8_times_of_the_future_and_of_the_epoch(root: Root) -> None:
    future, epoch, old = root.page("future.md"), root.page("epoch.md"), root.page("old.md")
    os.utime(future, (4_000_000_000, 4_000_000_000))
    os.utime(epoch, (0, 0))
    os.utime(old, (900_000_000, 900_000_000))
    cache = root.cache()
    pages = {page.path: page.last_modified for page in cache.table()}
    assert pages["/future"] is not None
    assert time.time() - 60 < pages["/future"] <= time.time()
    assert pages["/future"] == future.stat().st_ctime
    assert pages["/epoch"] is None
    assert pages["/old"] == 900_000_000
    os.utime(old, (899_000_000, 899_000_000))
    assert {page.path: page.last_modified for page in cache.table()}["/old"] == 899_000_000


def test_safety_8_a_time_of_the_future_is_the_same_date_for_every_worker(root: Root) -> None:
    plain, with_sidecar = root.page("plain.md"), root.page("page.md")
    sides = [root.write("content/page.md.toml", 'title = "T"\n')]
    blob = root.page("01/0000000000000001.1")
    sides.append(root.page("01/0000000000000001.1.json", '{"title": "T"}'))
    for file in (plain, with_sidecar, blob, *sides):
        os.utime(file, (4_000_000_000, 4_000_000_000))
    first = root.cache().table()
    time.sleep(0.02)
    second = root.cache().table()
    assert len(first) == 3
    assert first.set_hash == second.set_hash
    assert {page.path: page.last_modified for page in first} == {
        "/plain": plain.stat().st_ctime,
        "/page": max(with_sidecar.stat().st_ctime, sides[0].stat().st_ctime),
        "/id/0000000000000001": max(blob.stat().st_ctime, sides[1].stat().st_ctime),
    }


def test_safety_8_a_clock_put_back_leaves_no_date_of_the_future(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"p{number}.md" for number in range(6)]
    for name in names:
        root.page(name)
    root.write("waypost.toml", "[sitemap]\nsplit_at = 2\npart_size = 3\n")
    cache = root.cache()
    (root.content / "p5.md").unlink()
    before = paths(cache)
    now = time.time() - 3_600
    monkeypatch.setattr(time, "time", lambda: now)
    table = cache.table()
    assert paths(cache) == before
    assert {page.last_modified for page in table} == {now}
    assert max(run.newest for run in table.runs) <= now
    assert table.gone_at <= now
    assert table.changed_at is None
    root.page("p0.md", "# Later")
    assert max(page.last_modified or 0 for page in cache.table()) <= now
    assert paths(root.cache()) == before


def test_safety_8_a_clock_put_back_is_followed_in_a_thread_where_that_takes_long(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "REJUDGE_QUICK", 1)
    for name in ("a.md", "b.md"):
        root.page(name)
    cache = root.cache()
    now = time.time() - 3_600
    monkeypatch.setattr(time, "time", lambda: now)
    assert cache.try_table() is None
    assert {page.last_modified for page in cache.table()} == {now}
    assert cache.try_table() is not None


def test_a_page_too_long_to_be_rendered_is_withheld_and_follows_the_setting(root: Root) -> None:
    settings = root.write("waypost.toml", "[limits]\npage_bytes = 2000\n")
    root.page("a.md", "# A")
    long = root.page("long.md", "# Long\n" + "x" * 2_000)
    for number, size in ((1, 10), (2, 3_000)):
        root.page(f"0{number}/000000000000000{number}.1", "x" * size)
        root.page(f"0{number}/000000000000000{number}.1.json", f'{{"title": "T", "alias": "by-id-{number}"}}')
    root.page("data.bin", b"x" * 4_000)
    cache = root.cache()
    assert paths(cache) == ["/a", "/by-id-1"]
    assert {report.file for report in cache.reports.every() if report.is_withheld} == {
        "long.md",
        "02/0000000000000002.1",
    }
    assert "longer than 2,000 bytes" in cache.reports.every()[0].reason
    settings.write_text("[limits]\npage_bytes = 2010\n")
    assert paths(cache) == ["/a", "/by-id-1", "/long"]
    settings.write_text("")
    settings.write_text("[limits]\npage_bytes = 2000000\n")
    assert paths(cache) == ["/a", "/by-id-1", "/by-id-2", "/long"]
    long.write_text("x" * 2_000_001)
    assert paths(cache) == ["/a", "/by-id-1", "/by-id-2"]
    assert snapshot(root.cache()) == snapshot(cache)


def test_spec_lastmod_latest_of_blob_and_sidecar(root: Root) -> None:
    blob, sidecar = root.page("a.md"), root.page("a.md.toml", "title = 'x'\n")
    key_blob, key_sidecar = root.page(f"ef/{KEY}.1"), root.page(f"ef/{KEY}.1.json", '{"alias": "b"}')
    cache = root.cache()
    for one, two in ((blob, sidecar), (key_blob, key_sidecar)):
        for first, second in ((1_000_000_000, 1_100_000_000), (1_300_000_000, 1_200_000_000)):
            os.utime(one, (first, first))
            os.utime(two, (second, second))
            page = next(page for page in cache.table() if page.path == ("/a" if one is blob else "/b"))
            assert page.last_modified == max(first, second)


def test_lastmod_declared(root: Root) -> None:
    root.write("waypost.toml", 'lastmod = "declared"\n')
    page = root.page("a.md", "---\nupdated: 2020-02-02\n---\n")
    other = root.page("b.md")
    os.utime(page, (1_000_000_000, 1_000_000_000))
    os.utime(other, (1_000_000_000, 1_000_000_000))
    cache = root.cache()
    found = {page.path: page.last_modified for page in cache.table()}
    assert found == {"/a": 1_580_601_600.0, "/b": 1_000_000_000.0}
    root.page("a.md", "---\nupdated: 2099-01-01\n---\n")
    os.utime(page, (1_100_000_000, 1_100_000_000))
    assert {page.path: page.last_modified for page in cache.table()}["/a"] == 1_100_000_000.0


def test_access_of_a_tag_follows_the_table_at_once(root: Root) -> None:
    root.page("a.md", "---\ntags: [staff]\n---\n")
    cache = root.cache()
    assert paths(cache) == ["/a"]
    tags = root.write("state/sys/tags.yaml", "staff:\n  roles: [boss]\n")
    assert paths(cache) == []
    tags.write_text("staff:\n  roles: [\n")
    assert paths(cache) == [], "the last good one stays"
    assert "tags.yaml" in str(cache.config.faults)
    tags.write_text("")
    assert paths(cache) == []
    tags.unlink()
    assert paths(cache) == []
    shutil.rmtree(root.path / "state")
    assert paths(cache) == []
    root.write("state/sys/tags.yaml", "staff:\n  roles: []\n")
    assert paths(cache) == ["/a"]
    assert cache.config.faults == {}


def test_broken_tags_at_the_start_withhold_every_tagged_object(root: Root, caplog: pytest.LogCaptureFixture) -> None:
    root.page("a.md", "---\ntags: [label]\n---\n")
    root.page("b.md")
    tags = root.write("state/sys/tags.yaml", "staff: [")
    cache = root.cache()
    assert paths(cache) == ["/b"]
    assert "every tagged object is withheld" in caplog.text
    assert "last good" not in caplog.text
    tags.write_text("staff: {roles: [x]}")
    assert paths(cache) == ["/a", "/b"]


def test_a_broken_configuration_at_the_start_is_an_error_with_its_line(root: Root) -> None:
    root.write("waypost.toml", "title = 'x'\nslahs = 'never'\n")
    with pytest.raises(ConfigError, match=r"waypost\.toml:2: .*'slash'"):
        root.cache()


def test_settings_follow_the_disk_and_the_last_good_ones_stay(root: Root) -> None:
    root.page("a.md")
    settings = root.write("waypost.toml", 'slash = "always"\n')
    cache = root.cache()
    assert paths(cache) == ["/a/"]
    for broken in ('slash = "', "", 'slash = "sometimes"\n'):
        settings.write_text(broken)
        assert paths(cache) == ["/a/"]
        assert "waypost.toml" in cache.config.faults
    settings.unlink()
    assert paths(cache) == ["/a/"]
    settings.write_text('slash = "never"\n')
    assert paths(cache) == ["/a"]
    assert cache.config.faults == {}


def test_settings_that_said_nothing_are_not_missed(root: Root) -> None:
    blank = root.write("waypost.toml", " \n")
    cache = root.cache()
    for text in ("\n", "\n\n"):
        blank.write_text(text)
        cache.table()
        assert cache.config.faults == {}
    blank.unlink()
    cache.table()
    assert cache.config.faults == {}


def test_settings_written_in_place_narrow_at_once_and_widen_when_closed(root: Root) -> None:
    root.page("a.md", "---\ntags: [staff]\n---\n")
    settings = root.write("waypost.toml", '[tags.staff]\nroles = ["staff"]\n')
    cache = root.cache()
    with settings.open("w") as stream:
        stream.write('title = "new"\n')
        stream.flush()
        assert paths(cache) == []
        assert cache.settings().title == "new"
    assert paths(cache) == ["/a"]


def test_the_name_of_a_file_below_the_admin_path_is_no_title(root: Root) -> None:
    settings = root.write("waypost.toml", "[admin]\npath = 'ZQSECRET.'\n")
    root.page("zqsecret.md", "no heading")
    root.page("zqsecret/x.md", "# Zqsecret\n")
    root.page("zqsecret.pdf", "x")
    cache = root.cache()
    assert paths(cache) == sorted(f"/id/{path_key(name).hex()}" for name in ("zqsecret.md", "zqsecret/x.md"))
    assert {page.title for page in cache.table()} == {"", "Zqsecret"}
    settings.write_text("[admin]\npath = 'other'\n")
    assert {page.path: page.title for page in cache.table()} == {"/zqsecret": "zqsecret", "/zqsecret/x": "Zqsecret"}
    assert snapshot(root.cache()) == snapshot(cache)


@pytest.mark.parametrize("mended", ['[admin]\npath = "other-door"\n', ""])
def test_settings_written_in_place_open_no_admin_path_before_they_are_closed(root: Root, mended: str) -> None:
    root.page("hidden-door/a.md")
    root.page("other-door/b.md")
    settings = root.write("waypost.toml", 'title = "old"\n[admin]\npath = "hidden-door"\n')
    cache = root.cache()
    before = paths(cache)
    assert "/hidden-door/a" not in before
    with settings.open("w") as stream:
        stream.write('title = "new"\n')
        stream.flush()
        assert paths(cache) == before
        stream.write(mended)
        stream.flush()
        assert paths(cache) == before
    assert "/hidden-door/a" in paths(cache)
    assert ("/other-door/b" in paths(cache)) == (not mended)
    assert cache.settings().title == "new"


def test_home_and_path_alias_settings(root: Root) -> None:
    root.page("index.md")
    root.page("welcome.md", "---\nalias: welcome\n---\n")
    settings = root.write("waypost.toml", 'home = "welcome"\n')
    cache = root.cache()
    holder = cache.catalog.holder("/")
    assert holder is not None
    assert holder.blob == "welcome.md"
    assert len(paths(cache)) == 2
    settings.write_text("content.path_alias = false\n")
    assert paths(cache) == sorted(["/welcome", f"/id/{path_key('index.md').hex()}"])


def test_a_bare_folder_is_its_own_content_and_shows_its_readme(bare: Root) -> None:
    bare.write("README.md", "# Notes")
    bare.write("a/b.md", "# B")
    cache = bare.cache()
    assert cache.is_bare
    assert paths(cache) == ["/", "/a/b"]
    index = bare.write("index.md", "# Index")
    assert paths(cache) == ["/", "/a/b", "/readme"]
    index.unlink()
    assert paths(cache) == ["/", "/a/b"]
    bare.write("README.md", "# Again")
    assert next(page.title for page in cache.table() if page.path == "/") == "Again"
    assert os.listdir(bare.path) == ["README.md", "a"] or sorted(os.listdir(bare.path)) == ["README.md", "a"]


def test_a_bare_folder_may_become_a_root(bare: Root) -> None:
    bare.write("a.md", "# A")
    cache = bare.cache()
    assert paths(cache) == ["/a"]
    bare.write("content/b.md", "# B")
    assert paths(cache) == ["/b"]
    assert not cache.is_bare


def test_a_root_whose_content_is_away_shows_nothing_else_of_it(root: Root, bare: Root) -> None:
    root.page("a.md")
    root.write("state/secret.key", "secret")
    root.write("themes/t.md", "# theme")
    cache = root.cache()
    root.content.rename(root.path / "elsewhere")
    assert paths(cache) == []
    assert len(root.cache().catalog) == 0
    root.write("waypost.toml", "")
    (root.path / "waypost.toml").unlink()
    assert paths(cache) == []
    bare.write("state/ohio.md", "# Ohio")
    assert paths(bare.cache()) == ["/state/ohio"]


def test_hreflang_sets_are_symmetric_and_hold_public_pages_alone(root: Root) -> None:
    root.page("en.md", "---\nlang: en\ntranslations: {de: de, fr: fr, it: it}\n---\n")
    root.page("de.md", "---\nlang: de\n---\n")
    french = root.page("fr.md")
    root.page("it.md", "---\ndraft: true\n---\n")
    cache = root.cache()
    want = (("de", "/de"), ("en", "/en"), ("fr", "/fr"))
    assert {page.path: page.alternates for page in cache.table()} == {"/en": want, "/de": want, "/fr": want}
    french.unlink()
    assert {page.alternates for page in cache.table()} == {want[:2]}
    root.page("de.md", "---\nlang: de\nnoindex: true\n---\n")
    assert {page.alternates for page in cache.table()} == {()}
    assert snapshot(root.cache()) == snapshot(cache)


def test_one_page_a_language_is_in_a_set_of_translations(root: Root) -> None:
    root.page("a.md", "---\nlang: en\ntranslations: {de: d}\n---\n")
    root.page("b.md", "---\nlang: EN\ntranslations: {de: d}\n---\n")
    root.page("d.md", "---\nlang: de\n---\n")
    want = (("de", "/d"), ("en", "/a"))
    cache = root.cache()
    assert {page.path: page.alternates for page in cache.table()} == {"/a": want, "/b": (), "/d": want}
    assert snapshot(root.cache()) == snapshot(cache)


def test_pages_without_end_that_name_one_page_as_their_translation_are_none(root: Root) -> None:
    text = "---\ntranslations: {de: home-de}\nlang: x-%d\n---\n"
    for number in range(TRANSLATIONS_MAX - 1):
        root.page(f"p{number}.md", text % number)
    root.page("home-de.md", "---\nlang: de\n---\n")
    cache = root.cache()
    assert {len(page.alternates) for page in cache.table()} == {TRANSLATIONS_MAX}
    last = root.page("last.md", text % 999)
    assert {page.alternates for page in cache.table()} == {()}
    assert snapshot(root.cache()) == snapshot(cache)
    last.unlink()
    assert {len(page.alternates) for page in cache.table()} == {TRANSLATIONS_MAX}
    assert snapshot(root.cache()) == snapshot(cache)


def test_a_scan_goes_through_a_set_of_translations_once(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(40):
        root.page(f"p{number}.md", "---\ntranslations: {de: home-de}\n---\n")
    root.page("home-de.md")
    gathered: list[str] = []
    real = translations.Translations._gathered
    monkeypatch.setattr(
        translations.Translations, "_gathered", lambda self, entry: gathered.append(entry.name) or real(self, entry)
    )
    cache = root.cache()
    assert len(gathered) == 1
    root.write("waypost.toml", "title = 'new'\n")
    root.page("p1.md", "---\ntranslations: {de: home-de}\nlang: fr\n---\n")
    assert next(page for page in cache.table() if page.path == "/p1").lang == "fr"
    assert len(gathered) < 10


def test_an_alias_or_id_that_very_many_want_is_reported_once(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(100):
        root.page(f"a{number}.md", "---\nalias: same\n---\n")
        root.page(f"b{number}.md", "---\nid: 00000000000000aa\n---\n")
    said: list[str] = []
    real = Reports.say
    monkeypatch.setattr(
        Reports, "say", lambda self, subject, *rest, **more: said.append(subject) or real(self, subject, *rest, **more)
    )
    cache = root.cache()
    assert len(said) == len(set(said)) == len(cache.reports.every()) == 198
    assert sum(path == "/same" for path in paths(cache)) == 1


def test_who_has_no_path_of_its_own_is_nobodys_translation(root: Root) -> None:
    root.page("a.md", "---\nlang: en\ntranslations: {de: same}\n---\n")
    root.page("b.md", "---\nlang: de\nalias: same\n---\n")
    root.page("c.md", "---\nlang: fr\nalias: same\n---\n")
    cache = root.cache()
    links = {page.path: page.alternates for page in cache.table()}
    assert {path for path in links if links[path]} == {"/a", "/same"}
    assert snapshot(root.cache()) == snapshot(cache)


def test_dates_that_no_page_of_the_web_can_have_are_none(root: Root) -> None:
    root.page("a.md", "---\npublished: 1988-06-01\nupdated: 1970-01-01\n---\n")
    root.page("b.md", "---\npublished: 2026-01-20\n---\n")
    dates = {page.path: (page.published, page.updated) for page in root.cache().table()}
    assert dates == {"/a": (None, None), "/b": (1768867200.0, None)}


def test_images_that_are_not_public_are_dropped(root: Root) -> None:
    root.page(
        "docs/a.md",
        '---\nimages: [pic.png, ../logo.png, /logo.png, logo.png, "https://x.example/i.png", gone.png, secret.png]\n---\n',
    )
    root.page("docs/pic.png", b"x")
    root.page("docs/secret.png", b"x")
    root.page("docs/secret.png.toml", 'access = "deny"\n')
    logo = root.page("logo.png", b"x")
    cache = root.cache()
    assert next(iter(cache.table())).images == ("/docs/pic.png", "/logo.png", "https://x.example/i.png")
    logo.unlink()
    assert next(iter(cache.table())).images == ("/docs/pic.png", "https://x.example/i.png")


def test_a_missing_content_folder_comes_and_goes(root: Root) -> None:
    root.write("waypost.toml", "")
    shutil.rmtree(root.content)
    cache = root.cache()
    assert paths(cache) == []
    root.page("a.md")
    assert paths(cache) == ["/a"]
    root.content.rename(root.path / "elsewhere")
    assert paths(cache) == []
    (root.path / "elsewhere").rename(root.content)
    assert paths(cache) == ["/a"]


def test_nothing_is_made_in_a_root_by_watching_it(root: Root) -> None:
    root.page("a.md")
    before = sorted(path for path, _, _ in os.walk(root.path))
    cache = root.cache()
    cache.table()
    assert sorted(path for path, _, _ in os.walk(root.path)) == before


def test_a_data_file_has_a_sidecar_of_its_own(root: Root) -> None:
    for name, said in (
        ("denied", 'access = "deny"'),
        ("hidden", 'roles = ["x"]'),
        ("broken", "a ="),
        ("named", 'alias = "n"'),
    ):
        root.page(f"{name}.json", '{"z": 1}')
        root.page(f"{name}.json.toml", said)
    cache = root.cache()

    def served() -> dict[str, bool]:
        return {entry.path: entry.access.is_public for entry in cache.catalog.entries()}

    assert served() == {"/denied.json": False, "/hidden.json": False, "/n": True}
    root.page("named.json.toml", 'alias = "n"\naccess = "deny"')
    cache.table()
    assert served()["/n"] is False
    root.page("late.json", '{"z": 1}')
    root.page("late.json.json", '{"access": "deny"}')
    cache.table()
    assert served()["/late.json"] is False
    assert snapshot(cache) == snapshot(root.cache())


def test_a_file_in_the_wrong_shard_leaves_the_object_of_that_id_alone(root: Root) -> None:
    root.page(f"{KEY[-2:]}/{KEY}.1")
    root.page(f"{KEY[-2:]}/{KEY}.1.json", '{"alias": "here"}')
    stray = root.page(f"00/{KEY}.1")
    cache = root.cache()
    assert paths(cache) == ["/here"]
    stray.write_text("# Again\n")
    assert paths(cache) == ["/here"]
    stray.unlink()
    assert paths(cache) == ["/here"]
    sidecar = root.page(f"0b/{KEY}.9.json", "{}")
    assert paths(cache) == ["/here"]
    sidecar.unlink()
    assert paths(cache) == ["/here"]
    assert snapshot(cache) == snapshot(root.cache())


def test_an_alias_that_was_refused_for_a_while_comes_back(root: Root) -> None:
    root.page("index.md")
    root.page("start.md")
    root.page("sub.md")
    root.page(f"{KEY[-2:]}/{KEY}.1")
    root.page(f"{KEY[-2:]}/{KEY}.1.json", '{"alias": "rr"}')
    cache = root.cache()
    for text in (
        'home = "start"',
        "#",
        'home = "start"',
        'home = "sub"',
        '[admin]\npath = "rr"',
        '[admin]\npath = "start"',
        "#",
    ):
        root.write("waypost.toml", text)
        assert snapshot(cache) == snapshot(root.cache()), text
    assert paths(cache) == ["/", "/rr", "/start", "/sub"]
