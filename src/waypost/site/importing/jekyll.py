"""Jekyll: dated posts, drafts, collections, permalinks, and what Liquid can be said in Markdown."""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

from waypost.dates import read_w3c
from waypost.limits import IMPORT_LIST_MAX
from waypost.site.importing.anchors import drop_attributes
from waypost.site.importing.head import texts_of, translate, with_head
from waypost.site.importing.hugo import tokens_of
from waypost.site.importing.leftovers import tell_leftovers
from waypost.site.importing.lists import listed
from waypost.site.importing.lost import tell_folder, tell_lost_feed
from waypost.site.importing.markup import Dialect, opened_code, rewrite
from waypost.site.importing.plan import Copy, Leaf, Plan
from waypost.site.importing.source import Source, tell_settings
from waypost.site.naming import is_markdown_name
from waypost.site.sidecar import Unreadable

__all__ = ["plan_jekyll"]

_POST = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})-(.+)\.\w+")
_STYLES = {
    "date": "/:categories/:year/:month/:day/:title:output_ext",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title:output_ext",
    "none": "/:categories/:title:output_ext",
}
_ADDRESSES = (
    "permalink",
    "redirect_from",
    "published",
    "slug",
    "categories",
    "category",
    "sitemap",
)
_SETTINGS = frozenset(
    {"title", "lang", "locale", "permalink", "collections", "exclude", "include", "url", "plugins", "gems", "baseurl"}
)
_TOKEN = re.compile(r":(\w+)")
_TAG = (
    r"\{%-?\s*(?P<name>\w+)(?P<rest>[^{}]{0,4000}?)-?%\}|\{\{-?(?P<output>[^{}]{0,4000}?)-?\}\}"
    r"|(?P<inline>\{:[^{}\n]{0,1000}\})"
)
_ASIDE = ("Gemfile", "Gemfile.lock", "Rakefile", "package.json", "package-lock.json", "LICENSE", "CNAME", "*.gemspec")
_LIQUID = re.compile(
    r"""["']?([^"'|{}]+)["']?\s*\|\s*(?:relative_url|absolute_url|prepend:\s*site\.(?:baseurl|url)\b).*""", re.DOTALL
)
_LOOP = re.compile(r"\s*\w+\s+in\s+(?:site|paginator)\.posts\b(?:.{0,200}?\blimit:\s*(\d{1,3})\b)?", re.DOTALL)
_SITE = re.compile(r"site\.(baseurl|url)\s*")


def plan_jekyll(source: Source, plan: Plan, now: float) -> None:
    """Understand a Jekyll site."""
    name, table = source.table("_config.yml", "_config.yaml", "_config.toml")
    if name:
        tell_settings(plan, name, source.text(name), [key for key in table if key not in _SETTINGS])
    plan.title = " ".join(texts_of(table.get("title"))[:1])
    plan.lang = next(iter(texts_of(table.get("lang"))), "") or next(iter(texts_of(table.get("locale"))), "").replace(
        "_", "-"
    )
    style = str(table.get("permalink") or "date")
    plan.has_slashes = _STYLES.get(style, style).endswith("/")
    site = _Jekyll(source, plan, now, table, style)
    for file in source.files:
        site.take(file)
    site.rewrite()
    tell_folder(plan, name, next(iter(texts_of(table.get("baseurl"))), ""))
    if any(leaf.target.startswith("posts/") and not leaf.is_hidden for leaf in plan.leaves):
        tell_lost_feed(plan, name, "/feed.xml")


class _Jekyll:
    """One site, file by file."""

    def __init__(self, source: Source, plan: Plan, now: float, table: Mapping[str, Any], style: str) -> None:
        self._source, self._plan, self._now, self._style = source, plan, now, style
        collections = table.get("collections")
        self._collections = collections if isinstance(collections, dict) else {}
        self._excluded = [*texts_of(table.get("exclude")), *_ASIDE]
        self._included = texts_of(table.get("include"))
        self._is_bare_shown = "optional-front-matter" in f"{table.get('plugins')} {table.get('gems')}"
        self._posts = {found[0].rpartition(".")[0]: name for name in source.files
                       if "_posts/" in name and (found := _POST.fullmatch(name.rpartition("/")[2]))}  # fmt: skip

    def take(self, name: str) -> None:
        """Find out what a file is, and plan what becomes of it."""
        top, _, file = name.partition("/")
        if name.startswith("_config.") or any(
            fnmatchcase(name, rule.rstrip("/")) or top == rule.strip("/") for rule in self._excluded
        ):
            return
        if "_posts/" in f"/{name}" or "_drafts/" in f"/{name}":
            self._post(name)
        elif top.startswith("_") and top[1:] in self._collections:
            self._in_collection(name, top[1:], file)
        elif top.startswith("_") and top not in self._included:
            self._plan.miss(name, "templates", "a template, a style or data that only Jekyll uses; not imported")
        elif is_markdown_name(name):
            self._page(name)
        elif name.endswith(
            (".html", ".htm", ".scss", ".sass", ".xml", ".json", ".css", ".js", ".txt")
        ) and self._is_made(name):
            self._plan.miss(name, "file", "it is made by Jekyll from a template; not imported")
        else:
            self._plan.copies.append(Copy(name, f"content/{name}"))

    def _is_made(self, name: str) -> bool:
        try:
            return self._source.text(name).startswith("---\n")
        except Unreadable:
            return False

    def _read(self, name: str, target: str) -> tuple[Leaf, Mapping[str, Any]] | None:
        try:
            leaf, table = with_head(self._source.text(name), name, target)
        except Unreadable as fault:
            self._plan.miss(name, "page", f"not imported: {fault.reason}", fault.line)
            return None
        translate(self._plan, leaf, table, self._now, addresses=_ADDRESSES)
        old = [alias.strip("/") or "/" for alias in texts_of(table.get("redirect_from"))]
        if old:
            leaf.head["redirect_from"] = old
            self._plan.understood["front matter: redirect_from"] += 1
        return leaf, table

    def _post(self, name: str) -> None:
        folder, _, file = name.rpartition("/")
        is_draft = "_drafts" in folder.split("/")
        found = _POST.fullmatch(file)
        if not is_markdown_name(name) or not (found or is_draft):
            self._plan.miss(name, "file", "posts are Markdown files named YYYY-MM-DD-title.md; not imported")
            return
        read = self._read(name, f"{'drafts' if is_draft else 'posts'}/{file}")
        if read is None:
            return
        leaf, table = read
        if found and "published" not in leaf.head:
            day = "-".join(f"{int(part):02}" for part in found[1].split("-"))
            if read_w3c(day).timestamp is not None:
                leaf.head["published"] = day
        if is_draft:
            leaf.head["draft"] = True
        above = [part for part in folder.split("/") if part not in {"_posts", "_drafts", ""}]
        words = texts_of(table.get("categories")) or texts_of(table.get("category"))
        words = words[0].split() if len(words) == 1 and isinstance(table.get("categories"), str) else words
        slug = next(iter(texts_of(table.get("slug"))), "") or (found[2] if found else file.rpartition(".")[0])
        pattern = next(iter(texts_of(table.get("permalink"))), "") or self._style
        leaf.url = self._filled(pattern, leaf, slug, [*above, *words])
        leaf.head.setdefault("title", slug.replace("-", " ").capitalize())
        self._plan.leaves.append(leaf)

    def _filled(self, pattern: str, leaf: Leaf, slug: str, categories: list[str]) -> str:
        words = tokens_of(leaf.head.get("published"), slug)
        words |= {"categories": "/".join("-".join(word.lower().split()) for word in categories), "slug": slug.lower(),
                  "output_ext": ".html", "name": slug}  # fmt: skip
        path = _TOKEN.sub(lambda found: words.get(found[1], ""), _STYLES.get(pattern, pattern))
        return "/" + re.sub(r"/{2,}", "/", path).lstrip("/")

    def _page(self, name: str) -> None:
        read = self._read(name, name)
        if read is None:
            return
        leaf, table = read
        if leaf.first_line == 1 and not self._is_bare_shown:
            self._plan.miss(name, "page", "left out: without front matter it was no page of the site")
            return
        stem = name.rpartition(".")[0]
        folder, _, last = stem.rpartition("/")
        if last.lower() == "readme" and f"{folder}/index.md".lstrip("/") not in self._source:
            leaf.target = f"{folder}/index.md".lstrip("/")
            last = "index"
        end = "/" if self._plan.has_slashes else ".html"
        said = next(iter(texts_of(table.get("permalink"))), "")
        leaf.url = (
            f"/{said.lstrip('/')}" if said else f"/{folder}/".replace("//", "/") if last == "index" else f"/{stem}{end}"
        )
        self._plan.leaves.append(leaf)

    def _in_collection(self, name: str, label: str, file: str) -> None:
        said = self._collections[label] if isinstance(self._collections, dict) else {}
        said = said if isinstance(said, dict) else {}
        if not is_markdown_name(name):
            self._plan.copies.append(Copy(name, f"content/{label}/{file}"))
            return
        read = self._read(name, f"{label}/{file}")
        if read is None:
            return
        leaf, table = read
        stem = file.rpartition(".")[0]
        pattern = next(iter(texts_of(table.get("permalink"))), "") or str(
            said.get("permalink") or f"/{label}/:path.html"
        )
        words = {"collection": label, "path": stem, "name": stem, "title": stem, "output_ext": ".html"}
        path = _TOKEN.sub(lambda found: words.get(found[1], ""), pattern)
        leaf.url = "/" + re.sub(r"/{2,}", "/", path).lstrip("/")
        if said.get("output") is not True:
            leaf.head["draft"] = True
            self._plan.miss(name, "draft", f"the collection {label} had no pages of its own: imported as a draft")
        self._plan.leaves.append(leaf)

    def rewrite(self) -> None:
        """Put Markdown in the place of Liquid, when all pages are known."""
        makes = {"post_url": self._post_link, "link": self._file_link, "highlight": opened_code,
                 "endhighlight": lambda *_: "\n```\n", "output": _output, "for": self._newest}  # fmt: skip
        dialect = Dialect(
            "liquid", _TAG, makes, raw=("raw", "endraw"), dropped=("comment", "endcomment"),
            code=("highlight", "endhighlight"), loop=("for", "endfor"), is_raw_in_code=True,
        )  # fmt: skip
        for leaf in self._plan.leaves:
            tell_leftovers(self._plan, leaf)
            drop_attributes(self._plan, leaf)
            if "{" in leaf.body:
                rewrite(self._plan, leaf, dialect)

    def _newest(self, rest: str, leaf: Leaf) -> str | None:
        found = _LOOP.match(rest)
        if found is None:
            return None
        names = set(self._posts.values())
        posts = [page for page in self._plan.leaves if page.source in names and not page.is_hidden]
        most = int(found[1]) if found[1] else None
        lines = islice(listed(posts, leaf.target, IMPORT_LIST_MAX if most is None else most), most)
        return "\n\n" + "\n".join(lines) + "\n\n"

    def _post_link(self, rest: str, _: Leaf) -> str | None:
        name = self._posts.get(rest.strip().rpartition("/")[2])
        return f"/posts/{name.rpartition('/')[2]}" if name else None

    def _file_link(self, rest: str, _: Leaf) -> str | None:
        name = rest.strip().strip("/\"'")
        if name not in self._source:
            return None
        name = f"posts/{name.rpartition('/')[2]}" if name.startswith("_posts/") else name.lstrip("_")
        return f"/{name.replace(' ', '%20')}"


def _output(rest: str, _: Leaf) -> str | None:
    text = rest.strip()
    if _SITE.fullmatch(text):
        return ""
    found = _LIQUID.fullmatch(text)
    return f"/{found[1].strip().lstrip('/')}" if found and "." not in found[1].split("/")[0] else None
