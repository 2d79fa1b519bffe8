"""`waypost import`: what other programs made is served at its addresses, hidden things stay hidden, and all is told."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.sources import EVERY, HUGO, JEKYLL, MKDOCS, OBSIDIAN, lay
from tests.web.client import Server, waypost


def run(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "waypost", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})


def tree(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def imported(tmp_path: Path, files: dict[str, str | bytes], *more: str) -> tuple[dict, Path]:
    lay(tmp_path / "source", files)
    done = run("import", tmp_path / "source", "-o", tmp_path / "root", "--format", "json", *more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), tmp_path / "root"


def followed(server: Server, path: str) -> int:
    answer = server.ask(path)
    if answer.status == 308:
        answer = server.ask(re.sub(r"^https?://[^/]*", "", answer.headers["location"]))
        assert answer.status != 308, f"{path} redirects twice"
    assert b"CANARY" not in answer.body, path
    return answer.status


@pytest.mark.parametrize("shape", EVERY)
def test_what_is_imported_is_served_at_its_addresses_and_scores_one(shape: str, tmp_path: Path) -> None:
    files, addresses = EVERY[shape]
    source = lay(tmp_path / "source", files)
    (source / "link.md").symlink_to("/etc/passwd")
    before = tree(source)
    told = run("import", source, "-o", tmp_path / "root", "--format", "json")
    assert told.returncode == 0, told.stderr
    report = json.loads(told.stdout)
    assert report["shape"] == shape
    assert any("symbolic link" in row["text"] for row in report["not_understood"])
    assert {row["topic"] for row in report["not_understood"]}.isdisjoint({"link", "served"}), report["not_understood"]
    assert tree(source) == before
    root = tmp_path / "root"
    assert not (root / "content/link.md").exists()
    with waypost(str(root), log=tmp_path / "log") as server:
        for address in addresses:
            assert followed(server, address) == 200, address
        pages = re.findall(r"<loc>https?://[^/]*([^<]*)", server.ask("/sitemap.xml").text)
        for page in pages:
            answer = server.ask(page)
            assert answer.status == 200
            text = re.sub(r"<pre.*?</pre>|<code>.*?</code>", "", answer.text, flags=re.DOTALL).replace("{{ kept }}", "")
            assert not re.search(r"\{\{|\{%|\[\[|%%|CANARY|!!!|:material", text), (page, text)
        checked = run(
            "check", f"http://127.0.0.1:{server.port}", "--probe", "all", "--fail-on", "warn", "--min-score", "1"
        )
    assert checked.returncode == 0, checked.stdout
    doctor = run("doctor", root, "--fail-on", "info")
    assert doctor.returncode == 0, doctor.stdout


def test_hugo(tmp_path: Path) -> None:
    report, root = imported(tmp_path, HUGO)
    about = (root / "content/about.md").read_text()
    assert about.startswith(
        "---\ntitle: About us\nnav_title: About\nnav_order: 20\ndescription: Who we are\n"
        "redirect_from:\n- who\n- people\nupdated: '2024-05-01T10:00:00+02:00'\nlang: en\nparams:\n  mood: calm\n---\n"
    )
    assert "[first](/posts/First%20Post.md#part)" in about
    assert "![A logo](</img/logo.png>)\n\n*Our logo*" in about
    assert '```go\nfmt.Println("{{ not a tag }}")\n' in about
    assert "{{< shown >}}" in about
    assert "<!-- not imported: {{< gist" in about
    assert (root / "waypost.toml").read_text().endswith('title = "A Hugo site"\nlang = "en-gb"\nslash = "always"\n')
    first = (root / "content/posts/First Post.md").read_text()
    assert "published: '2024-01-02T14:04:05Z'" in first or "published: 2024-01-02T14:04:05Z" in first
    assert "tags:\n- one\n- two\n- three\n" in first
    told = {(row["file"], row["topic"]): row for row in report["not_understood"]}
    assert told["content/about.md", "shortcode"]["line"] == 15
    assert told["content/broken.md", "page"]["line"] == 3
    assert ("content/page.org", "file") in told
    assert "/robots.txt is made" in told["static/robots.txt", "file"]["text"]
    assert report["understood"]["translations"] == 2
    assert report["addresses"]["content/news/launch.md"] == "/2024/03/we-launch/"
    with waypost(str(root), log=tmp_path / "log") as server:
        page = server.ask("/fr/team/").text
        assert '<html lang="fr"' in page
        assert 'hreflang="en"' in page
        assert server.ask("/posts/draft/").status == server.ask("/posts/future/").status == 404
        assert "First: post" in server.ask("/feed.atom").text


def test_jekyll(tmp_path: Path) -> None:
    report, root = imported(tmp_path, JEKYLL)
    post = (root / "content/posts/2020-01-02-hello-world.md").read_text()
    assert "title: Hello world" in post
    assert "published: '2020-01-02'" in post
    assert "alias: blog/life/2020/01/02/hello-world.html" in post
    assert "[the other](/posts/2021-03-04-Second.markdown), ![pic](/assets/pic.png) and /about.html." in post
    assert '\n```ruby\nputs "{{ hi }}"\n```\n' in post
    assert "{{ kept }}" in post
    assert "CANARY" not in post
    assert "draft: true" in (root / "content/posts/2021-04-01-hidden.md").read_text()
    assert not (root / "content/secret").exists()
    assert not (root / "content/Gemfile").exists()
    topics = [row["topic"] for row in report["not_understood"]]
    assert topics.count("liquid") >= 2
    assert "templates" in topics


def test_mkdocs(tmp_path: Path) -> None:
    report, root = imported(tmp_path, MKDOCS)
    start = (root / "content/start.md").read_text()
    assert start.startswith("---\ntitle: Starting\nnav_title: Start here\nnav_order: 2\n")
    assert "> **Mind the gap**\n>\n> Text with [a link](guide/deep.md)." in start
    assert "> ```py\n> !!! not one\n> ```" in start
    assert "\n**Linux**\n\napt\n" in start
    assert "nav_title: Guide\nnav_order: 3" in (root / "content/guide/index.md").read_text()
    assert "nav_parent_id" not in (root / "content/guide/deep.md").read_text()
    assert "nav_parent_id: " in (root / "content/reference/api.md").read_text()
    assert {row["topic"] for row in report["not_understood"]} == {"extension", "nav"}
    assert 'slash = "always"' in (root / "waypost.toml").read_text()
    assert run("page", "show", root, "/reference/api").returncode == 0


def test_obsidian(tmp_path: Path) -> None:
    report, root = imported(tmp_path, OBSIDIAN)
    home = (root / "content/Home.md").read_text()
    assert home.startswith(
        "# Home\n\n[Second note](/Folder/Second%20note.md) [that part](/Folder/Second%20note.md#a-part)"
    )
    assert "![pic](/Folder/pic.png) [Nick](/Folder/Second%20note.md) Nowhere " in home
    note = (root / "content/Folder/Second note.md").read_text()
    assert "> **Try this**\n>\n> Now" in note
    assert "`[[code]]`" in note
    assert "[[Nowhere]] names nothing: its text is shown" in [row["text"] for row in report["not_understood"]]


def test_a_dry_run_writes_nothing_and_the_report_is_for_people(tmp_path: Path) -> None:
    source = lay(tmp_path / "source", HUGO)
    done = run("import", source, "--dry-run")
    assert done.returncode == 0
    assert done.stdout.startswith("Hugo site (hugo.toml): A Hugo site\n")
    assert "shortcode: content/about.md:13: {{% notice tip %}} is hidden from readers" in done.stdout
    assert "content/posts/index.md: a list of its folder" in done.stdout
    assert os.listdir(tmp_path) == ["source"]
    assert run("import", source, "-o", tmp_path / "out", "--dry-run", "--format", "json").returncode == 0
    assert os.listdir(tmp_path) == ["source"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("{}/source",), "say where the new root goes"),
        (("{}/none", "-o", "{}/x"), "not there"),
        (("{}/source/hugo.toml", "-o", "{}/x"), "a file"),
        (("{}/empty", "-o", "{}/x"), "no Markdown in it"),
        (("{}/source", "-o", "{}/full"), "not an empty folder"),
        (("{}/source", "-o", "{}/source/inside"), "in one another"),
        (("{}/source/content", "-o", "{}/source"), "in one another"),
        (("{}/broken", "-o", "{}/x"), "_config.yml:2:"),
        (("{}/latin", "-o", "{}/x"), "hugo.toml: not UTF-8"),
    ],
)
def test_a_refusal_is_one_sentence_and_exit_2(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    lay(tmp_path / "source", HUGO)
    lay(tmp_path / "broken", {"_config.yml": "title: [\n", "_posts/2020-01-01-a.md": "# A\n"})
    lay(tmp_path / "latin", {"hugo.toml": b'title = "\xe4"\n', "content/a.md": "# A\n"})
    lay(tmp_path / "full", {"x": "x"})
    (tmp_path / "empty").mkdir()
    before = tree(tmp_path)
    done = run("import", *(word.replace("{}", str(tmp_path)) for word in words))
    assert done.returncode == 2, done.stdout
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert tree(tmp_path) == before
    assert not (tmp_path / "x").exists()
