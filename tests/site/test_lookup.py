"""Exactly one path answers 200 for an object; every other spelling of it leads there, or nowhere."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.site.roots import Root, paths

from waypost.publish.canonical import source_path
from waypost.site.cache import PageMetaCache
from waypost.site.edit import find_object
from waypost.site.links import resolver
from waypost.site.lookup import Kind
from waypost.site.naming import path_key

KEY = "0123456789abcdef"


def answer(cache: PageMetaCache, path: str) -> tuple[str, str] | None:
    found = cache.lookup(path)
    if found is None:
        return None
    return found.kind.value, found.location or (found.entry.blob if found.entry else "")


@pytest.fixture
def site(root: Root) -> PageMetaCache:
    root.page("index.md", "# Home")
    root.page("docs/index.md")
    root.page("docs/intro.md", "---\nredirect_from: [old/Intro, login-help]\n---\n")
    root.page("caf\u00e9.md")
    root.page("img/a.png", b"x")
    root.page("none.md", "---\nalias: ''\n---\n")
    root.page("secret.md", "---\ndraft: true\nredirect_from: [to-secret]\n---\n")
    root.page(f"ef/{KEY}.1")
    root.page(f"ef/{KEY}.1.json", '{"alias": "by-id"}')
    return root.cache()


NONE = path_key("none.md").hex()
INTRO = path_key("docs/intro.md").hex()
SECRET = path_key("secret.md").hex()


@pytest.mark.parametrize(
    ("path", "want"),
    [
        ("/", ("page", "index.md")),
        ("/index", ("moved", "/")),
        ("//", ("moved", "/")),
        ("/INDEX/", ("moved", "/")),
        ("/docs", ("page", "docs/index.md")),
        ("/docs/", ("moved", "/docs")),
        ("/docs/index", ("moved", "/docs")),
        ("/Docs//Intro", ("moved", "/docs/intro")),
        ("/docs/intro", ("page", "docs/intro.md")),
        ("/docs/%69ntro", ("moved", "/docs/intro")),
        (f"/id/{INTRO}", ("moved", "/docs/intro")),
        (f"/id/{INTRO}/", ("moved", "/docs/intro")),
        (f"/id/{INTRO.upper()}", None),
        (f"/id/{INTRO[:15]}", None),
        (f"/id/{INTRO}0", None),
        (f"/id/{NONE}", ("page", "none.md")),
        (f"/id/{NONE}/", ("moved", f"/id/{NONE}")),
        (f"/id/{KEY}", ("moved", "/by-id")),
        ("/by-id", ("page", f"ef/{KEY}.1")),
        ("/old/intro", ("moved", "/docs/intro")),
        ("/OLD/Intro/", ("moved", "/docs/intro")),
        ("/login-help", ("moved", "/docs/intro")),
        ("/caf%C3%A9", ("page", "caf\u00e9.md")),
        ("/caf%c3%a9", ("moved", "/caf%C3%A9")),
        ("/CAF%C3%89", ("moved", "/caf%C3%A9")),
        ("/cafe%CC%81", ("moved", "/caf%C3%A9")),
        ("/img/a.png", ("file", "img/a.png")),
        ("/img/A.PNG/", ("moved", "/img/a.png")),
        ("/secret", None),
        ("/SECRET", None),
        ("/to-secret", None),
        (f"/id/{SECRET}", None),
        ("/secret.md", None),
        ("/docs/intro.md", ("source", "docs/intro.md")),
        ("/Docs/intro.MD", ("moved", "/docs/intro.md")),
        ("/index.md", ("source", "index.md")),
        ("/docs.md", ("source", "docs/index.md")),
        ("/docs/index.md", ("moved", "/docs.md")),
        (f"/id/{NONE}.md", ("source", "none.md")),
        (f"/id/{INTRO}.md", ("moved", "/docs/intro.md")),
        ("/img/a.png.md", None),
        ("/.md", ("moved", "/index.md")),
        ("/nothing", None),
        ("/docs%2Fintro", None),
        ("/docs/../docs/intro", None),
        ("/docs/%2e%2e/docs/intro", None),
        ("/docs\\intro", None),
        ("/docs/intro%00", None),
        ("/%ff", None),
        ("", None),
        ("*", None),
        ("docs", None),
    ],
)
def test_what_a_path_means(site: PageMetaCache, path: str, want: tuple[str, str] | None) -> None:
    assert answer(site, path) == want


def test_with_slashes_the_other_spellings_lead_there(site: PageMetaCache, root: Root) -> None:
    root.write("waypost.toml", 'slash = "always"\n')
    assert answer(site, "/docs/intro/") == ("page", "docs/intro.md")
    assert answer(site, "/docs/intro") == ("moved", "/docs/intro/")
    assert answer(site, "/") == ("page", "index.md")
    assert answer(site, "/docs/index") == ("moved", "/docs/")
    assert answer(site, "/img/a.png") == ("file", "img/a.png")
    assert answer(site, f"/id/{NONE}/") == ("page", "none.md")
    assert answer(site, f"/id/{NONE}") == ("moved", f"/id/{NONE}/")
    assert answer(site, "/docs/intro.md") == ("source", "docs/intro.md")


def test_every_listed_page_answers_200_at_its_own_path_alone(site: PageMetaCache, root: Root) -> None:
    for slash in ("never", "always"):
        root.write("waypost.toml", f'slash = "{slash}"\n')
        for path in paths(site):
            found = site.lookup(path)
            assert found is not None
            assert found.kind is Kind.PAGE
            assert found.entry is not None
            assert found.entry.path == path
            source = site.lookup(source_path(found.entry.path))
            assert source is not None
            assert source.kind is Kind.SOURCE


@given(st.text(alphabet="/docsintreINDX.%20aé\\~-_", max_size=30))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_is_asked_moves_at_most_once_and_to_a_page(site: PageMetaCache, path: str) -> None:
    found = site.lookup(path)
    if found is None:
        return
    if found.kind is Kind.MOVED:
        assert found.location.startswith("/")
        assert not found.location.startswith("//")
        there = site.lookup(found.location)
        assert there is not None
        assert there.kind is not Kind.MOVED


def test_the_home_page_is_known_under_its_own_alias(root: Root) -> None:
    root.page("welcome.md")
    root.write("waypost.toml", 'home = "welcome"\n')
    cache = root.cache()
    assert answer(cache, "/") == ("page", "welcome.md")
    assert answer(cache, "/Welcome") == ("moved", "/")
    assert answer(cache, "/index") == ("moved", "/")


def test_a_bare_folder_without_a_home_page_has_a_listing(bare: Root) -> None:
    bare.write("a.md", "# A")
    cache = bare.cache()
    assert answer(cache, "/") == ("listing", "")
    bare.write("Readme.md", "# R")
    assert answer(cache, "/") == ("page", "Readme.md")
    assert answer(cache, "/readme") == ("moved", "/")
    assert answer(cache, "/README.md") == ("moved", "/index.md")


def test_read_page_gives_the_text_without_its_front_matter(root: Root) -> None:
    root.page("a.md", "---\ntitle: x\n---\n# Body\n")
    cache = root.cache()
    entry = cache.named("a.md")
    assert entry is not None
    assert cache.read_page(entry)[0] == "# Body\n"


def test_read_page_finds_the_end_of_front_matter_and_parses_none(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.page("a.md", "---\ntitle: x\n---\n# Body\n")
    cache = root.cache()
    entry = cache.named("a.md")
    assert entry is not None
    monkeypatch.setattr("waypost.site.sidecar.read_yaml", None)
    assert cache.read_page(entry)[0] == "# Body\n"


def test_the_page_of_a_folder_may_have_the_name_that_hugo_gives_it(root: Root) -> None:
    root.page("_index.md", "# Home\n\n[posts](posts/) [one](posts/one.md)\n")
    root.page("posts/_index.md", "# Posts\n")
    root.page("posts/one.md", "# One\n")
    cache = root.cache()
    assert paths(cache) == ["/", "/posts", "/posts/one"]
    home = find_object(cache, "/")
    assert resolver(cache, home)("posts/") == resolver(cache, home)("posts") == "/posts"
    assert resolver(cache, home)("posts/_index.md") == "/posts"
