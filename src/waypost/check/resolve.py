"""Names to addresses: the system's resolver on threads of our own, with a short memory.

The default executor is small and its threads hold up the end of the process; these are many, and nobody waits for them:
a dead name stalls one of them and nothing else.
"""

import asyncio
import ipaddress
import queue
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

from waypost.check.policy import Address
from waypost.limits import DNS_KEPT_MAX, DNS_KEPT_S, DNS_MISS_KEPT_S, DNS_THREADS_MAX

__all__ = ["Lookup", "Resolver", "system_lookup"]

Lookup = Callable[[str], list[str]]
"""Gives the addresses of a name, or raises `socket.gaierror`; it may block."""


def system_lookup(host: str) -> list[str]:
    """The addresses the system's resolver knows, in its order; every name below localhost is localhost (RFC 6761)."""
    host = "localhost" if host.rstrip(".").endswith(".localhost") else host
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(row[4][0]) for row in found]


class _Threads:
    """Daemon threads that grow with the work up to a bound."""

    def __init__(self, threads_max: int) -> None:
        self._jobs: queue.SimpleQueue[tuple[Future[list[str]], Lookup, str]] = queue.SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._lock = threading.Lock()
        self._left = threads_max

    def submit(self, lookup: Lookup, host: str) -> Future[list[str]]:
        future: Future[list[str]] = Future()
        self._jobs.put((future, lookup, host))
        if not self._idle.acquire(blocking=False):
            self._grow()
        return future

    def _grow(self) -> None:
        with self._lock:
            if self._left == 0:
                return
            self._left -= 1
        threading.Thread(target=self._work, name="waypost-dns", daemon=True).start()

    def _work(self) -> None:
        while True:
            future, lookup, host = self._jobs.get()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(lookup(host))
                except Exception as error:  # noqa: BLE001 - whatever a resolver raises belongs to the one who asked
                    future.set_exception(error)
            self._idle.release()


_THREADS = _Threads(DNS_THREADS_MAX)


class Resolver:
    """Resolves names and remembers the answers, good and bad, for a short time; shared by all sites of a process."""

    def __init__(self, lookup: Lookup = system_lookup, *, kept_s: float = DNS_KEPT_S) -> None:
        self._lookup = lookup
        self._kept_s = kept_s
        self._known: dict[str, tuple[float, asyncio.Future[tuple[Address, ...]]]] = {}

    async def resolve(self, host: str) -> tuple[Address, ...]:
        """The addresses of a name, each once; `OSError` where there are none."""
        name = host.lower()
        now = time.monotonic()
        until, future = self._known.get(name, (0.0, None))
        if future is None or until < now or _is_of_another_loop(future):
            future = asyncio.ensure_future(self._ask(name))
            # Whoever waits may give up while others still wait, and nobody may be left to take a failure.
            future.add_done_callback(_taken)
            self._make_room(now)
            self._known[name] = (now + self._kept_s, future)
            future.add_done_callback(lambda done: self._remember(name, done))
        return await asyncio.shield(future)

    async def _ask(self, name: str) -> tuple[Address, ...]:
        texts = await asyncio.wrap_future(_THREADS.submit(self._lookup, name))
        addresses = [ipaddress.ip_address(text.partition("%")[0]) for text in texts]
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "no address")
        return tuple(dict.fromkeys(addresses))

    def _remember(self, name: str, future: "asyncio.Future[tuple[Address, ...]]") -> None:
        if future.cancelled():
            self._known.pop(name, None)
        elif future.exception() is not None:
            self._known[name] = (time.monotonic() + DNS_MISS_KEPT_S, future)

    def _make_room(self, now: float) -> None:
        if len(self._known) < DNS_KEPT_MAX:
            return
        for name in [name for name, (until, _) in self._known.items() if until < now]:
            del self._known[name]
        while len(self._known) >= DNS_KEPT_MAX:
            del self._known[next(iter(self._known))]


def _is_of_another_loop(future: "asyncio.Future[tuple[Address, ...]]") -> bool:
    return not future.done() and future.get_loop() is not asyncio.get_running_loop()


def _taken(future: "asyncio.Future[tuple[Address, ...]]") -> None:
    if not future.cancelled():
        future.exception()
