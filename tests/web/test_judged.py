"""The two wings through their doors: what `waypost serve` sends, `waypost check` finds nothing to say against."""

import json
import subprocess
import sys
from pathlib import Path

from tests.web.client import environment, waypost
from tests.web.roots import starter, tenants, write


def judged(origin: str, *words: str) -> dict:
    """The report of `waypost check`, which must pass its strictest gate."""
    command = [sys.executable, "-m", "waypost", "check", origin, "--format", "json", "--fail-on", "warn", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False, timeout=100)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr}"
    report = json.loads(done.stdout)
    above = [one for check in report["checks"] for one in check["findings"] if one["severity"] != "info"]
    assert (report["score"], report["status"], above) == (1.0, "pass", [])
    return report


def best(report: dict) -> dict:
    sitemap = next(check for check in report["checks"] if check["id"] == "sitemap")
    return next(step["evidence"]["best"] for step in sitemap["steps"] if step["id"] == "parse")


def pages(root: Path, count: int) -> Path:
    write(root / "content/index.md", "# Home\n")
    for number in range(count - 1):
        write(root / f"content/p{number:03}.md", f"# Page {number}\n")
    return root


def test_a_plain_folder(tmp_path: Path) -> None:
    with waypost(str(pages(tmp_path / "root", 12)), log=tmp_path / "log") as server:
        report = judged(f"http://127.0.0.1:{server.port}", "--deep", "--probe", "5")
    assert (best(report)["kind"], best(report)["entries"]) == ("urlset", 12)


def test_an_index_with_parts(tmp_path: Path) -> None:
    root = pages(tmp_path / "root", 60)
    write(root / "waypost.toml", "[sitemap]\nsplit_at = 20\npart_size = 10\n")
    with waypost(str(root), log=tmp_path / "log") as server:
        report = judged(f"http://127.0.0.1:{server.port}", "--deep", "--probe", "5")
    assert best(report)["kind"] == "index"
    assert best(report)["entries"] > 5


def test_many_hosts_of_one_process(tmp_path: Path) -> None:
    sites = tenants(tmp_path / "sites", 3)
    table = '[[site]]\nhosts = ["localhost"]\nroot = "example"\n\n[[site]]\nhosts = ["*.localhost"]\nroot = "tenants/{label}"\n'
    write(sites / "sites.toml", table)
    with waypost("--sites", str(sites), log=tmp_path / "log") as server:
        for host in ("localhost", "t0.localhost", "t2.localhost"):
            report = judged(f"http://{host}:{server.port}", "--deep", "--probe", "5")
            assert report["target"] == f"http://{host}:{server.port}"
            assert best(report)["entries"] == (1 if host == "localhost" else 2)


def test_every_feature_on(tmp_path: Path) -> None:
    root = starter(tmp_path / "root")
    (root / "content/broken.md").unlink()
    (root / "content/broken.md.toml").unlink()
    settings = (root / "waypost.toml").read_text("utf-8")
    write(root / "waypost.toml", f"{settings}\n[sitemap]\nimages = true\nsplit_at = 4\npart_size = 3\n")
    with waypost(str(root), log=tmp_path / "log") as server:
        report = judged(f"http://127.0.0.1:{server.port}", "--deep", "--probe", "5")
    kinds = {check["id"]: check for check in report["checks"]}
    assert kinds["feeds"]["steps"][0]["evidence"]["feeds"]
    assert kinds["robots-xml"]["steps"][0]["evidence"]["services"] > 4
    assert kinds["pages"]["steps"][0]["evidence"]["asked"] == 5
