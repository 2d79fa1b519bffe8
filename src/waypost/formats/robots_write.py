"""Write a robots.txt that reads back as what was meant, or refuse.

What is written parses back to the same rules for every crawler. A value that would break out of its line, be cut short
by the reader, or match nothing is a `WriteError`; so is a rule that would tell where the administration lives.
"""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from waypost.errors import WriteError
from waypost.formats.robots import Robots
from waypost.formats.robots_groups import Extra, Group, Rule
from waypost.formats.robots_lines import RULES, LineKind, kind_of_key
from waypost.limits import ROBOTS_LINE_BYTES_MAX
from waypost.urls import url_fault

__all__ = ["write_robots"]

_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_KEY = re.compile(r"[A-Za-z][A-Za-z-]*")
_NON_ASCII = re.compile("[^\x00-\x7f\ud800-\udfff]+")
_UNSAFE = re.compile(r"(?![\x00-\x7f])(?:\s|[\x80-\x9f])+")
"""What stands for a blank or the end of a line somewhere."""
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff#]")


def write_robots(
    source: Robots | Iterable[Group], *, sitemaps: Iterable[str] = (), secrets: Iterable[str] = ()
) -> bytes:
    r"""The bytes of a robots.txt: the groups in their order, then the sitemaps.

    From a `Robots`, what it can say in writing is kept: rules that match no URL, unusable agents and unknown fields go.
    `secrets` are paths that must not be disclosed, the administration's for example.

    >>> write_robots([Group(("*",), (Rule(False, "/cart"),))])
    b'User-agent: *\nDisallow: /cart\n'
    """
    urls = list(sitemaps)
    for url in urls:
        _refuse_sitemap(url)
    if isinstance(source, Robots):
        urls = [*(url for url in source.sitemaps if _can_write("Sitemap", url)), *urls]
        source = _writable(source)
    blocks = ["".join(_block(group)) for group in source]
    if urls:
        blocks.append("".join(_line("Sitemap", url) for url in urls))
    text = "\n".join(blocks)
    for secret in secrets:
        _refuse_disclosure(text, secret)
    return text.encode()


def _line(key: str, value: str) -> str:
    if not value:
        return f"{key}:\n"
    if _UNWRITABLE.search(value) or value != value.strip():
        raise WriteError(
            f"The {key} value {value!r} has a character that would end or change its line; escape it with %."
        )
    line = f"{key}: {value}"
    if len(line.encode()) > ROBOTS_LINE_BYTES_MAX:
        raise WriteError(
            f"The {key} value {value[:40]!r}… is longer than crawlers read a line: {ROBOTS_LINE_BYTES_MAX:,} bytes."
        )
    return line + "\n"


def _can_write(key: str, value: str) -> bool:
    try:
        _line(key, value)
    except WriteError:
        return False
    return bool(value)


def _block(group: Group) -> Iterator[str]:
    if not group.agents:
        raise WriteError("A robots.txt group must name at least one agent, or * for all of them.")
    for agent in group.agents:
        if not _TOKEN.fullmatch(agent):
            raise WriteError(f"{agent!r} is no product token: letters, - and _ only, or * for every crawler.")
        yield _line("User-agent", agent)
    for extra in group.extras:
        yield _extra_line(extra)
    for rule in group.rules:
        yield _rule_line(rule)
    if not group.rules:
        yield "Disallow:\n"  # without a rule the group would share those of the next one


def _key_of(rule: Rule) -> str:
    return "Allow" if rule.allow else "Disallow"


def _rule_line(rule: Rule) -> str:
    key = _key_of(rule)
    if rule.pattern and not rule.pattern.startswith(("/", "*")):
        raise WriteError(f"The {key} value {rule.pattern!r} begins with neither / nor *: no URL would match it.")
    return _line(key, _escaped(key, rule.pattern))


def _extra_line(extra: Extra) -> str:
    if not _KEY.fullmatch(extra.key):
        raise WriteError(f"{extra.key!r} cannot be the name of a robots.txt field: letters and - only.")
    kind, _ = kind_of_key(extra.key)
    if kind in RULES | {LineKind.AGENT, LineKind.SITEMAP}:
        raise WriteError(f"{extra.key} lines are written from agents, rules and sitemaps, not from extras.")
    return _line(extra.key, extra.value)


def _refuse_sitemap(url: str) -> None:
    if fault := url_fault(url):
        raise WriteError(f"The Sitemap value {url!r} {fault.value}; write the whole URL, escaped.")


def _escaped(key: str, pattern: str) -> str:
    """Characters over ASCII as the escapes they are compared as; what cannot be written stays, to be refused.

    Where the line would be too long with them, only those that are no blank anywhere stay as they are.
    """
    escaped = _NON_ASCII.sub(_escape, pattern)
    is_short = len(f"{key}: {escaped}") <= ROBOTS_LINE_BYTES_MAX
    return escaped if is_short else _UNSAFE.sub(_escape, pattern)


def _escape(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def _refuse_disclosure(text: str, secret: str) -> None:
    """Refuse a text that has the path in it, escaped or not, as a whole or as the beginning of a longer path."""
    wanted = "/" + unquote(secret).casefold().strip("/")
    behind = [part[:1] for part in unquote(text).casefold().split(wanted)[1:]]
    if wanted != "/" and any(not (character.isalnum() or character in {"-", "_"}) for character in behind):
        raise WriteError("A line would tell everybody the path of the administration; leave it out, it needs no rule.")


def _writable(robots: Robots) -> list[Group]:
    """The groups of a document without what cannot be written again."""
    kept = []
    for group in robots.groups:
        agents = tuple(agent for agent in group.agents if _can_write("User-agent", agent))
        rules = tuple(rule for rule in group.rules if not rule.pattern or _can_match(rule))
        extras = tuple(extra for extra in group.extras if _can_write(extra.key, extra.value))
        if agents:
            kept.append(Group(agents, rules, extras))
    return kept


def _can_match(rule: Rule) -> bool:
    key = _key_of(rule)
    return rule.pattern.startswith(("/", "*")) and _can_write(key, _escaped(key, rule.pattern))
