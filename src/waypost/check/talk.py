"""Asking in batches: what a part of the conversation yields and is sent, and how redirects and the budget are kept."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from waypost.check.budget import continuation, joined, over_budget
from waypost.check.capture import Capture, Request
from waypost.check.seen import Seen
from waypost.check.trail import hops_of
from waypost.urls import normalise

__all__ = ["Talk", "ask"]

Answers = Mapping[Request, Capture]
_Answer = TypeVar("_Answer")
Talk = Generator[Sequence[Request], Answers, _Answer]


def ask(seen: Seen, batch: Sequence[Request], *, reserve: int = 0) -> Talk[list[Capture]]:
    """The answers to a batch, in its order, following redirects as far as the budget goes."""
    whole: dict[Request, Capture] = {}
    going = dict(zip(batch, seen.budget.admit(batch, reserve=reserve), strict=False))
    while going:
        answers = yield tuple(dict.fromkeys(going.values()))
        further: dict[Request, Request] = {}
        for asked, sent in going.items():
            answer = answers[sent]
            seen.budget.spend(answer)
            before = whole.get(asked)
            whole[asked] = joined(before, answer, asked) if before else replace(answer, request=asked)
            if more := continuation(whole[asked], asked):
                further[asked] = more
        admitted = seen.budget.admit(list(further.values()), reserve=reserve)
        going = dict(zip(further, admitted, strict=False))
    captures = [whole.get(request) or over_budget(request) for request in batch]
    for capture in captures:
        seen.asked.update(normalise(url) for url in (capture.url, capture.final_url))
        seen.trail.extend(hops_of(capture))
        seen.is_reached = seen.is_reached or capture.status > 0
    return captures
