"""The pure conversation with a site: `wants()` says what to ask next, `receive()` takes the answers, `result()` judges.

No socket, no file and no clock: whoever drives it (the network client, a folder, a saved capture) brings those.

    scan = Scan("https://example.com", Options(now=time.time()))
    while wanted := scan.wants():
        for request in wanted:
            scan.receive(await client.fetch(request))
    result = scan.result()
"""

from collections.abc import Mapping

from waypost.check.asking import conversation, start_from
from waypost.check.capture import Capture, Request
from waypost.check.options import Options
from waypost.check.report import result_of
from waypost.check.result import Result
from waypost.check.seen import Seen
from waypost.check.talk import Talk
from waypost.check.target import Settled
from waypost.errors import ConfigError
from waypost.urls import Origin

__all__ = ["Scan"]


class Scan:
    """One origin being checked.

    `settled` is how the origin was found, where somebody asked for that: its home page is not asked for again.
    """

    def __init__(self, origin: str, options: Options, settled: Settled | None = None) -> None:
        parsed = Origin.parse(origin)
        if parsed is None:
            raise ConfigError(f"{origin} is no http or https origin")
        self._seen = Seen(parsed, options, settled.typed if settled else origin)
        if settled is not None:
            start_from(self._seen, settled)
        self._talk: Talk[None] = conversation(self._seen)
        self._wanted: dict[Request, None] = {}
        self._answers: dict[Request, Capture] = {}
        self._is_over = False
        self._go_on(None)

    def wants(self) -> tuple[Request, ...]:
        """What is to be asked now, all at once if you like; nothing when the conversation is over."""
        return tuple(self._wanted)

    def receive(self, capture: Capture) -> None:
        """Take the answer to one of the requests; one that was not asked for is ignored."""
        if capture.request not in self._wanted:
            return
        del self._wanted[capture.request]
        self._answers[capture.request] = capture
        if not self._wanted:
            self._go_on(self._answers)

    def result(self) -> Result:
        """What was found out; what is still wanted counts as not asked."""
        if not self._is_over:
            self._talk.close()
            self._is_over = True
            self._wanted.clear()
        return result_of(self._seen)

    def _go_on(self, answers: Mapping[Request, Capture] | None) -> None:
        self._answers = {}
        try:
            batch = self._talk.send(answers) if answers is not None else next(self._talk)
        except StopIteration:
            self._is_over = True
            return
        self._wanted = dict.fromkeys(batch)
