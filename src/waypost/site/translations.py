"""Which pages are translations of each other: whoever names whom, the set is the same for all of them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from operator import attrgetter

from waypost.limits import TRANSLATIONS_MAX
from waypost.site.naming import is_language
from waypost.site.objects import Entry
from waypost.site.references import References, alias_claim

__all__ = ["Links", "Translations"]

Links = tuple[tuple[str, str], ...]
"""Languages, and the path of the page in each."""


@dataclass(frozen=True, slots=True)
class _Set:
    pages: tuple[Entry, ...]
    links: Links


@dataclass(slots=True)
class Translations:
    """The sets of translations as they are at one moment: each is gone through once, for all who are in it."""

    references: References
    holder: Callable[[str], Entry | None]
    """The object served at a path."""
    by_key: Callable[[bytes], Entry | None]
    is_listed: Callable[[Entry], bool]
    lang: str
    """The language of pages that name none."""
    _sets: dict[bytes, _Set] = field(default_factory=dict)

    def of(self, entry: Entry) -> tuple[Entry, ...]:
        """The pages of a page's set, itself included: the same tuple for each of them."""
        return self._set_of(entry).pages

    def links(self, entry: Entry) -> Links:
        """What a page has to say of its translations and of itself; nothing where it is not among them."""
        links = self._set_of(entry).links
        # A second page in one language is in nobody's links, so that whom a page names names it too.
        return links if any(path == entry.path for _, path in links) else ()

    def _set_of(self, entry: Entry) -> _Set:
        known = self._sets.get(entry.key)
        if known is None:
            pages = self._gathered(entry)
            known = _Set(pages, self._linked(pages) if 1 < len(pages) <= TRANSLATIONS_MAX else ())
            self._sets.update((page.key, known) for page in pages)
        return known

    def _gathered(self, entry: Entry) -> tuple[Entry, ...]:
        found, queue = {entry.key: entry}, [entry]
        while queue:
            for other in self._near(queue.pop()):
                if other.key not in found:
                    found[other.key] = other
                    queue.append(other)
        return tuple(found.values())

    def _near(self, page: Entry) -> Iterator[Entry]:
        """Whom a page names as its translation, and who names it; an image's user does not."""
        for alias in page.sayings.translations.values():
            other = self.holder(alias_claim(alias))
            if other is not None:
                yield other
        if self.holder(page.claim) is page:
            for key in self.references.to(page):
                other = self.by_key(key)
                if other is not None and page.claim in map(alias_claim, other.sayings.translations.values()):
                    yield other

    def _linked(self, pages: Iterable[Entry]) -> Links:
        listed = sorted(filter(self.is_listed, pages), key=attrgetter("path"))
        names = {
            alias_claim(alias): lang for page in listed for lang, alias in sorted(page.sayings.translations.items())
        }
        by_lang: dict[str, tuple[str, str]] = {}
        for page in listed:
            lang = page.sayings.lang or names.get(page.claim) or self.lang
            if is_language(lang):
                by_lang.setdefault(lang.lower(), (lang, page.path))
        return tuple(sorted(by_lang.values())) if len(by_lang) > 1 else ()
