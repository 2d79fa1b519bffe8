"""Further than the check itself goes, when asked to: the children of an index, and the pages that are listed."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from waypost.check.assess import assess
from waypost.check.capture import Body, Purpose, Request
from waypost.check.evidence import Candidate, Child, Page, Source, page_lists
from waypost.check.htmlhead import Head, read_head
from waypost.check.judge import Found
from waypost.check.rule import Now, Step
from waypost.check.seen import Seen
from waypost.check.talk import Talk, ask
from waypost.formats.document import Document, Kind
from waypost.formats.robots import Robots
from waypost.limits import CHILDREN_ASKED_MAX, PROBE_BATCH, PROBED_BYTES_MAX, REDIRECTS_MAX, SITEMAP_BYTES_MAX
from waypost.urls import Origin, is_absolute

__all__ = ["children", "pages"]

_OWN_TOKEN = "waypost"  # noqa: S105 - the product token of robots.txt
_PAGES_SHOWN = 1_000
_SITEMAP_STEPS = frozenset({Step.FETCH, Step.PARSE, Step.FIELD_QUALITY, Step.SCOPE})


def _best(seen: Seen) -> Document | None:
    return seen.best.candidate.document if seen.best else None


def children(seen: Seen) -> Talk[None]:
    """Read a sample of the sitemaps that the index lists, and judge each by the rules of the check."""
    index = _best(seen)
    if index is None or index.kind is not Kind.INDEX:
        return
    known = {one.candidate.url for one in seen.assessed}
    numbers = [number for number, loc in enumerate(index.locs) if is_absolute(loc) and loc not in known]
    sample = sorted(random.Random(seen.options.seed).sample(numbers, min(len(numbers), CHILDREN_ASKED_MAX)))  # noqa: S311
    seen.budget.extend(len(sample) * (REDIRECTS_MAX + 1))
    requests = [Request(index.locs[number], Purpose.CHILD, SITEMAP_BYTES_MAX + 1) for number in sample]
    heard: list[Found] = []
    # One after the other: ten sitemaps of 50 MB at once are more than a polite reader holds.
    for number, request in zip(sample, requests, strict=True):
        (capture,) = yield from ask(seen, [request])
        named = Candidate(request.url, Source.INDEX, index.place(number)[0], capture)
        assessed = assess(seen, named)
        heard += [found for found in assessed.found if found.rule.step in _SITEMAP_STEPS]
        document = assessed.candidate.document
        light = replace(assessed.candidate, document=None)
        seen.children.append(Child(light, index.lastmods[number], document))
    seen.heard["sitemap-deep"] = seen.bench.merged(heard, str(seen.origin))
    seen.evidence["sitemap-deep"] = {
        "children": len(index.locs),
        "read": len(sample),
        "seed": seen.options.seed,
        "outcomes": [{"url": child.candidate.url, "kind": child.candidate.kind.value} for child in seen.children],
    }


def pages(seen: Seen) -> Talk[None]:
    """Ask for a seeded sample of the listed pages of the scanned host, in small batches."""
    rows = [
        (document, url, number)
        for url, document in page_lists(seen.best.candidate if seen.best else None, seen.children)
        for number, loc in enumerate(document.locs)
        if _is_own(loc, seen.origin)
    ]
    wanted = len(rows) if seen.options.probe is None else min(len(rows), seen.options.probe)
    sample = random.Random(seen.options.seed).sample(rows, wanted)  # noqa: S311 - a sample, not a secret
    allowed = [row for row in sample if seen.robots is None or seen.robots.allowed(_OWN_TOKEN, row[0].locs[row[2]])]
    seen.evidence["pages"] = {
        "listed": len(rows),
        "sample": len(sample),
        "asked": len(allowed),
        "seed": seen.options.seed,
    }
    rest = iter(allowed)
    while batch := list(islice(rest, PROBE_BATCH)):
        yield from _probe(seen, batch)
    seen.heard["pages"] = seen.bench.merged(seen.heard.get("pages", ()), str(seen.origin))
    seen.evidence["pages"]["pages"] = [_row(page) for page in seen.pages[:_PAGES_SHOWN]]


def _row(page: Page) -> dict[str, object]:
    status = page.capture.status or (page.capture.error.sentence if page.capture.error else 0)
    return {"url": page.url, "status": status, "lastmod": page.lastmod or "", "digest": page.digest}


def _is_own(loc: str, origin: Origin) -> bool:
    own = Origin.parse(loc)
    return own is not None and own.netloc == origin.netloc


def _probe(seen: Seen, batch: Sequence[tuple[Document, str, int]]) -> Talk[None]:
    requests = [
        Request(document.locs[number], Purpose.PAGE, PROBED_BYTES_MAX, accept="text/html, */*;q=0.1")
        for document, _, number in batch
    ]
    seen.budget.extend(len(requests) * (REDIRECTS_MAX + 1))
    captures = yield from ask(seen, requests)
    for (document, sitemap, number), capture in zip(batch, captures, strict=True):
        body = capture.body.head(PROBED_BYTES_MAX)
        head = read_head(body, capture.final_url) if capture.is_success else Head()
        digest = capture.body.sha256 if capture.is_success else ""
        light = replace(capture, body=Body(capture.body.head(2048)))
        page = Page(capture.url, document.lastmods[number], number + 1, sitemap, light, head, digest)
        seen.pages.append(page)
        context: dict[type, Any] = {Page: page, Now: Now(seen.options.now)}
        if seen.robots is not None:
            context[Robots] = seen.robots
        seen.heard.setdefault("pages", []).extend(seen.bench.hear(context, (Step.PROBE,), page.url))
