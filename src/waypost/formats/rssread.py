"""RSS 2.0, 0.9x and 1.0 (RDF): what its elements mean."""

from collections.abc import Sequence

from waypost.dates import read_rfc822
from waypost.formats import feednotes as kinds
from waypost.formats.feeddates import read_feed_date, read_rfc3339
from waypost.formats.feeddraft import Children, FeedDraft, read_link
from waypost.formats.feedmodel import Enclosure, FeedEntry, FeedKind, Link
from waypost.formats.xmltree import Element
from waypost.urls import is_absolute

__all__ = ["RDF", "RssReader"]

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDF_VERSIONS = {
    "http://purl.org/rss/1.0/": "1.0",
    "http://my.netscape.com/rdf/simple/0.9/": "0.90",
    "http://channel.netscape.com/rdf/simple/0.9/": "0.90",
}
_USERLAND = frozenset({"http://backend.userland.com/rss2", "http://blogs.law.harvard.edu/tech/rss"})
_CORE = frozenset({"", *_USERLAND, *_RDF_VERSIONS})
_PREFIXES = {
    "http://purl.org/dc/elements/1.1/": "dc:",
    "http://purl.org/rss/1.0/modules/content/": "content:",
    "http://www.w3.org/2005/Atom": "atom:",
}
_OLD_VERSIONS = frozenset({"0.90", "0.91", "0.92", "0.93", "0.94", "1.0"})
_ONCE = frozenset({"title", "link", "description", "language", "guid", "pubDate", "lastBuildDate", "content:encoded"})


def _key(element: Element) -> str:
    """An element's name with the prefix it usually has; "" for what is none of ours."""
    if element.namespace in _CORE:
        return element.local
    prefix = _PREFIXES.get(element.namespace)
    return prefix + element.local if prefix else ""


class RssReader:
    """Takes the channel and the items of an RSS document into a draft."""

    def __init__(self, draft: FeedDraft) -> None:
        self._draft = draft
        self._channel = Children(draft, _key, _ONCE)

    def is_container(self, outer: Sequence[Element], element: Element) -> bool:
        """A channel is what holds items."""
        return len(outer) == 1 and _key(element) == "channel"

    def opened(self, container: Element) -> None:
        """The root says the version, RDF's channel says it by its namespace."""
        draft = self._draft
        if container.local == "rss":
            draft.kind = FeedKind.RSS
            draft.version = container.get("version") or ""
            if container.namespace:
                draft.note(kinds.NAMESPACE_UNUSUAL, container.place, container.namespace)
            self._note_version(container)
        elif container.local == "RDF":
            draft.kind = FeedKind.RSS
        else:
            draft.place = container.place
            draft.id = container.get(f"{RDF} about")
            if container.namespace in _RDF_VERSIONS:
                draft.version = _RDF_VERSIONS[container.namespace]
                self._note_version(container)
        draft.note_base(container)

    def _note_version(self, element: Element) -> None:
        version = self._draft.version
        if version in _OLD_VERSIONS:
            self._draft.note(kinds.VERSION_OLD, element.place, version)
        elif version != "2.0":
            self._draft.note(kinds.VERSION_UNKNOWN, element.place, version)

    def taken(self, container: Element, child: Element) -> None:
        """An item, or a field of the channel."""
        if _key(child) == "item":
            if container.local == "rss":
                self._draft.note(kinds.ENTRY_OUTSIDE, child.place, "item", self._draft.at)
            if self._draft.has_room(child.place):
                self._item(child)
        elif container.local == "channel":
            self._channel.add(child)

    def close(self, *, complete: bool) -> None:
        """The channel's own fields, once all of it has been seen."""
        draft, channel = self._draft, self._channel
        draft.title = channel.text("title", "dc:title")
        draft.description = channel.text("description", "dc:description")
        draft.language = channel.text("language", "dc:language")
        if (link := channel.first("link")) is not None:
            draft.link = draft.good_link(link.resolve(link.text), link.place) if link.text else ""
        draft.updated = self._date(channel, 0, "lastBuildDate", "pubDate", "dc:date", "atom:updated")
        draft.authors += draft.some(_texts(channel, "managingEditor", "dc:creator"), draft.place)
        draft.links += draft.some(self._links(channel, 0), draft.place)
        draft.finish(("title", "link", "description"), complete=complete)

    def _item(self, item: Element) -> None:
        draft, place, at = self._draft, item.place, self._draft.at
        fields = Children(draft, _key, _ONCE)
        for child in item.children:
            fields.add(child, at)
        draft.note_base(item, at)
        guid, is_permalink = self._guid(fields, item)
        summary = fields.text("description", "dc:description")
        entry = FeedEntry(
            id=guid,
            link=self._link(fields, guid if is_permalink else None, item),
            title=fields.text("title", "dc:title"),
            updated=self._date(fields, at, "atom:updated"),
            published=self._date(fields, at, "pubDate", "dc:date"),
            summary=summary and draft.content(summary, (fields.first("description") or item).place),
            content=self._content(fields),
            authors=draft.some(_texts(fields, "author", "dc:creator"), place, at),
            categories=draft.some(_texts(fields, "category", "dc:subject"), place, at),
            enclosures=draft.some(map(self._enclosure, fields.every("enclosure")), place, at),
            links=draft.some(self._links(fields, at), place, at),
            is_permalink=is_permalink,
            line=item.line,
            column=item.column,
        )
        if not entry.title and not summary:
            draft.note(kinds.ENTRY_EMPTY, place, "neither title nor description", at)
        draft.add(entry)

    def _content(self, fields: Children) -> str | None:
        encoded = fields.first("content:encoded")
        return None if encoded is None else self._draft.content(encoded.text, encoded.place)

    def _guid(self, fields: Children, item: Element) -> tuple[str | None, bool]:
        guid = fields.first("guid")
        if guid is None:
            about = item.get(f"{RDF} about")
            if about is None:
                self._draft.note(kinds.GUID_MISSING, item.place, "no guid", self._draft.at)
            return about, False
        is_permalink = (guid.get("isPermaLink") or "true").lower() != "false"
        if is_permalink and not is_absolute(guid.text):
            self._draft.note(kinds.GUID_NO_URL, guid.place, guid.text, self._draft.at)
        return guid.text, is_permalink

    def _link(self, fields: Children, permalink: str | None, item: Element) -> str | None:
        """The page of an item: its link, or a guid that is one."""
        draft = self._draft
        link = fields.first("link")
        if link is not None and link.text:
            return draft.good_link(link.resolve(link.text), link.place, draft.at)
        if permalink and is_absolute(permalink):
            return permalink
        draft.note(kinds.LINK_MISSING, item.place, "no link", draft.at)
        return None if link is None else ""

    def _date(self, fields: Children, entry: int, *names: str) -> str | None:
        found = fields.first(*names)
        if found is None:
            return None
        name = _key(found)
        read = read_rfc3339 if ":" in name else read_rfc822
        if name == "dc:date":
            read = read_feed_date
        return self._draft.date(name, found.text, found.place, read, entry)

    def _links(self, fields: Children, entry: int) -> list[Link]:
        links: list[Link] = []
        for element in fields.every("atom:link"):
            link = read_link(element)
            if link is None:
                self._draft.note(kinds.LINK_WITHOUT_HREF, element.place, "atom:link", entry)
            else:
                links.append(link)
        return links

    def _enclosure(self, element: Element) -> Enclosure:
        url = element.get("url")
        resolved = url and element.resolve(url)
        found = Enclosure(resolved, element.get("type"), element.get("length"), element.line, element.column)
        return self._draft.enclosure(found, ("url", "length", "type"))


def _texts(fields: Children, *names: str) -> list[str]:
    return [element.text for element in fields.every(*names) if element.text]
