"""Markdown: what people write is shown; what attackers write is not."""

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.site.headings import first_heading
from waypost.site.markdown import render

VECTORS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](  jAvAsCrIpT:alert(1))",
    "[a](java&#10;script:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    "![a](javascript:alert(1))",
    "<svg/onload=alert(1)>",
    "<svg><script>1</script></svg>",
    "<math><mi xlink:href='javascript:1'>x</mi></math>",
    "<iframe src='//evil.example'></iframe>",
    "<a href='javascript:x' style='x' onclick=y>t</a>",
    "<style>*{}</style>",
    "<base href='//evil.example'>",
    "<form action=//evil.example><input name=x><button>b</button></form>",
    "<noscript><p title='</noscript><img src=x onerror=1>'>",
    "<object data=x></object><embed src=x>",
    "<meta http-equiv=refresh content='0;url=//evil'>",
    "<div style=\"background:url('javascript:1')\">x</div>",
    "`<img src=x onerror=1>`",
    "<!--><img src=x onerror=1>-->",
    "<a id='login' name='form' class='admin'>x</a>",
    '<a\nhref="java\0script:x">y</a>',
    "<template><script>1</script></template>",
    "[x]: javascript:1\n[x]",
    '<https://a.example/"onmouseover=1>',
]


class Looker(HTMLParser):
    """Everything a browser could run."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {
            "script",
            "style",
            "iframe",
            "object",
            "embed",
            "base",
            "form",
            "meta",
            "svg",
            "math",
            "template",
            "link",
        }:
            self.bad.append(tag)
        for name, value in attrs:
            plain = re.sub(r"[\s\x00-\x20]", "", value or "").lower()
            if name.startswith("on") or name in {"style", "name", "srcdoc"}:
                self.bad.append(f"{tag} {name}")
            if name in {"href", "src"} and plain.startswith(("javascript:", "data:", "vbscript:")):
                self.bad.append(f"{tag} {name}={value}")


def bad(made: str) -> list[str]:
    looker = Looker()
    looker.feed(made)
    return looker.bad


@pytest.mark.parametrize("vector", VECTORS)
@pytest.mark.parametrize(
    "around", ["{}", "> {}", "- {}\n  more", "# {}", "| a |\n|-|\n| {} |", "*{}*", "[{}](x)", "text\n\n{}\n\ntext"]
)
def test_safety_41_nothing_that_runs_is_left(vector: str, around: str) -> None:
    assert bad(render(around.replace("{}", vector)).html) == []


@given(st.text(alphabet="<>/='\"`*[]()!&;:#-_ \n|~javscriptonlh1", max_size=120))
def test_no_text_makes_something_that_runs(text: str) -> None:
    assert bad(render(text).html) == []


@pytest.mark.parametrize(
    "bomb",
    [
        ">" * 50_000 + "a",
        "[" * 50_000,
        "*a _b " * 50_000,
        "*" * 50_000 + "a" + "*" * 50_000,
        "a" * 10_000_000,
        "**a " * 250_000,
        "<b>" * 50_000,
        "".join(" " * depth + "- a\n" for depth in range(2_000)),
        "[a]: x\n" * 50_000 + "[a]" * 50_000,
        "![[" * 100_000,
    ],
    ids=["quotes", "brackets", "emphasis", "stars", "line", "strong", "html", "lists", "references", "images"],
)
def test_safety_42_bombs_are_rendered_in_time_or_shown_as_they_are(bomb: str) -> None:
    started = time.perf_counter()
    made = render(bomb)
    assert time.perf_counter() - started < 3
    assert len(made.html) < 6 * len(bomb) + 100


def test_relative_links_and_images_go_through_the_callback() -> None:
    asked: list[str] = []

    def resolve(reference: str) -> str | None:
        asked.append(reference)
        return {"other.md#top": "/other#top", "img/a.png": "/img/a.png"}.get(reference)

    made = render(
        "[a](other.md#top) ![i](img/a.png) [b](gone.md) [c](/abs) [d](https://x.example/) [e](#here) [f](mailto:a@b.example)",
        resolve,
    ).html
    assert asked == ["other.md#top", "img/a.png", "gone.md"]
    assert 'href="/other#top"' in made
    assert 'src="/img/a.png"' in made
    assert 'href="gone.md"' in made
    assert 'href="/abs"' in made


def test_tables_tasks_strikes_and_footnotes() -> None:
    made = render("| a |\n|-|\n| ~~b~~ |\n\n- [x] t\n\nn[^1]\n\n[^1]: note\n").html
    for part in ("<table>", "<del>b</del>", 'type="checkbox"', "note"):
        assert part in made


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# One", "One"),
        ("Text\n\n# *One* [two](x) `three` \\* &amp; <b>four</b> #", "One two three * & four"),
        ("```\n# code\n```\n# Real", "Real"),
        ("~~~~\n# code\n~~~\n# still\n~~~~\n# Real", "Real"),
        ("## Two\n# One", "One"),
        ("Title\n=====\n", "Title"),
        ("- item\n====\n# Real", "Real"),
        ("    # code\n", ""),
        ("#hashtag", ""),
        ("#\n# Next", "Next"),
        ("", ""),
        ("#  " + "x" * 5000, "x" * 300),
        ("# ![logo](a.png) Name", "logo Name"),
        ("# __bold__ ~~no~~", "bold no"),
    ],
)
def test_the_first_heading(text: str, title: str) -> None:
    assert first_heading(text) == title
