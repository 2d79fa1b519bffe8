"""Rules about what sitemaps list: which objects, under which URL, with which date."""

from collections.abc import Iterator

from waypost.check.rule import Hit, Rule, Severity, Step, rule
from waypost.dates import read_w3c, write_w3c
from waypost.formats.document import Kind
from waypost.limits import LASTMOD_EARLIEST_S
from waypost.publish.canonical import read_id
from waypost.site.doctor.evidence import Answer, Answers, Root, Thing
from waypost.urls import Origin, path_of

__all__ = ["RULES"]


def _listed(root: Root, answers: Answers, *, of_any_origin: bool = False) -> Iterator[tuple[Thing, str, int, Answer]]:
    """Every listed URL that is an object's, with the object; of a foreign origin PUB012 has said what is wrong."""
    by_path, by_key = root.by_path(), root.by_key()
    for loc, entry, answer in answers.listed():
        path = path_of(loc)
        thing = by_path.get(path)
        key = read_id(path.strip("/")) if thing is None else None
        thing = by_key.get(key.hex()) if key is not None else thing
        if thing is not None and (of_any_origin or str(Origin.parse(loc)) == answers.origin):
            yield thing, path, entry, answer


@rule("PUB003", Step.PUBLISH, Severity.ERROR)
def restricted_page_listed(root: Root, answers: Answers) -> Iterator[Hit]:
    """A sitemap lists an object that not everybody may see.

    Why: the URL of a page that is restricted to some roles, or denied, tells crawlers and competitors that it exists.

    Fix: with waypost's own answers this is a bug; please report it. A server's list that was made before the page was
    restricted has to be made again, and everything in front of it emptied.

    Bad:
        === waypost.toml
        [tags.staff]
        roles = ["staff"]
        === content/index.md
        # Home
        === content/plans.md
        ---
        tags: [staff]
        ---
        # Plans
        === GET https://example.com/sitemap.xml
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/</loc></url>
        <url><loc>https://example.com/plans</loc></url>
        </urlset>

    Good:
        === waypost.toml
        [tags.staff]
        roles = ["staff"]
        === content/index.md
        # Home
        === content/plans.md
        ---
        tags: [staff]
        ---
        # Plans
    """
    for thing, path, entry, answer in _listed(root, answers, of_any_origin=True):
        if not thing.is_public:
            yield Hit(f"{path} is {thing.file}, which not everybody may see", entry=entry, url=answer.url)


@rule("PUB004", Step.PUBLISH, Severity.ERROR)
def id_url_despite_alias(root: Root, answers: Answers) -> Iterator[Hit]:
    """A sitemap lists the /id/ address of a page that has an alias.

    Why: that address answers with a redirect, so crawlers index nothing at the URL they were given.

    Fix: list the alias. With waypost's own answers this is a bug; please report it.

    Bad:
        === content/about.md
        ---
        id: 00000000000000aa
        ---
        # About
        === GET https://example.com/sitemap.xml
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/id/00000000000000aa</loc></url>
        </urlset>

    Good:
        === content/about.md
        ---
        id: 00000000000000aa
        ---
        # About
    """
    for thing, path, entry, answer in _listed(root, answers):
        if path != thing.path:
            yield Hit(f"{path} is listed; the page is at {thing.path}", entry=entry, url=answer.url)


@rule("PUB007", Step.PUBLISH, Severity.ERROR)
def lastmod_not_of_files(root: Root, answers: Answers) -> Iterator[Hit]:
    """A <lastmod> is not the later modification time of the page's file and its sidecar.

    Why: crawlers come back by this date. One that is too old hides a change; one that is too new costs trust, and then
    no date of the site is believed.

    Fix: with waypost's own answers this is a bug; please report it. A server's list has to be made anew when a file
    changes.

    Bad:
        === content/index.md
        # Home
        === GET https://example.com/sitemap.xml
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/</loc><lastmod>2020-02-02T02:02:02Z</lastmod></url>
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
    if not root.dates_by_disk:
        return
    for thing, path, entry, answer in _listed(root, answers):
        if thing.modified is None:
            continue
        said = answer.sitemap.lastmods[entry - 1] if answer.sitemap else None
        expected = write_w3c(int(thing.modified)) if thing.modified >= LASTMOD_EARLIEST_S else None
        if not _is_same(said, expected):
            text = f"{path} has {said or 'no lastmod'}; its files say {expected or 'nothing that could be true'}"
            yield Hit(text, entry=entry, url=answer.url)


def _is_same(said: str | None, expected: str | None) -> bool:
    if said is None or expected is None:
        return said == expected
    return read_w3c(said).timestamp == read_w3c(expected).timestamp


@rule("PUB008", Step.PUBLISH, Severity.ERROR)
def file_listed(root: Root, answers: Answers) -> Iterator[Hit]:
    """A sitemap lists an object that is no page.

    Why: a sitemap is a list of pages to read. Style sheets, archives and pictures in it cost crawl budget; pictures
    belong into the image extension of the page they stand in.

    Fix: list Markdown documents alone. With waypost's own answers this is a bug; please report it.

    Bad:
        === content/index.md
        # Home
        === content/style.css
        body { color: black }
        === GET https://example.com/sitemap.xml
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/</loc></url>
        <url><loc>https://example.com/style.css</loc></url>
        </urlset>

    Good:
        === content/index.md
        # Home
        === content/style.css
        body { color: black }
    """
    for thing, path, entry, answer in _listed(root, answers):
        if not thing.is_page:
            yield Hit(f"{path} is the file {thing.file}", entry=entry, url=answer.url)


@rule("PUB006", Step.PUBLISH, Severity.ERROR)
def hints_emitted(answers: Answers) -> Iterator[Hit]:
    """A sitemap says <changefreq> or <priority>.

    Why: nobody can know them, crawlers ignore them, and they make every entry longer. waypost never writes them.

    Fix: leave them out; <lastmod> is what crawlers use.

    Bad:
        === content/index.md
        # Home
        === GET https://example.com/sitemap.xml
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/</loc><changefreq>daily</changefreq></url>
        </urlset>

    Good:
        === content/index.md
        # Home
    """
    for answer in answers.answers:
        columns = answer.sitemap.columns if answer.sitemap else None
        for name in ("changefreqs", "priorities") if columns else ():
            for entry, value in enumerate(getattr(columns, name), 1):
                if value is not None:
                    yield Hit(f"an entry has a {_ELEMENTS[name]} of {value!r}", entry=entry, url=answer.url)


_ELEMENTS = {"changefreqs": "changefreq", "priorities": "priority"}


@rule("PUB011", Step.PUBLISH, Severity.ERROR)
def parts_do_not_add_up(answers: Answers) -> Iterator[Hit]:
    """An index names a part that is not there, or two parts list one page.

    Why: pages of a missing part are not found at all; a page in two parts is counted, and fetched, twice.

    Fix: with waypost's own answers this is a bug; please report it. In front of a server, see that paths below
    /sitemaps/ reach it like /sitemap.xml does.

    Bad:
        === content/index.md
        # Home
        === GET https://example.com/sitemap.xml
        <?xml version="1.0" encoding="UTF-8"?>
        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://example.com/sitemaps/sitemap-0001.xml</loc></sitemap>
        </sitemapindex>

    Good:
        === content/index.md
        # Home
    """
    by_url = answers.by_url()
    for index in answers.answers:
        if index.sitemap is None or index.sitemap.kind is not Kind.INDEX or index.path != "/sitemap.xml":
            continue
        seen: dict[str, str] = {}
        for entry, loc in enumerate(index.sitemap.locs, 1):
            part = by_url.get(loc)
            if part is None or part.sitemap is None:
                status = f"answers {part.status}" if part else "is not answered"
                yield Hit(f"{loc} {status}", entry=entry, url=index.url)
                continue
            for number, listed in enumerate(part.sitemap.locs, 1):
                if seen.setdefault(listed, loc) != loc:
                    yield Hit(f"{listed} stands in {seen[listed]} too", entry=number, url=loc)


RULES: tuple[Rule, ...] = (
    restricted_page_listed,
    id_url_despite_alias,
    hints_emitted,
    lastmod_not_of_files,
    file_listed,
    parts_do_not_add_up,
)
"""The rules about what is listed."""
