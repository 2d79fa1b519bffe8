"""Alternates of a page in other languages (SMX651 to SMX658)."""

from collections.abc import Iterable, Iterator
from itertools import chain

from waypost.check.rule import Fix, Hit, Rule, Severity, Step, rule
from waypost.check.rules.extensions.codes import language_fault
from waypost.check.rules.extensions.records import having, is_blank, of_kind
from waypost.formats.document import Document, Entry
from waypost.formats.extensions import Extension, Record
from waypost.formats.printable import clipped
from waypost.urls import absolute, is_absolute

__all__ = ["RULES"]

_alternates = having(Extension.ALTERNATE)
_SHOWN_CHARS = 120


def _rel(record: Record) -> list[str]:
    return (record.value("rel") or "").lower().split()


def _links(entry: Entry) -> Iterator[Record]:
    """The links of an entry that are, or were meant as, alternates in a language."""
    for record in of_kind(entry, Extension.ALTERNATE):
        if "alternate" in _rel(record) or (not _rel(record) and record.value("hreflang") is not None):
            yield record


@rule("SMX651", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_alternates)
def alternate_without_hreflang(entry: Entry) -> Iterable[Hit]:
    """An alternate link has no hreflang, or a link with hreflang has no rel="alternate".

    Why: crawlers need both to know that it is the page in another language.

    Fix: Write rel="alternate" hreflang="de" href="https://example.com/de/a".

    Bad:
        <url><loc>https://example.com/a</loc><xhtml:link rel="alternate" href="https://example.com/de"/></url>

    Bad:
        <url><loc>https://example.com/a</loc><xhtml:link hreflang="de" href="https://example.com/de"/></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/></url>
    """
    for record in _links(entry):
        if is_blank(record.value("hreflang")):
            yield Hit("an alternate link without hreflang", record.line, record.column)
        elif not _rel(record):
            yield Hit("a link with hreflang but without rel", record.line, record.column)


@rule("SMX652", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_alternates)
def alternate_not_absolute(entry: Entry) -> Iterable[Hit]:
    """An alternate link's href is missing or no absolute http(s) URL.

    Why: crawlers do not resolve it against the page.

    Fix: Write the whole URL.

    Bad:
        <url><loc>https://example.com/a</loc><xhtml:link rel="alternate" hreflang="de" href="/de"/></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/></url>
    """
    for record in _links(entry):
        href = record.value("href") or ""
        if not is_absolute(href.strip()):
            told = f"href “{clipped(href, _SHOWN_CHARS)}” is no absolute URL" if href.strip() else "href is missing"
            yield Hit(told, record.line, record.column)


@rule("SMX653", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED, column=_alternates)
def invalid_hreflang(entry: Entry) -> Iterable[Hit]:
    """A hreflang is no language code, or its region is none.

    Why: crawlers drop the link.

    Fix: Write a language (de), with a region where it matters (de-AT), or x-default.

    Bad:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="alternate" hreflang="en-UK" href="https://example.com/uk"/></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="alternate" hreflang="en-GB" href="https://example.com/uk"/></url>
    """
    for record in _links(entry):
        code = (record.value("hreflang") or "").strip()
        fault = language_fault(code) if code and code.lower() != "x-default" else ""
        if fault:
            yield Hit(f"hreflang “{clipped(code, _SHOWN_CHARS)}”: {fault}", record.line, record.column)


def _targets(entry: Entry) -> list[str]:
    """Where an entry's alternates lead; a link without a language is none yet.

    What is no whole URL is SMX652's: it is resolved, and stands for the page itself where it leads nowhere.
    """
    links = (record for record in _links(entry) if not is_blank(record.value("hreflang")))
    return [absolute(entry.loc, record.value("href") or "") or entry.loc for record in links]


@rule("SMX654", Step.FIELD_QUALITY, Severity.WARN, column=_alternates)
def hreflang_without_self(entry: Entry) -> Iterable[Hit]:
    """A set of alternates does not name the page itself.

    Why: every version must list all versions, its own among them; else crawlers may ignore the set.

    Fix: Add an alternate link whose href is the entry's own loc.

    Bad:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://example.com/a"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/></url>
    """
    targets = _targets(entry)
    if targets and entry.loc not in targets:
        yield Hit(f"{clipped(entry.loc, _SHOWN_CHARS)} is not among its own alternates")


@rule("SMX655", Step.FIELD_QUALITY, Severity.WARN)
def hreflang_without_return(document: Document) -> Iterable[Hit]:
    """An alternate is listed in the same file, and does not link back.

    Why: crawlers believe a pair of pages only when each names the other.

    Fix: Give every version the whole set of links.

    Bad:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://example.com/a"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/></url>
        <url><loc>https://example.com/de</loc></url>

    Good:
        <url><loc>https://example.com/a</loc></url>
    """
    links: dict[str, set[str]] = {}
    for number in document.records:
        targets = _targets(document.entries[number])
        if targets:
            links.setdefault(document.locs[number], set()).update(targets)
    if not links:
        return
    listed = set(document.locs) & set(chain.from_iterable(links.values()))
    for number in document.records:
        loc = document.locs[number]
        for target in sorted(links.get(loc, ())):
            if target != loc and target in listed and loc not in links.get(target, ()):
                line, column = document.place(number)
                yield Hit(f"{clipped(target, _SHOWN_CHARS)} does not link back", line, column, number + 1)


@rule("SMX656", Step.FIELD_QUALITY, Severity.INFO)
def no_x_default(document: Document) -> str | None:
    """No set of alternates has an x-default.

    Why: it names the version for everybody whose language has none.

    Fix: Add hreflang="x-default" for the version strangers should see.

    Bad:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://example.com/a"/></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="alternate" hreflang="x-default" href="https://example.com/a"/></url>
    """
    codes = {
        (record.value("hreflang") or "").strip().lower()
        for number in document.records
        for record in _links(document.entries[number])
    } - {""}
    if not codes or "x-default" in codes:
        return None
    return f"none of the hreflang codes is x-default: {clipped(', '.join(sorted(codes)), _SHOWN_CHARS)}"


@rule("SMX657", Step.FIELD_QUALITY, Severity.WARN, column=_alternates)
def other_rel_with_hreflang(entry: Entry) -> Iterable[Hit]:
    """A link with hreflang has another rel than alternate.

    Why: crawlers read alternates only.

    Fix: Write rel="alternate".

    Bad:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="canonical" hreflang="de" href="https://example.com/de"/></url>

    Good:
        <url><loc>https://example.com/a</loc><xhtml:link rel="amphtml" href="https://example.com/amp"/></url>
    """
    for record in of_kind(entry, Extension.ALTERNATE):
        rel = _rel(record)
        if rel and "alternate" not in rel and record.value("hreflang") is not None:
            yield Hit(f"rel “{clipped(' '.join(rel), _SHOWN_CHARS)}” with hreflang", record.line, record.column)


@rule("SMX658", Step.FIELD_QUALITY, Severity.WARN, column=_alternates)
def repeated_hreflang(entry: Entry) -> Iterable[Hit]:
    """A set of alternates has one hreflang twice.

    Why: crawlers cannot know which of the two is meant.

    Fix: Keep one link for each language.

    Bad:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de2"/></url>

    Good:
        <url><loc>https://example.com/a</loc>
        <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>
        <xhtml:link rel="alternate" hreflang="de-AT" href="https://example.com/at"/></url>
    """
    known: dict[str, str] = {}
    for record in _links(entry):
        code = (record.value("hreflang") or "").strip().lower()
        href = (record.value("href") or "").strip()
        if code and known.setdefault(code, href) != href:
            yield Hit(f"hreflang “{clipped(code, _SHOWN_CHARS)}” names two URLs", record.line, record.column)


RULES: tuple[Rule, ...] = (
    alternate_without_hreflang,
    alternate_not_absolute,
    invalid_hreflang,
    hreflang_without_self,
    hreflang_without_return,
    no_x_default,
    other_rel_with_hreflang,
    repeated_hreflang,
)
