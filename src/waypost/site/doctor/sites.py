"""The sites of a directory, one after the other: which root each host shows, and the hosts nobody shows anything to."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from waypost.errors import ConfigError
from waypost.site.doctor.door import Door, Knock, Shown
from waypost.site.doctor.evidence import Stranger, Tenancy, Withheld
from waypost.site.tenants import LABEL, PLACE, SITES_FILE, SiteRow
from waypost.urls import host_of

__all__ = ["Member", "members", "strangers", "tenancy_of"]

_ANY_LABEL = "any"
_UNNAMED = "unnamed.invalid"


@dataclass(frozen=True, slots=True)
class Member:
    """One root to examine, as one origin shows it, and the other hosts that show it too."""

    name: str
    shown: Shown
    origin: str
    hosts: tuple[str, ...] = ()
    has_canonical: bool = False
    """Whether all hosts but one only lead to that one."""


def members(name: str, door: Door, rows: Iterable[SiteRow]) -> Iterator[Member | Withheld]:
    """Every site of a directory, those of labels too; a site whose settings are broken is withheld."""
    rows = tuple(rows)
    named = {host for row in rows for host in row.hosts}
    for row in rows:
        for folder, hosts in _shows(name, row, named):
            first = row.canonical[0] if row.canonical and row.canonical[0] in hosts else hosts[0]
            path = f"{name}/{folder}"
            try:
                shown = door.site(first)
            except ConfigError as error:
                yield Withheld(f"{path}/waypost.toml", 0, f"{error}; the whole site answers 503", is_site=True)
                continue
            if shown is not None:
                yield Member(path, shown, f"https://{first}", hosts, row.canonical is not None)


def _shows(name: str, row: SiteRow, named: set[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The folders a row shows, each with the hosts it is shown on."""
    if row.hosts or PLACE not in row.root:
        yield row.root, (*row.hosts, *(f"{_ANY_LABEL}{ending}" for ending in row.wildcards))
        return
    for label in _labels(name, row.root):
        hosts = tuple(host for ending in row.wildcards if (host := f"{label}{ending}") not in named)
        if hosts:
            yield row.root.replace(PLACE, label), hosts


def _labels(name: str, root: str) -> Iterator[str]:
    """The labels that have a folder now."""
    above, _, below = root.partition(PLACE)
    folder, _, start = above.rpartition("/")
    pattern = re.compile(f"{re.escape(start)}({LABEL.pattern}){re.escape(below.partition('/')[0])}")
    try:
        entries = sorted(entry.name for entry in (Path(name) / folder).iterdir() if entry.is_dir())
    except OSError:
        return
    for entry in entries:
        if found := pattern.fullmatch(entry):
            yield found[1]


async def strangers(name: str, door: Door, rows: Iterable[SiteRow]) -> list[Stranger]:
    """Hosts that should be answered and are not, and an unnamed one that is and should not be."""
    where = f"{name}/{SITES_FILE}"
    found = []
    for row in rows:
        why = f"is named, and its folder {row.root} is not there: it answers 421"
        found += [Stranger(host, where, why) for host in row.hosts if _is_unknown(door, host)]
        if row.canonical and _is_unknown(door, row.canonical[0]):
            why = f"is the canonical host of {(*row.hosts, *row.wildcards)[0]}, and no site names it: it answers 421"
            found.append(Stranger(row.canonical[0], where, why))
    answer = await door.answer(Knock(f"https://{_UNNAMED}", "/robots.txt"))
    if answer.status != 421:
        found.append(Stranger(_UNNAMED, where, f"is named by no site, and answers {answer.status}"))
    return found


def _is_unknown(door: Door, host: str) -> bool:
    try:
        return door.site(host) is None
    except ConfigError:
        return False


def tenancy_of(origin: str, rows: Iterable[SiteRow]) -> Tenancy:
    """Which hosts are not this origin's."""
    rows = tuple(rows)
    own = host_of(origin)
    others = frozenset(host for row in rows for host in row.hosts if host != own)
    return Tenancy(own, others, tuple(ending for row in rows for ending in row.wildcards))
