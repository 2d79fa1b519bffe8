"""Markdown that tries to smuggle a script through: written by a grammar, so that no two lists of it need be kept."""

import random
from collections.abc import Callable, Iterator

CALL = "alert(1)"

TAGS = [
    "a", "abbr", "audio", "base", "blockquote", "body", "button", "del", "custom-x", "details", "div", "embed", "form", "frameset", "iframe", "image", "img", "input", "ins", "link", "marquee",
    "math", "meta", "object", "p", "q", "script", "select", "slot", "style", "svg", "table", "template", "textarea", "title", "video", "xmp",
]  # fmt: skip
HANDLERS = [
    "onerror", "onload", "onclick", "onfocus", "onmouseover", "ontoggle", "onbegin", "onanimationstart", "onpageshow", "onpointerenter", "onbeforetoggle", "onscroll", "oncut",
]  # fmt: skip
URL_PLACES = ["href", "src", "action", "formaction", "data", "xlink:href", "srcdoc", "poster", "background", "srcset", "cite", "ping", "style", "content", "to", "values"]  # fmt: skip
SCHEMES = ["javascript:", "vbscript:", "data:text/html,", "data:image/svg+xml,", "view-source:javascript:", "feed:javascript:", "jar:javascript:"]  # fmt: skip
QUOTES = ['"', "'", "`", ""]
GAPS = [" ", "/", "\t", "\n", "\f", "  ", "/ /", "\u00a0", "\x00"]

ENCODINGS: list[Callable[[str], str]] = [
    str,
    str.upper,
    lambda text: "".join(c.upper() if i % 2 else c for i, c in enumerate(text)),
    lambda text: "".join(f"&#{ord(c)};" for c in text),
    lambda text: "".join(f"&#x{ord(c):x};" for c in text),
    lambda text: "".join(f"&#{ord(c):07d}" for c in text),
    lambda text: text.replace(":", "&colon;").replace("(", "&lpar;").replace(")", "&rpar;"),
    lambda text: "\t".join(text[:4]) + text[4:],
    lambda text: text[:4] + "&NewLine;" + text[4:],
    lambda text: text[:4] + "&Tab;" + text[4:],
    lambda text: "\x01" + text,
    lambda text: " \u2003" + text,
    lambda text: text[:3] + "\x00" + text[3:],
    lambda text: "".join(f"%{ord(c):02x}" for c in text),
    lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    lambda text: text.replace("i", "\u0131").replace("s", "\u017f"),
    lambda text: "\\" + "\\".join(text),
    lambda text: f"//{text}",
]

CONTEXTS = [
    "{}", "word {} word", "> {}", "- {}", "- [x] {}", "1. {}", "**{}**", "~~{}~~", "# {}", "{}\n===", "|{}|\n|-|\n|{}|", "<b>{}</b>", "<div>\n\n{}\n\n</div>", "[{}](b)", "![{}](b)", '[a](b "{}")',
    "<a title='{}'>x</a>", '<img alt="{}">', "<details><summary>{}</summary>\n\n{}\n</details>", "x[^1]\n\n[^1]: {}", "x[^{}]\n\n[^{}]: y", "    {}", "```\n{}\n```", "```{}\nx\n```", "``{}``", "<!-- {} -->", "<!--> {}",
    "<![CDATA[{}]]>", "<?{}?>", "<!X {}>", "\\{}", "&{};", "[r]: {}\n\n[r]", "[r]: <{}> '{}'\n\n![r]", "<math><mtext><style>{}</style></mtext></math>", "<svg><title>{}</title></svg>", "<noscript>{}</noscript>", "<pre lang='{}'>{}</pre>", "http://x/{}", "www.x.example/{}", "{}@x.example",
]  # fmt: skip
"""Where in a text it may stand."""


def vectors(count: int, seed: int = 41) -> Iterator[str]:
    """So many texts, always the same ones; every choice of the grammar comes up again and again."""
    chance = random.Random(seed)
    shapes = [_handler, _url, _link, _broken]
    for number in range(count):
        attack = shapes[number % len(shapes)](chance)
        yield CONTEXTS[number // len(shapes) % len(CONTEXTS)].replace("{}", attack)


def _handler(chance: random.Random) -> str:
    tag, quote, gap = chance.choice(TAGS), chance.choice(QUOTES), chance.choice(GAPS)
    cause = chance.choice(["src=x", "autofocus", "open", "href=x tabindex=1", "style=animation-name:x", ""])
    name = chance.choice(ENCODINGS[:3])(chance.choice(HANDLERS))
    call = chance.choice(ENCODINGS[:7])(CALL)
    return f"<{tag}{gap}{cause} {name}={quote}{call}{quote}>{CALL}{chance.choice([f'</{tag}>', '', '</', f'<{tag}/'])}"


def _url(chance: random.Random) -> str:
    tag, quote, gap = chance.choice(TAGS), chance.choice(QUOTES), chance.choice(GAPS)
    url = chance.choice(ENCODINGS)(chance.choice(SCHEMES) + CALL)
    if chance.random() < 0.3:
        url = chance.choice(SCHEMES[2:4]) + f"<svg onload={CALL}>"
    return f"<{tag}{gap}{chance.choice(URL_PLACES)}={quote}{url}{quote}>x</{tag}>"


def _link(chance: random.Random) -> str:
    url = chance.choice(ENCODINGS)(chance.choice(SCHEMES) + CALL)
    shape = chance.choice(["[x]({})", "[x](<{}>)", "![x]({})", "<{}>", "[x][y]\n\n[y]: {}\n", "[x]({} 'y')", "[![i]({})]({})", "[x](/a '\" onclick={} \"')"])  # fmt: skip
    return shape.replace("{}", url)


def _broken(chance: random.Random) -> str:
    inner = chance.choice([_handler, _url])(chance)
    shape = chance.choice(
        [
            "<scr<script>ipt>{0}</scr</script>ipt>", "<<{0}", "\"'><{0}", "</p></div></main>{0}", "<img title='{0}' alt=\"--><{0}\">", "<style><!--</style>{0}-->", "<svg><style>{0}",
            "<math><annotation-xml encoding='text/html'>{0}", "<textarea></textarea>{0}", "<table><td>{0}", "<a title='</a>{0}'", "`{0}` {0}", "*{0}_*", "\ufeff{0}", "<svg></p><style>{0}</style></svg>", "<b\x00>{0}",
        ]
    )  # fmt: skip
    return shape.replace("{0}", inner)
