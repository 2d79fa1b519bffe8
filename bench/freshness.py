"""Freshness over HTTP: another process changes something, then every worker is asked, and its answer must show it.

`BENCH_ROUNDS` sets the rounds of each kind; `python -m bench.freshness KIND …` runs some kinds alone.
"""

import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from tests.site.kinds import FILE_KINDS, FOLDER_HELPERS, FOLDER_KINDS, HELPERS, other_process

from bench import loopback
from bench.harness import Figure
from bench.loopback import Line, question

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "500"))
FILES, FRESH_TREE_EVERY, WHOLE_EVERY = 32, 50, 100
DEEP_KINDS = ("deep_rename_over", "deep_move", "deep_exchange", "deep_make_tree")
"""Changes in a deep tree of 20,000 pages."""
KINDS = (*FILE_KINDS, *FOLDER_KINDS, "bursts", *DEEP_KINDS)
_LOC = re.compile(rb"<loc>http://example\.com([^<]*)</loc>(?:<lastmod>([^<]*)</lastmod>)?")
_MAP = question("/sitemap.xml")
# The page says its title by its alias, so that the sitemap shows which state of it was read.
_WRITER = (
    HELPERS
    + FOLDER_HELPERS
    + """
def aliased(title):
    return b"---\\nalias: a-%s\\n---\\n# %s\\n" % (title.split()[-1].encode(), title.encode())

def write_sidecar(path, title, outside):
    put(tmp(path), b'alias = "a-%s"\\n' % title.split()[-1].encode()); os.rename(tmp(path), path + ".toml")

def plain(title):
    return b"# " + title.encode() + b"\\n"

def plain_tree(root):
    shutil.rmtree(root, ignore_errors=True)
    for number in range(30):
        folder = root + "/a%d/b%d/c%d" % (number % 3, number % 5, number % 2)
        os.makedirs(folder, exist_ok=True); put(folder + "/page%d.md" % number, b"# Page\\n")

def bursts(root, chance, number):
    for index in range(12): chance.choice(KINDS)(root, chance, number * 100 + index)

def deep_tree(root):
    for number in range(2000):
        folder = "/".join((root, "t%d" % (number // 200), "u%d" % (number // 10 % 20), "v", "w", "x%d" % (number % 10)))
        os.makedirs(folder)
        for page in range(10): put(folder + "/p%d.md" % page, b"# Page\\n")
"""
)


class Site:
    """A served root: who writes in it, and a connection to each worker."""

    def __init__(self, folder: Path, write: Callable[[str], None], port: int, server: psutil.Process) -> None:
        self.content, self.outside = folder / "root/content", folder / "outside"
        self.write, self.port, self.server = write, port, server
        self.lines: list[Line] = []

    def connect(self, workers: int) -> None:
        """Connect until every worker has taken a connection."""
        self.hang_up()
        found: dict[int, Line] = {}
        for _ in range(1_000):
            line = Line(self.port)
            line.answer(question("/robots.txt"))
            worker = self._worker_of(line)
            if worker in found:
                line.close()
            found.setdefault(worker, line)
            if len(found) == workers:
                self.lines = list(found.values())
                return
        raise RuntimeError(f"{len(found)} of {workers} workers took a connection")

    def hang_up(self) -> None:
        """Close every connection."""
        for line in self.lines:
            line.close()
        self.lines = []

    def _worker_of(self, line: Line) -> int:
        for worker in self.server.children(recursive=True):
            for end in worker.net_connections("tcp"):
                if end.raddr and end.raddr.port == line.local_port and end.laddr.port == self.port:
                    return worker.pid
        raise RuntimeError("no worker has the connection")

    def maps(self) -> Iterator[dict[bytes, bytes]]:
        """What each worker's sitemap lists: paths and their dates."""
        for line in self.lines:
            head, body = line.answer(_MAP)
            yield dict(_LOC.findall(body)) if b" 200 " in head[:16] else {}

    def statuses(self, path: str) -> set[bytes]:
        """How the workers answer a page, asked for as Markdown."""
        asked = question(f"{path}.md")
        return {line.answer(asked)[0][9:12] for line in self.lines}

    def empty(self, workers: int) -> None:
        """Begin anew: nothing in the root, and connections that nobody has closed for being idle."""
        content = repr(str(self.content))
        self.write(f"shutil.rmtree({content}); os.makedirs({content})")
        self.connect(workers)


@contextmanager
def served(workers: int) -> Iterator[Site]:
    """An empty root behind `waypost serve` with so many workers."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place, other_process() as write:
        folder = Path(place)
        (folder / "root/content").mkdir(parents=True)
        (folder / "outside").mkdir()
        write(_WRITER)
        with loopback.waypost(folder / "root", folder / "log", "--workers", str(workers)) as (port, process):
            site = Site(folder, write, port, psutil.Process(process.pid))
            try:
                yield site
            finally:
                site.hang_up()


def missed(site: Site, kind: str, rounds: int, workers: int) -> int:
    """In how many rounds of a kind some worker's answer did not show what was on the disk."""
    site.empty(workers)
    if kind in FILE_KINDS:
        return _files(site, kind, rounds)
    if kind in DEEP_KINDS:
        site.write(f"deep_tree({str(site.content)!r})")
        site.connect(workers)
        return _deep(site, kind, rounds)
    return _folders(site, kind, rounds)


def _files(site: Site, kind: str, rounds: int) -> int:
    site.write("text = aliased")
    names = [f"{site.content}/p{number}.md" for number in range(FILES)]
    for name in names:
        site.write(f"put({name!r}, b'# Start' + b'x' * 100)")
    # Who has never seen a page withholds it while it is open for writing, so every worker has to see the files first.
    wrong = sum(len(listed) != FILES for listed in site.maps())
    for number in range(1, rounds + 1):
        site.write(f"{kind}({names[number % FILES]!r}, 'title {number:07}', {str(site.outside)!r})")
        is_seen = True
        for listed in site.maps():
            date = listed.get(b"/a-%07d" % number)
            is_dated = kind != "touch" or date == _moment(1_000_000_000 + number)
            is_seen &= date is not None and is_dated and len(listed) == FILES
        wrong += not is_seen
    site.write("while held: held.pop().close()")
    return wrong


def _moment(seconds: int) -> bytes:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)).encode()


def _on_disk(content: Path) -> set[bytes]:
    start = len(str(content))
    return {
        f"{folder[start:]}/{name[:-3]}".encode()
        for folder, _, names in os.walk(content)
        for name in names
        if name.endswith(".md")
    }


def _folders(site: Site, kind: str, rounds: int) -> int:
    root, wrong = f"{site.content}/tree", 0
    site.write(f"text = plain; chance = random.Random({KINDS.index(kind)})")
    for number in range(rounds):
        if number % FRESH_TREE_EVERY == 0:
            site.write(f"plain_tree({root!r})")
        site.write(f"{kind}({root!r}, chance, {number})")
        there = _on_disk(site.content)
        wrong += any(listed.keys() != there for listed in site.maps())
    return wrong


def _deep(site: Site, kind: str, rounds: int) -> int:
    chance, wrong = random.Random(KINDS.index(kind)), 0
    folders = [f"/t{number // 200}/u{number // 10 % 20}/v/w/x{number % 10}" for number in range(2_000)]
    for number in range(rounds):
        one, other = chance.sample(range(len(folders)), 2)
        there, gone = _deep_round(site, kind, number, folders, (one, other))
        is_seen = site.statuses(there) == {b"200"} and (not gone or site.statuses(gone) == {b"404"})
        if number % WHOLE_EVERY == 0:
            disk = _on_disk(site.content)
            is_seen &= all(listed.keys() == disk for listed in site.maps())
        wrong += not is_seen
    return wrong


def _deep_round(site: Site, kind: str, number: int, folders: list[str], chosen: tuple[int, int]) -> tuple[str, str]:
    """Change something; a path that must be there now, and one that must be gone."""
    root, (one, other) = str(site.content), chosen
    before = folders[one]
    if kind == "deep_rename_over":
        path, title = f"{before}/p{number % 7}", f"# Title {number}"
        site.write(
            f"put(tmp({root + path!r}), {title.encode()!r}); os.rename(tmp({root + path!r}), {root + path + '.md'!r})"
        )
        asked = question(f"{path}.md")
        return (path if all(title.encode() in line.answer(asked)[1] for line in site.lines) else "/not-seen"), ""
    if kind == "deep_move":
        folders[one] = f"{folders[other].rpartition('/')[0]}/m{number}"
        site.write(f"os.rename({root + before!r}, {root + folders[one]!r})")
        return f"{folders[one]}/p3", f"{before}/p3"
    if kind == "deep_exchange":
        mark = f"{before}/mark{number}"
        site.write(f"put({root + mark + '.md'!r}, b'# Mark'); exchange({root + before!r}, {root + folders[other]!r})")
        return f"{folders[other]}/mark{number}", mark
    made = f"{before}/made{number}/deeper/and/deeper/still/leaf"
    site.write(f"os.makedirs({os.path.dirname(root + made)!r}); put({root + made + '.md'!r}, b'# Leaf')")
    return made, ""


def _row(name: str, kinds: tuple[str, ...], workers: int) -> Figure:
    wrong: dict[str, int] = {}
    with served(workers) as site:
        for kind in kinds:
            wrong[kind] = missed(site, kind, ROUNDS, workers)
            print(f"bench: {kind}, workers {workers}: {wrong[kind]} missed of {ROUNDS}", file=sys.stderr, flush=True)
    count, total = len(kinds), sum(wrong.values())
    how = f"{count} kinds of change by another process, each worker asked for /sitemap.xml or the page after each"
    if total:
        how = ", ".join(f"{kind} {number}" for kind, number in wrong.items() if number)
    said = f"{workers} worker{'s' if workers > 1 else ''}"
    return Figure("B", f"freshness over HTTP, {name}, {said}", f"{total} missed of {count} × {ROUNDS:,}",
                  "0", "", not total, how)  # fmt: skip


def figures() -> list[Figure]:
    """Every kind of change, asked of one worker and of four."""
    groups = (
        ("files", FILE_KINDS),
        ("folders, exchanges and trees", (*FOLDER_KINDS, "bursts")),
        ("in a deep tree of 20,000 pages", DEEP_KINDS),
    )
    return [_row(name, kinds, workers) for name, kinds in groups for workers in (1, 4)]


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        for count in (1, 4):
            print(*_row(wanted, (wanted,), count), sep=" | ")
