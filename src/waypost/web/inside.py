"""The application asked without a socket: what it would answer, for the doctor and for tests."""

from collections.abc import MutableMapping
from typing import Any

from waypost.site.doctor.door import Knock, Shown
from waypost.site.doctor.evidence import Answer
from waypost.site.settings import Settings
from waypost.urls import absolute
from waypost.web.app import App

__all__ = ["Inside"]


class Inside:
    """A door into an application of this process."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def answer(self, knock: Knock) -> Answer:
        """The whole answer to a GET, uncompressed."""
        sent: list[MutableMapping[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        await self._app(_scope(knock), receive, send)
        headers = {name.lower(): value.decode("latin-1") for name, value in sent[0]["headers"]}
        location = headers.get(b"location", "")
        return Answer(
            knock.url,
            sent[0]["status"],
            b"".join(message.get("body", b"") for message in sent[1:]),
            headers.get(b"content-type", ""),
            absolute(knock.url, location) or location,
        )

    @property
    def settings(self) -> Settings:
        """The settings of the server itself."""
        return self._app.hosts.settings()

    def site(self, host: str) -> Shown | None:
        """What a host shows. Raises ConfigError where the settings of that site are broken."""
        place = self._app.hosts.place(host)
        return None if place is None else Shown(place.root, place.publishing.is_closed)


def _scope(knock: Knock) -> dict[str, Any]:
    scheme, _, authority = knock.origin.partition("://")
    path, _, query = knock.path.partition("?")
    headers = [(b"host", authority.encode("latin-1"))]
    headers += [(name.lower().encode(), value.encode()) for name, value in knock.headers]
    return {
        "type": "http",
        "method": "GET",
        "scheme": scheme,
        "path": path,
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "headers": headers,
        "client": (knock.peer, 0),
    }
