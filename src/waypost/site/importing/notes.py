"""Folders of notes: Obsidian's wikilinks, embeds and callouts, and plain Markdown, which needs nothing."""

import re
from urllib.parse import quote

from waypost.site.importing.head import texts_of, translate, with_head
from waypost.site.importing.leftovers import tell_leftovers
from waypost.site.importing.markup import Dialect, rewrite
from waypost.site.importing.plan import Copy, Leaf, Plan
from waypost.site.importing.source import Source
from waypost.site.naming import MARKDOWN, guess_mime, is_markdown_name, is_shard, read_id_name
from waypost.site.sidecar import Unreadable, read_sidecar

__all__ = ["plan_nopressure", "plan_notes"]

_TAG = r"(?P<name>!?)\[\[(?P<rest>[^\[\]\n]{1,1000})\]\]|(?P<inline>%%[^%]{0,4000}%%)"
_CALLOUT = re.compile(r"^(?P<start>[> ]*>[ ]*)\[!(?P<kind>[\w-]{1,40})\][+-]?[ \t]*(?P<title>[^\n]*)$", re.MULTILINE)
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp")
_ADDRESSES = ("aliases", "publish")


def plan_notes(source: Source, plan: Plan, now: float, *, is_vault: bool) -> None:
    """Understand a folder of notes; `is_vault`: it is Obsidian's."""
    plan.title = source.name
    names = _names(source, plan, now)
    for file in source.files:
        if file.endswith((".canvas", ".base")):
            plan.miss(file, "file", "only Obsidian reads it; not imported")
        elif not is_markdown_name(file):
            plan.copies.append(Copy(file, f"content/{file}"))
    for leaf in plan.leaves:
        tell_leftovers(plan, leaf)
        if is_vault or "[[" in leaf.body:
            rewrite(plan, leaf, _dialect(plan, leaf, names))
        if "[!" in leaf.body:
            leaf.body = _CALLOUT.sub(_callout, leaf.body)


def _names(source: Source, plan: Plan, now: float) -> dict[str, str]:
    """Files by what a link may call them: path, name, the name without its ending, and Obsidian's aliases."""
    names: dict[str, str] = {}
    for file in source.files:
        stem = file.rpartition(".")[0] if is_markdown_name(file) else file
        for name in (file, stem, file.rpartition("/")[2], stem.rpartition("/")[2]):
            names.setdefault(name.lower(), file)
        if not is_markdown_name(file):
            continue
        try:
            leaf, table = with_head(source.text(file), file, file)
            if file.lower() == "readme.md" and not any(name.lower() == "index.md" for name in source.files):
                leaf.target = "index.md"
        except Unreadable as fault:
            plan.miss(file, "page", f"not imported: {fault.reason}", fault.line)
            continue
        translate(plan, leaf, table, now, addresses=_ADDRESSES)
        if leaf.target != file:
            leaf.head["redirect_from"] = [file.removesuffix(".md").lower()]
        if table.get("publish") is False:
            leaf.head["draft"] = True
        aliases = texts_of(table.get("aliases"))
        for alias in aliases:
            names.setdefault(alias.lower(), file)
        paths = [alias.strip("/").lower() for alias in aliases if "/" in alias.strip()[:-1] or alias.startswith("/")]
        if paths:
            leaf.head["redirect_from"] = [*leaf.head.get("redirect_from", ()), *paths]
            plan.understood["front matter: aliases"] += 1
        if len(paths) < len(aliases):
            plan.wonder(file, "aliases (but for links to it)")
        plan.leaves.append(leaf)
    return names


def _dialect(plan: Plan, leaf: Leaf, names: dict[str, str]) -> Dialect:
    def target(rest: str) -> tuple[str, str, str]:
        path, _, label = rest.partition("|")
        name, mark, anchor = path.strip().partition("#")
        file = names.get(name.lower().strip("/")) if name else leaf.source
        anchor = re.sub(r"[^\w\- ]", "", anchor.lower()).strip().replace(" ", "-")
        return (
            (f"/{quote(file)}" if file else ""),
            (f"#{anchor}" if mark and anchor else ""),
            label.strip() or path.strip(),
        )

    def link(rest: str, _: Leaf) -> str | None:
        path, anchor, label = target(rest)
        if not path:
            plan.miss(leaf.source, "wikilink", f"[[{rest[:80]}]] names nothing: its text is shown")
        return f"[{label}]({path}{anchor})" if path else label

    def embed(rest: str, page: Leaf) -> str | None:
        path, _, label = target(rest)
        if path.lower().endswith(_PICTURES):
            name = rest.partition("|")[0].rpartition("/")[2].rpartition(".")[0]
            return f"![{name if label.isdigit() or label == rest.strip() else label}]({path})"
        return link(rest, page) if path else None

    return Dialect("wikilink", _TAG, {"": link, "!": embed, "inline": lambda *_: ""})


def _callout(found: re.Match[str]) -> str:
    title = found["title"].strip() or found["kind"].replace("-", " ").capitalize()
    return f"{found['start']}**{title}**\n{found['start'].rstrip()}"


def plan_nopressure(source: Source, plan: Plan) -> None:
    """A NoPressure root is served as it is: its content and its table of tags are copied."""
    plan.title = "" if "waypost.toml" in source else source.name
    plan.pages_copied = _pages(source)
    for file in source.files:
        if file.startswith("content/") or file in {"state/sys/tags.yaml", "waypost.toml"}:
            plan.copies.append(Copy(file, file))
    rest = len(source.files) - len(plan.copies)
    if rest:
        plan.miss(
            "",
            "file",
            f"{rest:,} file{'' if rest == 1 else 's'} beside content/ and state/sys/tags.yaml are not imported",
        )


def _pages(source: Source) -> int:
    pages, newest = 0, dict[bytes, tuple[int, str, str]]()
    for file in source.below("content"):
        _, _, place = file.partition("/")
        folder, _, name = place.rpartition("/")
        found = read_id_name(name) if is_shard(folder) else None
        if found is None:
            pages += is_markdown_name(file)
        elif found[2]:
            newest[found[0]] = max(newest.get(found[0], (0, "", "")), (found[1], file, found[2]))
    return pages + sum(_is_page(source, file, form) for _, file, form in newest.values())


def _is_page(source: Source, file: str, form: str) -> bool:
    try:
        said = read_sidecar(source.text(file).encode(), form)
    except Unreadable:
        return False
    return (said.mime or guess_mime(said.original_filename or "a.md")) == MARKDOWN
