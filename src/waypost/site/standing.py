"""How an object stands under the settings: who may see it, and which path it wants."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter

from waypost.limits import ALIAS_CHARS_MAX
from waypost.publish.canonical import AliasFault, alias_path, canonical_alias
from waypost.publish.paths import RESERVED, Form, Reserved, admin_row, refuses
from waypost.site.access import Access, Tag, judge
from waypost.site.naming import derived_alias
from waypost.site.objects import DENIED, EXPLICIT, Entry, file_title
from waypost.site.settings import Settings, Slash
from waypost.site.sidecar import EMPTY, Sidecar

__all__ = ["Terms", "Wish", "judged", "let_go", "said_alias", "shown_title", "simple_claim", "wish"]

_SIMPLE = re.compile(r"([a-z0-9_-]+)(?:/[a-z0-9_-]+)*")
"""Aliases whose canonical form is plain to see, which is nearly all of them."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What standing depends on: settings, the table of tags (None: it cannot be read), and the shape of the root."""

    settings: Settings
    tags: Mapping[str, Tag] | None
    taken: frozenset[str]
    """First segments that the registry or the admin path may refuse."""

    @classmethod
    def of(cls, settings: Settings, tags: Mapping[str, Tag] | None) -> "Terms":
        """The terms that these settings set."""
        first = {row.name.partition("/")[0] for row in RESERVED}
        if row := admin_row(settings.admin_path):
            first.add(row.name.partition("/")[0])
        return cls(settings, tags, frozenset(first))

    @property
    def always_slash(self) -> bool:
        """Whether the URL of a page ends in a slash."""
        return self.settings.slash is Slash.ALWAYS


@dataclass(frozen=True, slots=True)
class Wish:
    """The path an object wants, without the slash policy, and if it gets none, why."""

    claim: str
    is_explicit: bool = False
    fault: str = ""
    row: Reserved | None = None


def shown_title(entry: Entry, wanted: Wish, terms: Terms) -> str:
    """An object's title; not the name of its file where that is the admin path."""
    name = file_title(entry.blob, entry.mime) if entry.name else ""
    if wanted.row is not None and wanted.row == admin_row(terms.settings.admin_path):
        return "" if entry.title == name else entry.title
    return entry.title or name


def judged(entry: Entry, terms: Terms) -> Access:
    """Who may see the object."""
    if not entry.tags and not entry.roles and not entry.flags & DENIED:
        return _PUBLIC
    return judge(entry.tags, entry.roles, terms.tags, is_denied=bool(entry.flags & DENIED))


_PUBLIC = judge((), (), {})


def said_alias(entry: Entry) -> str | None:
    """The alias somebody wrote: None for nothing said, "" for none wanted."""
    if entry.said is not None:
        return entry.said.alias
    return entry.claim[1:] if entry.flags & EXPLICIT else None


def simple_claim(alias: str, terms: Terms) -> str:
    """The path that an alias which is plain to see claims; "" for one that has to be looked at more closely."""
    found = _SIMPLE.fullmatch(alias)
    if not found or found[1] in terms.taken or alias in {"index", terms.settings.home}:
        return ""
    return f"/{alias}" if len(alias) <= ALIAS_CHARS_MAX else ""


def wish(entry: Entry, terms: Terms, *, at_root: bool = False) -> Wish:
    """The path an object wants. `at_root`: it stands in for the missing home page of a bare folder."""
    said = said_alias(entry)
    if said is None:
        if at_root:
            return Wish("/")
        if not entry.name or not terms.settings.path_alias:
            return Wish("")
        derived = derived_alias(entry.name)
        if claim := simple_claim(derived, terms):
            return Wish(claim)
        return _judged_alias(derived, entry, terms, is_explicit=False)
    if not said.strip("/ "):
        return Wish("/", is_explicit=True) if said else Wish("")
    if claim := simple_claim(said, terms):
        return Wish(claim, is_explicit=True)
    return _judged_alias(said, entry, terms, is_explicit=True)


def _judged_alias(text: str, entry: Entry, terms: Terms, *, is_explicit: bool) -> Wish:
    alias = canonical_alias(text, derived=not is_explicit)
    if isinstance(alias, AliasFault):
        return Wish("", is_explicit, f"the alias {text!r} {alias.value}")
    if alias and alias == terms.settings.home:
        return Wish("/", is_explicit=True)
    if alias == "index" and is_explicit and not terms.settings.home:
        return Wish("/", is_explicit=True)
    # A folder's page is judged under its own name: docs.md and docs/index.md want the same path.
    row = refuses(alias, terms.settings.admin_path, terms.settings.indexnow_key)
    if row is not None and not (row.form is Form.SUFFIX and not entry.is_markdown and not is_explicit):
        return Wish("", is_explicit, f"the alias {alias!r} is refused: {row.why}", row)
    return Wish(alias_path(alias), is_explicit)


_OWN_FIELDS = frozenset(("id", "alias", "title", "mime", "tags", "roles", "draft", "noindex"))
_REST = tuple(key for key in Sidecar.__struct_fields__ if key not in _OWN_FIELDS)
_rest_of = attrgetter(*_REST)
_NOTHING = _rest_of(EMPTY)


def let_go(entry: Entry) -> None:
    """Forget the sayings of an object that says nothing but what stands in its entry's own fields."""
    said = entry.said
    if said is None or _rest_of(said) != _NOTHING:
        return
    if said.alias == (entry.claim[1:] if entry.flags & EXPLICIT else None):
        entry.said = None
