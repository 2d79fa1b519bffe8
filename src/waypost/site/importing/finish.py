"""What every import needs at the end: addresses kept, translations tied together, lists where there were lists."""

from collections.abc import Iterable
from urllib.parse import unquote

from waypost.publish.canonical import AliasFault, canonical_alias
from waypost.publish.paths import Form, refuses
from waypost.site.headings import first_heading
from waypost.site.importing.anchors import keep_anchors
from waypost.site.importing.lists import listed
from waypost.site.importing.plan import Copy, Leaf, Plan, Shape
from waypost.site.naming import derived_alias, is_ignored, path_key, sidecar_form
from waypost.site.navigation import words_of

__all__ = ["finish"]

_NEWEST_ON_HOME = 20
_LISTED = frozenset({Shape.HUGO, Shape.JEKYLL, Shape.MKDOCS})
"""Programs that show a list where a folder has no page, or an empty one."""
_INSTEAD = {"api": ("api-reference",)}
"""What says more than a reserved name with a suffix."""


def finish(plan: Plan) -> None:
    """Complete a plan: nothing of it is doubtful after this."""
    _part(plan)
    if plan.shape is Shape.NOPRESSURE:
        return
    keep_anchors(plan)
    _entitle(plan)
    _list_sections(plan)
    held: dict[str, Leaf] = {}
    for leaf in plan.leaves:
        if leaf.url is None and (alias := _derived(leaf)) is not None:
            held.setdefault(alias, leaf)
    wanted = [(leaf, alias) for leaf in plan.leaves if (alias := _wanted(plan, leaf)) is not None]
    for leaf, alias in sorted(wanted, key=lambda one: refuses(one[1]) is not None):
        _address(plan, leaf, alias, held)
    _tie_translations(plan)
    _stand_below(plan)
    _add_home(plan, held)


def _part(plan: Plan) -> None:
    """Nothing is written twice, nothing that would not be served, and nothing that would be taken for a sidecar."""
    taken: dict[str, str] = {}
    leaves = [leaf for leaf in plan.leaves if _is_free(plan, taken, leaf.source, f"content/{leaf.target}")]
    copies = []
    for copy in plan.copies:
        alias = copy.target.removeprefix("content/")
        row = refuses(alias) if plan.shape is not Shape.NOPRESSURE else None
        if row is not None and row.form is not Form.SUFFIX:
            plan.miss(copy.source, "file", f"left out: {row.why}")
        elif _is_free(plan, taken, copy.source, copy.target):
            copies.append(copy)
    plan.leaves, plan.copies = leaves, [copy for copy in copies if not _is_sidecar(plan, copy, taken)]


def _is_free(plan: Plan, taken: dict[str, str], source: str, target: str) -> bool:
    if any(is_ignored(part) for part in target.split("/")):
        plan.miss(source, "file", "left out: a file of this name is not served")
        return False
    if taken.setdefault(target, source) != source:
        plan.miss(source, "file", f"left out: {taken[target]} goes to {target} already")
        return False
    return True


def _is_sidecar(plan: Plan, copy: Copy, taken: dict[str, str]) -> bool:
    form = sidecar_form(copy.target)
    if plan.shape is Shape.NOPRESSURE or not form or copy.target[: -len(form) - 1] not in taken:
        return False
    plan.miss(copy.source, "file", "left out: beside a file of that name it would be read as its sidecar")
    return True


def _derived(leaf: Leaf) -> str | None:
    alias = canonical_alias(derived_alias(leaf.target), derived=True)
    return alias if isinstance(alias, str) else None


def _wanted(plan: Plan, leaf: Leaf) -> str | None:
    """The alias that a page should have for its address; None where its path says it already, or none can."""
    alias = _derived(leaf)
    if leaf.url is None:
        return alias if alias and refuses(alias) else None
    wanted = canonical_alias(unquote(leaf.url.partition("?")[0].partition("#")[0]), derived=True)
    if isinstance(wanted, AliasFault):
        plan.miss(leaf.source, "address", f"the address {leaf.url!r} cannot be kept: it {wanted.value}")
        return None
    return wanted


def _address(plan: Plan, leaf: Leaf, wanted: str, held: dict[str, Leaf]) -> None:
    """Let a page be served where it was: under the path of its file, or under an alias, or with a redirect."""
    row = refuses(wanted)
    if row is not None:
        instead = _free_alias(wanted, held)
        there = f"; the page is at /{instead}" if instead else ""
        plan.miss(leaf.source or leaf.target, "address", f"the address /{wanted} cannot be kept: {row.why}{there}")
        if not instead:
            return
        wanted = instead
    if held.setdefault(wanted, leaf) is not leaf:
        plan.miss(leaf.source, "address", f"{held[wanted].source} has the address /{wanted} too")
        return
    derived = _derived(leaf)
    if wanted == derived:
        return
    plan.understood["addresses kept by an alias or a redirect"] += 1
    if isinstance(canonical_alias(wanted), str) and wanted:
        leaf.head["alias"] = wanted
    else:
        leaf.head["redirect_from"] = list(dict.fromkeys([wanted or "/", *leaf.head.get("redirect_from", ())]))


def _free_alias(reserved: str, held: dict[str, Leaf]) -> str:
    """What is like a reserved alias, and free; "" where nothing is."""
    parts = reserved.split("/")
    for place, part in enumerate(parts):
        for name in (*_INSTEAD.get(part, ()), f"{part}-page"):
            alias = "/".join([*parts[:place], name, *parts[place + 1 :]])
            if refuses(alias) is None and alias not in held and canonical_alias(alias) == alias:
                return alias
    return ""


def _alias(leaf: Leaf) -> str:
    return str(leaf.head.get("alias") or _derived(leaf) or "")


def _tie_translations(plan: Plan) -> None:
    groups: dict[str, list[Leaf]] = {}
    for leaf in plan.leaves:
        if leaf.group:
            groups.setdefault(leaf.group, []).append(leaf)
    for leaves in groups.values():
        for leaf in leaves:
            others = {str(other.head["lang"]): _alias(other) or "/" for other in leaves if other is not leaf}
            if others:
                leaf.head["translations"] = others
                plan.understood["translations"] += 1


def _entitle(plan: Plan) -> None:
    """A page that stands for its folder is never called by the name of its file."""
    for leaf in plan.leaves:
        if leaf.is_index and not leaf.head.get("title") and not first_heading(leaf.body):
            folder = derived_alias(leaf.target)
            leaf.head["title"] = words_of(folder.rpartition("/")[2]) if folder else plan.title or "Home"


def _list_sections(plan: Plan) -> None:
    """Where another program made a list of a folder, there is one: of what the folder had when it was imported."""
    if plan.shape not in _LISTED:
        return
    targets = {leaf.target for leaf in plan.leaves}
    indexes = {derived_alias(leaf.target): leaf for leaf in plan.leaves if leaf.is_index}
    folders = _folders(leaf for leaf in plan.leaves if not leaf.is_hidden)
    for folder in sorted(folders, key=lambda folder: (-folder.count("/"), folder)):
        own, leaves = indexes.get(folder), folders[folder]
        if (own is not None and own.body.strip()) or not leaves or f"{folder}.md" in targets:
            continue
        if own is None:
            own = Leaf("", f"{folder}/index.md", {"title": words_of(folder.rpartition("/")[2])}, "")
            own.url = f"/{folder}/" if plan.shape is Shape.HUGO else None
            plan.leaves.append(own)
            folders.get(own.folder, []).append(own)
        why = "its page was empty" if own.source else "it had no page"
        plan.made.append(f"content/{own.target}: a list of its folder, for {why}")
        own.body += "\n".join(["", *listed(leaves, own.target), ""])


def _folders(leaves: Iterable[Leaf]) -> dict[str, list[Leaf]]:
    """The pages of each folder, and of those above them."""
    folders: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        folder = leaf.folder
        if folder:
            folders.setdefault(folder, []).append(leaf)
        while folder := folder.rpartition("/")[0]:
            folders.setdefault(folder, [])
    return folders


def _stand_below(plan: Plan) -> None:
    """A page whose address is elsewhere still stands below the page of its folder or section."""
    pages = {leaf.target: leaf for leaf in plan.leaves if not leaf.is_hidden}
    indexes = {derived_alias(leaf.target): leaf for leaf in pages.values() if leaf.is_index}
    for leaf in plan.leaves:
        parent = indexes.get(leaf.folder) or pages.get(f"{leaf.folder}.md") if leaf.folder else None
        if parent is not None and _alias(leaf).rpartition("/")[0] != _alias(parent):
            leaf.head["nav_parent_id"] = path_key(parent.target).hex()


def _by_top(leaves: Iterable[Leaf]) -> dict[str, list[Leaf]]:
    folders: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        if leaf.folder:
            folders.setdefault(leaf.target.partition("/")[0], []).append(leaf)
    return folders


def _add_home(plan: Plan, held: dict[str, Leaf]) -> None:
    """A site without a home page gets one: the newest pages, or the first of each folder."""
    visible = [leaf for leaf in plan.leaves if not leaf.is_hidden]
    home = held.get("")
    if home is not None and (home.body.strip() or plan.shape not in _LISTED):
        return
    if home is None and (not visible or any(leaf.target == "index.md" for leaf in plan.leaves)):
        return
    dated = [leaf for leaf in visible if "published" in leaf.head and leaf is not home]
    tops = [leaf for leaf in visible if not leaf.folder and leaf is not home]
    lines = [*listed([leaf for leaf in tops if leaf not in dated], "index.md")]
    if plan.shape not in _LISTED:
        for folder, inside in sorted(_by_top(visible).items()):
            lines += ["", f"## {words_of(folder)}", "", *listed(inside, "index.md")]
    if dated:
        lines += ["", "## Newest", "", *listed(dated, "index.md", _NEWEST_ON_HOME)]
    if home is None:
        home = Leaf("", "index.md", {"title": plan.title or "Home"}, "")
        plan.leaves.append(home)
    home.body += "\n".join(["", *lines, ""])
    plan.made.append(f"content/{home.target}: a home page with the newest pages, for there was none to read")
