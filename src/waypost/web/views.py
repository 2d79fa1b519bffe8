"""What templates see of a page: plain values, every link a path or an absolute URL of this request's origin."""

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

from markupsafe import Markup, escape

from waypost.dates import write_w3c
from waypost.publish.canonical import source_path
from waypost.publish.feeds import FEEDS, channels_at, site_title
from waypost.publish.page import Page
from waypost.publish.respond import Ask
from waypost.site.markdown import Rendered
from waypost.site.navigation import Item, Standing, standing, words_of
from waypost.site.objects import NOINDEX, Entry, moment
from waypost.urls import is_absolute
from waypost.web.hosts import Place
from waypost.web.languages import is_rtl, language_name
from waypost.web.theme import json_ld

__all__ = ["ICON_PATH", "SEARCH_PATH", "by_folder", "contents", "listed", "page_values", "site_values"]

SEARCH_PATH = "/_waypost/search"
ICON_PATH = "/favicon.ico"
_DEEPEST_HEADING = 3
_ICONS = (
    ("/favicon.svg", {"rel": "icon", "type": "image/svg+xml"}),
    (ICON_PATH, {"rel": "icon", "sizes": "32x32"}),
    ("/apple-touch-icon.png", {"rel": "apple-touch-icon"}),
    ("/site.webmanifest", {"rel": "manifest"}),
)
"""Where icons usually are, and how a page links one; a browser that can takes the first."""


def site_values(place: Place, ask: Ask, tree: tuple[Item, ...] | None = None, path: str = "/") -> dict[str, Any]:
    """What every page of a site has in common; of feeds, those for whoever reads at this path."""
    if tree is None:
        tree = standing(place.root.catalog, ask.path).tree
    table = place.root.catalog.table
    title = site_title(place.publishing, table, ask.origin)
    feeds = [
        {
            "label": form.label,
            "title": f"{channel.title_on(title)} ({form.label})",
            "url": channel.path(form),
            "type": form.media_type,
            "is_of_site": not channel.folder,
        }
        for channel in channels_at(path, table, place.publishing, ask.now or inf)
        for form in FEEDS
    ]
    icons = _icons(place)
    return {
        "site": {
            "title": title,
            "feeds": feeds,
            "icons": icons,
            "icon": next((icon["path"] for icon in icons if icon["rel"] == "icon"), ""),
            "nav": tree if len(tree) > 1 else (),
            "search_url": SEARCH_PATH,
            "has_sitemap": table.has_pages(),
        },
        "lang": place.settings.lang or "en",
        "is_rtl": is_rtl(place.settings.lang),
    }


def _icons(place: Place) -> list[dict[str, str]]:
    """The icons among the content."""
    held = [(place.root.catalog.holder(path), path, how) for path, how in _ICONS]
    return [
        {"path": path, **how} for entry, path, how in held if entry and entry.access.is_public and not entry.is_markdown
    ]


def page_values(place: Place, ask: Ask, entry: Entry, rendered: Rendered) -> dict[str, Any]:
    """Everything a page's template may show."""
    listed_page = place.root.catalog.table.by_key(entry.key)
    where = standing(place.root.catalog, entry.path)
    said = entry.sayings
    description = said.description or rendered.summary
    published, updated = moment(said.published), _updated(moment(said.updated), listed_page)
    values = site_values(place, ask, where.tree, entry.path)
    values["lang"] = said.lang or values["lang"]
    values["is_rtl"] = is_rtl(values["lang"])
    values["title"] = entry.title or entry.path
    values["page"] = {
        "html": Markup(rendered.html),  # noqa: S704 - sanitised where it was rendered
        "refused": rendered.refused,
        "has_heading": any(heading.level == 1 for heading in rendered.headings),
        "headings": [heading for heading in rendered.headings if 1 < heading.level <= _DEEPEST_HEADING],
        "canonical": ask.origin + entry.path,
        "noindex": bool(entry.flags & NOINDEX) or place.publishing.is_closed,
        "description": description,
        "image": _first_image(listed_page, ask.origin),
        "alternates": [(lang, ask.origin + path) for lang, path in (listed_page.alternates if listed_page else ())],
        "languages": [
            {"code": lang, "name": language_name(lang), "url": path}
            for lang, path in (listed_page.alternates if listed_page else ())
            if path != entry.path
        ],
        "markdown_url": source_path(entry.path),
        "breadcrumbs": _crumbs(where, values["title"]),
        "previous": where.previous,
        "next": where.next,
        "published": _shown(published),
        "updated": _shown(updated),
        "json_ld": _structured(entry, ask, values, description, (published, updated)),
    }
    return values


def _updated(declared: float | None, page: Page | None) -> float | None:
    """The day its owner says a page changed, but never one after the sitemap's: the two must not disagree."""
    known = page.last_modified if page is not None else None
    return min((date for date in (declared, known) if date is not None), default=None)


def _shown(timestamp: float | None) -> str:
    return write_w3c(timestamp) if timestamp is not None else ""


def _crumbs(where: Standing, title: str) -> list[dict[str, str]]:
    if not where.way:
        return []
    return [{"title": item.title, "path": item.path} for item in where.way] + [{"title": title, "path": ""}]


def _first_image(page: Page | None, origin: str) -> str:
    image = page.images[0] if page is not None and page.images else ""
    return image if not image or is_absolute(image) else origin + image


def _structured(
    entry: Entry, ask: Ask, values: Mapping[str, Any], description: str, dates: tuple[float | None, float | None]
) -> Markup:
    published, updated = dates
    facts = {
        "@type": "Article" if published is not None else "WebPage",
        "url": ask.origin + entry.path,
        "headline" if published is not None else "name": values["title"],
        "inLanguage": values["lang"],
    }
    more = {"description": description, "datePublished": _shown(published), "dateModified": _shown(updated)}
    return json_ld(facts | {name: value for name, value in more.items() if value})


def contents(pages: Iterable[Page]) -> Rendered:
    """What a page without a text shows: the pages below it."""
    lines = []
    for item in listed(pages):
        day = item["updated"]
        date = f' <time datetime="{escape(day)}">{escape(day[:10])}</time>' if day else ""
        said = f"<p>{escape(item['description'])}</p>" if item["description"] else ""
        lines.append(f'<li><a href="{escape(item["path"])}">{escape(item["title"])}</a>{date}{said}</li>')
    return Rendered(f'<ul class="listing">{"".join(lines)}</ul>' if lines else "")


def by_folder(pages: Iterable[Page]) -> list[dict[str, Any]]:
    """Pages as lists of what stands in each folder, those at the top first."""
    parts: dict[str, list[Page]] = {}
    for page in pages:
        folder = page.path.rstrip("/").rpartition("/")[0]
        parts.setdefault("" if folder == "/id" else folder, []).append(page)
    return [
        {"title": " / ".join(map(words_of, folder.split("/")[1:])), "pages": listed(inside)}
        for folder, inside in sorted(parts.items())
    ]


def listed(pages: Iterable[Page]) -> list[dict[str, str]]:
    """Pages as lines of a list."""
    return [
        {
            "title": page.title or page.path,
            "path": page.path,
            "description": page.description,
            "updated": _shown(page.published or page.updated),
        }
        for page in pages
    ]
