"""Atom 1.0 and 0.3: what its elements mean."""

from collections.abc import Sequence

from waypost.formats import feednotes as kinds
from waypost.formats.feeddates import read_rfc3339
from waypost.formats.feeddraft import Children, FeedDraft, read_link
from waypost.formats.feedmodel import Enclosure, FeedEntry, FeedKind, Link
from waypost.formats.markup import html_from_text, text_from_html
from waypost.formats.xmltree import Element
from waypost.urls import is_absolute

__all__ = ["ATOM", "AtomReader"]

ATOM = "http://www.w3.org/2005/Atom"
_ATOM_03 = "http://purl.org/atom/ns#"
_NAMESPACES = frozenset({ATOM, _ATOM_03, ""})
_NEW_NAMES = {"modified": "updated", "issued": "published", "tagline": "subtitle"}
"""What Atom 0.3 called differently."""
_ONCE = frozenset({"id", "title", "updated", "published", "subtitle", "summary", "content"})
_XML_LANG = "http://www.w3.org/XML/1998/namespace lang"
_IANA = "http://www.iana.org/assignments/relation/"


def _key(element: Element) -> str:
    if element.namespace not in _NAMESPACES:
        return ""
    return _NEW_NAMES.get(element.local, element.local) if element.namespace == _ATOM_03 else element.local


class AtomReader:
    """Takes the fields and the entries of an Atom document into a draft."""

    def __init__(self, draft: FeedDraft) -> None:
        self._draft = draft
        self._feed = Children(draft, _key, _ONCE)

    def is_container(self, outer: Sequence[Element], element: Element) -> bool:  # noqa: ARG002 - RSS has more than one
        """The feed alone holds entries."""
        return False

    def opened(self, container: Element) -> None:
        """The root says the version by its namespace."""
        draft = self._draft
        draft.kind, draft.place = FeedKind.ATOM, container.place
        draft.version = "0.3" if container.namespace == _ATOM_03 else "1.0"
        draft.language = container.get(_XML_LANG)
        if container.namespace == _ATOM_03:
            draft.note(kinds.VERSION_OLD, container.place, _ATOM_03)
        elif container.namespace != ATOM:
            draft.note(kinds.NAMESPACE_UNUSUAL, container.place, container.namespace)
        draft.note_base(container)

    def taken(self, _container: Element, child: Element) -> None:
        """An entry, or a field of the feed."""
        if _key(child) != "entry":
            self._feed.add(child)
        elif self._draft.has_room(child.place):
            self._entry(child)

    def close(self, *, complete: bool) -> None:
        """The feed's own fields, once all of it has been seen."""
        draft, feed = self._draft, self._feed
        draft.id, draft.title = feed.text("id"), _plain(feed.first("title"))
        draft.description = _plain(feed.first("subtitle"))
        draft.updated = self._date(feed, "updated", 0)
        draft.authors += draft.some(_names(feed), draft.place)
        draft.link, links = self._page(self._links(feed, 0), 0)
        draft.links += draft.some(links, draft.place)
        draft.finish(("id", "title", "updated"), complete=complete)

    def _entry(self, element: Element) -> None:
        draft, place, at = self._draft, element.place, self._draft.at
        fields = Children(draft, _key, _ONCE)
        for child in element.children:
            fields.add(child, at)
        draft.note_base(element, at)
        enclosures = [self._enclosure(link) for link in fields.every("link") if _relation(link) == "enclosure"]
        page, links = self._page(self._links(fields, at), at)
        entry = FeedEntry(
            id=fields.text("id"),
            link=page,
            title=_plain(fields.first("title")),
            updated=self._date(fields, "updated", at),
            published=self._date(fields, "published", at),
            summary=self._html(fields.first("summary")),
            content=self._html(fields.first("content")),
            authors=draft.some(_names(fields), place, at),
            categories=draft.some((c for x in fields.every("category") if (c := x.get("term"))), place, at),
            enclosures=draft.some(enclosures, place, at),
            links=draft.some(links, place, at),
            line=element.line,
            column=element.column,
        )
        draft.require(("id", "title", "updated"), place, entry, kinds.ENTRY_FIELD_MISSING, at)
        if entry.link is None:
            draft.note(kinds.LINK_MISSING, place, "no alternate link", at)
        draft.add(entry)

    def _html(self, element: Element | None) -> str | None:
        if element is None or element.get("src") is not None or not _is_text(element):
            return None
        self._draft.note_base(element, self._draft.at)
        return self._draft.content(_markup(element), element.place, has_base=is_absolute(element.base))

    def _date(self, fields: Children, name: str, entry: int) -> str | None:
        found = fields.first(name)
        return None if found is None else self._draft.date(name, found.text, found.place, read_rfc3339, entry)

    def _links(self, fields: Children, entry: int) -> list[Link]:
        links = []
        for element in fields.every("link"):
            self._draft.note_base(element, entry)
            link = read_link(element)
            if link is None:
                self._draft.note(kinds.LINK_WITHOUT_HREF, element.place, "link", entry)
            elif _relation(element) != "enclosure":
                self._draft.good_link(link.href, element.place, entry)
                links.append(link._replace(rel=_relation(element)))
        return links

    def _page(self, links: list[Link], entry: int) -> tuple[str | None, list[Link]]:
        """The link to the page, best the first in HTML, and the other links."""
        pages = [link for link in links if link.rel == "alternate"]
        seen: set[tuple[str, str]] = set()
        for page in pages:
            if (page.type, page.hreflang) in seen:
                self._draft.note(kinds.LINK_REPEATED, (page.line, page.column), page.href, entry)
            seen.add((page.type, page.hreflang))
        best = next((page for page in pages if page.type in ("", "text/html")), pages[0] if pages else None)
        return best and best.href, [link for link in links if link is not best]

    def _enclosure(self, element: Element) -> Enclosure:
        href = element.get("href")
        resolved = href and element.resolve(href)
        found = Enclosure(resolved, element.get("type"), element.get("length"), element.line, element.column)
        return self._draft.enclosure(found, ("url",))


def _relation(element: Element) -> str:
    return (element.get("rel") or "alternate").removeprefix(_IANA)


def _names(fields: Children) -> list[str]:
    """What the authors are called: by name, else by address."""
    authors = ({_key(part): part.text for part in author.children} for author in fields.every("author"))
    names = (parts.get("name") or parts.get("email") or parts.get("uri") for parts in authors)
    return [name for name in names if name]


def _form(element: Element) -> str:
    """How a text construct is written: text, html or xhtml."""
    said = (element.get("type") or "text").lower()
    has_modes = element.namespace == _ATOM_03 and said not in ("text", "text/plain")
    if has_modes and (element.get("mode") or "xml").lower() == "xml":
        return "xhtml"
    if said == "xhtml" or said.endswith(("+xml", "/xml")):
        return "xhtml"
    return "html" if said in ("html", "text/html") else "text"


def _is_text(element: Element) -> bool:
    """Whether what is inside can be read at all: base64 is not."""
    said = (element.get("type") or "text").lower()
    is_media = "/" in said and not said.startswith("text/") and not said.endswith(("+xml", "/xml"))
    return not is_media and (element.get("mode") or "").lower() != "base64"


def _markup(element: Element) -> str:
    form = _form(element)
    if form == "text":
        return html_from_text(element.text)
    inside = list(element.children)
    if form == "html" and not inside:
        return element.text
    is_wrapped = len(inside) == 1 and inside[0].local == "div" and not element.text
    return (inside[0] if is_wrapped else element).markup().strip()


def _plain(element: Element | None) -> str | None:
    if element is None:
        return None
    return element.text if _form(element) == "text" else text_from_html(_markup(element)).strip()
