"""What robots.txt shuts out, or leaves open, against what its owner means (RBT301 to RBT319)."""

import re
import sys
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from waypost.check.crawlers import SEARCH_TOKENS
from waypost.check.evidence import Evidence
from waypost.check.place import registrable_domain
from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.formats.printable import clipped
from waypost.formats.robots import Robots
from waypost.formats.robots_groups import Group
from waypost.formats.robots_lines import LineKind
from waypost.urls import Origin, host_of, path_of

__all__ = ["RULES", "is_closed", "is_staging"]

_ANYBODY = "waypost-anybody"
_STAGING = re.compile(
    r"(?:^|[.-])(?:staging|stage|stg|dev|develop|development|test|testing|qa|uat|preprod|preview|sandbox|demo)\d*(?=[.-]|$)"
)
_SECRET = re.compile(
    r"/\.?(?:admin(?!-ajax\.php)\w*|administrator|backend|backups?|bak|config\w*|credentials?|cpanel|dump|env|git|hidden|htpasswd|internal"
    r"|intranet|passwords?|phpmyadmin|private|secrets?|sql|staging|svn|top-?secret)(?=[/._*$-]|$)",
    re.IGNORECASE,
)
_SHOWN_CHARS = 100


def is_closed(robots: Robots, agent: str) -> bool:
    """Whether a crawler may fetch nothing: neither the home page nor any other."""
    paths = ("/", "/waypost-asks-for-any-page", "/waypost/asks?for=any")
    return not any(robots.allowed_many(agent, paths))


def is_staging(host: str) -> bool:
    """Whether a host's name says that it is not meant for the public: before its domain, for test.de is a magazine."""
    if not _STAGING.search(host):
        return False
    domain = registrable_domain(host, only_icann=True).split(".")
    return _STAGING.search(".".join(host.split(".")[: -len(domain)])) is not None


def _explained(robots: Robots, agent: str, path: str) -> Hit:
    verdict = robots.explain(agent, path)
    return Hit(f"{agent} may not fetch {clipped(path, _SHOWN_CHARS)}: {verdict.rule}", verdict.line)


@rule("RBT301", Step.ROBOTS, Severity.ERROR)
def everything_disallowed(robots: Robots, origin: Origin) -> Hit | None:
    """Everything is disallowed for all crawlers on a public host.

    Why: the site leaves every index. It is often a staging file that went live.

    Fix: Take Disallow: / out of the group of *.

    Bad:
        User-agent: *
        Disallow: /

    Good:
        User-agent: *
        Disallow: /private/
    """
    if is_staging(origin.host) or not is_closed(robots, _ANYBODY):
        return None
    verdict = robots.explain(_ANYBODY, "/")
    return Hit(f"all crawlers without a group of their own are shut out: {verdict.rule}", verdict.line)


@rule("RBT302", Step.ROBOTS, Severity.ERROR)
def search_crawler_shut_out(robots: Robots, origin: Origin) -> Iterable[Hit]:
    """A major search crawler is shut out entirely.

    Why: the site leaves that search engine.

    Fix: Take Disallow: / out of the crawler's group.

    Bad:
        User-agent: Googlebot
        Disallow: /

    Good:
        User-agent: GPTBot
        Disallow: /
    """
    own = {agent.lower() for group in robots.groups for agent in group.agents}
    for agent in SEARCH_TOKENS:
        if agent.lower() in own and is_closed(robots, agent) and not is_staging(origin.host):
            yield _explained(robots, agent, "/")


@rule("RBT303", Step.ROBOTS, Severity.ERROR)
def home_page_disallowed(robots: Robots) -> Hit | None:
    """The home page is disallowed, though other pages are not.

    Why: it is the page most links lead to, and where most crawlers begin.

    Fix: Write Allow: /$ in the group.

    Bad:
        User-agent: *
        Disallow: /$

    Good:
        User-agent: *
        Disallow: /private/
    """
    for agent in (_ANYBODY, "Googlebot"):
        if not robots.allowed(agent, "/") and not is_closed(robots, agent):
            verdict = robots.explain(agent, "/")
            return Hit(f"the home page is disallowed: {verdict.rule}", verdict.line)
    return None


@rule("RBT304", Step.ROBOTS, Severity.WARN)
def rendering_disallowed(evidence: Evidence) -> Iterable[Hit]:
    """Style sheets or scripts of the home page are disallowed for Googlebot.

    Why: search engines render pages; without these files they see a broken one.

    Fix: Allow the files: Allow: /*.css$ and Allow: /*.js$.

    Bad:
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /assets/

        GET / → 200 text/html

        <html><head><link rel="stylesheet" href="/assets/site.css"></head></html>

    Good:
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /private/

        GET / → 200 text/html

        <html><head><link rel="stylesheet" href="/assets/site.css"></head></html>
    """
    robots, head = evidence.robots, evidence.head
    if robots is None or head is None or is_closed(robots, "Googlebot") or evidence.robots_capture is None:
        return
    for url in head.resources:
        if host_of(url) == evidence.origin.host and not robots.allowed("Googlebot", url):
            verdict = robots.explain("Googlebot", url)
            told = f"{clipped(path_of(url), _SHOWN_CHARS)} is disallowed: {verdict.rule}"
            yield Hit(told, verdict.line, url=evidence.robots_capture.final_url)


@rule("RBT313", Step.ROBOTS, Severity.WARN, fix=Fix.PROPOSED)
def secret_path_published(robots: Robots) -> Iterable[Hit]:
    """A rule publishes a path that looks like an administration or a secret.

    Why: robots.txt is the first thing a burglar reads; a path that nobody links need not be named to be left alone.

    Fix: Protect the path with a login, and take the rule out.

    Bad:
        User-agent: *
        Disallow: /secret-backup/

    Good:
        User-agent: *
        Disallow: /wp-admin/
        Allow: /wp-admin/admin-ajax.php
    """
    for line in robots.lines:
        if line.kind is LineKind.DISALLOW and _SECRET.search(line.value):
            yield Hit(f"{clipped(line.value, _SHOWN_CHARS)} is named to everybody", line.number, line.value_column)


@rule("RBT315", Step.ROBOTS, Severity.INFO, fix=Fix.PROPOSED)
def rule_catches_more(evidence: Evidence) -> Iterable[Hit]:
    """A Disallow without a slash at its end also catches listed pages whose name only begins alike.

    Why: Disallow: /blog stands for /blogger and /blog-post, too.

    Fix: Write Disallow: /blog/ and, where it is meant, Disallow: /blog$.

    Bad:
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /blog

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/blogger</loc></url></urlset>

    Good:
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /blog/

        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/blogger</loc></url></urlset>
    """
    document = evidence.best.document if evidence.best else None
    if evidence.robots is None or document is None or evidence.robots_capture is None:
        return
    root = f"{evidence.origin}/"
    locs = sorted(loc for loc in document.locs if loc.startswith(root))
    caught: dict[str, str | None] = {}
    for line in evidence.robots.lines:
        value = line.value
        if line.is_rule and line.kind.value == "disallow" and re.fullmatch(r"/[\w/-]*\w", value):
            if value not in caught:
                caught[value] = _begins_alike(locs, root + value[1:])
            if loc := caught[value]:
                told = f"{value} also catches {clipped(path_of(loc), _SHOWN_CHARS)}"
                yield Hit(told, line.number, line.value_column, url=evidence.robots_capture.final_url)


def _begins_alike(locs: Sequence[str], start: str) -> str | None:
    """The first of the sorted URLs whose last common name goes on behind `start`: with a letter, a digit, _ or -."""
    at = bisect_left(locs, f"{start}-")
    while at < len(locs) and locs[at].startswith(start):
        begun = locs[at][: len(start) + 1]
        if re.fullmatch(r"[\w-]", begun[-1]):
            return locs[at]
        # All that go on with this character are passed over at once: 50,000 may stand below one directory.
        at = max(at + 1, bisect_left(locs, begun + chr(sys.maxunicode), at))
    return None


@rule("RBT316", Step.ROBOTS, Severity.WARN)
def open_staging_host(evidence: Evidence) -> str | None:
    """A host whose name says staging or development is open to crawlers.

    Why: a copy of the site turns up in search results beside the site.

    Fix: Ask for a login there, or send X-Robots-Tag: noindex with every page.

    Bad:
        GET https://staging.example.com/robots.txt → 404

        GET https://staging.example.com/ → 200 text/html

        <html></html>

    Good:
        GET https://staging.example.com/robots.txt → 404

        GET https://staging.example.com/ → 200 text/html
        X-Robots-Tag: noindex

        <html></html>
    """
    home = evidence.home
    if not is_staging(evidence.origin.host) or home is None or not home.is_success:
        return None
    if "x-robots-tag" in home.headers or (evidence.robots is not None and is_closed(evidence.robots, _ANYBODY)):
        return None
    return f"{evidence.origin.host} is open to crawlers"


def _disallowed(group: Group) -> set[str]:
    return {one.pattern for one in group.rules if not one.allow and one.pattern}


@rule("RBT317", Step.ROBOTS, Severity.WARN, fix=Fix.PROPOSED)
def group_forgets_star(robots: Robots) -> Iterable[Hit]:
    """A crawler's own group repeats none of the rules for *.

    Why: groups do not inherit: a crawler with a group of its own ignores the rules for *.

    Fix: Repeat the rules for * in the group, where they are meant for that crawler too.

    Bad:
        User-agent: *
        Disallow: /cart

        User-agent: Bingbot
        Disallow: /beta

    Good:
        User-agent: *
        Disallow: /cart

        User-agent: Bingbot
        Disallow: /cart
        Disallow: /beta
    """
    star = set().union(*(_disallowed(group) for group in robots.groups if "*" in group.agents))
    if not star or "/" in star:
        return
    for group in robots.groups:
        own = _disallowed(group)
        # A group that only opens or only closes everything means to be different.
        if group.agents and "*" not in group.agents and own and own.isdisjoint({"/", "/*", "*"}) and not own & star:
            agents = clipped(", ".join(group.agents), _SHOWN_CHARS)
            yield Hit(f"{agents} does not keep to the {len(star)} rules for *", group.line)


@rule("RBT319", Step.ROBOTS, Severity.INFO)
def order_matters_to_old_readers(robots: Robots) -> Iterable[Hit]:
    """Readers that take the first matching rule, Python's urllib.robotparser say, decide otherwise than RFC 9309.

    Why: by the standard the longest rule decides, whatever the order; old readers stop at the first match.

    Fix: Put the more specific rules first: it changes nothing for crawlers that keep to the standard.

    Bad:
        User-agent: *
        Disallow: /a
        Allow: /a/b

    Good:
        User-agent: *
        Allow: /a/b
        Disallow: /a
    """
    for group in robots.groups:
        earlier: dict[str, bool] = {}
        for one in group.rules:
            parts = (one.pattern[:end] for end in range(1, min(len(one.pattern), _SHOWN_CHARS)))
            if one.pattern and any(earlier.get(part, one.allow) != one.allow for part in parts):
                yield Hit(
                    f"{clipped(one.pattern, _SHOWN_CHARS)} stands behind a shorter rule that says otherwise", one.line
                )
            earlier.setdefault(one.pattern, one.allow)


RULES: tuple[Rule, ...] = (
    everything_disallowed,
    search_crawler_shut_out,
    home_page_disallowed,
    rendering_disallowed,
    secret_path_published,
    rule_catches_more,
    open_staging_host,
    group_forgets_star,
    order_matters_to_old_readers,
)
