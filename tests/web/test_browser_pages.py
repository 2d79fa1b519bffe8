"""The pages in a real Chromium: silent, alone on their host, and usable by everybody, in every kind there is."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.chromium import grave_faults, launched
from tests.site.vectors import vectors
from tests.web.client import Server, waypost
from tests.web.roots import write

from waypost.site.markdown import render

pytestmark = pytest.mark.browser

EVERYTHING = """---
title: Everything
published: 2026-01-20
---
# Everything

Text with *marks*, `code`, <kbd>K</kbd>, a [link](docs/deep/page.md), ~~none~~, a note[^1] and https://example.com/.

## Lists

- [x] done
- [ ] open

1. one
   - inner

## Code

```python
@decorated
def call(a: int = 1) -> str:  # a comment
    return f"{a}" + None
```

```diff
@@ 1 @@
- old
+ new
```

```console
$ waypost serve .
output
```

## Table and picture

| a | b | c |
|---|:-:|--:|
| 1 | 2 | `very long cell that does not fit into a narrow screen at all, whatever happens` |

![A picture](img/picture.svg) ![Far away](https://far.example/a.png)

> Quoted.

<details><summary>More</summary>

Hidden.

</details>

[^1]: Noted.
"""
KINDS = {
    "home": "/",
    "page": "/everything",
    "deep page": "/docs/deep/page",
    "translated page": "/de",
    "right to left": "/ar",
    "id page": "/id/00000000000000ff",
    "noindex page": "/quiet",
    "plain text": "/bomb",
    "no text": "/empty",
    "search": "/_waypost/search",
    "search with results": "/_waypost/search?q=words",
    "search without": "/_waypost/search?q=nowhere",
    "not found": "/docs/deep/pag",
}
VIEWS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 800}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 800}},
    "narrow": {"color_scheme": "light", "viewport": {"width": 360, "height": 740}},
}


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with launched() as chromium:
        yield chromium


def write_browsed(root: Path) -> None:
    """A root with a page of every kind."""
    content = root / "content"
    write(root / "waypost.toml", 'title = "Lantern"\nlang = "en"\n')
    write(content / "index.md", "# Lantern\n\nSome words.\n")
    write(content / "everything.md", EVERYTHING)
    write(content / "docs/index.md", "---\ntranslations: {de: de, ar: ar}\n---\n# Docs\n")
    for name in ("page", "other"):
        write(content / f"docs/deep/{name}.md", f"# A {name}\n\n" + "## Part\n\nMany words.\n\n" * 8)
    write(content / "de.md", "---\nlang: de\n---\n# Unterlagen\n\nEinige Wörter.\n")
    write(content / "ar.md", "---\nlang: ar\n---\n# مرحبا\n\n> كلمات\n")
    write(content / "alone.md", "# Without an address of its own\n")
    write(content / "alone.md.toml", 'id = "00000000000000ff"\nalias = ""\n')
    write(content / "quiet.md", "---\nnoindex: true\n---\n# Quiet\n")
    write(content / "bomb.md", "# Bomb\n\n" + ">" * 600 + "a\n")
    write(content / "empty.md", "")
    write(content / "long.md", f"# {'Elektrizität' * 12}\n\n{'x' * 400} `{'y' * 300}`\n\n```\n{'z' * 500}\n```\n")
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="600"><circle r="90"/></svg>'
    write(content / "img/picture.svg", picture)


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    root = tmp_path_factory.mktemp("browsed")
    write_browsed(root)
    with waypost(str(root), log=root / "log") as running:
        yield running


class Visit:
    """A page that was opened, with everything it said and every host it asked."""

    def __init__(self, browser, port: int, path: str, **context) -> None:
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(urlsplit(request.url).netloc))
        self.port = port
        self.page.goto(f"http://127.0.0.1:{port}{path}")
        if self.page.get_by_text("Not found").count():
            self.said = [said for said in self.said if "404 (Not Found)" not in said]


@pytest.fixture
def visit(browser, server) -> Iterator[object]:
    visits: list[Visit] = []

    def opened(path: str, **context) -> Visit:
        visits.append(Visit(browser, server.port, path, **context))
        return visits[-1]

    yield opened
    for one in visits:
        one.context.close()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_page_is_silent_alone_and_open_to_everybody(visit, kind):
    one = visit(KINDS[kind])
    for view in VIEWS.values():
        one.page.set_viewport_size(view["viewport"])
        one.page.emulate_media(color_scheme=view["color_scheme"])
        assert one.page.evaluate("document.documentElement.scrollWidth") <= view["viewport"]["width"]
        assert grave_faults(one.page) == []
    assert one.said == []
    assert set(one.asked) == {f"127.0.0.1:{one.port}"}


def test_nothing_is_wider_than_the_smallest_screens(visit):
    for path in ("/everything", "/long", "/docs/deep/page"):
        assert (
            visit(path, viewport={"width": 320, "height": 600}).page.evaluate("document.documentElement.scrollWidth")
            <= 320
        )


def test_the_keyboard_skips_to_the_text_and_sees_where_it_is(visit):
    page = visit("/everything").page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "site.content"
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_drawers_open_and_close_without_a_script(visit):
    page = visit("/everything", java_script_enabled=False, **VIEWS["narrow"]).page
    pages = page.get_by_role("navigation", name="Pages")
    assert pages.is_hidden()
    page.get_by_role("button", name="Menu").press("Enter")
    assert pages.is_visible()
    page.keyboard.press("Escape")
    assert pages.is_hidden()
    page.get_by_role("button", name="On this page").click()
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Code").click()
    assert page.url.endswith("/everything#code")


def test_search_needs_no_script(visit):
    page = visit("/", java_script_enabled=False).page
    page.get_by_role("searchbox").fill("many words")
    page.get_by_role("searchbox").press("Enter")
    assert page.locator(".listing a").all_inner_texts() == ["A other", "A page"]
    assert page.locator("mark").first.inner_text() == "Many"
    assert page.get_by_role("searchbox").input_value() == "many words"


def test_pages_follow_the_scheme_of_the_system_and_paper_is_white(visit):
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = (visit("/everything", **VIEWS[view]).page for view in ("light", "dark"))
    assert light.evaluate(ground) == "rgb(252, 252, 250)"
    assert dark.evaluate(ground) == "rgb(19, 23, 24)"
    dark.emulate_media(media="print")
    assert dark.evaluate(ground) == "rgb(255, 255, 255)"
    for hidden in (".top", ".nav", ".toc", ".turn"):
        assert dark.locator(hidden).first.is_hidden()


def test_the_policy_stops_what_is_not_ours(visit):
    one = visit("/everything")
    one.page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)><b style=color:red>x</b>')"
    )
    # wait_for_function would look again from inside the page, where the policy stops it, too.
    one.page.evaluate(
        """() => {
          const image = [...document.images].at(-1);
          return image.complete || new Promise((done) => image.addEventListener('error', () => done(true)));
        }"""
    )
    assert any("Content Security Policy" in said for said in one.said)
    assert not any(said == "1" for said in one.said)


WAKE = """() => {
  for (const one of document.querySelectorAll('*')) {
    for (const name of ['click', 'mouseover', 'focus', 'toggle', 'pointerenter', 'scroll', 'cut', 'animationstart'])
      one.dispatchEvent(new Event(name, { bubbles: false, cancelable: true }));
    for (const name of one.getAttributeNames())
      if (/^on/.test(name) || /^(javascript|vbscript|data):/i.test(one[name] ?? '')) throw new Error(one.outerHTML);
  }
}"""


def shown(browser, pieces) -> list[str]:
    """What Chromium says to a document without any policy; its only request is answered with nothing."""
    context = browser.new_context()
    page = context.new_page()
    said: list[str] = []
    page.on("dialog", lambda dialog: (said.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.route("**/*", lambda route: route.fulfill(body=""))
    page.goto("http://127.0.0.1:9/")
    body = "".join(f"<section>{piece}</section>" for piece in pieces)
    page.set_content(f"<!doctype html><title>x</title>{body}")
    page.evaluate(WAKE)
    context.close()
    return said


def test_no_vector_runs_anything_in_chromium_even_without_a_policy(browser):
    texts = list(vectors(1_200))
    for start in range(0, len(texts), 200):
        assert shown(browser, [render(text).html for text in texts[start : start + 200]]) == []


def test_what_would_run_is_seen(browser):
    attacks = ["<img src=x onerror=alert(1)>", "<svg onload=alert(1)></svg>", "<b onclick=alert(1)>x</b>"]
    with pytest.raises(Exception, match="onerror|onload|onclick"):
        shown(browser, attacks)
