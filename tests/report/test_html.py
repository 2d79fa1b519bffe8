"""The HTML report as a document: well formed, self-contained, safe, legible."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise

import pytest
from lxml import etree, html
from tests.report import samples

from waypost.check.contract import Outcome
from waypost.check.pictures import Branch, Pictures, draw
from waypost.check.result import Result
from waypost.report.formats import format_named
from waypost.report.markup import el, join, raw
from waypost.report.reading import read_report
from waypost.report.view import View

RESULTS = pytest.mark.parametrize("result", samples.every(), ids=["pass", "warn", "fail", "unreachable", "hostile"])


def page(*results: Result, is_list: bool = False) -> str:
    return format_named("html").render(results, View(is_list=is_list))


def parsed(*results: Result) -> etree._Element:
    return html.document_fromstring(page(*results))


def said_by(element: etree._Element) -> str:
    return " ".join(" ".join(element.xpath(".//text()[not(ancestor::script)]")).split())


def words_of(*results: Result) -> str:
    return said_by(parsed(*results).find("body"))


def drawn(pictures: Pictures) -> etree._Element:
    return parsed(replace(samples.passing(), pictures=pictures))


@RESULTS
def test_the_page_holds_its_own_report(result: Result) -> None:
    (again,), is_list = read_report(page(result).encode())
    assert not is_list
    assert samples.document(again) == samples.document(result)
    many, is_list = read_report(page(result, samples.passing(), is_list=True).encode())
    assert is_list
    assert [samples.document(one) for one in many] == [samples.document(result), samples.document(samples.passing())]


@RESULTS
def test_the_policy_admits_exactly_what_the_page_brings(result: Result) -> None:
    text = page(result)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    allowed = dict(part.split(" ", 1) for part in policy.split("; "))
    assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
    for directive, pattern in (("style-src", r"<style>(.*?)</style>"), ("script-src", r"<script>(.*?)</script>")):
        (source,) = re.findall(pattern, text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert allowed[directive] == f"'sha256-{digest}'"
    assert " style=" not in text
    assert re.search(r"\son[a-z]+=\"", text) is None


@RESULTS
def test_the_page_asks_nobody_for_anything(result: Result) -> None:
    root = parsed(result)
    assert root.xpath("//@src") == []
    assert all(link.startswith(("#", "data:")) for link in root.xpath("//@href"))
    assert "url(" not in page(result)
    assert "@import" not in page(result)


def test_nothing_hostile_becomes_markup() -> None:
    root = parsed(samples.hostile())
    assert root.xpath("//img") == []
    scripts = root.xpath("//script")
    assert [script.get("type") for script in scripts] == ["application/json", None]
    assert json.loads(scripts[0].text)["given"] == samples.HOSTILE
    text = page(samples.hostile())
    assert text.count("</script>") == 2
    assert {c for c in text if not c.isprintable()} == {"\n"}
    assert "\\u202egpj.exe" in words_of(samples.hostile())


def test_the_gauge_shows_its_arithmetic() -> None:
    root = parsed(samples.warning())
    arcs = root.xpath("//svg[@role='img']//circle[contains(@class, 'fill')]")
    lengths = [float(arc.get("stroke-dasharray").split()[0]) for arc in arcs]
    assert lengths == pytest.approx([19.1, 24.1, 24.1, 4.55, 19.1])
    sums = [said_by(row) for row in root.xpath("//table[@class='sum']//tr")]
    assert "Validate sitemap field quality ! warn 0.10 × 0.5 = 0.05" in sums
    assert sums[-1] == "Score 0.95"
    assert "waypost's reading: waypost checks sitemap" in words_of(samples.warning())


def test_spec_a_small_site_loses_little_and_the_verdict_stays() -> None:
    said = words_of(samples.failing())
    assert "✕ fail" in said
    assert "loses little without a sitemap" in said


def test_findings_carry_what_filters_need() -> None:
    root = parsed(samples.warning())
    found = root.xpath("//details[contains(@class, 'finding ')]")
    assert [(one.get("data-severity"), one.get("data-scored")) for one in found] == [
        ("warn", "yes"),
        ("error", "no"),
        ("info", "no"),
    ]
    assert [one.get("open") is not None for one in found] == [True, True, False]
    chips = [chip.text for chip in root.xpath("//button[contains(@class, 'chip')]")]
    assert chips == ["1 error", "1 warning", "1 note", "moves the score"]
    known = replace(samples.finding(), is_new=False)
    base = samples.warning()
    with_known = replace(base, checks=(replace(base.checks[0], findings=(known,)),))
    assert parsed(with_known).xpath("//button[@data-new]")


def test_a_site_without_findings_says_so() -> None:
    assert "no rule has anything to say" in words_of(samples.passing())


def test_the_trail_shows_every_hop() -> None:
    root = parsed(samples.failing())
    (hop,) = root.xpath("//ol[@class='trail']/li")
    said = said_by(hop)
    for part in ("404", "https://example.com/sitemap.xml", "10 ms", "192.0.2.7", "content-type", "text/html"):
        assert part in said
    assert hop.xpath(".//pre")[0].text == "<!doctype html><title>404"
    assert root.xpath("//svg[@class='strip']//a/@href") == [f"#{hop.get('id')}"]


def test_a_scan_without_requests_has_no_strip() -> None:
    root = parsed(replace(samples.passing(), trail=(), pictures=Pictures()))
    assert root.xpath("//svg[@class='strip']") == []
    assert root.xpath("//section[@aria-labelledby='r1-pictures']") == []


def test_evidence_of_any_shape_is_shown_within_bounds() -> None:
    deep: object = "end"
    for _ in range(9):
        deep = {"in": deep}
    evidence = {
        "rows": [{"url": f"https://example.com/{n}", "ok": n % 2 == 0} for n in range(70)],
        "list": list(range(70)),
        "none": [],
        "nothing": None,
        "deep": deep,
        "newest": 1768903200.0,
    }
    base = samples.passing()
    step = replace(base.checks[0].steps[1], evidence=evidence)
    said = words_of(replace(base, checks=(replace(base.checks[0], steps=(step,)),)))
    assert said.count("and 10 more") == 2
    assert "none none nothing –" in said
    assert "in …" in said
    assert "newest 2026-01-20T10:00:00Z" in said


def bars(root: etree._Element) -> list[str]:
    return [title.text for title in root.xpath("//svg[@class='histogram']//title")]


def test_the_histogram_has_a_bar_a_month_gaps_included() -> None:
    assert bars(drawn(draw([([], ["2025-11-02", "2026-02", "2026-02-28"])]))) == [
        "2025-11: 1",
        "2025-12: 0",
        "2026-01: 0",
        "2026-02: 2",
    ]


def test_the_histogram_of_an_old_site_has_a_bar_a_year() -> None:
    assert bars(drawn(draw([([], ["2019-11-02", "2024", "2026-02"])]))) == [
        *("2019: 1", "2020: 0", "2021: 0", "2022: 0", "2023: 0", "2024: 1", "2025: 0", "2026: 1")
    ]
    ancient = bars(drawn(draw([([], ["0001-01", "1970-01", "2026-02"])])))
    assert ancient[0] == "before 1979: 2"
    assert len(ancient) == 49


def test_the_tree_shows_sections_shares_and_what_lies_in_none() -> None:
    tree = Branch("/", 10, (Branch("blog", 6, (Branch("2026", 4),)), Branch("…", 2)))
    root = drawn(Pictures(tree=tree, depths=((0, 2), (1, 8))))
    names = [name.text for name in root.xpath("//span[@class='twig-name']")]
    assert names == ["/blog/", "/2026/", "the rest", "not in a section", "top level", "1 deep"]
    assert [share.text for share in root.xpath("//span[@class='share']")] == ["60 %", "40 %", "20 %", "20 %"]
    flat = drawn(Pictures(tree=Branch("/", 3)))
    assert [name.text for name in flat.xpath("//span[@class='twig-name']")] == ["not in a section"]


def test_several_sites_have_an_overview_that_leads_to_each() -> None:
    root = html.document_fromstring(page(*samples.every(), is_list=True))
    links = root.xpath("//section[@class='overview']//a/@href")
    assert links == [f"#{article.get('id')}" for article in root.xpath("//article")]
    identities = root.xpath("//@id")
    assert len(identities) == len(set(identities))
    assert read_report(page(is_list=True).encode()) == ((), True)


@RESULTS
def test_the_page_is_well_formed_and_labelled(result: Result) -> None:
    root = etree.fromstring(re.sub(r"<(meta|link|input)([^>]*)>", r"<\1\2/>", attributes_valued(page(result))))
    assert root.get("lang") == "en"
    identities = root.xpath("//@id")
    assert len(identities) == len(set(identities))
    assert set(root.xpath("//@aria-labelledby")) <= set(identities)
    assert all(cell.get("scope") for cell in root.iter("th"))
    assert root.xpath("count(//h1)") == 1
    levels = [int(name[1]) for name in (element.tag for element in root.iter()) if re.fullmatch("h[1-6]", str(name))]
    assert all(after - before <= 1 for before, after in pairwise(levels))


def attributes_valued(text: str) -> str:
    body = re.sub(r"<!doctype html>", "", text)
    body = re.sub(r"(<(?:style|script)[^>]*>)(.*?)(</(?:style|script)>)", r"\1\3", body, flags=re.DOTALL)
    return re.sub(r" (hidden|open)(?=[ >])", r' \1=""', body)


def test_markup_escapes_everything_but_itself() -> None:
    assert el(
        "p", '<b> & "', None, 1234, raw("<hr>"), title='"<\n', hidden=True, open=False, data_x=None, width=1.5
    ) == ('<p title="&quot;&lt;\\n" hidden width="1.5">&lt;b&gt; &amp; "1,234<hr></p>')
    assert el("meta", name="a", class_="b") == '<meta name="a" class="b">'
    assert join(["<", el("i")]) == "&lt;<i></i>"


def luminance(colour: str) -> float:
    channels = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


STYLE = (files("waypost.report") / "assets" / "report.css").read_text("utf-8")
COLOURS = {name: pair for name, *pair in re.findall(r"--([a-z-]+): light-dark\((#\w{6}), (#\w{6})\)", STYLE)}
TEXTS = [
    *((text, ground) for text in ("text", "muted", "accent") for ground in ("ground", "surface", "sunken")),
    *((name, f"{name}-ground") for name in ("pass", "warn", "fail", "info", "skip")),
    *(("text", f"{name}-ground") for name in ("pass", "warn", "fail", "info")),
    *((name, "surface") for name in ("pass", "warn", "fail", "info", "skip")),
]


@pytest.mark.parametrize(("text", "ground"), TEXTS)
@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_keeps_the_contrast_of_wcag_aa(text: str, ground: str, scheme: int) -> None:
    assert contrast(COLOURS[text][scheme], COLOURS[ground][scheme]) >= 4.5


def test_outcomes_are_told_by_sign_and_word_and_not_by_colour_alone() -> None:
    steps = parsed(samples.failing()).xpath("//table[@class='sum']//span[contains(@class, 'badge')]")
    said = [said_by(step) for step in steps]
    assert said == ["✓ pass", "✕ fail", "– skip", "– skip", "– skip"]
    assert [outcome.value for outcome in Outcome] == ["pass", "warn", "fail", "skip"]
