"""Rules about what documents may name: never the admin path, never another origin or tenant, and nobody's forgery."""

import re
from collections.abc import Iterator

from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.publish.paths import disallowed, names_admin
from waypost.site.doctor.evidence import Answer, Answers, Forgeries, Hosts, Root, Tenancy
from waypost.urls import Origin, host_of, path_of

__all__ = ["RULES"]

_WORD = re.compile(r"[^\s\"'<>]*/[^\s\"'<>]*")
_BLOCKED_EVERYTHING = frozenset({"/", "/*"})


@rule("PUB002", Step.PUBLISH, Severity.ERROR)
def admin_path_told(root: Root, answers: Answers) -> Iterator[Hit]:
    """Something public names the admin path.

    Why: the path is kept secret so that nobody tries passwords there. robots.txt is the first place where people who
    try passwords look.

    Fix: take it out, and choose another admin path: this one is known.

    Bad:
        === waypost.toml
        [admin]
        path = "hidden-door"
        === content/index.md
        # Home
        === GET https://example.com/robots.txt
        User-agent: *
        Disallow: /hidden-door/

    Good:
        === waypost.toml
        [admin]
        path = "hidden-door"
        === content/index.md
        # Home
    """
    for link in root.admin_links:
        yield Hit("the page links to the admin path", line=link.line, url=link.file)
    for answer in answers.documents() if root.admin_path else ():
        for number, line in enumerate(answer.body.decode("utf-8", "replace").split("\n"), 1):
            if any(names_admin(word, root.admin_path) for word in _WORD.findall(line)):
                yield Hit("the admin path stands here", line=number, url=answer.url)


@rule("PUB012", Step.PUBLISH, Severity.ERROR)
def foreign_origin(answers: Answers) -> Iterator[Hit]:
    """A Sitemap line or a listed URL is not on the scheme and host that were asked.

    Why: crawlers ignore what a document says of another origin. Behind a proxy it usually means that the server does
    not know its public name: it says http where visitors use https, or an inside name.

    Fix: let the proxy pass the scheme and host on, and name it in trusted_proxies.

    Bad:
        === content/index.md
        # Home
        === GET https://example.com/robots.txt
        User-agent: *
        Allow: /

        Sitemap: http://127.0.0.1:8000/sitemap.xml

    Good:
        === content/index.md
        # Home
    """
    for url, line, entry, answer in _named(answers):
        if str(Origin.parse(url)) != answers.origin:
            yield Hit(f"{url} is not on {answers.origin}", line=line, entry=entry, url=answer.url)


def _named(answers: Answers) -> Iterator[tuple[str, int, int, Answer]]:
    """Every URL that robots.txt and the sitemaps name, with its line or entry."""
    for answer in answers.answers:
        for found in answer.robots.sitemap_urls(answer.url) if answer.robots else ():
            yield found.url, found.line, 0, answer
        for entry, loc in enumerate(answer.sitemap.locs if answer.sitemap else (), 1):
            yield loc, 0, entry, answer


@rule("PUB013", Step.PUBLISH, Severity.WARN)
def host_not_served(hosts: Hosts) -> Iterator[Hit]:
    """A host that should be answered is in no table, or one that nobody named is answered.

    Why: a host that no site names gets 421, so nothing of what should be there is found; a canonical host that no site
    names even sends the visitors of all the others to a refusal.

    Fix: add the host to the hosts of its site in sites.toml, or to allowed_hosts; make the folder that is missing.

    Bad:
        === sites.toml
        [[site]]
        hosts = ["example.com"]
        root = "example"
        canonical_host = "www.example.com"
        === example/index.md
        # Home

    Good:
        === sites.toml
        [[site]]
        hosts = ["example.com", "www.example.com"]
        root = "example"
        canonical_host = "www.example.com"
        === example/index.md
        # Home
    """
    for stranger in hosts.strangers:
        yield Hit(f"{stranger.host} {stranger.why}", url=stranger.where)


@rule("PUB014", Step.PUBLISH, Severity.ERROR)
def forged_header_believed(forgeries: Forgeries) -> Iterator[Hit]:
    """A forwarded header of a peer that is no trusted proxy changes what is answered.

    Why: anybody can send X-Forwarded-Host. Where it is believed, and an answer is kept by a cache on the way, everybody
    gets a sitemap that names a host of the sender's choice.

    Fix: trusted_proxies names the addresses of your proxies and no others; the proxy replaces the headers of its
    visitors by its own.

    Bad:
        === waypost.toml
        [server]
        trusted_proxies = ["0.0.0.0/0", "::/0"]
        === content/index.md
        # Home

    Good:
        === waypost.toml
        [server]
        trusted_proxies = ["10.0.0.7"]
        === content/index.md
        # Home
    """
    for forgery in forgeries.found:
        yield Hit(f"a forged {forgery.header} header shows in the answer", url=forgery.url)


@rule("PUB017", Step.PUBLISH, Severity.WARN, fix=Fix.PROPOSED)
def rule_blocks_listed_page(root: Root, answers: Answers) -> Iterator[Hit]:
    """An owner's robots rule blocks a page that the sitemap lists.

    Why: the sitemap asks crawlers to read the page and robots.txt forbids it: it will not be read, and may be indexed
    by its address alone. A group that shuts one crawler out altogether is meant, and only noted.

    Fix: narrow the rule, add an allow for the page, or set noindex for the page if nobody should find it.

    Bad:
        === waypost.toml
        [[robots.group]]
        agents = ["*"]
        disallow = ["/docs"]
        === content/docs.md
        # Docs

    Good:
        === waypost.toml
        [[robots.group]]
        agents = ["*"]
        disallow = ["/drafts/"]
        === content/docs.md
        # Docs
    """
    robots = next((answer for answer in answers.answers if answer.robots), None)
    if robots is None or robots.robots is None or root.is_closed:
        return
    listed = list(dict.fromkeys(path_of(loc) for loc, _, _ in answers.listed()))
    own = disallowed()
    for agent in dict.fromkeys(agent for group in robots.robots.groups for agent in group.agents):
        verdicts = zip(listed, robots.robots.allowed_many(agent, listed), strict=True)
        blocked = [path for path, is_allowed in verdicts if not is_allowed]
        if not blocked:
            continue
        verdict = robots.robots.explain(agent, blocked[0])
        if verdict.pattern not in own:
            is_meant = agent != "*" and verdict.pattern in _BLOCKED_EVERYTHING
            more = f" and {len(blocked) - 1:,} more" if len(blocked) > 1 else ""
            text = f"{verdict.rule!r} keeps {'everybody' if agent == '*' else agent} from {blocked[0]}{more}"
            yield Hit(text, line=verdict.line, url=robots.url, severity=Severity.INFO if is_meant else None)


@rule("RBT318", Step.PUBLISH, Severity.ERROR)
def robots_names_other_tenant(answers: Answers, tenancy: Tenancy) -> Iterator[Hit]:
    """A tenant's robots.txt names the sitemap of another tenant.

    Why: crawlers read the other site's pages for this one's, and whoever looks learns who shares the server.

    Fix: with waypost's own answers this is a bug; please report it. A file that was copied from site to site has to be
    made for each of them.

    Bad:
        === sites.toml
        [[site]]
        hosts = ["example.com"]
        root = "one"
        [[site]]
        hosts = ["example.org"]
        root = "two"
        === one/index.md
        # One
        === two/index.md
        # Two
        === GET https://example.com/robots.txt
        User-agent: *
        Allow: /

        Sitemap: https://example.org/sitemap.xml

    Good:
        === sites.toml
        [[site]]
        hosts = ["example.com"]
        root = "one"
        [[site]]
        hosts = ["example.org"]
        root = "two"
        === one/index.md
        # One
        === two/index.md
        # Two
    """
    for url, line, _, answer in _named(answers):
        if answer.robots and tenancy.is_foreign(host_of(url)):
            yield Hit(f"{url} belongs to another tenant", line=line, url=answer.url)


@rule("SMS508", Step.PUBLISH, Severity.ERROR)
def sitemap_names_other_tenant(answers: Answers, tenancy: Tenancy) -> Iterator[Hit]:
    """A tenant's sitemap lists a URL on the host of another tenant.

    Why: crawlers ignore entries of other hosts, so this tenant's pages are not found, and whoever looks learns who
    shares the server.

    Fix: with waypost's own answers this is a bug; please report it. Behind a proxy, see that it passes the host on.

    Bad:
        === sites.toml
        [[site]]
        hosts = ["example.com"]
        root = "one"
        [[site]]
        hosts = ["*.blog.example.com"]
        root = "tenants/{label}"
        === one/index.md
        # One
        === tenants/ann/index.md
        # Ann
        === GET https://example.com/sitemap.xml
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://ann.blog.example.com/</loc></url>
        </urlset>

    Good:
        === sites.toml
        [[site]]
        hosts = ["example.com"]
        root = "one"
        [[site]]
        hosts = ["*.blog.example.com"]
        root = "tenants/{label}"
        === one/index.md
        # One
        === tenants/ann/index.md
        # Ann
    """
    for url, _, entry, answer in _named(answers):
        if answer.sitemap and tenancy.is_foreign(host_of(url)):
            yield Hit(f"{url} belongs to another tenant", entry=entry, url=answer.url)


RULES: tuple[Rule, ...] = (
    admin_path_told,
    foreign_origin,
    host_not_served,
    forged_header_believed,
    rule_blocks_listed_page,
    robots_names_other_tenant,
    sitemap_names_other_tenant,
)
"""The rules about what documents name."""
