"""Pages of part D: what a long one costs, what Chromium and axe say of every kind, and what our own check says of whole sites."""

import importlib.util
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from bench import loopback
from bench.harness import Figure, absent
from bench.longpage import long_page
from bench.loopback import Line, question

PAGES, BATCH, BATCHES = 200, 300, 8
RATE_MUST, RATE_AIM = 300, 600
KINDS = {
    "/prose": "mostly prose, whole answer, one core",
    "/crowded": "crowded with tables, code, lists and links",
    "/raw": "crowded, and with raw HTML",
}


def write_site(root: Path) -> None:
    """Long pages, and enough others for a navigation."""
    content = root / "content"
    (content / "img").mkdir(parents=True)
    (content / "img/a.png").write_bytes(b"png")
    (root / "waypost.toml").write_text('title = "Bench"\n')
    (content / "prose.md").write_text(long_page(paragraphs=8))
    (content / "crowded.md").write_text(long_page())
    (content / "raw.md").write_text(long_page(with_raw_html=True))
    for number in range(PAGES):
        (content / f"page-{number}.md").write_text(f"# Page {number}\n\nShort.\n")


def _rate(line: Line, process: psutil.Process, path: str) -> tuple[float, float]:
    """Answers in a second of the server's processor, and in one of the clock: the best batch, for others disturb."""
    asked, best = question(path), (0.0, 0.0)
    for _ in range(20):
        line.ask(asked)
    for _ in range(BATCHES):
        before, started = _spent(process), time.perf_counter()
        for _ in range(BATCH):
            line.ask(asked)
        best = max(best, (BATCH / (_spent(process) - before), BATCH / (time.perf_counter() - started)))
    return best


def _spent(process: psutil.Process) -> float:
    times = [one.cpu_times() for one in (process, *process.children(recursive=True))]
    return sum(spent.user + spent.system for spent in times)


def _long_pages() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        write_site(Path(place) / "root")
        with loopback.waypost(Path(place) / "root", Path(place) / "log") as (port, started):
            process = psutil.Process(started.pid)
            for one in (process, *process.children(recursive=True)):
                with suppress(AttributeError, psutil.Error):
                    one.cpu_affinity([0])
            for path, name in KINDS.items():
                rate, seen = _rate(Line(port), process, path)
                how = f"requests a second of the server's processor; {seen:.0f}/s by the clock of one connection; best of {BATCHES} batches"
                must, aim = f"≥ {RATE_MUST}/s", f"≥ {RATE_AIM}/s"
                yield Figure("D", f"a 50 KB page, {name}", f"{rate:.0f}/s", must, aim, rate >= RATE_MUST, how)


def _in_chromium() -> Figure:
    name = "console messages, requests off the host, grave faults by axe"
    from tests.chromium import CHROMIUM, grave_faults, launched
    from tests.web.client import waypost
    from tests.web.test_browser_pages import KINDS as BROWSED
    from tests.web.test_browser_pages import VIEWS, Visit, write_browsed

    if not CHROMIUM or not importlib.util.find_spec("playwright"):
        return absent("D", name, "0", "Chromium")
    messages = strangers = faults = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place, launched() as browser:
        write_browsed(Path(place))
        with waypost(place, log=Path(place) / "log") as server:
            for path in BROWSED.values():
                for view in VIEWS.values():
                    visit = Visit(browser, server.port, path, **view)
                    messages += len(visit.said)
                    strangers += len(set(visit.asked) - {f"127.0.0.1:{server.port}"})
                    faults += len(grave_faults(visit.page))
                    visit.context.close()
    value = f"{messages}, {strangers}, {faults}"
    how = f"{len(BROWSED)} kinds of pages, each in {', '.join(VIEWS)}"
    return Figure("D", name, value, "0", "", not messages + strangers + faults, how)


def _judged() -> Iterator[Figure]:
    """Our own check of the starter site and of the documentation, each served as it is."""
    from tests.web.client import waypost
    from tests.web.test_judged import judged

    home = loopback.HOME
    for name, source in (("the starter site", "src/waypost/site/starterkit"), ("the docs folder", "docs")):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
            shutil.copytree(home / source, Path(place) / "root")
            with waypost(str(Path(place) / "root"), log=Path(place) / "log") as server:
                try:
                    report = judged(f"http://127.0.0.1:{server.port}", "--deep", "--probe", "20")
                    value, is_met = f"{report['score']}, nothing above info", True
                except AssertionError as fault:
                    value, is_met = str(fault)[:60], False
        yield Figure(
            "D", f"waypost check of {name}", value, "1.0, no finding above info", "", is_met, "--deep --probe 20"
        )


def figures() -> list[Figure]:
    """The figures of pages as readers, browsers and crawlers get them."""
    return [*_long_pages(), _in_chromium(), *_judged()]
