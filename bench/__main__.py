"""Print every figure in one table, and keep the run: python3 run.py bench [TOPIC …] [--peers].

A topic is a module of this folder with a `figures()` function; one that breaks costs its own rows, and exit 1. `--peers`
first installs the peers that are not among the development packages into throw-away environments under `.bench/`; a
peer that is not there is said to be absent.
"""

import platform
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from bench.harness import Figure, figures_of

HERE = Path(__file__).resolve().parent
COLUMNS = ("part", "figure", "measured", "must", "aim", "met", "how")


def topics(wanted: list[str]) -> list[str]:
    """The benchmark modules that were asked for, or all of them."""
    every = sorted(path.stem for path in HERE.glob("*.py") if "\ndef figures(" in path.read_text(encoding="utf-8"))
    unknown = set(wanted) - set(every)
    if unknown:
        sys.exit(f"bench: no topic {', '.join(sorted(unknown))}; there are: {', '.join(every)}")
    return wanted or every


def measured(topic: str) -> list[Figure]:
    """The figures of a topic, taken in a process that knows no other topic; where it breaks, one row that says so."""
    print(f"bench: {topic} …", file=sys.stderr, flush=True)
    started = time.monotonic()
    try:
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            figures = process.submit(figures_of, topic).result()
    except Exception as error:
        traceback.print_exc()
        figures = [Figure("?", topic, "broke", "", "", False, f"{type(error).__name__}, told in the terminal")]
    print(f"bench: {topic}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    return figures


def row(figure: Figure) -> str:
    """One line of the table."""
    met = {True: "yes", False: "NO", None: "–"}[figure.met]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in figure._replace(met=met)) + " |"


def summed_up(figures: list[Figure]) -> str:
    """How many figures are met, and which are not."""
    missed = [f"{figure.part} {figure.name}" for figure in figures if figure.met is False]
    absent = [f"{figure.part} {figure.name}" for figure in figures if figure.value.endswith(" is absent")]
    lines = [f"{sum(figure.met is True for figure in figures)} met, {len(missed)} not, of {len(figures)} figures."]
    lines += [f"Not met: {'; '.join(missed)}."] if missed else []
    lines += [f"Not measured, a peer is absent: {'; '.join(absent)}."] if absent else []
    return "\n".join(lines)


def main() -> int:
    """Run the topics one after the other and write the table to bench/RESULTS.md when all of them ran."""
    arguments = sys.argv[1:]
    if "--peers" in arguments:
        arguments.remove("--peers")
        import_module("bench.peers").install()
    figures = sorted(
        (figure for topic in topics(arguments) for figure in measured(topic)), key=lambda figure: figure.part
    )
    table = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS), *map(row, figures)]
    text = "\n".join([*table, "", summed_up(figures)])
    print(text)
    if not arguments:
        machine = f"{platform.machine()}, Python {platform.python_version()}, {platform.system()}"
        title = "# The last run\n\nRatios come from one interleaved run; absolutes belong to this machine"
        (HERE / "RESULTS.md").write_text(f"{title}: {machine}.\n\n{text}\n", encoding="utf-8")
    return int(any(figure.value == "broke" for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
