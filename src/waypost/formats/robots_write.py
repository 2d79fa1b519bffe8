"""Write a robots.txt that reads back as what was meant, or refuse.

What is written parses back to the same rules for every crawler. A value that would break out of its line, be cut short
by the reader, or match nothing is a `WriteError`; so is a rule that would tell where the administration lives.
"""

import re
from collections.abc import Iterable, Iterator

from waypost.errors import WriteError
from waypost.formats.robots import Robots
from waypost.formats.robots_groups import Extra, Group, Rule
from waypost.formats.robots_lines import GROUP_FIELDS, RULES, LineKind, kind_of_key
from waypost.urls import url_fault

__all__ = ["write_robots"]

_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_KEY = re.compile(r"[A-Za-z][A-Za-z-]*")
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff#]")
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")


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
        urls = [*(url for url in source.sitemaps if _is_plain(url)), *urls]
        source = _writable(source)
    blocks = ["".join(_block(group)) for group in source]
    if urls:
        blocks.append("".join(f"Sitemap: {url}\n" for url in urls))
    text = "\n".join(blocks)
    for secret in secrets:
        _refuse_disclosure(text, secret)
    return text.encode()


def _block(group: Group) -> Iterator[str]:
    if not group.agents:
        raise WriteError("A robots.txt group must name at least one agent, or * for all of them.")
    for agent in group.agents:
        if not _TOKEN.fullmatch(agent):
            raise WriteError(f"{agent!r} is no product token: letters, - and _ only, or * for every crawler.")
        yield f"User-agent: {agent}\n"
    for extra in group.extras:
        yield _extra_line(extra)
    for rule in group.rules:
        yield _rule_line(rule)
    if not group.rules:
        yield "Disallow:\n"  # without a rule the group would share those of the next one


def _rule_line(rule: Rule) -> str:
    key = "Allow" if rule.allow else "Disallow"
    if not rule.pattern:
        return f"{key}:\n"
    _refuse_unplain(rule.pattern, f"The {key} value")
    if not rule.pattern.startswith(("/", "*")):
        raise WriteError(f"The {key} value {rule.pattern!r} begins with neither / nor *: no URL would match it.")
    return f"{key}: {_escaped(rule.pattern)}\n"


def _extra_line(extra: Extra) -> str:
    if not _KEY.fullmatch(extra.key):
        raise WriteError(f"{extra.key!r} cannot be the name of a robots.txt field: letters and - only.")
    kind, _ = kind_of_key(extra.key)
    if kind in RULES | {LineKind.AGENT, LineKind.SITEMAP}:
        raise WriteError(f"{extra.key} lines are written from agents, rules and sitemaps, not from extras.")
    _refuse_unplain(extra.value, f"The {extra.key} value")
    return f"{extra.key}: {extra.value}\n"


def _is_plain(value: str) -> bool:
    return bool(value) and not _UNWRITABLE.search(value) and value == value.strip()


def _refuse_unplain(value: str, what: str) -> None:
    if value and not _is_plain(value):
        raise WriteError(f"{what} {value!r} has a character that would end or change its line; escape it with %.")


def _refuse_sitemap(url: str) -> None:
    fault = url_fault(url)
    if fault is not None or not _is_plain(url):
        why = fault.value if fault else "has a character that would end or change its line"
        raise WriteError(f"The Sitemap value {url!r} {why}; write the whole URL, escaped.")


def _escaped(pattern: str) -> str:
    """Non-ASCII characters as the escapes they are compared as."""
    return pattern if pattern.isascii() else re.sub("[^\x00-\x7f]+", _escape, pattern)


def _escape(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def _refuse_disclosure(text: str, secret: str) -> None:
    """Refuse a text that has the path in it, escaped or not, as a whole or as the beginning of a longer path."""
    plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text).casefold()
    wanted = "/" + _ESCAPE.sub(lambda found: chr(int(found[1], 16)), secret).casefold().strip("/")
    if wanted != "/" and re.search(re.escape(wanted) + r"(?![\w-])", plain):
        raise WriteError("A line would tell everybody the path of the administration; leave it out, it needs no rule.")


def _writable(robots: Robots) -> list[Group]:
    """The groups of a document without what cannot be written again."""
    kept = []
    for group in robots.groups:
        rules = tuple(rule for rule in group.rules if not rule.pattern or _can_match(rule.pattern))
        extras = tuple(
            extra
            for extra in group.extras
            if _is_plain(extra.value) and _KEY.fullmatch(extra.key) and kind_of_key(extra.key)[0] in GROUP_FIELDS
        )
        if group.agents:
            kept.append(Group(group.agents, rules, extras))
    return kept


def _can_match(pattern: str) -> bool:
    return pattern.startswith(("/", "*")) and _is_plain(pattern)
