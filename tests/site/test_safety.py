"""What the disk side must survive: spec/safety.md section 3, by number."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from itertools import chain
from pathlib import Path

import pytest
from tests.site.roots import Root, paths, snapshot

from waypost.site.cache import PageMetaCache

CANARY = "zq7canary"


def test_safety_11_a_folder_of_many_files_moved_in(root: Root, tmp_path: Path) -> None:
    root.page("a.md")
    cache = root.cache()
    big = tmp_path / "big"
    for folder in range(40):
        (big / f"d{folder}").mkdir(parents=True)
        for number in range(125):
            (big / f"d{folder}" / f"p{number}.md").write_text(f"# {number}")
    big.rename(root.content / "big")
    started = time.process_time()
    assert len(cache.table()) == 5_001
    assert time.process_time() - started < 2
    (root.content / "big").rename(root.content / "bigger")
    assert len(cache.table()) == 5_001
    assert snapshot(cache) == snapshot(root.cache())


def test_safety_9_a_directory_removed_and_returned_recovers_by_itself(root: Root) -> None:
    for number in range(20):
        root.page(f"d/p{number}.md")
    cache = root.cache()
    for _ in range(5):
        (root.content / "d").rename(root.path / "d")
        assert paths(cache) == []
        (root.path / "d").rename(root.content / "d")
        assert len(paths(cache)) == 20
        shutil.move(str(root.content), str(root.path / "other"))
        assert paths(cache) == []
        shutil.move(str(root.path / "other"), str(root.content))
        assert len(paths(cache)) == 20


@pytest.mark.parametrize("seed", range(8))
def test_safety_37_nothing_of_a_restricted_document_is_in_anything_published(root: Root, seed: int) -> None:
    chance = random.Random(seed)
    root.write("waypost.toml", '[tags.staff]\nroles = ["staff"]\n[sitemap]\nimages = true\n')
    for number in range(60):
        hidden = chance.random() < 0.4
        name = f"{CANARY if hidden else 'open'}{number}"
        how = (
            chance.choice(["draft: true", "access: deny", "tags: [staff]", "roles: [boss]"]) if hidden else "tags: [x]"
        )
        links = f"translations: {{de: {CANARY}{chance.randrange(60)}, fr: open{chance.randrange(60)}}}"
        folder = chance.choice(["", "a/", "a/b/", "c/"])
        root.page(
            f"{folder}{name}.md",
            f"---\ntitle: {name}\ndescription: {name}\n{how}\n{links}\nimages: [{CANARY}{number}.png]\n---\n",
        )
        root.page(f"{folder}{CANARY}{number}.png", b"x")
        root.page(f"{folder}{CANARY}{number}.png.toml", 'access = "deny"\n')
    cache = root.cache()
    table = cache.table()
    assert len(table) > 10
    assert CANARY not in "".join(map(repr, table))
    assert all(CANARY.encode() not in piece for run in table.runs for piece in chain(*run.shot().groups))
    for entry in cache.catalog.entries():
        if CANARY in entry.blob:
            assert cache.lookup(entry.path) is None
            assert cache.lookup(f"/id/{entry.key.hex()}") is None
    before = table.set_hash
    for entry in list(cache.catalog.entries()):
        if CANARY in entry.blob and entry.is_markdown:
            os.utime(root.content / entry.blob, (1_300_000_000, 1_300_000_000))
    assert cache.table().set_hash == before
    for path in list(root.content.rglob(f"{CANARY}*.md")):
        path.unlink()
    assert cache.table().set_hash == before, "what nobody may see is in no validator"


def test_safety_38_a_page_that_becomes_restricted_is_out_of_the_next_answer(root: Root) -> None:
    root.page("a.md", "# A")
    cache = root.cache()
    for _ in range(20):
        root.page("a.md.tmp", "---\nroles: [staff]\n---\n# A")
        (root.content / "a.md.tmp").rename(root.content / "a.md")
        assert paths(cache) == []
        assert cache.lookup("/a") is None
        root.page("a.md.tmp", "# A")
        (root.content / "a.md.tmp").rename(root.content / "a.md")
        assert paths(cache) == ["/a"]


WRITER = """
import sys
from waypost.site.content import write_file
folder, number = sys.argv[1], 0
while True:
    number += 1
    public = number % 2
    access = b"" if public else b'access = "deny"\\n'
    # The sidecar first: what restricts must be there before what it restricts.
    write_file(folder + "/a.md.toml", b'title = "%d"\\n' % number + access if not public else b'access = "deny"\\n')
    write_file(folder + "/a.md", b"# PUBLIC %d" % number if public else b"# SECRET %d" % number)
    if public: write_file(folder + "/a.md.toml", b'title = "%d"\\n' % number)
    if number == 1: print("ready", flush=True)
"""


def test_safety_1_after_a_kill_the_object_is_old_new_or_more_restricted(root: Root) -> None:
    cache = root.cache()
    for turn in range(20):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(root.content)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.0009 * turn)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        found = cache.lookup("/a")
        if found is not None and found.entry is not None:
            assert "SECRET" not in cache.read_page(found.entry)[0]
        assert [report for report in cache.reports.every() if report.is_withheld] == []
        assert snapshot(cache) == snapshot(root.cache())


def test_a_part_shows_when_a_page_of_it_went(root: Root) -> None:
    for number in range(36):
        path = root.page(f"p{number}.md")
        os.utime(path, (1_500_000_000 + number, 1_500_000_000 + number))
    root.write("waypost.toml", "[sitemap]\nsplit_at = 10\npart_size = 20\n")
    cache = root.cache()
    table = cache.table()
    assert len(table.runs) > 2
    assert {run.newest for run in table.runs} != {table.runs[0].newest}, "not one date for all"
    before = [run.newest for run in table.runs]
    (root.content / "p7.md").unlink()
    after = [run.newest for run in cache.table().runs]
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    assert max(after) > 1_700_000_000
    root.page("p9.md", "---\ndraft: true\n---\n")
    last = [run.newest for run in cache.table().runs]
    assert sum(one != other for one, other in zip(after, last, strict=True)) == 1
    root.write("waypost.toml", "[sitemap]\nsplit_at = 10\npart_size = 20\n[tags.x]\nroles = ['y']\n")
    assert [run.newest for run in cache.table().runs] == last


def test_the_documents_are_the_same_after_a_restart(root: Root) -> None:
    for number in range(60):
        root.page(f"d{number % 5}/p{number}.md", f"# {number}")
    cache = root.cache()
    root.page("d1/new.md")
    (root.content / "d2").rename(root.content / "d9")
    fresh: PageMetaCache = root.cache()
    assert fresh.table().set_hash == cache.table().set_hash
    assert fresh.table().changed_at == cache.table().changed_at


def test_safety_15_a_root_that_cannot_be_written_is_served(root: Root) -> None:
    root.page("a.md")
    for path in (root.content / "a.md", root.content, root.path):
        path.chmod(0o555 if path.is_dir() else 0o444)
    cache = root.cache()
    assert paths(cache) == ["/a"]
    root.path.chmod(0o755)
    root.content.chmod(0o755)
