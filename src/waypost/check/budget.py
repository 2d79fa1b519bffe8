"""How many requests a scan may still make. Redirects count; some seats are kept for what must be asked."""

from collections.abc import Sequence
from dataclasses import replace

from waypost.check.capture import Capture, ErrorKind, FetchError, Request, unanswered
from waypost.check.place import Place, follow, read_place
from waypost.limits import REDIRECTS_MAX

__all__ = ["Budget", "continuation", "joined", "over_budget"]


class Budget:
    """Requests left. A batch is let in with few redirects each; whoever needs more comes again."""

    def __init__(self, requests_max: int) -> None:
        self.left = requests_max
        self.spent = 0

    def extend(self, requests: int) -> None:
        """Allow more, for what a caller asked for on purpose."""
        self.left += requests

    def admit(self, batch: Sequence[Request], *, reserve: int = 0) -> list[Request]:
        """The part of a batch that may go out now, with bounded redirects, leaving `reserve` requests for later.

        Each may follow one redirect while that lasts, and what is then left goes to the first in order: where every
        path of a site is redirected the same long way, one of them at least arrives.
        """
        room = max(0, self.left - reserve)
        admitted = list(batch[:room])
        spare = room - len(admitted)
        each = 1 if spare >= len(admitted) else 0
        spare -= each * len(admitted)
        bounded = []
        for request in admitted:
            more = min(spare, max(0, request.redirects_max - each))
            spare -= more
            bounded.append(replace(request, redirects_max=min(request.redirects_max, each + more)))
        return bounded

    def spend(self, capture: Capture) -> None:
        """Count what an exchange cost."""
        self.left -= capture.requests
        self.spent += capture.requests


def continuation(capture: Capture, asked: Request) -> Request | None:
    """The request that follows where an exchange ran out of its share of redirects, None where nothing is to follow."""
    followed = len(capture.hops) - 1
    allowed = min(REDIRECTS_MAX, asked.redirects_max)
    if capture.error is None or capture.error.kind is not ErrorKind.BUDGET or not capture.hops or followed >= allowed:
        return None
    place = read_place(capture.final_url)
    onward = follow(place, capture.hops[-1].location) if isinstance(place, Place) else place
    return replace(asked, url=onward.url, redirects_max=allowed - followed - 1) if isinstance(onward, Place) else None


def in_circle(capture: Capture) -> bool:
    """Whether an exchange in two halves came back to where it was."""
    urls = [hop.url for hop in capture.hops]
    return len(set(urls)) < len(urls)


def joined(first: Capture, rest: Capture, asked: Request) -> Capture:
    """One exchange out of its two halves."""
    whole = replace(rest, request=asked, hops=first.hops + rest.hops, elapsed_s=first.elapsed_s + rest.elapsed_s)
    whole = replace(whole, repeats=first.repeats + rest.repeats)
    if in_circle(whole):
        return replace(whole, error=FetchError(ErrorKind.REDIRECT_LOOP))
    is_cut = whole.error is not None and whole.error.kind is ErrorKind.BUDGET
    if is_cut and len(whole.hops) > REDIRECTS_MAX:
        # Its share of the budget ended where redirects end anyway: the site's fault, and not ours.
        return replace(whole, error=FetchError(ErrorKind.REDIRECT_COUNT, f"{len(whole.hops)} redirects"))
    return whole


def over_budget(request: Request) -> Capture:
    """The capture of a request that was never made."""
    return unanswered(request, ErrorKind.BUDGET)
