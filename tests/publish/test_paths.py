"""The registry of reserved paths: what it refuses, what it leaves free, and what it says of the admin path."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.publish.paths import RESERVED, Form, Resource, admin_row, disallowed, names_admin, refuses

CASES = json.loads((Path(__file__).parents[1] / "cases" / "reserved_aliases.json").read_text())
SPEC = {
    "robots.txt", "sitemap.xml", "sitemap_index.xml", "sitemap.txt", "sitemaps/", "robots.xml", "feeds.opml",
    "feed.atom", "feed.rss", ".well-known/", "healthz", "readyz", "metrics", "_waypost/", ".md", "id/",
    "login/", "builtin/", "api/",
}  # fmt: skip


@pytest.mark.parametrize("alias", CASES["refused"])
def test_spec_reserved_aliases_are_refused_however_they_are_spelled(alias):
    row = refuses(alias, "secret-door")
    assert row is not None
    assert row.why


@pytest.mark.parametrize("alias", [*CASES["free"], "", "/", "..."])
def test_spec_a_name_that_is_only_near_stays_free(alias):
    assert refuses(alias, "secret-door") is None


def test_spec_the_registry_has_every_row_of_the_specification():
    names = {row.name + ("/" if row.form is Form.FOLDER else "") for row in RESERVED}
    assert names >= SPEC
    assert names - SPEC == {"feed.json", "llms.txt"}


def test_spec_only_login_api_and_builtin_are_disallowed():
    assert disallowed() == ("/login/", "/api/", "/builtin/")


def test_every_file_and_leaf_has_one_path():
    paths = {row.name: row.path for row in RESERVED}
    assert paths["robots.txt"] == "/robots.txt"
    assert paths[".well-known"] == "/.well-known/feeds"
    assert paths["sitemaps"] == paths[".md"] == ""
    files = [row for row in RESERVED if row.form in {Form.FILE, Form.REPEATED}]
    assert len({row.resource for row in files}) == len(files)


def test_the_admin_row_never_says_what_it_is_for():
    row = admin_row("/Secret-Door/panel/")
    assert row is not None
    assert row.name == "secret-door/panel"
    assert row.resource is Resource.NOTHING
    assert not row.is_disallowed
    assert "admin" not in row.why
    assert "secret" not in row.why
    assert admin_row("") is admin_row("/") is None


def test_an_admin_path_of_two_segments_is_refused_as_a_whole():
    assert refuses("secret/panel", "secret/panel") is not None
    assert refuses("secret/panel/x", "secret/panel") is not None
    assert refuses("secret/panels", "secret/panel") is None
    assert refuses("secret", "secret/panel") is None


@pytest.mark.parametrize(
    "rule",
    [
        "/secret-door",
        "/SECRET-door/*",
        "*/secret-door/",
        "/a/*/secret-door$",
        "/%73ecret-door",
        "/sec*ret-door",
        "/secret-door?x",
        "/secret-door&",
        "/secret-door.;x",
        "/secret-door%3Fx",
        "/login?next=secret-door",
        "/x#secret-door",
    ],
)
def test_spec_a_rule_that_names_the_admin_path_is_seen(rule):
    assert names_admin(rule, "secret-door")


@pytest.mark.parametrize("rule", ["/secret-doors", "/", "*", "", "/door/secret", "/secret?door"])
def test_a_rule_that_names_something_else_is_not(rule):
    assert not names_admin(rule, "secret-door")
    assert not names_admin(rule, "")


@given(st.text(max_size=40))
def test_nothing_makes_the_registry_raise(alias):
    row = refuses(alias, "secret-door")
    assert row is None or row.why
