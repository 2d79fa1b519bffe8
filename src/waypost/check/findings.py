"""From what rules said to what a report shows: messages, fixes, fingerprints, a project's own severities."""

from collections.abc import Collection, Iterable

from waypost.check.judge import Found
from waypost.check.options import Options
from waypost.check.result import Finding, fingerprint

__all__ = ["findings"]


def findings(found: Iterable[Found], options: Options, moved: Collection[Found] = ()) -> tuple[Finding, ...]:
    """The findings to show, gravest first; `moved` are those that moved a scored step."""
    scored = {id(one) for one in moved}
    known = options.baseline.fingerprints if options.baseline else frozenset()
    shown = [
        _finding(one, options, is_scored=id(one) in scored, known=known)
        for one in found
        if not options.policing.is_ignored(one.code, options.now)
    ]
    return tuple(sorted(shown, key=lambda finding: (-finding.severity.rank, finding.code, finding.where.url)))


def _finding(one: Found, options: Options, *, is_scored: bool, known: Collection[str]) -> Finding:
    rule, first = one.rule, one.places[0]
    more = f" (and {one.count - 1:,} more)" if one.count > 1 else ""
    mark = fingerprint(rule.code, one.about)
    return Finding(
        code=rule.code,
        name=rule.name,
        title=rule.title,
        step=rule.step,
        severity=options.policing.severity(rule.code, one.severity),
        scored=is_scored,
        message=first.text + more,
        where=first,
        count=one.count,
        places=one.places,
        fix=rule.fix_words,
        fixable=rule.fix,
        fingerprint=mark,
        is_new=mark not in known,
    )
