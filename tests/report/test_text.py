"""The report in a terminal."""

import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from tests.report import samples

from waypost.check.checks.robots.v1_0_0 import CHECK as ROBOTS
from waypost.check.result import Place, Result, TrailHop
from waypost.report.formats import format_named
from waypost.report.view import View

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def text(result: Result, **view: object) -> str:
    return format_named("text").render([result], View(**view))


@pytest.mark.parametrize(
    ("result", "first"),
    [
        (samples.passing(), "https://example.com  ✓ pass  score 1.00 of 1.00"),
        (samples.warning(), "https://example.com  ! warn  score 0.95 of 1.00"),
        (samples.failing(), "https://example.com  ✗ fail  score 0.20 of 1.00"),
    ],
)
def test_the_first_line_says_target_verdict_and_score(result: Result, first: str) -> None:
    assert text(result).splitlines()[0] == first


def test_the_arithmetic_stands_step_by_step_with_the_reading_it_rests_on() -> None:
    shown = text(samples.warning())
    assert "  ! field-quality  warn  0.10 × 0.5 = 0.05  3 invalid\n" in shown
    assert "  ✓ parse          pass  0.25 × 1   = 0.25  urlset, 5 entries\n" in shown
    assert re.search(r"score +  = 0\.95\n", shown)
    assert "how points are settled that the criteria leave open" in " ".join(shown.split())


def test_findings_say_where_and_what_to_do_worst_first() -> None:
    base = samples.warning()
    both = (samples.finding(), samples.finding("SMD101", samples.Severity.ERROR))
    shown = text(replace(base, checks=(replace(base.checks[0], findings=both),)))
    assert shown.index("error SMD101") < shown.index("warn  SMQ301")
    assert "at https://example.com/sitemap.xml, line 3, column 14, entry 1; and 2" in shown
    assert "line 4, column 14, entry 2: the" in shown
    assert "fix Write the date as 2026-01-20, or leave the element out." in shown


def test_spec_a_small_site_without_a_sitemap_loses_little_and_the_verdict_stays() -> None:
    shown = " ".join(text(samples.failing()).split())
    assert "✗ fail" in shown
    assert "A small site whose pages link to each other loses little without a sitemap" in shown
    assert "loses little" not in text(samples.passing())


def test_what_was_done_is_not_proposed_again() -> None:
    result = samples.passing()
    assert "--deep --probe 20" in text(result)
    deeper = [replace(result.checks[1], spec=replace(ROBOTS, id=name)) for name in ("sitemap-deep", "pages")]
    assert "--deep" in text(replace(result, checks=(*result.checks, deeper[0])))
    assert "--deep" not in text(replace(result, checks=(*result.checks, *deeper)))


def test_an_unreachable_site_says_so_and_what_to_try() -> None:
    shown = text(samples.unreachable())
    assert shown.splitlines()[1] == "  example.com: the host name does not resolve"
    assert "No server could be reached" in shown
    assert "waypost check https://example.com --wait 30s" in shown
    assert "loses little" not in shown


def test_the_trail_shows_hops_headers_and_first_bytes() -> None:
    shown = text(samples.failing())
    assert "  404 https://example.com/sitemap.xml\n      10 ms · content-type: text/html\n" in shown
    assert "begins" not in shown


@pytest.mark.parametrize(
    ("purpose", "kind", "head", "is_told"),
    [
        ("sitemap", "application/xml", "<!DOCTYPE html>\n<html>", True),
        ("sitemap", "text/html", "\n <html lang=en>", True),
        ("robots", "text/plain", "<html>", True),
        ("sitemap", "application/xml", "{}", True),
        ("home", "text/html", "plain words", True),
        ("sitemap", "application/xml", "<?xml version='1.0'?>", False),
        ("home", "text/html", "<!doctype html>", False),
        ("robots", "text/plain", "User-agent: *", False),
        ("sitemap", "application/xml", "", False),
    ],
)
def test_first_bytes_are_shown_when_a_body_was_not_what_it_claimed(
    purpose: str, kind: str, head: str, is_told: bool
) -> None:
    hop = TrailHop(purpose, "https://example.com/x", 200, 0.01, "192.0.2.7", {"Content-Type": kind}, head=head)
    result = replace(samples.passing(), trail=(hop,))
    assert ("begins " in text(result)) is is_told
    assert ("; begins " in format_named("markdown").render([result], View())) is is_told
    gone = replace(samples.passing(), trail=(replace(hop, status=404),))
    assert "begins " not in text(gone)


@pytest.mark.parametrize("columns", [20, 40, 80, 100, 500])
@pytest.mark.parametrize("result", samples.every(), ids=["pass", "warn", "fail", "unreachable", "hostile"])
def test_lines_keep_to_the_columns_unless_one_word_is_longer(result: Result, columns: int) -> None:
    width = max(40, min(columns, 100))
    for line in text(result, columns=columns).splitlines():
        assert cell_len(line) <= width or len(line.split()) <= 2, line
        assert line == line.rstrip()


def test_a_long_url_stays_whole_so_that_it_can_be_copied() -> None:
    url = "https://example.com/" + "a" * 200
    base = samples.warning()
    found = replace(samples.finding(), where=Place(url, 1), places=(Place(url, 1),), count=1)
    assert url in text(replace(base, checks=(replace(base.checks[0], findings=(found,)),)))


@pytest.mark.parametrize("result", samples.every(), ids=["pass", "warn", "fail", "unreachable", "hostile"])
def test_colour_adds_nothing_but_colour(result: Result) -> None:
    coloured = text(result, has_colour=True)
    assert "\x1b[" in coloured
    assert ANSI.sub("", coloured) == text(result)


def test_a_terminal_without_unicode_gets_ascii() -> None:
    shown = text(samples.hostile(), has_unicode=False)
    assert shown.isascii()
    assert "! warn" in shown
    assert "0.10 x 0.5 = 0.05" in shown
    assert "\\u65e5\\u672c" in shown
