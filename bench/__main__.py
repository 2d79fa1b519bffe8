"""Print every figure in one table, and keep the run: python3 run.py bench [TOPIC …] [--peers].

A topic is a module of this folder with a `figures()` function. `--peers` first installs the peers that are not among
the development packages into throw-away environments under `.bench/`; a peer that is not there is said to be absent.
"""

import platform
import sys
from importlib import import_module
from pathlib import Path

from bench.harness import Figure

HERE = Path(__file__).resolve().parent
NOT_TOPICS = {"__init__", "__main__", "djangomap", "harness", "loopback", "peers"}
COLUMNS = ("part", "figure", "measured", "must", "aim", "met", "how")


def topics(wanted: list[str]) -> list[str]:
    """The benchmark modules that were asked for, or all of them."""
    every = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in NOT_TOPICS)
    unknown = set(wanted) - set(every)
    if unknown:
        sys.exit(f"bench: no topic {', '.join(sorted(unknown))}; there are: {', '.join(every)}")
    return wanted or every


def row(figure: Figure) -> str:
    """One line of the table."""
    met = {True: "yes", False: "NO", None: "–"}[figure.met]
    return "| " + " | ".join(figure._replace(met=met)) + " |"


def main() -> None:
    """Run the topics one after the other and write the table to bench/RESULTS.md when all of them ran."""
    arguments = sys.argv[1:]
    if "--peers" in arguments:
        arguments.remove("--peers")
        import_module("bench.peers").install()
    rows = []
    for topic in topics(arguments):
        print(f"bench: {topic} …", file=sys.stderr, flush=True)
        rows += [row(figure) for figure in import_module(f"bench.{topic}").figures()]
    table = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS), *sorted(rows, key=lambda line: line[:4])]
    print("\n".join(table))
    if not arguments:
        machine = f"{platform.machine()}, Python {platform.python_version()}, {platform.system()}"
        text = "# The last run\n\nRatios come from one interleaved run; absolutes belong to this machine"
        (HERE / "RESULTS.md").write_text(f"{text}: {machine}.\n\n" + "\n".join(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
