"""Who may see an object: tags carry roles, roles restrict, and whatever is unclear denies.

    no tag with roles                → public
    any tag with access intersect    → the intersection of the role sets
    else any tag with access union   → their union
    else                             → the intersection
    an empty result                  → deny

A sidecar's own `roles` are one more set; `access = "deny"` and `draft` end it. A tag that is not in the table is only
a label.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from waypost.site.notation import Unreadable, read_yaml

__all__ = ["DENY", "PUBLIC", "Access", "Combine", "Tag", "Tags", "judge", "narrowed", "read_tags_yaml"]


class Combine(Enum):
    """How the role sets of several tags are combined."""

    UNION = "union"
    INTERSECT = "intersect"


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag's row: the roles that may see what carries it; none make it a label."""

    roles: frozenset[str] = frozenset()
    access: Combine | None = None


Tags = Mapping[str, Tag]


@dataclass(frozen=True, slots=True)
class Access:
    """The verdict: everybody, the holders of some roles, or (no roles) nobody."""

    is_public: bool
    roles: frozenset[str] = frozenset()

    def within(self, other: "Access") -> bool:
        """Whether nobody sees more by this verdict than by the other."""
        if other.is_public:
            return True
        return not self.is_public and self.roles <= other.roles


PUBLIC = Access(is_public=True)
DENY = Access(is_public=False)


def judge(tags: Iterable[str], roles: Iterable[str], table: Tags | None, *, is_denied: bool = False) -> Access:
    """Who may see an object with these tags and roles of its own.

    `table` is None while the table of tags cannot be read: then every object with a tag is denied.
    """
    tags = tuple(tags)
    if is_denied or (table is None and tags):
        return DENY
    rows = [row for tag in tags if (row := (table or {}).get(tag)) is not None and row.roles]
    sets = [row.roles for row in rows]
    if own := frozenset(roles):
        sets.append(own)
    if not sets:
        return PUBLIC
    ways = {row.access for row in rows}
    is_union = Combine.UNION in ways and Combine.INTERSECT not in ways
    return Access(is_public=False, roles=frozenset.union(*sets) if is_union else frozenset.intersection(*sets))


def narrowed(new: Tags, settled: Tags) -> dict[str, Tag]:
    """The tags of a table that is still being written: what restricted before goes on restricting as before."""
    return {**new, **{name: tag for name, tag in settled.items() if tag.roles}}


def read_tags_yaml(data: bytes) -> dict[str, Tag]:
    """Read `state/sys/tags.yaml`: a map from tag to `roles` and `access_rule`. Raises Unreadable."""
    value = read_yaml(data, None)
    if not isinstance(value, dict):
        raise Unreadable("not a map of tags", 1)
    return {name: _tag(name, row) for name, row in value.items()}


def _tag(name: str, row: Any) -> Tag:
    if row is None:
        return Tag()
    if not isinstance(row, dict):
        raise Unreadable(f"the tag {name} is not a map", 1)
    if any(isinstance(value, dict) for value in row.values()):
        raise Unreadable(f"the tag {name} holds maps where its roles were expected", 1)
    roles = row.get("roles") or []
    if not isinstance(roles, list) or not all(isinstance(role, str) for role in roles):
        raise Unreadable(f"the roles of the tag {name} are not a list of words", 1)
    rule = row.get("access_rule", row.get("access"))
    try:
        combine = None if rule is None else Combine(str(rule).lower())
    except ValueError:
        raise Unreadable(f"the tag {name} has the access rule {rule!r}; union or intersect are known", 1) from None
    return Tag(frozenset(roles), combine)
