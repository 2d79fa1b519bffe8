"""llms.txt (llmstxt.org): what a site is about and the Markdown of its pages, for language models, by top folder."""

import re
from collections.abc import Iterable

from waypost.formats.xmlwrite import legal
from waypost.limits import LLMS_PAGES_MAX
from waypost.publish.canonical import source_path
from waypost.publish.feeds import FEEDS, channel_of, site_title
from waypost.publish.page import Page
from waypost.publish.paths import top_folder
from waypost.publish.settings import Publishing
from waypost.publish.table import PageTable

__all__ = ["llms_txt"]

_SPECIAL = re.compile(r"([\\\[\]<>`*_])")


def llms_txt(table: PageTable, settings: Publishing, origin: str, *, has_feed: bool) -> bytes:
    """The document; the caller holds the table's lock."""
    title, home = site_title(settings, table, origin), table.get("/")
    about = _plain(home.description) if home and home.description else f"The pages of {_plain(title)}, as Markdown."
    lines = [f"# {_plain(title)}", "", f"> {about}"]
    pages = sorted((page for run in table.runs for page in run.pages), key=lambda page: page.path)
    for folder, inside in sorted(_sections(pages[:LLMS_PAGES_MAX]).items()):
        lines += ["", f"## {_plain(channel_of(table, folder).title) if folder else 'Pages'}", ""]
        lines += [_line(page.title or page.path, origin + source_path(page.path), page.description) for page in inside]
    lines += ["", "## Optional", "", _line("Sitemap", f"{origin}/sitemap.xml", f"all {len(table):,} pages")]
    if has_feed:
        lines.append(_line("Feed", f"{origin}{FEEDS[0].path}", "what is new"))
    return "\n".join([*lines, ""]).encode("utf-8", "replace")


def _sections(pages: Iterable[Page]) -> dict[str, list[Page]]:
    """Pages by top folder; a folder's own page stands with those below it, one with nothing below it at the top."""
    found: dict[str, list[Page]] = {}
    below = {top_folder(page.path) for page in pages}
    for page in pages:
        folder = top_folder(f"{page.path}/-")
        found.setdefault(folder if folder in below else "", []).append(page)
    return found


def _line(title: str, url: str, about: str) -> str:
    target = f"<{url}>" if "(" in url or ")" in url else url
    return f"- [{_plain(title)}]({target})" + (f": {_plain(about)}" if about.strip() else "")


def _plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(legal(text).split()))
