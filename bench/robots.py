"""robots.txt figures of part A: parsing, answering, hostile patterns, and the known answers."""

import base64
import importlib.util
import json
import random
import time
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

from bench.harness import Figure, absent, interleaved
from waypost.formats.robots import Robots, read_robots

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases"
CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
PROTEGO = "protego"


def _is_here(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def document(size: int) -> str:
    """A robots.txt of about that many bytes: groups of a few rules, some with stars, a sitemap now and then."""
    blocks: list[str] = []
    written = number = 0
    while written < size:
        block = (
            f"User-agent: bot-{'abcdefghij'[number % 10] * (1 + number % 7)}\nDisallow: /private/area{number}/\nAllow: /private/area{number}/open\n"
            f"Disallow: /*?session={number}\nDisallow: /archive/{number}/*.bak$\n# section {number}\n\n"
        )
        blocks.append(block)
        written += len(block)
        number += 1
    return "".join(blocks)[:size] + "\nUser-agent: *\nDisallow: /closed\nSitemap: https://shop.test/sitemap.xml\n"


def rules(count: int) -> str:
    """One group of that many rules: seven in ten literal, three with stars, as big shops have them."""
    kinds: list[Callable[[int], str]] = [
        *[lambda n: f"Disallow: /section{n}/page"] * 6,
        lambda n: f"Allow: /section{n - 1}/page/open",
        lambda n: f"Disallow: /*?filter{n}=",
        lambda n: f"Disallow: /*/private{n}/",
        lambda n: f"Disallow: /download{n}/*.zip$",
    ]
    return "User-agent: *\n" + "".join(kinds[n % 10](n) + "\n" for n in range(count))


def urls(count: int, rule_count: int) -> list[str]:
    """URLs of which some meet a rule and most do not."""
    rng = random.Random(1)
    ends = ["open", "", "a/b/c.html", "x?filter{n}=1&page=2", "?sort=price"]
    return [
        f"https://shop.test/section{rng.randrange(rule_count)}/page/{rng.choice(ends).format(n=rng.randrange(rule_count))}"
        for _ in range(count)
    ]


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f} µs" if seconds < 0.01 else f"{seconds * 1e3:,.1f} ms"


def parse_figures() -> list[Figure]:
    """Reading 1, 50 and 500 KB; the peers read the same text in the same run."""
    rows = []
    for kilobytes in (1, 50, 500):
        text = document(kilobytes * 1_000)
        data = text.encode()
        candidates: dict[str, Callable[[], object]] = {
            "ours": lambda data=data: read_robots(data).sitemaps,
            "first": lambda data=data: read_robots(data).allowed("bot-a", "https://h/x"),
        }
        if _is_here(PROTEGO):
            from protego import Protego

            candidates["protego"] = lambda text=text: Protego.parse(text)
        if _is_here("jwm"):
            from bench.robots_reference import count_events

            candidates["jwm"] = lambda data=data: count_events(data)
        taken = interleaved(_repeated(candidates, 200 // kilobytes + 1), rounds=7)
        ours = taken["ours"]
        how = f"{_us(ours / (200 // kilobytes + 1))} with groups and sitemaps; with a first answer {_us(taken['first'] / (200 // kilobytes + 1))}"
        name = f"robots: parse {kilobytes} KB"
        rows.append(_against(taken, "protego", f"{name}, against protego", must="4×", aim="", factor=4, how=how))
        how = "the binding calls a Python handler for every line"
        rows.append(_against(taken, "jwm", f"{name}, against the reference", must="", aim="1.5×", factor=1.5, how=how))
    return rows


def _repeated(candidates: dict[str, Callable[[], object]], times: int) -> dict[str, Callable[[], object]]:
    def repeat(run: Callable[[], object]) -> Callable[[], object]:
        return lambda: [run() for _ in range(times)] and None

    return {name: repeat(run) for name, run in candidates.items()}


def _against(taken: dict[str, float], peer: str, name: str, *, must: str, aim: str, factor: float, how: str) -> Figure:
    if peer not in taken:
        return absent("A", name, must or aim, peer)
    ratio = taken[peer] / taken["ours"]
    return Figure("A", name, f"{ratio:.1f}× faster", must, aim, ratio >= factor, how)


def answer_figures() -> list[Figure]:
    """One answer with 20 and with 5,000 rules, compiled, over many URLs."""
    rows = []
    for count, factor, peer_urls in ((20, 2, 2_000), (5_000, 50, 60)):
        text, asked = rules(count), urls(2_000, count)
        robots = read_robots(text)
        robots.allowed_many("x", asked)
        candidates: dict[str, Callable[[], object]] = {
            "ours": lambda robots=robots, asked=asked: _ask(robots, asked),
            "batch": lambda robots=robots, asked=asked: robots.allowed_many("x", asked),
        }
        if _is_here(PROTEGO):
            from protego import Protego

            theirs, few = Protego.parse(text), asked[:peer_urls]
            if [theirs.can_fetch(url, "x") for url in few] != robots.allowed_many("x", few):
                raise AssertionError("protego answers differently; the comparison would not be fair")
            candidates["protego"] = lambda theirs=theirs, few=few: [theirs.can_fetch(url, "x") for url in few]
        taken = interleaved(candidates, rounds=7)
        each = taken["ours"] / len(asked)
        per_url = {"ours": each, **({"protego": taken["protego"] / peer_urls} if "protego" in taken else {})}
        how = f"{_us(each)} an answer, {_us(taken['batch'] / len(asked))} in a batch"
        name = f"robots: answer, {count:,} rules, against protego"
        aim = "1 µs class" if count == 20 else "6 µs class"
        rows.append(_against(per_url, "protego", name, must=f"{factor}×", aim=aim, factor=factor, how=how))
    return rows


def _ask(robots: Robots, asked: list[str]) -> None:
    allowed = robots.allowed
    for url in asked:
        allowed("x", url)


def _body(case: dict[str, Any]) -> bytes:
    if "robots_b64" in case:
        return base64.b64decode(case["robots_b64"])
    return (
        case["robots"] if "robots" in case else "".join(text * times for text, times in case["robots_repeat"])
    ).encode()


def _url(case: dict[str, Any]) -> str:
    return case["url"] if "url" in case else "".join(text * times for text, times in case["url_repeat"])


def _cases(name: str) -> list[dict[str, Any]]:
    return json.loads((CASES / f"{name}.json").read_text("utf-8"))


def case_figures() -> list[Figure]:
    """The known answers, both profiles, and the sitemap values."""
    found, rows = _cases("robots_cases"), []
    for profile, key in (("google", "allowed"), ("rfc", "rfc_allowed")):
        right = sum(
            read_robots(_body(case), limit=None, profile=profile).allowed(case["agent"], _url(case))
            is case.get(key, case["allowed"])
            for case in found
        )
        rows.append(_share(f"robots: known answers, profile {profile}", right, len(found)))
    sitemaps = _cases("robots_sitemaps")
    right = sum(list(read_robots(_body(case), limit=None).sitemaps) == _sitemaps(case) for case in sitemaps)
    return [*rows, _share("robots: known Sitemap values", right, len(sitemaps))]


def _sitemaps(case: dict[str, Any]) -> list[str]:
    return (
        case["sitemaps"]
        if "sitemaps" in case
        else [value for value, times in case["sitemaps_repeat"] for _ in range(times)]
    )


def _share(name: str, right: int, of: int) -> Figure:
    return Figure("A", name, f"{right} of {of}", "100 %", "", right == of, "tests/cases")


def hostile_figures() -> list[Figure]:
    """Parse and one answer for each adversarial pattern, and for files full of them; the worst."""
    worst, name = 0.0, ""
    for case in _cases("robots_redos"):
        data, url = _body(case), _url(case)
        least = _least(lambda data=data, url=url, case=case: read_robots(data, limit=None).allowed(case["agent"], url))
        if least > worst:
            worst, name = least, case["size"]
    must, aim = "< 250 ms", "< 50 ms"
    title = "robots: hostile patterns, parse and one answer"
    return [Figure("A", title, f"worst {worst * 1e3:.1f} ms", must, aim, worst < 0.250, name), *_full_of_stars()]


def _full_of_stars() -> list[Figure]:
    """As many wildcard rules as the limit lets in, each made to be searched for in vain."""
    path = "/" + "a" * 2_000
    rows = {
        "different needles": [f"/*a{n}*b{n}" for n in range(20_000)],
        "needles that nearly match everywhere": [f"/*{'a' * 19}*{'a' * 18}b{n}" for n in range(9_000)],
        "different endings": [f"/*.{n}$" for n in range(25_000)],
        "escapes": [f"/%e4%{n % 256:02x}*%c3*%{n // 256:02x}" for n in range(20_000)],
        "long literals with one star": [f"/*{'a' * (10 + n % 500)}b*{n}" for n in range(1_900)],
    }
    answers, verdicts = {}, {}
    for name, patterns in rows.items():
        data = ("User-agent: *\n" + "".join(f"Disallow: {pattern}\n" for pattern in patterns)).encode()
        answers[name] = _least(lambda data=data: read_robots(data).allowed("x", path))
        verdicts[name] = _least(lambda data=data: read_robots(data).explain("x", path))
    figures = []
    for what, taken in (("one answer", answers), ("one explanation", verdicts)):
        name, worst = max(taken.items(), key=itemgetter(1))
        title = f"robots: 500 KB of stars, parse and {what}"
        figures.append(Figure("A", title, f"worst {worst * 1e3:.0f} ms", "", "< 250 ms", worst < 0.250, name))
    return figures


def _least(run: Callable[[], object]) -> float:
    """The least CPU time of a few runs."""
    times = []
    for _ in range(3):
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
    return min(times)


def corpus_figure() -> Figure:
    """Every robots.txt of the corpus against its manifest, in whose counts UTF-16 is decoded as no crawler does."""
    name, must = "corpus of robots.txt files", "no exception, every count equals"
    if not (CORPUS / "manifest.json").exists():
        return absent("A", name, must, "../shared/corpus")
    rows = [row for row in json.loads((CORPUS / "manifest.json").read_text("utf-8")) if row["kind"] == "robots"]
    found = [(read_robots((CORPUS / row["file"]).read_bytes(), limit=None), row["truth"]) for row in rows]
    plain = [(robots, truth) for robots, truth in found if "utf-16" not in robots.counts]
    same = sum(
        (len(robots.lines), robots.sitemaps) == (truth["lines"], truth["sitemap_directives"]) for robots, truth in plain
    )
    how = f"lines and Sitemap values; {len(rows) - len(plain)} more are UTF-16: the manifest decodes them, crawlers do not"
    return Figure("A", name, f"{same} of {len(plain)}", must, "", same == len(plain), how)


def figures() -> list[Figure]:
    """The robots rows of part A."""
    return [*case_figures(), corpus_figure(), *hostile_figures(), *parse_figures(), *answer_figures()]
