"""Hugo: content/ with sections and bundles, front matter in three notations, shortcodes, permalinks, languages."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from waypost.dates import read_w3c
from waypost.site.importing.anchors import drop_attributes
from waypost.site.importing.head import texts_of, translate, with_head
from waypost.site.importing.leftovers import tell_leftovers
from waypost.site.importing.lost import tell_folder, tell_lost_feed, tell_lost_terms
from waypost.site.importing.markup import Dialect, attributes, opened_code, rewrite
from waypost.site.importing.plan import Copy, Leaf, Plan
from waypost.site.importing.source import Source, read_table, tell_settings
from waypost.site.naming import is_markdown_name
from waypost.site.sidecar import Unreadable

__all__ = ["NAMES", "plan_hugo", "tokens_of"]

NAMES = tuple(f"{name}.{end}" for name in ("hugo", "config") for end in ("toml", "yaml", "yml", "json"))
"""Where the settings of a Hugo site may stand."""
_ADDRESSES = (
    "url", "slug", "aliases", "publishdate", "publishDate", "expiryDate", "expirydate", "headless", "build", "_build",
    "cascade", "sitemap", "robots",
)  # fmt: skip
_SETTINGS = frozenset(
    {"title", "baseurl", "languagecode", "defaultcontentlanguage", "languages", "permalinks", "uglyurls", "contentdir"}
)
_OTHER_MARKUP = (".html", ".htm", ".org", ".rst", ".adoc", ".pandoc")
_TEMPLATES = ("layouts", "themes", "archetypes", "i18n", "data", "assets")
_QUOTED_TAG = re.compile(r"\{\{([<%])/\*(.{0,2000}?)\*/([>%])\}\}")
_TAG = r"\{\{(?P<kind>[<%])(?!/\*)\s*(?P<name>/?\s*[\w./-]+)(?P<rest>[^{}]{0,4000}?)/?\s*[>%]\}\}"
_TOKEN = re.compile(r":(\w+)(?:\[[^\]]*\])?")


@dataclass(slots=True)
class _Site:
    """What the settings say."""

    plan: Plan
    source: Source
    content: str
    lang: str
    folders: Mapping[str, str]
    """Languages with a content folder of their own, by that folder."""
    langs: frozenset[str]
    permalinks: Mapping[str, Any]
    is_ugly: bool
    now: float
    terms: Mapping[str, set[str]] = field(default_factory=dict)
    """The terms that pages have, by the name of their kind."""
    by_name: dict[str, str] = field(default_factory=dict)
    """Targets by file name, for references that give no folder."""


def plan_hugo(source: Source, plan: Plan, now: float) -> None:
    """Understand a Hugo site."""
    site = _settings(source, plan, now)
    for name in source.below(site.content):
        path = name[len(site.content) + 1 :]
        site.by_name.setdefault(path.rpartition("/")[2], path)
    for name in source.below(site.content):
        path = name[len(site.content) + 1 :]
        if is_markdown_name(name):
            _page(site, name, path)
        elif name.endswith(_OTHER_MARKUP):
            plan.miss(name, "file", "only Markdown is imported")
        else:
            plan.copies.append(Copy(name, f"content/{path}"))
    sections = {leaf.target.partition("/")[0] for leaf in plan.leaves if "/" in leaf.target and not leaf.is_hidden}
    for folder in ("", *(f"/{urlized(section)}" for section in sorted(sections))):
        tell_lost_feed(plan, "", f"{folder}/index.xml")
    tell_lost_terms(plan, "", site.terms)
    for name in source.below("static"):
        plan.copies.append(Copy(name, f"content/{name.removeprefix('static/')}"))
    for folder in _TEMPLATES:
        files = source.below(folder)
        if files:
            text = f"{len(files):,} file{'' if len(files) == 1 else 's'} that only Hugo's templates use; not imported"
            plan.miss(f"{folder}/", "templates", text)


def _settings(source: Source, plan: Plan, now: float) -> _Site:
    table: dict[str, Any] = {}
    for name in (
        *NAMES,
        *(file for file in source.below("config/_default") if file.endswith((".toml", ".yaml", ".yml", ".json"))),
    ):
        if name in source:
            text = source.text(name)
            said = read_table(text, name)
            stem = name.rpartition("/")[2].rpartition(".")[0]
            said = said if stem in {"hugo", "config"} else {stem: said}
            tell_settings(plan, name, text, [key for key in said if key.lower() not in _SETTINGS])
            table |= said
    lower = {key.lower(): value for key, value in table.items()}
    languages = lower.get("languages")
    languages = languages if isinstance(languages, dict) else {}
    lang = str(lower.get("defaultcontentlanguage") or next(iter(languages), "en"))
    own = languages.get(lang)
    folders = {
        str(said["contentDir"]).strip("/"): code
        for code, said in languages.items()
        if isinstance(said, dict) and said.get("contentDir")
    }
    plan.title = str((own.get("title") if isinstance(own, dict) else "") or lower.get("title") or "")
    plan.lang = str(lower.get("languagecode") or lang)
    plan.has_slashes = not lower.get("uglyurls")
    content = str(lower.get("contentdir") or "content").strip("/")
    permalinks = lower.get("permalinks")
    permalinks = permalinks if isinstance(permalinks, dict) else {}
    page_links = permalinks.get("page")
    permalinks = page_links if isinstance(page_links, dict) else permalinks
    site = _Site(
        plan, source, content, lang, folders, frozenset(languages), permalinks, bool(lower.get("uglyurls")), now
    )
    kinds = lower.get("taxonomies")
    kinds = kinds if isinstance(kinds, dict) else {"tag": "tags", "category": "categories"}
    site.terms = {kind: set() for kind in texts_of([*kinds.values()])}
    tell_folder(plan, "", next(iter(texts_of(lower.get("baseurl"))), ""))
    if not source.below(content) and folders:
        site.content = next(iter(folders)).partition("/")[0]
    return site


def _page(site: _Site, name: str, path: str) -> None:
    lang, rest, target = _language(site, name, path)
    folder, _, file = target.rpartition("/")
    target = f"{folder}/{file[1:]}".lstrip("/") if file.startswith("_index.") else target
    try:
        leaf, table = with_head(site.source.text(name), name, target)
    except Unreadable as fault:
        site.plan.miss(name, "page", f"not imported: {fault.reason}", fault.line)
        return
    translate(site.plan, leaf, table, site.now, addresses=_ADDRESSES)
    leaf.url = _url(site, leaf, table, rest, lang)
    leaf.group = rest.replace("/_index.md", "/index.md") if len(site.langs) > 1 else ""
    if lang != site.lang or leaf.group:
        leaf.head.setdefault("lang", lang)
    base = leaf.url.rstrip("/").rpartition("/")[0]
    aliases = [alias if alias.startswith("/") else f"{base}/{alias}" for alias in texts_of(table.get("aliases"))]
    if aliases:
        leaf.head["redirect_from"] = [alias.strip("/") or "/" for alias in aliases]
        site.plan.understood["front matter: aliases"] += 1
    if table.get("cascade"):
        site.plan.miss(name, "front matter", "cascade: what it says of the pages below is not passed on to them")
    tell_leftovers(site.plan, leaf)
    drop_attributes(site.plan, leaf)
    if not leaf.is_hidden:
        for kind, words in site.terms.items():
            words.update(map(urlized, texts_of(table.get(kind))))
    rewrite(site.plan, leaf, _dialect(site, path))
    leaf.body = _QUOTED_TAG.sub(r"{{\1\2\3}}", leaf.body)
    site.plan.leaves.append(leaf)


def _language(site: _Site, name: str, path: str) -> tuple[str, str, str]:
    """A page's language, its path without that, and where it goes."""
    for folder, code in site.folders.items():
        if name.startswith(f"{folder}/"):
            rest = name[len(folder) + 1 :]
            return code, rest, rest if code == site.lang else f"{code}/{rest}"
    stem, _, end = path.rpartition(".")
    start, dot, code = stem.rpartition(".")
    if dot and code.lower() in {lang.lower() for lang in site.langs}:
        return code, f"{start}.{end}", f"{start}.{end}" if code == site.lang else path
    return site.lang, path, path


def urlized(text: str) -> str:
    """A path as Hugo writes it: lower-case, blanks as hyphens, no marks."""
    words = "-".join(unicodedata.normalize("NFC", text).lower().split())
    return "".join(c for c in words if c.isalnum() or unicodedata.category(c).startswith("M") or c in "-_./~+")


def _url(site: _Site, leaf: Leaf, table: Mapping[str, Any], rest: str, lang: str) -> str:
    start = "" if lang == site.lang else f"/{lang.lower()}"
    said = next(iter(texts_of(table.get("url"))), "")
    if said:
        return f"{start}/{said.lstrip('/')}"
    folder, _, file = rest.rpartition("/")
    stem = file.rpartition(".")[0]
    slug = next(iter(texts_of(table.get("slug"))), "")
    section = folder.partition("/")[0]
    if stem == "index" and folder:
        folder, _, stem = folder.rpartition("/")
    pattern = site.permalinks.get(section) if stem not in {"_index", "index"} else None
    if isinstance(pattern, str):
        words = tokens_of(leaf.head.get("published"), str(leaf.head.get("title") or stem))
        words |= {"section": section, "sections": folder, "slug": slug or words["title"], "filename": stem}
        words |= {"contentbasename": stem, "slugorfilename": slug or stem, "slugorcontentbasename": slug or stem}
        path = _TOKEN.sub(lambda found: words.get(found[1], ""), pattern)
    else:
        path = folder if stem in {"_index", "index"} else f"{folder}/{slug or stem}"
    path = urlized(path).strip("/")
    if not path:
        return f"{start}/"
    return f"{start}/{path}.html" if site.is_ugly and stem != "_index" else f"{start}/{path}/"


def tokens_of(published: object, title: str) -> dict[str, str]:
    """What the parts of a permalink pattern stand for: those that come from a date, and the title."""
    words = {"title": title}
    reading = read_w3c(published) if isinstance(published, str) else None
    if isinstance(published, str) and reading is not None and reading.timestamp is not None:
        year, month, day = (f"{published[:10]}-01-01").split("-")[:3]
        words |= {"year": year, "month": month, "day": day, "short_year": year[2:]}
        words |= {"i_month": str(int(month)), "i_day": str(int(day))}
        words["y_day"] = _day_of_year(year, month, day)
        words["yearday"] = words["y_day"].lstrip("0")
    return words


def _day_of_year(year: str, month: str, day: str) -> str:
    first, this = (read_w3c(text).timestamp or 0.0 for text in (f"{year}-01-01", f"{year}-{month}-{day}"))
    return f"{int((this - first) // 86_400) + 1:03}"


def _dialect(site: _Site, path: str) -> Dialect:
    def reference(rest: str, _: Leaf) -> str | None:
        words, named = attributes(rest)
        target = named.get("path") or (words[0] if words else "")
        file, mark, anchor = target.partition("#")
        if not file:
            return f"{mark}{anchor}" if anchor else None
        found = _referred(site, path, file)
        return f"/{found.replace(' ', '%20')}{mark}{anchor}" if found else None

    makes = {"ref": reference, "relref": reference, "figure": _figure, "img": _figure, "highlight": opened_code,
             "/highlight": lambda *_: "\n```\n", "youtube": _video("https://www.youtube.com/watch?v="),
             "vimeo": _video("https://vimeo.com/"), "/figure": lambda *_: ""}  # fmt: skip
    return Dialect("shortcode", _TAG, makes, code=("highlight", "/highlight"))


def _referred(site: _Site, path: str, file: str) -> str:
    """The file that a reference names: from the top, beside the page, or anywhere by its name."""
    folder = path.rpartition("/")[0]
    for start in ("", f"{folder}/") if not file.startswith("/") else ("",):
        stem = f"{start}{file.strip('/')}"
        for name in (stem, f"{stem}.md", f"{stem}/index.md", f"{stem}/_index.md"):
            if f"{site.content}/{name}" in site.source:
                return name.replace("_index.md", "index.md")
    return site.by_name.get(file.rpartition("/")[2], site.by_name.get(f"{file.rpartition('/')[2]}.md", ""))


def _figure(rest: str, _: Leaf) -> str | None:
    words, named = attributes(rest)
    source = named.get("src") or (words[0] if words else "")
    if not source or any(mark in source for mark in "<>\n"):
        return None
    text = named.get("alt") or named.get("caption") or named.get("title") or ""
    image = f"![{text.replace(']', '')}](<{source}>)"
    caption = named.get("caption") or named.get("title")
    image = f"[{image}](<{named['link']}>)" if named.get("link") else image
    return f"{image}\n\n*{caption.strip('*')}*" if caption else image


def _video(start: str) -> Any:
    def video(rest: str, _: Leaf) -> str | None:
        words, named = attributes(rest)
        name = named.get("id") or (words[0] if words else "")
        return f"[{start}{name}]({start}{name})" if re.fullmatch(r"[\w-]{1,64}", name) else None

    return video
