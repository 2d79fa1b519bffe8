"""Every object of a root under the settings in force, and the page table that follows from it. No disk in here."""

import time
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from urllib.parse import quote

from waypost.limits import LASTMOD_EARLIEST_S, TRANSLATIONS_MAX
from waypost.publish.canonical import claim_rank, id_path
from waypost.publish.page import Page
from waypost.publish.paths import Form, Reserved, refuses
from waypost.publish.table import PageTable
from waypost.site.access import DENY, Access
from waypost.site.claims import Contest
from waypost.site.naming import is_language
from waypost.site.objects import EXPLICIT, NOINDEX, Entry, moment, shared
from waypost.site.references import References, alias_claim, relative_name
from waypost.site.reports import Reports
from waypost.site.settings import Lastmod
from waypost.site.shard import MARKDOWN, Row
from waypost.site.sidecar import EMPTY, Sidecar
from waypost.site.standing import Terms, judged, let_go, said_alias, simple_claim, wish
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
        holder = self.moved.holders.get(claim)
        rivals = self.moved.rivals.get(claim) or ([holder] if holder is not None else [])
        return next((entry for entry in rivals if entry.access.is_public and entry.path), None)

    def by_key(self, key: bytes) -> Entry | None:
        """The object with an id."""
        return self.ids.holders.get(key)

    def enter(self, entry: Entry) -> None:
        """Take an object in."""
        loser = self.ids.enter(entry.key, entry)
        if loser is not None:
            if loser is not entry:
                self._withdraw(loser, 0.0)
            self._report_ids(entry.key)
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

    def list_waiting(self) -> None:
        """List what a walk took in, and anew whom that concerns."""
        waiting, self.waiting = self.waiting, []
        if self.terms.settings.lastmod is Lastmod.DISK and self.references.is_empty:
            lang = self.terms.settings.lang
            self.table.load(
                Page(e.key, e.path, e.modified if e.modified >= LASTMOD_EARLIEST_S else None, e.title, lang)
                for e in waiting
                if e.path
            )
            return
        self.table.load(self._page(entry) for entry in waiting if entry.path)
        related = {other.key: other for entry in waiting if entry.path for other in self._related(entry)}
        for other in related.values():
            self._list(other)

    def leave(self, entry: Entry, at: float = 0.0) -> None:
        """Let an object go: it was changed, or is gone since `at`."""
        was_holder = self.ids.holders.get(entry.key) is entry
        heir = self.ids.leave(entry.key, entry)
        if was_holder:
            self._withdraw(entry, at)
        if heir is not None:
            self.reports.settle(heir.blob, "id")
            self._place(heir)
            self._report_ids(heir.key)

    def rejudge(self, terms: Terms, table: PageTable, at: float) -> None:
        """Judge everything anew under other terms, in force since `at`; what stays listed as it was is not touched."""
        entries = list(self.entries())
        self.reset(terms, table)
        self._since = at
        for entry in entries:
            for topic in ("id", "alias", "claim"):
                self.reports.settle(entry.blob, topic)
            self.enter(entry)
        self._since = 0.0

    def turn_back(self, now: float) -> None:
        """The clock was put back: what changed or went later than now did so now."""
        for entry in self.entries():
            entry.modified = min(entry.modified, now)
            page = self.table.by_key(entry.key)
            if page is not None and (page.last_modified or 0.0) > now:
                self._list(self.ids.holders[entry.key])
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
        entry.claim = wanted.claim
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
            self._report_claims(entry.claim)
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
        related = self._related(entry)
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
            self._report_claims(heir.claim)
        for other in related:
            self._list(other)

    def _former(self, entry: Entry) -> Iterable[tuple[str, Reserved | None]]:
        """The paths an object says it had before, and the row that keeps one from leading anywhere."""
        for alias in entry.sayings.redirect_from:
            if claim := alias_claim(alias):
                yield claim, refuses(alias, self.terms.settings.admin_path)

    def _report_claims(self, claim: str) -> None:
        """Say of all who want a path who has it, whenever its holder changes."""
        holder, *others = self.claims.rivals.get(claim, [self.claims.holders[claim]])
        self.reports.settle(holder.blob, "claim")
        for other in others:
            self.reports.say(other.blob, "claim", f"{holder.blob} has the alias {claim}; it is at /id/")

    def _report_ids(self, key: bytes) -> None:
        holder, *others = self.ids.rivals.get(key, [self.ids.holders[key]])
        self.reports.settle(holder.blob, "id")
        for other in others:
            self.reports.say(other.blob, "id", f"has the id {key.hex()} as {holder.blob} has", withheld=True)

    def publish(self, entry: Entry) -> None:
        """Give an object its path, and list it if it is a page for everybody."""
        slash = self.terms.always_slash
        claim = entry.claim
        if claim and self.claims.holders.get(claim) is entry:
            entry.path = f"{claim}/" if slash and claim != "/" and entry.is_markdown else claim
        else:
            entry.path = id_path(entry.key, always_slash=slash and entry.is_markdown)
        self._list(entry)
        for other in self._related(entry):
            self._list(other)

    def _list(self, entry: Entry) -> None:
        if self.is_listed(entry):
            self.table.add(self._page(entry))
        else:
            self.table.discard(entry.key, max(entry.modified, self._since))

    def is_listed(self, entry: Entry) -> bool:
        """Whether an object is a page that everybody may see and find."""
        return entry.access.is_public and entry.is_markdown and not entry.flags & NOINDEX and bool(entry.path)

    def _page(self, entry: Entry) -> Page:
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
            self._alternates(entry),
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

    def _related(self, entry: Entry) -> list[Entry]:
        """Who else is listed differently when this object changes: its translations, and who shows it."""
        if not self._is_in_sight(entry):
            return []
        keys = self.references.to(entry) | {other.key for other in self._translations(entry)}
        keys.discard(entry.key)
        return [other for key in sorted(keys) if (other := self.by_key(key)) is not None]

    def _is_in_sight(self, entry: Entry) -> bool:
        """Whether an object names others, or any names it."""
        return not self.references.is_empty and (entry.said is not None or bool(self.references.to(entry)))

    def _translations(self, entry: Entry) -> list[Entry]:
        """The pages that are translations of each other: whoever names whom, the set is the same for all of them."""
        found, queue = {entry.key: entry}, [entry]
        while queue and len(found) <= TRANSLATIONS_MAX:
            page = queue.pop()
            near = [self.holder(alias_claim(alias)) for alias in page.sayings.translations.values()]
            near += [self.by_key(key) for key in self.references.to(page)]
            for other in near:
                if other is not None and other.key not in found and _speaks_of(other, page):
                    found[other.key] = other
                    queue.append(other)
        return list(found.values())

    def _alternates(self, entry: Entry) -> tuple[tuple[str, str], ...]:
        if not self._is_in_sight(entry):
            return ()
        pages = [page for page in self._translations(entry) if self.is_listed(page)]
        if len(pages) < 2:
            return ()
        pages.sort(key=attrgetter("path"))
        names = {
            alias_claim(alias): lang for page in pages for lang, alias in sorted(page.sayings.translations.items())
        }
        by_lang: dict[str, tuple[str, str]] = {}
        for page in pages:
            lang = page.sayings.lang or names.get(page.claim) or self.terms.settings.lang
            if is_language(lang):
                by_lang.setdefault(lang.lower(), (lang, page.path))
        # A second page in one language is in nobody's set, so that whom a page names names it too.
        is_in = any(path == entry.path for _, path in by_lang.values())
        return tuple(sorted(by_lang.values())) if is_in and len(by_lang) > 1 else ()


def _date(text: object) -> float | None:
    """A date an owner gave; one that no page of the web can have is none."""
    date = moment(text)
    return date if date is not None and date >= LASTMOD_EARLIEST_S else None


def _speaks_of(one: Entry, other: Entry) -> bool:
    """Whether one of two pages names the other as its translation; an image's user does not."""
    named = [alias_claim(alias) for alias in one.sayings.translations.values()]
    return other.claim in named or one.claim in [alias_claim(alias) for alias in other.sayings.translations.values()]


def _narrow(entry: Entry, floor: Floor) -> None:
    """Keep an object that is being written in place within what it was before."""
    access, is_noindex = floor
    if not entry.access.within(access):
        entry.access = DENY
    if is_noindex:
        entry.flags |= NOINDEX
