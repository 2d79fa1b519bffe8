"""A site compared with an earlier result (TRD0xx, RBT117, SMQ309)."""

from collections.abc import Iterable, Mapping

from waypost.check.baseline import Baseline
from waypost.check.capture import Capture
from waypost.check.evidence import Evidence
from waypost.check.rule import Hit, Rule, Severity, Step, rule
from waypost.check.rules.fields.dates import moment
from waypost.formats.printable import clipped
from waypost.formats.robots import read_robots
from waypost.formats.robots_diff import diff_robots
from waypost.urls import normalise

__all__ = ["RULES"]

_MOVED_PART = 0.10
_URL_CHARS = 160
_URLS_COMPARED = 2_000
_DAY_S = 86_400.0
_ABSENT = frozenset({400, 401, 403, 404, 410, 451})


@rule("TRD001", Step.TREND, Severity.WARN)
def url_count_moved(evidence: Evidence, baseline: Baseline) -> str | None:
    """The number of URLs in the sitemap moved by more than a tenth since the baseline.

    Why: pages that vanish from a sitemap at once are more often a broken query than a decision.

    Fix: Look whether the change is meant; if so, take this result as the new baseline.

    Bad:
        BEFORE
        <url><loc>https://example.com/{n}</loc></url> × 20
        AFTER
        <url><loc>https://example.com/{n}</loc></url> × 10

    Good:
        BEFORE
        <url><loc>https://example.com/{n}</loc></url> × 20
        AFTER
        <url><loc>https://example.com/{n}</loc></url> × 21
    """
    document = evidence.best.document if evidence.best else None
    if document is None or not baseline.entries or evidence.best is None or baseline.best_url != evidence.best.url:
        return None
    moved = (document.entry_count - baseline.entries) / baseline.entries
    if abs(moved) <= _MOVED_PART:
        return None
    return f"{document.entry_count:,} entries, {baseline.entries:,} before ({moved:+.0%})"


@rule("TRD002", Step.TREND, Severity.ERROR)
def sitemap_vanished(evidence: Evidence, baseline: Baseline) -> Iterable[Hit]:
    """A sitemap that the baseline knows is gone.

    Why: what it listed is no longer offered to crawlers.

    Fix: Bring it back, or redirect it to the one that replaces it.

    Bad:
        BEFORE
        <url><loc>https://example.com/a</loc></url>
        AFTER
        GET /robots.txt → 404

    Good:
        BEFORE
        <url><loc>https://example.com/a</loc></url>
        AFTER
        <url><loc>https://example.com/a</loc></url>
    """
    kept = {normalise(one.url) for one in evidence.candidates if one.is_sitemap or one.was_not_asked}
    for url in baseline.sitemaps:
        if normalise(url) not in kept:
            yield Hit(f"{clipped(url, _URL_CHARS)} was a sitemap before", url=url)


@rule("TRD003", Step.TREND, Severity.WARN)
def robots_answers_flipped(evidence: Evidence, baseline: Baseline) -> Iterable[Hit]:
    """The rules of robots.txt changed, so that URLs flip between allowed and disallowed.

    Why: one line can take a site out of an index.

    Fix: Look whether each flip is meant; if so, take this result as the new baseline.

    Bad:
        BEFORE
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /a
        AFTER
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /

    Good:
        BEFORE
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /a
        AFTER
        GET /robots.txt → 200 text/plain

        # only a comment
        User-agent: *
        Disallow: /a
    """
    before, capture = baseline.robots, _changed_robots(evidence, baseline)
    if before is None or capture is None:
        return
    now = evidence.robots if evidence.robots is not None else read_robots("")
    document = evidence.best.document if evidence.best else None
    flips = [*diff_robots(before, now).flips]
    if document is not None:
        agents = ("*", "Googlebot")
        most = min(robots.questions_max(agent) for robots in (before, now) for agent in agents)
        urls = document.locs[: min(most, _URLS_COMPARED)]
        flips += diff_robots(before, now, urls, agents).flips
    for flip in flips:
        word = "allowed" if flip.after.allowed else "disallowed"
        yield Hit(
            f"{clipped(flip.url, _URL_CHARS)} is {word} for {flip.agent} now", flip.after.line, url=capture.final_url
        )


def _changed_robots(evidence: Evidence, baseline: Baseline) -> Capture | None:
    """The answer for robots.txt where it is another one than in the baseline, and says what crawlers may do."""
    capture = evidence.robots_capture
    if capture is None or capture.body.sha256 == baseline.robots_digest:
        return None
    # Only an answer that there is no robots.txt allows everything; a server in trouble says nothing of its rules.
    return capture if evidence.robots is not None or capture.status in _ABSENT else None


def _newest(lastmods: Iterable[str | None], now: float) -> float | None:
    dates = (moment(text.strip()) for text in set(lastmods) if text)
    return max((at for at in dates if at is not None and at <= now + _DAY_S), default=None)


@rule("TRD004", Step.TREND, Severity.WARN)
def lastmod_went_back(evidence: Evidence, baseline: Baseline) -> str | None:
    """The newest lastmod of the sitemap is older than it was in the baseline.

    Why: a sitemap made from old data hides what changed since.

    Fix: Look whether a backup or a stale cache answers.

    Bad:
        BEFORE
        <url><loc>https://example.com/a</loc><lastmod>2026-06-01</lastmod></url>
        AFTER
        <url><loc>https://example.com/a</loc><lastmod>2026-01-01</lastmod></url>

    Good:
        BEFORE
        <url><loc>https://example.com/a</loc><lastmod>2026-01-01</lastmod></url>
        AFTER
        <url><loc>https://example.com/a</loc><lastmod>2026-06-01</lastmod></url>
    """
    document = evidence.best.document if evidence.best else None
    before = baseline.newest
    newest = _newest(document.lastmods, evidence.now) if document else None
    if before is None or newest is None or before - newest < _DAY_S:
        return None
    return f"the newest lastmod is {(before - newest) / _DAY_S:.0f} days older than before"


@rule("TRD005", Step.TREND, Severity.WARN)
def score_dropped(evidence: Evidence, baseline: Baseline) -> str | None:
    """The score is lower than in the baseline.

    Why: something that worked no longer does.

    Fix: Look at the findings that are new.

    Bad:
        BEFORE
        <url><loc>https://example.com/a</loc></url>
        AFTER
        <url><loc>https://example.com/a</loc><priority>high</priority></url>

    Good:
        BEFORE
        <url><loc>https://example.com/a</loc></url>
        AFTER
        <url><loc>https://example.com/a</loc></url>
    """
    if baseline.score is None or evidence.score >= baseline.score:
        return None
    return f"{evidence.score:.2f}, {baseline.score:.2f} before"


@rule("RBT117", Step.TREND, Severity.INFO)
def robots_changed(evidence: Evidence, baseline: Baseline) -> str | None:
    """The text of robots.txt changed since the baseline.

    Why: it is a small file that few people mean to change.

    Fix: Look whether the change is meant; if so, take this result as the new baseline.

    Bad:
        BEFORE
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /a
        AFTER
        GET /robots.txt → 200 text/plain

        # a comment
        User-agent: *
        Disallow: /a

    Good:
        BEFORE
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /a
        AFTER
        GET /robots.txt → 200 text/plain

        User-agent: *
        Disallow: /a
    """
    capture = _changed_robots(evidence, baseline)
    return f"{capture.url} is not what it was" if capture is not None and baseline.robots_digest else None


@rule("SMQ309", Step.TREND, Severity.WARN)
def lastmod_moved_alone(evidence: Evidence, baseline: Baseline) -> Iterable[Hit]:
    """A page's lastmod moved since the baseline, and its content did not.

    Why: crawlers come back, find nothing new, and learn to ignore lastmod.

    Fix: Change lastmod when the content changes, and only then.

    Bad:
        BEFORE
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc><lastmod>2026-01-01</lastmod></url></urlset>

        GET /a → 200 text/html

        <html><body>the same</body></html>
        AFTER
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc><lastmod>2026-06-01</lastmod></url></urlset>

        GET /a → 200 text/html

        <html><body>the same</body></html>

    Good:
        BEFORE
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc><lastmod>2026-01-01</lastmod></url></urlset>

        GET /a → 200 text/html

        <html><body>old</body></html>
        AFTER
        GET /sitemap.xml → 200 application/xml

        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/a</loc><lastmod>2026-06-01</lastmod></url></urlset>

        GET /a → 200 text/html

        <html><body>new</body></html>
    """
    for page in evidence.pages:
        before: Mapping[str, str] = baseline.pages.get(page.url, {})
        is_same = bool(page.digest) and before.get("digest") == page.digest
        if is_same and page.lastmod and before.get("lastmod") and before["lastmod"] != page.lastmod:
            told = f"{clipped(page.url, _URL_CHARS)}: lastmod went from {before['lastmod']} to {page.lastmod}"
            yield Hit(told, entry=page.entry, url=page.sitemap)


RULES: tuple[Rule, ...] = (
    url_count_moved,
    sitemap_vanished,
    robots_answers_flipped,
    lastmod_went_back,
    score_dropped,
    robots_changed,
    lastmod_moved_alone,
)
