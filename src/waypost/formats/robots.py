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

from collections.abc import Iterable, Sequence

from waypost.formats.matching import Pattern, Ruleset
from waypost.formats.robots_agents import IGNORE_STAR, ascii_lower
from waypost.formats.robots_explain import candidates_in, verdict
from waypost.formats.robots_pattern import Profile, canonical_path, canonical_pattern, directory_of_index
from waypost.formats.robots_text import Index, Section, cut_to_limit, index_text, plain_text, rules_in, utf8
from waypost.formats.robots_verdict import Reason, Verdict
from waypost.limits import ROBOTS_AGENTS_KEPT, ROBOTS_BYTES_DEFAULT, ROBOTS_LINE_BYTES_MAX

__all__ = ["Profile", "Robots", "read_robots"]

Agent = str | Sequence[str]


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
        self._text = plain_text(self._data, ROBOTS_LINE_BYTES_MAX if self.profile is Profile.GOOGLE else None)
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
    def sitemaps(self) -> tuple[str, ...]:
        """The values of the Sitemap lines as they are written, in order, duplicates kept."""
        return tuple(utf8(value) for value in self._index.sitemaps)

    def allowed(self, agent: Agent, url: str) -> bool:
        """Say whether the crawler may fetch the URL.

        The agent is a product token (`Googlebot`), or several with the most specific first, of which the first that
        has a group counts. A full User-Agent header is not a token: take `product_token()` of it.
        """
        path = canonical_path(url, self.profile)
        try:
            rules = self._asked[agent]
        except (KeyError, TypeError):
            rules = self._rules_for(agent)
        return bool(rules.score(path) & 1) or (path == "/robots.txt" and self.profile is Profile.RFC)

    def allowed_many(self, agent: Agent, urls: Iterable[str]) -> list[bool]:
        """The answers for many URLs at once."""
        rules, profile = self._rules_for(agent), self.profile
        open_path = "/robots.txt" if profile is Profile.RFC else None
        paths = [canonical_path(url, profile) for url in urls]
        return [bool(rules.score(path) & 1) or path == open_path for path in paths]

    def _token_for(self, agent: Agent) -> str | None:
        """The token whose groups bind the agent: its own, else `*`, else None."""
        tokens = [ascii_lower(agent)] if isinstance(agent, str) else [ascii_lower(token) for token in agent]
        for token in tokens:
            if token in self._index.by_token:
                return token
        if self.google_special and IGNORE_STAR.intersection(tokens):
            return None
        return "*" if "*" in self._index.by_token else None

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
        return [self._index.sections[number] for number in self._index.by_token[token]]

    def _patterns(self, token: str | None) -> list[Pattern]:
        if token is None:
            return []
        found = []
        for section in self._sections(token):
            for allow, value, _ in rules_in(self._text, section):
                pattern = canonical_pattern(value, self.profile)
                found.append((pattern, allow))
                if allow and self.profile is Profile.GOOGLE and (opened := directory_of_index(pattern)):
                    found.append((opened, True))
        return found

    def path(self, url: str) -> str:
        """The part of a URL that rules are compared with, spelled as this profile compares it."""
        return canonical_path(url, self.profile)

    def patterns(self, agent: Agent) -> list[Pattern]:
        """The canonical patterns that bind a crawler, each with whether it allows."""
        return self._patterns(self._token_for(agent))

    def explain(self, agent: Agent, url: str) -> Verdict:
        """The answer with its evidence: the deciding line, the group, what nearly decided."""
        path = self.path(url)
        if path == "/robots.txt" and self.profile is Profile.RFC:
            return Verdict(True, reason=Reason.ROBOTS_TXT)
        token = self._token_for(agent)
        if token is None:
            return Verdict(True, reason=Reason.NO_GROUP)
        sections = self._sections(token)
        return verdict(self._text, sections, token, candidates_in(self._text, sections, self.profile), path)


def read_robots(
    data: bytes | str,
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
    >>> robots.allowed("Googlebot", "https://example.com/cart/help")
    True
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
    return Robots(raw, url=url, limit=limit, profile=Profile(profile), google_special=google_special)
