"""The ASGI application: a request becomes an ask, an ask a reply; nothing made is kept."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

from waypost.errors import ConfigError, LetGoError
from waypost.publish.feeds import FEEDS
from waypost.publish.paths import Resource
from waypost.publish.respond import Ask, Reply, Site, respond, route
from waypost.site.cache import PageMetaCache
from waypost.site.live import LiveConfig
from waypost.site.texts import texts
from waypost.web.files import FileReply
from waypost.web.hosts import Hosts, Place, SingleRoot, SiteDirectory, site_of
from waypost.web.ops import OPERATED, Counts, operate
from waypost.web.pages import default_icon, look, not_found, of_the_theme
from waypost.web.proxies import Proxies
from waypost.web.replies import CLOSE, NOINDEX, REFUSED, moved, with_headers
from waypost.web.send import Crowd, Send, send_reply
from waypost.web.settling import Settling
from waypost.web.views import ICON_PATH
from waypost.web.visit import Visit, read_visit

__all__ = ["App", "create"]

_log = logging.getLogger("waypost.web")
_METHODS = frozenset({"GET", "HEAD"})
_PLACES_MAX = 3
_FEEDS = frozenset(form.resource for form in FEEDS)
_FEED_ENDS = tuple(form.path for form in FEEDS)
"""Asked first, for it is quicker: no other answer of the publisher is long in the making."""


class App:
    """Serves what its hosts show. One in each worker process, made after the fork."""

    def __init__(
        self,
        hosts: Hosts,
        *,
        on_ready: Callable[[Hosts], None] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.hosts = hosts
        self._progress = progress
        self.counts = Counts()
        self._on_ready = on_ready
        self._crowd = Crowd()
        self._proxies = Proxies()
        self._proxies_of: tuple[str, ...] = ()
        self._settling = Settling()

    async def __call__(
        self, scope: MutableMapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Send
    ) -> None:
        """Answer one connection scope."""
        if scope["type"] == "http":
            reply = await self._reply(scope)
            self.counts.count(reply.status)
            await send_reply(reply, send, self._crowd, is_head=scope["method"] == "HEAD")
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    def reload(self) -> None:
        """Read everything anew, in a thread; requests are answered meanwhile, or wait for what they need."""
        Thread(target=self.hosts.rescan, name="waypost-reload", daemon=True).start()

    async def _reply(self, scope: Mapping[str, Any]) -> Reply | FileReply:
        try:
            visit = read_visit(scope, self._trusted)
            if isinstance(visit, Reply):
                return visit
            reply = await self._answer(visit)
            return with_headers(reply, CLOSE) if visit.has_body else reply
        except Exception:  # noqa: BLE001
            # The one place where whatever went wrong becomes an answer; it says nothing of what it was.
            _log.exception("a request could not be answered")
            return REFUSED[500]

    def _trusted(self) -> Proxies:
        addresses = self.hosts.settings().trusted_proxies
        if addresses != self._proxies_of:
            self._proxies, self._proxies_of = Proxies.of(addresses), addresses
        return self._proxies

    async def _answer(self, visit: Visit) -> Reply | FileReply:
        if visit.ask.path in OPERATED:
            operated = operate(visit, self.hosts, self.counts)
            if operated is not None:
                return operated
        for _ in range(_PLACES_MAX):
            try:
                place = self.hosts.place(visit.host)
                if place is None:
                    return REFUSED[421]
                reply = await self._shown(visit, place)
            except ConfigError:
                return REFUSED[503]
            except LetGoError:
                continue  # others were asked for meanwhile
            return with_headers(reply, NOINDEX) if place.publishing.is_closed else reply
        return REFUSED[503]

    async def _shown(self, visit: Visit, place: Place) -> Reply | FileReply:
        if place.canonical is not None and (location := _elsewhere(visit, place.canonical)):
            return moved(location)
        if visit.ask.method not in _METHODS:
            return REFUSED[405]
        site = place.site or await self._settled(visit.ask, place)
        is_feed = visit.ask.path.endswith(_FEED_ENDS) and route(visit.ask.path, place.publishing) in _FEEDS
        if is_feed and place.settings.with_feed_text:
            # A feed holds pages whole: formatting them takes longer than an event loop may be held up.
            site = replace(site, text_of=texts(place.root, visit.ask.origin))
            made = await asyncio.to_thread(respond, visit.ask, site)
        else:
            made = respond(visit.ask, site)
        return await self._page(visit.ask, place) if made is None or made.status == 404 else made

    async def _settled(self, ask: Ask, place: Place) -> Site:
        # robots.txt needs the configuration alone, and never waits for a scan but the first one.
        is_robots = route(ask.path) is Resource.ROBOTS and place.root.is_ready
        return site_of(
            place.root, place.publishing, place.root if is_robots else await self._settling.table(place.root)
        )

    async def _page(self, ask: Ask, place: Place) -> Reply | FileReply:
        if ask.path.startswith("/_waypost/"):
            return await of_the_theme(place, ask, self._settling) or await not_found(place, ask, self._settling)
        shown = await look(place, ask, self._settling)
        if shown is not None:
            return shown
        return default_icon(place, ask) if ask.path == ICON_PATH else await not_found(place, ask, self._settling)

    async def _live(self, receive: Callable[[], Awaitable[Any]], send: Send) -> None:
        await receive()
        try:
            await asyncio.to_thread(self.hosts.open, self._progress)
        except Exception as error:  # noqa: BLE001 - the server is told, and ends
            _log.exception("the first scan failed")
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        if self._on_ready is not None:
            self._on_ready(self.hosts)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.hosts.close()
        await send({"type": "lifespan.shutdown.complete"})


def _elsewhere(visit: Visit, canonical: tuple[str, int | None]) -> str:
    """Where the canonical host shows what was asked for; empty where this is the canonical host."""
    host, port = canonical
    port = visit.port if port is None else port
    if (host, port) == (visit.host, visit.port):
        return ""
    scheme = visit.ask.origin.partition(":")[0]
    authority = host if port is None else f"{host}:{port}"
    query = f"?{visit.ask.query}" if visit.ask.query else ""
    return f"{scheme}://{authority}{visit.ask.path}{query}"


def create(
    root: str | None = None,
    *,
    sites: str | None = None,
    options: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    on_ready: Callable[[Hosts], None] | None = None,
    progress: Callable[[int], None] | None = None,
) -> App:
    """The application that serves a root, or the sites of a directory.

    `options` go before the environment, and that before the files. Without a root and sites the environment names them
    (`WAYPOST_ROOT`, `WAYPOST_SITES`), so that any server can be told `waypost.web.app:create` as a factory.
    """
    known = dict(os.environ if environment is None else environment)
    named_root, named_sites = known.pop("WAYPOST_ROOT", None), known.pop("WAYPOST_SITES", None)
    if root is None and sites is None:
        root, sites = named_root, named_sites
    if (root is None) == (sites is None):
        raise ConfigError("say what to serve: a folder, or a directory with a sites.toml, and not both")
    if sites is not None:
        return App(SiteDirectory(sites, known, options), on_ready=on_ready, progress=progress)
    assert root is not None
    config = LiveConfig(str(Path(root).absolute()), environment=known, options=options)
    return App(SingleRoot(PageMetaCache(root, config)), on_ready=on_ready, progress=progress)
