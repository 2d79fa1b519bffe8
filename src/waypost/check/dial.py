"""A fetch on its way: each dial with its deadlines, and what the trip over all hops has gathered."""

import asyncio
import time
from enum import Enum

from waypost.check.body import BodyWriter
from waypost.check.capture import Capture, ErrorKind, FetchError, Hop, Request
from waypost.check.settings import ClientSettings

__all__ = ["Dial", "Stage", "Trip"]


LATE_S = 0.2
"""An alarm later than this says that this process was busy, not that the server was silent."""


class Stage(Enum):
    """How far a request has come: which setting bounds the stage, and what running out of it is called."""

    DNS = ("dns_s", ErrorKind.DNS_TIMEOUT)
    CONNECT = ("connect_s", ErrorKind.CONNECT_TIMEOUT)
    TLS = ("connect_s", ErrorKind.TLS_STALLED)
    ANSWER = ("first_byte_s", ErrorKind.ANSWER_TIMEOUT)
    BODY = ("silence_s", ErrorKind.SILENCE)

    def __init__(self, setting: str, kind: ErrorKind) -> None:
        self.setting = setting
        self.kind = kind


class Dial:
    """The state of one request on its way; it moves one deadline as the request moves on."""

    def __init__(self, host: str, settings: ClientSettings, hard_at: float, hard_kind: ErrorKind) -> None:
        self.host = host
        self.stage = Stage.DNS
        self.address = ""
        self.refused: FetchError | None = None
        self.is_too_slow = False
        self.wants_new = False
        """Whether this request is to have a connection of its own, not one that an earlier request left open."""
        self.was_reused = False
        self.timer: asyncio.Timeout | None = None
        self._settings = settings
        self._hard_at = hard_at
        self._hard_kind = hard_kind
        self._stage_s = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        self._has_struck = False

    def enter(self, stage: Stage) -> None:
        """Begin a stage, or begin it again: its time counts from now."""
        if stage is Stage.CONNECT and self.stage is Stage.CONNECT:
            return  # the next address of the same name: five seconds for all of them
        self.stage = stage
        self._stage_s = float(getattr(self._settings, stage.setting))
        left = self._hard_at - time.monotonic()
        if left > 0:
            self._wait(min(self._stage_s, left))
        elif not self._has_struck:
            self._end()  # an alarm would be put off again and again by a task that never rests

    def leave(self) -> None:
        """The request is over, one way or another."""
        if self._alarm is not None:
            self._alarm.cancel()

    def _wait(self, seconds: float) -> None:
        self.leave()
        loop = asyncio.get_running_loop()
        due = loop.time() + max(0.0, seconds)
        self._alarm = loop.call_at(due, self._strike, due)

    def _strike(self, due: float) -> None:
        # An alarm that comes late was held up by this process, and bytes that came in time may still wait to be seen.
        # The end of the request or the site is put off once at most: in a process that is always busy, for ever.
        late = asyncio.get_running_loop().time() - due
        if late > LATE_S and time.monotonic() < self._hard_at + LATE_S:
            self._wait(min(late, LATE_S))
        else:
            self._end()

    def _end(self) -> None:
        self._has_struck = True
        if self.timer is not None:
            self.timer.reschedule(0.0)

    @property
    def has_expired(self) -> bool:
        """Whether the deadline has struck."""
        return self.timer is not None and self.timer.expired()

    def refuse(self, kind: ErrorKind, detail: str) -> OSError:
        """Note why this request is not made; the exception to raise through the libraries in between."""
        self.refused = FetchError(kind, detail)
        return PermissionError(detail)

    def check_rate(self, received: int, since: float) -> None:
        """End an answer that comes slower than the minimum rate."""
        taken = time.monotonic() - since
        if taken > self._settings.rate_after_s and received / taken < self._settings.rate_min:
            self.is_too_slow = True
            raise TimeoutError

    def timed_out(self) -> FetchError:
        """What ran out."""
        if self.is_too_slow:
            return FetchError(ErrorKind.TOO_SLOW, f"under {self._settings.rate_min:g} bytes a second")
        if time.monotonic() >= self._hard_at:
            return FetchError(self._hard_kind)
        return FetchError(self.stage.kind, f"{self._stage_s:g} s")


class Trip:
    """What one fetch has gathered so far."""

    def __init__(self, request: Request, settings: ClientSettings) -> None:
        self.request = request
        self.hops: list[Hop] = []
        self.seen: set[str] = set()
        self.error: FetchError | None = None
        self.writer = BodyWriter(memory_bytes_max=settings.memory_bytes_max)
        self.until = 0.0
        self.wire_bytes = 0
        self.repeats = 0
        self.coding = ""
        self.has_trailing = False
        self.truncated = False

    @property
    def is_success(self) -> bool:
        """Whether the last answer has a 2xx status."""
        return bool(self.hops) and 200 <= self.hops[-1].status < 300

    @property
    def may_repeat(self) -> bool:
        """Whether a request may be sent again, because a connection kept open was closed before it arrived.

        Once a trip (RFC 9112, 9.3.1), and in the place of a redirect: it is a request like any other.
        """
        is_harmless = self.request.method in {"GET", "HEAD"}
        return is_harmless and not self.repeats and len(self.hops) < self.request.redirects_max

    def capture(self, started: float) -> Capture:
        """The finished exchange."""
        return Capture(
            self.request,
            tuple(self.hops),
            self.writer.finish(),
            self.error,
            elapsed_s=time.monotonic() - started,
            wire_bytes=self.wire_bytes,
            repeats=self.repeats,
            coding=self.coding,
            has_trailing=self.has_trailing,
            truncated=self.truncated,
        )
