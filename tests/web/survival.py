"""What the tests of survival and `bench/survival.py` share: roots full of secrets, hostile paths, hosts and headers."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

from tests.web import roots
from tests.web.client import Answer, InProcess

from waypost.publish.paths import RESERVED, Form
from waypost.publish.respond import ROUTES
from waypost.web.app import create

DOCUMENTS = (*ROUTES, "/sitemaps/sitemap-0001.xml", "/sitemaps/sitemap-0002.xml")
CANARY = "zq7canary"


@contextmanager
def asked(root: Path | None = None, **how: Any) -> Iterator[InProcess]:
    """The application over a root, or over `sites`, asked in this process."""
    client = InProcess(create(None if root is None else str(root), environment={}, **how))
    try:
        yield client
    finally:
        client.app.hosts.close()
        client.close()


def crawl(client: InProcess, *, host: str = "example.com") -> dict[str, Answer]:
    """Every document, and every page that one of them lists, with its Markdown."""
    answers = {path: client.ask(path, host=host) for path in DOCUMENTS}
    listed = answers["/sitemap.txt"].text.split() if answers["/sitemap.txt"].status == 200 else []
    for path in ("/", *(url.partition(host)[2] for url in listed)):
        answers[path] = client.ask(path, host=host)
        answers[f"{path}.md"] = client.ask(f"{path}.md", host=host)
    return answers


def secrets(root: Path, seed: int, count: int = 40) -> list[str]:
    """A random tree where some objects are hidden, each with the canary in all it says; the hidden blobs' names."""
    chance = random.Random(seed)
    roots.write(root / "waypost.toml", SECRETS_TOML.format(split=chance.choice([5, 50_000])))
    hidden = []
    for number in range(count):
        is_hidden = number == 1 or chance.random() < 0.4
        name = f"{CANARY if is_hidden else 'open'}{number}"
        lines = [
            f"title: {name}", f"description: {name}", f"lang: {chance.choice(['de', 'en', 'fr'])}",
            f"translations: {{it: {CANARY}{chance.randrange(count)}, fr: open{chance.randrange(count)}}}",
            f"images: [{CANARY}{number}.png]", f"nav_title: {name}", f"nav_order: {chance.randrange(9)}",
            f"nav_parent_id: {chance.randrange(count):016x}",
            f"published: 2026-01-{chance.randrange(1, 28):02}",
        ]  # fmt: skip
        if is_hidden:
            lines.append(
                chance.choice(["draft: true", "access: deny", "tags: [staff]", "roles: [boss]", "tags: [a, b]"])
            )
            lines.append(f"redirect_from: [moved-{number}]")
        folder = chance.choice(["", "a/", "a/b/", f"{CANARY}/" if is_hidden else "c/"])
        blob = f"{folder}{name}.md"
        roots.write(root / "content" / blob, "---\n" + "\n".join(lines) + f"\n---\n# {name}\n\n{name}\n")
        roots.write(root / "content" / f"{blob}.toml", f'id = "{number:016x}"\n')
        roots.write(root / f"content/{folder}{CANARY}{number}.png", "x")
        roots.write(root / f"content/{folder}{CANARY}{number}.png.toml", 'access = "deny"\n')
        if is_hidden:
            hidden.append(blob)
    return hidden


SECRETS_TOML = """[tags.staff]
roles = ["staff"]
[tags.a]
roles = ["a"]
access = "intersect"
[tags.b]
roles = ["b"]
access = "intersect"
[sitemap]
images = true
split_at = {split}
part_size = 5
"""


def traversals() -> list[str]:
    """Ways out of a root, as raw request paths."""
    climbs = (
        "../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "%252e%252e%252f", "%252e%252e/", "..%c0%af",
        "%c0%ae%c0%ae/", "....//", "..;/", "%00../", ".%2e/", "%2e./", "..%00/", "..%ef%bc%8f", "./../",
    )  # fmt: skip
    targets = ("etc/passwd", "waypost.toml", "state/secret.key", "outside.txt", "content/../../outside.txt")
    paths = [f"/{climb * depth}{target}" for climb, depth, target in product(climbs, (1, 2, 5), targets)]
    paths += [f"/docs/{climb * 3}outside.txt" for climb in climbs]
    return [
        *paths,
        "/C:/windows/win.ini", "/c:%5cwindows%5cwin.ini", "//server/share/outside.txt", "/%5c%5cserver%5cshare",
        "/\\\\server\\share", "/proc/self/environ", "//etc/passwd", "/file:///etc/passwd", "/%2fetc%2fpasswd",
        "/outside.txt%00.md", "/.", "/..", "/...", "/.git/config", "/content/secret.md", "/link.txt", "/out/outside.txt",
        "/docs/../../outside.txt", "/~root/outside.txt", "/%7eroot", "/outside.txt::$DATA", "/outside.txt.",
    ]  # fmt: skip


def spelled(row_name: str) -> Iterator[str]:
    """An alias a reserved name could be smuggled in by."""
    wide = str.maketrans({"o": "\u043e", "a": "\u0430", "e": "\u0435", "i": "\u0456", "p": "\u0440"})
    full = "".join(chr(ord(letter) + 0xFEE0) if letter.isalnum() else letter for letter in row_name)
    yield from (row_name, row_name.upper(), row_name.title(), f"/{row_name}", f"{row_name}/", f"//{row_name}//")
    yield from (f"{row_name}.", f"{row_name}...", f" {row_name} ", f"{row_name}\u200b", f"\u2060{row_name}")
    yield from (row_name.translate(wide), full, row_name.replace("s", "\u017f"), f"{row_name}\u00ad")
    yield from ("".join(f"%{ord(letter):02x}" for letter in row_name), f"%{ord(row_name[0]):02X}{row_name[1:]}")
    yield from (f"{row_name}%20", f"%2f{row_name}", f"\\{row_name}", f"{row_name}\\", f"./{row_name}".replace("./", ""))


def collisions() -> list[str]:
    """Aliases that collide with reserved paths."""
    found = []
    for row in RESERVED:
        base = f"page{row.name}" if row.form is Form.SUFFIX else row.name
        found += spelled(base)
        if row.form is Form.FOLDER:
            found += (f"{name}/x" for name in (row.name, row.name.upper(), f"{row.name}/"))
    return found


HOST_LETTERS = "abcxyzABC0189-._~:[]@/\\<>&'\"%#?! \t\r\n\0\u00e4*;,=+$|^`{}"


def random_host(chance: random.Random) -> str:
    """A host, good or bad: a good one with something done to it, or letters at random."""
    if chance.random() < 0.3:
        return "".join(chance.choice(HOST_LETTERS) for _ in range(chance.randrange(1, 24)))
    host = list(
        chance.choice(["example.com", "a-b.example.org:8080", "[2001:db8::1]:90", "10.0.0.1", "xn--bcher-kva.example"])
    )
    for _ in range(chance.randrange(4)):
        host.insert(chance.randrange(len(host) + 1), chance.choice(HOST_LETTERS))
    return "".join(host)


TEXT_LETTERS = "ab &<>'\"]]>\0\x01\x08\x0b\x1f\x7f\x85\u2028\ufffe\uffff\ufeff\u202e\U0001f600\u00e9%/#?"


def random_text(chance: random.Random) -> str:
    """Text as it should not be: markup, control characters, what XML cannot hold."""
    pieces = [chance.choice(TEXT_LETTERS) for _ in range(chance.randrange(1, 20))]
    return "".join([*pieces, *chance.choices(["]]>", "&amp;", "<!--", "<![CDATA[", "\r\n"], k=2)])


def noise(chance: random.Random) -> dict[str, str]:
    """Conditional and range headers without sense."""
    names = ("range", "if_range", "if_none_match", "if_modified_since", "if_match", "if_unmodified_since", "accept",
             "accept_encoding", "te", "cache_control", "expect", "upgrade")  # fmt: skip
    letters = 'W/"*,; -=:.bytes0123456789gzipGMTMonJan\xff'
    return {
        name: "".join(chance.choice(letters) for _ in range(chance.randrange(50)))
        for name in chance.sample(names, chance.randrange(1, 5))
    }
