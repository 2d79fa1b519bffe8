"""A second robots.txt reader, written as plainly as possible: one byte, one line, one rule at a time.

It knows nothing of the tables, the index and the expressions of the real one, so an error would have to be made twice.
"""

from typing import NamedTuple

BLANKS = " \t\v\f\r"
AGENT_KEYS = ("user-agent", "useragent", "user agent")
DISALLOW_KEYS = ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")


class Rule(NamedTuple):
    tokens: frozenset[str]
    allow: bool
    pattern: str
    line: int


def lines_of(data: bytes, longest: int | None) -> list[str]:
    """The lines as Google's reader sees them, each up to its NUL and its longest length."""
    text = data.decode("latin-1")
    for mark in ("\xef\xbb\xbf", "\xef\xbb", "\xef"):
        if text.startswith(mark):
            text = text[len(mark) :]
            break
    lines, current, after_cr = [], "", False
    for character in text:
        if character == "\n" and after_cr and not current:
            after_cr = False
        elif character in "\r\n":
            lines.append(current)
            current, after_cr = "", character == "\r"
        else:
            current += character
    return [line[:longest].split("\0")[0] for line in [*lines, current]]


def key_and_value(line: str) -> tuple[str, str] | None:
    line = line.split("#", maxsplit=1)[0].strip(BLANKS)
    if ":" in line:
        key, value = line.split(":", 1)
    else:
        words = [word for word in line.replace("\t", " ").split(" ") if word]
        if len(words) != 2:
            return None
        key, value = words
    key = key.strip(BLANKS)
    return (key, value.strip(BLANKS)) if key else None


def token_of(value: str) -> str:
    if value[:1] == "*" and (len(value) == 1 or value[1] in BLANKS):
        return "*"
    token = ""
    for character in value:
        if not ("a" <= character.lower() <= "z" and character.isascii()) and character not in "_-":
            break
        token += character.lower()
    return token


def escaped(value: str) -> str:
    done, at = "", 0
    while at < len(value):
        three = value[at : at + 3]
        if three[0] == "%" and len(three) == 3 and all(digit in "0123456789abcdefABCDEF" for digit in three[1:]):
            done, at = done + three.upper(), at + 3
        else:
            done, at = done + (f"%{ord(value[at]):02X}" if value[at] >= "\x80" else value[at]), at + 1
    return done


def rules_of(data: bytes, longest: int | None = 16_663) -> tuple[list[Rule], set[str]]:
    """All rules with the tokens they are said to, and all tokens that are named."""
    rules: list[Rule] = []
    named: set[str] = set()
    tokens: set[str] = set()
    is_open = False
    for number, line in enumerate(lines_of(data, longest), 1):
        pair = key_and_value(line)
        key = "".join(letter.lower() if letter.isascii() else letter for letter in pair[0]) if pair else ""
        if pair and key.startswith(AGENT_KEYS):
            tokens = tokens if is_open else set()
            is_open = True
            tokens.add(token_of(pair[1]))
            named |= tokens
        elif pair and key.startswith(("allow", *DISALLOW_KEYS)) and tokens:
            is_open = False
            rules.append(Rule(frozenset(tokens), key.startswith("allow"), escaped(pair[1]), number))
    return rules, named


def matches(pattern: str, path: str) -> bool:
    """Every place of the path that the pattern so far may have reached, as the reference does it."""
    places = {0}
    for at, character in enumerate(pattern):
        if character == "$" and at == len(pattern) - 1:
            return len(path) in places
        if character == "*":
            places = set(range(min(places), len(path) + 1))
        else:
            places = {place + 1 for place in places if place < len(path) and path[place] == character}
        if not places:
            return False
    return True


def path_of(url: str) -> str:
    start = 2 if url.startswith("//") else 0
    ends = [place for place in (url.find(character, start) for character in "/?;") if place >= 0]
    scheme = url.find("://", start)
    if scheme >= 0 and not (ends and min(ends) < scheme):
        start = scheme + 3
    ends = [place for place in (url.find(character, start) for character in "/?;") if place >= 0]
    hash_at = url.find("#", 2 if url.startswith("//") else 0)
    if not ends or 0 <= hash_at < min(ends):
        return "/"
    path = url[min(ends) : hash_at if hash_at >= 0 else len(url)].split("\0", maxsplit=1)[0]
    return path if path.startswith("/") else "/" + path


UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"


def plain(octets: bytes) -> str:
    """RFC 9309 section 2.2.2: escapes of unreserved characters undone, octets outside ASCII escaped."""
    text = escaped(octets.decode("latin-1"))
    for character in UNRESERVED:
        text = text.replace(f"%{ord(character):02X}", "\0" + character)  # the NUL keeps it from completing an escape
    return text.replace("\0", "")


def rfc_answer(data: bytes, agent: str, url: str) -> bool:
    """The answer of RFC 9309: the longest of the normalised rules, /robots.txt itself always allowed."""
    rules, named = rules_of(data, None)
    token = agent.lower() if agent.isascii() else agent
    token = token if token in named and token != "*" else "*"
    path = plain(path_of(url).encode("utf-8", "surrogatepass")).replace("*", "%2A").replace("$", "%24")
    best = {True: 0, False: 0}
    for rule in rules:
        pattern = plain(rule.pattern.encode("latin-1"))
        pattern = pattern[:-1].replace("$", "%24") + pattern[-1:]
        if token in rule.tokens and matches(pattern, path):
            best[rule.allow] = max(best[rule.allow], len(pattern))
    return path == "/robots.txt" or best[True] >= best[False]


def answer(data: bytes, agent: str, url: str) -> tuple[bool, int]:
    """Google's answer: whether the URL is allowed, and the deciding line."""
    rules, named = rules_of(data)
    token = agent.lower() if agent.isascii() else agent
    token = token if token in named and token != "*" else "*"
    path = path_of(url)
    best = {True: (-1, 0), False: (-1, 0)}
    for rule in rules:
        if token not in rule.tokens:
            continue
        patterns = [rule.pattern]
        head, slash, last = rule.pattern.rpartition("/")
        if rule.allow and slash and last.startswith("index.htm"):
            patterns.append(head + "/$")
        for pattern in patterns:
            if matches(pattern, path) and len(pattern) > best[rule.allow][0]:
                best[rule.allow] = (len(pattern), rule.line)
    allow, disallow = best[True], best[False]
    return disallow[0] <= max(allow[0], 0), disallow[1] if disallow[0] > allow[0] else allow[1]
