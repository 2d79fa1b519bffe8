"""Sitemaps with something done to them, for comparing the fast path with the exact reader.

python -m tests.formats.sitemap_mutations 1000000 [seed]     compare that many, and say what was found
"""

import gzip
import random
import sys
from collections import Counter

from waypost.formats.bounds import Bounds
from waypost.formats.sitemap import read_sitemap
from waypost.formats.sitemapfast import LazyPlaces

CORE = "http://www.sitemaps.org/schemas/sitemap/0.9"
TOKENS = [
    *(
        "<url>",
        "</url>",
        "<loc>",
        "</loc>",
        "<lastmod>",
        "</lastmod>",
        "<loc/>",
        "<url/>",
        "<url >",
        "</url\n>",
        "<x>",
        "</x>",
    ),
    *(
        "<priority>1</priority>",
        "<loc>https://e.com/z</loc>",
        "<url><loc>https://e.com/y</loc></url>",
        "</urlset>",
        "<urlset>",
    ),
    *(
        "&amp;",
        "&lt;",
        "&#13;",
        "&#x26;",
        "&nbsp;",
        "&",
        "&am",
        "p;",
        "]]>",
        "]]",
        ">",
        "<![CDATA[x]]>",
        "<!-- c -->",
        "<!--",
    ),
    *(
        "-->",
        "--",
        "--->",
        "<!-- <url><loc>n</loc></url> -->",
        "<?p i?>",
        "<?xml version='1.0'?>",
        "<!DOCTYPE urlset>",
        "\r",
    ),
    *(
        "\r\n",
        "\n",
        " ",
        "\t",
        "\xa0",
        "\x85",
        "\u2028",
        "\ufeff",
        "\ufffe",
        "\uffff",
        "\x00",
        "\x0b",
        "\x1f",
        "\x7f",
        "é",
    ),
    *(
        " a='b'",
        " xmlns='urn:x'",
        " xmlns:p='urn:p'",
        " a='b' a='c'",
        "p:",
        "s:",
        "\U0001f600",
        "0" * 9_000,
        "'",
        '"',
        "/",
    ),
    *(" p:q='r'", "<p:loc>n</p:loc>", "<sitemap><loc>n</loc></sitemap>", "encoding='utf8'", "1.F", "text"),
]
BYTES = [b"\xff", b"\x80", b"\xc3", b"\xed\xa0\x80", b"\xef\xbf\xbe", b"\xef\xbb\xbf", b"\xf5\x80\x80\x80", b"\xc0\x80"]


def plain(rng: random.Random) -> str:
    """A sitemap as programs write them, in one of their many hands."""
    gap = rng.choice(["", "\n  ", "\n\t", "\r\n    ", " "])
    root, entry = rng.choice([("urlset", "url")] * 4 + [("sitemapindex", "sitemap")])
    prefix = rng.choice(["", "", "", "s:"])
    fields = ["loc", "lastmod", "changefreq", "priority"][: rng.choice([1, 2, 4])]
    if rng.random() < 0.2:
        rng.shuffle(fields)
    optional = rng.random() < 0.4
    values = {
        "loc": lambda: f"https://e.com/{rng.choice(['a', 'é', 'a&amp;b', 'a b', 'x' * 50])}/{rng.randrange(99)}",
        "lastmod": lambda: rng.choice(["2026-01-20", "", "yesterday", "2026-01-20T10:00:00Z"]),
        "changefreq": lambda: rng.choice(["daily", "always", ""]),
        "priority": lambda: rng.choice(["0.5", "1", "a&quot;b"]),
    }
    entries = []
    for _ in range(rng.choice([0, 1, 2, 2, 3, 3, 4, 6])):
        kept = [name for name in fields if name == "loc" or not optional or rng.random() < 0.6]
        body = "".join(f"{gap}<{prefix}{name}>{values[name]()}</{prefix}{name}>" for name in kept)
        entries.append(f"<{prefix}{entry}>{body}{gap}</{prefix}{entry}>")
    between = rng.choice(["", "\n", "\n<!-- c -->\n"])
    declaration = rng.choice(
        ['<?xml version="1.0" encoding="UTF-8"?>\n', "<?xml version='1.0'?>", "", "\ufeff", "<!-- -->\n"]
    )
    namespace = rng.choice([CORE, CORE, CORE, "", "urn:x"])
    declared = f'xmlns{":s" if prefix else ""}="{namespace}"' if namespace or prefix else ""
    return f"{declaration}<{prefix}{root} {declared}>{gap}{between.join(entries)}{gap}</{prefix}{root}>{rng.choice(['', chr(10)])}"


def mutated(rng: random.Random) -> bytes:
    """A plain sitemap with up to three things done to it, sometimes packed."""
    data = plain(rng).encode()
    for _ in range(rng.choice([0, 0, 1, 1, 1, 1, 2, 3])):
        at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        act = rng.randrange(8)
        if act < 3:
            data = data[:at] + rng.choice(TOKENS).encode() + data[at:]
        elif act == 3:
            data = data[:at] + rng.choice(BYTES) + data[at:]
        elif act == 4:
            data = data[:at] + data[min(end, at + rng.randrange(1, 9)) :]
        elif act == 5:
            data = data[:end] + data[at:]
        elif act == 6:
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        else:
            tag = rng.choice([">", "<", "/>", "</"]).encode()
            found = data.find(tag, at)
            token = rng.choice(TOKENS).encode()
            data = (
                data[: found + rng.choice([0, 1])] + token + data[found + rng.choice([0, 1]) :] if found >= 0 else data
            )
    return gzip.compress(data, 1, mtime=0) if rng.random() < 0.03 else data


def told(data: bytes, limits: Bounds, *, exact: bool) -> tuple[object, ...]:
    """All a reading says, as a value; the first part is whether it was the fast path that said it."""
    document = read_sitemap(data, limits=limits, exact=exact)
    columns = document.columns
    places = [document.place(at) for at in range(len(document.locs))]
    said = (columns.locs, columns.lastmods, columns.changefreqs, columns.priorities, columns.records, places)
    facts = (
        document.kind,
        document.format,
        document.notes,
        dict(document.counts),
        document.complete,
        document.encoding,
    )
    more = (document.bytes, document.packed_bytes, document.gzip_layers, document.entry_count, document.root)
    return isinstance(columns.places, LazyPlaces), said, facts, more, document.xml, document.feed


def compare(seed: int) -> tuple[bool, str]:
    """Whether the fast path took this one, and what the two say differently."""
    rng = random.Random(seed)
    data = mutated(rng)
    limits = (
        Bounds() if rng.random() < 0.9 else Bounds(urls_max=2, entries_kept_max=3, bytes_max=300, value_chars_max=20)
    )
    fast, exact = told(data, limits, exact=False), told(data, limits, exact=True)
    different = [f"{one!r} is not {other!r}" for one, other in zip(fast[1:], exact[1:], strict=True) if one != other]
    return bool(fast[0]), f"seed {seed}: {data!r}: {different}" if different else ""


def main() -> None:
    """Compare many, and count."""
    count, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    seen: Counter[str] = Counter()
    for seed in range(first, first + count):
        fast, different = compare(seed)
        seen["fast" if fast else "exact"] += 1
        if different:
            seen["different"] += 1
            print(different)
    print(dict(seen))


if __name__ == "__main__":
    main()
