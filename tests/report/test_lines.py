"""Annotations, Markdown and CSV: whatever a server wrote stays text."""

import csv
import io
import re
from dataclasses import replace

import cmarkgfm
import pytest
from tests.report import samples

from waypost.check.result import Place, Result
from waypost.report.as_csv import COLUMNS
from waypost.report.formats import format_named
from waypost.report.view import View

COMMAND = re.compile(r"::(error|warning|notice)( [a-z]+=[^,:\r\n]*(,[a-z]+=[^,:\r\n]*)*)?::[^\r\n]*")


def out(name: str, *results: Result) -> str:
    return format_named(name).render(results, View())


def with_finding(**changes: object) -> Result:
    base = samples.warning()
    return replace(base, checks=(replace(base.checks[0], findings=(replace(samples.finding(), **changes),)),))


@pytest.mark.parametrize("result", samples.every(), ids=["pass", "warn", "fail", "unreachable", "hostile"])
def test_every_annotation_is_one_command_of_ours(result: Result) -> None:
    lines = out("github", result).splitlines()
    assert all(COMMAND.fullmatch(line) for line in lines)
    assert len(lines) == 1 + len(result.crashes) + sum(1 for _ in result.findings())


def test_annotations_name_files_and_never_urls() -> None:
    place = Place("public/site,map:1.xml", 3, 14)
    verdict, line = out("github", with_finding(where=place, places=(place,))).splitlines()
    assert verdict.startswith("::warning title=waypost::https://example.com: warn, score 0.95")
    assert line.startswith("::warning file=public/site%2Cmap%3A1.xml,line=3,col=14,title=SMQ301 invalid-lastmod::")
    assert "file=" not in out("github", samples.warning())


def test_annotations_escape_what_the_runner_would_decode() -> None:
    line = out("github", with_finding(name="a%b:c,d\n", message="100%\r\n::error::x")).splitlines()[1]
    assert "title=SMQ301 a%25b%3Ac%2Cd\\n::100%25\\r\\n::error::x, at https" in line


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", " =", "＝", "＋", "－", "＠"])
def test_no_cell_is_a_formula(start: str) -> None:
    rows = list(csv.DictReader(io.StringIO(out("csv", with_finding(message=f"{start}1+1")), newline="")))
    assert rows[0]["message"][0] in "'\\"


def test_csv_has_a_row_a_finding_and_reads_back() -> None:
    text = out("csv", samples.warning(), samples.passing())
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert tuple(rows[0]) == COLUMNS
    assert [row["code"] for row in rows] == ["SMQ301", "RBT303", "RBT320"]
    assert (rows[0]["line"], rows[0]["column"], rows[0]["entry"], rows[0]["count"]) == ("3", "14", "1", "3")
    assert text.count("\r\n") == 4
    assert out("csv", samples.hostile()).count("\n") == 4


def html_of(markdown: str) -> str:
    return cmarkgfm.github_flavored_markdown_to_html(markdown)


def test_markdown_shows_the_arithmetic_and_the_reading_of_it() -> None:
    html = html_of(out("markdown", samples.warning()))
    assert '<td align="right">0.10 × 0.5</td>' in html
    assert "this credit, and how points are settled" in html
    assert html.count("<table>") == 2


def test_markdown_lets_nothing_hostile_become_markup_or_a_mention() -> None:
    html = html_of(out("markdown", samples.hostile()))
    assert "<script" not in html
    assert "<img" not in html
    assert "javascript:alert" not in re.sub(r"<code>.*?</code>", "", html).replace("javascript:alert(1))", "")
    assert re.findall(r'<a href="(?!https://example\.com)', html) == []
    outside_code = re.sub(r"<code>.*?</code>", "", html, flags=re.DOTALL)
    assert "@everyone" not in outside_code
    assert "@<!-- raw HTML omitted -->everyone" in outside_code


@pytest.mark.parametrize(
    "text",
    [
        "`a`",
        "``",
        "a|b",
        "- item",
        "# head",
        "www.evil.example",
        "https://evil.example/",
        "a@b.example",
        "![x](y)",
        "~~~",
    ],
)
def test_markdown_of_any_value_is_that_value(text: str) -> None:
    html = html_of(out("markdown", with_finding(message=text, fix=text)))
    assert "evil.example" not in "".join(re.findall(r'href="[^"]*"', html))
    visible = re.sub(r"<[^>]+>", "", html).replace("&lt;", "<").replace("&amp;", "&")
    assert f"invalid-lastmod (warn, moves the score): {text}" in visible


@pytest.mark.parametrize("name", ["text", "json", "jsonl", "sarif", "junit", "github", "markdown", "csv"])
def test_no_output_holds_a_character_that_cannot_be_seen(name: str) -> None:
    text = out(name, samples.hostile())
    assert {c for c in text if not c.isprintable()} <= set("\n\r" if name == "csv" else "\n")
    assert "日本" in text
    text.encode("utf-8")


def test_markdown_leaves_out_what_there_is_not() -> None:
    bare = out("markdown", with_finding(fix="", places=(), is_new=False)).split("<details>")[0]
    assert "fix:" not in bare
    assert "known" in bare
    assert "<details>" not in out("markdown", replace(samples.passing(), trail=()))
