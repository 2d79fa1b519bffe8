"""The pictures of the HTML report, as inline SVG: shapes stretch with the page, and words beside them stay text.

Colours are classes, because the page's policy allows no style attribute. Every picture says its numbers in words too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from waypost.check.pictures import Branch, Pictures
from waypost.check.result import CheckResult, TrailHop
from waypost.report import words
from waypost.report.markup import Markup, el, join

__all__ = ["bar", "depth_rows", "gauge", "histogram", "hop_class", "status_strip", "tree"]

_GAP = 0.9
"""Percent of the ring left open between two steps."""
_BARS_MAX = 48
_BAR_HEIGHT = 100


def gauge(check: CheckResult, score: float) -> Markup:
    """A ring with an arc a step: as long as its weight, filled as far as it earned."""
    total = sum(term.step.weight for term in words.terms(check)) or 1.0
    arcs: list[Markup] = []
    start = 0.0
    for term in words.terms(check):
        length = 100 * term.step.weight / total
        arcs += _arc(start, length, term.credit, term.step.status.value, f"{term.step.id}: {term.step.status.value}")
        start += length
    label = f"Score {words.score_words(score)} of 1.00"
    return el(
        "svg",
        el("title", label),
        el("g", *arcs, transform="rotate(-90 100 100)"),
        el("text", words.score_words(score), x=100, y=108, class_="gauge-score"),
        el("text", "of 1.00", x=100, y=132, class_="gauge-of"),
        viewBox="0 0 200 200",
        class_="gauge",
        role="img",
        aria_label=label,
    )


def _arc(start: float, length: float, credit: float, outcome: str, title: str) -> Iterator[Markup]:
    drawn = max(0.0, length - _GAP)
    for kind, share in (("track", 1.0), ("fill", credit)):
        if share:
            yield el(
                "circle",
                el("title", title),
                cx=100,
                cy=100,
                r=84,
                pathLength=100,
                stroke_dasharray=f"{drawn * share:.3f} 100",
                stroke_dashoffset=f"{-start - _GAP / 2:.3f}",
                class_=f"arc {kind} {outcome}",
            )


def bar(value: float, most: float, kind: str = "") -> Markup:
    """A horizontal bar: what part of the most a value is."""
    width = max(0.6, min(100.0, 100 * value / most)) if most > 0 else 0.0
    return el(
        "svg",
        el("rect", width=100, height=8, rx=1, class_="bar-track"),
        el("rect", width=width, height=8, rx=1, class_=f"bar-fill {kind}".strip()) if value > 0 else None,
        viewBox="0 0 100 8",
        preserveAspectRatio="none",
        class_="bar",
        aria_hidden="true",
    )


def histogram(pictures: Pictures) -> Markup | None:
    """How many pages say they changed when: by month, or by year where the site is older than a page is wide."""
    columns, unit = _columns(pictures)
    if not columns:
        return None
    most = max(count for _, count in columns)
    bars = [
        el(
            "rect",
            el("title", f"{name}: {count:,}"),
            x=number * 10 + 1,
            y=round(_BAR_HEIGHT - _BAR_HEIGHT * count / most, 2),
            width=8,
            height=round(_BAR_HEIGHT * count / most, 2),
            class_="bar-fill",
        )
        for number, (name, count) in enumerate(columns)
    ]
    names = [columns[0][0], columns[len(columns) // 2][0], columns[-1][0]]
    peak = max(columns, key=lambda row: row[1])
    words_of_it = f"Most in {peak[0]}: {peak[1]:,} pages."
    return el(
        "figure",
        el("figcaption", f"Pages by the {unit} of their lastmod. {words_of_it}", *_undated(pictures, unit)),
        el(
            "svg",
            *bars,
            viewBox=f"0 0 {len(columns) * 10} {_BAR_HEIGHT}",
            preserveAspectRatio="none",
            class_="histogram",
            role="img",
            aria_label=f"Pages by {unit}, {columns[0][0]} to {columns[-1][0]}. {words_of_it}",
        ),
        el("div", *(el("span", name) for name in dict.fromkeys(names)), class_="axis", aria_hidden="true"),
        _numbers(("When", "Pages"), [row for row in columns if row[1]]),
        class_="picture",
    )


def _columns(pictures: Pictures) -> tuple[list[tuple[str, int]], str]:
    months = dict(pictures.months)
    if months and not pictures.years:
        names = list(_months_between(min(months), max(months)))
        if len(names) <= _BARS_MAX:
            return [(name, months.get(name, 0)) for name in names], "month"
    years: Counter[int] = Counter()
    for name, count in (*pictures.months, *pictures.years):
        years[int(name[:4])] += count
    if not years:
        return [], "year"
    first = max(min(years), max(years) - _BARS_MAX + 1)
    rows = [(str(year), years.get(year, 0)) for year in range(first, max(years) + 1)]
    earlier = sum(count for year, count in years.items() if year < first)
    return ([(f"before {first}", earlier), *rows] if earlier else rows), "year"


def _months_between(first: str, last: str) -> Iterator[str]:
    start, end = (int(name[:4]) * 12 + int(name[5:7]) - 1 for name in (first, last))
    for number in range(start, min(end, start + _BARS_MAX) + 1):
        yield f"{number // 12:04}-{number % 12 + 1:02}"


def _undated(pictures: Pictures, unit: str) -> Iterator[str]:
    if pictures.undated:
        yield f" {pictures.undated:,} {'page has' if pictures.undated == 1 else 'pages have'} no date."
    if pictures.years and unit == "year":
        named = sum(count for _, count in pictures.years)
        yield f" {named:,} of the dates name only a year."


def _numbers(heads: tuple[str, str], rows: Iterable[tuple[object, int]]) -> Markup:
    body = [el("tr", el("th", str(name), scope="row"), el("td", f"{count:,}", class_="number")) for name, count in rows]
    head = el("tr", el("th", heads[0], scope="col"), el("th", heads[1], scope="col", class_="number"))
    table = el("table", el("thead", head), el("tbody", *body), class_="numbers")
    return el("details", el("summary", "The numbers"), el("div", table, class_="scroll"), class_="aside")


def tree(root: Branch) -> Markup | None:
    """The sections of the site with a bar each: how many of the listed URLs lie in them."""
    if not root.count:
        return None
    own = root.count - sum(branch.count for branch in root.branches)
    top = (*root.branches, *((Branch("", own),) if own and root.branches else ()))
    rows = [_twig(branch, root.count, 0) for branch in top] or [_twig(Branch("", root.count), root.count, 0)]
    caption = f"Where the {root.count:,} listed URLs lie, by section."
    return el("figure", el("figcaption", caption), el("ul", *rows, class_="tree"), class_="picture")


def _twig(branch: Branch, most: int, depth: int) -> Markup:
    name = (
        f"/{branch.name}/" if branch.name and branch.name != "…" else "the rest" if branch.name else "not in a section"
    )
    share = f"{100 * branch.count / most:.0f} %"
    row = el(
        "div",
        el("span", name, class_="twig-name"),
        bar(branch.count, most, f"depth-{min(depth, 3)}"),
        el("span", f"{branch.count:,}", class_="number"),
        el("span", share, class_="share"),
        class_="twig",
    )
    below = [_twig(part, most, depth + 1) for part in branch.branches]
    return el("li", el("details", el("summary", row), el("ul", *below)) if below else row)


def depth_rows(depths: Sequence[tuple[int, int]]) -> Markup | None:
    """How deep the listed URLs lie, a bar for each depth."""
    if not depths:
        return None
    most = max(count for _, count in depths)
    rows = [
        el(
            "li",
            el(
                "div",
                el("span", "top level" if depth == 0 else f"{depth} deep", class_="twig-name"),
                bar(count, most),
                el("span", f"{count:,}", class_="number"),
                class_="twig",
            ),
        )
        for depth, count in depths
    ]
    caption = "How many directories deep they lie."
    return el("figure", el("figcaption", caption), el("ul", *rows, class_="tree"), class_="picture")


def hop_class(hop: TrailHop) -> str:
    """The colour of a hop: by its status, and red where there was none."""
    if hop.error or not hop.status:
        return "fail"
    return {2: "pass", 3: "info", 4: "warn"}.get(hop.status // 100, "fail" if hop.status >= 500 else "skip")


def status_strip(trail: Sequence[TrailHop], anchor: str) -> Markup | None:
    """Every request as a cell coloured by its status; a cell leads to its row of the trail."""
    if not trail:
        return None
    cells = [
        el(
            "a",
            el(
                "rect",
                el("title", _cell_words(hop)),
                x=number * 10,
                width=9,
                height=20,
                class_=f"cell {hop_class(hop)}",
            ),
            href=f"#{anchor}-{number + 1}",
            aria_label=_cell_words(hop),
        )
        for number, hop in enumerate(trail)
    ]
    counts = Counter((str(hop.status) if hop.status else "no answer", hop_class(hop)) for hop in trail)
    legend = [
        el("li", el("b", status), f" × {count}", class_=f"dot {kind}") for (status, kind), count in counts.items()
    ]
    return el(
        "figure",
        el("figcaption", f"What the {len(trail)} requests got, in order."),
        el(
            "svg",
            join(cells),
            viewBox=f"0 0 {len(trail) * 10 - 1} 20",
            preserveAspectRatio="none",
            class_="strip",
            role="group",
            aria_label="Requests by status",
        ),
        el("ul", *legend, class_="legend"),
        class_="picture",
    )


def _cell_words(hop: TrailHop) -> str:
    return f"{hop.status or 'no answer'}: {hop.url}"
