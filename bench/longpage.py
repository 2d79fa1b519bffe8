"""A long page as people write them: prose with links and emphasis, and of everything else that Markdown has some."""

import random

__all__ = ["SIZE", "long_page"]

SIZE = 50_000
WORDS = [
    "press", "paper", "ink", "type", "margin", "*column*", "letter", "proof", "page", "line", "measure", "grid", "**set**", "in", "the",
    "old", "way", "by", "hand", "with", "care", "and", "`lead`", "again", "until", "evening", "came", "to", "Ghent", "at", "last", "it's",
    "well", "~~worn~~", "or", '"new"', "&", "both", "a", "of", "for", "is", "as", "was", "we", "they", "had", "only", "one",
]  # fmt: skip
LINKS = (
    "[a page]({other}.md)", "[its part]({other}.md#part-3)", "[the same](../{other}.md)", "[from the top](/{other})", "[above](#part-2)",
    "[*another*]({other})", "[folder](./)", '[host](https://example.org/a?b=1&c=2 "With a title")', "https://example.org/{other}",
    "![A picture](img/a.png)", "[reference][one]", "<someone@example.org>", "[missing](not-there.md)", "a note[^{note}]",
)  # fmt: skip
CODE = (
    '```python\n@cache\ndef call(a: int = 1, *, name: str = "") -> str:\n    """Say."""\n    return f"{a}" if a > 10 else None  # why\n```',
    '```sh\n# install, and look\npip install --upgrade waypost\nfor page in *.md; do echo "$page"; done\n```',
    '```html\n<!-- a page -->\n<nav class="top"><a href="/a?b=1&amp;c=2">A</a></nav>\n<img src="a.png" alt="">\n```',
    '```toml\n[site]\ntitle = "Bench"  # its name\nnumbers = [1, 2, 3]\nclosed = false\n```',
    "```javascript\nconst found = pages.filter((page) => page.path.startsWith(`/a`));\n// and so on\nreturn found.length > 1 ? found[0] : null;\n```",
)
TABLES = (
    "| name | value | is |\n|---|--:|---|\n" + "| `a` | 12 | what *it* says |\n" * 6,
    "| page | what for |\n|:--|:-:|\n" + "| [one]({other}.md) | **bold** & plain |\n" * 4,
)
OTHERS = (
    "- one thing\n- [x] another, done\n- [ ] a third, [which links]({other}.md#part-3)\n  - with one below\n  - and `one` more",
    "1. first\n2. then **this**\n3. and at last\n\n   a paragraph of its own",
    "> Quoted, with *care*,\n> and a [link]({other}.md).",
    "---",
)
RAW = '<details><summary>More</summary>\n\nHidden <kbd>K</kbd>, and <a href="page-3.md">a link</a>.\n\n</details>'
_FIRST, _LAST = (
    "# A long page",
    "[one]: page-1.md 'The first'\n\n[^1]: A note.\n[^2]: Another, with a [link](page-2.md).",
)


def long_page(size: int = SIZE, *, paragraphs: int = 2, with_raw_html: bool = False) -> str:
    """So many bytes of Markdown, always the same; after so many paragraphs comes a table, code, a list or the like."""
    chance = random.Random(1)
    parts, length, number = [_FIRST, *([RAW] if with_raw_html else ())], 0, 0
    while True:
        part = _part(chance, number, paragraphs)
        length += len(part) + 2
        if length + len(_FIRST) + len(RAW) + len(_LAST) + 8 > size:
            return "\n\n".join([*parts, _LAST])
        parts.append(part)
        number += 1


def _part(chance: random.Random, number: int, paragraphs: int) -> str:
    """A heading, some paragraphs, and something that is none."""
    kind = (CODE, OTHERS, TABLES, OTHERS)[number % 4]
    blocks = [
        f"##{'#' * (number % 3 == 2)} Part {number}",
        *(_paragraph(chance) for _ in range(paragraphs + number % 2)),
    ]
    blocks.append(kind[number // 4 % len(kind)])
    return "\n\n".join(blocks).replace("{other}", f"page-{number}").replace("{note}", str(1 + number % 2))


def _paragraph(chance: random.Random) -> str:
    words = [*chance.choices(WORDS, k=60), chance.choice(LINKS)]
    chance.shuffle(words)
    return f"{' '.join(words)}."
