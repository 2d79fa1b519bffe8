"""The table of contents that an MkDocs project gives: pages in its order and under its names, a page a section."""

from collections.abc import Iterator
from itertools import islice
from posixpath import commonpath, dirname
from typing import Any

from waypost.limits import IMPORT_LIST_MAX, IMPORT_NAV_MAX, NAV_DEPTH_MAX
from waypost.site.importing.hugo import urlized
from waypost.site.importing.plan import Leaf, Plan
from waypost.site.naming import FOLDER_PAGES, derived_alias, is_markdown_name

__all__ = ["order"]

_NAME_CHARS_MAX = 60


def order(plan: Plan, name: str, nav: object, pages: dict[str, Leaf]) -> None:
    """Give pages, by their paths in the source, the places that a table of contents in a file gives them."""
    if isinstance(nav, list):
        _Contents(plan, name, pages).place(nav, None, ())


class _Contents:
    """One table of contents, line by line."""

    def __init__(self, plan: Plan, name: str, pages: dict[str, Leaf]) -> None:
        self._plan, self._name, self._pages = plan, name, pages
        self._taken = {"", *(derived_alias(leaf.target) for leaf in plan.leaves)}
        self._placed: set[str] = set()
        self._left = IMPORT_NAV_MAX

    def place(self, nav: list[Any], section: Leaf | None, above: tuple[int, ...]) -> None:
        """Place what stands below the page of a section; `above` are the lists it stands in."""
        above = (*above, id(nav))
        for number, item in enumerate(nav, 1):
            self._left -= 1
            if self._left < 0:
                return
            title, said = _named(item)
            if path := _path_of(said):
                self._page(path, number, title, section)
            elif isinstance(said, list) and id(said) not in above and len(above) < NAV_DEPTH_MAX:  # YAML has circles
                self.place(said, self._section(said, number, title, section) or section, above)
            else:
                self._plan.miss(self._name, "nav", f"{said!s:.200} is no page of this site")

    def _page(self, path: str, number: int, title: str, section: Leaf | None) -> Leaf | None:
        leaf = self._pages.get(path)
        if leaf is None:
            self._plan.miss(self._name, "nav", f"{path[:200]} is in nav, and is no page that was imported")
        elif path not in self._placed:
            self._placed.add(path)
            self._plan.understood["nav"] += 1
            _stand(leaf, number, title, section)
        return leaf

    def _section(self, nav: list[Any], number: int, title: str, section: Leaf | None) -> Leaf | None:
        """The page of a section: the index among its pages, or one that is made."""
        paths = [path for path in islice(_paths(nav, 0), IMPORT_LIST_MAX) if path in self._pages]
        own = {path for _, said in map(_named, nav) if (path := _path_of(said)) in self._pages}
        first = next((path for path in paths if path in own and self._pages[path].is_index), "")
        if first:
            return self._page(first, number, title, section)
        folder = self._free_folder([self._pages[path].target for path in paths], title, section) if paths else ""
        if not folder:
            self._plan.miss(self._name, "nav", f"the section {title:.100} has no page: its pages keep their folders")
            return None
        leaf = Leaf("", f"{folder}/index.md", {"title": title}, "")
        self._taken.add(folder)
        self._plan.leaves.append(leaf)
        _stand(leaf, number, "", section)
        return leaf

    def _free_folder(self, targets: list[str], title: str, section: Leaf | None) -> str:
        """Where the page of a section can stand: in the folder that its pages have in common, or in one of its name."""
        start = f"{dirname(section.target)}/" if section is not None else ""
        name = urlized(title.replace("/", "-"))[:_NAME_CHARS_MAX].strip("._~-")
        named = f"{start}{name}" if name and name not in FOLDER_PAGES else ""
        return next((folder for folder in (commonpath(map(dirname, targets)), named) if folder not in self._taken), "")


def _stand(leaf: Leaf, number: int, title: str, section: Leaf | None) -> None:
    leaf.head["nav_order"] = number
    if title:
        leaf.head["nav_title"] = title
    if section is not None and section is not leaf:
        leaf.below = section.target


def _named(item: object) -> tuple[str, object]:
    title, said = next(iter(item.items()), ("", None)) if isinstance(item, dict) else ("", item)
    return str(title or ""), said


def _path_of(said: object) -> str:
    """The page that a line names by its path; "" where it names none."""
    path = said.partition("#")[0].removeprefix("./").lstrip("/") if isinstance(said, str) else ""
    return path if is_markdown_name(path) else ""


def _paths(nav: list[Any], depth: int) -> Iterator[str]:
    """The pages of a section and of those in it; "" for every other line."""
    for _, said in map(_named, nav):
        yield _path_of(said)
        if isinstance(said, list) and depth < NAV_DEPTH_MAX:
            yield from _paths(said, depth + 1)
