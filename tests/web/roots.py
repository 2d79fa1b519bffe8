"""Roots to serve: a starter root, many pages, many tenants, the shape of a NoPressure root."""

import json
import os
import random
from pathlib import Path

TAGS_YAML = """staff-only:
  name: "Staff only"
  roles:
    - "staff"
  access_rule: "union"
"""


def write(path: Path, text: str) -> Path:
    """A file, replaced by rename as every careful writer does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.tmp")
    draft.write_text(text)
    draft.replace(path)
    return path


def starter(root: Path) -> Path:
    """One of everything: pages, a restricted one, a denied one, files, redirects, translations, an admin path."""
    content = root / "content"
    write(root / "waypost.toml", STARTER_TOML)
    write(content / "index.md", "# Welcome\n\nSee [the introduction](docs/Intro.md).\n")
    write(content / "docs/Intro.md", "---\ntitle: Introduction\ntranslations: {de: docs/einstieg}\n---\n# Intro\n")
    write(
        content / "docs/einstieg.md",
        "---\nlang: de\ntitle: Einstieg\ntranslations: {en: docs/intro}\n---\n# Einstieg\n",
    )
    write(content / "docs/index.md", "# Docs\n")
    write(content / "news/one.md", "---\npublished: 2026-01-20\ntitle: One & <more>\n---\n# One\n")
    write(content / "Über uns.md", "# Über uns\n")
    write(content / "internal.md", "---\ntitle: CANARY-RESTRICTED\ntags: [staff-only]\n---\n# CANARY-RESTRICTED\n")
    write(content / "draft.md", "---\ntitle: CANARY-DENIED\ndraft: true\n---\n# CANARY-DENIED\n")
    write(content / "quiet.md", "---\nnoindex: true\n---\n# Quiet\n")
    write(content / "idonly.md", "# Only by id\n")
    write(content / "idonly.md.toml", 'id = "00000000000000ff"\nalias = ""\n')
    write(content / "moved.md", "# Moved\n")
    write(content / "moved.md.toml", 'alias = "new-place"\nredirect_from = ["old-place", "older/place"]\n')
    write(content / "style.css", "body { color: black }\n")
    write(content / "picture.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>\n")
    write(content / "broken.md", "# Broken\n")
    write(content / "broken.md.toml", "tags = [\n")
    return root


STARTER_TOML = """title = "Starter"
lang = "en"
llms = true

[admin]
path = "hidden-door-f00dfeedf00dfeed"

[tags.staff-only]
roles = ["staff"]

[[robots.group]]
agents = ["CCBot"]
disallow = ["/"]
content_signal = "ai-train=no"

[[data]]
path = "/style.css"
namespace = "urn:example:style"
"""

STARTER_PAGES = [
    "/", "/%C3%BCber-uns", "/docs", "/docs/einstieg", "/docs/intro", "/id/00000000000000ff", "/new-place", "/news/one",
]  # fmt: skip


def many(root: Path, count: int, shards: int = 256) -> Path:
    """So many id objects with JSON sidecars, in the shards their ids belong to."""
    chance = random.Random(count)
    for shard in range(shards):
        (root / f"content/{shard:02x}").mkdir(parents=True)
    for number in range(count):
        key = f"{chance.getrandbits(56):014x}{number % shards:02x}"
        base = f"{root}/content/{key[-2:]}/{key}.1"
        with open(f"{base}.json", "w") as sidecar:
            sidecar.write(
                json.dumps({"alias": f"page-{number:06}", "title": f"Page {number}", "mime": "text/markdown"})
            )
        with open(base, "w") as blob:
            blob.write(f"# Page {number}\n")
    return root


def nopressure(root: Path) -> Path:
    """The layout of a NoPressure root: id objects, `.ron` sidecars, tags in `state/sys/tags.yaml`."""
    write(root / "state/sys/tags.yaml", TAGS_YAML)
    for key, alias, tags in (
        ("00000000000001aa", '"welcome"', "[]"),
        ("00000000000002aa", '"team/internal"', '["staff-only"]'),
        ("00000000000003bb", '""', '["label"]'),
    ):
        base = root / f"content/{key[-2:]}"
        write(base / f"{key}.1.ron", RON.format(alias=alias, tags=tags))
        write(base / f"{key}.1", f"# {key}\n")
    return root


RON = """(
    alias: {alias},
    title: Some("A page"),
    mime: "text/markdown",
    tags: {tags},
    nav_title: None,
    nav_parent_id: None,
    nav_order: None,
    original_filename: Some("page.md"),
    theme: None,
)
"""


def tenants(directory: Path, count: int) -> Path:
    """A folder a label, all below one wildcard, and two hosts of one site."""
    for number in range(count):
        write(directory / f"tenants/t{number}/index.md", f"# Tenant {number}\n")
        write(directory / f"tenants/t{number}/only-{number}.md", "# Only here\n")
    write(directory / "example/index.md", "# Example\n")
    write(directory / "preview/index.md", "# Preview\n")
    write(directory / "sites.toml", SITES_TOML)
    return directory


SITES_TOML = """[[site]]
hosts = ["example.com", "www.example.com"]
root = "example"
canonical_host = "example.com"

[[site]]
hosts = ["preview.example.com"]
root = "preview"
closed = true

[[site]]
hosts = ["*.blog.example.com"]
root = "tenants/{label}"

[[site]]
hosts = ["*.shared.example.com"]
root = "example"
"""


def age(root: Path, seconds: float) -> None:
    """Make everything below a root look as if it had been written so long ago."""
    for folder, _, names in os.walk(root):
        for name in names:
            path = f"{folder}/{name}"
            moment = os.stat(path).st_mtime - seconds
            os.utime(path, (moment, moment))
