"""The client: the only module that opens a socket to a checked site, and the only importer of aiohttp.

The address that is dialled is the address that was vetted, for every dial and every hop: the resolver refuses a whole
answer that holds one inside address, and the socket factory looks again at whatever is about to be dialled, because
aiohttp does not ask a resolver about address literals. Redirects, decoding, deadlines and byte limits are ours.
"""

import asyncio
import ipaddress
import socket
import ssl
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from functools import cache, partial
from typing import Any, Self
from weakref import WeakSet

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import ContentLengthError, HttpProcessingError
from yarl import URL

from waypost.check.capture import Capture, ErrorKind, FetchError, Headers, Hop, Request, unanswered
from waypost.check.decode import CodingError, Decoder, coding_of
from waypost.check.dial import Dial, Stage, Trip
from waypost.check.faults import connection_fault, dns_fault, tls_fault
from waypost.check.place import OTHER_PROTOCOLS, REDIRECTS, Place, onward, read_place
from waypost.check.policy import Policy
from waypost.check.resolve import Resolver
from waypost.check.settings import DEFAULT_SETTINGS, ClientSettings
from waypost.limits import (
    ADDRESSES_MAX,
    CODING_OVERHEAD_BYTES,
    HEADER_LINE_BYTES_MAX,
    INTERIM_ANSWERS_MAX,
    REFUSAL_BYTES_MAX,
)
from waypost.urls import normalise

__all__ = ["Client", "Resolver"]

_DIAL: ContextVar[Dial] = ContextVar("waypost_dial")
_READ_BYTES = 262_144
_LOST = (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError)
_SHARED_RESOLVER = Resolver()


class _VettedResolver(AbstractResolver):
    def __init__(self, resolver: Resolver, policy: Policy) -> None:
        self._resolver = resolver
        self._policy = policy

    async def resolve(self, host: str, port: int = 0, family: Any = socket.AF_INET) -> list[ResolveResult]:  # noqa: ARG002
        addresses = await self._resolver.resolve(host)
        for address in addresses:
            verdict = self._policy.judge(address, port, host)
            if not verdict.may_dial:
                raise _DIAL.get().refuse(ErrorKind.ADDRESS_INSIDE, verdict.sentence)
        return [
            ResolveResult(hostname=host, host=str(address), port=port, family=0, proto=0, flags=socket.AI_NUMERICHOST)
            for address in addresses[:ADDRESSES_MAX]
        ]

    async def close(self) -> None:
        """Nothing to close: the resolver belongs to the process."""


class _Context(ssl.SSLContext):
    """A TLS context that says when a handshake begins, so that a stalled one can be told from a stalled connect."""

    def wrap_bio(self, *args: Any, **kwargs: Any) -> ssl.SSLObject:
        dial = _DIAL.get(None)
        if dial is not None:
            dial.enter(Stage.TLS)
        return super().wrap_bio(*args, **kwargs)


@cache
def _tls_context(ca_file: str) -> ssl.SSLContext:
    context = _Context(ssl.PROTOCOL_TLS_CLIENT)
    context.set_alpn_protocols(["http/1.1"])
    context.load_default_certs()
    if ca_file:
        context.load_verify_locations(ca_file)
    return context


class _Protocol(ResponseHandler):
    """Hands the parser each head by itself.

    A server that sends more than it announced makes the parser fail; in one piece with its head a good answer would be
    lost with the junk behind it, depending on how packets fell.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._heads_left = 0
        self._is_answered = True

    def set_response_params(self, **params: Any) -> None:
        """A new request begins on this connection."""
        self._heads_left, self._is_answered = INTERIM_ANSWERS_MAX, False
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Bytes of the answer."""
        self._feed_heads(data)
        error, payload = self.exception(), self._payload
        if error is not None and payload is not None and not payload.is_eof():
            # A parser that gives up in the middle of a body would leave its reader waiting.
            payload.set_exception(aiohttp.ClientPayloadError("broken transfer coding"))

    def _feed_heads(self, data: bytes) -> None:
        start = 0
        while not self._is_answered and (end := data.find(b"\r\n\r\n", start) + 4) >= 4:
            self._feed(data[start:end])
            start = end
            self._heads_left -= 1
            if not self._is_answered and self._heads_left == 0:
                self.abort()
                self.set_exception(HttpProcessingError(code=400, message=f"more than {INTERIM_ANSWERS_MAX} heads"))
                return
        if start < len(data) or not data:  # no bytes at all mean: go on with what you hold
            self._feed(data[start:])

    def _feed(self, data: bytes) -> None:
        super().data_received(data)
        is_final = self.exception() is not None or any(message.code >= 200 for (message, _), _ in self._buffer)
        self._is_answered = self._is_answered or is_final


def _make_protocol(loop: asyncio.AbstractEventLoop) -> ResponseHandler:
    return _Protocol(loop)


class _Connector(aiohttp.TCPConnector):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._factory = partial(_make_protocol, self._loop)
        self._transports: WeakSet[asyncio.Transport] = WeakSet()

    async def _get(self, key: Any, traces: Any) -> Any:
        return None if _DIAL.get().wants_new else await super()._get(key, traces)

    async def connect(self, req: Any, traces: Any, timeout: Any) -> Any:  # noqa: ASYNC109 - aiohttp's signature
        connection = await super().connect(req, traces, timeout)
        dial = _DIAL.get()
        dial.was_reused = dial.stage is Stage.DNS  # nothing was dialled
        if connection.transport is not None:
            self._transports.add(connection.transport)
            peer = connection.transport.get_extra_info("peername")
            dial.address = str(peer[0]) if peer else ""
        dial.enter(Stage.ANSWER)
        return connection

    async def hang_up(self) -> None:
        """Close every socket now: a TLS farewell may still wait for a peer that does not answer it."""
        await self.close()
        for transport in list(self._transports):
            transport.abort()
        for _ in range(4):  # rounds of the loop until an aborted transport has closed its socket
            await asyncio.sleep(0)


class Client:
    """Asks one site, within its settings and its policy; use it as an async context manager."""

    def __init__(
        self,
        settings: ClientSettings = DEFAULT_SETTINGS,
        policy: Policy | None = None,
        resolver: Resolver | None = None,
    ) -> None:
        self._settings = settings
        self._policy = policy or Policy()
        self._resolver = resolver or _SHARED_RESOLVER
        self._session: aiohttp.ClientSession | None = None
        self._connector: _Connector | None = None
        self._site_until: float | None = None
        self._seats = asyncio.Semaphore(1 if settings.delay_s else settings.connections_max)
        self._next_at = 0.0
        self._paused_s = 0.0

    async def __aenter__(self) -> Self:
        settings = self._settings
        self._connector = _Connector(
            resolver=_VettedResolver(self._resolver, self._policy),
            limit=0,
            use_dns_cache=False,
            socket_factory=self._socket,
        )
        self._session = aiohttp.ClientSession(
            connector=self._connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None, sock_read=None),
            headers={"User-Agent": settings.user_agent, "Accept-Encoding": "gzip"},
            read_bufsize=_READ_BYTES,
            max_line_size=HEADER_LINE_BYTES_MAX,
            max_field_size=HEADER_LINE_BYTES_MAX,
        )
        self._session._retry_connection = False  # noqa: SLF001 - a request that nobody counts; `Trip.may_repeat` says when
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None and self._connector is not None:
            await self._session.close()
            await self._connector.hang_up()

    def _socket(self, addr_info: Any) -> socket.socket:
        """A socket for an address that is vetted at this very moment; every dial of every kind comes through here."""
        family, kind, protocol, _, sockaddr = addr_info
        dial = _DIAL.get()
        address = ipaddress.ip_address(str(sockaddr[0]).partition("%")[0])
        verdict = self._policy.judge(address, int(sockaddr[1]), dial.host)
        if not verdict.may_dial:
            raise dial.refuse(ErrorKind.ADDRESS_INSIDE, verdict.sentence)
        dial.enter(Stage.CONNECT)
        return socket.socket(family, kind, protocol)

    def clock(self) -> float:
        """The time of this site's scan in seconds: it stands still while politeness makes the client wait."""
        return time.monotonic() - self._paused_s

    async def fetch(self, request: Request) -> Capture:
        """Ask, follow redirects, decode; whatever goes wrong is a field of the capture."""
        started = time.monotonic()
        place: Place | FetchError | None = read_place(request.url)
        if isinstance(place, FetchError):
            return unanswered(request, place.kind, place.detail)
        trip = Trip(request, self._settings)
        with trip.writer:
            while isinstance(place, Place):
                place = await self._ask(place, trip)
            return trip.capture(started)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """A seat among the connections, and the pause that politeness asks for; the pause is no time of the site's."""
        async with self._seats:
            now = time.monotonic()
            if self._site_until is None:
                self._site_until = now + self._settings.site_s
            if self._settings.delay_s:
                pause = max(0.0, self._next_at - now)
                await asyncio.sleep(pause)
                self._site_until += pause
                self._paused_s += pause
                self._next_at = time.monotonic() + self._settings.delay_s
            yield

    async def _ask(self, place: Place, trip: Trip) -> Place | None:
        """Ask once; the place to go on with, or None when the trip has ended."""
        trip.seen.add(normalise(place.url))
        async with self._turn():
            dial = self._dial(place, trip)
            token = _DIAL.set(dial)
            started = time.monotonic()
            try:
                async with asyncio.timeout(None) as dial.timer:
                    return await self._exchange(place, trip, dial, started)
            except TimeoutError:
                fault = dial.timed_out()
            except Exception as error:  # noqa: BLE001 - whatever a server makes a library raise is a field, not a crash
                if isinstance(error, _LOST) and dial.was_reused and dial.stage is Stage.ANSWER and trip.may_repeat:
                    trip.repeats += 1
                    return place
                fault = dial.refused or (dial.timed_out() if dial.has_expired else _fault(error, dial))
            finally:
                dial.leave()
                _DIAL.reset(token)
        if dial.stage is not Stage.BODY:
            trip.hops.append(Hop(place.url, elapsed_s=time.monotonic() - started, address=dial.address))
        # An answer that is no success has said what it had to say: trouble with its body is not worth a word.
        if dial.stage is not Stage.BODY or trip.is_success:
            trip.error = fault
        return None

    def _dial(self, place: Place, trip: Trip) -> Dial:
        now = time.monotonic()
        trip.until = trip.until or now + self._settings.request_s
        site_until = self._site_until or now
        kind = ErrorKind.SITE_TIMEOUT if site_until < trip.until else ErrorKind.REQUEST_TIMEOUT
        dial = Dial(place.host, self._settings, min(site_until, trip.until), kind)
        dial.wants_new = trip.repeats > 0
        return dial

    async def _exchange(self, place: Place, trip: Trip, dial: Dial, started: float) -> Place | None:
        assert self._session is not None
        dial.enter(Stage.DNS)
        if place.port in OTHER_PROTOCOLS and not self._policy.was_typed_port(place.port):
            raise dial.refuse(ErrorKind.PORT_FOREIGN, str(place.port))
        headers = {"Accept": trip.request.accept, **dict(trip.request.headers)}
        url, method, body = URL(place.url, encoded=True), trip.request.method, trip.request.body or None
        # Certificates take as long to load as a small site to check: only where they are needed.
        tls = _tls_context(self._settings.ca_file) if place.scheme == "https" else True
        asking = self._session.request(method, url, headers=headers, data=body, allow_redirects=False, ssl=tls)
        async with asking as response:
            pairs = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in response.raw_headers)
            hop = Hop(place.url, response.status, Headers(pairs), time.monotonic() - started, dial.address)
            trip.hops.append(hop)
            dial.enter(Stage.BODY)
            try:
                if response.status in REDIRECTS:
                    return _next(place, trip, hop)
                await _read(response, trip, dial)
            finally:
                _hang_up(response)
            return None


def _hang_up(response: aiohttp.ClientResponse) -> None:
    """End a connection that still has something to say: a polite TLS farewell would wait for a peer that stalls."""
    if response.connection is not None and response.connection.transport is not None:
        response.connection.transport.abort()


def _next(place: Place, trip: Trip, hop: Hop) -> Place | None:
    """Where a redirect leads, unless it is one that is not followed."""
    found = onward(place, hop.location, trip.seen, trip.request.redirects_max - trip.repeats)
    if isinstance(found, Place):
        return found
    trip.error = found
    return None


async def _read(response: aiohttp.ClientResponse, trip: Trip, dial: Dial) -> None:
    """Read and decode the body, up to one byte more than the request allows."""
    coding = coding_of(trip.hops[-1].headers.all("content-encoding"))
    if isinstance(coding, str):
        if trip.is_success:
            trip.error = FetchError(ErrorKind.ENCODING_UNSUPPORTED, coding)
        return
    trip.coding = coding.value if coding else ""
    bytes_max = trip.request.bytes_max if trip.is_success else min(trip.request.bytes_max, REFUSAL_BYTES_MAX)
    # A legal body that does not compress is a little longer on the wire; one that never yields a byte has no end.
    wire_bytes_max = bytes_max + (CODING_OVERHEAD_BYTES if coding else 0)
    decoder = Decoder(coding, bytes_max)
    started = time.monotonic()
    while wire := await response.content.readany():
        trip.wire_bytes += len(wire)
        dial.enter(Stage.BODY)
        dial.check_rate(trip.wire_bytes, started)
        if await _keep(decoder.feed(wire), trip, dial, bytes_max):
            return
        if trip.wire_bytes > wire_bytes_max:
            trip.truncated = True
            return
    await _keep(decoder.finish(), trip, dial, bytes_max)
    trip.has_trailing = decoder.has_trailing


async def _keep(pieces: Iterator[bytes], trip: Trip, dial: Dial, bytes_max: int) -> bool:
    """Take body bytes up to one more than is allowed; whether that was reached."""
    for piece in filter(None, pieces):
        trip.writer.write(piece[: bytes_max + 1 - len(trip.writer)])
        trip.truncated = len(trip.writer) > bytes_max
        if trip.truncated:
            return True
        dial.enter(Stage.BODY)  # the time we take to unpack is no silence of the server's
        await asyncio.sleep(0)  # a small answer may unpack to a large one: others have their turn in between
    return False


def _fault(error: Exception, dial: Dial) -> FetchError:
    """An exception of the libraries below, in our words."""
    match error:
        case CodingError():
            return FetchError(ErrorKind.ENCODING_BROKEN, str(error))
        case aiohttp.ClientConnectorDNSError():
            return dns_fault(error.os_error, dial.host)
        case aiohttp.ClientConnectorCertificateError():
            return tls_fault(error.certificate_error)
        case aiohttp.ClientConnectorError():
            return connection_fault(error.os_error, in_handshake=dial.stage is Stage.TLS)
        case aiohttp.ServerDisconnectedError():
            return FetchError(ErrorKind.CLOSED)
        case aiohttp.ClientPayloadError():
            return _payload_fault(error)
        case aiohttp.ClientResponseError():
            is_large = any(words in error.message for words in ("more than", "Too many"))
            return FetchError(ErrorKind.HEAD_TOO_LARGE if is_large else ErrorKind.NOT_HTTP)
        case aiohttp.InvalidURL():
            return FetchError(ErrorKind.URL_INVALID)
        case OSError():
            return connection_fault(error, in_handshake=dial.stage is Stage.TLS)
    return FetchError(ErrorKind.INTERNAL, type(error).__name__)


def _payload_fault(error: aiohttp.ClientPayloadError) -> FetchError:
    if isinstance(error.__cause__, ContentLengthError):
        return FetchError(ErrorKind.BODY_SHORT)
    if "Connection reset" in str(error):
        return FetchError(ErrorKind.RESET)
    return FetchError(ErrorKind.BAD_CHUNKS)
