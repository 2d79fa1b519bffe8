"""Hosts and their roots: by name, by one label, and nothing else; edits and new folders count at once."""

import shutil
import threading
import time
from pathlib import Path

import pytest
from tests.site.roots import paths

from waypost.errors import ConfigError, LetGoError
from waypost.site import tenants as module
from waypost.site.tenants import Tenants, read_sites
from waypost.site.watch import watcher

SITES = """
[[site]]
hosts = ["example.com", "www.example.com"]
root = "example"
canonical_host = "Example.com"

[[site]]
hosts = ["*.blog.example.com"]
root = "tenants/{label}"

[[site]]
hosts = ["*.shared.example.com", "shared.example.com"]
root = "shared"
closed = true
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sites.toml").write_text(SITES)
    for name in ("example", "tenants/anna", "shared"):
        (tmp_path / name / "content").mkdir(parents=True)
        (tmp_path / name / "content" / "index.md").write_text(f"# {name}")
    return tmp_path


def title(sites: Tenants, host: str) -> str | None:
    tenant = sites.find(host)
    return None if tenant is None else next(page.title for page in tenant.root.table())


def test_hosts_find_their_roots(folder: Path) -> None:
    sites = Tenants(str(folder))
    assert title(sites, "example.com") == title(sites, "www.example.com") == "example"
    assert title(sites, "anna.blog.example.com") == "tenants/anna"
    assert title(sites, "a.shared.example.com") == title(sites, "shared.example.com") == "shared"
    for host in (
        "other.example",
        "blog.example.com",
        "x.anna.blog.example.com",
        "bert.blog.example.com",
        "",
        "..",
        ".blog.example.com",
    ):
        assert sites.find(host) is None
    one, other = sites.find("example.com"), sites.find("www.example.com")
    assert one is not None
    assert other is not None
    assert one.root is other.root
    assert one.row.canonical == ("example.com", None)
    shared = sites.find("x.shared.example.com")
    assert shared is not None
    assert shared.row.is_closed
    sites.close()


def test_a_label_is_one_dns_label_and_leads_nowhere_else(folder: Path) -> None:
    sites = Tenants(str(folder))
    for label in ("..", ".", "a/b", "a\\b", "-a", "a-", "A", "a_b", "%2e", "\0", "x" * 64, "ann\u0430"):
        if "\0" not in label:
            (folder / "tenants" / label / "content").mkdir(parents=True, exist_ok=True)
        assert sites.find(f"{label}.blog.example.com") is None
    sites.close()


def test_a_new_folder_and_an_edit_of_the_file_are_live(folder: Path) -> None:
    sites = Tenants(str(folder))
    assert sites.find("bert.blog.example.com") is None
    (folder / "tenants/bert").mkdir()
    (folder / "tenants/bert/index.md").write_text("# Bert")
    assert title(sites, "bert.blog.example.com") == "Bert"
    (folder / "tenants/bert").rename(folder / "tenants/carl")
    assert sites.find("bert.blog.example.com") is None
    assert title(sites, "carl.blog.example.com") == "Bert"
    (folder / "sites.toml").write_text('[[site]]\nhosts = ["new.example"]\nroot = "example"\n')
    assert title(sites, "new.example") == "example"
    assert sites.find("example.com") is None
    sites.close()


def test_a_tenant_out_of_order_is_not_watched(folder: Path) -> None:
    sites = Tenants(str(folder))
    (folder / "example/waypost.toml").write_text("title = \n")
    before = watcher().config.watches
    for _ in range(3):
        with pytest.raises(ConfigError):
            sites.find("example.com")
    assert watcher().config.watches == before
    (folder / "example/waypost.toml").write_text('title = "x"\n')
    assert title(sites, "example.com") == "example"
    sites.close()


def test_live_7_a_directory_of_sites_that_is_replaced_is_followed(folder: Path, tmp_path: Path) -> None:
    place, away, new = tmp_path / "sites", tmp_path / "away", tmp_path / "new"
    for path in (place, new):
        shutil.copytree(folder, path, ignore=shutil.ignore_patterns("sites", "new", "away"))
    (new / "sites.toml").write_text('[[site]]\nhosts = ["new.example"]\nroot = "example"\n')
    (new / "example/content/index.md").write_text("# New")
    sites = Tenants(str(place))
    assert title(sites, "example.com") == "example"
    place.rename(away)
    assert sites.find("example.com") is None
    assert sites.fault == "sites.toml is gone"
    new.rename(place)
    assert title(sites, "new.example") == "New"
    assert sites.find("example.com") is None
    (place / "sites.toml").write_text('[[site]]\nhosts = ["newer.example"]\nroot = "example"\n')
    assert title(sites, "newer.example") == "New"
    assert not sites.fault
    sites.close()


def test_the_last_good_file_stays_and_what_was_closed_stays_closed_while_it_is_written(folder: Path) -> None:
    sites = Tenants(str(folder))
    path = folder / "sites.toml"
    for broken in ("", "[[site]\n", '[[site]]\nhosts = ["a.example"]\n'):
        path.write_text(broken)
        assert title(sites, "example.com") == "example"
        assert sites.fault
    path.unlink()
    assert title(sites, "example.com") == "example"
    path.write_text(SITES)
    assert sites.find("example.com") is not None
    assert not sites.fault
    with path.open("w") as stream:
        stream.write(SITES.replace("closed = true", ""))
        stream.flush()
        tenant = sites.find("a.shared.example.com")
        assert tenant is not None
        assert tenant.row.is_closed
    tenant = sites.find("a.shared.example.com")
    assert tenant is not None
    assert not tenant.row.is_closed
    sites.close()


def test_a_file_being_written_opens_no_host_and_loses_none(folder: Path) -> None:
    sites = Tenants(str(folder))
    path = folder / "sites.toml"
    with path.open("w") as stream:
        stream.write('[[site]]\nhosts = ["preview.example"]\nroot = "example"\n')
        stream.flush()
        assert sites.find("preview.example") is None
        assert title(sites, "example.com") == "example"
        stream.write('closed = true\n[[site]]\nhosts = ["example.com"]\nroot = "example"\nclosed = true\n')
        stream.flush()
        tenant = sites.find("example.com")
        assert tenant is not None
        assert tenant.row.is_closed
    tenant = sites.find("preview.example")
    assert tenant is not None
    assert tenant.row.is_closed
    assert sites.find("a.shared.example.com") is None
    sites.close()


def test_a_site_whose_folder_is_not_there_is_said_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "sites.toml").write_text(
        "[[site]]\nhosts = ['gone.example']\nroot = 'gone'\n[[site]]\nhosts = ['*.w.example']\nroot = 'none/{label}'\n"
    )
    sites = Tenants(str(folder))
    with caplog.at_level("WARNING", "waypost.site"):
        for host in ("gone.example", "gone.example", "a.w.example", "b.w.example"):
            assert sites.find(host) is None
    assert [record.getMessage() for record in caplog.records] == ["gone: its folder is not there; its hosts answer 421"]
    assert sites.broken == {"gone": "its folder is not there"}
    rows = (folder / "sites.toml").read_text()
    (folder / "sites.toml").write_text(rows.replace("'gone'", "'other'"))
    assert sites.find("gone.example") is None
    assert list(sites.broken) == ["other"]
    (folder / "sites.toml").write_text(rows)
    (folder / "gone/content").mkdir(parents=True)
    assert sites.find("gone.example") is not None
    assert sites.broken == {}
    sites.close()


def test_one_broken_tenant_is_out_of_order_alone(folder: Path) -> None:
    sites = Tenants(str(folder))
    (folder / "tenants/anna/waypost.toml").write_text("tilte = 3")
    with pytest.raises(ConfigError, match="title"):
        sites.find("anna.blog.example.com")
    assert title(sites, "example.com") == "example"
    (folder / "tenants/anna/waypost.toml").write_text("title = 'A'")
    assert title(sites, "anna.blog.example.com") == "tenants/anna"
    sites.close()


def test_tenants_asked_for_longest_ago_are_let_go_and_read_again_when_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TENANTS_OPEN_MAX", 3)
    for number in range(8):
        (folder / f"tenants/t{number}/content").mkdir(parents=True)
        (folder / f"tenants/t{number}/content/a.md").write_text(f"# {number}")
    sites = Tenants(str(folder))
    for number in (*range(8), 0, 7):
        assert title(sites, f"t{number}.blog.example.com") == str(number)
        assert len(sites.roots()) <= 3
    assert [name for name, _ in sites.roots()] == ["tenants/t6", "tenants/t0", "tenants/t7"]
    (folder / "tenants/t1/content/a.md").write_text("# changed while nobody watched")
    assert title(sites, "t1.blog.example.com") == "changed while nobody watched"
    sites.close()


def test_a_thousand_labels_of_one_shared_root_are_one_root(folder: Path) -> None:
    sites = Tenants(str(folder))
    roots = {id(tenant.root) for number in range(1000) if (tenant := sites.find(f"h{number}.shared.example.com"))}
    assert len(roots) == 1
    tenant = sites.find("h1.shared.example.com")
    assert tenant is not None
    assert paths(tenant.root) == ["/"]
    sites.close()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("site = 3", "two brackets"),
        ("[[sites]]", "'site'"),
        ("[[site]]\nroot = 'a'", "names no hosts"),
        ("[[site]]\nhosts = ['a.example']", "root"),
        ("[[site]]\nhosts = ['a.example']\nroot = '/etc'", "root"),
        ("[[site]]\nhosts = ['a.example']\nroot = '../x'", "root"),
        ("[[site]]\nhosts = ['a.example']\nroot = '{label}'", "wildcard"),
        ("[[site]]\nhosts = ['a.example:80']\nroot = 'x'", "without a port"),
        ("[[site]]\nhosts = ['a b']\nroot = 'x'", "host name"),
        ("[[site]]\nhosts = ['*.*.example']\nroot = 'x'", "host name"),
        ("[[site]]\nhosts = ['a.example']\nroot = 'x'\ncanonical_host = '<'", "canonical_host"),
        ("[[site]]\nhosts = ['a.example']\nroot = 'x'\nclosed = 'yes'", "closed"),
        ("[[site]]\nhosts = ['a.example', 'A.example.']\nroot = 'x'", "two sites"),
        ("[[site]]\nhosts = ['a.example']\nroot = 'x'\nroots = 1", "'root'"),
        ("x", "sites.toml:1"),
    ],
)
def test_a_fault_in_sites_toml_is_told(text: str, word: str) -> None:
    with pytest.raises(ConfigError, match=r"sites\.toml") as caught:
        read_sites(text.encode())
    assert word in str(caught.value)


def test_live_10_a_root_that_was_let_go_is_watched_by_nobody_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TENANTS_OPEN_MAX", 1)
    sites = Tenants(str(folder))
    before = watcher().content.watches
    one = sites.find("example.com")
    assert one is not None
    assert paths(one.root) == ["/"]
    assert title(sites, "shared.example.com") == "shared"
    assert one.root.try_table() is None
    for again in (one.root.table, one.root.open, one.root.rescan):
        with pytest.raises(LetGoError):
            again()
    assert title(sites, "example.com") == "example"
    sites.close()
    assert watcher().content.watches == before


def test_live_9_nobody_waits_for_a_root_that_is_let_go_while_it_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TENANTS_OPEN_MAX", 1)
    sites = Tenants(str(folder))
    before = watcher().content.watches
    one = sites.find("example.com")
    assert one is not None
    assert paths(one.root) == ["/"]
    found: list[str | None] = []
    thread = threading.Thread(target=lambda: found.append(title(sites, "shared.example.com")))
    with one.root.lock:
        thread.start()
        thread.join(10)
        assert found == ["shared"]
    sites.close()
    end = time.monotonic() + 10
    while watcher().content.watches > before and time.monotonic() < end:
        time.sleep(0.01)
    assert watcher().content.watches == before
