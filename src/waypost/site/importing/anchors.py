"""Attribute lists: links follow the id of a heading to the one it has here, and nothing else of a list is kept."""

import re
from functools import partial
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urljoin

from waypost.site.codeparts import CODE
from waypost.site.headings import first_heading
from waypost.site.importing.plan import Leaf, Plan
from waypost.site.markdown import render

__all__ = ["drop_attributes", "keep_anchors"]

_ITEM = (
    r"""(?:[.#][\w:-][\w:.-]{0,100}|[A-Za-z][\w:-]{0,60}=(?:"[^"\n{}]{0,300}"|'[^'\n{}]{0,300}'|[^\s"'{}]{1,300}))"""
)
_LIST = rf"\{{(?::(?![:/])[^{{}}\n]{{0,500}}|[ \t]{{0,4}}{_ITEM}(?:[ \t]{{1,4}}{_ITEM}){{0,20}}[ \t]{{0,4}})\}}"
_ATTRIBUTES = re.compile(
    rf"^(?P<start>[ ]{{0,3}}\#{{1,6}}[ \t]++)(?P<heading>[^\n]{{0,1000}}?)[ \t]{{0,4}}(?P<of>{_LIST})[ \t]*\#*[ \t]*$"
    rf"|^(?P<lined>[^\n]{{1,1000}}?)[ \t]{{1,4}}(?P<of_lined>{_LIST})[ \t]*(?=\n[ ]{{0,3}}(?:=+|-+)[ \t]*$)"
    r"|^[ \t]{0,12}(?:[*+-]|1\.)[ \t][^\n]{0,200}\n[ \t]{0,12}(?P<toc>\{:[ \t]*toc\b[^{}\n]{0,200}\})[ \t]*$"
    rf"|^[ \t>]{{0,12}}(?P<alone>{_LIST})[ \t]*$|(?<=[)\]`*_>])(?P<after>{_LIST})"
    rf"|[ \t]{{1,4}}(?P<last>{_LIST})(?=[ \t]*(?:$|\|))|{CODE}",
    re.MULTILINE | re.DOTALL,
)
_ID = re.compile(r"[{\s:]#([\w:.-]+)|\bid=[\"']?([\w:.-]+)")
_LINK = re.compile(
    rf"{CODE}|(?P<start>\]\([ ]?<?|^[ ]{{0,3}}\[[^\[\]\n]{{1,200}}\]:[ ]{{0,4}}<?|\bhref=[\"'])"
    r"(?P<path>[^()\s<>#\"']{0,500})\#(?P<id>[^()\s<>\"']{1,200})",
    re.MULTILINE | re.DOTALL,
)


def drop_attributes(plan: Plan, leaf: Leaf) -> None:
    """Take attribute lists out of a text, line for line, and note which ids headings had by them."""
    seen, line = 0, leaf.first_line

    def plain(found: re.Match[str]) -> str:
        nonlocal seen, line
        said = next((found[name] for name in ("of", "of_lined", "toc", "alone", "after", "last") if found[name]), "")
        if not said:
            return found[0]
        plan.understood["attribute list"] += 1
        heading = found["heading"] or found["lined"]
        own = _ID.search(said)
        if own is not None and heading:
            leaf.anchors.append((own[1] or own[2], heading))
        elif own is not None:
            line += leaf.body.count("\n", seen, found.start())
            seen = found.start()
            text = f"#{own[1] or own[2]} is the id of no heading: links to it lead to its page"
            plan.miss(leaf.source, "attribute list", text, line)
        return f"{found['start'] or ''}{heading}" if heading else "\n" if found["toc"] else ""

    if "{" in leaf.body:
        leaf.body = _ATTRIBUTES.sub(plain, leaf.body)


def keep_anchors(plan: Plan) -> None:
    """Let links to the ids that headings had lead to those that they have now."""
    moved: dict[tuple[str, str], str] = {}
    for leaf in plan.leaves:
        if leaf.anchors:
            moved |= {(leaf.target, old): new for old, new in _moved(leaf) if old != new}
    if not moved:
        return
    pages = {leaf.url.strip("/"): leaf for leaf in plan.leaves if leaf.url is not None}
    pages |= {leaf.target: leaf for leaf in plan.leaves}

    def follow(leaf: Leaf, found: re.Match[str]) -> str:
        to = _page(pages, leaf, unquote(found["path"])) if found["start"] is not None else None
        new = moved.get((to.target, unquote(found["id"]))) if to is not None else None
        return f"{found['start']}{found['path']}#{new}" if new else found[0]

    for leaf in plan.leaves:
        if "#" in leaf.body:
            leaf.body = _LINK.sub(partial(follow, leaf), leaf.body)


def _moved(leaf: Leaf) -> list[tuple[str, str]]:
    ids: dict[str, list[str]] = {}
    for heading in render(leaf.body).headings:
        ids.setdefault(heading.text, []).append(heading.id)
    named = ((old, ids.get(first_heading(f"# {text}"))) for old, text in leaf.anchors)
    return [(old, here.pop(0)) for old, here in named if here]


def _page(pages: dict[str, Leaf], leaf: Leaf, path: str) -> Leaf | None:
    """The page that a link's path means: by its file, or by its address."""
    if not path:
        return leaf
    beside = normpath(join("/", dirname(leaf.target), path)).lstrip("/")
    ways = (beside, f"{beside}.md", f"{beside}/index.md", urljoin(leaf.url or "/", path).strip("/"))
    return next((pages[way] for way in ways if way in pages), None)
