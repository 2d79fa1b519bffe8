"""Every object of a root under the settings in force, and the page table that follows from it. No disk in here."""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import quote

from waypost.limits import LASTMOD_EARLIEST_S
from waypost.publish.canonical import claim_rank, id_path
from waypost.publish.page import Page
from waypost.publish.paths import Form, Reserved, refuses
from waypost.publish.table import PageTable
from waypost.site.access import DENY, Access
from waypost.site.claims import Contest
from waypost.site.objects import EXPLICIT, NOINDEX, Entry, moment, shared
from waypost.site.references import References, alias_claim, relative_name
from waypost.site.reports import Reports
from waypost.site.settings import Lastmod
from waypost.site.shard import MARKDOWN, Row
from waypost.site.sidecar import EMPTY, Sidecar
from waypost.site.standing import Terms, judged, let_go, said_alias, shown_title, simple_claim, wish
from waypost.site.translations import Translations
from waypost.urls import is_absolute, url_fault

__all__ = ["Catalog", "Floor"]

_ASCII = "".join(map(chr, range(128)))
Floor = tuple[Access, bool]
"""What an object's access and `noindex` were before somebody began to write it in place: it may not grow past that."""

_FILES = frozenset((Form.FILE, Form.REPEATED))


def _alias_rank(entry: Entry) -> tuple[bool, bytes]:
    return claim_rank(entry.key, is_explicit=bool(entry.flags & EXPLICIT))


def _path_rank(entry: Entry) -> str:
    return entry.blob


def _key_rank(entry: Entry) -> bytes:
    return entry.key


class Catalog:
    """Objects by id and by path; whoever changes it holds the table's lock."""

    def __init__(
        self,
        terms: Terms,
        table: PageTable,
        reports: Reports,
        named: Callable[[str], Entry | None] = lambda _name: None,
    ) -> None:
        self.terms = terms
        self.table = table
        self.reports = reports
        self.named = named
        """The path object with a path below `content/`."""
        self.ids: Contest[bytes] = Contest(_path_rank)
        self.claims: Contest[str] = Contest(_alias_rank)
        self.moved: Contest[str] = Contest(_key_rank)
        """Paths of `redirect_from`, and who is there now."""
        self.references = References()
        self.wards: dict[str, set[bytes]] = {}
        """Objects that name another as their parent in the navigation, by that one's id as they wrote it."""
        self.waiting: list[Entry] = []
        """Pages of a walk that are not listed yet."""
        self._later: set[bytes] | None = None
        """Objects that are listed, or listed no longer, at the end of what goes on now; None: at once."""
        self._disputed: set[str | bytes] = set()
        """Paths and ids whose claimants are to be told who has them."""
        self._since = 0.0
        self._access: dict[tuple[str, ...], Access] = {}
        self.git_dates: Mapping[str, float] = {}
        self.floors: dict[str, Floor] = {}
        """Objects that somebody is writing in place, and what they may not grow past, by blob."""
        self.at_root = ""
        """The name of a README.md that stands in for the missing home page of a bare folder."""

    def __len__(self) -> int:
        return len(self.ids.holders)

    def entries(self) -> Iterable[Entry]:
        """Every object that could be read, those without a claim to their own id included."""
        yield from self.ids.holders.values()
        for rivals in self.ids.rivals.values():
            yield from rivals[1:]

    def holder(self, path: str) -> Entry | None:
        """The object served at a path without the slash policy."""
        return self.claims.holders.get(path)

    def once_at(self, claim: str) -> Entry | None:
        """The public object that was served at a path before, as its `redirect_from` says."""
        return next((entry for entry in self.moved.everyone(claim) if entry.access.is_public and entry.path), None)

    def by_key(self, key: bytes) -> Entry | None:
        """The object with an id."""
        return self.ids.holders.get(key)

    def enter(self, entry: Entry) -> None:
        """Take an object in."""
        loser = self.ids.enter(entry.key, entry)
        if loser is not None:
            if loser is not entry:
                self._withdraw(loser, 0.0)
            self._report(entry.key)
        if loser is not entry:
            self._place(entry)

    def load(self, rows: Iterable[Row]) -> None:
        """Take in the plain id objects of a walk."""
        for digits, version, modified, title, alias, words in rows:
            tags = words and shared(words)
            key = bytes.fromhex(digits)
            self.take(Entry(key, "", version, modified, title, MARKDOWN, tags, (), "json", EXPLICIT, None), alias)

    def take(self, entry: Entry, alias: str) -> None:
        """Take in a plain page of a walk, which says this alias or has it from its path; it is listed at the end."""
        claims, terms = self.claims.holders, self.terms
        claim = simple_claim(alias, terms)
        if not claim or claim in claims or entry.key in self.ids.holders or entry.name == self.at_root != "":
            entry.said = Sidecar(alias=alias) if entry.flags & EXPLICIT else EMPTY
            self.enter(entry)
            return
        self.ids.holders[entry.key] = claims[claim] = entry
        access = self._access.get(entry.tags)
        if access is None:
            access = self._access[entry.tags] = judged(entry, terms)
        entry.claim, entry.access = claim, access
        entry.path = f"{claim}/" if terms.always_slash else claim
        if access.is_public:
            self.waiting.append(entry)

    @contextlib.contextmanager
    def listed_at_end(self) -> Iterator[None]:
        """List and report once, at the end: what names each other is not gone through again for each of them."""
        self._later = set()
        try:
            yield
        finally:
            self._list_waiting()

    def _list_waiting(self) -> None:
        """List what a walk took in, and anew whom that concerns."""
        waiting, self.waiting = self.waiting, []
        later, self._later = self._later or (), None
        self._report_disputed()
        if self.terms.settings.lastmod is Lastmod.DISK and self.references.is_empty:
            lang = self.terms.settings.lang
            self.table.load(
                Page(e.key, e.path, e.modified if e.modified >= LASTMOD_EARLIEST_S else None, e.title, lang)
                for e in waiting
                if e.path
            )
            waiting.clear()
        sets = self._sets()
        waiting = [entry for entry in waiting if entry.path]
        self.table.load(self._page(entry, sets) for entry in waiting)
        keys, translated = set(later), set[bytes]()
        for entry in (*waiting, *filter(None, map(self.by_key, later))):
            if self._is_in_sight(entry):
                keys |= self.references.to(entry)
                if entry.key not in translated:
                    translated.update(other.key for other in sets.of(entry))
        self._list_all(filter(None, map(self.by_key, sorted(keys | translated))), sets)

    def leave(self, entry: Entry, at: float = 0.0) -> None:
        """Let an object go: it was changed, or is gone since `at`."""
        was_holder = self.ids.holders.get(entry.key) is entry
        heir = self.ids.leave(entry.key, entry)
        if was_holder:
            self._withdraw(entry, at)
        if heir is not None:
            self.reports.settle(heir.blob, "id")
            self._place(heir)
            self._report(heir.key)

    def rejudge(self, terms: Terms, table: PageTable, at: float) -> None:
        """Judge everything anew under other terms, in force since `at`; what stays listed as it was is not touched."""
        entries = list(self.entries())
        self.reset(terms, table)
        self._since = at
        with self.listed_at_end():
            for entry in entries:
                for topic in ("id", "alias", "claim"):
                    self.reports.settle(entry.blob, topic)
                self.enter(entry)
        self._since = 0.0

    def turn_back(self, now: float) -> None:
        """The clock was put back: what changed or went later than now did so now."""
        sets = self._sets()
        for entry in self.entries():
            entry.modified = min(entry.modified, now)
            page = self.table.by_key(entry.key)
            if page is not None and (page.last_modified or 0.0) > now:
                self._list(self.ids.holders[entry.key], sets)
        for run in self.table.runs:
            run.gone_at = min(run.gone_at, now)
        self.table.gone_at = min(self.table.gone_at, now)

    def reset(self, terms: Terms, table: PageTable) -> None:
        """Know nothing, under these terms."""
        self.terms, self.table = terms, table
        self._access.clear()
        self.waiting.clear()
        self.ids, self.claims, self.moved = Contest(_path_rank), Contest(_alias_rank), Contest(_key_rank)
        self.references = References()
        self.wards.clear()

    def _place(self, entry: Entry) -> None:
        terms = self.terms
        if entry.said is None:  # its path says its alias, which may be refused this time
            entry.said = Sidecar(alias=said_alias(entry)) if entry.flags & EXPLICIT else EMPTY
        entry.access = judged(entry, terms)
        if self.floors and (floor := self.floors.get(entry.blob)) is not None:
            _narrow(entry, floor)
        wanted = wish(entry, terms, at_root=bool(self.at_root) and entry.name == self.at_root)
        entry.flags = entry.flags | EXPLICIT if wanted.is_explicit else entry.flags & ~EXPLICIT
        entry.claim, entry.title = wanted.claim, shown_title(entry, wanted, terms)
        let_go(entry)
        for topic in ("alias", "moved"):
            self.reports.settle(entry.blob, topic)
        if wanted.fault:
            is_file = wanted.row is not None and wanted.row.form in _FILES and not entry.is_markdown
            self.reports.say(entry.blob, "alias", wanted.fault, withheld=is_file)
            if is_file:
                entry.access = DENY
        loser = self.claims.enter(entry.claim, entry) if entry.claim else None
        if loser is not None:
            self._report(entry.claim)
            if loser is not entry:
                self.publish(loser)
        if entry.said is not None:
            refused = [f"from {claim}: {row.why}" for claim, row in self._former(entry) if row is not None]
            if refused:
                self.reports.say(entry.blob, "moved", f"redirects are refused, {'; '.join(refused)}")
            for claim, row in self._former(entry):
                if row is None:
                    self.moved.enter(claim, entry)
            self.references.add(entry)
            if entry.said.nav_parent_id:
                self.wards.setdefault(entry.said.nav_parent_id, set()).add(entry.key)
        self.publish(entry)

    def _withdraw(self, entry: Entry, at: float) -> None:
        related = self._related(entry, self._sets())
        self.table.discard(entry.key, at)
        entry.path = ""
        heir = self.claims.leave(entry.claim, entry) if entry.claim else None
        if entry.said is not None:
            for claim, _ in self._former(entry):
                self.moved.leave(claim, entry)
            self.references.discard(entry)
            if entry.said.nav_parent_id:
                self.wards.get(entry.said.nav_parent_id, set()).discard(entry.key)
        if heir is not None:
            self.reports.settle(heir.blob, "claim")
            self.publish(heir)
            self._report(heir.claim)
        self._list_all(related, self._sets())

    def _former(self, entry: Entry) -> Iterable[tuple[str, Reserved | None]]:
        """The paths an object says it had before, and the row that keeps one from leading anywhere."""
        for alias in entry.sayings.redirect_from:
            if claim := alias_claim(alias):
                yield claim, refuses(alias, self.terms.settings.admin_path)

    def _report(self, claim: str | bytes) -> None:
        """Say of all who want a path or an id who has it, whenever its holder changes."""
        self._disputed.add(claim)
        if self._later is None:
            self._report_disputed()

    def _report_disputed(self) -> None:
        disputed, self._disputed = self._disputed, set()
        for claim in disputed:
            claimants = self.claims.everyone(claim) if isinstance(claim, str) else self.ids.everyone(claim)
            for holder in claimants[:1]:
                self.reports.settle(holder.blob, "claim" if isinstance(claim, str) else "id")
            for other in claimants[1:]:
                if isinstance(claim, str):
                    why = f"{claimants[0].blob} has the alias {claim}; it is at /id/"
                    self.reports.say(other.blob, "claim", why)
                else:
                    why = f"has the id {claim.hex()} as {claimants[0].blob} has"
                    self.reports.say(other.blob, "id", why, withheld=True)

    def publish(self, entry: Entry) -> None:
        """Give an object its path, and list it if it is a page for everybody."""
        slash = self.terms.always_slash
        claim = entry.claim
        if claim and self.claims.holders.get(claim) is entry:
            entry.path = f"{claim}/" if slash and claim != "/" and entry.is_markdown else claim
        else:
            entry.path = id_path(entry.key, always_slash=slash and entry.is_markdown)
        if self._later is not None:
            self._later.add(entry.key)
            return
        sets = self._sets()
        self._list_all((entry, *self._related(entry, sets)), sets)

    def _list_all(self, entries: Iterable[Entry], sets: Translations) -> None:
        """List these, or note them for the end of what goes on."""
        if self._later is not None:
            self._later.update(entry.key for entry in entries)
            return
        for entry in entries:
            self._list(entry, sets)

    def _list(self, entry: Entry, sets: Translations) -> None:
        if self.is_listed(entry):
            self.table.add(self._page(entry, sets))
        else:
            self.table.discard(entry.key, max(entry.modified, self._since))

    def is_listed(self, entry: Entry) -> bool:
        """Whether an object is a page that everybody may see and find."""
        return entry.access.is_public and entry.is_markdown and not entry.flags & NOINDEX and bool(entry.path)

    def _page(self, entry: Entry, sets: Translations) -> Page:
        said = entry.sayings
        if entry.said is None and self.references.is_empty:
            modified = self._modified(entry)
            return Page(entry.key, entry.path, modified, entry.title, self.terms.settings.lang)
        return Page(
            entry.key,
            entry.path,
            self._modified(entry),
            entry.title,
            said.lang or self.terms.settings.lang,
            sets.links(entry) if self._is_in_sight(entry) else (),
            tuple(dict.fromkeys(self._images(entry))) if said.images else (),
            _date(said.published),
            _date(said.updated),
            said.description or "",
        )

    def _modified(self, entry: Entry) -> float | None:
        policy, modified = self.terms.settings.lastmod, entry.modified
        said: float | None = None
        if policy is Lastmod.DECLARED and entry.said is not None:
            said = moment(entry.said.updated)
        elif policy is Lastmod.GIT:
            said = max(self.git_dates.get(entry.blob, 0.0), self.git_dates.get(entry.sidecar, 0.0)) or None
        if said is not None and said <= time.time():
            modified = said
        return modified if modified >= LASTMOD_EARLIEST_S else None

    def _images(self, entry: Entry) -> Iterable[str]:
        for image in entry.sayings.images:
            if is_absolute(image):
                # Other letters than ASCII are escaped, as readers do; what is no URL then is left out.
                url = quote(image, safe=_ASCII, errors="replace")
                if url_fault(url) is None:
                    yield url
                continue
            target = self.target(entry, image)
            if target is not None and target.access.is_public and target.path:
                yield target.path

    def target(self, entry: Entry, reference: str) -> Entry | None:
        """The object a relative reference of another names: a file beside it, else whatever has it as its alias."""
        name = relative_name(entry, reference)
        return (self.named(name) if name else None) or self.holder(alias_claim(reference))

    def _related(self, entry: Entry, sets: Translations) -> list[Entry]:
        """Who else is listed differently when this object changes: its translations, and who shows it."""
        if not self._is_in_sight(entry):
            return []
        keys = self.references.to(entry) | {other.key for other in sets.of(entry)}
        keys.discard(entry.key)
        return [other for key in sorted(keys) if (other := self.by_key(key)) is not None]

    def _is_in_sight(self, entry: Entry) -> bool:
        """Whether an object names others, or any names it."""
        return not self.references.is_empty and (entry.said is not None or bool(self.references.to(entry)))

    def _sets(self) -> Translations:
        return Translations(self.references, self.holder, self.by_key, self.is_listed, self.terms.settings.lang)


def _date(text: object) -> float | None:
    """A date an owner gave; one that no page of the web can have is none."""
    date = moment(text)
    return date if date is not None and date >= LASTMOD_EARLIEST_S else None


def _narrow(entry: Entry, floor: Floor) -> None:
    """Keep an object that is being written in place within what it was before."""
    access, is_noindex = floor
    if not entry.access.within(access):
        entry.access = DENY
    if is_noindex:
        entry.flags |= NOINDEX
