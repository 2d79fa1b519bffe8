"""Mutated robots.txt files: whatever happens to the bytes, the reader notes and goes on, and soon.

    python -m tests.formats.robots_mutations 1000000 [seed]

Seeds are the known cases and, where it is at hand, ../shared/corpus.
"""

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.formats.robots_cases import body, cases

from waypost.formats.robots import read_robots
from waypost.formats.robots_notes import KINDS
from waypost.formats.robots_write import write_robots

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "robots"
PIECES = [
    b"\r",
    b"\n",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b":",
    b"#",
    b"*",
    b"$",
    b"%",
    b"%c3",
    b" ",
    b"\t",
    b"\x85",
    b"User-agent: *\n",
    b"Allow: /",
    b"Disallow: ",
    b"Sitemap: ",
    b"/*/",
    b"\xc3",
]
URLS = ["https://h.test/", "https://h.test/a/b.html?x=1", "/%7e*$", "//", "h\0", "/\ud800"]


def seeds() -> list[bytes]:
    """Documents to begin with; the few that are huge are left out, they would only be slow to copy."""
    known = [body(case) for name in ("robots_cases", "robots_sitemaps", "robots_redos") for case in cases(name)]
    files = [path.read_bytes() for path in sorted(CORPUS.glob("*.txt"))]
    return [data for data in known + files if len(data) < 20_000]


def mutate(rng: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """One small accident."""
    at, to = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
    accident = rng.randrange(8)
    if accident == 0:
        return data[:at] + data[to:]
    if accident == 1:
        return data[:to] + data[at:]
    if accident == 2:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if accident == 3:
        return data[:at] + rng.choice(PIECES) * rng.choice([1, 1, 2, 50]) + data[at:]
    if accident == 4:
        other = rng.choice(others)
        return data[:at] + other[rng.randint(0, len(other)) :]
    if accident == 5:
        return data.replace(*rng.sample(PIECES, 2))
    if accident == 6:
        lines = data.split(b"\n")
        rng.shuffle(lines)
        return b"\n".join(lines)
    return data.swapcase() if rng.random() < 0.5 else data[::-1]


def documents(seed: int) -> Iterator[bytes]:
    """Mutated documents without end; the same for the same seed."""
    rng = random.Random(seed)
    known = seeds()
    while True:
        data = rng.choice(known)
        for _ in range(rng.randint(1, 6)):
            data = mutate(rng, data, known)[:40_000]
            yield data


def look(data: bytes, number: int) -> None:
    """Do everything with a document that can be done with one, and check what must hold."""
    profile = "rfc" if number % 4 == 0 else "google"
    robots = read_robots(data, url="https://h.test/robots.txt", profile=profile, limit=[None, 512_000, 100][number % 3])
    agents = ["a", "*", *(agent for group in robots.groups[:2] for agent in group.agents[:1])]
    url = URLS[number % len(URLS)]
    for agent in agents:
        verdict = robots.explain(agent, url)
        assert verdict.allowed is robots.allowed(agent, url)
        assert 0 <= verdict.line <= len(robots.lines)
        (
            robots.crawl_delay(agent),
            robots.request_rate(agent),
            robots.content_signals(agent),
            robots.content_usage(agent, url),
            robots.dead_rules(agent),
        )
    assert {note.kind for note in robots.notes} <= KINDS.keys()
    assert len(robots.sitemap_urls()) <= len(robots.sitemaps)
    robots.host, robots.clean_params, robots.is_binary, robots.is_markup
    written = write_robots(robots)
    assert write_robots(read_robots(written, profile=profile)) == written


def main() -> int:
    """Look at as many documents as the command line says."""
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    stream, worst, started = documents(seed), 0.0, time.perf_counter()
    for number in range(count):
        data = next(stream)
        begun = time.process_time()
        try:
            look(data, number)
        except Exception:
            print(f"document {number} of seed {seed}: {len(data)} bytes, {data[:300]!r} …")
            raise
        worst = max(worst, time.process_time() - begun)
    print(
        f"{count:,} mutated documents with seed {seed}: nothing raised, the slowest took {worst * 1e3:.0f} ms, {time.perf_counter() - started:.0f} s in all"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
