"""MkDocs: docs/ with the order and names that `nav` gives, admonitions and tabs said in plain Markdown."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from waypost.limits import IMPORT_NAV_MAX, NAV_DEPTH_MAX
from waypost.site.importing.head import texts_of, translate, with_head
from waypost.site.importing.markup import Dialect, rewrite
from waypost.site.importing.plan import Copy, Leaf, Plan
from waypost.site.importing.source import Source
from waypost.site.naming import is_markdown_name, path_key
from waypost.site.sidecar import Unreadable

__all__ = ["NAMES", "plan_mkdocs"]

NAMES = ("mkdocs.yml", "mkdocs.yaml")
"""Where the settings of an MkDocs project may stand."""
_ADDRESSES = ("hide", "template", "icon", "status", "robots", "search")
_TAG = (
    r"(?P<name>--8<--)(?P<rest>[^\n]{0,1000})|(?P<inline>\[TOC\]|\{:?[ ]*[.#][\w. #=\"'-]{0,500}\}"
    r"|:(?:material|fontawesome|octicons|simple)-[\w-]{1,100}:|:::[ ]*[\w.]{1,200})"
)
_MACRO = r"|\{%-?[^{}]{0,2000}-?%\}|(?P<output>\{\{[^{}]{0,2000}\}\})"
_BLOCK = re.compile(r"^(?P<indent>[ ]{0,24})(?P<mark>!!!|\?\?\?\+?|===\+?!?)[ \t]+(?P<rest>[^\n]{1,300})$")
_TITLE = re.compile(r'^(?P<kinds>[\w +-]*?)[ ]*(?:"(?P<title>[^"]*)")?[ ]*$')
_FENCE = re.compile(r"^[ ]{0,24}(`{3,}|~{3,})")


@dataclass(slots=True)
class _Order:
    """Where a page stands in the navigation."""

    order: int
    title: str = ""
    parent: str = ""
    """The target of the page it stands below."""


def plan_mkdocs(source: Source, plan: Plan, now: float) -> None:
    """Understand an MkDocs project."""
    name, table = source.table(*NAMES)
    docs = (next(iter(texts_of(table.get("docs_dir"))), "") or "docs").strip("/")
    plan.title = next(iter(texts_of(table.get("site_name"))), "")
    theme = table.get("theme")
    plan.lang = next(iter(texts_of(theme.get("language") if isinstance(theme, dict) else "")), "")
    plan.has_slashes = table.get("use_directory_urls") is not False
    if urlsplit(next(iter(texts_of(table.get("site_url"))), "")).path.strip("/"):
        plan.miss(name, "address", "site_url has a path: the pages' addresses are kept without it")
    plugins = str(table.get("plugins") or "")
    tag = _TAG + _MACRO if "macros" in plugins else _TAG
    for file in source.below(docs):
        path = file[len(docs) + 1 :]
        if is_markdown_name(file):
            _page(source, plan, file, path, now=now, tag=tag)
        else:
            plan.copies.append(Copy(file, f"content/{path}"))
    _order(plan, name, table.get("nav"), {leaf.source[len(docs) + 1 :]: leaf for leaf in plan.leaves})


def _page(source: Source, plan: Plan, file: str, path: str, *, now: float, tag: str) -> None:
    folder, _, last = path.rpartition("/")
    stem = f"{folder}/".lstrip("/")
    is_readme = last.lower() == "readme.md" and not any(
        f"{file[: -len(last)]}{name}" in source for name in ("index.md",)
    )
    target = f"{stem}index.md" if is_readme else path
    try:
        leaf, table = with_head(source.text(file), file, target)
    except Unreadable as fault:
        plan.miss(file, "page", f"not imported: {fault.reason}", fault.line)
        return
    translate(plan, leaf, table, now, addresses=_ADDRESSES)
    page = target.rpartition(".")[0]
    is_folder = target.rpartition("/")[2] == "index.md"
    leaf.url = f"/{stem}" if is_folder else f"/{page}/" if plan.has_slashes else f"/{page}.html"
    leaf.body = _plain_blocks(plan, leaf)
    rewrite(plan, leaf, Dialect("extension", tag, {}))
    plan.leaves.append(leaf)


def _plain_blocks(plan: Plan, leaf: Leaf) -> str:
    """Admonitions and tabs become quotations and headed parts; their text is not indented any more."""
    lines: list[str] = []
    open_blocks: list[tuple[int, bool]] = []
    fence = ""
    for line in leaf.body.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        while open_blocks and line.strip() and indent < open_blocks[-1][0] and not fence:
            open_blocks.pop()
        found = None if fence else _BLOCK.match(line)
        title = _block_title(found) if found else None
        quote = "> " * sum(is_quote for _, is_quote in open_blocks)
        rest = line[open_blocks[-1][0] if open_blocks else 0 :]
        if found is not None and title is not None:
            is_quote = not found["mark"].startswith("=")
            plan.understood[f"extension: {'admonition' if is_quote else 'tab'}"] += 1
            lines += [
                quote.rstrip(),
                f"{quote}{'> ' if is_quote else ''}**{title}**",
                f"{quote}{'>' if is_quote else ''}".rstrip(),
            ]
            open_blocks.append((len(found["indent"]) + 4, is_quote))
            continue
        mark = _FENCE.match(rest)
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        lines.append(f"{quote}{rest}".rstrip() if open_blocks else line)
    return "\n".join(lines)


def _block_title(found: re.Match[str]) -> str | None:
    said = _TITLE.match(found["rest"])
    if said is None:
        return None
    words = said["kinds"].split()
    return said["title"] or (words[0].capitalize() if words else None)


def _order(plan: Plan, name: str, nav: object, pages: dict[str, Leaf]) -> None:
    """Give pages the places that the table of contents gives them."""
    if not isinstance(nav, list):
        return
    places: dict[str, _Order] = {}
    for path, place in islice(_steps(plan, name, nav, "", (id(nav),)), IMPORT_NAV_MAX):
        leaf = pages.get(path)
        if leaf is None:
            plan.miss(name, "nav", f"{path[:200]} is in nav, and is no page that was imported")
            continue
        places.setdefault(path, place)
        plan.understood["nav"] += 1
    for path, place in places.items():
        leaf = pages[path]
        leaf.head["nav_order"] = place.order
        if place.title:
            leaf.head["nav_title"] = place.title
        parent = pages.get(place.parent)
        if parent is not None and parent is not leaf and not _is_below(parent, leaf):
            leaf.head["nav_parent_id"] = path_key(parent.target).hex()


def _is_below(parent: Leaf, leaf: Leaf) -> bool:
    """Whether a page stands directly below another by its path already."""
    stem = parent.target.removesuffix("index.md").removesuffix(".md").rstrip("/")
    return leaf.target.removesuffix("/index.md").rpartition("/")[0] == stem


def _steps(plan: Plan, name: str, nav: list[Any], parent: str, above: tuple[int, ...]) -> Iterator[tuple[str, _Order]]:
    for order, item in enumerate(nav, 1):
        title, said = next(iter(item.items()), ("", None)) if isinstance(item, dict) else ("", item)
        if isinstance(said, str) and is_markdown_name(said.partition("#")[0]):
            yield said.partition("#")[0].removeprefix("./").lstrip("/"), _Order(order, str(title or ""), parent)
        elif isinstance(said, list) and id(said) not in above and len(above) < NAV_DEPTH_MAX:  # YAML has circles
            first = next(
                (page for page in map(_page_of, said) if page.rpartition("/")[2].lower() in {"index.md", "readme.md"}),
                "",
            )
            if first:
                yield first, _Order(order, str(title), parent)
            else:
                plan.miss(
                    name, "nav", f"the section {title!s:.100} has no page of its own: its pages keep their folders"
                )
            yield from _steps(plan, name, said, first or parent, (*above, id(said)))
        else:
            plan.miss(name, "nav", f"{said!s:.200} is no page of this site")


def _page_of(item: object) -> str:
    said = next(iter(item.values()), "") if isinstance(item, dict) else item
    return said if isinstance(said, str) else ""
