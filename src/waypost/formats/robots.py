"""robots.txt as crawlers read it: bytes in, answers out.

`google` answers exactly as Google's C++ reference does; `rfc` as RFC 9309 where the two differ:

    point                                       google                  rfc
    `%6C` and `l`, `%2f` and `%2F` in a URL      different               equal
    raw UTF-8 in a URL                           matches nothing         is its escapes
    `%2A` and `%24` in a rule                    only that spelling      a literal `*` and `$`
    `Allow: /d/index.html` opens `/d/`           yes                     no
    a line over 16,663 bytes                     is cut                  is read
    /robots.txt itself                           by the rules            always allowed
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from waypost.formats.matching import Pattern, Ruleset
from waypost.formats.notes import Note, Notes
from waypost.formats.octets import Octets, octets
from waypost.formats.robots_agents import IGNORE_STAR, ascii_lower, product_token
from waypost.formats.robots_dead import DeadRule, dead_rules
from waypost.formats.robots_explain import Explainer
from waypost.formats.robots_extras import (
    CleanParam,
    RequestRate,
    clean_params,
    content_signals,
    content_usage,
    crawl_delay,
    request_rate,
)
from waypost.formats.robots_groups import Extra, Group, Rule, groups_of, lines_for
from waypost.formats.robots_lines import Line, LineKind, read_lines
from waypost.formats.robots_notes import is_binary, is_markup, note_document, note_lines
from waypost.formats.robots_pattern import PATH_OF, Profile
from waypost.formats.robots_rules import candidates_in, patterns_in
from waypost.formats.robots_text import EVERYBODY, Index, Section, cut_to_limit, index_text, line_at, plain_text, utf8
from waypost.formats.robots_verdict import NearMiss, Reason, Verdict
from waypost.limits import ROBOTS_AGENTS_KEPT, ROBOTS_BYTES_DEFAULT, ROBOTS_LINE_BYTES_MAX, ROBOTS_TRIES_MAX
from waypost.urls import absolute

__all__ = [
    "Agent", "Extra", "Group", "Line", "LineKind", "NearMiss", "Profile", "Reason", "Robots", "Rule", "SitemapUrl",
    "Verdict", "read_robots",
]  # fmt: skip

Agent = str | Sequence[str]
"""A product token, or several with the most specific first, of which the first that has a group counts."""


class SitemapUrl(NamedTuple):
    """A Sitemap line resolved: the absolute URL, its line, and the value as it is written."""

    url: str
    line: int
    raw: str


class Robots:
    """One robots.txt. Ask it (`allowed`, `allowed_many`, `explain`) or look at it (`groups`, `lines`, `notes`, …)."""

    def __init__(
        self,
        data: bytes,
        *,
        url: str | None = None,
        limit: int | None = ROBOTS_BYTES_DEFAULT,
        profile: Profile = Profile.GOOGLE,
        google_special: bool = False,
    ) -> None:
        self.url = url
        self.profile = profile
        self.google_special = google_special
        self.bytes = len(data)
        self.truncated = limit is not None and len(data) > limit
        self._data = cut_to_limit(data, limit)
        self._read()

    def _read(self) -> None:
        self.path = PATH_OF[self.profile]
        """The part of a URL that rules are compared with, spelled as this profile compares it."""
        self._open_path = "/robots.txt" if self.profile is Profile.RFC else None
        """What no rule can forbid."""
        self._text = plain_text(self._data, self._line_bytes_max)
        self._index: Index = index_text(self._text)
        self._rulesets: dict[str | None, Ruleset] = {}
        self._asked: dict[Agent, Ruleset] = {}

    def __getstate__(self) -> dict[str, object]:
        """Pickle the bytes and the settings; everything else is read again."""
        names = ("url", "profile", "google_special", "bytes", "truncated", "_data")
        return {name: getattr(self, name) for name in names}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._read()

    def __repr__(self) -> str:
        return f"<Robots {self.url or ''} {self.bytes:,} bytes, {len(self._index.sections)} groups>"

    @property
    def _line_bytes_max(self) -> int | None:
        return ROBOTS_LINE_BYTES_MAX if self.profile is Profile.GOOGLE else None

    token = staticmethod(product_token)
    """The product token of a full User-Agent header, to ask with."""

    # --- answers ------------------------------------------------------------------------------------------------

    def allowed(self, agent: Agent, url: str) -> bool:
        """Say whether the crawler may fetch the URL.

        The agent is a product token (`Googlebot`), or several with the most specific first. A full User-Agent header
        is not a token: take `product_token()` of it.
        """
        path = self.path(url)
        try:
            rules = self._asked[agent]
        except (KeyError, TypeError):
            rules = self._rules_for(agent)
        return bool(rules.score(path) & 1) or path == self._open_path

    def allowed_many(self, agent: Agent, urls: Iterable[str]) -> list[bool]:
        """The answers for many URLs at once."""
        rules, path_of = self._rules_for(agent), self.path
        open_path = self._open_path
        paths = [path_of(url) for url in urls]
        return [bool(rules.score(path) & 1) or path == open_path for path in paths]

    def explain(self, agent: Agent, url: str) -> Verdict:
        """The answer with its evidence: the deciding line, the group, what nearly decided."""
        path = self.path(url)
        if path == self._open_path:
            return Verdict(True, reason=Reason.ROBOTS_TXT)
        return self._explainer(agent).explain(path)

    def explain_many(self, agent: Agent, urls: Iterable[str]) -> list[Verdict]:
        """The deciding lines for many URLs at once; near misses are left to `explain`."""
        rules, explainer, path_of = self._rules_for(agent), self._explainer(agent), self.path
        open_path = self._open_path
        always = Verdict(True, reason=Reason.ROBOTS_TXT)
        paths = [path_of(url) for url in urls]
        return [always if path == open_path else explainer.scored(path, rules.score(path)) for path in paths]

    def questions_max(self, agent: Agent) -> int:
        """How many URLs may be asked about within seconds, whatever stars the rules have and whoever wrote them."""
        stars = sum("*" in pattern for pattern, _ in self._rules_for(agent).rules)
        return ROBOTS_TRIES_MAX // (stars + 1)

    def patterns(self, agent: Agent) -> list[Pattern]:
        """The canonical patterns that bind a crawler, each with whether it allows."""
        return self._patterns(self._token_for(agent))

    def dead_rules(self, agent: Agent) -> list[DeadRule]:
        """The rules of the crawler's groups that can never decide, because a longer rule matches all they match."""
        token = self._token_for(agent)
        rules = candidates_in(self._text, self._sections(token), self.profile) if token else []
        line = partial(line_at, self._text)
        return [DeadRule(line(dead.at), line(by.at), dead.pattern) for dead, by in dead_rules(rules)]

    # --- the text -----------------------------------------------------------------------------------------------

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every line, typed and numbered."""
        return tuple(read_lines(self._data, self._line_bytes_max))

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups in their order, not merged."""
        return groups_of(self.lines)

    @cached_property
    def _noted(self) -> Notes:
        notes = Notes()
        note_document(notes, self._data, truncated=self.truncated)
        note_lines(notes, self.lines)
        return notes

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a careful reader would point at, in the order of the lines; `robots_notes.KINDS` explains."""
        return self._noted.freeze()

    @property
    def counts(self) -> dict[str, int]:
        """How many notes of each kind there are, those that were not kept included."""
        return dict(self._noted.counts)

    @cached_property
    def is_binary(self) -> bool:
        """Whether the file is no text at all."""
        return is_binary(self._data)

    @cached_property
    def is_markup(self) -> bool:
        """Whether the file is a page instead of rules."""
        return is_markup(self._data)

    @property
    def is_text(self) -> bool:
        """Whether the file can be rules: neither a page nor UTF-16 nor binary."""
        return not (self.is_markup or self.is_binary or "utf-16" in self.counts)

    @property
    def sitemaps(self) -> list[str]:
        """The values of the Sitemap lines as they are written, in order, duplicates kept."""
        return [utf8(value) for value in self._index.sitemaps]

    def sitemap_urls(self, base: str | None = None) -> list[SitemapUrl]:
        """The sitemaps that can be fetched: absolute, or relative to the base (the URL of this robots.txt)."""
        base = base or self.url or ""
        found = (line for line in self.lines if line.kind is LineKind.SITEMAP and line.value)
        resolved = ((absolute(base, line.value), line) for line in found)
        return [SitemapUrl(url, line.number, line.value) for url, line in resolved if url is not None]

    # --- what else it says to a crawler -------------------------------------------------------------------------

    def crawl_delay(self, agent: Agent) -> float | None:
        """Seconds to wait between requests: the longest Crawl-delay said to the crawler."""
        return crawl_delay(self._said_to(agent))

    def request_rate(self, agent: Agent) -> RequestRate | None:
        """The Request-rate said to the crawler."""
        return request_rate(self._said_to(agent))

    def content_signals(self, agent: Agent) -> dict[str, str]:
        """The Content-Signal wishes said to the crawler: `search`, `ai-input`, `ai-train` → `yes` or `no`."""
        return content_signals(self._said_to(agent))

    def content_usage(self, agent: Agent, path: str) -> dict[str, str]:
        """The Content-Usage preferences (`train-ai` → `y` or `n`) for a path or URL; none where it is forbidden."""
        if not self.allowed(agent, path):
            return {}
        return content_usage(self._said_to(agent), self.path(path), self.profile)

    @property
    def host(self) -> str | None:
        """The value of the first Host line (Yandex's old main mirror)."""
        return next((line.value for line in self.lines if line.kind is LineKind.HOST and line.value), None)

    @property
    def clean_params(self) -> tuple[CleanParam, ...]:
        """Yandex's Clean-param lines."""
        return clean_params(self.lines)

    # --- whose rules --------------------------------------------------------------------------------------------

    def _token_for(self, agent: Agent) -> str | None:
        """The token whose groups bind the agent: its own, else `*`, else None."""
        tokens = _tokens(agent)
        for token in tokens:
            if token in self._index.by_token:
                return token
        if self.google_special and IGNORE_STAR.intersection(tokens):
            return None
        return EVERYBODY if EVERYBODY in self._index.by_token else None

    def _explainer(self, agent: Agent) -> Explainer:
        token = self._token_for(agent)
        return Explainer(self._text, self._sections, token, asked=_tokens(agent), profile=self.profile)

    def _rules_for(self, agent: Agent) -> Ruleset:
        token = self._token_for(agent)
        rules = self._rulesets.get(token)
        if rules is None:
            rules = self._rulesets[token] = Ruleset(self._patterns(token))
        if len(self._asked) >= ROBOTS_AGENTS_KEPT:
            self._asked.clear()
        self._asked[agent if isinstance(agent, str) else tuple(agent)] = rules
        return rules

    def _sections(self, token: str) -> list[Section]:
        return [self._index.sections[number] for number in self._index.by_token.get(token, ())]

    def _patterns(self, token: str | None) -> list[Pattern]:
        if token is None:
            return []
        return patterns_in(self._text, self._sections(token), self.profile)

    def _said_to(self, agent: Agent) -> Iterator[Line]:
        token = self._token_for(agent)
        return iter(()) if token is None else lines_for(self.lines, token)


def _tokens(agent: Agent) -> tuple[str, ...]:
    return tuple(map(ascii_lower, (agent,) if isinstance(agent, str) else agent))


def read_robots(
    data: Octets | str,
    *,
    url: str | None = None,
    limit: int | None = ROBOTS_BYTES_DEFAULT,
    profile: Profile | str = Profile.GOOGLE,
    google_special: bool = False,
) -> Robots:
    r"""Read a robots.txt; any bytes will do, nothing raises. `limit=None` reads everything.

    >>> robots = read_robots("User-agent: *\nDisallow: /cart\nAllow: /cart/help")
    >>> robots.allowed("Googlebot", "https://example.com/cart/1")
    False
    >>> robots.explain("Googlebot", "https://example.com/cart/help").line
    3
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else octets(data)
    return Robots(raw, url=url, limit=limit, profile=Profile(profile), google_special=google_special)
