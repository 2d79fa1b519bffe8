"""Conversations: asking in batches, keeping redirects within the budget, and the outside that somebody drives.

A conversation is a generator that yields batches of requests and is sent their answers. It opens no socket.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from waypost.check.budget import Budget, continuation, joined, over_budget
from waypost.check.capture import Capture, Request
from waypost.check.result import TrailHop
from waypost.check.trail import hops_of
from waypost.urls import normalise

__all__ = ["Conversation", "Talk", "ask"]

Answers = Mapping[Request, Capture]
_Answer = TypeVar("_Answer")
Talk = Generator[Sequence[Request], Answers, _Answer]


class Asker(Protocol):
    """Who asks: the budget it has, and what it keeps of everything it asked."""

    budget: Budget
    asked: set[str]
    trail: list[TrailHop]
    is_reached: bool


class Conversation:
    """A talk as its driver sees it: what it wants to ask, and where the answers go."""

    def __init__(self, talk: Talk[None]) -> None:
        self._talk = talk
        self._wanted: dict[Request, None] = {}
        self._answers: dict[Request, Capture] = {}
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

    def end(self) -> None:
        """End it early: what is still wanted counts as not asked."""
        self._talk.close()
        self._wanted.clear()

    def _go_on(self, answers: Answers | None) -> None:
        self._answers = {}
        try:
            batch = self._talk.send(answers) if answers is not None else next(self._talk)
        except StopIteration:
            return
        self._wanted = dict.fromkeys(batch)


def ask(seen: Asker, batch: Sequence[Request], *, reserve: int = 0) -> Talk[list[Capture]]:
    """The answers to a batch, in its order, following redirects as far as the budget goes."""
    whole: dict[Request, Capture] = {}
    waiting = dict(zip(batch, batch, strict=True))
    while going := dict(zip(waiting, seen.budget.admit(list(waiting.values()), reserve=reserve), strict=False)):
        answers = yield tuple(dict.fromkeys(going.values()))
        for asked, sent in going.items():
            answer = answers[sent]
            seen.budget.spend(answer)
            before = whole.get(asked)
            whole[asked] = joined(before, answer, asked) if before else replace(answer, request=asked)
            if more := continuation(whole[asked], asked):
                waiting[asked] = more
            else:
                del waiting[asked]
    captures = [whole.get(request) or over_budget(request) for request in batch]
    for capture in captures:
        seen.asked.update(normalise(url) for url in (capture.url, capture.final_url))
        seen.trail.extend(hops_of(capture))
        seen.is_reached = seen.is_reached or capture.status > 0
    return captures
