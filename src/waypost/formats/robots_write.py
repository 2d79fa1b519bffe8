"""Write a robots.txt that reads back as what was meant, or refuse.

What is written parses back to the same rules for every crawler. A value that would break out of its line, be cut short
by the reader, or match nothing is a `WriteError`; so is a rule that would tell where the administration lives.
"""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from waypost.errors import WriteError
from waypost.formats.robots import Robots
from waypost.formats.robots_groups import Extra, Group, Rule, agent_name, members_of
from waypost.formats.robots_lines import RULES, Line, LineKind, kind_of_key
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
        blocks = ["".join(block) for block in map(_block_again, members_of(source.lines)) if block]
    else:
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


def _block(group: Group) -> list[str]:
    if not group.agents:
        raise WriteError("A robots.txt group must name at least one agent, or * for all of them.")
    for agent in group.agents:
        if not _TOKEN.fullmatch(agent):
            raise WriteError(f"{agent!r} is no product token: letters, - and _ only, or * for every crawler.")
    header = [*(_line("User-agent", agent) for agent in group.agents), *map(_extra_line, group.extras)]
    return _with_rules(header, group.rules)


def _with_rules(header: list[str], rules: Sequence[Rule]) -> list[str]:
    # Without a rule the group would share those of the next one.
    return [*header, *(map(_rule_line, rules) if rules else ["Disallow:\n"])]


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


def _block_again(members: Sequence[Line]) -> list[str]:
    """The lines of a group that was read, without what cannot be written; none where it names nobody.

    What stands between two agents is said to the upper one alone, and stays there.
    """
    agents: set[str] = set()
    header: list[str] = []
    rules = [Rule(line.kind is LineKind.ALLOW, line.value) for line in members if line.is_rule]
    for line in members:
        if line.kind is LineKind.AGENT:
            name = agent_name(line.value)
            if name not in agents and _can_write("User-agent", name):
                agents.add(name)
                header.append(_line("User-agent", name))
        elif agents and not line.is_rule and _can_write(line.key, line.value):
            header.append(_line(line.key, line.value))
    return _with_rules(header, [rule for rule in rules if not rule.pattern or _can_match(rule)]) if agents else []


def _can_match(rule: Rule) -> bool:
    key = _key_of(rule)
    return rule.pattern.startswith(("/", "*")) and _can_write(key, _escaped(key, rule.pattern))
