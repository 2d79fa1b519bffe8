"""Ten rules of a cache that is true to the disk: another process changes, and the very next answer has it."""

import os
import resource
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests.site.kinds import FILE_KINDS, FOLDER_HELPERS, FOLDER_KINDS, HELPERS
from tests.site.roots import Root, paths, snapshot

from waypost.site import cache as module
from waypost.site import tree, watch
from waypost.site.cache import PageMetaCache
from waypost.site.watch import Mode

KEY = "00000000000000ef"
ROUNDS = 500
FOLDER_ROUNDS = 60
TRUE_WHEN_REPLACED = ("rename_over", "rename_from_outside", "unlink_and_create", "hard_link_in", "write_sidecar")


def titles(cache: PageMetaCache) -> dict[str, str]:
    return {page.path: page.title for page in cache.table()}


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_a_change_of_any_kind_is_in_the_next_answer(
    root: Root, other_process: Callable[[str], None], tmp_path: Path, kind: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    names = [f"p{number}.md" for number in range(32)]
    for name in names:
        root.page(name, "# start 0000000\n" + "x" * 40)
    cache = root.cache()
    other_process(HELPERS)
    for number in range(1, ROUNDS + 1):
        name = names[number % len(names)]
        title = f"title {number:07}"
        other_process(f"{kind}({str(root.content / name)!r}, {title!r}, {str(outside)!r})")
        assert titles(cache).get(f"/{name[:-3]}") == title, (kind, number)
    if kind == "touch":
        assert {page.last_modified for page in cache.table()} >= {1_000_000_000.0 + ROUNDS}
    other_process("while held: held.pop().close()")
    assert snapshot(cache) == snapshot(root.cache())
    assert cache.rescans == 0


@pytest.mark.parametrize("kind", TRUE_WHEN_REPLACED)
@pytest.mark.parametrize("mode", [Mode.STAT, Mode.REPLACE_ONLY])
def test_the_fall_backs_are_true_for_writers_that_replace_files(
    root: Root, other_process: Callable[[str], None], tmp_path: Path, kind: str, mode: Mode
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    root.page("p.md")
    cache = root.cache(mode)
    other_process(HELPERS)
    for number in range(100):
        title = f"title {number:07}"
        other_process(f"{kind}({str(root.content / 'p.md')!r}, {title!r}, {str(outside)!r})")
        assert titles(cache) == {"/p": title}
    assert cache.mode is mode


def test_stat_everything_is_true_for_edits_in_place_too(root: Root, other_process: Callable[[str], None]) -> None:
    root.page("d/p.md")
    cache = root.cache(Mode.STAT)
    other_process(HELPERS)
    for number in range(100):
        time.sleep(0.002)
        other_process(f"rewrite_in_place({str(root.content / 'd/p.md')!r}, 't {number:07}', '')")
        assert titles(cache) == {"/d/p": f"t {number:07}"}


@pytest.mark.parametrize("mode", [Mode.EXACT, Mode.STAT, Mode.REPLACE_ONLY])
@pytest.mark.parametrize("kind", FOLDER_KINDS)
def test_live_8_an_event_says_only_where_to_look(
    root: Root, other_process: Callable[[str], None], kind: str, mode: Mode
) -> None:
    for number in range(30):
        root.page(f"a{number % 3}/b{number % 5}/c{number % 2}/page{number}.md", f"# Page {number}")
    cache = root.cache(mode)
    other_process(HELPERS + FOLDER_HELPERS)
    other_process(f"chance = random.Random({FOLDER_KINDS.index(kind)})")
    for number in range(FOLDER_ROUNDS if mode is Mode.EXACT else 15):
        other_process(f"{kind}({str(root.content)!r}, chance, {number})")
        assert snapshot(cache) == snapshot(root.cache()), (kind, number)
    assert cache.rescans == 0


def test_live_8_bursts_of_everything_at_once(root: Root, other_process: Callable[[str], None]) -> None:
    for number in range(30):
        root.page(f"a{number % 3}/b{number % 5}/c{number % 2}/page{number}.md", f"# Page {number}")
    cache = root.cache()
    other_process(HELPERS + FOLDER_HELPERS + "\nchance = random.Random(5)")
    for number in range(40):
        other_process(f"for i in range(12): chance.choice(KINDS)({str(root.content)!r}, chance, {number} * 100 + i)")
        assert snapshot(cache) == snapshot(root.cache()), number


def test_live_8_a_concurrent_writer_leaves_nothing_behind(root: Root, other_process: Callable[[str], None]) -> None:
    for number in range(30):
        root.page(f"a{number % 3}/b{number % 5}/page{number}.md", f"# Page {number}")
    cache = root.cache()
    other_process(HELPERS + FOLDER_HELPERS + "\nchance = random.Random(6)")
    for number in range(12):
        done = threading.Event()

        def asks() -> None:
            while not done.is_set():
                cache.table()

        asker = threading.Thread(target=asks)
        asker.start()
        other_process(f"for i in range(25): chance.choice(KINDS)({str(root.content)!r}, chance, {number} * 100 + i)")
        done.set()
        asker.join()
        assert snapshot(cache) == snapshot(root.cache()), number


def test_live_1_nothing_is_missed_between_watching_and_listing(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.page("d/a.md")
    real = tree.list_folder

    def late(descriptor: int, path: str) -> object:
        listing = real(descriptor, path)
        if path == "d" and not (root.content / "d/late.md").exists():
            root.page("d/late.md")
            root.page("d/new/deep/x.md")
        return listing

    monkeypatch.setattr(tree, "list_folder", late)
    cache = root.cache()
    assert paths(cache) == ["/d/a", "/d/late", "/d/new/deep/x"]


def test_live_2_no_thread_answers_while_another_holds_the_events(root: Root) -> None:
    for number in range(20):
        root.page(f"p{number}.md", "# 0")
    cache = root.cache()
    wrong: list[str] = []

    def changes(mine: int) -> None:
        for number in range(200):
            path = root.content / f"p{mine}.md"
            path.with_suffix(".tmp").write_text(f"# {number}")
            path.with_suffix(".tmp").rename(path)
            if titles(cache)[f"/p{mine}"] != str(number):
                wrong.append(f"{mine} {number}")

    threads = [threading.Thread(target=changes, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_live_2_roots_of_one_process_do_not_take_each_others_events(tmp_path: Path) -> None:
    roots = [Root(tmp_path / f"r{number}") for number in range(5)]
    wrong: list[str] = []

    def changes(root: Root) -> None:
        root.page("p.md", "# 0")
        cache = root.cache()
        for number in range(150):
            root.page("new.tmp", f"# {number}")
            (root.content / "new.tmp").rename(root.content / "p.md")
            if titles(cache) != {"/p": str(number)}:
                wrong.append(f"{root.path} {number}")

    threads = [threading.Thread(target=changes, args=(root,)) for root in roots]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    for root in roots:
        root.close()


def test_live_6_an_overflow_is_answered_by_a_rescan(root: Root) -> None:
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if most > 50_000:
        pytest.skip("the queue of this machine is long")
    page = root.page("a.md", "# 0")
    root.page("b.md")
    cache = root.cache()
    with page.open("r+b", buffering=0) as one, (root.content / "b.md").open("r+b", buffering=0) as other:
        for number in range(most // 2 + 200):
            for stream in (one, other):
                stream.seek(0)
                stream.write(b"# %07d" % number)
    root.page("c.md")
    started = time.perf_counter()
    assert paths(cache) == ["/a", "/b", "/c"]
    assert time.perf_counter() - started < 10
    assert cache.rescans == 1
    assert snapshot(cache) == snapshot(root.cache())
    root.page("d.md")
    assert "/d" in paths(cache)
    assert cache.rescans == 1


def test_live_6_events_nobody_asks_for_do_not_pile_up(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "FEED_EVENTS_MAX", 50)
    page = root.page("a.md")
    cache = root.cache()
    feed = cache.tree.feed
    assert feed is not None
    for number in range(300):
        page.write_text(f"# {number}")
        feed.pending()
        assert len(feed.events) <= 51
    assert titles(cache) == {"/a": "299"}


@pytest.mark.parametrize("number", [28, 12, 24])
def test_live_6_a_watch_that_cannot_be_added_ends_in_asking_every_file(
    root: Root, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    for count in range(4):
        root.page(f"d{count}/a.md")
    real = watch.Hub.add

    def full(hub: watch.Hub, feed: watch.Feed, path: bytes, mask: int) -> int:
        if path.endswith(b"d2"):
            raise OSError(number, os.strerror(number))
        return real(hub, feed, path, mask)

    monkeypatch.setattr(watch.Hub, "add", full)
    cache = root.cache()
    assert cache.mode is Mode.STAT
    assert os.strerror(number).lower() in cache.tree.reason
    assert len(paths(cache)) == 4
    root.page("d2/b.md")
    root.page("d3/new/b.md")
    assert len(paths(cache)) == 6
    monkeypatch.undo()
    cache.rescan()
    assert cache.mode is Mode.EXACT


def test_live_6_configuration_that_can_be_watched_no_more_is_asked_for_its_times(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    root.page("a.md", "---\ntags: [staff]\n---\n")
    cache = root.cache()
    assert paths(cache) == ["/a"]
    real = watch.Hub.add

    def full(hub: watch.Hub, feed: watch.Feed, path: bytes, mask: int) -> int:
        if path.endswith(b"state"):
            raise OSError(28, "No space left on device")
        return real(hub, feed, path, mask)

    monkeypatch.setattr(watch.Hub, "add", full)
    tags = root.write("state/sys/tags.yaml", "staff:\n  roles: [staff]\n")
    assert paths(cache) == []
    assert "asked for its times: No space left" in cache.config.faults["watch"]
    tags.write_text("other:\n  roles: [staff]\n")
    assert paths(cache) == ["/a"]
    monkeypatch.undo()
    cache.config.rearm()
    assert cache.config.faults == {}


def test_live_6_no_instance_at_all(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> watch.Watcher:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(tree, "watcher", none)
    root.page("a.md")
    cache = root.cache()
    assert (cache.mode, cache.tree.reason) == (Mode.STAT, "no inotify instance: too many open files")
    root.page("b/c.md")
    assert paths(cache) == ["/a", "/b/c"]


@pytest.mark.parametrize(
    ("kind", "mode"), [(Mode.BOUNDED, Mode.BOUNDED), (Mode.STAT, Mode.STAT), (Mode.EXACT, Mode.EXACT)]
)
def test_the_file_system_decides_the_mode(root: Root, monkeypatch: pytest.MonkeyPatch, kind: Mode, mode: Mode) -> None:
    monkeypatch.setattr(tree, "filesystem_mode", lambda _path: kind)
    root.page("a.md")
    cache = root.cache()
    assert cache.mode is mode
    root.page("b.md")
    assert paths(cache) == ["/a", "/b"]


def test_file_systems_are_told_apart() -> None:
    assert watch.filesystem_mode(b"/proc") is Mode.STAT
    assert watch.filesystem_mode(b"/nowhere") is Mode.STAT
    if Path("/dev/shm").is_dir():
        assert watch.filesystem_mode(b"/dev/shm") is Mode.EXACT


def test_above_the_bound_only_directories_are_asked(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "STAT_OBJECTS_MAX", 3)
    for number in range(6):
        root.page(f"d{number % 2}/p{number}.md")
    cache = root.cache(Mode.STAT)
    assert cache.tree.is_by_folder(len(cache.catalog))
    root.page("d1/new.md")
    (root.content / "d0/p0.md").unlink()
    root.page("e/f/g.md")
    assert paths(cache) == ["/d0/p2", "/d0/p4", "/d1/new", "/d1/p1", "/d1/p3", "/d1/p5", "/e/f/g"]


def test_live_7_a_root_that_goes_and_comes_back(root: Root) -> None:
    root.page("a.md")
    cache = root.cache()
    for _ in range(3):
        root.path.rename(root.path.with_name("away"))
        assert paths(cache) == []
        root.path.with_name("away").rename(root.path)
        assert paths(cache) == ["/a"]
        shutil.rmtree(root.path)
        assert paths(cache) == []
        root.page("a.md")
        assert paths(cache) == ["/a"]
        root.page("b.md")
        assert paths(cache) == ["/a", "/b"]
        (root.content / "b.md").unlink()
        assert paths(cache) == ["/a"]


def test_live_7_content_that_was_away_while_it_was_scanned_is_seen_when_it_is_back(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system gives the number of a folder that went to the next one that comes."""
    root.page("a.md")
    real = tree.Tree.start

    def late(self: tree.Tree, *how: object) -> None:
        root.content.rename(root.path / "away")
        real(self, *how)

    with monkeypatch.context() as patch:
        patch.setattr(tree.Tree, "start", late)
        cache = root.cache()
    (root.path / "away").rename(root.content)
    root.page("b.md")
    assert paths(cache) == ["/a", "/b"]


def test_live_9_settings_do_not_wait_for_a_scan(root: Root) -> None:
    root.page("a.md")
    cache = root.cache()
    with cache.lock:
        answers: list[object] = []
        root.write("waypost.toml", 'title = "T"\n')
        asker = threading.Thread(
            target=lambda: answers.extend([cache.settings().title, cache.has_pages(), cache.try_table()])
        )
        asker.start()
        asker.join(5)
        assert answers == ["T", True, None]


def test_live_9_long_work_is_left_to_a_thread(root: Root, tmp_path: Path) -> None:
    root.page("a.md")
    cache = root.cache()
    big = Root(tmp_path / "big")
    for number in range(300):
        big.page(f"d{number % 7}/p{number}.md")
    big.content.rename(root.content / "moved")
    assert cache.try_table() is None
    assert cache.has_pages()
    assert len(paths(cache)) == 301
    assert cache.try_table() is not None
    root.page("b.md")
    table = cache.try_table()
    assert table is not None
    assert len(table) == 302
    (root.content / "moved").chmod(0o700)
    assert cache.try_table() is None, "it may have become readable, with all that is in it"
    assert len(cache.table()) == 302


@pytest.mark.parametrize("has_many", [False, True])
def test_live_9_whoever_sees_new_settings_first_does_not_hide_them(
    root: Root, monkeypatch: pytest.MonkeyPatch, has_many: bool
) -> None:
    monkeypatch.setattr(module, "REJUDGE_QUICK", 0 if has_many else 10)
    root.page("a.md")
    cache = root.cache()
    for number in range(10):
        root.write("waypost.toml", f'slash = "{"always" if number % 2 else "never"}"\n')
        if number % 3:
            cache.settings()
        if has_many:
            assert cache.try_table() is None or number == 0
        assert paths(cache) == ["/a/" if number % 2 else "/a"]


def test_live_10_dot_folders_are_not_watched(root: Root) -> None:
    root.page(".git/objects/x.md")
    root.page("a/b.md")
    cache = root.cache()
    assert set(cache.tree.folders) == {"", "a"}


def test_a_folder_that_cannot_be_read_is_said_and_seen_again(root: Root) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser reads everything")
    root.page("a/b.md")
    (root.content / "a").chmod(0)
    cache = root.cache()
    assert paths(cache) == []
    assert cache.reports.every()[0].file == "a"
    (root.content / "a").chmod(0o755)
    assert paths(cache) == ["/a/b"]


def test_touching_a_folder_reads_nothing_anew(root: Root) -> None:
    root.page("a/b.md")
    cache = root.cache()
    before = cache.named("a/b.md")
    os.utime(root.content / "a")
    os.utime(root.content)
    cache.table()
    assert cache.named("a/b.md") is before
    assert cache.rescans == 0


@contextmanager
def without_descriptors() -> Iterator[None]:
    """No descriptor is free meanwhile."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    held = [os.open("/dev/null", os.O_RDONLY)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))) + 2, most[1]))
    try:
        with suppress(OSError):
            while True:
                held.append(os.open("/dev/null", os.O_RDONLY))
        yield
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, most)


@pytest.mark.parametrize("mode", [Mode.EXACT, Mode.STAT, Mode.REPLACE_ONLY])
def test_safety_12_a_restriction_counts_where_no_descriptor_was_free(root: Root, mode: Mode) -> None:
    for name in ("a.md", "b.md", "c/d.md"):
        root.page(name)
    root.page(f"ef/{KEY}.1", "# Id")
    root.page(f"ef/{KEY}.1.json", '{"alias": "x"}')
    outside = root.write("a.toml", 'access = "deny"\n')
    other = root.write("id.json", '{"alias": "x", "access": "deny"}')
    cache = root.cache(mode)
    assert paths(cache) == ["/a", "/b", "/c/d", "/x"]
    with without_descriptors():
        outside.rename(root.content / "a.md.toml")
        other.rename(root.content / f"ef/{KEY}.1.json")
        for _ in range(2):
            assert not {"/a", "/x"} & set(paths(cache))
    assert paths(cache) == ["/b", "/c/d"]
    assert snapshot(cache) == snapshot(root.cache(mode))


def test_safety_12_a_folder_that_came_where_no_descriptor_was_free_is_seen(root: Root) -> None:
    root.page("a.md")
    outside = root.write("new/deep/b.md", "# B").parents[1]
    cache = root.cache()
    with without_descriptors():
        outside.rename(root.content / "new")
        assert paths(cache) == ["/a"]
    assert paths(cache) == ["/a", "/new/deep/b"]
    with without_descriptors():
        (root.content / "new").chmod(0o700)
        (root.content / "a.md").touch()
        cache.table()
    assert paths(cache) == ["/a", "/new/deep/b"]
    assert cache.reports.every() == []
    with without_descriptors():
        cache.rescan()
        assert paths(cache) == []
    assert paths(cache) == ["/a", "/new/deep/b"]
    assert cache.reports.every() == []


def test_folders_deeper_than_the_bound_are_left_out(root: Root) -> None:
    root.page("/".join("d" for _ in range(60)) + "/in.md")
    root.page("/".join("e" for _ in range(70)) + "/out.md")
    cache = root.cache()
    assert len(paths(cache)) == 1
    assert "deeper than" in cache.reports.every()[0].reason


def test_the_check_makes_a_constant_number_of_system_calls(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(50):
        root.page(f"d{number}/p.md")
    cache = root.cache()
    cache.table()
    calls: list[str] = []
    real_stat, real_poll = cache._stat, cache._poll
    for one in (cache, cache.config):
        monkeypatch.setattr(one, "_stat", lambda *a, **k: (calls.append("stat"), real_stat(*a, **k))[1])
    monkeypatch.setattr(cache, "_poll", lambda wait: (calls.append("poll"), real_poll(wait))[1] if real_poll else None)
    for name in ("open", "stat", "lstat", "scandir", "listdir", "read"):
        monkeypatch.setattr(os, name, lambda *_, name=name, **__: calls.append(name))
    cache.table()
    monkeypatch.undo()
    assert calls == ["poll", "stat"]


def test_content_that_is_mounted_over_is_read_anew(root: Root, tmp_path: Path) -> None:
    """The kernel tells of no file then, and the root is the same directory; every root of the process has to see it."""
    other = Root(tmp_path / "other")
    root.page("one.md")
    other.page("elsewhere.md")
    first, second = root.cache(), other.cache()
    for cache in (first, second):
        cache.table()
    hidden = other.path / "hidden"
    hidden.mkdir()
    (hidden / "two.md").write_text("# Two\n")
    if subprocess.run(["mount", "--bind", hidden, root.content], capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        assert paths(second) == ["/elsewhere"]
        assert paths(first) == ["/two"]
    finally:
        subprocess.run(["umount", "--lazy", root.content], check=True)
    assert paths(first) == ["/one"]
    other.close()


def test_mounts_are_looked_for_where_the_kernel_does_not_tell_of_them(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.forget_watcher()
    monkeypatch.setattr(watch, "_MOUNTS", "/proc/not/there")
    root.page("one.md")
    cache = root.cache()
    assert paths(cache) == ["/one"]
    assert not watch.watcher().sees_mounts
    assert not cache._is_moved()
    cache._identity = (0, 0)
    assert cache._is_moved()
    root.close()
    watch.forget_watcher()
