"""MkDocs: docs/ with the order and names that `nav` gives, admonitions and tabs said in plain Markdown."""

import re

from waypost.site.importing.anchors import drop_attributes
from waypost.site.importing.head import texts_of, translate, with_head
from waypost.site.importing.leftovers import tell_leftovers
from waypost.site.importing.lost import tell_folder
from waypost.site.importing.markup import Dialect, rewrite
from waypost.site.importing.nav import order
from waypost.site.importing.plan import Copy, Leaf, Plan
from waypost.site.importing.source import Source, tell_settings
from waypost.site.naming import is_markdown_name
from waypost.site.sidecar import Unreadable

__all__ = ["NAMES", "plan_mkdocs"]

NAMES = ("mkdocs.yml", "mkdocs.yaml")
"""Where the settings of an MkDocs project may stand."""
_ADDRESSES = ("robots",)
_SETTINGS = frozenset(
    {"site_name", "site_url", "docs_dir", "theme", "nav", "use_directory_urls", "plugins", "markdown_extensions"}
)
_TAG = (
    r"(?P<name>--8<--)(?P<rest>[^\n]{0,1000})|(?P<inline>\[TOC\]"
    r"|:(?:material|fontawesome|octicons|simple)-[\w-]{1,100}:|:::[ ]*[\w.]{1,200})"
)
_MACRO = r"|\{%-?[^{}]{0,2000}-?%\}|(?P<output>\{\{[^{}]{0,2000}\}\})"
_BLOCK = re.compile(r"^(?P<indent>[ ]{0,24})(?P<mark>!!!|\?\?\?\+?|===\+?!?)[ \t]+(?P<rest>[^\n]{1,300})$")
_TITLE = re.compile(r'^(?P<kinds>[\w +-]*?)[ ]*(?:"(?P<title>[^"]*)")?[ ]*$')
_FENCE = re.compile(r"^[ ]{0,24}(`{3,}|~{3,})")


def plan_mkdocs(source: Source, plan: Plan, now: float) -> None:
    """Understand an MkDocs project."""
    name, table = source.table(*NAMES)
    if name:
        tell_settings(plan, name, source.text(name), [key for key in table if key not in _SETTINGS])
    docs = (next(iter(texts_of(table.get("docs_dir"))), "") or "docs").strip("/")
    plan.title = next(iter(texts_of(table.get("site_name"))), "")
    theme = table.get("theme")
    plan.lang = next(iter(texts_of(theme.get("language") if isinstance(theme, dict) else "")), "")
    plan.has_slashes = table.get("use_directory_urls") is not False
    tell_folder(plan, name, next(iter(texts_of(table.get("site_url"))), ""))
    plugins = str(table.get("plugins") or "")
    tag = _TAG + _MACRO if "macros" in plugins else _TAG
    for file in source.below(docs):
        path = file[len(docs) + 1 :]
        if is_markdown_name(file):
            _page(source, plan, file, path, now=now, tag=tag)
        else:
            plan.copies.append(Copy(file, f"content/{path}"))
    order(plan, name, table.get("nav"), {leaf.source[len(docs) + 1 :]: leaf for leaf in plan.leaves})


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
    tell_leftovers(plan, leaf)
    drop_attributes(plan, leaf)
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
