"""JSON Feed 1.1 (and 1): what its members mean."""

import dataclasses
from collections.abc import Iterator

from waypost.formats import feednotes as kinds
from waypost.formats.bounds import DEFAULT, Bounds
from waypost.formats.feeddraft import FeedDraft, Place
from waypost.formats.feedmodel import Enclosure, Feed, FeedEntry, FeedKind, Link
from waypost.formats.jsonmembers import Members
from waypost.formats.jsonwalk import BrokenJsonError, JsonWalk, too_many_values
from waypost.formats.markup import html_from_text
from waypost.formats.notes import Notes
from waypost.formats.xmlnotes import EMPTY, INVALID_BYTES, OVER_BYTES

__all__ = ["VERSION", "read_json_feed"]

VERSION = "https://jsonfeed.org/version/1.1"
_VERSIONS = frozenset({VERSION, "https://jsonfeed.org/version/1"})
_LINKS = {"feed_url": "self", "next_url": "next"}
_MEMBERS = frozenset(
    {"version", "title", "home_page_url", "description", "language", "authors", "author", "hubs", *_LINKS}
)


def read_json_feed(data: bytes, *, url: str | None = None, limits: Bounds = DEFAULT) -> Feed:
    """Read a JSON Feed from bytes of any kind; what is wrong with them is noted, never raised."""
    draft = FeedDraft(Notes(), url, limits.urls_max)
    complete = _JsonReader(draft).read(data[: limits.bytes_max])
    if len(data) > limits.bytes_max:
        draft.note(OVER_BYTES, (0, 0), f"more than {limits.bytes_max:,} bytes")
        complete = False
    return dataclasses.replace(draft.freeze(complete=complete), bytes=len(data))


class _JsonReader:
    def __init__(self, draft: FeedDraft) -> None:
        self._draft = draft
        self._feed = Members(draft, 0, draft.place, {})
        self._has_items = False

    def read(self, data: bytes) -> bool:
        """Read it all; whether it was read to its end."""
        draft = self._draft
        if too_many_values(data):
            draft.note(kinds.JSON_TOO_LARGE, (1, 1), "too many values")
            return False
        text, complete = self._decoded(data)
        walk = JsonWalk(text)
        if not walk.peek():
            draft.note(EMPTY, (1, 1), "nothing to read")
            return False
        try:
            self._walk(walk)
        except BrokenJsonError as broken:
            draft.note(kinds.JSON_BROKEN, walk.place(broken.at), broken.why)
            complete = False
        self._finish(complete=complete)
        return complete

    def _decoded(self, data: bytes) -> tuple[str, bool]:
        try:
            return data.decode("utf-8-sig"), True
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            column = error.start - data.rfind(b"\n", 0, error.start)
            self._draft.note(INVALID_BYTES, (line, column), "not UTF-8")
            return data.decode("utf-8-sig", "replace"), False

    def _walk(self, walk: JsonWalk) -> None:
        if walk.peek() == "{":
            for key in walk.members():
                self._member(walk, key)
        else:
            walk.value()
        walk.end()

    def _member(self, walk: JsonWalk, key: str) -> None:
        draft, place = self._draft, walk.place(walk.at)
        if key == "items" and walk.peek() == "[":
            self._has_items = True
            for at in walk.items():
                item_place, value = walk.place(at), walk.value()
                if draft.has_room(item_place):
                    self._item(value, item_place)
            return
        value = walk.value()
        if key in self._feed.values:
            draft.note(kinds.FIELD_REPEATED, place, key)
        elif key in _MEMBERS:
            self._feed.values[key] = value
            self._feed.places[key] = place

    def _finish(self, *, complete: bool) -> None:
        draft, feed = self._draft, self._feed
        draft.version = feed.text("version") or ""
        if not self._has_items and not draft.version.startswith("https://jsonfeed.org/version/"):
            draft.note(kinds.ROOT_UNKNOWN, (1, 1), "JSON, but no feed")
            return
        draft.kind = FeedKind.JSON
        if draft.version and draft.version not in _VERSIONS:
            draft.note(kinds.VERSION_UNKNOWN, feed.place("version"), draft.version)
        draft.title, draft.description = feed.text("title"), feed.text("description")
        draft.language, draft.link = feed.text("language"), feed.link("home_page_url")
        draft.authors += draft.some(feed.authors(), draft.place)
        draft.links += draft.some(self._links(), draft.place)
        draft.finish(("version", "title"), complete=complete)

    def _links(self) -> Iterator[Link]:
        for name, relation in _LINKS.items():
            if href := self._feed.link(name):
                line, column = self._feed.place(name)
                yield Link(href, relation, line=line, column=column)
        for hub in self._feed.objects("hubs"):
            if href := hub.link("url"):
                line, column = self._feed.place("hubs")
                yield Link(href, "hub", line=line, column=column)

    def _item(self, value: object, place: Place) -> None:
        draft, at = self._draft, self._draft.at
        if not isinstance(value, dict):
            draft.note(kinds.JSON_TYPE, place, "an item must be an object", at)
            return
        item = Members(draft, at, place, value)
        summary, content = item.text("summary"), item.text("content_html")
        if content is None and (plain := item.text("content_text")) is not None:
            content = html_from_text(plain)
        entry = FeedEntry(
            id=item.identity("id"),
            link=item.link("url"),
            title=item.text("title"),
            updated=item.date("date_modified"),
            published=item.date("date_published"),
            summary=None if summary is None else draft.content(html_from_text(summary), place),
            content=None if content is None else draft.content(content, place),
            authors=draft.some(item.authors(), place, at),
            categories=draft.some(item.texts("tags"), place, at),
            enclosures=draft.some((self._enclosure(file, place) for file in item.objects("attachments")), place, at),
            links=draft.some(_related(item, place), place, at),
            line=place[0],
            column=place[1],
        )
        draft.require(("id",), place, entry, kinds.ENTRY_FIELD_MISSING, at)
        if not entry.link:
            draft.note(kinds.LINK_MISSING, place, "no url", at)
        draft.add(entry)

    def _enclosure(self, file: Members, place: Place) -> Enclosure:
        found = Enclosure(file.text("url"), file.text("mime_type"), file.count("size_in_bytes"), *place)
        return self._draft.enclosure(found, ("url", "type"))


def _related(item: Members, place: Place) -> Iterator[Link]:
    """The page elsewhere that an item is about."""
    if href := item.link("external_url"):
        yield Link(href, "related", line=place[0], column=place[1])
