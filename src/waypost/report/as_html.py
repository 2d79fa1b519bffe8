"""The report as one self-contained page: it asks nobody for anything, and its policy lets it run nothing but its own.

The JSON of the report stands inside, so that `waypost report FILE.html` re-opens it.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from waypost import __version__
from waypost.check.result import Result
from waypost.dates import write_w3c
from waypost.report import words
from waypost.report.as_json import chunks, document
from waypost.report.html_pictures import depth_rows, histogram, status_strip, tree
from waypost.report.html_sections import badge, findings, steps, summary, trail
from waypost.report.markup import Markup, el, join, raw
from waypost.report.reading import EMBEDDED_ID
from waypost.report.view import View

__all__ = ["render"]


_DATA = f'<script type="application/json" id="{EMBEDDED_ID}">'
# In JSON these three stand only inside strings, where an escape means the same; so no tag can end the element.
_IN_SCRIPT = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def render(results: Sequence[Result], view: View) -> Iterator[str]:
    """One page; where several targets were checked, an overview and then an article each."""
    is_overview = view.is_list or len(results) != 1
    data = [document(result) for result in results]
    before, opening, after = _page(results, is_overview=is_overview).partition(_DATA)
    yield before + opening
    for chunk in chunks(data if is_overview else data[0]):
        yield chunk.translate(_IN_SCRIPT)
    yield after


def _page(results: Sequence[Result], *, is_overview: bool) -> str:
    """The page, but for its data."""
    articles = [_article(result, f"r{number}") for number, result in enumerate(results, start=1)]
    body = el(
        "body",
        el("a", "Skip to the report", href="#main", class_="skip-link"),
        _masthead(),
        el("main", _overview(results) if is_overview else None, *articles, id="main", tabindex=-1),
        _colophon(),
        raw(f"{_DATA}</script>"),
        el("script", raw(_asset("report.js"))),
    )
    return "<!doctype html>\n" + el("html", _head(_title(results)), body, lang="en") + "\n"


def _title(results: Sequence[Result]) -> str:
    if len(results) != 1:
        return f"{len(results)} sites, a waypost report"
    result = results[0]
    return f"{result.target}: {result.status.value}, score {words.score_words(result.score)}"


def _head(title: str) -> Markup:
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src '{_digest('report.js')}'",
            f"style-src '{_digest('report.css')}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return el(
        "head",
        el("meta", charset="utf-8"),
        # html.escape would be right and unreadable: the policy is ours, and holds no double quote.
        raw(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="referrer", content="no-referrer"),
        el("meta", name="robots", content="noindex"),
        el("meta", name="generator", content=f"waypost {__version__}"),
        el("title", title),
        raw(f'<link rel="icon" href="data:image/svg+xml;base64,{_base64("mark.svg")}">'),
        el("style", raw(_asset("report.css"))),
    )


@cache
def _asset(name: str) -> str:
    return (files("waypost.report") / "assets" / name).read_text("utf-8")


@cache
def _base64(name: str) -> str:
    return base64.b64encode(_asset(name).encode()).decode()


@cache
def _digest(name: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(_asset(name).encode()).digest()).decode()


def _masthead() -> Markup:
    toggle = el("button", "Dark or light", type="button", class_="plain", data_toggle="theme", hidden=True)
    return el("header", el("span", raw(_asset("mark.svg")), "waypost", class_="brand"), toggle, class_="masthead")


def _colophon() -> Markup:
    keys = ((("/",), "filter findings"), (("j", "k"), "next and previous finding"), (("Enter",), "open or close"))
    hints = [el("li", *(el("kbd", key) for key in names), f" {purpose}") for names, purpose in keys]
    return el(
        "footer",
        el("ul", *hints, class_="keys", hidden=True),
        el("p", f"Written by waypost {__version__}. The page holds its own data: "),
        el("p", el("code", "waypost report FILE.html --format json")),
        class_="colophon",
    )


def _overview(results: Sequence[Result]) -> Markup:
    rows = [
        el(
            "tr",
            el("th", el("a", result.target, href=f"#r{number}"), scope="row"),
            el("td", badge(result.status)),
            el("td", words.score_words(result.score), class_="number"),
            el("td", words.findings_count([finding for _, finding in result.findings()])),
        )
        for number, result in enumerate(results, start=1)
    ]
    heads = (("Site", ""), ("Verdict", ""), ("Score", "number"), ("Findings", ""))
    head = el("tr", *(el("th", name, scope="col", class_=kind or None) for name, kind in heads))
    table = el("table", el("thead", head), el("tbody", *rows))
    return el("section", el("h1", f"{len(results):,} sites"), el("div", table, class_="scroll"), class_="overview")


def _article(result: Result, prefix: str) -> Markup:
    facts = [write_w3c(result.at).replace("T", " ").removesuffix("Z") + " UTC"] if result.at else []
    facts += [f"suite {result.suite}", f"{result.requests:,} requests", f"{result.elapsed_s:.2f} s"]
    return el(
        "article",
        el(
            "div",
            el("h1", result.target),
            badge(result.status),
            el("p", " · ".join(facts), class_="fine"),
            class_="title",
        ),
        summary(result),
        findings(result, prefix),
        _pictures(result, prefix),
        steps(result, prefix),
        trail(result, prefix),
        id=prefix,
        class_="report",
    )


def _pictures(result: Result, prefix: str) -> Markup | None:
    pictures = result.pictures
    drawn = [
        status_strip(result.trail, f"{prefix}-hop"),
        histogram(pictures),
        tree(pictures.tree),
        depth_rows(pictures.depths),
    ]
    if not any(drawn):
        return None
    return el(
        "section",
        el("h2", "Pictures", id=f"{prefix}-pictures"),
        el("div", join(drawn), class_="gallery"),
        aria_labelledby=f"{prefix}-pictures",
    )
