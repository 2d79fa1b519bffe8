"""Which rules move which step of sitemap 1.0.0. Every rule that is not named here is advisory."""

from collections.abc import Iterator

from waypost.check.contract import Move, Outcome, When
from waypost.check.rule import Severity

__all__ = ["MOVES"]

_FAIL_FETCH = ("SMD101", "SMF101", "SMF102", "SMF103", "SMF104", "SMF105", "SMF108", "SMF117", "SMF118", "SMF121")
_FAIL_PARSE = (
    "SMF109", "SMF111", "SMF112",
    "SMP201", "SMP202", "SMP203", "SMP204", "SMP207", "SMP211", "SMP228", "SMP231",
)  # fmt: skip
_FAIL_PARSE_WHEN_GRAVE = ("SMP208", "SMP210")
_FAIL_PARSE_WHEN_ALONE = ("SMP212", "SMP214", "SMP215", "SMP216", "SMP217", "SMP224", "SMP227")
_WARN_FIELDS = (
    "SMP205", "SMP209", "SMP212", "SMP213", "SMP214", "SMP215", "SMP216", "SMP217", "SMP218", "SMP227",
    "SMQ301", "SMQ311", "SMQ312",
    "SMX601", "SMX602",
    "SMX611", "SMX612", "SMX613", "SMX614", "SMX616",
    "SMX631", "SMX632", "SMX633", "SMX635", "SMX637",
    "SMX651", "SMX652",
)  # fmt: skip
_FAIL_FIELDS = ("SML401", "SML402", "SML403")
_WARN_SCOPE = ("SMS501", "SMS502", "SMS505", "SMS507", "SMS509")


def _moves() -> Iterator[Move]:
    for code in _FAIL_FETCH:
        yield Move(code, "fetch", Outcome.FAIL)
    # One rule for data that does not unpack: in transport nothing was fetched, in a .gz file nothing can be read.
    yield Move("SMF112", "fetch", Outcome.FAIL, When.NO_DOCUMENT)
    for code in _FAIL_PARSE:
        yield Move(code, "parse", Outcome.FAIL)
    for code in _FAIL_PARSE_WHEN_GRAVE:
        yield Move(code, "parse", Outcome.FAIL, at=Severity.ERROR)
    for code in _FAIL_PARSE_WHEN_ALONE:
        yield Move(code, "parse", Outcome.FAIL, When.NO_GOOD_URL)
    for code in _WARN_FIELDS:
        yield Move(code, "field-quality", Outcome.WARN)
    for code in _FAIL_FIELDS:
        yield Move(code, "field-quality", Outcome.FAIL)
    for code in _WARN_SCOPE:
        yield Move(code, "scope", Outcome.WARN)
    yield Move("SMS510", "scope", Outcome.WARN, When.OTHER_HOST)
    yield Move("SMS510", "field-quality", Outcome.WARN, When.SPOILT_HOST)


MOVES = tuple(_moves())
