"""Rules about the objects of a root: aliases, sidecars, links, and whether what is known is what is there."""

from collections.abc import Iterator

from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.site.doctor.evidence import Answers, Root

__all__ = ["RULES"]


@rule("PUB001", Step.PUBLISH, Severity.ERROR)
def alias_reserved(root: Root) -> Iterator[Hit]:
    """An alias is, or lies under, a path that is kept for something else.

    Why: the page is not served under that name. It stays reachable at its /id/ address, and links to the name somebody
    chose lead nowhere; a file of a reserved name is not served at all.

    Fix: give the object another alias: waypost page alias FOLDER PAGE NEW-ALIAS says at once whether a name is free.

    Bad:
        === content/help.md
        ---
        alias: login/help
        ---
        # Help

    Good:
        === content/help.md
        ---
        alias: login-help
        ---
        # Help
    """
    for refusal in root.refusals:
        if refusal.is_reserved:
            yield Hit(refusal.why, url=refusal.file)


@rule("PUB005", Step.PUBLISH, Severity.WARN, fix=Fix.PROPOSED)
def alias_against_slash_policy(root: Root) -> Iterator[Hit]:
    """An alias ends in a slash although the URLs of this site do not.

    Why: the site has one policy for slashes, and the page is served by it, so the URL its owner wrote down is not the
    one that answers 200: whoever copies it from the sidecar gets a redirect.

    Fix: write the alias without the slash, or set slash = "always" for the whole site.

    Bad:
        === content/docs.md
        ---
        alias: handbook/
        ---
        # Handbook

    Good:
        === content/docs.md
        ---
        alias: handbook
        ---
        # Handbook
    """
    for thing in root.things:
        alias = (thing.alias or "").strip()
        if len(alias) > 1 and alias.endswith("/") and not root.always_slash:
            yield Hit(f"the alias {alias!r} ends in a slash; the page is at {thing.path}", url=thing.file)


@rule("PUB009", Step.PUBLISH, Severity.ERROR)
def alias_claimed_twice(root: Root) -> Iterator[Hit]:
    """Two objects claim one alias, perhaps in other letters.

    Why: only one of them can have it. The other is served at its /id/ address, where nobody looks for it, and which of
    the two won may surprise you: an alias that was written beats one that follows from a path, then the lower id wins.

    Fix: give one of them another alias.

    Bad:
        === content/about.md
        # About
        === content/team.md
        ---
        alias: About
        ---
        # Team

    Good:
        === content/about.md
        # About
        === content/team.md
        # Team
    """
    for rivalry in root.rivalries:
        yield Hit(f"{rivalry.holder} has {rivalry.path} already", url=rivalry.file)


@rule("PUB010", Step.PUBLISH, Severity.WARN)
def object_withheld(root: Root) -> Iterator[Hit]:
    """A file cannot be read, so what it describes is withheld.

    Why: a sidecar, front matter or table of tags may say who is allowed to see a page. Where it cannot be read nobody
    sees the page: it answers 404 and is in no sitemap until the file is mended.

    Fix: mend the file at the line that is named; the next request sees the page again.

    Bad:
        === content/report.md
        # Report
        === content/report.md.toml
        tags = [

    Good:
        === content/report.md
        # Report
        === content/report.md.toml
        tags = []
    """
    for withheld in root.withheld:
        severity = Severity.ERROR if withheld.is_site else None
        yield Hit(withheld.why, line=withheld.line, url=withheld.file, severity=severity)


@rule("PUB015", Step.PUBLISH, Severity.ERROR)
def differs_from_disk(root: Root, answers: Answers) -> Iterator[Hit]:
    """What is published is not what is on disk.

    Why: crawlers are told of pages that are gone, and not told of pages that are there. Either a cache lost a change,
    or the server that answers at this URL is not the one that reads this folder.

    Fix: look at the first place below. With a server: does it serve this folder, with these settings, and does nothing
    in front of it keep old answers? Without one it is a bug in waypost; please report it.

    Bad:
        === content/index.md
        # Home
        === content/new.md
        # New
        === GET https://example.com/sitemap.xml
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/</loc><lastmod>2026-01-20T10:00:00Z</lastmod></url>
        </urlset>

    Good:
        === content/index.md
        # Home
        === GET https://example.com/sitemap.xml
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/</loc><lastmod>2026-01-20T10:00:00Z</lastmod></url>
        </urlset>
    """
    for difference in root.differences:
        yield Hit(difference, url=root.name)
    for url, difference in answers.differences:
        yield Hit(difference, url=url)


@rule("PUB016", Step.PUBLISH, Severity.INFO, fix=Fix.PROPOSED)
def alias_needs_escaping(root: Root) -> Iterator[Hit]:
    """An alias has characters that URLs or XML write in another way.

    Why: nothing is wrong with the page, but its URL is long and hard to read wherever it is shown escaped, and people
    who type or copy it by hand get it wrong. An alias with a character that no alias can have is not used at all.

    Fix: choose an alias of a-z, 0-9 and hyphens; redirect_from keeps the old one working.

    Bad:
        === content/Über uns.md
        # Über uns

    Good:
        === content/ueber-uns.md
        # Über uns
    """
    for refusal in root.refusals:
        if not refusal.is_reserved:
            yield Hit(refusal.why, url=refusal.file, severity=Severity.WARN)
    for thing in root.things:
        if thing.is_page and thing.is_public and any(mark in thing.path for mark in "%&'"):
            yield Hit(f"its URL is written {thing.path}", url=thing.file)


@rule("PUB018", Step.PUBLISH, Severity.WARN, fix=Fix.PROPOSED)
def link_to_nothing(root: Root) -> Iterator[Hit]:
    """A relative link or image in a page names nothing that a reader would get.

    Why: readers and crawlers run into a 404. What a link names may be missing, or not public.

    Fix: correct the path: it is read relative to the file the link stands in.

    Bad:
        === content/index.md
        # Home

        [The guide](guide/intro.md)
        === content/guide/introduction.md
        # Introduction

    Good:
        === content/index.md
        # Home

        [The guide](guide/introduction.md)
        === content/guide/introduction.md
        # Introduction
    """
    for link in root.dead_links:
        yield Hit(f"{link.target!r} names nothing that is served", line=link.line, url=link.file)


RULES: tuple[Rule, ...] = (
    alias_reserved,
    alias_against_slash_policy,
    alias_claimed_twice,
    object_withheld,
    differs_from_disk,
    alias_needs_escaping,
    link_to_nothing,
)
"""The rules about objects."""
