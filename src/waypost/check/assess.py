"""One candidate, judged: its exchange, then its document, then its fields and its scope, by the rules of the check."""

from collections import Counter
from dataclasses import replace
from typing import Any

from waypost.check.capture import Body, Capture
from waypost.check.contract import CheckSpec, Mode, When
from waypost.check.evidence import Candidate
from waypost.check.judge import Found
from waypost.check.patience import Patience
from waypost.check.rule import Now, Step
from waypost.check.rules.fields.dates import moment
from waypost.check.score import outcomes
from waypost.check.seen import Assessed, Seen
from waypost.check.survey import Survey, authority
from waypost.formats.document import Document, Kind
from waypost.formats.inflate import GZIP_MAGIC
from waypost.formats.robots import Robots
from waypost.formats.sitemap import SitemapReader, read_sitemap
from waypost.limits import FEED_PIECE_BYTES, PACKED_PIECE_BYTES
from waypost.urls import Origin

__all__ = ["assess", "read_document"]

_HOSTS_LISTED = 10
_DAY_S = 86_400.0


def assess(seen: Seen, candidate: Candidate) -> Assessed:
    """Run the rules over a candidate; a step that failed leaves nothing for the rules of the later ones."""
    spec = next(check for check in seen.suite.checks if check.mode is Mode.SCORED)
    capture = candidate.capture
    context: dict[type, Any] = {Candidate: candidate, Origin: seen.origin, Now: Now(seen.options.now)}
    if capture is not None:
        context[Capture] = capture
    if seen.robots is not None:
        context[Robots] = seen.robots
    survey = None
    if candidate.is_answered and capture is not None:
        document = _read_patiently(seen, capture)
        survey = Survey(document, seen.origin)
        candidate = replace(candidate, document=document, kind=document.kind)
        if candidate.is_sitemap:
            candidate = replace(candidate, digest=capture.body.sha256, listing=hash(frozenset(document.locs)))
        context |= {Candidate: candidate, Document: document, Survey: survey}
    found = seen.bench.hear(context, (Step.FETCH, Step.PARSE), candidate.url)
    holds = frozenset({When.NO_DOCUMENT} if survey is None else survey.conditions())
    if survey is not None and _steps(spec, found, holds)["parse"].credit:
        found += seen.bench.hear(context, (Step.FIELD_QUALITY, Step.SCOPE), candidate.url)
    light = replace(candidate, capture=replace(capture, body=Body()) if capture else None)
    facts = _facts(candidate, survey, seen.options.now)
    return Assessed(light, tuple(found), _steps(spec, found, holds), holds, facts)


def _steps(spec: CheckSpec, found: list[Found], holds: frozenset[When]) -> dict[str, Any]:
    return outcomes(spec, ((one.code, one.severity) for one in found), holds)


def _read_patiently(seen: Seen, capture: Capture) -> Document:
    with seen.patience as patience:
        document = read_document(capture, patience)
        if patience.is_out:
            seen.notices.append(f"{capture.url}: reading took too long and was stopped; what was read is judged")
    return document


def read_document(capture: Capture, patience: Patience) -> Document:
    """The sitemap in an answer, as far as patience goes; what is large, or may unpack to much, is read in pieces."""
    body = capture.body
    is_packed = body.head(len(GZIP_MAGIC)) == GZIP_MAGIC
    if not (body.is_spooled or is_packed or patience.is_out):
        return read_sitemap(body.read(), url=capture.final_url)
    reader = SitemapReader(url=capture.final_url)
    for chunk in body.chunks(PACKED_PIECE_BYTES if is_packed else FEED_PIECE_BYTES):
        reader.feed(chunk)
        if patience.is_out:
            break
    return reader.close()


def _facts(candidate: Candidate, survey: Survey | None, now: float) -> dict[str, object]:
    capture, document = candidate.capture, candidate.document
    facts: dict[str, object] = {"url": candidate.url, "source": candidate.source.value}
    if candidate.line:
        facts["line"] = candidate.line
    if capture is not None:
        facts["status"] = capture.status
        if capture.error is not None:
            facts["error"] = capture.error.sentence
        if capture.was_redirected:
            facts["final_url"] = capture.final_url
    if document is not None and document.kind is not Kind.NONE:
        facts |= {
            "kind": document.kind.value,
            "entries": document.entry_count,
            "bytes": document.bytes,
            "encoding": document.encoding,
            "complete": document.complete,
        }
        newest = [at for at in map(moment, set(document.lastmods)) if at is not None and at <= now + _DAY_S]
        if newest:
            facts["newest"] = max(newest)
    if survey is not None and survey.foreign:
        facts["foreign_hosts"] = _foreign_hosts(survey)
    return facts


def _foreign_hosts(survey: Survey) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for number in survey.foreign:
        at = authority(survey.document.locs[number])
        if at is not None:
            counted[f"{at[0]}:{at[1]}" if at[1] not in {80, 443} else at[0]] += 1
    return dict(counted.most_common(_HOSTS_LISTED))
