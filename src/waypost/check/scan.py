"""The pure conversation with a site: `wants()` says what to ask next, `receive()` takes the answers, `result()` judges.

No socket, no file and no clock: whoever drives it (the network client, a folder, a saved capture) brings those.

    scan = Scan("https://example.com", Options(now=time.time()))
    while wanted := scan.wants():
        for request in wanted:
            scan.receive(await client.fetch(request))
    result = scan.result()
"""

from waypost.check.asking import conversation, start_from
from waypost.check.options import Options
from waypost.check.report import result_of
from waypost.check.result import Result
from waypost.check.seen import Seen
from waypost.check.talk import Conversation
from waypost.check.target import Settled
from waypost.errors import ConfigError
from waypost.urls import Origin

__all__ = ["Scan"]


class Scan(Conversation):
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
        super().__init__(conversation(self._seen))

    def result(self) -> Result:
        """What was found out; what is still wanted counts as not asked."""
        self.end()
        return result_of(self._seen)
