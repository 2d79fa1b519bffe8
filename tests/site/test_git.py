"""Dates from git: the last commit that touched blob or sidecar, asked once, and never a reason to fail."""

import os
import subprocess
from pathlib import Path

import pytest
from tests.site.roots import Root

from waypost.site import git
from waypost.site.git import commit_dates, read_log


def commit(folder: Path, when: int) -> None:
    stamp = f"{when} +0000"
    environment = {
        **os.environ, "GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp, "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
    }  # fmt: skip
    for words in (("add", "-A"), ("commit", "-qm", "x")):
        subprocess.run(["git", "-C", str(folder), *words], check=True, env=environment)


@pytest.fixture
def repository(root: Root) -> Root:
    subprocess.run(["git", "init", "-q", str(root.path.parent)], check=True)
    root.write("waypost.toml", 'lastmod = "git"\n')
    root.page("a.md", "# A")
    root.page('Mit Blank/\u00e9 "x".md', "# E")
    commit(root.path.parent, 1_000_000_000)
    root.page("b.md", "# B")
    root.page("a.md.toml", 'title = "A"\n')
    commit(root.path.parent, 1_100_000_000)
    return root


def test_the_last_commit_that_touched_blob_or_sidecar(repository: Root) -> None:
    repository.page("new.md", "# not committed")
    cache = repository.cache()
    found = {page.title: page.last_modified for page in cache.table()}
    assert found["A"] == 1_100_000_000
    assert found["B"] == 1_100_000_000
    assert found["E"] == 1_000_000_000
    assert found["not committed"] is not None
    assert found["not committed"] > 1_600_000_000


def test_a_program_that_the_folders_own_configuration_names_is_not_run(repository: Root, tmp_path: Path) -> None:
    ran, program = tmp_path / "ran", tmp_path / "program"
    signature = "-----BEGIN PGP SIGNATURE-----\\nx\\n-----END PGP SIGNATURE-----\\n"
    program.write_text(f"#!/bin/sh\ntouch {ran}\nprintf -- '{signature}'\nprintf '\\n[GNUPG:] SIG_CREATED \\n' >&2\n")
    program.chmod(0o755)
    place = str(repository.path.parent)
    for key, value in (
        ("gpg.program", str(program)),
        ("commit.gpgSign", "true"),
        ("log.showSignature", "true"),
        ("maintenance.auto", "false"),
    ):
        subprocess.run(["git", "-C", place, "config", key, value], check=True)
    repository.page("b.md", "# signed")
    commit(repository.path.parent, 1_200_000_000)
    assert ran.exists()
    ran.unlink()
    assert commit_dates(str(repository.content))["b.md"] == 1_200_000_000
    assert not ran.exists()


def test_a_new_commit_counts_at_once(repository: Root) -> None:
    cache = repository.cache()
    repository.page("b.md", "# B two")
    cache.table()
    commit(repository.path.parent, 1_200_000_000)
    assert cache.try_table() is None, "git is not waited for on an event loop"
    cache.table()
    assert cache.try_table() is not None
    assert {page.title: page.last_modified for page in cache.table()}["B two"] == 1_200_000_000


def test_a_new_commit_in_a_worktree_counts_at_once(repository: Root, tmp_path: Path) -> None:
    tree = Root(tmp_path / "tree" / repository.path.name)
    place = str(repository.path.parent)
    subprocess.run(["git", "-C", place, "worktree", "add", "-q", str(tree.path.parent)], check=True)
    cache = tree.cache()
    tree.page("b.md", "# B two")
    commit(tree.path.parent, 1_200_000_000)
    assert {page.title: page.last_modified for page in cache.table()}["B two"] == 1_200_000_000
    tree.close()


def test_safety_8_a_commit_of_the_future_is_no_date_of_the_future(repository: Root) -> None:
    repository.page("b.md", "# B two")
    commit(repository.path.parent, 4_000_000_000)
    dates = {page.title: page.last_modified for page in repository.cache().table()}
    assert dates["B two"] == (repository.content / "b.md").stat().st_mtime


def test_a_switch_of_the_setting_counts_at_once(repository: Root) -> None:
    cache = repository.cache()
    repository.write("waypost.toml", 'lastmod = "disk"\n')
    assert min(page.last_modified or 0 for page in cache.table()) > 1_600_000_000
    repository.write("waypost.toml", 'lastmod = "git"\n')
    assert min(page.last_modified or 0 for page in cache.table()) == 1_000_000_000


def test_without_a_repository_or_git_the_disk_counts(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    assert commit_dates(str(root.path)) == {}
    monkeypatch.setattr(git, "GIT_BYTES_MAX", 0)
    assert commit_dates(str(Path.cwd())) == {}
    monkeypatch.setenv("PATH", "/nowhere")
    assert commit_dates(str(root.path)) == {}
    root.write("waypost.toml", 'lastmod = "git"\n')
    root.page("a.md")
    assert len(root.cache().table()) == 1


def test_a_log_is_read_by_its_fields() -> None:
    assert read_log(b"") == {}
    assert read_log(b"rubbish") == {"rubbish": 0.0}
