"""What an import would write, and what there is to say of it: values only, nothing is written here."""

import re
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from waypost.limits import IMPORT_REMARKS_MAX
from waypost.site.headings import first_heading
from waypost.site.naming import FOLDER_PAGES, derived_alias

__all__ = ["Copy", "Leaf", "Plan", "Remark", "Shape"]

_HYPHEN = re.compile(r"(?<!\d)-|-(?!\d)")
"""What stands for a blank; in a date it stands for itself."""


class Shape(Enum):
    """The kinds of folders that are recognised."""

    HUGO = "hugo"
    JEKYLL = "jekyll"
    MKDOCS = "mkdocs"
    NOPRESSURE = "nopressure"
    OBSIDIAN = "obsidian"
    MARKDOWN = "markdown"

    @property
    def label(self) -> str:
        """Its name as people write it."""
        return _LABELS[self]


_LABELS = {
    Shape.HUGO: "Hugo site",
    Shape.JEKYLL: "Jekyll site",
    Shape.MKDOCS: "MkDocs project",
    Shape.NOPRESSURE: "NoPressure root",
    Shape.OBSIDIAN: "Obsidian vault",
    Shape.MARKDOWN: "folder of Markdown",
}


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that was not understood: where in the source, what kind of thing, and what became of it."""

    file: str
    line: int
    topic: str
    text: str


@dataclass(slots=True)
class Leaf:
    """A page: where it comes from, where it goes below `content/`, what it says of itself, and its text."""

    source: str
    target: str
    head: dict[str, Any]
    body: str
    url: str | None = None
    """The path it was served at until now; None where nobody knows."""
    below: str = ""
    """The target of the page it stands below, where that is not its folder's."""
    group: str = ""
    """What it has in common with its translations."""
    first_line: int = 1
    """The line of the source at which the text begins."""
    anchors: list[tuple[str, str]] = field(default_factory=list)
    """The ids that headings were given, and their texts."""

    @property
    def is_hidden(self) -> bool:
        """Whether nobody will see it."""
        return bool(self.head.get("draft")) or self.head.get("access") == "deny"

    @property
    def is_index(self) -> bool:
        """Whether it stands for its folder."""
        return self.target.rpartition("/")[2].rpartition(".")[0].lower() in FOLDER_PAGES

    @property
    def folder(self) -> str:
        """The folder in whose list it stands: the one above, where it stands for its own."""
        return derived_alias(self.below) if self.below else derived_alias(self.target).rpartition("/")[0]

    @property
    def title(self) -> str:
        """A name for lists."""
        said = self.head.get("nav_title") or self.head.get("title") or first_heading(self.body)
        return str(said or _HYPHEN.sub(" ", derived_alias(self.target).rpartition("/")[2]))


@dataclass(frozen=True, slots=True)
class Copy:
    """A file that is copied as it is; both paths, the target below the new root."""

    source: str
    target: str


@dataclass(slots=True)
class Plan:
    """Everything an import does."""

    shape: Shape
    why: str
    """What it was recognised by."""
    title: str = ""
    lang: str = ""
    has_slashes: bool = False
    leaves: list[Leaf] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    pages_copied: int = 0
    """Pages among the files that are copied."""
    understood: Counter[str] = field(default_factory=Counter)
    """What was understood, and how often."""
    made: list[str] = field(default_factory=list)
    """Pages that were not in the source, and why they are here."""
    remarks: list[Remark] = field(default_factory=list)
    strange: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Keys of front matter that mean nothing here: the first page that has each, and how many do."""
    more: int = 0
    """Remarks beyond those that are kept."""

    @property
    def pages(self) -> int:
        """How many pages the new root has."""
        return len(self.leaves) + self.pages_copied

    def wonder(self, file: str, key: str) -> None:
        """A page has a key that means nothing here."""
        first, count = self.strange.get(key, (file, 0))
        self.strange[key] = first, count + 1

    def sum_up(self) -> None:
        """Say which keys mean nothing here, each once."""
        for key, (file, count) in self.strange.items():
            pages = "1 page has it" if count == 1 else f"{count:,} pages have it"
            self.miss(file, "front matter", f"{key:.80} means nothing here; {pages}")

    def miss(self, file: str, topic: str, text: str, line: int = 0) -> None:
        """Say what was not understood."""
        if len(self.remarks) < IMPORT_REMARKS_MAX:
            self.remarks.append(Remark(file, line, topic, text))
        else:
            self.more += 1
