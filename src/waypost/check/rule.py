"""A rule: one function, one decorator, one docstring.

    @rule("SMQ301", Step.FIELD_QUALITY, Severity.WARN, fix=Fix.PROPOSED)
    def invalid_lastmod(entry: Entry) -> str | None:
        \"\"\"The <lastmod> value is not a W3C date. …\"\"\"

The function's name is the rule's name. Its first parameter's type says what it looks at (an `Entry`, a `Document`, a
`Capture`, a `Robots`, the whole `Evidence`…), further parameters what it needs beside it (the `Origin`, the `Now`); it
is handed these and nothing else. It answers with a sentence, a `Hit`, several, or None. The docstring is the page that
`waypost rule CODE` prints; its samples run as tests.

A rule that judges 50,000 entries may bring a column form: a function of the document that names the entries the entry
form is to look at. It never decides, so it can only be slow or fast; a test holds both forms to the same answer.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

__all__ = ["Answer", "Fix", "Hit", "Now", "Rule", "Severity", "Step", "hits", "rule"]


class Severity(StrEnum):
    """How much a finding matters before anybody configures anything; `--fail-on` compares by rank."""

    INFO = "info"
    WARN = "warn"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """0 for info, 1 for warn, 2 for error."""
        return ("info", "warn", "error").index(self.value)


class Step(StrEnum):
    """Where a rule belongs. The first five are the scored steps of the sitemap check; the others score nothing."""

    DISCOVER = "discover"
    FETCH = "fetch"
    PARSE = "parse"
    FIELD_QUALITY = "field-quality"
    SCOPE = "scope"
    DEEP = "deep"
    ROBOTS = "robots"
    ROBOTS_XML = "robots.xml"
    FEED = "feed"
    PROBE = "probe"
    TREND = "trend"
    PUBLISH = "publish"
    """What `waypost doctor` says of a root; no check of a suite has it."""


class Fix(StrEnum):
    """Whether waypost can mend the cause in a file its user owns."""

    NONE = "none"
    SAFE = "safe"
    """`--fix` writes it."""
    PROPOSED = "proposed"
    """A person has to decide: the words of the finding say how."""


class Now(float):
    """The moment of the scan in seconds since 1970; rules have no clock of their own."""


class Hit(NamedTuple):
    """One place where a rule's problem shows; 0 and "" mean what the rule looks at as a whole."""

    text: str
    line: int = 0
    column: int = 0
    entry: int = 0
    url: str = ""
    severity: Severity | None = None
    """Where one rule has a mild and a grave form: the severity of this one."""


Answer = str | Hit | Iterable[Hit] | None

_SAMPLES = re.compile(r"^(Bad|Good): *(.*(?:\n(?:    .*| *))*)", re.MULTILINE)
_WORDS = re.compile(r"^(Why|Fix): *(.*(?:\n(?!(?:Why|Fix|Bad|Good):).*\S.*)*)", re.MULTILINE)
"""A paragraph: to the next blank line, or to the next section."""


@dataclass(frozen=True)
class Rule:
    """A judgement with a stable code; made by `@rule`."""

    code: str
    step: Step
    severity: Severity
    fix: Fix
    judge: Callable[..., Answer]
    column: Callable[..., Iterable[int]] | None = None

    @cached_property
    def name(self) -> str:
        """The problem in kebab-case."""
        return self.judge.__name__.replace("_", "-")

    @cached_property
    def page(self) -> str:
        """The rule's page: its docstring."""
        return inspect.cleandoc(self.judge.__doc__ or "")

    @cached_property
    def title(self) -> str:
        """The first line of the page, without its full stop."""
        return self.page.partition("\n")[0].removesuffix(".")

    @cached_property
    def why(self) -> str:
        """Why it matters."""
        return self._words("Why")

    @cached_property
    def fix_words(self) -> str:
        """What to do about it, in words."""
        return self._words("Fix")

    @cached_property
    def looks_at(self) -> type:
        """What the rule is called for: the type of its first parameter."""
        return self.takes[0]

    @cached_property
    def takes(self) -> tuple[type, ...]:
        """The types of all its parameters, which is everything it can see."""
        return _parameters(self.judge)

    @cached_property
    def column_takes(self) -> tuple[type, ...]:
        """The types of the column form's parameters."""
        return _parameters(self.column) if self.column else ()

    def samples(self, kind: str) -> list[str]:
        """The `Bad` or the `Good` samples of the page, as they would stand in a file."""
        return [inspect.cleandoc(f"\n{text}") for name, text in _SAMPLES.findall(self.page) if name == kind]

    def _words(self, kind: str) -> str:
        return " ".join(" ".join(text.split()) for name, text in _WORDS.findall(self.page) if name == kind)


def _parameters(function: Callable[..., object]) -> tuple[type, ...]:
    kinds = [kind for name, kind in function.__annotations__.items() if name != "return"]
    return tuple(kinds)


def rule(
    code: str,
    step: Step,
    severity: Severity,
    *,
    fix: Fix = Fix.NONE,
    column: Callable[..., Iterable[int]] | None = None,
) -> Callable[[Callable[..., Answer]], Rule]:
    """Make a function a rule."""

    def made(judge: Callable[..., Answer]) -> Rule:
        return Rule(code, step, severity, fix, judge, column)

    return made


def hits(answer: Answer) -> Iterator[Hit]:
    """A rule's answer as the places it names."""
    if answer is None:
        return iter(())
    if isinstance(answer, str):
        return iter((Hit(answer),))
    return iter((answer,)) if isinstance(answer, Hit) else iter(answer)
