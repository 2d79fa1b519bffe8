"""The HTML report in a real Chromium: silent, alone, usable by keyboard, legible on paper and in the dark."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.chromium import grave_faults, launched
from tests.report import samples

from waypost.check.result import Result
from waypost.report.formats import format_named
from waypost.report.view import View

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with launched() as chromium:
        yield chromium


class Visit:
    """A page that was opened, with everything it said and asked for."""

    def __init__(self, browser, file: Path, results: list[Result], **context) -> None:
        file.write_text(format_named("html").render(results, View(is_list=len(results) > 1)), "utf-8")
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("dialog", lambda dialog: self.said.append(dialog.message))
        self.page.goto(file.as_uri())
        self.own = file.as_uri()

    def shown(self) -> list[str]:
        found = self.page.locator(".finding:visible code").all_inner_texts()
        return [text for text in found if len(text) == 6]


@pytest.fixture
def visit(browser, tmp_path) -> Iterator[object]:
    visits: list[Visit] = []

    def opened(*results: Result, **context) -> Visit:
        visits.append(Visit(browser, tmp_path / f"{len(visits)}.html", list(results), **context))
        return visits[-1]

    yield opened
    for one in visits:
        one.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1200])
def test_no_report_says_anything_on_the_console_asks_for_anything_or_scrolls_sideways(visit, scheme, width) -> None:
    for results in (
        [samples.passing()],
        [samples.warning()],
        [samples.failing()],
        [samples.hostile()],
        samples.every(),
    ):
        one = visit(*results, color_scheme=scheme, viewport={"width": width, "height": 800})
        one.page.locator("[data-toggle=theme]").click()
        one.page.evaluate("for (const one of document.querySelectorAll('details:not([open]) > summary')) one.click()")
        assert one.said == []
        assert one.asked == [one.own]
        assert one.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_reports_are_open_to_everybody(visit, scheme) -> None:
    for result in (samples.passing(), samples.failing()):
        page = visit(result, color_scheme=scheme).page
        page.evaluate("for (const one of document.querySelectorAll('details:not([open]) > summary')) one.click()")
        assert grave_faults(page) == []


def test_the_policy_stops_what_is_not_ours(visit) -> None:
    one = visit(samples.warning())
    one.page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)><b style=color:red>x</b>')"
    )
    one.page.wait_for_function("true")
    assert len(one.said) >= 2
    assert all("Content Security Policy" in said for said in one.said)


def test_findings_are_filtered_by_severity_word_and_what_moves_the_score(visit) -> None:
    page = (one := visit(samples.warning())).page
    assert one.shown() == ["SMQ301", "RBT303", "RBT320"]
    page.get_by_role("button", name="1 error").click()
    assert one.shown() == ["SMQ301", "RBT320"]
    assert page.locator("output").inner_text() == "2 shown"
    page.get_by_role("button", name="1 error").click()
    page.get_by_role("button", name="moves the score").click()
    assert one.shown() == ["SMQ301"]
    assert page.locator("#r1-robots").is_hidden()
    page.get_by_role("button", name="moves the score").click()
    page.get_by_role("searchbox").fill("ROBOTS.txt rbt303")
    assert one.shown() == ["RBT303"]
    page.get_by_role("searchbox").fill("nowhere")
    assert page.get_by_text("No finding matches.").is_visible()
    page.get_by_role("searchbox").press("Escape")
    assert len(one.shown()) == 3


def test_the_keyboard_reaches_and_works_everything(visit) -> None:
    page = visit(samples.warning()).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.type") == "search"
    page.keyboard.type("/j")
    assert page.get_by_role("searchbox").input_value() == "/j"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    page.keyboard.press("j")
    focused = "document.activeElement.closest('.finding')?.querySelector('code').textContent"
    assert page.evaluate(focused) == "SMQ301"
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate(focused) == "RBT320"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('.finding').open")
    page.keyboard.press("k")
    assert page.evaluate(focused) == "RBT303"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_cells_of_the_strip_lead_to_their_request(visit) -> None:
    page = visit(samples.passing()).page
    page.locator(".strip a").nth(1).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.querySelector(':target .url').textContent") == "https://example.com/sitemap.xml"


def test_dark_and_light_follow_the_system_and_the_button(visit) -> None:
    grounds = {}
    for scheme in ("light", "dark"):
        page = visit(samples.passing(), color_scheme=scheme).page
        ground = "getComputedStyle(document.body).backgroundColor"
        grounds[scheme] = page.evaluate(ground)
        page.locator("[data-toggle=theme]").click()
        grounds[f"not {scheme}"] = page.evaluate(ground)
    assert grounds["light"] == grounds["not dark"] == "rgb(246, 247, 249)"
    assert grounds["dark"] == grounds["not light"] == "rgb(16, 21, 29)"


def test_paper_shows_everything_and_only_for_the_print(visit) -> None:
    page = visit(samples.warning(), color_scheme="dark").page
    closed = page.locator("details:not([open])").count()
    of_pictures = page.locator(".picture details").count()
    assert closed > of_pictures > 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == of_pictures
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() == closed
    page.emulate_media(media="print")
    assert page.locator(".toolbar").is_hidden()
    assert page.evaluate("getComputedStyle(document.querySelector('.summary')).backgroundColor") == "rgb(255, 255, 255)"


def test_without_scripts_everything_is_there(visit) -> None:
    one = visit(samples.warning(), java_script_enabled=False)
    assert one.page.locator(".toolbar").is_hidden()
    assert one.page.locator(".finding").count() == 3
    assert one.page.get_by_text("How sitemap 1.0.0 comes to 0.95").is_visible()
