"""Restricted or denied = exactly the answer of an unknown page: two roots, one without what the other hides."""

import itertools
import os
from pathlib import Path

import pytest
from tests.web.roots import write
from tests.web.survival import DOCUMENTS, asked

from waypost.publish.canonical import id_path
from waypost.site.naming import path_key

OPEN = {
    "waypost.toml": 'title = "T"\nllms = true\n[tags.staff]\nroles = ["staff"]\n[sitemap]\nimages = true\n',
    "content/index.md": "# Home\n",
    "content/docs/index.md": "# Docs\n",
    "content/docs/intro.md": "# Intro\n\n[there](../secret/deep.md) ![](../secret/a.png)\n",
    "content/news/a.md": "---\npublished: 2026-01-01\ntranslations: {de: secret/deep}\nimages: [../secret/a.png]\n---\n# N\n",
    "content/public.md": "---\nredirect_from: [secret/old, taken]\n---\n# Public\n",
}
HIDDEN = {
    "content/secret/deep.md": "---\ntags: [staff]\nlang: de\ntranslations: {en: news/a}\nredirect_from: [was/secret]\n---\n# CANARY\n",
    "content/secret/index.md": "---\ndraft: true\n---\n# CANARY\n",
    "content/secret/a.png": "CANARY",
    "content/secret/a.png.json": '{"roles": ["boss"]}',
    "content/taken.md": "---\naccess: deny\npublished: 2026-02-02\n---\n# CANARY\n",
    "content/docs/hidden.md": "---\ntags: [staff]\nnav_title: CANARY\n---\n# CANARY\n",
    "content/robots.md": "CANARY\n",
    "content/robots.md.toml": "tags = [",
}
PATHS = [
    *DOCUMENTS, "/", "/docs", "/docs/intro", "/news/a", "/public", "/news/feed.atom", "/secret/feed.atom",
    "/secret", "/secret/", "/Secret/Deep", "/secret/deep", "/secret/deep.md", "/secret/index", "/secret/a.png",
    "/secret/old", "/taken", "/TAKEN", "/taken/", "/taken.md", "/was/secret", "/docs/hidden", "/docs/hidden.md",
    "/robots", "/robots.md", "/_waypost/search",
    *(id_path(path_key(name.removeprefix("content/"))) for name in HIDDEN),
]  # fmt: skip


def made(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        os.utime(write(root / name, text), (1_700_000_000, 1_700_000_000))
    return root


@pytest.mark.parametrize("slash", ["never", "always"])
def test_spec_nothing_tells_of_a_hidden_object_where_it_stands_or_who_names_it(tmp_path, slash):
    toml = f'slash = "{slash}"\n{OPEN["waypost.toml"]}'
    without, with_hidden = ({**OPEN, **more, "waypost.toml": toml} for more in ({}, HIDDEN))
    with asked(made(tmp_path / "a", without)) as unknown, asked(made(tmp_path / "b", with_hidden)) as hidden:
        for path, method, accept in itertools.product(PATHS, ("GET", "HEAD", "POST"), ("*/*", "text/markdown")):
            how = {"method": method, "accept": accept, "query": "q=CANAR" if "search" in path else ""}
            one, other = unknown.ask(path, **how), hidden.ask(path, **how)
            # When anything last changed may be when something was hidden: that date is not the hidden one's alone.
            for answer in (one, other):
                answer.headers.pop("last-modified", None)
            assert one == other, (path, how)
            assert b"CANARY" not in other.all_bytes, path
