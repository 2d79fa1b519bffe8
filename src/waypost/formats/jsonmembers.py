"""The members of a JSON object, each taken only where it has the type its format says."""

import re
from typing import Any

from waypost.formats import feednotes as kinds
from waypost.formats.feeddates import read_rfc3339
from waypost.formats.feeddraft import FeedDraft, Place

__all__ = ["Members"]

_HALF = re.compile(r"[\ud800-\udfff]")
"""JSON can spell halves of characters, which no document we write could hold."""


class Members:
    """One object of a feed; a member of another type is noted, and as good as absent."""

    def __init__(self, draft: FeedDraft, entry: int, place: Place, values: dict[str, Any]) -> None:
        self._draft = draft
        self._entry = entry
        self._place = place
        self.values = values
        self.places: dict[str, Place] = {}

    def place(self, name: str) -> Place:
        """Where a member is, as closely as is known."""
        return self.places.get(name, self._place)

    def text(self, name: str) -> str | None:
        """A member that is a text."""
        value = self.values.get(name)
        if value is None or isinstance(value, str):
            return None if value is None else _whole(value)
        self._wrong(name)
        return None

    def identity(self, name: str) -> str | None:
        """A member that is a text, or a number that readers should take for one."""
        value = self.values.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._wrong(name)
            return str(value)
        return self.text(name)

    def count(self, name: str) -> str | None:
        """A member that is a number."""
        value = self.values.get(name)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            return None if value is None else str(value)
        self._wrong(name)
        return None

    def link(self, name: str) -> str | None:
        """A member that is a URL."""
        url = self.text(name)
        return url and self._draft.good_link(url, self.place(name), self._entry)

    def date(self, name: str) -> str | None:
        """A member that is a date."""
        text = self.text(name)
        return None if text is None else self._draft.date(name, text, self.place(name), read_rfc3339, self._entry)

    def texts(self, name: str) -> list[str]:
        """A member that is a list of texts."""
        return [_whole(text) for text in self._list(name, str)]

    def objects(self, name: str) -> list["Members"]:
        """A member that is a list of objects."""
        return [Members(self._draft, self._entry, self.place(name), values) for values in self._list(name, dict)]

    def authors(self) -> list[str]:
        """What the authors are called: version 1.1 has a list of them, version 1 had one."""
        people = self.objects("authors")
        if not people and isinstance(self.values.get("author"), dict):
            people = [Members(self._draft, self._entry, self.place("author"), self.values["author"])]
        names = (person.text("name") or person.text("url") for person in people)
        return [name for name in names if name]

    def _list(self, name: str, kind: type) -> list[Any]:
        value = self.values.get(name)
        if value is None:
            return []
        kept = [each for each in value if isinstance(each, kind)] if isinstance(value, list) else []
        if not isinstance(value, list) or len(kept) != len(value):
            self._wrong(name)
        return kept

    def _wrong(self, name: str) -> None:
        self._draft.note(kinds.JSON_TYPE, self.place(name), name, self._entry)


def _whole(text: str) -> str:
    return _HALF.sub("\ufffd", text).strip()
