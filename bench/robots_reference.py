"""Our answers against those of Google's reference, through its binding `jwm.robotstxt` (a development dependency).

    python -m bench.robots_reference 200000 [seed]      as many random questions; every difference is printed

The only module that imports the binding. The documents are made of the things robots.txt files are made of, right and
wrong; some have many rules of few letters. With ../shared/corpus at hand, its real files are asked about too.
"""

import importlib.util
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.harness import Figure, absent
from waypost.formats.matching import compile_rules, score_of
from waypost.formats.robots import Robots, read_robots

if importlib.util.find_spec("jwm.robotstxt") if importlib.util.find_spec("jwm") else None:
    from jwm.robotstxt import googlebot as _reference
else:  # the binding has no wheel for every machine
    _reference = None

CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus" / "robots"
QUESTIONS = 200_000
DOCUMENTS = 5_000

KEYS = [
    *["User-agent"] * 9, *["Disallow"] * 12, *["Allow"] * 10, "Sitemap", "site-map", "useragent", "user agent", "USER-AGENT", "User-agents",
    "dissallow", "dissalow", "disalow", "diasllow", "disallaw", "Disallowed", "allowing", "alow", "Dis-allow", "User_agent", "disallow\v",
    "Crawl-delay", "Host", "Noindex", "Content-Signal", "", "x", "#", "Disallow#", "\xa0Allow", "Allow\x00", "user-agent allow",
]  # fmt: skip
SEPARATORS = [*[": "] * 9, ":", " :", "\t:\t", "::", " ", "\t", "  ", "\v", " \f", "=", "", ":\x00", "\xa0:"]
AGENTS = [
    "*",
    "*",
    "a",
    "A",
    "b",
    "bot",
    "Bot-x",
    "bot_y",
    "a/1.0",
    "a b",
    "a, b",
    "* x",
    "*x",
    "**",
    "",
    "9",
    "\xe9",
    "bot9",
    "a*",
    "K",
]
PIECES = [
    *"/////abab*$?&=.%#;:", "//", "/a", "/b", "/ab", "/index.html", "/index.htm", "/index.htm*", "index.html", "/*/", "**", "*$", "$$", "%2f", "%2F", "%c3%a9",
    "%C3%A9", "\xc3\xa9", "\xff", "%zz", "%", "%6c", "l", " ", "\t", "\v", "\x1c", "\x85", "\xa0", "\x00", "http://h/", "aaaa", "abcabcabc", "x-y_z~", "long" * 9,
]  # fmt: skip
ENDS = [
    *["\n"] * 8,
    "\r\n",
    "\r",
    "\n\r",
    "\r\n\r\n",
    "\n\n",
    "\v",
    "\x85",
    "\u2028".encode().decode("latin-1"),
    " # c\n",
    "#\r",
    "",
]
STARTS = [*[""] * 8, "\xef\xbb\xbf", "\xef\xbb", "\xef", "\xef\xbb\xbf\xef\xbb\xbf", "\xff\xfe", " ", "\n", "\r"]
HOSTS = [
    *["http://h"] * 5,
    "https://h:8/",
    "//h",
    "h",
    "",
    " http://h",
    "h://",
    "://",
    "http://u:p@h",
    "ftp://h",
    "//h//",
    "a#b",
]


class Question(NamedTuple):
    """A document, a crawler and a URL."""

    body: bytes
    agent: str
    url: str


def _some(rng: random.Random, pieces: list[str], most: int) -> str:
    return "".join(rng.choice(pieces) for _ in range(rng.randint(0, most)))


def _value(rng: random.Random, key: str) -> str:
    if "user" in key.lower():
        return rng.choice(AGENTS)
    return rng.choice(["/", "/", "/", "*", "", " "]) + _some(rng, PIECES, 6)


def document(rng: random.Random) -> bytes:
    """A robots.txt that is right in most places."""
    lines = rng.choice(
        [[], ["User-agent: a\n"], ["User-agent: *\n"], ["user-agent: *\r\n", "User-agent: bot\r\n"]]
    ).copy()
    rows = rng.choice([3, 6, 12, 12, 40, 120])
    for _ in range(rng.randint(0, rows)):
        key = rng.choice(KEYS)
        lines.append(
            rng.choice(["", "", "", " ", "\t\v"]) + key + rng.choice(SEPARATORS) + _value(rng, key) + rng.choice(ENDS)
        )
    if rng.random() < 0.02:
        lines.insert(
            rng.randint(0, len(lines)), "Disallow: /" + "a" * rng.randint(16_640, 16_690) + rng.choice(["", "b"]) + "\n"
        )
    return (rng.choice(STARTS) + "".join(lines)).encode("latin-1")


def crowded(rng: random.Random) -> bytes:
    """Many rules of few letters in one group: chains of prefixes, and enough stars behind one head for an index."""
    letters = rng.choice(["/ab", "/a*", "/abc*", "abcdefgh*/", "aaaab*"])
    rows = []
    for _ in range(rng.randint(40, 160)):
        head = rng.choice(["/", "/", "/*", "/a", "*"])
        pattern = (
            head
            + "".join(rng.choice(letters) for _ in range(rng.randint(0, 9)))
            + rng.choice(["", "", "", "$", "*", "*$"])
        )
        rows.append(f"{rng.choice(['Allow', 'Disallow'])}: {pattern}\n")
    return ("User-agent: *\nUser-agent: a\n" + "".join(rows)).encode()


def _url(rng: random.Random, body: bytes) -> str:
    """A URL, often one made from a pattern of the document so that rules meet."""
    path = _some(rng, PIECES, 8)
    lines = body.decode("latin-1").replace("\r", "\n").split("\n")
    if rng.random() < 0.7:
        value = rng.choice(lines).partition(":")[2].strip()
        path = value.replace("*", rng.choice(["", "a", "/x", "*"])).rstrip("$") + rng.choice(["", "", "/", "a", "?a"])
    return rng.choice(HOSTS) + rng.choice(["", "", "/"]) + path


def questions(seed: int) -> Iterator[Question]:
    """Random questions without end, the same for the same seed; several about each document."""
    rng = random.Random(seed)
    while True:
        body = document(rng) if rng.random() < 0.7 else crowded(rng)
        for _ in range(8):
            yield Question(
                body,
                rng.choice(["a", "A", "b", "bot", "BOT-X", "bot_y", "c", "*", "", "bot9", "a/1.0", "é", "\u212a"]),
                _url(rng, body),
            )


def count_events(body: bytes) -> int:
    """Let the reference read a document and call us for every line, as a parser made of it would; the calls."""
    count = 0

    class Events(_reference.RobotsParseHandler):
        def _event(self, *_: object) -> None:
            nonlocal count
            count += 1

        HandleRobotsStart = HandleRobotsEnd = HandleUserAgent = HandleAllow = HandleDisallow = _event
        HandleSitemap = HandleUnknownAction = ReportLineMetadata = _event

    _reference.ParseRobotsTxt(body, Events())
    return count


Event = tuple[int, str, str]
"""A line's number, what it is (a canonical key, `unknown` or `missing colon`), and the value if it is a Sitemap."""


def reference_events(body: bytes) -> list[Event]:
    """What the reference calls its handler for: line, key, and the value of Sitemap lines; who misses a colon, too."""
    events: list[Event] = []

    def tell(key: str) -> Any:
        return lambda _, line, *values: events.append((line, key, values[-1] if key == "sitemap" else ""))

    def tell_of_colons(_: object, line: int, metadata: Any) -> None:
        if metadata.is_missing_colon_separator:
            events.append((line, "missing colon", ""))

    class Events(_reference.RobotsParseHandler):
        HandleRobotsStart = HandleRobotsEnd = lambda _: None
        HandleUserAgent, HandleAllow, HandleDisallow = tell("user-agent"), tell("allow"), tell("disallow")
        HandleSitemap, HandleUnknownAction, ReportLineMetadata = tell("sitemap"), tell("unknown"), tell_of_colons

    _reference.ParseRobotsTxt(body, Events())
    return sorted(events)


def our_events(body: bytes) -> list[Event]:
    """The same from our typed lines."""
    known = {"user-agent", "allow", "disallow", "sitemap"}
    events: list[Event] = []
    for line in read_robots(body, limit=None).lines:
        if line.key:
            kind = line.kind.value if line.kind in known else "unknown"
            events.append((line.number, kind, line.value if kind == "sitemap" else ""))
        if line.is_missing_colon:
            events.append((line.number, "missing colon", ""))
    return sorted(events)


def event_differences(count: int, seed: int = 1) -> Iterator[bytes]:
    """Random documents whose lines the reference understands differently; its binding takes only UTF-8."""
    rng = random.Random(seed)
    for _ in range(count):
        body = document(rng).decode("latin-1").encode("ascii", "ignore") if rng.random() < 0.5 else document(rng)
        try:
            wanted = reference_events(body)
        except UnicodeDecodeError:
            continue
        if our_events(body) != wanted:
            yield body


class Reference:
    """Google's own answer and line, one question at a time."""

    def __init__(self) -> None:
        if _reference is None:
            raise LookupError("jwm.robotstxt is not installed")
        self.matcher: Any = _reference.RobotsMatcher()

    def ask(self, question: Question) -> tuple[bool, int]:
        """Whether the URL is allowed, and the deciding line."""
        allowed = self.matcher.OneAgentAllowedByRobots(question.body, question.agent, question.url)
        return bool(allowed), int(self.matcher.matching_line())


def is_here() -> bool:
    """Say whether the reference's binding is installed."""
    return _reference is not None


def ours(robots: Robots, question: Question) -> set[tuple[bool, int]]:
    """Our answers, taken in every way there is; there should be one."""
    verdict = robots.explain(question.agent, question.url)
    rules = robots.patterns(question.agent)
    path = robots.path(question.url)
    answers = {
        robots.allowed(question.agent, question.url),
        verdict.allowed,
        bool(compile_rules(rules)(path) & 1),
        bool(score_of(rules, path) & 1),
    }
    return {(answer, verdict.line) for answer in answers}


def differences(count: int, seed: int = 1) -> Iterator[tuple[Question, tuple[bool, int], set[tuple[bool, int]]]]:
    """The questions of a round that are answered differently, with both answers."""
    reference = Reference()
    last, robots = b"", read_robots(b"", limit=None)
    stream = questions(seed)
    for _ in range(count):
        question = next(stream)
        if question.body != last:
            last, robots = question.body, read_robots(question.body, limit=None)
        theirs, mine = reference.ask(question), ours(robots, question)
        if mine != {theirs}:
            yield question, theirs, mine


def corpus_questions() -> Iterator[Question]:
    """Questions about the real files of ../shared/corpus: every agent they name, paths made from all their patterns."""
    for path in sorted(CORPUS.glob("*.txt")):
        body = path.read_bytes()
        robots = read_robots(body, limit=None)
        agents = {agent for group in robots.groups for agent in group.agents} | {"Googlebot", "somebody"}
        values = {line.value for line in robots.lines if line.is_rule} | {"/", "/index.html", "/a/b.css?c=1"}
        for agent in sorted(agents):
            for value in sorted(values):
                path_ = value.replace("*", "x").rstrip("$")
                yield from (Question(body, agent, f"https://h.test{path_}{end}") for end in ("", "x"))


def corpus_differences() -> tuple[int, list[Question]]:
    """How many questions about the real files there are, and those answered differently."""
    reference, count, wrong = Reference(), 0, []
    last, robots = b"", read_robots(b"", limit=None)
    for question in corpus_questions():
        if question.body != last:
            last, robots = question.body, read_robots(question.body, limit=None)
        count += 1
        if ours(robots, question) != {reference.ask(question)}:
            wrong.append(question)
    return count, wrong


def figures() -> list[Figure]:
    """The rows of part A about agreement with the reference."""
    must = "100 % of the cases"
    if not is_here():
        return [absent("A", "robots: differences to Google's reference", must, "jwm.robotstxt")]
    wrong = sum(1 for _ in differences(QUESTIONS, 20_260_101))
    rows = [
        Figure(
            "A", "robots: differences to Google's reference, random questions", f"{wrong} of {QUESTIONS:,}", must, "0 of 200,000",
            wrong == 0, "every question by four ways to ask, lines compared too; more: python -m bench.robots_reference COUNT",
        ),
    ]  # fmt: skip
    strange = sum(1 for _ in event_differences(DOCUMENTS, 20_260_101))
    name = "robots: lines understood differently by the reference, random documents"
    rows.append(
        Figure(
            "A", name, f"{strange} of {DOCUMENTS:,}", must, "0", strange == 0, "keys, Sitemap values, missing colons"
        )
    )
    if CORPUS.is_dir():
        count, different = corpus_differences()
        rows.append(
            Figure(
                "A",
                "robots: differences to Google's reference, corpus",
                f"{len(different)} of {count:,}",
                must,
                "0",
                not different,
                "72 real files",
            )
        )
    return rows


def main() -> int:
    """Ask as many questions as the command line says."""
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    found = 0
    for question, theirs, mine in differences(count, seed):
        found += 1
        print(f"reference {theirs}, ours {sorted(mine)}: {question}")
    print(f"{count:,} questions with seed {seed}: {found} differences")
    return int(found > 0)


if __name__ == "__main__":
    raise SystemExit(main())
