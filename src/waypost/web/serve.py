"""The only importer of granian: starts it as a server among strangers has to be started.

Its own defaults would let 1,024 half-sent requests keep everybody else out for half a minute.
"""

import logging
import multiprocessing
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer

from waypost.errors import ConfigError
from waypost.formats.printable import log_line
from waypost.limits import (
    ACCESS_LINE_CHARS_MAX,
    CONNECTIONS_MAX,
    HEAD_TIMEOUT_S,
    REQUEST_HEAD_BYTES,
    STOP_TIMEOUT_S,
    SWITCH_INTERVAL_S,
)
from waypost.web.app import App, create
from waypost.web.hosts import Hosts

__all__ = ["Service", "free_port", "serve"]


@dataclass(frozen=True, slots=True)
class Service:
    """What to serve, and where."""

    root: str | None
    sites: str | None
    host: str
    port: int
    workers: int
    options: Mapping[str, Any] = field(default_factory=dict)
    access_log: bool = False


class _Server(MPServer):
    """granian, but for SIGHUP: it reaches the workers, which read everything anew without losing a connection."""

    def signal_handler_reload(self, *_: object) -> None:
        if os.getpid() == getattr(self, "pid", 0):  # a worker inherits the handler until it sets its own
            for worker in self.wrks:
                os.kill(worker.inner.pid, signal.SIGHUP)


def free_port(host: str, port: int) -> int:
    """The port asked for, or for 0 any free one. Raises ConfigError where it cannot be listened on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise ConfigError(f"cannot listen on {host} port {port}: {why}; choose another with --port") from None


class ClippedLine(logging.Formatter):
    """A line of the access log, safe on a terminal, however long the path was that a stranger asked for."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, cut and escaped."""
        return log_line(super().format(record), ACCESS_LINE_CHARS_MAX)


_said = logging.getLogger("waypost.site")
_FORMATTERS: dict[str, Any] = {"generic": {"fmt": "%(levelname)s %(message)s"}, "access": {"()": ClippedLine}}


def serve(service: Service, *, on_ready: Callable[[Hosts], None], progress: Callable[[int], None]) -> None:
    """Serve until SIGTERM or SIGINT; the first worker alone tells how its scan goes, and when it is ready."""
    _raise_descriptor_limit()
    telling = multiprocessing.get_context("fork").Lock()

    def load() -> App:
        # Runs in the worker, after the fork: watches and caches belong to one process.
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        tells = telling.acquire(block=False)
        if not tells:
            _said.setLevel(logging.ERROR)  # the first worker says what there is to say of the root as it is found
        app = create(
            service.root,
            sites=service.sites,
            options=service.options,
            on_ready=on_ready if tells else lambda _hosts: _said.setLevel(logging.NOTSET),
            progress=progress if tells else None,
        )
        signal.signal(signal.SIGHUP, lambda *_: app.reload())
        return app

    _Server(
        "waypost.web.app:create",
        address=service.host,
        port=service.port,
        interface=Interfaces.ASGI,
        workers=service.workers,
        backpressure=CONNECTIONS_MAX,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=int(HEAD_TIMEOUT_S * 1_000), max_buffer_size=REQUEST_HEAD_BYTES
        ),
        websockets=False,
        log_level=LogLevels.warning,
        log_access=service.access_log,
        log_dictconfig={"formatters": _FORMATTERS},
        respawn_failed_workers=True,
        workers_kill_timeout=STOP_TIMEOUT_S,
    ).serve(target_loader=load, wrap_loader=False)


def _raise_descriptor_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS_MAX * 2 if hard == resource.RLIM_INFINITY else min(hard, CONNECTIONS_MAX * 2)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
