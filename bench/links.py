"""Links of part D: every link and image of a site with relative links of every shape, followed as a browser would."""

import logging
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit
from zlib import crc32

from bench.harness import Figure

PAGES = 5_000
ORIGIN = "https://example.com"
CLOSED = frozenset({"staff", "draft"})
SETTINGS = 'slash = "{slash}"\n[tags.staff]\nroles = ["staff"]\n'


class Target(NamedTuple):
    """Something a page may link to: its file, and the alias it has beside the one its path implies."""

    file: str
    kind: str
    alias: str = ""


class Written(NamedTuple):
    """How many links the public pages of a site were given, and how many of them name what nobody may see."""

    links: int
    closed: int


def write_site(root: Path, pages: int = PAGES, *, slash: str = "never", seed: int = 7) -> Written:
    """A runtime root whose pages link to each other in every shape."""
    chance = random.Random(seed)
    targets = list(_targets(pages))
    by_folder: dict[str, list[Target]] = {}
    for target in targets:
        by_folder.setdefault(target.file.rpartition("/")[0], []).append(target)
    links = closed = 0
    _put(root / "waypost.toml", SETTINGS.format(slash=slash))
    for target in targets:
        if target.kind in {"picture", "data"}:
            _put(root / "content" / target.file, "<svg xmlns='http://www.w3.org/2000/svg'/>")
            continue
        near = by_folder[target.file.rpartition("/")[0]]
        named = [*chance.sample(targets, 10), *chance.sample(near, min(2, len(near)))]
        lines = [shape(target.file, other) for other in named for shape in chance.sample(SHAPES, 2)]
        if target.kind not in CLOSED:
            links += len(lines)
            closed += 2 * sum(other.kind in CLOSED for other in named)
        _put(root / "content" / target.file, _head(target) + "# A page\n\n" + "\n\n".join(lines) + "\n")
    return Written(links, closed)


def _targets(pages: int) -> Iterator[Target]:
    """Pages of every kind in nested folders with names of every kind, and files beside them."""
    words = (
        "guide",
        "Über uns",
        normalize("NFD", "café"),
        "two words",
        "UPPER",
        "a+b",
        "p(1)",
        "x,y;z",
        "日本",
        "q&a",
        "50% off",
    )
    kinds = ("page", "page", "page", "page", "aliased", "id", "staff", "draft", "picture", "data")
    yield Target("index.md", "page")
    for number in range(pages - 1):
        depth = number % 4
        folder = "".join(f"{words[(number // 10 + level) % len(words)]} {number % 7}/" for level in range(depth))
        kind = kinds[number % len(kinds)]
        name = f"{words[number % 9 if kind != 'page' else number // 3 % len(words)]}-{number}"
        if kind == "page" and number % 60 == 1 and folder:
            yield Target(f"{folder}{name}/index.md", kind)
        elif kind in {"picture", "data"}:
            yield Target(f"{folder}{name}.{'svg' if kind == 'picture' else 'csv'}", kind)
        else:
            yield Target(f"{folder}{name}.md", kind, f"alias/number-{number}" if kind == "aliased" else "")


def _head(target: Target) -> str:
    said = {
        "aliased": f"alias: {target.alias}",
        "id": 'alias: ""',
        "staff": "tags: [staff]",
        "draft": "draft: true",
    }.get(target.kind)
    return f"---\n{said}\n---\n" if said else ""


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _relative(source: str, target: Target) -> str:
    here, there = source.split("/")[:-1], target.file.split("/")
    while here and there[:-1] and here[0] == there[0]:
        here, there = here[1:], there[1:]
    return "../" * len(here) + "/".join(there)


def _escaped(path: str) -> str:
    return quote(path, safe="/")


def _bare(path: str) -> str:
    """Without its extension, a folder's page as its folder."""
    folder, _, name = path.rpartition("/")
    if name == "index.md":
        return f"{folder}/" if folder else "./"
    return path.removesuffix(".md")


def _absolute(source: str, target: Target) -> str:
    # An absolute path to what is not public is left as written, for another program may serve it.
    return _relative(source, target) if target.kind in CLOSED else f"/{target.file}"


def _label(target: Target) -> str:
    return f"r{crc32(target.file.encode())}"


def _case(path: str) -> str:
    return path.swapcase() if path.isascii() and not path.endswith((".svg", ".csv")) else path


SHAPES: tuple[Callable[[str, Target], str], ...] = (
    lambda source, target: f"[plain]({_escaped(_relative(source, target))})",
    lambda source, target: f"[dot](./{_escaped(_relative(source, target))})",
    lambda source, target: f"[angled](<{_relative(source, target)}>)",
    lambda source, target: f"[no extension]({_escaped(_bare(_relative(source, target)))})",
    lambda source, target: f"[slash]({_escaped(_bare(_relative(source, target)).rstrip('/'))}/)",
    lambda source, target: f"[fragment]({_escaped(_relative(source, target))}#a-page)",
    lambda source, target: f"[query]({_escaped(_relative(source, target))}?x=1&y=2#z)",
    lambda source, target: f'[title]({_escaped(_relative(source, target))} "a title")',
    lambda source, target: f"[nfc](<{normalize('NFC', _relative(source, target))}>)",
    lambda source, target: f"[nfd](<{normalize('NFD', _relative(source, target))}>)",
    lambda source, target: f"[case](<{_case(_relative(source, target))}>)",
    lambda source, target: f"[absolute]({_escaped(_absolute(source, target))})",
    lambda source, target: f"[absolute, bare]({_escaped(_bare(_absolute(source, target)))})",
    lambda source, target: f"[reference][{_label(target)}]\n\n[{_label(target)}]: <{_relative(source, target)}>",
    lambda source, target: f"![image]({_escaped(_relative(source, target))})",
    lambda source, target: f'<a href="{_escaped(_relative(source, target))}">raw</a>',
    lambda source, target: f"<a class=x href='{_relative(source, target).replace('&', '&amp;')}'>raw</a>",
    lambda source, target: (
        f'<img alt="" src="{_escaped(_relative(source, target))}" srcset="{_escaped(_relative(source, target))} 2x">'
    ),
    lambda source, target: f"[alias]({'/' + target.alias if target.alias else _escaped(_relative(source, target))})",
    lambda source, target: f"[up and down](x/../{_escaped(_relative(source, target))})",
)
"""How people write links; each takes the file a link stands in and what it is to."""


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.unlinked = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unlinked += tag in {"a", "img"} and not {name for name, _ in attrs} & {"href", "src"}
        for name, value in attrs:
            if name in {"href", "src", "srcset", "poster", "action"} and value is not None:
                self.found.append(value.split(" ")[0] if name == "srcset" else value)


class Walk(NamedTuple):
    """What a walk over a whole site saw: pages, links, those shown as text, what is broken, and what is not direct."""

    pages: int
    links: int
    unlinked: int
    broken: list[str]
    redirected: list[str]


def walk(root: Path) -> Walk:
    """Ask for every listed page, and for everything any of them links to, images and the theme's own links included."""
    from tests.web.client import InProcess

    from waypost.web.app import create

    client = InProcess(create(str(root), environment={}))
    try:
        hosts = client.app.hosts
        table = next(iter(hosts.roots()))[1].table()
        waiting = [page.path for page in table]
        statuses: dict[str, int] = {}
        links = unlinked = 0
        broken, redirected = [], []
        for path in waiting:
            answer = client.ask(path, host="example.com", scheme="https", accept="text/html")
            statuses[path] = answer.status
            seen = _Links()
            seen.feed(answer.body.decode())
            unlinked += seen.unlinked
            for written in seen.found:
                url = urldefrag(urljoin(f"{ORIGIN}{path}", written)).url
                parts = urlsplit(url)
                if f"{parts.scheme}://{parts.netloc}" != ORIGIN:
                    continue
                links += 1
                if parts.path not in statuses:
                    statuses[parts.path] = client.ask(
                        parts.path or "/", host="example.com", scheme="https", accept="text/html"
                    ).status
                if statuses[parts.path] != 200:
                    line = f"{path}: {written} -> {unquote(parts.path)} {statuses[parts.path]}"
                    (redirected if statuses[parts.path] == 308 else broken).append(line)
        return Walk(len(waiting), links, unlinked, broken, redirected)
    finally:
        client.app.hosts.close()
        client.close()


def figures() -> list[Figure]:
    """Both slash policies, 5,000 objects each."""
    rows = []
    logging.getLogger("waypost").setLevel(logging.ERROR)
    for slash in ("never", "always"):
        folder = Path(tempfile.mkdtemp(prefix="waypost-links-"))
        try:
            written = write_site(folder, slash=slash)
            seen = walk(folder)
        finally:
            shutil.rmtree(folder)
        for line in [*seen.broken, *seen.redirected][:20]:
            print(line, file=sys.stderr)
        how = f"{seen.links:,} links on {seen.pages:,} listed pages, {written.links:,} written in {len(SHAPES)} shapes"
        name = f"broken links, 5,000-page site, slash = {slash}"
        rows += [
            Figure("D", name, f"{len(seen.broken)}", "0", "", not seen.broken, how),
            Figure("D", f"{name}: that redirect first", f"{len(seen.redirected)}", "", "0", None, how),
            Figure(
                "D",
                f"{name}: shown as text although what they name is public",
                f"{seen.unlinked - written.closed}",
                "0",
                "",
                seen.unlinked == written.closed,
                f"{written.closed:,} name what nobody may see",
            ),
        ]
    return rows
