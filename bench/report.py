"""Outputs of part C: against their schemas, in a real browser, and how long each takes to write."""

import json
import tempfile
from importlib.util import find_spec
from pathlib import Path

from tests.report import samples

from bench.harness import Figure, absent, interleaved
from waypost.report.as_json import schema_text
from waypost.report.formats import FORMATS, format_named
from waypost.report.view import View

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases" / "report"
CHROMIUM = "/usr/bin/chromium"
SWITCHES = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]


def _valid() -> Figure:
    import jsonschema
    from lxml import etree

    xsd = etree.XMLSchema(etree.parse(CASES / "junit.xsd"))
    sarif = jsonschema.Draft202012Validator(json.loads((CASES / "sarif-2.1.0.json").read_text("utf-8")))
    own = jsonschema.Draft202012Validator(json.loads(schema_text()))
    valid = count = 0
    for result in samples.every():
        outputs = {name: format_named(name).render([result], View()) for name in ("json", "sarif", "junit")}
        valid += own.is_valid(json.loads(outputs["json"]))
        valid += sarif.is_valid(json.loads(outputs["sarif"]))
        valid += xsd.validate(etree.fromstring(outputs["junit"].encode()))
        count += len(outputs)
    how = "five results, one of them hostile throughout"
    return Figure(
        "C", "JSON, SARIF, JUnit against their schemas", f"{valid} of {count}", "all", "", valid == count, how
    )


def _browsed() -> Figure:
    name = "HTML in Chromium: console messages and requests of its own"
    if find_spec("playwright") is None or not Path(CHROMIUM).exists():
        return absent("C", name, "0", "Chromium")
    from playwright.sync_api import sync_playwright

    said: list[str] = []
    asked: list[str] = []
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        for number, result in enumerate(samples.every()):
            file = Path(folder) / f"{number}.html"
            file.write_text(format_named("html").render([result], View()), "utf-8")
            page = browser.new_page()
            page.on("console", lambda message: said.append(message.text))
            page.on("request", lambda request: asked.append(request.url))
            page.goto(file.as_uri())
        browser.close()
    said += [url for url in asked if not url.startswith("file:")]
    return Figure("C", name, f"{len(said)}", "0", "", not said, "the same five results")


def _speeds() -> list[Figure]:
    result = samples.warning()
    taken = interleaved(
        {known.name: lambda known=known: known.render([result], View()) for known in FORMATS}, rounds=15
    )
    return [
        Figure(
            "C", f"write one report as {name}", f"{seconds * 1000:.2f} ms", "", "", None, "three findings, three hops"
        )
        for name, seconds in taken.items()
    ]


def figures() -> list[Figure]:
    """The figures of the outputs."""
    return [_valid(), _browsed(), *_speeds()]
